"""The planner of Phantom Fury."""
