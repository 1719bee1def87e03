"""What tells one simulated game from another on a command line, and such a game as a session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.cli.commands.start import options_of, standing_lines
from companion.cli.shell.archives import load_game, open_archive
from companion.cli.shell.arguments import whole
from companion.cli.shell.output import show
from companion.core.errors import Unreadable
from companion.core.game import Game
from companion.core.text import clean, plural
from companion.session.simulation import Series, make_series, replay_as_session
from companion.session.state import USUAL, think_budget
from companion.views.banner import session_heading
from companion.views.lines import Line
from companion.views.result import result_data


class Told(NamedTuple):
    """The options of a command that say what is played: scenario, ``K=V``, ``SEAT=POLICY``, and playouts a candidate."""

    scenario: str
    options: Sequence[str]
    policies: Sequence[str]
    think: str

    def series(self, game: Game, seed: str) -> Series:
        """All the games of that kind. Raises Unreadable: there is none."""
        think = think_budget(self.think or "0")
        options = options_of(self.options)
        budget = game.players.default_playouts(options) if think == USUAL else int(think)
        return make_series(game, self.scenario, options, policies_of(self.policies), seed, budget)


def policies_of(given: Sequence[str]) -> dict[str, str]:
    """``SEAT=POLICY`` words as policies by seat; a word without a seat is under "". A series checks them against the game.

    Raises:
        Unreadable: a word names none, or a seat comes twice.
    """
    found: dict[str, str] = {}
    for word in given:
        seat, equals, name = word.partition("=") if "=" in word else ("", "", word)
        if not name or (equals and not seat):
            raise Unreadable(
                f"'{clean(word)}' is not a policy", cure="Like this: --policy SEAT=POLICY, or --policy POLICY for all"
            )
        if seat in found:
            raise Unreadable(f"the policy of '{clean(seat) or 'every seat'}' is given twice", cure="Give it once")
        found[seat] = name
    return found


def has_its_own(given: Mapping[str, object]) -> None:
    """What is typed beside ``--replay`` and would change nothing of a game that was played. Raises Unreadable: there is some."""
    for word, value in given.items():
        if value:
            raise Unreadable(f"a game that was simulated has its own dice, draws and answers: no {word}", cure="Leave it out")


def replay(db: str, game: str, text: str, told: Told, name: str, as_json: bool) -> int:
    """Make a session of a game that was simulated, ``GAME/SEED/INDEX``, and show where it ended; 0.

    Raises:
        Unreadable: there can be no such game.
    """
    of, seed, index = _simulated(text)
    loaded = load_game(of)
    if game and load_game(game).id != loaded.id:
        raise Unreadable(f"'{clean(text)}' is a game of {loaded.id}", cure=f"companion new --replay {clean(text)}")
    series = told.series(loaded, seed)
    desk, result, fault = replay_as_session(open_archive(db), series, index, name)
    notes = [f"Here the game failed: {fault}"] if fault else []
    result = result._replace(notes=tuple(notes))
    show(
        as_json,
        lambda: result_data(desk, result),
        lambda: [
            session_heading(desk.info.name, desk.game, desk.options.get("scenario", "")),
            Line(f"{plural(result.entry, 'action')}: {series.description}; seed {series.seed}, game {index}", "dim"),
            *(Line(note, "warning", "", "! ") for note in notes),
            *standing_lines(desk, result),
        ],
    )
    return 0


def _simulated(text: str) -> tuple[str, str, int]:
    """``GAME/SEED/INDEX`` in parts; the seed may hold anything. Raises Unreadable: it is of another form."""
    game, _, rest = text.partition("/")
    seed, slash, index = rest.rpartition("/")
    if not (game and slash and seed):
        raise Unreadable(f"'{clean(text)}' is not a simulated game", cure="Like this: --replay GAME/SEED/INDEX")
    return game, seed, whole(index, "number of a game")
