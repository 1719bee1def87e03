"""Verify the trusted dice of a log: recompute every roll and draw, and name the first row that does not fit.

The log is folded row by row as when it was written, and every action is replayed by the rules. What a host could do with a
changed program or by editing the file is found here, except what only the other seat's own copy can show: a share that was
never sent, or a roll that was removed together with all its rows. ``companion help trusted-dice`` says what this proves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.core.errors import CompanionError, Unreadable
from companion.core.events import fold
from companion.core.game import Game
from companion.core.history import ADJUST_ACTIONS, LOOK, Change, Entry, History, LogRow, Reply
from companion.core.named_tuple import NamedTuple
from companion.core.position import Position
from companion.core.procedures import FORCED, TRUSTED, Progress, ProgressCallback, ignore_progress
from companion.core.trusted import NumberStream, chain, chance, chance_reply, commitment
from companion.core.values import JsonObject, ReplyValue, compact_json
from companion.session.entry import ReplyMismatch, RunningEntry
from companion.session.row_checks import row_faults
from companion.session.state import human_seats
from companion.session.trusted import crossed_roll


class VerifiedRoll(NamedTuple):
    """A roll or draw that was recomputed.

    Attributes:
        at: The number of its question.
        of: What it chose from, as the commitment names it.
        in_force: False if its action was taken back, with consent.
        by: The seat that committed to it: the host, or by mail the one that was to move.
    """

    at: str
    key: str
    rule: str
    commitment: str
    shares: Mapping[str, str]
    nonce: str
    of: JsonObject
    value: ReplyValue
    in_force: bool = True
    by: str = ""


class Misfit(NamedTuple):
    """The first place of a log that does not fit: what is in the log and what it should be, as texts."""

    row: int
    at: str
    what: str
    rule: str = ""
    recorded: str = ""
    computed: str = ""


class Verification(NamedTuple):
    """The result of verifying a log.

    Attributes:
        uid: The session's own number, which all commitments name.
        waits: The number of the question whose roll is not revealed yet, or "".
        rows, head: The number of rows, and the hash of all of them.
    """

    uid: str
    rolls: Sequence[VerifiedRoll]
    misfit: Misfit | None
    waits: str
    rows: int
    head: str


class _Found(Exception):
    """Ends the work at the first misfit."""

    def __init__(self, what: str, at: str = "", rule: str = "", recorded: object = "", computed: object = "") -> None:
        super().__init__(what)
        self.misfit = Misfit(0, at, what, rule, _text(recorded), _text(computed))


def require_trusted(rows: Sequence[LogRow], what: str, game: str) -> None:
    """Raise Unreadable if a log has nothing of trusted dice."""
    if not any(row.kind == "trust" or row.body.get("dice") == TRUSTED for row in rows):
        raise Unreadable(f"{what} has no trusted dice", cure=f"Begin one: companion new {game} --dice trusted")


def _text(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def head_of(rows: Iterable[Sequence[object]]) -> str:
    """Return the hash of a log."""
    head = ""
    for row in rows:
        head = chain(head, row)
    return head


def verify(
    game: Game, options: Mapping[str, str], rows: Sequence[LogRow], watch: ProgressCallback = ignore_progress
) -> Verification:
    """Verify the trusted dice of a log.

    Args:
        options: Every option with its choice.
        rows: The whole log of a session.
        watch: Called with the progress.
    """
    verifier = _Verifier(game, options)
    misfit = None
    number = 0
    try:
        for number, row in enumerate(rows, 1):
            watch(Progress(number, len(rows), ""))
            verifier.take(row, number)
        verifier.end()
    except _Found as found:
        misfit = found.misfit._replace(row=number)
    except CompanionError as fault:
        misfit = Misfit(number, "", f"the log cannot be read on: {fault.message}", fault.rule)
    trust = verifier.history.trust
    waits = next((at for at in reversed(trust.commits) if trust.is_open(at)), "")
    force = {str(number) for number in verifier.history.force}
    rolls = [roll._replace(in_force=roll.at.partition(".")[0] in force) for roll in verifier.rolls]
    return Verification(verifier.uid, rolls, misfit, waits, len(rows), head_of(rows))


class _Verifier:
    def __init__(self, game: Game, options: Mapping[str, str]) -> None:
        self.game = game
        self.options = options
        self.history = History(sets=game.vocabulary.sets)
        self.rolls: list[VerifiedRoll] = []
        self.uid = ""
        self._humans = human_seats(game, options)
        self._hidden: set[int] = set()  # copies that no change has given force to yet
        self._asked: list[str] | None = None  # the rows of the last change that was asked for
        self._asker = ""
        self._allowed: dict[str, str] = {}
        self._since: list[str] = []  # the rows of play since then

    # -- rows ------------------------------------------------------------------------------------------------------

    def take(self, row: LogRow, number: int) -> None:
        """Check a row and fold it."""
        if faults := row_faults(row, number):
            raise _Found(faults[0])
        if row.kind == "trust":
            self._trust(row)
        elif row.kind == "setting":
            self._setting(row)
        elif row.kind != "note":
            self._since.append(compact_json([row.kind, row.entry, dict(row.body)]))
        before = self.history.open_entry
        if row.kind == "entry":
            self._entry(row, before)
        elif row.kind in ("reply", "adjusted", "done") and row.entry not in self._hidden:
            self._played(row, before)
        elif row.kind == "change":
            self._change(row, before)
        self.history.add(row)
        if row.kind == "done" and row.entry not in self._hidden:
            self._replay(self.history.entries[row.entry], self.history.position(before=row.entry))
        elif row.kind == "change":
            for given in row.body["give"]:
                if given in self._hidden:
                    self._hidden.discard(given)
                    self._copied(self.history.entries[given])

    def end(self) -> None:
        """Check the open entry."""
        if not self.uid:
            raise _Found("the session was not begun with trusted dice")
        if entry := self.history.open_entry:
            self._replay(entry, self.history.position(before=entry.number))

    def _setting(self, row: LogRow) -> None:
        body = row.body
        if row.seq == 1 and body.get("dice") == TRUSTED == body.get("draws") and body.get("uid"):
            self.uid = body["uid"]
        elif "dice" in body or "draws" in body or "uid" in body or "host" in body:
            now = _text([body[key] for key in ("dice", "draws", "uid", "host") if key in body])
            raise _Found("the way to roll was changed", recorded=now, computed=TRUSTED if self.uid else "")

    def _entry(self, row: LogRow, before: Entry | None) -> None:
        if row.body.get("hidden"):
            self._hidden.add(row.entry)
        elif before is not None:
            raise _Found(f"action {row.entry} begins while action {before.number} is open", self._number(before))

    @staticmethod
    def _number(entry: Entry) -> str:
        return f"{entry.number}.{len(entry.replies) + 1}"

    # -- steps of a roll -------------------------------------------------------------------------------------------

    def _trust(self, row: LogRow) -> None:
        at, step, seat, value = (row.body[key] for key in ("at", "step", "seat", "value"))
        trust, entry = self.history.trust, self.history.open_entry
        if step == "ask":
            self._asked, self._asker, self._allowed, self._since = list(row.body.get("rows", ())), seat, {}, []
        elif step == "consent":
            self._allowed[seat] = value
        elif step == "commit":
            if at in trust.commits:
                raise _Found("the host committed to it twice", at, "", value, trust.commits[at]["value"])
            if entry is None or at != self._number(entry) or row.entry != entry.number:
                raise _Found("a commitment to a question that is not open", at, "", at, self._number(entry) if entry else "")
            if seat not in self._humans:
                raise _Found("a seat committed to it that no player has", at, "", seat, self._humans)
        elif at not in trust.commits:
            raise _Found(f"a {step} without a commitment before it", at, "", value)
        elif at in trust.reveals:
            raise _Found(f"a {step} after the reveal", at, "", value, trust.reveals[at])
        elif step == "share":
            if seat not in self._humans or seat == trust.commits[at]["seat"] or seat in trust.shares.get(at, {}):
                raise _Found("a share that was not waited for", at, "", seat)
        elif seat != trust.commits[at]["seat"]:
            raise _Found("another seat revealed than committed to it", at, "", seat, trust.commits[at]["seat"])
        else:
            self._reveal(at, value)

    def _reveal(self, at: str, nonce: str) -> None:
        trust = self.history.trust
        missing = [seat for seat in self._humans if seat != trust.commits[at]["seat"] and seat not in trust.shares.get(at, {})]
        if missing:
            raise _Found("the host revealed before every share was there", at, "", "", missing)
        recomputed = commitment(nonce, self.uid, at)
        if recomputed != trust.commits[at]["value"]:
            what = "the nonce that the host revealed is not the one it committed to"
            raise _Found(what, at, self._rule_of(at), trust.commits[at]["value"], recomputed)

    def _rule_of(self, at: str) -> str:
        """Return the rule of the open question."""
        entry = self.history.open_entry
        if entry is None:
            return ""
        try:
            running = RunningEntry.from_entry(self.game, self.options, self.history.position(before=entry.number), entry)
            running.replay_stored()
        except (ReplyMismatch, CompanionError):
            return ""
        return running.request.rule if running.request else ""

    def _played(self, row: LogRow, entry: Entry | None) -> None:
        """Check a reply, an adjustment or the end of the open entry."""
        if entry is None or entry.number != row.entry:
            raise _Found(f"action {row.entry} goes on while it is not open")
        at, trust, body = self._number(entry), self.history.trust, row.body
        is_random = row.kind == "reply" and body["kind"] in ("roll", "draw")
        rule = body.get("rule", "") if row.kind == "reply" else ""
        if trust.is_open(at):
            raise _Found("play went past a roll that the host committed to and never revealed", at, rule, body.get("value", ""))
        if at in trust.reveals and not (is_random and body["source"] == TRUSTED):
            raise _Found("play went past a roll that was revealed", at, rule, body.get("value", ""), self._computed(at))
        if is_random and body["source"] == TRUSTED:
            if at not in trust.reveals:
                raise _Found("a roll without its commitment, share and reveal", at, rule, body["value"])
            value = self._computed(at)
            if value != body["value"]:
                raise _Found(f"the {_noun(body['kind'])} not what the nonces give", at, rule, body["value"], value)
            of, shares = trust.commits[at]["of"], trust.shares.get(at, {})
            hashed, by = trust.commits[at]["value"], trust.commits[at]["seat"]
            self.rolls.append(VerifiedRoll(at, body["key"], rule, hashed, shares, trust.reveals[at], of, value, by=by))

    def _computed(self, at: str) -> ReplyValue:
        trust = self.history.trust
        stream = NumberStream(trust.reveals[at], trust.shares.get(at, {}), self.uid, at)
        return chance_reply(trust.commits[at]["of"], stream)

    # -- changes ---------------------------------------------------------------------------------------------------

    def _change(self, row: LogRow, before: Entry | None) -> None:
        """Check that a change across a roll was asked for and allowed by the other seats, as it was carried out."""
        change = Change(tuple(row.body["take"]), tuple(row.body["give"]), row.body["how"])
        if before is not None and before.number in change.take:
            self._replay(before, self.history.position(before=before.number))
        entries = self.history.entries
        if change.how == LOOK and all(self._is_look(entries[number]) for number in change.take):
            return
        crossed = crossed_roll(self.history, change, entries)
        if not crossed:
            return
        others = [seat for seat in self._humans if seat != self._asker]
        if self._asked != self._since or not self._asked or any(self._allowed.get(seat) != "yes" for seat in others):
            what = "it was taken back, or brought again, without the other seat's consent"
            raise _Found(what, crossed, recorded=change.how, computed="asked and allowed")

    def _is_look(self, entry: Entry) -> bool:
        return any(action.look for action in self.game.actions if action.id == entry.action)

    def _copied(self, copy: Entry) -> None:
        """Check an entry that replaces another one: its dice are those of the original, in their order."""
        original = self.history.entries.get(copy.copy_of)
        rolls = [reply for reply in original.replies if reply.is_random] if original else []
        left = iter([(reply.key, reply.value) for reply in rolls if reply.source == TRUSTED])
        for number, reply in enumerate(copy.replies, 1):
            if reply.is_random and reply.source == TRUSTED and (reply.key, reply.value) not in left:
                raise _Found("a roll that the corrected action did not have", f"{copy.number}.{number}", reply.rule, reply.value)
        self._replay(copy, self.history.position(before=copy.number), copied=original)

    # -- the rules -------------------------------------------------------------------------------------------------

    def _replay(self, entry: Entry, start: Position, copied: Entry | None = None) -> None:
        """Replay an entry by the rules, and check what each roll was made of and what it led to."""
        if entry.action in ADJUST_ACTIONS:
            return
        running = RunningEntry.from_entry(self.game, self.options, start, entry)
        while running.stored:
            place = len(entry.replies) - len(running.stored) + 1
            reply = running.stored.popleft()
            at = f"{entry.number}.{place}"
            if reply.is_random:
                self._check_chance(at, reply, running)
            try:
                running.replay(reply)
            except ReplyMismatch as misfit:
                asked = running.request.prompt if running.request else ""
                raise _Found(f"by the rules action {entry.number} {misfit}", at, reply.rule, reply.question, asked) from None
        if entry.is_open:
            return
        if running.request is not None:
            at = self._number(entry)
            raise _Found(f"action {entry.number} ended before its question", at, running.request.rule, "", running.request.prompt)
        if fold(entry.events or (), start) != running.position:
            raise _Found(f"what action {entry.number} changed on the board does not follow from its answers", f"{entry.number}.1")

    def _check_chance(self, at: str, reply: Reply, running: RunningEntry) -> None:
        """Check where a roll or draw comes from, and that it was committed to as the rules ask for it."""
        request = running.request
        if request is None or request.kind != reply.kind:
            return  # the replay says so
        if reply.source == FORCED:
            if request.forced_reply() != reply.value:
                what = "a draw that was not the only possible one"
                raise _Found(what, at, reply.rule, reply.value, request.forced_reply() or "")
        elif reply.source != TRUSTED:
            if request.can_be_automatic():
                what = f"the {_noun(reply.kind)} by other means in a session with trusted dice"
                raise _Found(what, at, reply.rule, f"{_text(reply.value)} ({reply.source})", TRUSTED)
        elif (of := self.history.trust.commits.get(at, {}).get("of")) is not None and of != chance(request):
            what = "the commitment names another roll than the rules ask for"
            raise _Found(what, at, reply.rule, compact_json(of), compact_json(chance(request)))


def _noun(kind: str) -> str:
    return "dice are" if kind == "roll" else "draw is"
