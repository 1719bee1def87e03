"""The page for phones and tablets: a web server over an archive, its tokens and its static files."""
