"""The commands as data, so that help and completion cost no import: name -> module, one line of help, what it takes.

Whoever reads a command line without Typer reads it by this; a test holds it against the real Typer app.
"""

from __future__ import annotations


class Command:
    """A command.

    Attributes:
        module: its module in ``companion.cli.commands``; the function bears the command's name.
        help: one line.
        takes: what its words are, for completion: one kind a word; the last one repeats if it ends with "*".
        options: the options beside --help.
    """

    __slots__ = ("help", "module", "options", "takes")

    def __init__(self, module: str, help: str, takes: tuple[str, ...] = (), options: tuple[str, ...] = ()) -> None:
        self.module = module
        self.help = help
        self.takes = takes
        self.options = options


COMMON = ("--session", "--db", "--json")
"""The options that may also stand before the command."""

LOOKS = ("--theme", "--plain")
"""The options that say how it should look; any command understands them, wherever they stand."""

FLAGS = frozenset(
    {
        "--json",
        "--code",
        "--undone",
        "--reply",
        "--restore",
        "--roll",
        "--anyway",
        "--accept",
        "--big",
        "--brief",
        "--full",
        "--force",
        "--csv",
        "--install",
        "--decisions",
        "--plot",
        "--follow",
        "--luck",
        "--help",
        "--sql",
        "--path",
        "--check",
        "--stdio",
        "--folder",
    }
)
"""The options without a value; every other one takes one."""

_ANY = ("--json",)
_PLAYS = ("--brief", "--session", "--db", "--json")
_DB = ("--db", "--json")
_ANSWERS = ("--dice", "--draw", "--anyway", "--accept")

COMMANDS: dict[str, Command] = {
    "games": Command(
        "lookup", "Scenarios, options, actions, charts, and what is still to be copied", ("game",), ("--path", "--check", *_DB)
    ),
    "new": Command(
        "sessions",
        "Start a session",
        ("game",),
        (
            *("--scenario", "--option", "--dice", "--draws", "--seed", "--think", "--name", "--draw", "--anyway", "--accept"),
            *("--replay", "--policy", "--brief", *_DB),
        ),
    ),
    "practice": Command(
        "play",
        "Play a game without its set: a made-up one of ours",
        ("game",),
        ("--scenario", "--option", "--seed", "--brief", *_DB),
    ),
    "play": Command("play", "Play at the table: the interactive loop", (), ("--session", "--db")),
    "do": Command("acts", "Carry out an action", ("action", "answer*"), (*_ANSWERS, "--game", *_PLAYS)),
    "answer": Command("acts", "Answer the pending question", ("choice*",), (*_ANSWERS, "--at", *_PLAYS)),
    "status": Command("look", "Where play is, and what is pending", (), _PLAYS),
    "show": Command("look", "A track, a place, a piece, cups, score, facts, options ...", ("table",), COMMON),
    "log": Command(
        "logs", "What was done, action by action", (), ("--undone", "--last", "--since", "--grep", "--plot", "--follow", *COMMON)
    ),
    "summary": Command("summarising", "What a turn brought; at the end the count by item", (), COMMON),
    "why": Command("look", "An entry with every condition, source and reason", ("entry",), COMMON),
    "undo": Command("mend", "Take back actions, or one answer", (), ("--to", "--reply", *_PLAYS)),
    "redo": Command("mend", "Bring back what the last undo took", (), _PLAYS),
    "amend": Command("mend", "Change an old reply and play on from there", ("reply", "choice"), ("--anyway", *_PLAYS)),
    "adjust": Command("mend", "Set anything to what lies on the table", ("table", "value"), ("--why", *_PLAYS)),
    "audit": Command("mend", "Compare the table with what should be there", ("table=*",), _PLAYS),
    "note": Command("sessions", "Write something down in the log", (), COMMON),
    "branch": Command("sessions", "Copy a session at its head, to try something", (), COMMON),
    "sessions": Command("sessions", "Every session of the archive", (), _DB),
    "use": Command("sessions", "Make a session the one in use", ("session",), _DB),
    "chart": Command("lookup", "A chart, or one roll on it", ("game", "chart"), ("--roll", "--on", *_ANY)),
    "roll": Command("lookup", "Roll dice", (), _ANY),
    "rule": Command("lookup", "A rule by number or by words, and how it is handled", ("game", "rule"), ("--code", *_ANY)),
    "odds": Command("asking", "Exact chances of a situation", ("game", "situation", "answer*"), COMMON),
    "bot": Command("asking", "What the bot would do, and why", ("answer*",), ("--think", *COMMON)),
    "simulate": Command(
        "simulate",
        "Play whole games without people, and count how they end",
        ("game",),
        (
            *("--scenario", "--option", "--policy", "--games", "--seed", "--jobs", "--shard", "--cluster", "--think", "--out"),
            *_ANY,
        ),
    ),
    "printed": Command(
        "components",
        "What only your own components say: list, fill, set, export, import",
        ("game", "printed", "fact"),
        ("--anyway", *_DB),
    ),
    "map": Command(
        "atlas",
        "The map as far as it is known; tell, edit, import or export it",
        ("game", "where", "telling*"),
        ("--format", "--anyway", *COMMON),
    ),
    "watch": Command("watching", "Follow a session on a second terminal", (), ("--big", *_PLAYS)),
    "config": Command(
        "configure", "What you want in every game: colours, dice, draws, opponent ...", ("setting", "wanted"), _ANY
    ),
    "tables": Command("upkeep", "Check the data files of the games", ("tables", "game"), _ANY),
    "report": Command(
        "reporting",
        "The whole session as a document",
        (),
        ("--format", "--out", "--from", "--to", "--brief", "--full", "--luck", "--force", *COMMON),
    ),
    "luck": Command(
        "luck",
        "How the dice of a session fell, and what that was worth",
        ("session",),
        ("--seconds", "--decisions", "--csv", *COMMON),
    ),
    "stats": Command(
        "stats", "How all sessions went, and the dice of all of them", ("game",), ("--against", "--plot", "--csv", "--sql", *_DB)
    ),
    "bundle": Command("sessions", "Everything of a session in one file, for a fault report", ("file",), ("--restore", *COMMON)),
    "backup": Command("care", "A copy of the archive, also while a game is open", ("file",), ("--force", *_DB)),
    "doctor": Command("care", "What is wrong with the archive, and what to do", (), ("--repair", *_DB)),
    "serve": Command("serving", "Many commands in one process, for another program", (), ("--stdio",)),
    "help": Command("helping", "Pages to read: each game, the table, correcting, other programs ...", ("topic",), _ANY),
    "schema": Command("documents", "The JSON Schema of every document that --json prints", ("document",), _ANY),
    "game": Command("authoring", "Write a game of your own to begin with: game new ID", ("authoring",), ("--folder", *_ANY)),
    "completions": Command("upkeep", "The completion script of a shell", ("shell",), ("--install", *_ANY)),
}
"""In the order in which help lists them."""

VALUES: dict[str, tuple[str, ...]] = {
    "--dice": ("computer", "physical"),
    "--draws": ("computer", "physical"),
    "--jobs": ("all",),
    "--theme": ("auto", "dark", "light", "mono", "colour-blind"),
    "--format": ("md", "html", "bbcode", "json"),
    "map --format": ("text", "svg", "json"),
    "printed": ("list", "fill", "set", "export", "import", "forget"),
    "map": ("tell", "edit", "import", "export"),
    "tables": ("check",),
    "authoring": ("new",),
    "shell": ("bash", "zsh", "fish"),
}
"""Fixed words that an option or a word can be."""
