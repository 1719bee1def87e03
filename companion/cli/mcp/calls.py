"""Carries out the calls of tools, by the same requests as `serve`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple, NoReturn

from companion.cli.mcp import summary, tools
from companion.cli.mcp.arguments import checked
from companion.cli.mcp.log import log_data, log_text
from companion.cli.mcp.tools import Tool
from companion.cli.serve import requests
from companion.cli.serve.server import Outcome, collect, execute, isolated_streams
from companion.cli.shell import process
from companion.cli.shell.archives import load_game, open_session, seen_by
from companion.cli.shell.arguments import Runner
from companion.cli.shell.cache import SessionCache
from companion.cli.shell.output import InternalError, Interrupted
from companion.cli.shell.process import PROCESS
from companion.core.errors import Unreadable
from companion.core.text import pick_name
from companion.core.values import JsonDict, JsonObject
from companion.session.advance import asked_part, stale_question
from companion.session.controller import SessionController
from companion.session.seat_answers import Forbidden, SeatSession
from companion.session.state import SessionState

_MAX_RULES = 4
"""Rules that are given in full."""


class ToolResult(NamedTuple):
    """The result of a call.

    Attributes:
        data: By the schema of the tool; of a refusal, `error` and `question`.
        text: The same in words.
        is_error: True if it was refused, and nothing was done.
    """

    data: JsonDict
    text: str
    is_error: bool = False


class _Refused(Exception):
    """A command failed; its document says why."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__()
        self.outcome = outcome


