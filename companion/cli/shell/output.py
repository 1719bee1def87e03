"""All output: lines or one JSON document on stdout, errors on stderr. Imports no library."""

from __future__ import annotations

import os
import sys
from _signal import SIGINT, default_int_handler, signal  # type: ignore[import-not-found]  # the module signal imports enum
from _thread import interrupt_main, start_new_thread
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from time import sleep

from companion import __version__
from companion.cli.shell.bar import BAR
from companion.cli.shell.process import UNWRITABLE, close_all, colour_column
from companion.core.errors import Ambiguous, BadData, CompanionError, QuestionPending, Unreadable
from companion.core.hints import Any
from companion.core.text import clean
from companion.core.values import JsonDict, JsonObject, indented_json
from companion.views.lines import WIDTH, Line, ansi_text, layout, plain_text

_MAX_WIDTH = 100
PROTOCOL = 1
"""Version of the JSON documents: raised when a key goes or changes its meaning, not when one is added."""
PENDING = QuestionPending.exit_code
"""Exit code: a question is left open."""


def on_terminal() -> bool:
    """True if there is a player to ask."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def colours() -> bool:
    """True if stdout is a terminal with colours, and the player wants them."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    if os.name == "nt":
        from companion.cli.shell.windows import enable_escapes

        return enable_escapes()
    return True


def width() -> int:
    """Columns to write on: those of the terminal, from 40 to 100; 80 without one."""
    if not sys.stdout.isatty():
        return WIDTH
    try:
        return max(40, min(os.get_terminal_size().columns, _MAX_WIDTH))
    except OSError:
        return WIDTH


def height() -> int:
    """Rows of the terminal, less one for the next prompt; 0 without a terminal."""
    if not sys.stdout.isatty():
        return 0
    try:
        return max(os.get_terminal_size().lines - 1, 1)
    except OSError:
        return 0


def write(lines: Iterable[Line]) -> None:
    """Write lines to stdout."""
    text = ansi_text(lines, width(), colour_column()) if colours() else plain_text(lines, width())
    if text:
        put(text + "\n")


def put(text: str) -> None:
    """Write text to stdout. Raises Unwritable."""
    try:
        with BAR.paused():
            sys.stdout.write(text)
    except OSError as error:
        raise Unwritable(error) from None
    if not sys.stdout.isatty():
        BAR.end()  # a pager such as `less` may be using the terminal by now


def flush() -> None:
    """Flush stdout. Raises Unwritable."""
    try:
        sys.stdout.flush()
    except OSError as error:
        raise Unwritable(error) from None


class _Sink:
    """Where a server collects the documents of commands; None: they are printed."""

    documents: list[JsonObject] | None = None


SINK = _Sink()


def write_json(data: JsonObject) -> None:
    """Write the one JSON document of a command."""
    if SINK.documents is None:
        put(document_of(data))
    else:
        SINK.documents.append(data)


def document_of(data: JsonObject) -> str:
    """Return a JSON document that begins with program and protocol."""
    return indented_json({"companion": __version__, "protocol": PROTOCOL, **data}) + "\n"


def document_line(data: JsonObject, **head: Any) -> str:
    """Return the same document on one line, with other keys before it."""
    import json

    document = {**head, "companion": __version__, "protocol": PROTOCOL, **data}
    return json.dumps(document, separators=(",", ":"), default=list)


def show(
    json: bool,
    data: Callable[[], JsonObject],
    lines: Callable[[], Iterable[Line]],
    whole: bool = False,
    later: Callable[[], Sequence[Line]] | None = None,
) -> None:
    """Write the result of a command as JSON or text; only the wanted form is computed.

    Args:
        json: Write one JSON document.
        data: Makes the document.
        lines: Makes the text.
        whole: Write all lines at once, so that the last ones are on the screen; otherwise long text is paged.
        later: Makes further text that takes long, when the first is on the screen.
    """
    if json:
        write_json(data())
    elif whole or not on_terminal():
        write([*lines(), *(later() if later else ())])
    else:
        write_paged(list(lines()), later)
    flush()


def write_paged(lines: Sequence[Line], later: Callable[[], Sequence[Line]] | None = None) -> None:
    """Write lines to a terminal, one screen at a time; `later` as in `show_pages`."""
    from companion.cli.shell.screen import read_pager_key, show_pages

    def ask(text: str) -> str:
        flush()
        return read_pager_key(text)

    def tell(page: Sequence[Line]) -> None:
        write(page)
        flush()

    typed = show_pages(lines, height(), width(), tell, ask, later)
    if typed:
        write([Line(f"Not run: {clean(typed)}", "dim")])


def error_lines(error: CompanionError) -> list[Line]:
    """The error with its rule, then the cure, then every fault of a file."""
    lines = [Line(error.message, "error", error.rule)]
    if error.cure:
        lines.append(Line(error.cure, "", "", "  "))
    return lines + [Line(fault, "", "", "  ") for fault in (error.faults if isinstance(error, BadData) else ())]


def write_error(error: CompanionError, json: bool) -> int:
    """Write an error to stderr, and with `json` to stdout as a document; return the exit code."""
    rows = [row for line in error_lines(error) for row in layout(line, 120)]
    if SINK.documents is None:  # clients of a server read only documents
        with suppress(OSError):  # without a reader of stderr the exit code is still returned
            sys.stderr.write("\n".join(rows) + "\n")
            sys.stderr.flush()
    if json:
        write_json(error_data(error))
    return error.exit_code


