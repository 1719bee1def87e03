"""A host that cheats is found: each test changes a real archive behind the program's back, and the bundle of it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.history import LogRow
from companion.core.trusted import NumberStream, chance_reply, commitment
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.session.transfer import bundle
from companion.session.trusted import ConsentPending
from tests.support.commands import companion
from tests.support.trusted import begin, give_share, play_to_roll, rewrite, seeded_nonces, verified

ROLLS = 14
Change = Callable[[list[LogRow]], list[LogRow]]


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session of LZ Albany with rolls, draws, and an undo that the other seat allowed; its first roll is of one die."""
    path = tmp_path_factory.mktemp("honest") / "games.sqlite3"
    with seeded_nonces("host"), Archive.open(os.fspath(path)) as archive:
        session = begin(archive, name="duel")
        play_to_roll(session, Random(2), rolls=ROLLS - 2)
        with pytest.raises(ConsentPending):
            session.undo()
        session.consent("nva", True)
        play_to_roll(session, Random(5), rolls=2)
    return path


@pytest.fixture
def path(honest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    copy = tmp_path / "games.sqlite3"
    shutil.copy(honest, copy)
    monkeypatch.setenv("COMPANION_DB", os.fspath(copy))
    return copy


def found(path: Path, change: Change, tmp_path: Path) -> dict[str, Any]:
    """Return the misfit that `verify` names after a change of the log: the same in the archive and in a bundle of it."""
    rewrite(path, change)
    with Archive.open(os.fspath(path)) as archive:
        file = tmp_path / "duel.json"
        file.write_text(json.dumps(bundle(archive, archive.session("duel"))))
    ours, theirs = companion("verify", "duel", "--json"), companion("verify", os.fspath(file), "--json")
    assert (ours.code, theirs.code) == (4, 4), ours.out
    assert ours.json["misfit"] == theirs.json["misfit"]
    text = companion("verify")
    assert text.code == 4 and "does not fit" in text.out
    misfit: dict[str, Any] = ours.json["misfit"]
    return misfit


def trust(rows: list[LogRow], step: str, number: int) -> int:
    """Return the place of a step of the roll of that number, the first being 0."""
    return [place for place, row in enumerate(rows) if row.body.get("step") == step][number]


def put(rows: list[LogRow], place: int, /, **body: Any) -> list[LogRow]:
    rows[place] = rows[place]._replace(body={**rows[place].body, **body})
    return rows


def reply_of(rows: list[LogRow], number: int) -> int:
    """Return the place of the reply to the roll of that number."""
    return next(place for place in range(trust(rows, "reveal", number), len(rows)) if rows[place].kind == "reply")


def test_an_honest_session_fits(path: Path, tmp_path: Path) -> None:
    result = companion("verify", "--json")
    assert (result.code, result.json["fits"], len(result.json["rolls"])) == (0, True, ROLLS)
    assert not all(roll["in_force"] for roll in result.json["rolls"])
    assert {roll["of"]["kind"] for roll in result.json["rolls"]} == {"roll", "draw"}
    text = companion("verify")
    assert f"{ROLLS} rolls and draws recomputed, and all fit" in text.out
    file = tmp_path / "duel.json"
    assert companion("bundle", os.fspath(file)).code == 0
    assert companion("verify", os.fspath(file)).code == 0


def test_a_changed_die(path: Path, tmp_path: Path) -> None:
    """The question's number, the rule, the die of the log and the one that the nonces give."""

    def change(rows: list[LogRow]) -> list[LogRow]:
        place = reply_of(rows, 0)
        return put(rows, place, value=[rows[place].body["value"][0] % 6 + 1])

    misfit = found(path, change, tmp_path)
    assert misfit["what"] == "the dice are not what the nonces give"
    assert misfit["at"] and misfit["rule"]
    assert int(misfit["recorded"]) == int(misfit["computed"]) % 6 + 1


def test_a_changed_nonce(path: Path, tmp_path: Path) -> None:
    """The host reveals another nonce than the one that it committed to, with the dice that follow from it."""

    def change(rows: list[LogRow]) -> list[LogRow]:
        reveal, share = trust(rows, "reveal", 2), trust(rows, "share", 2)
        at, uid = rows[reveal].body["at"], rows[0].body["uid"]
        commit = next(row for row in rows if row.body.get("step") == "commit" and row.body["at"] == at)
        stream = NumberStream("5" * 64, {"nva": rows[share].body["value"]}, uid, at)
        put(rows, reply_of(rows, 2), value=chance_reply(commit.body["of"], stream))
        return put(rows, reveal, value="5" * 64)

    misfit = found(path, change, tmp_path)
    assert misfit["what"] == "the nonce that the host revealed is not the one it committed to"
    assert misfit["at"] and misfit["computed"] == commitment("5" * 64, uid_of(path), misfit["at"])
    assert misfit["recorded"] != misfit["computed"]


def uid_of(path: Path) -> str:
    with Archive.open(os.fspath(path)) as archive:
        return str(archive.rows(1)[0].body["uid"])


def test_a_changed_share(path: Path, tmp_path: Path) -> None:
    misfit = found(path, lambda rows: put(rows, trust(rows, "share", 1), value="6" * 64), tmp_path)
    assert "not what the nonces give" in misfit["what"]


def test_a_replayed_roll(path: Path, tmp_path: Path) -> None:
    """Commitment, share, nonce and dice of an earlier roll under the number of a later one."""

    def change(rows: list[LogRow]) -> list[LogRow]:
        for step in ("commit", "share", "reveal"):
            put(rows, trust(rows, step, 3), value=rows[trust(rows, step, 1)].body["value"])
        return rows

    assert found(path, change, tmp_path)["what"] == "the nonce that the host revealed is not the one it committed to"


def test_a_dropped_roll(path: Path, tmp_path: Path) -> None:
    """All rows of a roll are taken out: the rules ask for it all the same."""

    def change(rows: list[LogRow]) -> list[LogRow]:
        at = rows[trust(rows, "commit", 0)].body["at"]
        place = reply_of(rows, 0)
        return [row for number, row in enumerate(rows) if row.body.get("at") != at and number != place]

    misfit = found(path, change, tmp_path)
    assert misfit["what"]


def test_a_second_try_after_an_unwanted_result(path: Path, tmp_path: Path) -> None:
    """The action is taken back without a word, and its commitment and dice left behind."""

    def change(rows: list[LogRow]) -> list[LogRow]:
        asked = trust(rows, "ask", 0)
        return [row for place, row in enumerate(rows) if place not in (asked, asked + 1)]

    misfit = found(path, change, tmp_path)
    assert misfit["what"] == "it was taken back, or brought again, without the other seat's consent"
    assert misfit["at"] and misfit["recorded"] == "undo"


def test_another_change_than_the_one_that_was_allowed(path: Path, tmp_path: Path) -> None:
    def change(rows: list[LogRow]) -> list[LogRow]:
        place = trust(rows, "ask", 0)
        return put(rows, place, rows=[text.replace('"undo"', '"abort"') for text in rows[place].body["rows"]])

    assert "without the other seat's consent" in found(path, change, tmp_path)["what"]


def test_a_refusal_is_not_a_consent(path: Path, tmp_path: Path) -> None:
    misfit = found(path, lambda rows: put(rows, trust(rows, "consent", 0), value="no"), tmp_path)
    assert "without the other seat's consent" in misfit["what"]


def test_an_open_commitment_that_play_went_past(path: Path, tmp_path: Path) -> None:
    """The host kept the nonce to itself and typed the die."""

    def change(rows: list[LogRow]) -> list[LogRow]:
        reveal = trust(rows, "reveal", 2)
        put(rows, reply_of(rows, 2), source="typed")
        return [*rows[:reveal], *rows[reveal + 1 :]]

    misfit = found(path, change, tmp_path)
    assert misfit["what"] == "play went past a roll that the host committed to and never revealed"


@pytest.mark.parametrize("source", ["typed", "computer", "only"])
def test_a_roll_by_other_means(path: Path, tmp_path: Path, source: str) -> None:
    """Without any rows of trusted dice: typed, rolled by the computer, or passed off as the only possible draw."""

    def change(rows: list[LogRow]) -> list[LogRow]:
        number = 0
        while source == "only" and rows[reply_of(rows, number)].body["kind"] != "draw":
            number += 1
        put(rows, reply_of(rows, number), source=source)
        at = rows[trust(rows, "commit", number)].body["at"]
        return [row for row in rows if row.body.get("at") != at]

    misfit = found(path, change, tmp_path)
    assert "by other means" in misfit["what"] or "not the only possible one" in misfit["what"]
    assert misfit["at"] and misfit["rule"] and misfit["recorded"]


@pytest.mark.parametrize("steps", [("commit", "share"), ("share", "reveal")])
def test_rows_in_another_order(path: Path, tmp_path: Path, steps: tuple[str, str]) -> None:
    """The host committed when it knew the share, or revealed before it."""

    def change(rows: list[LogRow]) -> list[LogRow]:
        one, two = (trust(rows, step, 2) for step in steps)
        rows[one], rows[two] = rows[two], rows[one]
        return rows

    assert found(path, change, tmp_path)["at"]


def test_two_commitments_to_one_question(path: Path, tmp_path: Path) -> None:
    def change(rows: list[LogRow]) -> list[LogRow]:
        place = trust(rows, "commit", 1)
        body = {**rows[place].body, "value": "7" * 64}
        return [*rows[:place], rows[place]._replace(body=body), *rows[place:]]

    misfit = found(path, change, tmp_path)
    assert misfit["what"] == "the host committed to it twice"
    assert misfit["computed"] == "7" * 64 != misfit["recorded"]


def test_a_commitment_to_another_roll(path: Path, tmp_path: Path) -> None:
    """To dice with fewer sides than the rules ask for, with the value that follows."""

    def change(rows: list[LogRow]) -> list[LogRow]:
        place, uid = trust(rows, "commit", 0), rows[0].body["uid"]
        at, of = rows[place].body["at"], {**rows[place].body["of"], "sides": 3}
        put(rows, place, of=of)
        nonce, share = (rows[trust(rows, step, 0)].body["value"] for step in ("reveal", "share"))
        return put(rows, reply_of(rows, 0), value=chance_reply(of, NumberStream(nonce, {"nva": share}, uid, at)))

    misfit = found(path, change, tmp_path)
    assert misfit["what"] == "the commitment names another roll than the rules ask for"
    assert '"sides":3' in misfit["recorded"] and '"sides":6' in misfit["computed"]


def test_a_changed_answer_before_a_roll(path: Path, tmp_path: Path) -> None:
    """What the players answered is replayed too: another board than the answers lead to is found."""

    def change(rows: list[LogRow]) -> list[LogRow]:
        place = next(place for place in range(len(rows) - 1, 0, -1) if rows[place].kind == "done" and rows[place].body["events"])
        events = [event for event in rows[place].body["events"] if event["kind"] == "said"]
        if len(events) == len(rows[place].body["events"]):
            place = next(place for place, row in enumerate(rows) if row.kind == "done")
            events = rows[place].body["events"][1:]
        return put(rows, place, events=events)

    assert found(path, change, tmp_path)["what"]


def test_the_way_to_roll_was_changed(path: Path, tmp_path: Path) -> None:
    def change(rows: list[LogRow]) -> list[LogRow]:
        return [*rows[:-1], LogRow(0, "setting", 0, {"dice": "computer"}, rows[-1].at), rows[-1]]

    assert found(path, change, tmp_path)["what"] == "the way to roll was changed"


def test_a_branch_is_no_trusted_session_any_more(path: Path) -> None:
    assert companion("branch", "aside").code == 0
    result = companion("verify", "aside", "--json")
    assert (result.code, result.json["misfit"]["what"]) == (4, "the way to roll was changed")
    assert companion("verify", "duel").code == 0


class TestWhatOnlyThePageFinds:
    """It agrees with itself and with the rules: the copy of the page that took part is another."""

    def test_a_roll_that_was_removed_with_all_that_followed(self, path: Path) -> None:
        rewrite(path, lambda rows: rows[: trust(rows, "commit", 3)])
        assert companion("verify").code == 0

    @pytest.mark.parametrize(("asker", "asked"), [("us", "nva"), ("nva", "us")])
    def test_a_share_and_a_consent_that_the_host_wrote_itself(self, tmp_path: Path, asker: str, asked: str) -> None:
        with Archive.open(os.fspath(tmp_path / "games.sqlite3")) as archive:
            session = begin(archive)
            play_to_roll(session, Random(2))
            session.seat = asker
            with pytest.raises(ConsentPending):
                session.undo()
            session.consent(asked, True)
            assert verified(session).misfit is None


def test_a_session_without_trusted_dice(path: Path, tmp_path: Path) -> None:
    with Archive.open(os.fspath(path)) as archive:
        SessionController.create(archive, "lzalbany", "", {"map": "practice"}, name="plain")
    result = companion("verify")
    assert (result.code, "has no trusted dice" in result.err) == (2, True)
    assert companion("verify", os.fspath(tmp_path / "missing.json")).code == 4


def test_the_roll_that_waits_goes_on_after_verify(path: Path) -> None:
    with Archive.open(os.fspath(path)) as archive:
        give_share(SessionController.open(archive, "duel"), Random(1))
    assert companion("verify").code == 0