class SessionTools:
    """The tools of one server.

    Args:
        runner: Runs commands.
        db: The path of the archive.
        session: The only session, by name; "" for the one in use.
        seat: Only what this seat sees and answers; "" for the whole table.
        read_only: Nothing can be changed.
        practice: The archive is one of practice games.
    """

    def __init__(
        self, runner: Runner, db: str, session: str = "", seat: str = "", *, read_only: bool = False, practice: bool = False
    ) -> None:
        self._runner = runner
        self._db = db
        self._session = session
        self._seat = seat
        self._practice = practice
        self._cache = SessionCache(SeatSession) if seat else SessionCache()
        self._answered: set[str] = set()  # questions that the seat has answered here: only those can be repeated
        self.tools: Mapping[str, Tool] = {tool.name: tool for tool in tools.offered(read_only, seat, session, practice)}
        """What is offered, by name."""
        self.interrupted = False
        """Ctrl-C was pressed during a call."""

    def close(self) -> None:
        """Close the archive."""
        self._cache.close()

    def call(self, name: str, arguments: JsonObject) -> ToolResult:
        """Call a tool. Nothing is raised: a refusal is a result too."""
        with self.entered():
            try:
                tool = self.tools.get(name)
                if tool is None:
                    raise Unreadable(f"there is no tool '{name[:60]}' here", cure=f"You can call: {', '.join(self.tools)}")
                fields = checked(tool, arguments)
                handler = _HANDLERS[name]
                data = summary.cleaned(handler.run(self, fields))
                return ToolResult(data, handler.text(data))
            except _Refused as refused:
                return self._refusal(refused.outcome)
            except Exception as error:  # whatever the arguments are, the next call is answered
                return self._refusal(_outcome_of(error))
            finally:
                self._cache.end_command()

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Meanwhile, commands of this process keep open what they open, and print nothing."""
        before, PROCESS.cache = PROCESS.cache, self._cache
        try:
            with isolated_streams():
                yield
        finally:
            PROCESS.cache = before

    def game(self, name: str = "") -> str:
        """The id of a game by unique prefix, of the session's game without a name. Raises Unreadable: there is none."""
        return load_game(name or self._open().info.game).id

    def seats(self) -> list[str]:
        """The seats of the session, or none without a session."""
        return list(self._open().game.seats)

    # -- running commands ----------------------------------------------------------------------------------------------

    def _open(self) -> SessionController:
        return open_session(self._db, self._session)

    def _seen(self) -> SessionState:
        return seen_by(self._open(), self._seat)

    def _run(self, form: str, fields: JsonObject) -> JsonObject:
        """Run a request of `serve` and return its document. Raises _Refused: it failed."""
        seat = {"seat": self._seat} if self._seat and "seat" in requests.FORMS[form].fields else {}
        where = {"do": form, "db": self._db, "session": self._session or None, **seat}
        process.reload_settings()  # another process may have changed them
        outcome = execute(requests.parse_request({**where, **fields}, self._open_key).words, self._runner)
        if outcome.code in (Interrupted.exit_code, InternalError.exit_code):
            self.interrupted = outcome.code == Interrupted.exit_code
            self._cache.reopen_all()
        if "error" in outcome.document or outcome.code not in (0, 3):
            raise _Refused(outcome)
        return outcome.document

    def _open_key(self, _: JsonObject) -> str:
        """The key of the open question."""
        request = self._open().asking_entry().request
        return request.key if request else ""

    def _refusal(self, outcome: Outcome) -> ToolResult:
        """The result of a call that failed."""
        fault = outcome.document.get("error") or {"kind": "fault", "message": "the command failed"}
        asked = outcome.document.get("pending")
        if self._seat and asked:  # as the seat sees it, which the error may not be about
            asked = collect(self._print_status).document.get("pending")
        keys = ("kind", "message", "rule", "cure", "fitting", "faults", "matches")
        error = summary.cleaned(summary.compact({key: fault[key] for key in keys if key in fault}))
        if "cure" in error:
            error["cure"] = summary.in_words_of_tools(error["cure"])
        question = summary.cleaned(summary.question_data(asked)) if asked else None
        data = {"error": error, **({"question": question} if question else {})}
        return ToolResult(data, summary.error_text(error, question), True)

    def _print_status(self) -> int:
        words = ["status", "--json", "--brief", f"--db={self._db}", f"--seat={self._seat}"]
        return self._runner.run_words([*words, *([f"--session={self._session}"] if self._session else [])])

    # -- the tools -----------------------------------------------------------------------------------------------------

    def _state(self, document: JsonObject) -> JsonDict:
        """The state in a document, with what others have done since the last call."""
        state = summary.state_data(document, self._seat)
        meanwhile = summary.texts_within(self._meanwhile(), summary.MAX_HAPPENED, ": see log")
        return {**state, **({"meanwhile": meanwhile} if meanwhile else {})}

    def _meanwhile(self) -> Iterator[str]:
        from companion.session.seat_view import seat_result, seat_view
        from companion.views.lines import line_data
        from companion.views.result import play_lines

        while self._cache.news:
            controller, result = self._cache.news.pop(0)
            session: SessionState = controller
            if self._seat:
                session, result = seat_view(controller, self._seat), seat_result(controller, result, self._seat)
            yield from (summary.line_text(line_data(line)) for line in play_lines(session, result))

    def _call_state(self, fields: JsonObject) -> JsonDict:
        state = self._state(self._run("status", {"brief": True}))
        if not fields.get("show"):
            return state
        from companion.views.board import show
        from companion.views.lines import plain_text

        rows = [row.rstrip() for word in fields["show"] for row in plain_text(show(self._seen(), word).lines()).split("\n")]
        return {**state, "shown": summary.texts_within(rows, summary.MAX_SHOWN, " lines: name one of them")}

    def _call_legal(self, fields: JsonObject) -> JsonDict:
        document, action = self._run("status", {}), fields.get("action", "")
        if action and not document["pending"]:
            action = pick_name(action, [way["action"] for way in document["legal"]], "action")
        return summary.legal_data(document, action, fields.get("prefix", ""), self._seat)

    def _call_do(self, fields: JsonObject) -> JsonDict:
        if self._seat:
            controller = self._answering()
            if controller.pending is None and not controller.is_open_to((self._seat,), None):
                raise Forbidden("another seat acts now", cure="Call state later: its action is shown as soon as it is done")
        return self._state(self._run("begin", {**fields, "brief": True}))

    def _call_answer(self, fields: JsonObject) -> JsonDict:
        if not fields.keys() & {"value", "values", "dice", "draw", "accept"}:
            raise Unreadable("the call has no answer", cure="Give value, or accept for what is suggested")
        if self._seat:
            self._require_own_question(fields["at"])
        before = self._open().history.seq
        document = self._run("answer", {**fields, "brief": True})
        asked = document["pending"]
        if asked and not document["repeated"] and self._open().history.seq == before:
            error = {"kind": "missing", "message": f"no answer yet: {asked['prompt']}", "rule": asked["rule"]}
            raise _Refused(
                Outcome(3, {"error": {**error, "cure": f"{asked['expects']}; nothing is suggested"}, "pending": asked})
            )
        self._answered.add(f"{document['session']} {fields['at']}")
        return self._state(document)

    def _answering(self) -> SeatSession:
        controller = self._open()
        assert isinstance(controller, SeatSession)
        controller.answering = (self._seat,)
        return controller

    def _require_own_question(self, at: str) -> None:
        """Check that the seat is asked the question. Raises Forbidden: another seat is; SessionMoved: it is not open."""
        controller = self._answering()
        asked, is_open = controller.pending_for(self._seat), asked_part(controller, at, self._seat)[1]
        if not is_open:
            if f"{controller.info.name} {at}" not in self._answered:  # what another seat answered is not found out by trying
                raise stale_question(controller, at, self._seat)
        elif controller.pending is not None and (asked is None or not controller.is_open_to((self._seat,), asked)):
            raise Forbidden(
                "this question is for another seat", cure="Call state later: its answer is shown as soon as it is given"
            )

    def _call_undo(self, fields: JsonObject) -> JsonDict:
        if len(fields.keys() & {"count", "to", "reply"}) > 1:
            raise Unreadable("count, to and reply exclude each other", cure="Give one of them")
        return self._state(self._run("undo", {**fields, "brief": True}))

    def _call_redo(self, fields: JsonObject) -> JsonDict:
        return self._state(self._run("redo", {"brief": True}))

    def _call_adjust(self, fields: JsonObject) -> JsonDict:
        return self._state(self._run("adjust", {**fields, "brief": True}))

    def _call_odds(self, fields: JsonObject) -> JsonDict:
        controller = self._open()
        if "situation" not in fields:
            if fields.get("values") or controller.pending is None:
                names = ", ".join(item.id for item in controller.game.situations)
                what = "values are for a situation" if fields.get("values") else "no question is open"
                raise Unreadable(what, cure=f"Name a situation: {names}" if names else "Call state")
            return summary.odds_data(self._run("odds", {}))
        document = self._run("odds", {"game": controller.info.game, "session": controller.info.name, **fields})
        return summary.odds_data(_complete(document))

    def _call_advice(self, fields: JsonObject) -> JsonDict:
        return summary.advice_data(_complete(self._run("bot", fields)))

    def _call_rule(self, fields: JsonObject) -> JsonDict:
        from companion.views.lines import line_data
        from companion.views.reference import find_rules, rule_lines

        game = load_game(fields.get("game") or self._open().info.game)
        rules = find_rules(game, fields["text"])
        shown = [
            {
                "number": rule.number,
                "title": rule.title,
                "lines": [
                    summary.shortened(f"{line.lead}{line_data(line)['text']}".strip(), 600) for line in rule_lines(game, rule)[1:]
                ],
            }
            for rule in rules[:_MAX_RULES]
        ]
        others = [{"number": rule.number, "title": rule.title} for rule in rules[_MAX_RULES : 10 * _MAX_RULES]]
        left = len(rules) - len(shown) - len(others)
        return summary.compact({"rules": [*shown, *others], "more": f"and {left} more: give more words" if left > 0 else ""})

    def _call_log(self, fields: JsonObject) -> JsonDict:
        return log_data(self._seen(), fields.get("last", 3), fields.get("before", 0))

    def _call_new(self, fields: JsonObject) -> JsonDict:
        return self._state(self._run("practice" if self._practice else "new", {**fields, "brief": True}))


