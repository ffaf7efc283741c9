"""The commands of `eval_custom.py`, a module each."""
