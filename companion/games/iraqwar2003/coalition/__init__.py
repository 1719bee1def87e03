"""A player of the Coalition's side, which the rulebook does not have: what it looks at, and how it decides. Its priorities are
ours.
"""
