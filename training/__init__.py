"""Training of the small model that reads: `python -m training.reader`, `.evaluate`, `.export`."""
