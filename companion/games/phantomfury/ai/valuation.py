"""The value of positions, Zones and losses in VP, and the expected results of fights; constants in ``ai.toml``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

from companion.core.candidates import read_constants
from companion.core.position import Piece, Position
from companion.core.values import JsonObject
from companion.games.phantomfury import odds, state
from companion.games.phantomfury.referee import FuryReferee, last_turn
from companion.games.phantomfury.rules import r03_basics, r09_support, r11_fire, r11_shots
from companion.games.phantomfury.rules.r13_combat import AssaultType, Cup, Scene
from companion.games.phantomfury.state import Fighter

T = TypeVar("T")
TYPICAL = 3
"""Counters that represent the mix in a cup: the middle ones of its thirds, sorted by CF."""
BOARDS, NEAR, KNOWN = 8, 512, 16_384
"""Maximum sizes of the caches: boards, surroundings of squads, odds."""


class Constants(NamedTuple):
    """The content of ``ai.toml``, each key after its table; the file has units and meanings."""

    game_lost: float
    game_lost_zone: float
    game_full_hope: float
    game_no_hope: float
    zone_base: float
    zone_pace: float
    zone_last: float
    zone_soft_enemy: float
    zone_firm_enemy: float
    zone_empty: float
    zone_distant_soft_enemy: float
    zone_distant_firm_enemy: tuple[float, ...]
    zone_gate: float
    zone_gates: int
    zone_tie: float
    zone_infiltrated: float
    squad_force: float
    squad_reduction: float
    squad_elimination: float
    squad_standoff: float
    squad_pin: float
    squad_stuck: float
    squad_cover: float
    combat_guerillas: float
    combat_suspect: float
    combat_martyrs: float
    combat_known: float
    combat_followed: float
    combat_sniper_hit: float
    combat_sniper_loss: float
    combat_explosives: float
    combat_explosives_least: float
    mission_least: float
    mission_first_turn: int
    mission_reaction: float
    mission_uav_gone: float
    mission_hard_enemy: float
    mission_fortified: float
    mission_distance: float
    reinforcement_least: float
    reinforcement_squad: float
    reinforcement_tank: float
    reinforcement_distance: float
    reinforcement_battalion: bool
    fire_least: float
    move_least: float
    move_crowd: float
    move_unreachable: int
    move_relief: float
    move_room: float
    move_nearer: float
    move_roof: float
    assault_least: float
    tank_capacity: int
    tank_target: float
    tank_targets: int
    tank_crossing: float
    tank_mosque: float
    search_candidates: int
    search_patience: int
    search_horizon: int
    search_other_plan: float
    search_prior_worlds: float
    search_worlds_small: int
    search_worlds: int
    search_worlds_full: int


APART = ("plan", "fit")
"""The tables of ``ai.toml`` that hold no constants: the plans of a turn, and what was fitted."""


def read_valuation_constants(bot: JsonObject) -> Constants:
    """Read the constants of ``ai.toml``. Raises BadData, which lists every missing or unknown one."""
    return read_constants(Constants, {name: table for name, table in bot.items() if name not in APART})


def plain_features(position: Position) -> dict[str, float]:
    """Plain figures of a position between two turns, for a fitted value."""
    ours = {zone for zone in position.members(state.ZONES) if state.is_controlled(position, zone)}
    left = len(position.members(state.ZONES)) - len(ours)
    turns = last_turn(position) - position.track("turn") + 1
    squads = [*position.pieces_in_group(state.kind_on_map, state.SQUAD), *position.pieces_in_group(state.kind_on_map, state.IIF)]
    units = position.pieces_in_group(state.kind_on_map, state.INSURGENT)
    martyrs = sum(state.kind_of(unit) == state.MARTYRS for unit in units)
    return {
        "vp": position.track("vp"),
        "turns": turns,
        "left": left,
        "pace": left / max(turns, 1),
        "last": 1 / max(left, 1),
        "squads": len(squads),
        "reduced": sum(squad.face == state.REDUCED for squad in squads),
        "pinned": sum(bool(squad.mark(state.PINNED)) for squad in squads),
        "inside": sum(state.zone_of(squad.place) not in ours for squad in squads),
        "suspects": len(position.pieces_in_group(state.kind_on_map, state.SUSPECT)),
        "guerillas": len(units) - martyrs,
        "martyrs": martyrs,
        "company": len(position.at(state.COMPANY)),
        "missions": sum(position.track(name) for name in state.MISSIONS),
        "ammo": sum(bool(squad.mark(state.AMMO)) for squad in squads),
    }


class Fate(NamedTuple):
    """The expected result of a fight or a crossing: the chances of success and of a Step Loss, mean losses in VP and squads."""

    good: float
    loss: float
    cost: float
    force: float


def is_firm(piece: Piece, strong: bool) -> bool:
    """True if an enemy stays after a lost Assault: Martyrs, and a Suspect of a Fortified Zone."""
    kind = state.kind_of(piece)
    return kind == state.MARTYRS or (strong and kind == state.SUSPECT)


def strength(position: Position, zone: str, gone: Collection[str] = ()) -> tuple[int, int]:
    """The enemies of a Zone (without those gone) that may give way, and those that stay; before its Activation those to come."""
    strong = state.is_fortified(position, zone)
    if state.marker_of(position, zone) is None:
        coming = r03_basics.suspects_placed(zone)
        return (0, coming) if strong else (coming, 0)
    enemies = [enemy for enemy in state.enemies_in(position, zone) if enemy.id not in gone]
    firm = sum(is_firm(enemy, strong) for enemy in enemies)
    return len(enemies) - firm, firm


def is_step_loss(fate: str) -> bool:
    """True if a fate of a squad includes a Step Loss."""
    return fate.startswith(("reduced", "CAAT", "eliminated"))


class Valuation:
    """The value of positions and of expected results, in VP. Results are cached by what they depend on.

    Valuations with other constants share the distributions of results, which depend on none.
    """

    def __init__(self, constants: Constants, shared: Valuation | None = None) -> None:
        self.constants = constants
        self._results: dict[Hashable, Any] = {} if shared is None else shared._results
        self._prices: dict[tuple[int, int], float] = {}
        self._known: dict[Hashable, Any] = {}
        self._boards: dict[Hashable, dict[Hashable, Any]] = {}
        self._near: dict[Hashable, Any] = {}

    def hope(self, left: int, turns: int) -> float:
        """[7.1] The remaining hope of taking so many Zones in so many turns; a squad takes at most one a turn."""
        full, none = self.constants.game_full_hope, self.constants.game_no_hope
        return min(1.0, max(0.0, (none - left / (turns + 0.5)) / (none - full)))

    def price(self, left: int, turns: int) -> float:
        """The value of taking one of the Zones that are left, with so many turns to go, including this one."""
        price = self._prices.get((left, turns))
        if price is None:
            c = self.constants
            price = self.hope(left, turns) * (c.zone_base + c.zone_pace * left / max(turns, 1) + c.zone_last / max(left, 1))
            self._prices[left, turns] = price
        return price

    def grip(self, soft: int, firm: int, turns: int) -> float:
        """The share of a Zone that a squad in it is worth, by the enemies left and the turns to go."""
        return self.constants.zone_soft_enemy**soft * self.constants.zone_firm_enemy**firm * _time(soft + firm, turns)

    def begun(self, soft: int, firm: int, turns: int, guns: int = 0) -> float:
        """The share of a Zone without a squad in it, by the enemies left: they can be fired at, and the Zone be entered."""
        c = self.constants
        each = c.zone_distant_firm_enemy[min(guns, len(c.zone_distant_firm_enemy) - 1)]
        return c.zone_empty * c.zone_distant_soft_enemy**soft * each**firm * _time(1, turns)

    def position(self, position: Position) -> float:
        """The points, and the expected value of Zones and losses; a lost game is worth little."""
        vp = float(position.track("vp"))
        if position.flag(state.OVER):
            return vp if state.winner(position) == "usmc" else vp + self._lost(position)
        left = [zone for zone in position.members(state.ZONES) if not state.is_controlled(position, zone)]
        turns = last_turn(position) - position.track("turn") + 1
        missing = sum(self.price(number, turns) for number in range(1, len(left) + 1))
        shares = ((self.grip if state.squads_in(position, zone) else self.begun, strength(position, zone)) for zone in left)
        ahead = sum(share(*enemies, turns) for share, enemies in shares)
        return vp - missing + self.price(len(left), turns) * ahead - self._losses(position, turns)

    def _lost(self, position: Position) -> float:
        """[7.1] The value of a lost game besides its points: it was the better played the fewer Zones are left."""
        left = sum(not state.is_controlled(position, zone) for zone in position.members(state.ZONES))
        return self.constants.game_lost + self.constants.game_lost_zone * left

    def _losses(self, position: Position, turns: int) -> float:
        """The losses of the squads besides the points."""
        c, losses = self.constants, 0.0
        for squad in (*position.of_kind(state.SQUAD), *position.of_kind(state.IIF)):
            reduced = squad.face == state.REDUCED
            lost = c.squad_reduction * reduced + c.squad_elimination * (reduced and not state.on_map(squad))
            losses += c.squad_force * turns * lost + (c.squad_pin if squad.mark(state.PINNED) else 0.0)
        return losses

    def harm(self, referee: FuryReferee, squad: Fighter, fate: str, pin: float | None = None) -> float:
        """[7.2.1] The cost of a fate in VP; ``pin``: the cost of being Pinned, by default the usual one."""
        pinned = self.constants.squad_pin if pin is None else pin
        words = fate.split(" and ")
        return sum(pinned if word == "Pinned" else r03_basics.loss_points(referee, word, squad.iif) for word in words)

    def weakened(self, squad: Fighter, fate: str) -> float:
        """The share of a squad that a fate costs."""
        c = self.constants
        whole = c.squad_reduction if squad.steps == 2 else 0.0
        lost = {"reduced": c.squad_reduction, "eliminated": c.squad_elimination + whole}
        return sum(lost.get(word, 0.0) for word in fate.split(" and "))

    def certain(self, referee: FuryReferee, squad: Fighter, fate: str) -> Fate:
        """The result if a fate is certain."""
        return Fate(0.0, float(is_step_loss(fate)), self.harm(referee, squad, fate), self.weakened(squad, fate))

    def board_cache(self, board: Hashable) -> dict[Hashable, Any]:
        """The cache of a board; those of the last few boards are kept."""
        cache = self._boards.get(board)
        if cache is None:
            if len(self._boards) >= BOARDS:
                self._boards.clear()
            cache = self._boards[board] = {}
        return cache

    def once_nearby(self, key: Hashable, look: Callable[[], T]) -> T:
        """Cache what depends on a squad and its surroundings."""
        return _cached(self._near, NEAR, key, look)

    def _once(self, key: Hashable, work: Callable[[], T]) -> T:
        return _cached(self._known, KNOWN, key, work)

    def _shared(self, key: Hashable, work: Callable[[], T]) -> T:
        return _cached(self._results, KNOWN, key, work)

    def typical_cup(self, position: Position) -> Cup:
        """Counters that represent all of the game: odds depend little on those that are on the map now."""
        names = [piece.name for piece in position.of_kind(state.INSURGENT)]
        ordered = tuple(sorted(names, key=lambda name: tuple(state.sides(name).values())))
        return self._once(ordered, lambda: _typical(ordered))

    def simplified(self, referee: FuryReferee, scene: Scene) -> Scene:
        """The scene without details that matter little."""
        squad = scene.squad._replace(caat=False, spent=False, pinned=False)
        enemies = tuple([enemy._replace(name="") for enemy in scene.enemies])
        cup = self.typical_cup(referee.position)
        return scene._replace(squad=squad, enemies=enemies, cup=cup, quiet=False, apart=False)

    def assault(self, referee: FuryReferee, scene: Scene, kind: AssaultType, explosives: bool = False) -> Fate:
        """[13.4] One Assault of the first enemy."""
        now = self.simplified(referee, scene)
        results = partial(odds.assault_results, referee, now, kind, explosives)
        key = now, kind, explosives
        return self._once(key, lambda: self._fight(referee, now.squad, self._shared(key, results), "clear"))

    def flood(self, referee: FuryReferee, scene: Scene) -> Fate:
        """[13.4.7.2, 13.4.8] An Assault from the roof and the Flooding after it."""
        now = self.simplified(referee, scene)
        results = partial(odds.descent_results, referee, now, False)
        key = now, "flood"
        return self._once(key, lambda: self._fight(referee, now.squad, self._shared(key, results), "cleared"))

    def entry(self, referee: FuryReferee, scene: Scene, entry: r11_shots.EntryPlace) -> Fate:
        """[12.7] Defensive Fire on entering."""
        now = self.simplified(referee, scene)
        key, results = (now, entry), partial(odds.entry_results, referee, now, entry)
        return self._once(key, lambda: self._entry(referee, now.squad, self._shared(key, results)))

    def shot(self, referee: FuryReferee, shot: r11_shots.Shot) -> float:
        """[11.2] The chance that a shot takes effect."""
        return self._once(shot, lambda: r11_fire.hit_chance(referee, shot))

    def mission(self, referee: FuryReferee, which: str) -> float:
        """[9.1] The chance that a Mission succeeds."""

        def work() -> float:
            return sum([chance for (done, _), chance in r09_support.missions_results(referee, which, 1).items() if done])

        return self._once(("mission", which), work)

    def crossing(self, referee: FuryReferee, squad: Fighter, street: r11_shots.Street) -> Fate:
        """[11.4.2, 12.5.3] Crossing a street; a squad that is hit goes no further."""
        return self._once((squad.steps, squad.iif, street), lambda: self._crossing(referee, squad, street))

    def _fight(self, referee: FuryReferee, squad: Fighter, results: Mapping[tuple[str, str], float], good: str) -> Fate:
        cleared = sum([chance for (where, _), chance in results.items() if where == good])
        return self._toll(referee, squad, cleared, [(fate, chance) for (_, fate), chance in results.items()])

    def _entry(self, referee: FuryReferee, squad: Fighter, results: Mapping[str, float]) -> Fate:
        goes_on = sum([chance for fate, chance in results.items() if "Pinned" not in fate and fate != "eliminated"])
        return self._toll(referee, squad, goes_on, list(results.items()))

    def _crossing(self, referee: FuryReferee, squad: Fighter, street: r11_shots.Street) -> Fate:
        lost = "reduced" if squad.steps == 2 else "eliminated"
        names = {(True, True): f"{lost} and Pinned", (True, False): lost, (False, True): "Pinned", (False, False): ""}
        results = r11_shots.crossing_results(street)
        fates = [(names[result], chance) for result, chance in results.items()]
        return self._toll(referee, squad, results.get((False, False), 0.0), fates, self.constants.squad_stuck)

    def _toll(
        self, referee: FuryReferee, squad: Fighter, good: float, fates: Sequence[tuple[str, float]], pin: float | None = None
    ) -> Fate:
        """The expected result of fates with their chances."""
        return Fate(
            good,
            sum([chance for fate, chance in fates if is_step_loss(fate)]),
            sum([chance * self.harm(referee, squad, fate, pin) for fate, chance in fates]),
            sum([chance * self.weakened(squad, fate) for fate, chance in fates]),
        )


def _cached(cache: dict[Hashable, Any], limit: int, key: Hashable, work: Callable[[], T]) -> T:
    value: T | None = cache.get(key)
    if value is None:
        if len(cache) >= limit:
            cache.clear()
        value = cache[key] = work()
    return value


def _typical(names: tuple[str, ...]) -> Cup:
    indices = [(2 * third + 1) * len(names) // (2 * TYPICAL) for third in range(TYPICAL)]
    chosen = [names[index] for index in indices if index < len(names)]
    return tuple((name, chosen.count(name)) for name in dict.fromkeys(sorted(chosen)))


def _time(tasks: int, turns: int) -> float:
    """The remaining hope if so many tasks must be done in so many turns, including this one."""
    return (1 - 1 / max(turns, 1)) ** tasks
