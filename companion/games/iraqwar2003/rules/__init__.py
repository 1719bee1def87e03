"""Rules of Iraq War 2003, one module per chapter."""
