"""Commands on sessions, the archive and settings: use, note, branch, backup, bundle, config, doctor, sessions, completions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from shlex import quote

from companion.cli.shell import catalog
from companion.cli.shell.archives import open_archive, open_session, session_archive, session_archives
from companion.cli.shell.bar import BAR
from companion.cli.shell.files import make_folder, read_text, write_new
from companion.cli.shell.output import put, show, write_json
from companion.cli.shell.process import no_garbage_collection, reload_settings
from companion.core.errors import BadData, Unreadable
from companion.core.hints import TYPE_CHECKING
from companion.core.named_tuple import NamedTuple
from companion.core.text import pick_name, plural
from companion.core.values import JsonDict
from companion.session import database
from companion.session.database import archive_exists, archive_path, is_practice_path, practice_path
from companion.session.files import SETTINGS, Config, check_setting, config_file, read_config, write_config
from companion.session.store import Archive
from companion.views.lines import BLANK, Line, table_lines

if TYPE_CHECKING:
    from companion.session.doctor import Finding, HealthReport

DAMAGED = 4
"""Exit code: the archive has faults."""


@catalog.SESSIONS
def sessions(db: str, json: bool) -> int:
    """List all sessions; the one in use is marked.

    Example: companion sessions
    """
    is_named = bool(db or database.path_from_environment())
    has_archive = is_named or archive_exists(archive_path(None)) or archive_exists(practice_path(""))
    archives = session_archives(db) if has_archive else []
    current = max(archives, key=Archive.last_played, default=None)
    items: list[JsonDict] = []
    rows: list[tuple[str, ...]] = []
    for archive in archives:
        last, times, made_up = archive.last_id(), archive.times_played(), is_practice_path(archive.path)
        for item in archive.sessions():
            is_in_use = item.id == last and archive is current
            names = {"name": item.name, "game": item.game, "scenario": item.scenario}
            items.append({**names, "created": item.created, "in_use": is_in_use, "made_up": made_up})
            played = times.get(item.id, item.created)[:16].replace("T", " ")
            rows.append(("*" if is_in_use else "", *names.values(), played, "made-up set" if made_up else ""))
    damaged = [fault for archive in archives for fault in archive.damaged_sessions()]
    warnings = [Line(f"{fault}. Rescue what can be read: companion doctor --repair FILE", "warning") for fault in damaged]
    none = [] if damaged else [Line("No session yet: companion new GAME", "dim")]
    show(json, lambda: {"sessions": items}, lambda: [*(table_lines(rows) or none), *warnings])
    return 0


@catalog.USE
def use(name: str, db: str, json: bool) -> int:
    """Switch to a session: commands without --session refer to it.

    Example: companion use april
    """
    archive = session_archive(db, name)
    info = archive.session(name)
    archive.use(info)
    show(json, lambda: {"session": info.name, "game": info.game}, lambda: [Line(f"In use: {info.name}")])
    return 0


@catalog.BRANCH
def branch(name: str, session: str, db: str, json: bool) -> int:
    """Copy the session as it is now, and switch to the copy. From there on the copy has dice of its own.

    Example: companion branch what-if
    """
    controller = open_session(db, session)
    info, parent = controller.branch(name), controller.info.name
    show(
        json,
        lambda: {"session": info.name, "game": info.game, "parent": parent},
        lambda: [Line(f"In use: {info.name}, a copy of {parent}. Back: companion use {parent}")],
    )
    return 0


@catalog.NOTE
def note(text: Sequence[str], session: str, db: str, json: bool) -> int:
    """Write a note into the log, beside the last action.

    Example: companion note "the bridge was already blown"
    """
    controller = open_session(db, session)
    controller.note(" ".join(text))
    written = controller.history.notes[-1]
    show(
        json,
        lambda: {"session": controller.info.name, "entry": written.entry, "note": written.text},
        lambda: [Line(f"Noted beside action {written.entry}")],
    )
    return 0


@catalog.BUNDLE
def bundle(file: str, restore: bool, seat: str, session: str, db: str, json: bool) -> int:
    """Write everything of a session to one JSON document, for a fault report or the other player; or take such a document.

    Example: companion bundle fault.json
    """
    from companion.session.transfer import bundle as make_bundle
    from companion.session.verify import head_of
    from companion.views.trusted import head_line

    if restore:
        return _restore(file, seat, db, json)
    if seat:
        raise Unreadable("--seat belongs to --restore", cure="companion bundle --restore FILE --seat SEAT")
    with no_garbage_collection():
        controller = open_session(db, session)
        document = make_bundle(controller.archive, controller.info)
        if not file:
            write_json(document)
            return 0
        path = write_new(file, document)
        rows = len(document["rows"])
        head = head_of(document["rows"])
    show(
        json,
        lambda: {"session": controller.info.name, "file": path, "rows": rows, "head": head},
        lambda: [Line(f"Written: {path}"), head_line(rows, head)],
    )
    return 0


def _restore(file: str, seat: str, db: str, json: bool) -> int:
    """Take the session of a file; show what it brought, and which of its actions the rules would not allow."""
    from companion.cli.shell.files import read_text
    from companion.session.doctor import check_rules
    from companion.session.mail import receive
    from companion.session.transfer import MAX_BYTES
    from companion.views.mail import handover_data, handover_lines

    if not file:
        raise Unreadable("restore which file?", cure="companion bundle --restore FILE")
    with no_garbage_collection():
        handover = receive(open_archive(db), read_text(file, MAX_BYTES), seat, BAR.show)
        check = check_rules(handover.session)
    show(json, lambda: handover_data(handover, check), lambda: handover_lines(handover, check))
    return DAMAGED if handover.verification and handover.verification.misfit else 0


@catalog.BACKUP
def backup(file: str, force: bool, db: str, json: bool) -> int:
    """Copy the archive to a file, even while a game is open, and verify the copy.

    Example: companion backup companion-2026-11.sqlite3
    """
    from companion.session.backup import backup as make_backup

    copy = make_backup(_existing_path(db), file, force, BAR.show)
    counts = f"{plural(copy.rows['sessions'], 'session')}, {plural(copy.rows['log'], 'row')} of the log"
    show(
        json,
        lambda: {"file": copy.path, "rows": copy.rows},
        lambda: [Line(f"Saved and checked: {copy.path}"), Line(f"{counts}. To use it: companion --db {copy.path}", "dim")],
    )
    return 0


@catalog.DOCTOR
def doctor(repair: str, db: str, json: bool) -> int:
    """Check the archive's file, every session and every printed fact, and say what to do. Nothing is changed.

    Example: companion doctor
    """
    from companion.session import doctor as archive_doctor

    path = _existing_path(db)
    report = archive_doctor.repair(path, repair) if repair else archive_doctor.check_archive(path, BAR.show)
    show(
        json,
        lambda: {
            "archive": report.path,
            "well": report.is_sound,
            "schema": report.schema,
            "rows": report.rows,
            "findings": [finding._asdict() for finding in report.findings],
        },
        lambda: [*_health_lines(report), *(_repaired_lines(report) if repair else [])],
    )
    return 0 if report.is_sound else DAMAGED


def _existing_path(db: str) -> str:
    """The path of the archive. Raises Unreadable: there is none."""
    path = archive_path(db or None)
    if not archive_exists(path):
        raise Unreadable(f"there is no archive {path}", cure="Begin one: companion new GAME")
    return path


def _health_lines(report: HealthReport) -> list[Line]:
    head = [Line(report.path, "title"), *([Line(_counts(report), "dim")] if report.rows else [])]
    findings = [line for finding in report.findings for line in _finding_lines(finding)]
    return [*head, *findings, *([Line("No faults.", "gain")] if report.is_sound and not report.is_incomplete else [])]


def _repaired_lines(report: HealthReport) -> list[Line]:
    warning = Line("The new archive is sound; what is listed above is missing from it.", "warning")
    use = Line(f"To use it: companion --db {report.path}", "dim")
    return [warning, use] if report.is_sound and report.is_incomplete else [use]


def _counts(report: HealthReport) -> str:
    rows = report.rows
    sessions, facts = plural(rows["sessions"], "session"), plural(rows["printed"], "printed fact")
    return f"{sessions}, {plural(rows['log'], 'row')} of the log, {facts}; schema {report.schema} of {database.SCHEMA}"


def _finding_lines(finding: Finding) -> list[Line]:
    session = f"{finding.session}: " if finding.session else ""
    return [Line(f"{session}{finding.what}", "warning" if finding.harm else ""), Line(f"  {finding.cure}", "dim")]


@catalog.CONFIG
def config(key: str, value: str, json: bool) -> int:
    """Show or change settings for every game: colours, who rolls and draws, the opponent, menus.

    Example: companion config theme light
    """
    path = config_file()
    before = read_config(path)
    if key:
        key = check_setting(key, value)[0] if value else pick_name(key, tuple(SETTINGS), "setting")
    if value:
        write_config(path, *check_setting(key, value))
        reload_settings()
    after = read_config(path)
    show(
        json,
        lambda: _settings_data(path, after),
        lambda: _setting_lines(key, before, after) if key else _settings_lines(path, after),
    )
    return 0


def _settings_data(path: str, config: Config) -> JsonDict:
    settings = {
        key: {"value": config.value(key), "chosen": key in config.chosen, "values": list(setting.values), "title": setting.title}
        for key, setting in SETTINGS.items()
    }
    return {"file": path, "fault": config.fault, "settings": settings}


def _settings_lines(path: str, config: Config) -> list[Line]:
    rows = [(key, config.value(key), setting.title) for key, setting in SETTINGS.items()]
    fault = [Line(config.fault, "warning", "", "! ")] if config.fault else []
    return [*fault, *table_lines(rows), BLANK, Line(f"Change one: companion config theme light. Kept in {path}", "dim")]


def _setting_lines(key: str, before: Config, after: Config) -> list[Line]:
    """One setting with its change and its values; for the theme a sample of all tones."""
    from companion.views.theme import MEANINGS

    old, new = before.value(key), after.value(key)
    lines = [Line(f"{key} {old} -> {new}" if old != new else f"{key} {new}", "title")]
    lines.append(Line(f"{SETTINGS[key].title}: {', '.join(SETTINGS[key].values)}"))
    sample = [Line(f"{tone:<9} {meaning}", tone, "", "  ") for tone, meaning in MEANINGS.items() if tone]
    return [*lines, BLANK, *sample] if key == "theme" else lines


@catalog.COMPLETIONS
def completions(shell: str, install: bool, dry_run: bool, json: bool) -> int:
    """Print the completion script of a shell, or install it with the man page.

    Example: companion completions bash --install
    """
    name = pick_name(shell, catalog.SHELLS, "shell")
    body: JsonDict = {"shell": name, "script": _read_shipped(name)}
    if install or dry_run:
        files = [_Installed(f"TAB in {name}", _script_path(name), body["script"])]
        if _has_man():
            files.append(_Installed("man companion", _data_path("man", "man1", "companion.1"), _read_shipped("1")))
        lines = _planned_lines(name, files) if dry_run else _install(name, files)
        paths = dict(zip(("path", "man_page"), (file.path for file in files), strict=False))
        show(json, lambda: {**body, **paths, "written": not dry_run}, lambda: lines)
    elif json:
        show(True, lambda: body, list)
    else:
        put(body["script"])
    return 0


class _Installed(NamedTuple):
    """A file of Companion outside of its own folders.

    Attributes:
        what: What it is for.
        path: Where the shell or man looks for it.
        text: Its content.
    """

    what: str
    path: str
    text: str


def _has_man() -> bool:
    """True if the system has manual pages."""
    return os.name == "posix"


def _data_path(*names: str) -> str:
    """A path in the folder where shells and man look for the user's own files."""
    return os.path.join(os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share"), *names)


def _script_path(shell: str) -> str:
    """Where the shell looks for completion scripts, or where its settings can source one."""
    settings = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    if shell == "fish":
        return os.path.join(settings, "fish", "completions", "companion.fish")
    if shell == "zsh":
        return _data_path("zsh", "site-functions", "_companion")
    return _data_path("bash-completion", "completions", "companion")


def _planned_lines(shell: str, files: Sequence[_Installed]) -> list[Line]:
    """Say which files would be written, and what is there now."""
    lines = [Line(f"{file.what}: {file.path} ({_change(file)})") for file in files]
    return [*lines, Line(f"Nothing was written. To write: companion completions {shell} --install", "reminder")]


def _change(file: _Installed) -> str:
    """What writing a file would change."""
    if not os.path.lexists(file.path):
        return "new"
    with suppress(BadData):
        if read_text(file.path) == file.text:
            return "as it is"
    return "would be replaced"


def _install(shell: str, files: Sequence[_Installed]) -> list[Line]:
    """Write the script of a shell, then the man page; return what to say. Raises Unreadable: one cannot be written."""
    script, *others = files
    try:
        _write(script)
    except Unreadable as error:
        error.cure = f"Put it where your shell reads it: companion completions {shell} > FILE"
        raise
    for file in others:
        try:
            _write(file)
        except Unreadable as error:
            error.kept = "unknown"  # a part of it: the script
            error.cure = f"TAB is installed all the same: {script.path}. {_next_step(shell, script.path)}"
            raise
    lines = [Line(f"{file.what}: {file.path}") for file in files]
    return [*lines, Line(_next_step(shell, script.path), "reminder")]


def _write(file: _Installed) -> None:
    make_folder(os.path.dirname(file.path))
    write_new(os.path.realpath(file.path), file.text, over=True)


def _next_step(shell: str, path: str) -> str:
    """What the player has to do after the script is installed."""
    if shell == "fish":
        return "It works in the next fish you start"
    if shell == "zsh":
        return f"Add to ~/.zshrc, after compinit: source {quote(path)}"
    return f"It works in the next bash with bash-completion; without that, add to ~/.bashrc: source {quote(path)}"


def _read_shipped(kind: str) -> str:
    """The completion script of bash, zsh or fish, which calls `companion --complete` at a TAB; or the man page, `1`."""
    from companion.session.files import shipped_folder
    from companion.session.shipped import read_text

    return read_text(os.path.join(shipped_folder("completions"), f"companion.{kind}"))
