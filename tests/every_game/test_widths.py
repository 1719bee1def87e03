"""No line that play shows is cut or broken inside a word, on a screen of 80 columns and on one of 40."""

from companion.testing.test_widths import *  # noqa: F403
