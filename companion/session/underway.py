"""An entry under way in memory: its procedure, the replies that it was given, and how to get back there after a refusal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.errors import BadData, CompanionError, Illegal
from companion.core.events import Event, Said, encode
from companion.core.game import Game, Obstacle
from companion.core.history import ADJUSTED, Entry, Reply, Row
from companion.core.position import Position
from companion.core.procedures import Procedure, Run
from companion.core.requests import Draw, Request, Tell

SETUP = "setup"
"""The action of the first entry."""


class Misfit(Exception):
    """A stored reply does not answer what is asked now."""


class Draft:
    """Rows for the log that are not yet written, numbered on from the last that is."""

    __slots__ = ("at", "facts", "rows", "seq")

    def __init__(self, seq: int, at: str) -> None:
        self.seq = seq
        self.at = at
        self.rows: list[Row] = []
        self.facts: dict[str, str] = {}

    def add(self, kind: str, entry: int, body: Mapping[str, Any]) -> None:
        self.rows.append(Row(self.seq + len(self.rows) + 1, kind, entry, body, self.at))

    def entry(self, number: int, action: str, args: Mapping[str, Any], anyway: bool, copy_of: int = 0) -> None:
        """The opening of an entry; a copy is out of force until a change puts it in."""
        body: dict[str, Any] = {"action": action, "args": dict(args)}
        if anyway:
            body["anyway"] = True
        if copy_of:
            body["copy_of"] = copy_of
            body["hidden"] = True
        self.add("entry", number, body)

    def reply(self, number: int, reply: Reply) -> None:
        """A reply; an adjustment that was made at a question is a row of its own kind, with what it changed."""
        if reply.adjusted:
            events = [encode(event) for event in reply.events]
            self.add(ADJUSTED, number, {"action": reply.key, **reply.value, "events": events})
            return
        body = {"key": reply.key, "kind": reply.kind, "value": reply.value, "source": reply.source, "rule": reply.rule}
        self.add("reply", number, {**body, "anyway": True} if reply.anyway else body)

    def done(self, number: int, events: Sequence[Any]) -> None:
        self.add("done", number, {"events": [encode(event) for event in events]})

    def change(self, take: Sequence[int], give: Sequence[int], how: str, rolled: bool) -> None:
        body: dict[str, Any] = {"take": list(take), "give": list(give), "how": how}
        self.add("change", max(take, default=0), {**body, "past_roll": True} if rolled else body)


def in_the_way(game: Game, action: str, position: Position) -> Obstacle | None:
    """What stands against an action in a position: the game is over, or the action is out of sequence."""
    found = next((one for one in game.actions if one.id == action), None)
    if found is None:
        return None
    over = game.over(position) if found.usual else ""
    return Obstacle(f"the game is over: {over}", "") if over else found.obstacle(position)


class Underway:
    """One entry, carried on in memory.

    Args:
        game, options: of the session.
        start: the position before the entry.
        number, action: of the entry.
        index: how many random replies are in force before it.
        anyway: the player insisted on the action itself.

    Raises:
        BadData: the game has no such action any more.
        CompanionError: whatever the procedure says before its first question.
    """

    def __init__(
        self, game: Game, options: Mapping[str, str], start: Position, number: int, action: str, index: int, anyway: bool = False
    ) -> None:
        self.game = game
        self.options = options
        self.start = start
        self.number = number
        self.action = action
        self.index = index
        self.anyway = anyway
        self.replies: list[Reply] = []
        self._put: dict[int, list[tuple[int, Sequence[Event]]]] = {}
        self._begin()

    def _procedure(self, referee: Any) -> Procedure[None]:
        if self.action == SETUP:
            return self.game.setup(referee)
        for action in self.game.actions:
            if action.id == self.action:
                return action.run(referee)
        raise BadData(f"the game has no action '{self.action}' any more", cure="Take the entry back: companion undo")

    def _begin(self) -> None:
        self.referee = self.game.referee(self.start, self.options)
        self._sent = self._since = 0
        self.referee.expect(self._put.get(0, ()))
        obstacle = in_the_way(self.game, self.action, self.start) if self.anyway else None
        if obstacle:
            self.referee.say(f"Out of sequence, recorded anyway: {obstacle.text}", obstacle.rule, tone="warning")
        self._run: Run[None] = Run(self.referee, self._procedure(self.referee), self.anyway)
        for reply in self.replies:
            if not reply.adjusted:
                self._send(reply)

    def _send(self, reply: Reply) -> None:
        request = self._run.request
        if request is None:
            raise Misfit(f"no longer asks '{reply.key}'")
        value = request.check(reply.value)
        self._sent += 1
        self._since = len(self.referee.events)
        self.referee.expect(self._put.get(self._sent, ()))
        self._run.send(value, reply.anyway)

    @property
    def request(self) -> Request[Any] | None:
        """What is asked now; None when the entry is complete."""
        return self._run.request

    @property
    def position(self) -> Position:
        return self.referee.position

    @property
    def random_index(self) -> int:
        """The seed's index of the next roll or draw."""
        return self.index + sum(reply.random for reply in self.replies)

    def give(self, value: Any, source: str, anyway: bool = False, insist: bool = False) -> Reply:
        """Send a reply to the question; returns it as it belongs in the log.

        Args:
            value: as the question's ``read`` or ``check`` made it.
            source: of the reply.
            anyway: it goes against what Companion believes.
            insist: if the rules refuse it, send it once more with ``anyway``.

        Raises:
            Illegal: the rules refuse it. This object can then not be used any more.
        """
        request = self.request
        assert request is not None
        reply = Reply(request.key, request.kind, value, source, anyway, request.rule)
        try:
            self._send(reply)
        except Illegal:
            if anyway or not insist:
                raise
            reply = reply._replace(anyway=True)
            self._begin()
            self._send(reply)
        self.replies.append(reply)
        return reply

    def misfit(self, reply: Reply) -> str:
        """Why a stored reply does not answer what is asked now; "" if it does."""
        request = self.request
        if request is None:
            return f"no longer asks '{reply.key}'"
        if (request.key, request.kind) != (reply.key, reply.kind):
            return f"asks '{request.key}' where it used to ask '{reply.key}'"
        try:
            value = request.check(reply.value)
        except CompanionError as fault:
            return f"no longer takes the answer to '{reply.key}': {fault.message}"
        if isinstance(request, Draw) and value not in request.contents and not reply.anyway:
            return f"no longer finds {value} in the {request.holder}"
        if isinstance(request, Tell) and value != request.value:
            return f"tells another '{request.fact}'"
        return ""

    def adjust(self, reply: Reply) -> int:
        """Put right at the open question what the player sees on the table, and ask anew.

        A procedure that waits cannot be sent back, so it is run again, and what was put right comes in after the last
        change before the question: whatever the procedure works out from there on, such as what there is to choose from,
        it works out from the table as it is. It may then ask something else, or nothing more.

        Returns:
            How many events there were before those of the adjustment.

        Raises:
            Misfit: the procedure does not come through any more; then nothing has changed.
        """
        events = self.referee.events
        at = max((number for number, event in enumerate(events, 1) if not isinstance(event, Said)), default=0)
        at = max(at, self._since)
        put = self._put.setdefault(self._sent, [])
        put.append((at, reply.events))
        self.replies.append(reply)
        try:
            self._begin()
        except Exception as fault:  # whatever the rules say to a table that they did not foresee, play must go on
            put.pop()
            self.replies.pop()
            self._begin()
            raise Misfit(f"does not go on with that: {_told(fault)}") from None
        return at

    def follow(self, reply: Reply) -> None:
        """Give a stored reply once more, or put right once more what was put right.

        Raises:
            Misfit: it does not answer what is asked now, or the rules refuse it now.
        """
        if reply.adjusted:
            if self.request is None:
                raise Misfit("has no question left at which something was put right")
            self.adjust(reply)
            return
        fault = self.misfit(reply)
        if fault:
            raise Misfit(fault)
        try:
            self._send(reply)
        except CompanionError as refusal:
            self._begin()  # back to the question
            raise Misfit(f"refuses the answer to '{reply.key}': {refusal.message}") from None
        self.replies.append(reply)


def _told(fault: Exception) -> str:
    if not isinstance(fault, CompanionError):
        return f"{type(fault).__name__}: {fault}"
    return f"{fault.message} [{fault.rule}]" if fault.rule else fault.message


def again(game: Game, options: Mapping[str, str], start: Position, entry: Entry, index: int) -> Underway:
    """An open entry re-run from its replies.

    Raises:
        BadData: they do not fit any more, because the rules have changed under them.
    """
    try:
        under = Underway(game, options, start, entry.number, entry.action, index, entry.anyway)
        for reply in entry.replies:
            under.follow(reply)
        fault = "" if under.request else "has nothing left to ask"
    except Misfit as misfit:
        fault = str(misfit)
    except CompanionError as refusal:
        fault = f"cannot be begun any more: {refusal.message}"
    except Exception as failure:  # a fault in the rules must not keep the player from taking the entry back
        fault = f"fails in its rules: {type(failure).__name__}: {failure}"
    if fault:
        raise BadData(f"entry {entry.number} {fault}; take the entry back", cure="companion undo")
    return under
