"""The command line: thin commands, the play loop at the table, and completion."""
