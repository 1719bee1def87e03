"""The text above the prompt, and the names of counters."""

from __future__ import annotations

from tests.games.fallujah2004.field import Field


def banner(field: Field) -> dict[str, str]:
    return {row.label: row.value for row in field.game.banner(field.position, field.options).fields}


def test_the_banner_counts_what_is_in_hand() -> None:
    """[3.3, 22.0] Tracks, Nodes, the cup, strikes, and NetWar with the Intel kept as such."""
    field = Field()
    field.put("available", "Air Strike (3)", "NetWar", "NetWar", "Intel")
    field.node("captured", "c2")
    shown = banner(field)

    assert shown["Strikes"] == "1, NetWar 3"
    assert shown["Nodes"] == "20 concealed, 1 captured"
    field.node("3-8", "al_qaeda")
    assert banner(field)["Nodes"] == "19 concealed, 1 revealed, 1 captured"
    assert (shown["OPs"], shown["KIA"], shown["Morale"]) == ("65", "0", "Medium")
    assert shown["Reaction cup"] == str(len(field.position.at("reaction cup")))


def test_the_banner_says_where_play_is() -> None:
    """[7.0, 30.0] Set-up, operations, the end; in the campaign which battle."""
    field = Field("campaign")
    assert field.game.banner(field.position, field.options).stage == "Set-up, first battle"
    field.put("available", "NetWar")
    field.do("j5", "markers=1", dice=[2])
    assert field.game.banner(field.position, field.options).stage == "Operations, first battle"
    field.clear_map()
    field.do("end", "msr=no", "held=0")
    assert field.game.banner(field.position, field.options).stage == "The game is over, first battle"
    field.do("second")
    assert field.game.banner(field.position, field.options).stage == "Set-up, second battle"


def test_the_banner_reminds() -> None:
    """[14.5, 30.2(1)] Of doubled prices and of leaders who wait for a unit."""
    field = Field()
    assert field.game.banner(field.position, field.options).reminders == ()
    field.put("in play", "Uprising Elsewhere")
    field.put("kept", "Leader A")
    reminders = field.game.banner(field.position, field.options).reminders

    assert any("double [14.5]" in line for line in reminders)
    assert any("Leader A [30.2(1)]" in line for line in reminders)


def test_units_are_shown_with_the_side_that_is_up() -> None:
    """[4.2] Firepower, contact, movement."""
    field = Field()
    assert field.game.piece_title(field.find("3/1")) == "USMC 3/1 3(3)3"
    field.reduce("3/1")
    assert field.game.piece_title(field.find("3/1")) == "USMC 3/1 2(2)3 reduced"
    assert field.game.piece_title(field.find("HG 1")) == "Joint HG 1 3(3)air"
    assert field.game.piece_title(field.find("NetWar")) == "NetWar"


def test_the_number_beside_an_operation_is_its_own() -> None:
    """[10.1] 3 at the prompt for actions is J-3, and never J-1."""
    assert [action.id for action in Field().game.actions][:5] == ["j1", "j2", "j3", "j4", "j5"]
