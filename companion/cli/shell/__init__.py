"""What a shell sees: one command line in, text or JSON out. Nothing here loads what a quick answer can do without."""
