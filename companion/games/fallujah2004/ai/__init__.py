"""Automated play: features, valuation, planner and policies."""
