"""The Pass Road by its paragraphs: each is cited where it is shown to work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import product

import pytest

from companion.core.errors import Illegal
from companion.testing.table import Table

AUTUMN = "autumn"


def table(scenario: str = AUTUMN, **options: str) -> Table:
    return Table("passroad", scenario, **options)


def arranged(at: str = "", bands: Mapping[str, str] | None = None, dawn: bool = True, **tracks: int) -> Table:
    """A table on which the column is somewhere, bands are somewhere (the others in the hills), and the dawn is over."""
    one = table()
    lay(one, at, bands, dawn, **tracks)
    return one


def lay(one: Table, at: str = "", bands: Mapping[str, str] | None = None, dawn: bool = True, **tracks: int) -> None:
    async def put(game: object) -> None:
        referee = game  # the game's own referee
        if at:
            referee.move(referee.marker.id, at, "1.2")  # type: ignore[attr-defined]
        for band in referee.bands if bands is not None else ():  # type: ignore[attr-defined]
            referee.move(band.id, bands.get(band.name[-1], "hills"), "1.3")  # type: ignore[attr-defined, union-attr]
        referee.set_flag("order", dawn or None, "3.2")  # type: ignore[attr-defined]
        for track, value in tracks.items():
            referee.set_track(track, value, "1.4", "a test")  # type: ignore[attr-defined]

    one.play(put)


def at(one: Table, name: str) -> str:
    return next(piece.place for piece in one.position.pieces.values() if piece.name == name)


def face(one: Table, name: str) -> str:
    return next(piece.face for piece in one.position.pieces.values() if piece.name == name)


# -- sections 1 and 2 --------------------------------------------------------------------------------------------------


def test_the_map_is_that_of_the_list() -> None:
    """[1.1] Every way leads both ways, and no two areas are joined twice."""
    land = table().game.land  # type: ignore[attr-defined]

    assert len(land.areas) == 12
    assert all(here in land.next[there] for here in land.areas for there in land.next[here])
    assert all(not set(land.road[area]) & set(land.track[area]) for area in land.areas)
    assert land.next["shrine"] == ("terrace", "hut", "crags", "saddle")
    assert sum(map(len, land.next.values())) == 2 * 18


@pytest.mark.parametrize(("scenario", "snow", "band_d", "chits"), [(AUTUMN, 0, "hills", 16), ("first_snow", 1, "hut", 17)])
def test_the_set_up(scenario: str, snow: int, band_d: str, chits: int) -> None:
    """[1.2, 1.3, 1.4, 2.1, 2.2, 2.3] And the pieces of [1.5]."""
    one = table(scenario)

    assert at(one, "Column") == "depot"
    assert one.names_at("column") == ["Guards", "Pioneers", "Rifles", "Scouts", "Wagon 1", "Wagon 2", "Wagon 3", "Wagon 4"]
    assert [one.track(name) for name in ("turn", "stores", "fatigue", "snow", "resolve")] == [1, 7, 0, snow, 6]
    assert [at(one, f"Band {letter}") for letter in "ABCDE"] == ["gorge", "terrace", "crags", band_d, "hills"]
    assert len(one.position.at("cup")) == chits


# -- sections 3 and 4 --------------------------------------------------------------------------------------------------


def test_the_dawn_comes_first_and_once() -> None:
    """[3.1, 3.2, 7.4]"""
    one = table()
    barred = [action.id for action in one.game.actions if one.game.obstacle_to(action.id, one.position)]
    assert barred == ["march", "attack", "rest", "scout"]
    one.do("dawn", draws=["Quiet"])
    assert one.game.obstacle_to("dawn", one.position)
    one.do("rest")
    assert (one.track("turn"), one.game.default_action(one.position)) == (2, "dawn")


def test_a_chit_that_was_drawn_is_out_of_the_game() -> None:
    """[4.1, 4.2]"""
    one = table()
    one.do("dawn", draws=["Quiet"])

    assert one.names_at("drawn") == ["Quiet"]
    assert Counter(one.names_at("cup"))["Quiet"] == 2
    assert "A quiet dawn [4.2]" in one.said


def test_snow_rises_and_nobody_acts() -> None:
    """[4.4]"""
    one = table()
    one.do("dawn", draws=["Snow"])

    assert one.track("snow") == 1
    assert [at(one, f"Band {letter}") for letter in "ABC"] == ["gorge", "terrace", "crags"]


def test_bands_act_once_or_twice_and_each_once() -> None:
    """[4.3, 5.1]"""
    moved = []
    for chit in ("Stir", "In Force"):
        one = table()
        before = {letter: at(one, f"Band {letter}") for letter in "ABCDE"}
        one.do("dawn", draws=[chit])
        moved.append([letter for letter in "ABCDE" if at(one, f"Band {letter}") != before[letter]])

    assert [len(names) for names in moved] == [1, 2]


def test_rocks_fall_on_the_way_and_cost_a_track() -> None:
    """[4.5, 6.3]"""
    one = arranged("mill", {}, dawn=False)
    one.do("dawn", draws=["Rockfall"])
    assert at(one, "Rocks") == "toll"
    one.do("march", "to=toll", dice=[1])
    assert (at(one, "Column"), at(one, "Rocks"), one.track("fatigue")) == ("toll", "aside", 1)


def test_rocks_do_not_fall_on_the_fort() -> None:
    """[4.5]"""
    one = arranged("saddle", {}, dawn=False)
    one.do("dawn", draws=["Rockfall"])

    assert at(one, "Rocks") == "aside"


def test_the_shepherd_misleads_a_band_or_brings_stores() -> None:
    """[4.6]"""
    one = arranged("mill", {"A": "toll", "B": "terrace"}, dawn=False)
    one.do("dawn", "band=Band B", draws=["Shepherd"])
    assert (at(one, "Band A"), at(one, "Band B")) == ("toll", "hills")
    alone = arranged("depot", {}, dawn=False)
    alone.do("dawn", draws=["Shepherd"])
    assert alone.track("stores") == 8


def test_an_empty_cup_lets_the_bands_act_once() -> None:
    """[4.7]"""
    one = arranged("depot", {}, dawn=False)

    async def emptied(game: object) -> None:
        for chit in game.position.at("cup"):  # type: ignore[attr-defined]
            game.move(chit.id, "drawn", "4.1")  # type: ignore[attr-defined]

    one.play(emptied)
    one.do("dawn")

    assert "The cup is empty [4.7]" in one.said
    assert [at(one, f"Band {letter}") for letter in "ABCDE"].count("crags") == 1


# -- section 5 ---------------------------------------------------------------------------------------------------------


def test_the_strongest_band_that_dares_raids() -> None:
    """[5.1, 5.2, 5.8] C at the Saddle: 4, cover, another band, two pairs of companies: +4."""
    one = arranged("hut", {"A": "toll", "C": "saddle"}, dawn=False)
    one.do("dawn", draws=["Stir"], dice=[1, 4])

    assert one.said[0] == "Band C raids from the Saddle [5.2]"
    assert one.said[1] == "Raid: 1+4 +4 = 9 -> shots [5.7]"
    assert one.track("fatigue") == 1


def test_a_band_that_does_not_dare_bars_the_way() -> None:
    """[5.3, 5.6, 5.8] B: 2, two pairs of companies, in camp: -1; it goes to the Toll, which is next."""
    one = arranged("mill", {"B": "terrace"}, dawn=False)

    async def camped(game: object) -> None:
        game.set_flag("camp", True, "6.8")  # type: ignore[attr-defined]
        game.set_flag("scouted", "terrace", "6.9")  # type: ignore[attr-defined]

    one.play(camped)
    one.do("dawn", draws=["Stir"])

    assert one.said[0] == "Band B bars the way at the Toll [5.3]"
    assert at(one, "Band B") == "toll"


def test_bands_close_in_by_the_higher_ground() -> None:
    """[5.4] From the Crags the Gorge and the Shrine are both nearer to the Terrace; the Shrine is a height."""
    one = arranged("terrace", {"C": "crags"}, dawn=False)

    assert one.game.land.onward("terrace") == "mill"  # type: ignore[attr-defined]
    one.do("dawn", draws=["Stir"])
    assert one.said[0] == "Band C closes in on the Shrine [5.4]"


@pytest.mark.parametrize(("column", "area"), [("depot", "crags"), ("gorge", "shrine"), ("shrine", "hills")])
def test_a_band_comes_down_away_from_the_column(column: str, area: str) -> None:
    """[5.5]"""
    one = arranged(column, {}, dawn=False)
    one.do("dawn", draws=["Stir"])

    assert at(one, "Band C") == area


def test_the_way_to_the_fort() -> None:
    """[5.6] By road; off the road first to the nearest area that has one, of equals the one that is listed first."""
    land = table().game.land  # type: ignore[attr-defined]
    expected = {"depot": "bridge", "toll": "hut", "saddle": "fort", "fort": "", "birches": "bridge", "crags": "saddle"}

    assert {area: land.onward(area) for area in expected} == expected
    assert (land.onward("shrine"), land.onward("gorge")) == ("hut", "birches")


def raided(dice: list[int], *answers: str, **tracks: int) -> Table:
    """A raid by D from the Terrace: 3, cover, two other bands, less the two pairs of companies: +4."""
    one = arranged("mill", {"A": "toll", "B": "bridge", "D": "terrace"}, dawn=False, **tracks)
    one.do("dawn", *answers, draws=["Stir"], dice=dice)
    return one


def test_a_raid_that_is_caught_or_driven_off() -> None:
    """[5.7, 5.8] A at the Toll: 3 less the two pairs of companies, +1; with 2 that is 3, with 4 it is 5."""
    one = arranged("mill", {"A": "toll"}, dawn=False)
    one.do("dawn", draws=["Stir"], dice=[1, 1])
    assert (at(one, "Band A"), one.track("resolve")) == ("scattered", 5)
    other = arranged("mill", {"A": "toll"}, dawn=False)
    other.do("dawn", draws=["Stir"], dice=[1, 3])
    assert (at(other, "Band A"), other.track("resolve")) == ("hills", 6)


def test_a_column_that_is_pressed_chooses_the_price() -> None:
    """[5.7, 5.9]"""
    paid = raided([4, 4], "price=stores")
    assert paid.track("stores") == 5
    hurt = raided([4, 4], "price=company", "loss=Scouts")
    assert face(hurt, "Scouts") == "reduced"


@pytest.mark.parametrize(("last_stores", "offers"), [("kept", ["company"]), ("paid", ["company", "stores"])])
def test_the_last_stores_are_no_price(last_stores: str, offers: list[str]) -> None:
    """[5.7, 5.9] Ruling P-1, by the option last_stores."""
    one = table(last_stores=last_stores)
    lay(one, "mill", {"A": "toll", "B": "bridge", "D": "terrace"}, False, stores=1)
    answers = ["loss=Guards"] if last_stores == "kept" else ["price=stores"]
    one.do("dawn", *answers, draws=["Stir"], dice=[4, 4])

    price = next(request for request in one.asked if request.key == "price")
    assert [choice.value for choice in price.legal_choices()] == offers
    assert (face(one, "Guards"), one.track("stores")) == (("reduced", 1) if last_stores == "kept" else ("front", 0))


def test_among_the_wagons() -> None:
    """[5.7, 5.9]"""
    wagon = raided([6, 6], "price=wagon")
    assert wagon.names_at("lost") == ["Wagon 4"]
    companies = raided([6, 6], "price=companies", "loss=Scouts", "loss=Scouts")
    assert companies.names_at("lost") == ["Scouts"]


def test_another_band_counts_also_when_it_has_acted() -> None:
    """[5.8] Ruling P-2: the second raid in force meets both."""
    one = arranged("mill", {"A": "toll", "D": "bridge"}, dawn=False)
    one.do("dawn", draws=["In Force"], dice=[3, 3, 3, 3])

    assert one.said[1] == "Raid: 3+3 +2 = 8 -> shots [5.7]"
    assert one.said[3] == "Raid: 3+3 +2 = 8 -> shots [5.7]"


# -- section 6 ---------------------------------------------------------------------------------------------------------


def test_a_march_by_road_is_followed_by_the_evening() -> None:
    """[6.1, 6.2, 7.1]"""
    one = arranged("depot", {})
    one.do("march", "to=bridge")

    assert (at(one, "Column"), one.track("fatigue"), one.track("stores"), one.track("turn")) == ("bridge", 0, 6, 2)


def test_nobody_marches_into_bands_or_too_far() -> None:
    """[6.2]"""
    one = arranged("mill", {"A": "toll"})
    with pytest.raises(Illegal, match="bands stand at the Toll"):
        one.do("march", "to=toll")
    with pytest.raises(Illegal, match="cannot be reached"):
        one.do("march", "to=saddle")


@pytest.mark.parametrize(("rolled", "arrives"), [(1, "mill"), (2, "terrace")])
def test_a_track_costs_fatigue_and_may_hold_the_column(rolled: int, arrives: str) -> None:
    """[1.6, 6.3] Snow 1 and the Pioneers: 3 is needed, with a 2."""
    one = arranged("mill", {}, snow=1)
    one.do("march", "to=terrace", dice=[rolled] if arrives == "mill" else [rolled, 6])

    assert (at(one, "Column"), one.track("fatigue")) == (arrives, 1)


def test_a_forced_march_goes_two_areas() -> None:
    """[6.4] Not through a rockfall, nor when tired."""
    one = arranged("depot", {})
    one.do("march", "to=mill")
    assert (at(one, "Column"), one.track("fatigue")) == ("mill", 2)
    tired = arranged("depot", {}, fatigue=2)
    with pytest.raises(Illegal) as no:
        tired.do("march", "to=mill")
    assert no.value.rule == "6.4"


def attacked(dice: list[int], *answers: str, **tracks: int) -> Table:
    """The column at the Mill against A at the Toll with Rifles, Guards and Pioneers: 8 against 3, +2."""
    one = arranged("mill", {"A": "toll"}, **tracks)
    one.do("attack", "area=toll", "companies=Rifles, Guards, Pioneers", "sure=yes", *answers, dice=dice)
    return one


def test_an_attack_that_clears_the_road_is_followed_up() -> None:
    """[6.5, 6.6, 6.7]"""
    one = attacked([4, 4], "follow=yes")

    assert "Attack: 4+4 +2 = 10 -> the bands fall back [6.5]" in one.said
    assert (at(one, "Band A"), at(one, "Column"), one.track("fatigue")) == ("hills", "toll", 1)


def test_an_attack_that_is_thrown_back() -> None:
    """[5.9, 6.5] Only who took part can take the loss."""
    one = attacked([1, 1], "loss=Pioneers")

    assert (face(one, "Pioneers"), one.track("fatigue"), at(one, "Band A")) == ("reduced", 1, "toll")
    with pytest.raises(Exception, match="Scouts"):
        attacked([1, 1], "loss=Scouts")


def test_bands_that_are_scattered() -> None:
    """[6.5] The strongest alone, or all; the resolve falls with each."""
    one = arranged("mill", {"A": "toll", "B": "toll"}, snow=0)
    one.do("attack", "area=toll", "companies=Rifles, Guards, Pioneers", "sure=yes", "follow=no", dice=[5, 6])
    assert (at(one, "Band A"), at(one, "Band B"), one.track("resolve")) == ("scattered", "hills", 5)
    other = attacked([6, 6], "follow=no")
    assert (at(other, "Band A"), other.track("resolve")) == ("scattered", 5)


def test_one_company_stays_with_the_wagons() -> None:
    """[6.5]"""
    one = arranged("mill", {"A": "toll"})
    with pytest.raises(Exception, match="4 named"):
        one.do("attack", "area=toll", "companies=all", "sure=yes", dice=[3, 3])


def test_without_stores_nobody_attacks() -> None:
    """[6.1]"""
    one = arranged("mill", {"A": "toll"}, stores=0)
    obstacle = one.game.obstacle_to("attack", one.position)

    assert obstacle and obstacle.rule == "6.1"


def test_an_attack_that_is_called_off_is_no_order() -> None:
    """[6.5]"""
    one = arranged("mill", {"A": "toll"})
    one.do("attack", "area=toll", "companies=Rifles", "sure=no")

    assert one.track("turn") == 1 and one.game.obstacle_to("rest", one.position) is None


def test_nobody_follows_up_on_a_track() -> None:
    """[6.7: road]"""
    one = arranged("mill", {"A": "terrace"})
    one.do("attack", "area=terrace", "companies=Rifles, Guards, Pioneers", "sure=yes", dice=[5, 5])

    assert (at(one, "Band A"), at(one, "Column")) == ("hills", "mill")


def test_a_spent_column_stays() -> None:
    """[6.7: spent] It attacks at one less [6.6]."""
    one = attacked([4, 4], fatigue=4)

    assert "Attack: 4+4 +1 = 9 -> the bands fall back [6.5]" in one.said
    assert (at(one, "Column"), at(one, "Band A")) == ("mill", "hills")


def test_a_rest_makes_camp_and_refits() -> None:
    """[6.8] For one stores; the camp is broken by the next order."""
    one = attacked([1, 1], "loss=Pioneers", fatigue=2)
    one.do("dawn", draws=["Quiet"])
    one.do("rest", "refit=Pioneers")
    assert (face(one, "Pioneers"), one.track("fatigue"), one.track("stores")) == ("front", 1, 4)
    assert one.position.flag("camp")
    one.do("dawn", draws=["Quiet"])
    one.do("march", "to=bridge")
    assert not one.position.flag("camp")


@pytest.mark.parametrize(("rolled", "seen"), [(1, None), (2, "toll")])
def test_scouting_with_the_scouts(rolled: int, seen: str | None) -> None:
    """[6.9]"""
    one = arranged("mill", {"A": "toll"})
    one.do("scout", "area=toll", dice=[rolled])

    assert one.position.flag("scouted") == seen


# -- sections 7 and 8 --------------------------------------------------------------------------------------------------


def test_a_hungry_column_tires_and_freezes() -> None:
    """[7.1, 7.2] Without stores the cold bites with a 1 also without snow."""
    one = arranged("depot", {}, stores=0)
    one.do("march", "to=bridge", "loss=Scouts", dice=[1])

    assert (one.track("fatigue"), face(one, "Scouts")) == (1, "reduced")


def test_cold_on_a_height_but_not_in_camp() -> None:
    """[7.2] Ruling P-4."""
    one = arranged("shrine", {}, snow=2)
    one.do("scout", "area=hut", dice=[6, 3])
    assert "The cold: 3, 2 or less is a loss: nothing [7.2]" in one.said
    camped = arranged("shrine", {}, snow=2)
    camped.do("rest")
    assert not [line for line in camped.said if "cold" in line]


def test_without_resolve_the_bands_go_home() -> None:
    """[7.3]"""
    one = arranged("depot", {}, resolve=0)
    one.do("rest")

    assert len(one.position.at("scattered")) == 5


def test_the_fort_ends_the_game_and_counts() -> None:
    """[8.1, 8.2, 8.3] Four wagons 12, four companies 8, six turns left."""
    one = arranged("saddle", {}, turn=4)
    one.do("march", "to=fort")
    score = one.game.score(one.position, one.options)

    assert one.game.over(one.position) == "the column is at the Fort"
    assert (score.total, score.verdict, one.track("turn")) == (26, "the relief of which songs are made", 4)


def test_turn_ten_and_the_last_wagon_end_it_too() -> None:
    """[8.1, 8.2]"""
    one = arranged("mill", {}, turn=10)
    one.do("rest")
    assert one.game.over(one.position) == "turn 10 is over"
    assert one.game.score(one.position, one.options)[1:3] == (0, "the Fort falls")
    bare = arranged("mill", {})

    async def robbed(game: object) -> None:
        for wagon in game.wagons:  # type: ignore[attr-defined]
            game.move(wagon.id, "lost", "5.9")  # type: ignore[attr-defined]

    bare.play(robbed)
    assert bare.game.over(bare.position) == "no wagon is left"


def test_the_example_of_the_rulebook() -> None:
    """[4.3, 5.1, 5.2, 5.7, 5.8, 5.9, 6.5, 6.6, 6.7, 7.1, 7.2] As it is told there, die by die."""
    one = arranged("mill", {"A": "toll", "B": "terrace"}, dawn=False, turn=3, stores=5)
    one.do("dawn", "price=companies", "loss=Rifles", "loss=Guards", draws=["In Force"], dice=[5, 5, 2, 3])
    assert [line for line in one.said if line.startswith("Raid")] == [
        "Raid: 5+5 +2 = 12 -> broken in [5.7]",
        "Raid: 2+3 +3 = 8 -> shots [5.7]",
    ]
    one.do("attack", "area=toll", "companies=Rifles, Guards, Pioneers", "sure=yes", "follow=yes", dice=[3, 5])
    assert "Attack: 3+5 +2 = 10 -> the bands fall back [6.5]" in one.said
    assert (at(one, "Band A"), at(one, "Column"), face(one, "Rifles"), face(one, "Guards")) == (
        "hills",
        "toll",
        "reduced",
        "reduced",
    )
    assert [one.track(name) for name in ("turn", "stores", "fatigue")] == [4, 4, 2]


# -- chances, against a count of all 36 rolls ----------------------------------------------------------------------------


def counted(drm: int, rows: Mapping[str, range]) -> dict[str, float]:
    totals = Counter(one + other + drm for one, other in product(range(1, 7), repeat=2))
    return {name: sum(totals[total] for total in span) / 36 for name, span in rows.items()}


@pytest.mark.parametrize("drm", range(-4, 4))
def test_odds_of_an_attack(drm: int) -> None:
    """[6.5, 6.6] Strengths count 2 at most, a height 2 against: 5 and 9 against 3 are alike."""
    ground = "height" if drm < -1 else "open"
    strength = 9 if drm > 1 else 3
    other = drm + 2 * (ground == "height") - 2 * (strength == 9)
    odds = table().odds("attack", f"strength={strength}", "bands=3", f"ground={ground}", "pioneers=no", f"other={other}")
    cleared = dict(odds.sections[1][1])["the area is cleared"]

    assert odds.notes[0] == f"DRM {drm:+d}"
    assert cleared == pytest.approx(counted(drm, {"cleared": range(7, 40)})["cleared"])


@pytest.mark.parametrize("drm", (-3, 0, 2, 5))
def test_odds_of_a_raid(drm: int) -> None:
    """[5.7]"""
    rows = {
        "scattered": range(-20, 4),
        "driven off": range(4, 7),
        "shots": range(7, 10),
        "pressed": range(10, 12),
        "broken in": range(12, 40),
    }
    expected = {name: chance for name, chance in counted(drm, rows).items() if chance}

    assert dict(table().odds("raid", f"drm={drm}").sections[0][1]) == pytest.approx(expected)


def test_odds_of_a_chit_and_of_an_attack_from_here() -> None:
    """[4.1, 6.5]"""
    one = arranged("mill", {"A": "toll"})

    assert dict(one.odds("chit").sections[0][1])["Stir"] == pytest.approx(5 / 16)
    assert one.odds("here").notes[0] == "DRM +2"
    with pytest.raises(Illegal):
        arranged("mill", {}).odds("here")


# -- who plays ---------------------------------------------------------------------------------------------------------


def test_the_captain_gets_through_more_often_than_chance() -> None:
    """[8.3] Forty games of each."""
    from companion import api

    captain, anybody = (api.simulate("passroad", 40, policies=name, seed=1) for name in ("bot", "random"))

    assert not [one.error for one in (*captain.played, *anybody.played) if one.error]
    assert captain.share("won")[0] > 0.6 > 0.2 > anybody.share("won")[0]
