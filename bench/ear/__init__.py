"""How well the ear hears what no model was trained on: `python -m bench.ear fr`; figures are in docs/EAR.md."""
