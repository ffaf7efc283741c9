"""The handbook of the program: chapters in Markdown, and what makes the PDF of them."""
