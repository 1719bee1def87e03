"""Limits for input from outside: files written by others, and typed text.

Input beyond a limit is refused with the limit in the message; nothing is cut off or read in part.
"""

from companion.core.errors import Unreadable

CONFIG = 100_000  # Bytes of the player's settings
TABLE = 2_000_000  # Bytes of one file of a game's tables
TABLES = 500  # Files of a game's tables
FACTS_FILE = 1_000_000  # Bytes of a file of printed facts, of a map, of a script of answers
FACTS = 5_000  # Printed facts that one file tells
FACT = 4_000  # Characters of one printed fact
MAP_LINES = 2_000  # Lines that tell a map, or rows of a spreadsheet of it
BUNDLE = 50_000_000  # Bytes of a session as a document
BUNDLE_PARTS = 1_500_000  # Lists and objects in it, which take up to 200 bytes of memory each
BUNDLE_VALUES = 3_500_000  # Commas in it
ROWS = 500_000  # Rows of the log of one session, in a document as in an archive
DEEPEST = 8  # Lists and objects within each other in a row of a log
ARCHIVE_COPY = 500_000_000  # Bytes of an archive that is read from a copy in memory
BODY = 50_000_000  # Bytes of anything that stands in one cell of an archive
ANALYSIS = 5_000_000  # Bytes of what was computed about one entry
DRILL = 5_000_000  # Bytes of the answers to exercises; of a longer file only the last ones are read
GAMES = 1_000_000  # Games of a series
SERIES = 500_000_000  # Bytes of a file of simulated games that others are held against
NAME = 60  # Characters of a session's name
NOTE = 2_000  # Characters of a note
SEED = 100  # Characters of a seed

# One action of a game's rules; a rule that goes beyond never ends, and is reported as a fault of its author with its line.
ACTION_CHANGES = 50_000  # Changes and lines: in random games of the five games at most 1,151
ACTION_QUESTIONS = 5_000  # Questions, rolls, draws and look-ups of facts: in those at most 203
PATH_ROLLS = 1_000  # Rolls and draws that lead to one result of exact odds; a dozen would take long already
RULE_SECONDS = 5  # Seconds of a rule between two of them, in games that no person plays; usually below a thousandth


def limit_length(text: str, most: int, what: str) -> str:
    """Return the text if it is not longer than the limit. Raises Unreadable."""
    if len(text) > most:
        raise Unreadable(f"the {what} has {len(text)} characters, at most {most}", cure="Shorten it")
    return text
