"""The command line in three rooms, each of which may use those before it: the shell, the table, the commands."""
