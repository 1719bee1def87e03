"""Which message a text has: the id of its template, and what stands in its fields."""

from __future__ import annotations

import pytest

from companion.core.messages import Message, MessageCatalogue, entry_faults, make_template

ENTRIES = {
    "hit": {"text": "{unit} fires: {roll}, hit", "use": ["line"], "fields": {"roll": "number"}},
    "joined": {"text": "{name}: {value}", "use": ["line"]},
    "loss": {
        "text": "{unit} fires: {roll}, hit, and {loss}",
        "use": ["line"],
        "fields": {"roll": "number", "loss": ["one", "many"]},
    },
    "one": {"text": "{count} step is lost", "use": ["part"], "fields": {"count": "number"}},
    "many": {"text": "{count} steps are lost", "use": ["part"], "fields": {"count": "number"}},
    "turn": {"text": "Turn {turn}{night}", "use": ["line"], "fields": {"turn": "number", "night": ["dark", ""]}},
    "dark": {"text": ", by night", "use": ["part"]},
    "refused": {"text": "{unit} cannot fire", "use": ["error"]},
    "braces": {"text": "a {{word}} of {name}", "use": ["line"]},
}
COMMON = {"anyway": {"text": "Recorded anyway: {text}", "use": ["line"]}}


@pytest.fixture
def catalogue() -> MessageCatalogue:
    return MessageCatalogue(ENTRIES, "game", lambda: MessageCatalogue(COMMON, "companion"))


def test_the_template_with_the_most_letters_is_taken(catalogue: MessageCatalogue) -> None:
    found = catalogue.find("USMC 3/1 fires: 4, hit", "line")

    assert found == Message("game.hit", "USMC 3/1 fires: 4, hit", {"unit": "USMC 3/1", "roll": "4"})
    assert catalogue.find("Camp: 3", "line") == Message("game.joined", "Camp: 3", {"name": "Camp", "value": "3"})


def test_a_number_is_no_other_text(catalogue: MessageCatalogue) -> None:
    found = catalogue.find("USMC 3/1 fires: four, hit", "line")

    assert found and found.id == "game.joined"


@pytest.mark.parametrize(("text", "part"), [("1 step is lost", "game.one"), ("2 steps are lost", "game.many")])
def test_a_field_is_one_of_its_messages(catalogue: MessageCatalogue, text: str, part: str) -> None:
    found = catalogue.find(f"3/1 fires: 4, hit, and {text}", "line")

    assert found and found.id == "game.loss"
    loss = found.arguments["loss"]
    assert isinstance(loss, Message) and (loss.id, loss.text) == (part, text)
    assert found.data()["arguments"]["loss"] == {"text": text, "id": part, "arguments": {"count": text[0]}}


def test_a_field_can_be_without_text(catalogue: MessageCatalogue) -> None:
    bare, dark = catalogue.find("Turn 3", "line"), catalogue.find("Turn 3, by night", "line")

    assert bare and dark and bare.id == dark.id == "game.turn"
    assert bare.arguments == {"turn": "3", "night": ""}
    assert dark.arguments == {"turn": "3", "night": Message("game.dark", ", by night", {})}


def test_an_open_field_holds_a_message_of_the_game(catalogue: MessageCatalogue) -> None:
    """A line of the program around a text of the game."""
    found = catalogue.find("Recorded anyway: 3/1 cannot fire", "line")

    assert found and found.id == "companion.anyway"
    assert found.arguments["text"] == Message("game.refused", "3/1 cannot fire", {"unit": "3/1"})


def test_other_texts_have_none(catalogue: MessageCatalogue) -> None:
    assert catalogue.find("a note of a player", "line") is None
    assert catalogue.find("3/1 cannot fire", "line") is None, "it is an error"
    assert catalogue.find("x: " + "y" * 2000, "line") is None, "too long to be searched"


@pytest.mark.parametrize(
    "text", ["3/1 fires: 4, hit", "3/1 fires: 4, hit, and 2 steps are lost", "Turn 3", "a {word} of mine", "a: b: c"]
)
def test_filled_it_is_the_text_again(catalogue: MessageCatalogue, text: str) -> None:
    found = catalogue.find(text, "line")

    assert found and catalogue.fill(found) == found.text == text


def test_a_hostile_text_takes_no_longer(catalogue: MessageCatalogue) -> None:
    """The ways in which fields share a text are limited, not only its length."""
    entries = {"many": {"text": "{a} {b} {c} {d} {e} {f} ends", "use": ["line"]}}

    assert MessageCatalogue(entries, "game").find(" ".join("x" * 400), "line") is None


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ({"text": "a {b"}, "a.text: a brace without a field"),
        ({"text": "{b} and {b}"}, "a.text: a field occurs twice"),
        ({"text": "{b}", "use": ["song"]}, "a.use: 'song' is none of line, "),
        ({"text": "{b}", "fields": {"c": "number"}}, "a.fields.c: the text has no such field"),
        ({"text": "{b}", "fields": {"b": 3}}, 'a.fields.b: is neither "number" nor a list of messages'),
        ({"text": "{b}", "fields": {"b": ["", "*", "d"]}}, "a.fields.b: there is no message 'd'"),
    ],
)
def test_faults_of_an_entry(body: dict, fault: str) -> None:
    found = list(entry_faults("a", body, ["a"]))

    assert len(found) == 1 and found[0].startswith(fault)


def test_every_entry_above_is_sound() -> None:
    assert [fault for id, body in ENTRIES.items() for fault in entry_faults(id, body, ENTRIES)] == []
    assert make_template("braces", ENTRIES["braces"]).pieces[0] == "a {word} of "
