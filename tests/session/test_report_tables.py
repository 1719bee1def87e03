"""What report.toml may hold: every slip is told with its place."""

from __future__ import annotations

from typing import Any

import pytest

from companion.session.table_checks import report_faults

GAME = {"tracks": {"turn": {}}, "places": {"camp": "Camp", "hill-*": "a hill"}, "kinds": {"unit": "a unit"}, "cups": ["bag"]}
GOOD = {
    "chapters": {"track": "turn", "first": True, "each": 10},
    "plot": [{"title": "Turns", "tracks": ["turn"], "cups": ["bag"], "count": True}],
    "sentence": [
        {
            "on": "moved",
            "from": ["camp", "hill-1"],
            "kind": "unit",
            "rule": "2.1",
            "text": "{names} {goes/go} to {to}.",
            "weight": 2,
        },
        {"on": "flipped", "face": "front", "values": {"side": "US"}, "loss": "US"},
        {"on": "said", "rule": "2.1", "text": "{text}"},
    ],
}


def test_correct_file_has_no_faults() -> None:
    assert report_faults(GOOD, GAME, {"2.1"}) == []
    assert report_faults({}, GAME, set()) == []


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ({"chapter": {}}, "chapter: unknown key"),
        ({"decisive": ["day"]}, "decisive: there is no track 'day'"),
        ({"decisive": "turn"}, "decisive: must be a list of tracks"),
        ({"chapters": {"track": "day"}}, "chapters.track: there is no track 'day'"),
        ({"chapters": {"track": "turn", "each": 0}}, "chapters.each: must be a whole number from 1, not 0"),
        ({"chapters": []}, "chapters: is no table"),
        ({"sentence": {"on": "moved"}}, "sentence: must be a list of tables"),
        ({"sentence": [{"on": "eaten", "text": "x"}]}, "sentence no. 1: needs a text, and to be on one of track, flag"),
        ({"sentence": [{"on": "moved"}]}, "sentence no. 1: needs a text"),
        ({"sentence": [{"on": "moved", "text": "{face}"}]}, "sentence no. 1.text: {face} is none of from, names, to, why"),
        ({"sentence": [{"on": "moved", "text": "x", "to": "sea"}]}, "sentence no. 1.to: there is no 'sea'"),
        ({"sentence": [{"on": "said", "text": "x", "rule": "9"}]}, "sentence no. 1.rule: there is no '9'"),
        ({"sentence": [{"on": "said", "text": "x", "rule": [9]}]}, "sentence no. 1.rule: must be a list of texts"),
        (
            {"sentence": [{"on": "said", "text": "x", "weight": True}]},
            "sentence no. 1.weight: must be a whole number from 1, not True",
        ),
        ({"sentence": [{"on": "said", "text": "x", "colour": "red"}]}, "sentence no. 1.colour: unknown key"),
        ({"plot": [{"title": "x", "tracks": ["day"]}]}, "plot no. 1.tracks: there is no 'day'"),
        ({"plot": [{"title": "x", "cups": ["hat"]}]}, "plot no. 1.cups: there is no 'hat'"),
    ],
)
def test_every_error_is_reported(data: dict[str, Any], fault: str) -> None:
    (told,) = report_faults(data, GAME, {"2.1"})

    assert told.startswith(f"report.toml: {fault}")
