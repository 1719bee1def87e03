"""The rules of Phantom Fury, a module for each part of a chapter of the rulebook, in its order."""
