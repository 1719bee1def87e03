"""The table of commands: their groups, words, options and help.

Typer, the fast path, `serve`, completion and `companion --help` all read this table, and it imports nothing. A command is
implemented by the function in `companion.cli.commands` that is decorated with its entry: `@UNDO`.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, which takes longer to import than a TAB may take
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TypeVar

    Function = TypeVar("Function", bound=Callable[..., int])

FILES = "file"
"""The kind of word that completion leaves to the shell: the name of a file."""


class Parameter:
    """A word or an option of a command.

    Attributes:
        name: The parameter of the implementing function.
        option: The option, such as `--json`; "" for a word.
        kind: `str`, `int` or `bool`; a `bool` is a flag.
        default: Its value if it is not given; an empty list if it repeats.
        needed: True for a word that must be given.
        many: True if it can be given several times; only the last word of a command can be.
        metavar: Stands for the value in the usage line.
        help: One sentence.
        low: The smallest number.
        values: The fixed texts that completion offers.
        completes: What completion offers for each word in turn; the last kind repeats if it ends with "*".
    """

    __slots__ = ("completes", "default", "help", "kind", "low", "many", "metavar", "name", "needed", "option", "values")

    def __init__(
        self,
        name: str,
        metavar: str,
        help: str,
        *completes: str,
        option: str = "",
        kind: type = str,
        default: Any = "",
        many: bool = False,
        needed: bool = False,
        low: int | None = None,
        values: Sequence[str] = (),
    ) -> None:
        self.name = name
        self.option = option
        self.metavar = metavar
        self.help = help
        self.kind = kind
        self.default = default
        self.many = many
        self.needed = needed
        self.low = low
        self.values = values
        self.completes = completes

    def read(self, text: str) -> Any:
        """Convert a word of the command line. Raises ValueError: it is not a number, or too small."""
        if self.kind is not int:
            return text
        number = int(text)
        if self.low is not None and number < self.low:
            raise ValueError(text)
        return number


class Command:
    """A command, and the decorator of the function that implements it.

    Attributes:
        name: As it is typed.
        help: One line for the list of commands.
        words: Its words, in order.
        options: Its options by name, without `--help`.
        negatives: True if its words may be negative numbers.
        run: The implementing function, once its module is loaded; returns the exit code.
    """

    __slots__ = ("help", "name", "negatives", "options", "run", "words")

    def __init__(self, name: str, help: str, parameters: Sequence[Parameter], negatives: bool) -> None:
        self.name = name
        self.help = help
        self.words = [parameter for parameter in parameters if not parameter.option]
        self.options = {parameter.option: parameter for parameter in parameters if parameter.option}
        self.negatives = negatives
        self.run: Callable[..., int] | None = None

    def __call__(self, function: Function) -> Function:
        """Register the function that implements the command."""
        self.run = function
        return function

    @property
    def parameters(self) -> list[Parameter]:
        """Words, then options."""
        return [*self.words, *self.options.values()]

    @property
    def completes(self) -> list[str]:
        """What completion offers for each word in turn."""
        return [kind for word in self.words for kind in word.completes]

    def defaults(self) -> dict[str, Any]:
        """The arguments of the function if nothing is given."""
        return {parameter.name: [] if parameter.many else parameter.default for parameter in self.parameters}

    def parse(self, words: Sequence[str]) -> dict[str, Any] | None:
        """Read a plain command line without Typer.

        Returns:
            The arguments of the function; None if Typer must read the line, for instance because it has a mistake.
        """
        arguments = self.defaults()
        plain: list[str] = []
        rest = iter(words)
        try:
            for word in rest:
                if not word.startswith("-") or word == "-" or (self.negatives and word[1:].isdigit()):
                    plain.append(word)
                elif not self._read_option(arguments, word, rest):
                    return None
            return arguments if self._read_words(arguments, plain) else None
        except ValueError:
            return None

    def _read_option(self, arguments: dict[str, Any], word: str, rest: Iterator[str]) -> bool:
        """Read an option and its value; False if there is no such option or no value."""
        name, equals, value = word.partition("=")
        parameter = self.options.get(name)
        if parameter is None or (parameter.kind is bool and equals):
            return False
        if parameter.kind is bool:
            arguments[parameter.name] = True
            return True
        if not equals:
            following = next(rest, None)
            if following is None:
                return False
            value = following
        if parameter.many:
            arguments[parameter.name].append(parameter.read(value))
        else:
            arguments[parameter.name] = parameter.read(value)
        return True

    def _read_words(self, arguments: dict[str, Any], plain: Sequence[str]) -> bool:
        single = [word for word in self.words if not word.many]
        if len(plain) < sum(word.needed for word in self.words) or (len(plain) > len(single) and len(single) == len(self.words)):
            return False
        for parameter, text in zip(single, plain, strict=False):
            arguments[parameter.name] = parameter.read(text)
        if len(plain) > len(single):
            arguments[self.words[-1].name] = list(plain[len(single) :])
        return True


class Group:
    """Commands that `companion --help` lists under one heading."""

    __slots__ = ("commands", "title")

    def __init__(self, title: str) -> None:
        self.title = title
        self.commands: list[Command] = []

    def command(self, name: str, help: str, *parameters: Parameter, negatives: bool = False) -> Command:
        """Add a command."""
        command = Command(name, help, parameters, negatives)
        self.commands.append(command)
        COMMANDS[name] = command
        return command


COMMANDS: dict[str, Command] = {}
"""All commands by name, in the order of the help."""


def _option(option: str, metavar: str, help: str, *completes: str, name: str = "", **settings: Any) -> Parameter:
    return Parameter(name or option[2:], metavar, help, *completes, option=option, **settings)


def _flag(option: str, help: str) -> Parameter:
    return _option(option, "", help, kind=bool, default=False)


# Parameters that several commands share

_SESSION = _option("--session", "NAME", "A session, by unique prefix; by default the one in use.", "session")
_DB = _option("--db", "PATH", "The archive; by default COMPANION_DB or the usual place.", FILES)
_JSON = _flag("--json", "Print one JSON document instead of text.")
_BRIEF = _flag("--brief", "With --json: leave out the position.")
_DICE = _option("--dice", "3,5,2", "Dice that you rolled, in order. Can be repeated.", many=True)
_DRAW = _option("--draw", "NAME", "A counter that you drew. Can be repeated.", "--draw", many=True)
_ANYWAY = _flag("--anyway", "Record it although the rules refuse it: the board is right.")
_ACCEPT = _flag("--accept", "Take the suggested answer where none is given.")
_CORES = _option("--jobs", "N|all", "Cores to think on; by default those of the setting cores.", values=("all",))
_THINK = _option("--think", "N", "Playouts per candidate move of an opponent; 0: none. By default those of its level.")
_ANSWERS = Parameter("words", "[KEY=VALUE | VALUE]...", "Answers, by key or in order.", "answer*", many=True)
_GAME = Parameter("game", "GAME", "A game, by unique prefix; see: companion games", "game", needed=True)
_ANY_GAME = Parameter("game", "[GAME]", "A game, by unique prefix; by default all.", "game")
_GAME_OR_USED = Parameter("game", "[GAME]", "A game, by unique prefix; by default that of the session in use.", "game")
_ASKED_GAME = Parameter("game", "[GAME]", "A game, by unique prefix; on a terminal you are asked.", "game")
_SCENARIO = _option("--scenario", "S", "See: companion games GAME", "--scenario")
_OPTION = _option("--option", "K=V", "An option of the game. Can be repeated.", "--option", name="option", many=True)
_SEED = _option("--seed", "N", "The same seed gives the same dice.")
_WHO = "Who decides for a seat, or FILE.py:FUNCTION; POLICY alone: every seat. Can be repeated."
_POLICY = _option("--policy", "SEAT=POLICY", _WHO, "--policy", many=True)
_BASE = _option("--base", "SEAT=POLICY", "Decides where a strategy returns None. Can be repeated.", "--policy", many=True)
_FIXED = _option("--set", "KEY=VALUE", "An answer for the first time KEY is asked. Can be repeated.", name="fixed", many=True)
_FORCE = _flag("--force", "Overwrite FILE.")
_HANDS = ("computer", "physical")
_SEAT = _option("--seat", "SEAT", "Only what this seat sees and answers.", "seat")
_WHERE = (_SESSION, _DB, _JSON)
_PLAYS = (_BRIEF, *_WHERE)

PRINTED_VERBS = ("list", "fill", "set", "export", "import", "forget")
MAP_VERBS = ("tell", "edit", "import", "export")
SHELLS = ("bash", "zsh", "fish")
THEMES = ("auto", "dark", "light", "mono", "colour-blind")

AT_TABLE = Group("At the table")

DO = AT_TABLE.command(
    "do",
    "Carry out an action",
    Parameter("action", "ACTION", "An action, by unique prefix; see: companion games GAME", "action", needed=True),
    _ANSWERS,
    *(_DICE, _DRAW, _ANYWAY, _ACCEPT),
    _option("--game", "GAME", "Without a session: an action that stands alone.", "game"),
    *(_SEAT, *_PLAYS),
    negatives=True,
)
NEW = AT_TABLE.command(
    "new",
    "Start a session",
    _ASKED_GAME,
    Parameter("words", "[KEY=VALUE | VALUE]...", "Answers for the set-up, by key or in order.", many=True),
    *(_SCENARIO, _OPTION),
    _option("--dice", "computer|physical|trusted", "Who rolls by default; trusted: both players.", values=(*_HANDS, "trusted")),
    _option("--seat", "SEAT", "With trusted dice: the seat that is played here.", "--seat"),
    _option("--draws", "computer|physical", "Who draws counters by default.", values=_HANDS),
    *(_SEED, _THINK),
    _option("--name", "NAME", "The name of the session."),
    _option("--replay", "GAME/SEED/INDEX", "A simulated game, with its policies and options."),
    *(_POLICY, _BASE, _FIXED, _DRAW, _ANYWAY, _ACCEPT, _BRIEF, _DB, _JSON),
)
_PLAYED_SEAT = _option("--seat", "SEAT", "The only seat that is played here; the decisions of others are waited for.", "seat")
PLAY = AT_TABLE.command("play", "Play at the prompt", _PLAYED_SEAT, _SESSION, _DB)
_SHOWN = "tracks, places, pieces, cups, flags, setup, score, facts, options, rulings, or one track, place or piece."
SHOW = AT_TABLE.command(
    "show",
    "Show a track, place or piece, cups, score, options ...",
    Parameter("what", "[WHAT]...", _SHOWN, "table", many=True),
    *(_SEAT, *_WHERE),
)
_NONCE = Parameter("nonce", "NONCE", "64 random hexadecimal digits.", needed=True)
_SHARING = _option("--seat", "SEAT", "The seat that sends it; by default the one that is waited for.", "seat")
_SHARED_AT = _option("--at", "12.3", "The number of the question; by default the open one.")
SHARE = AT_TABLE.command("share", "Send a seat's share of a trusted roll", _NONCE, _SHARED_AT, _SHARING, *_PLAYS)
_BIG = _flag("--big", "Large figures; press b to switch.")
WATCH = AT_TABLE.command("watch", "Follow a session on a second terminal", _BIG, *_PLAYS)
HOST = AT_TABLE.command(
    "host",
    "Open a session to phones and tablets, for every player",
    _flag("--lan", "Be reached from the local network, at the address that is shown; by default only from this machine."),
    _option("--port", "N", "The port; 0: any that is free.", kind=int, default=None, low=0),
    _option("--address", "ADDRESS", "The address of this machine to use, or https://NAME of a proxy in front of it."),
    _option(
        "--seat", "SEAT[=NAME]", "A seat that gets a link, and its player; by default every one that people play.", many=True
    ),
    _flag("--revoke", "Have the running host of the session replace its links, or those of --seat."),
    *_WHERE,
)
HOST_MODULE = "companion.web.command"
"""Implements `host`; no other command loads it."""
ANSWER = AT_TABLE.command(
    "answer",
    "Answer the open question",
    Parameter("words", "[KEY=VALUE | VALUE]...", "Answers, by key or in order.", "choice*", many=True),
    *(_DICE, _DRAW, _ANYWAY, _ACCEPT),
    _option("--at", "12.3", "Answer only the question with this number."),
    *(_SEAT, *_PLAYS),
    negatives=True,
)
STATUS = AT_TABLE.command("status", "Show where play is and the open question", *(_SEAT, *_PLAYS))
PRACTICE = AT_TABLE.command(
    "practice",
    "Play a game without its set, with made-up components",
    *(_ASKED_GAME, _SCENARIO, _OPTION, _SEED, _BRIEF, _DB, _JSON),
)

CORRECTING = Group("Correcting")

UNDO = CORRECTING.command(
    "undo",
    "Take back actions, or one answer",
    Parameter("count", "[N]", "How many actions.", kind=int, default=1, low=1),
    _option("--to", "ACTION", "Take back everything after this action.", "entry", kind=int, default=0, low=0),
    _flag("--reply", "Take back only the last answer that you gave."),
    *(_SEAT, *_PLAYS),
)
REDO = CORRECTING.command("redo", "Restore what the last undo took back", *(_SEAT, *_PLAYS))
AMEND = CORRECTING.command(
    "amend",
    "Change an old answer and replay from there",
    Parameter("reply", "ACTION.ANSWER", "As numbered in the log: 12.3", "reply", needed=True),
    Parameter("value", "VALUE...", "The right answer.", "choice", many=True, needed=True),
    *(_ANYWAY, *_PLAYS),
    negatives=True,
)
AUDIT = CORRECTING.command(
    "audit",
    "Compare the table with the recorded position",
    Parameter("words", "[WHAT=VALUE]...", "What is different on the table.", "table=*", many=True),
    *(_ANYWAY, *_PLAYS),
    negatives=True,
)
_ADJUSTED = "A track, a piece, PIECE.face, PIECE.MARK, flag:NAME or new:KIND:NAME, and its value."
ADJUST = CORRECTING.command(
    "adjust",
    "Set a track or piece to what lies on the table",
    Parameter("words", "[WHAT VALUE]...", _ADJUSTED, "table", "value", many=True),
    _option("--why", "TEXT", "The reason, for the log; by default: moved by hand."),
    *(_ANYWAY, *_PLAYS),
    negatives=True,
)

_ALLOW = Parameter("allow", "yes|no", "yes: it is carried out. no: it is not.", needed=True, values=("yes", "no"))
_ALLOWING = _option("--seat", "SEAT", "The seat that is asked; by default the one that is played here.", "seat")
CONSENT = CORRECTING.command("consent", "Allow or refuse a correction across a trusted roll", _ALLOW, _ALLOWING, *_PLAYS)

LOOKING_UP = Group("Looking up")

LOG = LOOKING_UP.command(
    "log",
    "List what was done, action by action",
    Parameter("count", "[N]", "Only the last N actions.", kind=int, default=0, low=0),
    _flag("--undone", "Include undone actions, marked with x."),
    _option("--last", "N", "The same as N.", kind=int, default=0, low=0),
    _option("--since", "WHEN", "From an action (12), a time (2026-03-01, 20:30) or for a duration (2h)."),
    _option("--grep", "TEXT", "Only actions with this text in a line or a note."),
    _flag("--plot", "Plot the tracks, the score and the cups."),
    _flag("--follow", "Go on printing what is done, until Ctrl-C."),
    *(_SEAT, *_WHERE),
)
_EXPLAINED = Parameter("entry", "[ACTION]", "An action by number, 12 or one of its answers 12.3; by default the last.", "entry")
WHY = LOOKING_UP.command("why", "Explain an action: conditions, sources and reasons", _EXPLAINED, *(_SEAT, *_WHERE))
_TOPIC = Parameter("topic", "[TOPIC]", "A page or a command, by unique prefix.", "topic", many=True)
HELP = LOOKING_UP.command("help", "Read a page: a game, the table, correcting ...", _TOPIC, _JSON)
_ROLLED = Parameter("dice", "2d6+1", "Number of dice, sides, and what is added.", needed=True)
ROLL = LOOKING_UP.command("roll", "Roll dice", _ROLLED, _JSON)
RULE = LOOKING_UP.command(
    "rule",
    "Look up a rule by number or words",
    _GAME_OR_USED,
    Parameter("words", "[NUMBER | WORDS]", "A rule number, or words to search for.", "rule", many=True),
    _flag("--code", "Print the functions that implement it (module:function) and its tests."),
    _JSON,
)
CHART = LOOKING_UP.command(
    "chart",
    "Show a chart, or one result of it",
    _GAME,
    Parameter("name", "[CHART]", "A chart, by unique prefix; by default all.", "chart"),
    _flag("--roll", "Roll on it."),
    _option("--on", "FACE", "Look up a number or a row.", "--on"),
    _JSON,
    negatives=True,
)
GAMES = LOOKING_UP.command(
    "games",
    "List games, or the scenarios, options and actions of one",
    _ANY_GAME,
    _flag("--path", "Print the folder for your own games."),
    _flag("--check", "Check that a game can be played; list all faults of its files."),
    _flag("--messages", "List its texts as messages with ids, for translations; without GAME, Companion's own."),
    *(_DB, _JSON),
)
_TURN = Parameter("turn", "[TURN]", "A turn; by default the last one played.", kind=int, default=None, low=0)
SUMMARY = LOOKING_UP.command("summary", "Summarise a turn; after the last one, the result", _TURN, *_WHERE)

YOUR_SET = Group("Your set")

_MAP_WORDS = "[PLACE | tell LINE... | edit | import FILE | export [FILE]]"
MAP = YOUR_SET.command(
    "map",
    "Show, enter, edit, import or export the map",
    _GAME_OR_USED,
    Parameter("words", _MAP_WORDS, "What to do; by default show the map.", "space", "map argument*", many=True),
    _option("--format", "text|svg|json", "The form of the picture.", name="form", values=("text", "svg", "json")),
    *(_ANYWAY, *_WHERE),
    negatives=True,
)
_PRINTED_WORDS = "[list|fill|set|export|import|forget]"
PRINTED = YOUR_SET.command(
    "printed",
    "Values printed only on your components: list, fill, set ...",
    _GAME,
    Parameter("what", _PRINTED_WORDS, "What to do; by default list.", "printed", default="list", values=PRINTED_VERBS),
    Parameter("words", "[KEY VALUE | FILE]", "For set, forget, export and import.", "fact", many=True),
    *(_ANYWAY, _DB, _JSON),
    negatives=True,
)

ANALYSIS = Group("Opponent and analysis")

BOT = ANALYSIS.command(
    "bot", "Show what the opponent would do, and why", *(_ANSWERS, _THINK, _CORES, _SEAT, *_WHERE), negatives=True
)
ODDS = ANALYSIS.command(
    "odds",
    "Exact odds of a question or situation",
    Parameter("game", "[GAME]", "A game, by unique prefix; by default the odds of the open question.", "game"),
    Parameter("situation", "[SITUATION]", "A situation; see: companion games GAME", "situation"),
    *(_ANSWERS, _SEAT, *_WHERE),
    negatives=True,
)
_FORMS = ("md", "html", "bbcode", "json")
_LEVELS = ("quick", "normal", "deep")
_DETAILS = _flag("--details", "Also the statistics: averages, errors and tests.")
LUCK = ANALYSIS.command(
    "luck",
    "Show how the dice of a session fell, in VP",
    Parameter("name", "[SESSION]", "A session, by unique prefix; by default the one in use.", "session"),
    _option("--seconds", "N", "Time limit; rolls not evaluated by then are left out.", default="60"),
    _flag("--decisions", "Also what decisions lost against the best answer, where odds were shown."),
    _DETAILS,
    _flag("--csv", "Print a row per roll, for a spreadsheet."),
    *_WHERE,
)
REVIEW = ANALYSIS.command(
    "review",
    "Review a session: what each decision cost, and what the dice did",
    Parameter("name", "[SESSION]", "A session, by unique prefix; by default the one in use.", "session"),
    _option("--level", "|".join(_LEVELS), "How closely to look; normal by default.", values=_LEVELS),
    _option("--from", "TURN", "The first turn.", name="first", kind=int, default=0, low=0),
    _option("--to", "TURN", "The last turn.", name="last", kind=int, default=0, low=0),
    _option("--seat", "SEAT", "Compare only the decisions of this seat.", "seat"),
    _option("--jobs", "N|all", "Number of processes; all: one per core.", default="1", values=("all",)),
    _option("--format", "|".join(_FORMS), "A document; by default that of the ending of FILE.", name="style", values=_FORMS),
    _option("--out", "FILE", "Write the document to FILE; html: a page to click through.", FILES),
    _flag("--details", "Also every mistake with its alternatives, the key moments and the graph."),
    *(_FORCE, *_WHERE),
)
STATS = ANALYSIS.command(
    "stats",
    "Statistics of all sessions and of their dice",
    Parameter("game", "[GAME]", "Only one game, by unique prefix.", "game"),
    _option("--against", "FILE", "Compare with simulated games: simulate --out FILE.db.", FILES),
    _flag("--practice", "Only your practice games, with the made-up set."),
    _DETAILS,
    _flag("--plot", "Plot the scores."),
    _flag("--csv", "Print a row per session, for a spreadsheet."),
    _flag("--sql", "Print the queries behind the tables, for sqlite3."),
    *(_DB, _JSON),
)
REPORT = ANALYSIS.command(
    "report",
    "Write the whole session as a document",
    _option("--format", "|".join(_FORMS), "Its form; by default that of the ending of FILE.", name="style", values=_FORMS),
    _option("--out", "FILE", "Write to FILE; to FOLDER/ with the pictures as files.", FILES),
    _option("--from", "N", "The first turn or operation.", name="first", kind=int, default=0, low=0),
    _option("--to", "N", "The last turn or operation.", name="last", kind=int, default=0, low=0),
    _flag("--brief", "Only the story, without the log."),
    _flag("--full", "Every sentence, and each reason in the log."),
    _flag("--luck", "Include the luck of the rolls, which takes longer."),
    _flag("--review", "Include what each decision cost, which takes longer."),
    *(_FORCE, *_WHERE),
)
DRILL = ANALYSIS.command(
    "drill",
    "Practise decisions: your own mistakes and a set",
    Parameter("game", "[GAME]", "A game, by unique prefix; by default that of the session in use.", "game"),
    _flag("--own", "Only mistakes of your own that a review has found."),
    _option("--shipped", "", "Only the set, with made-up components.", name="shipped", kind=bool, default=False),
    _option("--count", "N", "Number of exercises.", default="10"),
    _option("--answer", "ID=N", "Answer an exercise by its id and a number. Can be repeated.", many=True),
    _flag("--stats", "How your answers went, by kind of decision."),
    *(_BRIEF, _DB, _JSON),
)
SIMULATE = ANALYSIS.command(
    "simulate",
    "Play whole games automatically and count the results",
    Parameter("game", "[GAME]", "A game, by unique prefix; with --from that of the session.", "game"),
    *(_SCENARIO, _OPTION, _POLICY, _BASE, _FIXED),
    _option("--from", "SESSION[@ACTION]", "Play on from a session, or from after one of its actions.", "session", name="start"),
    _option("--games", "N", "Number of games.", default="100"),
    _option("--seed", "S", "The same seed gives the same games; random by default."),
    _option("--jobs", "N|all", "Number of processes; all: one per core.", default="1", values=("all",)),
    _option("--shard", "3/10", "Only the third of ten parts of the games of --seed S."),
    _option("--cluster", "tcp://HOST:PORT", "Use the workers of a dask.distributed scheduler."),
    _option("--think", "N", "Playouts per candidate move; 0 by default, but usual for levels; usual: as in a session."),
    _flag("--mirrored", "Game for two: play each game again on the same luck, the policies swapped."),
    _option("--out", "FILE.csv|FILE.db", "Write a row per game; games missing from FILE are added.", FILES),
    *(_DB, _JSON),
)

ARCHIVE = Group("Archive and settings")

_USED = Parameter("name", "NAME", "A session, by unique prefix.", "session", needed=True)
USE = ARCHIVE.command("use", "Switch to a session", _USED, _DB, _JSON)
_NOTE = Parameter("text", "TEXT", "The note.", many=True, needed=True)
NOTE = ARCHIVE.command("note", "Write a note into the log", _NOTE, *_WHERE)
_COPY = Parameter("name", "NAME", "The name of the copy.", needed=True)
BRANCH = ARCHIVE.command("branch", "Copy a session to try something", _COPY, *_WHERE)
_BACKUP = Parameter("file", "FILE", "The file to write.", FILES, needed=True)
BACKUP = ARCHIVE.command("backup", "Copy the archive to a file", _BACKUP, _FORCE, _DB, _JSON)
_BUNDLE = Parameter("file", "[FILE]", "A new file; by default standard output.", FILES)
_RESTORE = _flag("--restore", "Read FILE: go on with its session if it is here, else store it under a free name.")
_PLAYED_HERE = _option("--seat", "SEAT", "With --restore, and trusted dice: the seat that is played here.", "--seat")
BUNDLE = ARCHIVE.command("bundle", "Write a session to one file, or restore it", _BUNDLE, _RESTORE, _PLAYED_HERE, *_WHERE)
_VERIFIED = Parameter("what", "[SESSION | FILE]", "A session, or a file of bundle; by default the one in use.", "session")
VERIFY = ARCHIVE.command("verify", "Recompute the trusted dice of a session", _VERIFIED, _DB, _JSON)
CONFIG = ARCHIVE.command(
    "config",
    "Settings for every game: colours, dice, opponent ...",
    Parameter("key", "[KEY]", "A setting, by unique prefix; by default all.", "setting"),
    Parameter("value", "[VALUE]", "Its new value.", "setting value"),
    _JSON,
)
_REPAIR = _option("--repair", "FILE", "Write what can be read to a new FILE; the archive is not changed.", FILES)
DOCTOR = ARCHIVE.command("doctor", "Check the archive", _REPAIR, _DB, _JSON)
SESSIONS = ARCHIVE.command("sessions", "List all sessions", _DB, _JSON)
COMPLETIONS = ARCHIVE.command(
    "completions",
    "Print or install the completion script of a shell",
    Parameter("shell", "bash|zsh|fish", "The shell.", "shell", needed=True, values=SHELLS),
    _flag("--install", "Put it where the shell looks for it, and the man page where man looks."),
    _option("--dry-run", "", "Only show what --install would write, and where.", name="dry_run", kind=bool, default=False),
    _JSON,
)

AUTHORS = Group("Authors and programs")

GAME = AUTHORS.command(
    "game",
    "Start writing your own game: game new ID",
    Parameter("what", "new", "What to do: new", "game verb", needed=True, values=("new",)),
    Parameter("id", "ID", "The name of the game: one lower-case word."),
    _flag("--folder", "Write it to the folder for your own games (companion games --path), playable at once."),
    _JSON,
)
_STDIO = _flag("--stdio", "Use standard input and output.")
SERVE = AUTHORS.command("serve", "Serve another program: many commands in one process", _STDIO)
MCP = AUTHORS.command(
    "mcp",
    "Serve a language model: tools of the Model Context Protocol",
    _option("--read-only", "", "Only the tools that read.", name="read_only", kind=bool, default=False),
    _flag("--practice", "Play in the archive of the practice games."),
    *(_SEAT, _SESSION, _DB),
)
_DOCUMENT = Parameter("document", "[DOCUMENT]", "One document, such as step; by default all.", "document")
SCHEMA = AUTHORS.command("schema", "Print the JSON Schema of all JSON documents", _DOCUMENT, _JSON)
TABLES = AUTHORS.command(
    "tables",
    "Check the data files of the games",
    Parameter("what", "check", "What to do: check", "tables verb", default="check", values=("check",)),
    Parameter("game", "[GAME]", "A game, by unique prefix; by default all.", "game"),
    _JSON,
)

GROUPS = (AT_TABLE, CORRECTING, LOOKING_UP, YOUR_SET, ANALYSIS, ARCHIVE, AUTHORS)
"""In the order in which a player needs them; short names first in each."""

COMMON = ("--session", "--db", "--json")
"""Options that may also stand before the command."""

LOOKS = ("--theme", "--plain")
"""Options that every command takes, at any place."""

_OPTIONS = [item for command in COMMANDS.values() for item in command.options.items()]
FLAGS = frozenset(["--help", "--plain", *(name for name, option in _OPTIONS if option.kind is bool)])
"""Options without a value."""
