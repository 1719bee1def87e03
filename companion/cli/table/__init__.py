"""Play at the table: the prompt, what is typed at it, and the menus of a terminal."""
