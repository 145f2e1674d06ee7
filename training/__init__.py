"""How the ears of voices/*/ear are made: `python -m training.build fr`, see training/README.md. Never installed."""
