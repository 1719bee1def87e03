"""Sessions in which the turns of ``turns.toml`` begin."""

from companion.session.controller import SessionController
from companion.session.store import Archive


def new_game(archive: Archive, draws: str = "computer") -> SessionController:
    return SessionController.create(archive, "fallujahcards", draws=draws, seed="keys")
