"""How Fallujah 2004 is played without people."""
