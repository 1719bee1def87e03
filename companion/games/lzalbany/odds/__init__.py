"""Exact odds of LZ Albany, from the procedures of the rules."""
