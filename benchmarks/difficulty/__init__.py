"""Questions in three groups of difficulty, written for this project (see README.md)."""
