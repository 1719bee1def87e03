"""The solo opponent of the versions before, kept as it was to measure against: the policies ``v1`` and ``still``."""
