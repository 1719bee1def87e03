"""One process for many commands: lines of JSON in, lines of JSON out."""
