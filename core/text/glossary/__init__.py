"""Questions word by word in another language, by small tables of everyday words."""
