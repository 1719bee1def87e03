"""Tests of `companion mcp`, by the client of the protocol's own SDK."""
