"""A mixed attack on the whole program, beside ordinary people who ask."""
