"""The page of `companion host`: HTML and SVG fragments of a session. Nothing here computes a rule."""
