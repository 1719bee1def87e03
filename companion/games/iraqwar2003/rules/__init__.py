"""The rules of Iraq War 2003, by chapter of the rulebook."""
