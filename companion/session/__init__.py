"""Storage and control of sessions: the archive, the log, playing, correcting, simulating."""
