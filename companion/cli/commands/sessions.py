"""Commands on sessions: new, sessions, use, branch, note, bundle."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.commands.options import Accept, Anyway, Brief, Db, Draw, Json, Policies, Scenario, Session, Think, Words
from companion.cli.shell.archives import facts_archive, look_archive, open_archive, open_desk
from companion.cli.shell.arguments import answers
from companion.cli.shell.output import show, write_json
from companion.core.errors import Unreadable
from companion.session.state import SessionState
from companion.views.lines import Line

_MISFITS = 12
"""So many entries that do not fit are shown; the rest are only counted."""


def new(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="A game by unique prefix; asked for on a terminal.")] = "",
    scenario: Scenario = "",
    option: Annotated[list[str] | None, typer.Option("--option", metavar="K=V", help="May be repeated.")] = None,
    dice: Annotated[
        str, typer.Option("--dice", metavar="computer|physical", help="Who rolls unless a roll says otherwise.")
    ] = "",
    draws: Annotated[
        str, typer.Option("--draws", metavar="computer|physical", help="Who draws unless a draw says otherwise.")
    ] = "",
    seed: Annotated[str, typer.Option("--seed", metavar="N", help="The same seed, the same dice.")] = "",
    think: Think = "",
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="What the session is called.")] = "",
    replay: Annotated[
        str, typer.Option("--replay", metavar="GAME/SEED/INDEX", help="A game that was simulated, with its policies and options.")
    ] = "",
    policy: Policies = None,
    words: Words = None,
    draw: Draw = None,
    anyway: Anyway = False,
    accept: Accept = False,
    brief: Brief = False,
    db: Db = "",
    json: Json = False,
) -> None:
    """Start a session and set it up. On a terminal, what is not given is asked for.

    Example: companion new GAME --scenario NAME --seed 7
    """
    if replay:
        from companion.cli.commands import simulated

        simulated.has_its_own({"--seed": seed, "--dice": dice, "--draws": draws, "--draw": draw, "KEY=VALUE": words})
        told = simulated.Told(scenario, option or [], policy or [], think)
        raise typer.Exit(simulated.replay(db, game, replay, told, name, json))
    if policy:
        raise Unreadable("--policy belongs to a game that was simulated", cure="Name it: --replay GAME/SEED/INDEX")
    from companion.cli.commands.start import start

    given, options = answers(words, None, draw, accept), option or []
    raise typer.Exit(start(db, game, scenario, options, dice, draws, seed, name, given, anyway, json, think, brief=brief))


def sessions(db: Db = "", json: Json = False) -> None:
    """Every session of the archive, the one in use marked.

    Example: companion sessions
    """
    from companion.cli.commands.start import sessions_data, sessions_lines
    from companion.session.database import path_from_environment

    archive = look_archive(db) if db or path_from_environment() else facts_archive("")
    show(json, lambda: sessions_data(archive), lambda: sessions_lines(archive))


def use(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A session by unique prefix.")], db: Db = "", json: Json = False
) -> None:
    """Make a session the one that every command means.

    Example: companion use monday
    """
    archive = look_archive(db)
    info = archive.session(name)
    archive.use(info)
    show(json, lambda: {"session": info.name, "game": info.game}, lambda: [Line(f"In use: {info.name}")])


def branch(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the copy is called.")],
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """Copy the session at its head, to try something, and go on in the copy, with dice of its own from there on.

    Example: companion branch what-if
    """
    desk = open_desk(db, session)
    info = desk.branch(name)
    show(
        json,
        lambda: {"session": info.name, "game": info.game, "parent": desk.info.name},
        lambda: [Line(f"In use: {info.name}, a copy of {desk.info.name}. Back: companion use {desk.info.name}")],
    )


def note(
    text: Annotated[list[str], typer.Argument(metavar="TEXT", help="What to write down.")],
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """Write something down in the log, beside the last entry.

    Example: companion note "the bridge was already blown"
    """
    desk = open_desk(db, session)
    desk.note(" ".join(text))
    written = desk.history.notes[-1]
    show(
        json,
        lambda: {"session": desk.info.name, "entry": written.entry, "note": written.text},
        lambda: [Line(f"Noted beside action {written.entry}")],
    )


def bundle(
    file: Annotated[str, typer.Argument(metavar="[FILE]", help="Where to; stdout otherwise. Never overwritten.")] = "",
    restore: Annotated[bool, typer.Option("--restore", help="Read FILE and store its session under a free name.")] = False,
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """Everything of a session in one JSON document, for a fault report; and back again.

    Example: companion bundle fault.json
    """
    from companion.cli.shell.files import restored, write_new
    from companion.session.transfer import bundle as collect

    if restore:
        archive = open_archive(db)
        show_restored(SessionState.open(archive, restored(archive, file)), json)
        return
    desk = open_desk(db, session)
    document = collect(desk.archive, desk.info)
    if not file:
        write_json(document)
        return
    path = write_new(file, document)
    show(json, lambda: {"session": desk.info.name, "file": path}, lambda: [Line(f"Written: {path}")])


def show_restored(desk: SessionState, as_json: bool) -> None:
    """Tell that a session has been taken over, and how far it fits the rules."""
    from companion.session.doctor import check_rules

    found = check_rules(desk)
    show(
        as_json,
        lambda: {
            "session": desk.info.name,
            "game": desk.game.id,
            "fit": found.fit,
            "misfits": [{"entry": number, "action": action, "why": why} for number, action, why in found.mismatches],
        },
        lambda: [
            Line(f"In use: {desk.info.name}. {found.text}", "warning" if found.mismatches else ""),
            *(Line(f"{action}: {why}", "", "", f"  {number}  ") for number, action, why in found.mismatches[:_MISFITS]),
        ],
    )
