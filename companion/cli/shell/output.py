"""Where everything is written: lines or one JSON document to stdout, faults to stderr. Nothing here loads a library."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

from companion import __version__
from companion.cli.shell.preferences import column
from companion.cli.shell.process import UNWRITABLE, close_all
from companion.core.errors import Ambiguous, BadData, CompanionError, QuestionPending, Unreadable
from companion.core.text import clean
from companion.core.values import JsonDict, JsonObject
from companion.views.lines import WIDTH, Line, ansi_text, layout, plain_text

_MOST = 100
PROTOCOL = 1
"""The form of every JSON document: it is raised when a key goes or means something else, not when one is added."""
PENDING = QuestionPending.exit_code
"""What a command leaves with that leaves a question open."""


def on_terminal() -> bool:
    """Whether there is somebody to ask."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def colours() -> bool:
    """Whether stdout is a terminal that shows colours, and the player wants them."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width() -> int:
    """Columns to write on: those of the terminal up to 100, or 80."""
    if not sys.stdout.isatty():
        return WIDTH
    try:
        return max(40, min(os.get_terminal_size().columns, _MOST))
    except OSError:
        return WIDTH


def height() -> int:
    """Rows of the terminal that one answer may take, without that of the next prompt; 0 where nobody sees them."""
    if not sys.stdout.isatty():
        return 0
    try:
        return max(os.get_terminal_size().lines - 1, 1)
    except OSError:
        return 0


def write(lines: Iterable[Line]) -> None:
    """Write lines to stdout; nothing at all for none."""
    text = ansi_text(lines, width(), column()) if colours() else plain_text(lines, width())
    if text:
        put(text + "\n")


def put(text: str) -> None:
    """Write text to stdout. Raises Unwritable: it takes none."""
    try:
        sys.stdout.write(text)
    except OSError as fault:
        raise Unwritable(fault) from None


def flush() -> None:
    """See to it that everything is out. Raises Unwritable: stdout takes nothing more."""
    try:
        sys.stdout.flush()
    except OSError as fault:
        raise Unwritable(fault) from None


class _Sink:
    """Where a process that carries out many commands takes up their documents instead of printing them."""

    documents: list[JsonObject] | None = None


SINK = _Sink()


def write_json(data: JsonObject) -> None:
    """Write the one JSON document of a command."""
    if SINK.documents is None:
        put(document_of(data))
    else:
        SINK.documents.append(data)


def document_of(data: JsonObject) -> str:
    """A JSON document, which says first who wrote it and in which form."""
    import json

    return json.dumps({"companion": __version__, "protocol": PROTOCOL, **data}, indent=2, default=list) + "\n"


def on_a_line(data: JsonObject, **head: Any) -> str:
    """The same on one line, with what stands before it."""
    import json

    whole = {**head, "companion": __version__, "protocol": PROTOCOL, **data}
    return json.dumps(whole, separators=(",", ":"), default=list)


def show(as_json: bool, data: Callable[[], Any], lines: Callable[[], Iterable[Line]], whole: bool = False) -> None:
    """Write what a command found, in the form that was asked for; the other one is never worked out.

    Args:
        as_json: one JSON document.
        data, lines: what to write.
        whole: at a terminal all at once, so that its end is on the screen; else what is too long is paged.
    """
    if as_json:
        write_json(data())
    elif whole or not on_terminal():
        write(lines())
    else:
        paged(list(lines()))
    flush()


def paged(lines: Sequence[Line]) -> None:
    """Write lines to a terminal; what is longer than its screen a screen at a time."""
    from companion.cli.shell.pager import at_a_key
    from companion.cli.shell.pager import paged as by_page

    def ask(text: str) -> str:
        flush()
        return at_a_key(text)

    typed = by_page(lines, height(), width(), write, ask)
    if typed:
        write([Line(f"Not run: {clean(typed)}", "dim")])


def fault_lines(fault: CompanionError) -> list[Line]:
    """What is wrong and which rule says so, then the cure, then every fault of a file."""
    lines = [Line(fault.message, "error", fault.rule)]
    if fault.cure:
        lines.append(Line(fault.cure, "", "", "  "))
    return lines + [Line(item, "", "", "  ") for item in (fault.faults if isinstance(fault, BadData) else ())]


def write_fault(fault: CompanionError, as_json: bool) -> int:
    """Tell a fault on stderr, and as JSON on stdout where JSON was asked for; returns the exit code."""
    rows = [row for line in fault_lines(fault) for row in layout(line, 120)]
    if SINK.documents is None:  # whoever takes documents up reads nothing else
        with suppress(OSError):  # who hears nothing still gets the code
            sys.stderr.write("\n".join(rows) + "\n")
            sys.stderr.flush()
    if as_json:
        write_json(fault_data(fault))
    return fault.exit_code


def fault_data(fault: CompanionError) -> JsonDict:
    """A fault as plain data: what is wrong, the rule, the cure, what is kept; and the question as it is now, where it is about
    one.
    """
    error: JsonDict = {
        "kind": fault.kind,
        "message": clean(fault.message),
        "rule": fault.rule,
        "cure": fault.cure,
        "kept": fault.kept,
        "fitting": list(fault.fitting),
        "faults": list(fault.faults) if isinstance(fault, BadData) else [],
        "matches": list(fault.matches) if isinstance(fault, Ambiguous) else [],
    }
    return {"error": error, "exit": fault.exit_code, "pending": fault.question}


def guarded(run: Callable[[], int], as_json: bool) -> int:
    """Run a command; whatever a player or a file can cause becomes a message and an exit code.

    Returns:
        The command's own code, or that of the fault: 130 after Ctrl-C, 74 where stdout takes no more.
    """
    try:
        code = _told(run, as_json)
        flush()
        return code
    except Unwritable as fault:
        # the interpreter flushes once more as it ends, which must not fail either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return fault.exit_code if fault.expected else write_fault(fault, False)
    finally:
        close_all()


def _told(run: Callable[[], int], as_json: bool) -> int:
    """Run a command, and tell what goes wrong. Raises Unwritable: it cannot be told."""
    try:
        return run()
    except Unwritable:
        raise
    except CompanionError as fault:
        return write_fault(fault, as_json)
    except KeyboardInterrupt:
        if as_json:
            return write_fault(Interrupted("interrupted", cure="See where play is: companion status"), as_json)
        sys.stderr.write("\n")
        return Interrupted.exit_code
    except EOFError:
        return write_fault(Unreadable("the input ended before the question was answered"), as_json)
    except Exception as fault:
        if os.environ.get("COMPANION_DEBUG"):
            if SINK.documents is None:
                raise
            _log(fault)
        return write_fault(failure(fault), as_json)


def _log(fault: Exception) -> None:
    """Where a fault comes from, for whoever looks after a process that goes on."""
    from traceback import format_exception

    with suppress(OSError):
        sys.stderr.write("".join(format_exception(fault)))


def failure(fault: Exception) -> CompanionError:
    """A fault in Companion itself, or in the rules of one of its games, told so that it can be reported and found."""
    from companion import __file__ as package
    from companion.session.plugins import describe_error, error_origin

    at = error_origin(fault)
    top = os.path.dirname(os.path.dirname(package))
    inside = at.file.startswith(top + os.sep)
    name = at.file if at.origin else os.path.relpath(at.file, top) if inside else os.path.basename(at.file)
    whose = f"the rules of {at.game}" if at.game else "Companion itself"
    return Failure(
        f"a fault in {whose}: {describe_error(fault)}" + (f" ({name} line {at.line})" if name else ""),
        cure="What was done before it is saved: see companion status. Please report it"
        f"{f' to the author of {at.origin}' if at.origin else ''}, with: companion bundle FILE (COMPANION_DEBUG=1 shows more)",
    )


class Unwritable(CompanionError):
    """The output could not be written; what the command did is done."""

    exit_code = UNWRITABLE
    kind = "unwritable"
    kept = "all"

    def __init__(self, fault: OSError) -> None:
        super().__init__(
            f"the output could not be written: {fault.strerror or fault}",
            cure="What was done is saved: look at companion status before you do it again",
        )
        self.expected = isinstance(fault, BrokenPipeError)
        """Whether the reader has gone, as ``head`` does, and nobody need be told."""


class Unsupported(CompanionError):
    """Another program speaks no form of the protocol that is spoken here."""

    kind = "unsupported"


class Interrupted(CompanionError):
    """Ctrl-C."""

    exit_code = 130
    kind = "interrupted"
    kept = "unknown"


class Failure(CompanionError):
    """Not the player's doing; the code is none of those that mean something to a script."""

    exit_code = 70
    kind = "fault"
    kept = "unknown"
