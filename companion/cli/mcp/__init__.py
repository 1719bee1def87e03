"""A server of the Model Context Protocol: a session as tools, resources and prompts for a language model."""
