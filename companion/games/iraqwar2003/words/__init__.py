"""How counters, charts and facts of Iraq War 2003 are written."""
