"""The report of a session, and its formats."""
