"""Check and repair an archive. The archive itself is only read: checks run on a copy."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from typing import Literal, NamedTuple, TypeVar, get_args

from companion.core.errors import BadData, CompanionError, Unreadable
from companion.core.events import fold
from companion.core.game import Game
from companion.core.history import ADJUST_ACTIONS, Change, Entry
from companion.core.position import Position
from companion.core.procedures import Progress, ProgressCallback, ignore_progress
from companion.core.text import clean, plural
from companion.games import GAMES
from companion.session import backup, database
from companion.session.entry import SETUP, ReplyMismatch, RunningEntry
from companion.session.facts import fact_fault
from companion.session.files import sync_file, sync_folder_of
from companion.session.plugins import find_plugins
from companion.session.row_checks import check_rows
from companion.session.state import SessionState, load_game
from companion.session.store import Archive, Session

T = TypeVar("T")

FindingKind = Literal["file", "schema", "session", "open", "fact", "rules"]
"""Most serious first."""


class Finding(NamedTuple):
    """Something that is wrong.

    Attributes:
        kind: Of these, ``open`` is an entry that cannot go on, ``rules`` a log that today's rules do not reproduce.
        harm: True if something is lost or blocked; False for a remark.
    """

    kind: FindingKind
    what: str
    cure: str
    session: str = ""
    harm: bool = True


class HealthReport(NamedTuple):
    """The result of a check.

    Attributes:
        rows: The number of rows of each table; {} if they cannot be counted.
        findings: What is wrong, most serious first.
    """

    path: str
    schema: int
    rows: dict[str, int]
    findings: tuple[Finding, ...]

    @property
    def is_sound(self) -> bool:
        """True if nothing is lost or blocked."""
        return not any(finding.harm for finding in self.findings)

    @property
    def is_incomplete(self) -> bool:
        """True if parts of a damaged archive were left out."""
        return any(finding.kind == "file" and not finding.harm for finding in self.findings)


def check_archive(path: str, watch: ProgressCallback) -> HealthReport:
    """Check an archive: file, schema, every session, every printed fact.

    Raises:
        BadData: It cannot be opened, or belongs to another program or a newer version.
    """
    source = database.connect_for_check(path)
    try:
        with tempfile.TemporaryDirectory(prefix="companion", ignore_cleanup_errors=True) as folder:
            copy = os.path.join(folder, "copy.sqlite3")
            with database.player_errors(path):
                backup.copy_database(source, copy, watch).close()
                return _examine(path, copy, watch)
    except OSError as fault:
        why = fault.strerror or "it cannot be written"
        cure = "Make room there, or name another folder: TMPDIR=FOLDER companion doctor"
        raise BadData(f"no copy of the archive can be made, to look it through: {why}", cure=cure) from None
    finally:
        source.close()


def _examine(path: str, copy: str, watch: ProgressCallback) -> HealthReport:
    with closing(sqlite3.connect(copy, isolation_level=None)) as raw:
        ours, schema = database.read_schema_version(raw)
        odd = [
            Finding("schema", f"'{name}' is not a table as Companion makes it", _RESCUE_CURE) for name in database.odd_tables(raw)
        ]
        if odd:
            return HealthReport(path, schema, {}, tuple(odd))
        findings = [Finding("file", text, _RESCUE_CURE) for text in backup.find_damage(raw)]
        rows = {} if findings or not ours else backup.row_counts(raw)
    with Archive.open(copy, watch) as archive:
        findings += _check_schema(archive, schema)
        if not findings or findings[0].kind != "file":
            wrong = [f"The table '{name}' does not agree with the log" for name in archive.wrong_summaries(watch)]
            findings += [Finding("schema", text, _RESCUE_CURE) for text in wrong]
            findings += _check_sessions(archive, watch)
            findings += _check_facts(archive)
    kinds = get_args(FindingKind)
    findings.sort(key=lambda finding: (not finding.harm, kinds.index(finding.kind)))
    return HealthReport(path, schema, rows, tuple(findings))


_RESCUE_CURE = "Rescue what can be read: companion doctor --repair FILE"


def _check_schema(archive: Archive, schema: int) -> Iterator[Finding]:
    """Find tables, views and triggers that are missing or changed. Further tables and views are the owner's business."""
    if 0 < schema < database.SCHEMA:
        text = f"It was written by an older Companion: schema {schema}, today {database.SCHEMA}"
        yield Finding(
            "schema", text, "It is brought up to date when it is next used; a copy before: companion backup FILE", harm=False
        )
    with Archive(database.IN_MEMORY, database.connect(database.IN_MEMORY)) as fresh:
        expected, actual = fresh.objects(), archive.objects()
    for name, (kind, sql) in expected.items():
        if name not in actual:
            yield Finding("schema", f"The {kind} '{name}' is missing", _RESCUE_CURE)
        elif actual[name] != (kind, sql):
            yield Finding("schema", f"The {kind} '{name}' is not as Companion makes it", _RESCUE_CURE)
    for name, (kind, _) in actual.items():
        if kind == "trigger" and name not in expected:
            yield Finding("schema", f"The trigger '{clean(name)[:60]}' was not made by Companion", _RESCUE_CURE)


