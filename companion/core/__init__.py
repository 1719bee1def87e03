"""The pure core: nothing here reads a file, a clock or a random number, or depends on a game."""
