"""The game in numbers, and who plays it best: what Enter suggests, and what the bot would do."""