def _check_sessions(archive: Archive, watch: ProgressCallback) -> Iterator[Finding]:
    """Open and replay each session."""
    for fault in archive.damaged_sessions():
        yield Finding("session", clean(fault[:1].upper() + fault[1:]), _RESCUE_CURE)
    sessions = archive.sessions()
    total = len(sessions) * _STEPS
    for number, info in enumerate(sessions):

        def report(share: float, done: int = number * _STEPS) -> None:
            watch(Progress(done + int(share * _STEPS), total, ""))

        yield from _check_session(archive, info, report)
    watch(Progress(total, total, ""))


_STEPS = 1000
"""Steps of the bar for each session."""
Report = Callable[[float], None]
"""Called with the share done so far, from 0 to 1."""


def _reporting(items: Sequence[T], report: Report) -> Iterator[T]:
    """Yield the items; every 64 items, report the share yielded so far."""
    for number, item in enumerate(items):
        if not number % 64:
            report(number / len(items))
        yield item


def _check_session(archive: Archive, info: Session, report: Report) -> list[Finding]:
    try:
        load_game(info.game)
    except Unreadable:
        return [Finding("session", f"Its game '{clean(info.game)}' is not here", "Install it, then look again", info.name)]
    except CompanionError as fault:
        return [Finding("session", f"Its game cannot be played: {fault.message}", fault.cure, info.name)]
    try:
        with suppress(BadData):  # a disk that fails once makes a sound log look damaged
            return _replay_session(archive, info, report)
        return _replay_session(archive, info, report)
    except CompanionError as fault:
        return [Finding("session", fault.message, _RESCUE_CURE, info.name)]
    except Exception as failure:  # whatever a log holds, the other sessions are still checked
        return [Finding("session", f"It cannot be read: {type(failure).__name__}: {failure}", _RESCUE_CURE, info.name)]


def _replay_session(archive: Archive, info: Session, report: Report) -> list[Finding]:
    """Return the findings of one session."""
    rows = archive.rows(info.id)
    gap = next((number for number, row in enumerate(rows, 1) if row.seq != number), 0)
    if gap:
        return [Finding("session", f"Row {gap} of its log is missing", _RESCUE_CURE, info.name)]
    sound, why = check_rows(_reporting(rows, lambda share: report(0.4 * share)), load_game(info.game).vocabulary.sets)
    if why:
        return [Finding("session", f"Row {sound + 1} of its log is damaged: {why}", _RESCUE_CURE, info.name)]
    session = SessionState.open(archive, info)
    findings, check = [], check_rules(session, lambda share: report(0.6 + 0.4 * share))
    if session.broken:
        what = f"The action that is open cannot go on: {session.broken}"
        findings.append(Finding("open", what, f"companion undo --session {info.name}", info.name))
    if check.mismatches:
        number, action, why = check.mismatches[0]
        count = plural(len(check.mismatches), "action")
        what = f"{count} would have another outcome by today's rules, the first {number} ({action}): {why}"
        findings.append(Finding("rules", what, "Nothing to do: the game as played is kept", info.name, harm=False))
    return findings


def _check_facts(archive: Archive) -> Iterator[Finding]:
    """Find printed facts that are damaged, or that the installed game does not know or cannot read."""
    for key in archive.damaged_facts():
        yield Finding("fact", f"The printed fact '{key[:60]}' is damaged", _RESCUE_CURE)
    for game, key, value in _all_facts(archive):
        if why := fact_fault(game, key, value):
            cure = f'companion printed {game.id} set "{key}" VALUE'
            yield Finding("fact", f"{game.title}: '{clean(key)}' is {clean(value)[:60]!r}: {why}", cure)


def _all_facts(archive: Archive) -> Iterator[tuple[Game, str, str]]:
    """Yield each printed fact with its game, as full key and value."""
    for name in [*GAMES, *find_plugins().games]:
        if facts := archive.printed(name):
            with suppress(BadData):  # a fault of the game itself is reported with its sessions
                game = load_game(name)
                yield from ((game, key, value) for key, value in facts.items())


