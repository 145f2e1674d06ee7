"""La Grande Pyramide: thirty-eight seats, four ranks, and a human game master who knows who is a Son of the Harpy."""
