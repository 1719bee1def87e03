"""The solo opponent and the policies of LZ Albany. The rulebook has no opponent: its valuation is ours (``ai.toml``)."""