def repair(path: str, target: str) -> HealthReport:
    """Copy what can be read of an archive into a new file, and check that. The archive stays as it is.

    Of each log everything up to the first unreadable row is kept; unreadable facts are left out.

    Raises:
        Unreadable: `target` exists.
        BadData: The archive cannot be opened, or the new one cannot be written.
    """
    if os.path.lexists(target):
        raise Unreadable(f"{clean(target)} exists already", cure="Name another file")
    beside = f"{target}.part{os.getpid()}"
    source = database.connect_for_check(path)
    try:
        with Archive.open(beside) as archive:
            lost = archive.fill(source, backup.salvage)
            lost += _drop_unreadable_facts(archive)
            lost += _end_broken_actions(archive)
        report = check_archive(beside, ignore_progress)._replace(path=os.path.abspath(target))
        _publish(beside, target)
    finally:
        source.close()
        for end in ("", "-wal", "-shm"):
            with suppress(OSError):
                os.unlink(beside + end)
    cure = "Enter it again where it is missed"
    left_out = [Finding("file", f"Left out because it cannot be read: {text}", cure, harm=False) for text in lost]
    return report._replace(findings=(*report.findings, *left_out))


def _publish(beside: str, target: str) -> None:
    """Give a complete archive its final name."""
    try:
        if os.path.exists(beside + "-wal"):
            raise OSError(0, "its end could not be written")
        sync_file(beside)
        os.rename(beside, target)
    except OSError as fault:
        raise BadData(f"{clean(target)} cannot be written: {fault.strerror}", cure="Name another file; nothing is kept") from None
    sync_folder_of(target)


def _drop_unreadable_facts(archive: Archive) -> list[str]:
    """Withdraw the printed facts that cannot be read; return them."""
    bad = [(game, key) for game, key, value in _all_facts(archive) if fact_fault(game, key, value)]
    for game, key in bad:
        archive.record_facts(game.id, {key: ""})
    return [f"{game.title}: '{clean(key)}'" for game, key in bad]


def _end_broken_actions(archive: Archive) -> list[str]:
    """Complete or take back the last action of each log that was cut off; return those whose outcome is lost."""
    lost = []
    for info in archive.sessions():
        with suppress(CompanionError):  # a game that is not installed
            session = SessionState.open(archive, info)
            entry = session.history.open_entry
            if entry is None or not session.broken:
                continue
            batch = session.log.new_batch()
            running = None
            with suppress(Exception):  # whatever the log holds
                running = RunningEntry.from_entry(session.game, session.options, session.committed_position, entry)
                running.replay_stored()
            if running and running.request is None and len(running.replies) == len(entry.replies):
                batch.complete(entry.number, running.referee.events, session.game_result(running.position))
            elif len(session.history.force) > 1:
                batch.change(Change((entry.number,), (), "undo"), False)
                lost.append(f"{info.name}: action {entry.number}, {entry.action}")
            else:
                batch.complete(entry.number, ())
                lost.append(f"{info.name}: its set-up; set the position again: companion adjust WHAT VALUE")
            session.log.commit(batch)
    return lost


class RulesCheck(NamedTuple):
    """How a log agrees with the rules of its game.

    Attributes:
        fit: The number of entries that agree.
        mismatches: The others: number, action and reason.
    """

    fit: int
    mismatches: tuple[tuple[int, str, str], ...]

    @property
    def text(self) -> str:
        fit = f"{plural(self.fit, 'action fits', 'actions fit')} the rules"
        return f"{fit}, {len(self.mismatches)} {'does' if len(self.mismatches) == 1 else 'do'} not" if self.mismatches else fit


def check_rules(session: SessionState, report: Report = lambda share: None) -> RulesCheck:
    """Replay each complete entry in force from its answers.

    A log of another version or from elsewhere may hold what these rules would not do. It can still be played on, since its events
    alone make the position.
    """
    fit, misfits, before = 0, [], Position()
    for entry in _reporting(session.history.in_force, report):
        if entry.events is None:
            continue
        after = fold(entry.events, before)
        why = _mismatch(session, entry, before, after)
        misfits += [(entry.number, entry.action, why)] if why else []
        fit, before = fit + (not why), after
    return RulesCheck(fit, tuple(misfits))


def _mismatch(session: SessionState, entry: Entry, before: Position, after: Position) -> str:
    """Return why an entry does not follow from its answers, or ""."""
    for event in entry.events or ():
        if (fault := session.game.event_fault(event, before)) and session.game.event_fault(event, after):
            return fault
    if entry.action in ADJUST_ACTIONS or (entry.action == SETUP and entry.args.get("quick")):
        return ""
    try:
        running = RunningEntry.from_entry(session.game, session.options, before, entry)
        running.replay_stored()
    except (ReplyMismatch, CompanionError) as fault:
        return str(fault)
    except Exception as failure:  # a forged log may break any rule; the other entries are still checked
        return f"fails in the rules: {type(failure).__name__}: {failure}"
    if running.request is not None:
        return f"has no answer to '{running.request.key}'"
    return "" if running.position == after else "has another outcome by these rules"