def _complete(document: JsonObject) -> JsonObject:
    """The document, if nothing is missing. Raises _Refused: an answer is."""
    if "pending" not in document:
        return document
    asked = document["pending"]
    error = {"kind": "missing", "message": f"missing: {asked['prompt']}", "rule": asked["rule"]}
    cure = f"Give it in values, by its key: {asked['key']}"
    raise _Refused(Outcome(3, {"error": {**error, "cure": cure}, "pending": asked}))


def _outcome_of(error: Exception) -> Outcome:
    """The outcome of an error outside of any command."""

    def fail() -> NoReturn:
        raise error

    return collect(fail)


class _Handler(NamedTuple):
    """Carries out a tool, and puts its result into words."""

    run: Callable[[SessionTools, JsonObject], JsonDict]
    text: Callable[[JsonDict], str]


_HANDLERS: Mapping[str, _Handler] = {
    "state": _Handler(SessionTools._call_state, summary.state_text),
    "legal": _Handler(SessionTools._call_legal, summary.legal_text),
    "do": _Handler(SessionTools._call_do, summary.state_text),
    "answer": _Handler(SessionTools._call_answer, summary.state_text),
    "undo": _Handler(SessionTools._call_undo, summary.state_text),
    "redo": _Handler(SessionTools._call_redo, summary.state_text),
    "adjust": _Handler(SessionTools._call_adjust, summary.state_text),
    "odds": _Handler(SessionTools._call_odds, summary.odds_text),
    "advice": _Handler(SessionTools._call_advice, summary.advice_text),
    "rule": _Handler(SessionTools._call_rule, summary.rules_text),
    "log": _Handler(SessionTools._call_log, log_text),
    "new": _Handler(SessionTools._call_new, summary.state_text),
}