def error_data(error: CompanionError) -> JsonDict:
    """An error as plain data, with the open question where it is about one."""
    data: JsonDict = {
        "kind": error.kind,
        "message": clean(error.message),
        "rule": error.rule,
        "cure": error.cure,
        "kept": error.kept,
        "fitting": list(error.fitting),
        "faults": list(error.faults) if isinstance(error, BadData) else [],
        "matches": list(error.matches) if isinstance(error, Ambiguous) else [],
    }
    from companion.views.messages import with_error_messages

    return {"error": with_error_messages(data), "exit": error.exit_code, "pending": error.question}


def guarded(run: Callable[[], int], json: bool) -> int:
    """Run a command and turn every error into a message and an exit code.

    Returns:
        The command's exit code, or that of the error: 130 after Ctrl-C, 74 if stdout accepts no more output.
    """
    signal(SIGINT, default_int_handler)
    unraisable_hook, sys.unraisablehook = sys.unraisablehook, _repeat_ctrl_c
    try:
        code = _run_reporting(run, json)
        flush()
        return code
    except Unwritable as error:
        # the interpreter flushes once more at exit, which must not fail too
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return error.exit_code if error.is_broken_pipe else write_error(error, False)
    finally:
        sys.unraisablehook = unraisable_hook
        # After Ctrl-C within exec or eval of a string, as in dataclasses and named tuples, Python exits by SIGINT instead of with
        # the exit code. Another exec resets that.
        exec("")
        close_all()


class _Hook:
    """Whether `_repeat_ctrl_c` is running."""

    is_running = False


def _repeat_ctrl_c(unraisable: Any) -> None:
    """Repeat a Ctrl-C whose exception Python dropped, such as in a callback at the end of an import."""
    if unraisable.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(unraisable)
        return
    _Hook.is_running = True
    try:
        start_new_thread(_send_ctrl_c, ())
    finally:
        _Hook.is_running = False  # the hook calls nothing after this line, so no signal is handled in it


def _send_ctrl_c() -> None:
    while _Hook.is_running:  # an exception raised in the hook would be dropped too
        sleep(0.001)
    interrupt_main()


def _run_reporting(run: Callable[[], int], json: bool) -> int:
    """Run a command and report its errors. Raises Unwritable: they cannot be reported."""
    try:
        with BAR:
            return run()
    except Unwritable:
        raise
    except CompanionError as error:
        return write_error(error, json)
    except KeyboardInterrupt:
        if json:
            return write_error(Interrupted("interrupted", cure="See where play is: companion status"), json)
        sys.stderr.write("\n")
        return Interrupted.exit_code
    except EOFError:
        return write_error(Unreadable("the input ended before the question was answered"), json)
    except Exception as error:
        if os.environ.get("COMPANION_DEBUG"):
            if SINK.documents is None:
                raise
            _log_traceback(error)
        return write_error(internal_error(error), json)


def _log_traceback(error: Exception) -> None:
    """Write a traceback to stderr, for the operator of a server."""
    from traceback import format_exception

    with suppress(OSError):
        sys.stderr.write("".join(format_exception(error)))


def internal_error(error: Exception) -> CompanionError:
    """Wrap a fault in Companion, or in the rules of a game, with its place and where to report it."""
    from companion import __file__ as package
    from companion.cli.shell.archives import damage_in_open_archives
    from companion.session.plugins import describe_context, describe_error, error_origin

    if isinstance(error, ValueError) and "integer string conversion" in str(error):
        return Unreadable("a number has too many digits", cure="Give a smaller one; nothing of this command is kept")
    if damage := damage_in_open_archives():
        return damage
    origin = error_origin(error)
    top = os.path.dirname(os.path.dirname(package))
    file = os.path.join(top, origin.file) if origin.file else ""  # in an executable a path begins at the package
    if not origin.origin:
        file = os.path.relpath(file, top) if file.startswith(top + os.sep) else os.path.basename(file)
    whose = f"the rules of {origin.game}" if origin.game else "Companion itself"
    place = f" ({file} line {origin.line})" if file else ""
    author = f" to the author of {origin.origin}" if origin.origin else ""
    return InternalError(
        f"a fault in {whose}: {describe_error(error)}{place}{describe_context(error)}",
        cure="What was done before it is saved: see companion status. "
        f"Please report it{author}, with: companion bundle FILE (COMPANION_DEBUG=1 shows more)",
    )


class Unwritable(CompanionError):
    """The output could not be written; what the command did is done."""

    exit_code = UNWRITABLE
    kind = "unwritable"
    kept = "all"

    def __init__(self, error: OSError) -> None:
        super().__init__(
            f"the output could not be written: {error.strerror or error}",
            cure="What was done is saved: before you do it again: companion status",
        )
        self.is_broken_pipe = isinstance(error, BrokenPipeError)
        """The reader has gone, as `head` does, which is not reported."""


class Unsupported(CompanionError):
    """A client requires another version of the protocol."""

    kind = "unsupported"


class Interrupted(CompanionError):
    """Ctrl-C."""

    exit_code = 130
    kind = "interrupted"
    kept = "unknown"


class InternalError(CompanionError):
    """A fault in the program; its exit code has no other meaning for scripts."""

    exit_code = 70
    kind = "fault"
    kept = "unknown"
