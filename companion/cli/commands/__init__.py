"""One module a group of commands; each is imported only when one of its commands is called."""
