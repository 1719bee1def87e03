"""The slips that ``mutate`` tries, one after the other: over the core, its layers and all five games."""

from __future__ import annotations

from typing import NamedTuple


class Mutation(NamedTuple):
    """A slip.

    Attributes:
        where: the folder or the file of the package below which its text stands once.
        note: what goes wrong.
        text, instead: what stands there, and what stands there instead.
        tests: the nearest ones.
        same: why nobody could see it, where that is so.
    """

    where: str
    note: str
    text: str
    instead: str
    tests: str
    same: str = ""


_CORE = "tests/core companion/core"
_SESSION = "tests/session"
_CLI = "tests/cli"
_F, _FT = "games/fallujah2004", "tests/games/fallujah2004"
_P, _PT = "games/phantomfury", "tests/games/phantomfury"
_I, _IT = "games/iraqwar2003", "tests/games/iraqwar2003"
_L, _LT = "games/lzalbany", "tests/games/lzalbany"
_C, _CT = "games/fallujahcards", "tests/games/fallujahcards"

MUTATIONS = (
    # -- dice, cups and odds
    Mutation("core", "die 2 of a roll is die 1 of the next", 'f"{seed}/{index}/{part}"', 'f"{seed}/{index + part}"', _CORE),
    Mutation("core", "a pool forgets how many faces are alike", "outcome.weight * many", "outcome.weight", _CORE),
    Mutation("core", "the total of dice has no addition", "sum(roll.faces) + dice.plus", "sum(roll.faces)", _CORE),
    Mutation("core", "a draw is off by one counter", "        if number < 0:\n", "        if number <= 0:\n", _CORE),
    Mutation("core", "draws are with return", "(total - count - number) / (total - number)", "(total - count) / total", _CORE),
    Mutation(
        "core", "costly repeats are not scaled by the free ones", "chance / (1.0 - free) for cost", "chance for cost", _CORE
    ),
    Mutation("core", "rounds cost nothing", "place = (end[0], end[1] + cost) if cost else end", "place = end", _CORE),
    # -- requests and words
    Mutation("core", "a Pick may name the same thing twice", "if len(set(value)) != len(value):", "if False:", _CORE),
    Mutation(
        "core", "a number may be beyond its bounds", "if not self.low <= value <= self.high:", "if value < self.low:", _CORE
    ),
    Mutation("core", "a die may show a seven", "if not self.lowest <= face <= high:", "if face < self.lowest:", _CORE),
    Mutation(
        "core",
        "prefixes come before an exact name",
        "    if exact:\n        return exact\n    if not wanted",
        "    if not wanted",
        _CORE,
    ),
    Mutation("core", "control characters are kept", 'ch if ch.isprintable() else " "', "ch", f"{_CORE} {_CLI}/test_faults.py"),
    Mutation("core", "a list of two is one", 'text.replace(";", ",").split(",")', '[text.replace(";", ",")]', _CORE),
    # -- positions and events
    Mutation(
        "core",
        "a moved piece keeps its place in the pile",
        "        return board.with_piece(new, old, True)",
        "        return board.with_piece(new, old)",
        f"{_CORE} tests/every_game tests/games/fallujahcards",
    ),
    Mutation(
        "core",
        "a mark that is taken off stays",
        "        if self.now is not None:\n            marks",
        "        if True:\n            marks",
        f"{_CORE} tests/every_game",
    ),
    Mutation(
        "core",
        "an index forgets where a piece was",
        "            del groups[there][new.id]\n",
        "            pass\n",
        f"{_CORE} tests/every_game tests/games/fallujahcards",
    ),
    Mutation(
        "core",
        "old sets stay one word",
        "tuple(value.split()) or None if isinstance(value, str)",
        "(value,) if isinstance(value, str)",
        f"{_CORE} tests/archives",
    ),
    # -- history
    Mutation(
        "core",
        "seeded dice count what was taken back",
        "self._rolled = sum(self._rolls.get(number, 0) for number in self.force)",
        "self._rolled = sum(self._rolls.values())",
        f"{_SESSION} {_CORE}",
    ),
    Mutation(
        "core",
        "play goes on and redo still works",
        "            self.redos.clear()\n            self._amends.clear()\n",
        "            pass\n",
        _SESSION,
    ),
    Mutation(
        "core",
        "an undo is taken back by the next undo",
        'self.redos.append(change.inverse("redo"))',
        "self.redos.append(change)",
        _SESSION,
    ),
    Mutation(
        "core",
        "the set-up can be taken back",
        "if count < 1 or count > there:",
        "if count < 1 or count > len(self.force):",
        _SESSION,
    ),
    Mutation(
        "core",
        "what nobody decided is a reply that must fit",
        "return not self.by_hand and not self.random and not self.adjusted",
        "return False",
        f"{_SESSION} {_CORE}",
    ),
    # -- the board-fix list
    Mutation(
        "core",
        "the board-fix list names the old face",
        "side = game.face_title(new, new.face)",
        "side = game.face_title(new, old.face)",
        _CORE,
    ),
    Mutation(
        "core", "pieces that are alike are told one by one", 'key[0] if count == 1 else f"{count} x {key[0]}"', "key[0]", _CORE
    ),
    # -- answers
    Mutation(
        "core",
        "what is told anew is not heard",
        "told_anew = isinstance(request, Printed) and any(",
        "told_anew = False and any(",
        f"{_SESSION} {_CORE}",
    ),
    Mutation(
        "core",
        "an answer for nobody is lost in silence",
        "        if not left:\n            return\n        for key",
        "        return\n        for key",
        f"{_SESSION} {_CLI}",
    ),
    Mutation(
        "core",
        "a sample counts as told",
        'request.check(request.fallback), "sample"',
        'request.check(request.fallback), "remembered"',
        f"{_SESSION} {_CLI}",
    ),
    Mutation(
        "core",
        "a track goes beyond its end",
        "value = value if high is None else min(high, value)",
        "value = value",
        f"{_CORE} tests/every_game",
    ),
    Mutation(
        "core",
        "a track that is not there is set",
        "raise ValueError(f\"the game has no track '{track}'\")",
        "return",
        f"{_CORE} tests/every_game",
    ),
    Mutation(
        "core",
        "a place that nobody declared goes",
        'return "" if name in names else',
        'return "" if True else',
        f"{_CORE} tests/every_game",
    ),
    Mutation(
        "core", "a chart may have a gap", "        if span.low > expected:\n", "        if False:\n", f"{_SESSION}/test_tables.py"
    ),
    Mutation(
        "core",
        "a row of its own rule cites the chart's",
        "return self.cites.get(self.row(key), self.rule)",
        "return self.rule",
        "tests/games/fallujah2004 tests/core",
    ),
    # -- session
    Mutation("session", "replies are not synced to the disk", "'FULL' if mode", "'NORMAL' if mode", _SESSION),
    Mutation("session", "a second window overwrites", "if head != expected_seq:", "if False:", _SESSION),
    Mutation(
        "session", "what was put right comes before the last reply", "max(at, self._since, *ends)", "max(at, 0, *ends)", _SESSION
    ),
    Mutation(
        "session",
        "what was put right comes first whatever comes of it",
        "if same and self.position == seen.position:",
        "if same:",
        f"{_SESSION} tests/every_game",
    ),
    Mutation("session", "an adjustment is not heeded by what goes by it", "self.referee.relied & {", "set() & {", "tests/games"),
    Mutation(
        "session",
        "an amend leaves the later entries in force",
        "taken = (number, *(other.number for other in later))",
        "taken = (number,)",
        _SESSION,
    ),
    Mutation(
        "session",
        "a bundle may hold fractions",
        "    if isinstance(value, float) and not (thought and _points(value)):\n",
        "    if False:\n",
        f"{_SESSION}/test_transfer.py",
    ),
    Mutation("session", "printed facts are overwritten", "(game, key, number, value", "(game, key, number - 1, value", _SESSION),
    # -- views and the command line
    Mutation(
        "views",
        "the log does not say that an undo went past a roll",
        '            text += " (past a roll)"\n',
        "            pass\n",
        "tests/views tests/cli/test_contract.py",
    ),
    Mutation("cli", "an exit with a question open is a success", "PENDING = QuestionPending.exit_code", "PENDING = 0", _CLI),
    # -- Fallujah 2004
    Mutation(
        _F, "an event counts for the Edge in every round", "(scene.event_edge if battle.opening else 0)", "scene.event_edge", _FT
    ),
    Mutation(
        _F,
        "an Amtrac speeds two units up",
        'if game.unit_class(piece) == "light"][:amtracs]',
        'if game.unit_class(piece) == "light"][: 2 * amtracs]',
        _FT,
    ),
    Mutation(
        _F,
        "a tie at the Edge goes to the Coalition",
        'return tie if margin == 0 else "coalition" if margin > 0',
        'return "coalition" if margin >= 0',
        _FT,
    ),
    Mutation(
        _F,
        "a Strongpoint shields from engineers too",
        "if scene.strongpoint and not engineer and raw else raw",
        "if scene.strongpoint and raw else raw",
        _FT,
    ),
    Mutation(
        _F, "morale is lowered by an equal total no more", "-1 if sum(roll) <= held else 1", "-1 if sum(roll) < held else 1", _FT
    ),
    Mutation(
        _F,
        "two leaders are worth two",
        "return lead + int(leader) + int(battle.netwar) + int(scene.fob)",
        "return lead + sum(one.leader for one in battle.coalition) + int(battle.netwar) + int(scene.fob)",
        _FT,
    ),
    Mutation(
        _F,
        "a force with others in it infiltrates",
        "if not all(is_sof(piece) for piece in force):",
        "if not any(is_sof(piece) for piece in force):",
        _FT,
    ),
    Mutation(_F, "Nodes left on the map cost nothing", '"Nodes left on the map", -left', '"Nodes left on the map", 0', _FT),
    # -- Phantom Fury
    Mutation(_P, "a Medal of Honor is worth 1", '"Medal of Honor": 2', '"Medal of Honor": 1', _PT),
    Mutation(
        _P,
        "a reduced squad may not leave a Zone of the insurgents",
        "if squad.face != REDUCED or not controlled(game.position, goal) or",
        "if True or",
        _PT,
    ),
    Mutation(_P, "an unmodified 9 hits", "return face != 9 and face + modifier <= cf", "return face + modifier <= cf", _PT),
    Mutation(
        _P,
        "Defensive Fire on the CF is a Step Loss",
        '"loss" if final < cf else "pinned" if final == cf',
        '"loss" if final <= cf else "pinned" if final == cf + 1',
        _PT,
    ),
    Mutation(
        _P,
        "an IED above the CF only Pins",
        '    if face <= cf:\n        stage.say(f"IED:',
        '    if True:\n        stage.say(f"IED:',
        _PT,
    ),
    Mutation(_P, "a CAAT outlives its squad", "caat=squad.caat and squad.steps > 1", "caat=squad.caat", _PT),
    Mutation(_P, "Guerillas give no Victory Point", "    if guerillas:\n", "    if False:\n", _PT),
    Mutation(
        _P,
        "turns that are left give nothing",
        """game.points("turn_left", "7.2.1", f"{plural(rest, 'turn')} not played", rest)""",
        """game.points("turn_left", "7.2.1", f"{plural(rest, 'turn')} not played", 0)""",
        _PT,
    ),
    Mutation(
        _P,
        "a squad crosses a Zone of the insurgents",
        "if zone and zone not in (home, goal)",
        "if False and zone not in (home, goal)",
        _PT,
    ),
    # -- Iraq War 2003
    Mutation(
        _I,
        "radar that nobody has told counts as destroyed",
        "return not all_of_it or bool(intact(all_of_it))",
        "return bool(intact(all_of_it))",
        _IT,
    ),
    Mutation(_I, "a storm goes on after the combat segment", 'game.set_flag(GROUNDED, None, "16.6(3)")', "pass", _IT),
    Mutation(_I, "disruption rounds down", "-(-printed // 2)", "printed // 2", _IT),
    Mutation(_I, "a ratio is rounded in the attacker's favour", "2 - -(-defence // attack)", "2 - defence // attack", _IT),
    Mutation(
        _I,
        "the column is clamped before the shift",
        "min(max(ladder_index(attack, defence) + shift, 0), len(LADDER) - 1)",
        "min(max(min(max(ladder_index(attack, defence), 0), len(LADDER) - 1) + shift, 0), len(LADDER) - 1)",
        _IT,
    ),
    Mutation(
        _I, "stealth can be fired at", "flier.side != shooter.side and not flier.stealth", "flier.side != shooter.side", _IT
    ),
    Mutation(_I, "a hit always removes", "return REMOVED if second <= value else USED", "return REMOVED", _IT),
    Mutation(
        _I,
        "Saddam Hussein does not matter to the radios",
        "return (DIE,) if game.position.flag(SADDAM) == FOUND else (RADIO, DIE)",
        "return (RADIO, DIE)",
        _IT,
    ),
    Mutation(
        _I, "a Radio destroyed this turn is gone at once", "(0 if missed_at_once(game) else len(_fresh(game, there)))", "0", _IT
    ),
    # -- LZ Albany
    Mutation(
        _L,
        "wounded are carried by a platoon of another area",
        "(piece.place, to) not in carrying:",
        "to not in {one for _, one in carrying}:",
        _LT,
    ),
    Mutation(_L, "three flares with a chit", "MOST_FLARES = 2", "MOST_FLARES = 3", _LT),
    Mutation(_L, "a senior officer acts three times", "SENIOR_ACTS = 2", "SENIOR_ACTS = 3", _LT),
    Mutation(
        _L,
        "an NVA unit leaves wounded behind",
        "self._replace(kind=WOUNDED, hits=REMOVED) if self.side == US else None",
        "self._replace(kind=WOUNDED, hits=REMOVED)",
        _LT,
    ),
    Mutation(
        _L,
        "reduced units rally",
        "[p for p in game.on_map(side, UNIT) if hits_on(p) in (1, 2)]",
        "[p for p in game.on_map(side, UNIT) if hits_on(p) in (1, 2, 3)]",
        _LT,
    ),
    Mutation(_L, "any officer helps any unit", "(is_senior(officer) or company_of(p) == company_of(officer))", "True", _LT),
    Mutation(
        _L,
        "every officer of a stack adds a die to a unit",
        "helped = min(force.officers, len(able))",
        "helped = force.officers",
        _LT,
    ),
    Mutation(_L, "artillery alone in LZ Columbus answers in melee", "if area == COLUMBUS and all(", "if False and all(", _LT),
    Mutation(
        _L,
        "control of LZ Albany by melee first",
        'order = ("melee", "fire") if by_melee else ("fire", "melee")',
        'order = ("melee", "fire")',
        _LT,
    ),
    # -- the card game
    Mutation(
        _C,
        "a card of equal force is too weak",
        "return card.destroys and card.force >= target.force",
        "return card.destroys and card.force > target.force",
        _CT,
    ),
    Mutation(_C, "Support disarms", 'card.disarms == "force" and card.force >= target.force', "card.force >= target.force", _CT),
    Mutation(_C, "Insurgency cards that are drawn come into the hand", "HAND if american else DISCARD", "HAND", _CT),
    Mutation(_C, "Recon looks at the end of the deck", "many = min(game.limits.seen, game.left)", "many = game.limits.seen", _CT),
    Mutation(
        _C,
        "casualties count for the Americans",
        "base - sum(forces_in(position, CASUALTY",
        "base + sum(forces_in(position, CASUALTY",
        _CT,
    ),
    Mutation(
        _C, "the model keeps cards beyond the limit", "now = [first.kept(hand) for hand in hands]", "now = list(hands)", _CT
    ),
)
