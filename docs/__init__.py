"""The documentation, and the small programs that make parts of it."""
