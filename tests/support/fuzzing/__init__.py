"""The fuzz: random play of every game through the session controller, checked after every call."""
