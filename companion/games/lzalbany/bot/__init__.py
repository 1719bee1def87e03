"""The solo opponent of ours."""
