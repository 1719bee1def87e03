"""How the game is written: counters, spaces, printed facts."""
