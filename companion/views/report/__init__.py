"""The report of a session: one value, told from its log, and the forms in which it is written."""
