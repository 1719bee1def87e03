"""Exact odds of Iraq War 2003: results of its procedures, put together."""
