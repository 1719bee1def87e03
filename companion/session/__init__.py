"""Files and SQL: the tables of the games, the archive of sessions, printed facts, and the desk that runs actions."""
