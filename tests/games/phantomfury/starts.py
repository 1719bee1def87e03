"""Sessions in which the turns of ``turns.toml`` begin."""

from __future__ import annotations

from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.testing.table import session_at
from tests.games.phantomfury.test_turn_3 import start


def new_game(archive: Archive, scenario: str = "practice") -> SessionController:
    """The set-up of a scenario, with dice and draws at the table."""
    return SessionController.create(archive, "phantomfury", scenario, {}, "physical", "physical", seed="keys")


def corner(archive: Archive) -> SessionController:
    """The corner of the practice map after its set-up by hand: Squad 4 in Zone 2 with Guerillas, Squad 1 in Zone 3 likewise."""
    session = new_game(archive, "practice_small")
    draws = ["2/1/R", "1/2/R", "2/R/1", "1/R/2", "G1/M1", "G2/M2", "Squad 4", "Squad 1", "Squad 2", "Squad 6"]
    session.answer(Answers(dice=[5, 8, 6, 1], draws=draws, accept=True))
    return session


def set_up(archive: Archive, chance: str = "computer") -> SessionController:
    """The practice map, set up by Companion; ``chance``: who rolls and draws afterwards."""
    session = SessionController.create(archive, "phantomfury", "practice", seed="keys", answers=Answers(accept=True))
    session.setting(chance, chance)
    return session


def third_turn(archive: Archive) -> SessionController:
    """Turn 3 of the rulebook's example [8.0], the map known; Companion rolls and draws."""
    session = session_at(archive, "phantomfury", "practice", start().position, seed="keys")
    session.setting("computer", "computer")
    return session
