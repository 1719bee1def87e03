"""How Companion plays the company's captain: what it would do next, and why."""
