"""Interactive play: the prompt loop, its slash commands, menus and terminal."""
