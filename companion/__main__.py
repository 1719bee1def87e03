"""``python -m companion``."""

from __future__ import annotations

from companion.cli.shell.main import main

main()
