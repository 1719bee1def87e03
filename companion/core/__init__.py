"""The pure core: positions, events, requests, procedures, dice, cups, charts, history and odds.

Nothing here reads a file, a clock or a random number, and nothing here knows any game.
"""
