"""A solo opponent for the Iraqi side, which the rulebook does not have. Its priorities and what it holds things worth are ours
(bot.toml): victory points by exact odds where a procedure gives them, by rough estimates of ours elsewhere.
"""
