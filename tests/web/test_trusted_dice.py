"""Trusted dice over the web: a page sends its share, sees each roll, and is asked before one is taken back."""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random

import pytest

from companion.core.trusted import NumberStream, chance_reply, commitment
from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.support.hosted import NO_LIMIT, Hosted
from tests.support.trusted import begin, play_to_roll, verified

NONCE = "ab" * 32


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hosted]:
    """A host of LZ Albany; the US is played at the host, and the first roll waits for the NVA."""
    monkeypatch.setattr("tests.support.hosted.SEATS", (("us", "US"), ("nva", "NVA")))
    with Archive.open() as archive:
        session = begin(archive)
        play_to_roll(session, Random(3), shares=False)
        made = Hosted(session, limits=NO_LIMIT)
        made.play.start()
        try:
            yield made
        finally:
            made.play.stop()
    for fault in made.faults:
        raise fault


def test_state_has_what_the_page_needs_and_not_the_nonce(host: Hosted) -> None:
    page = host.client("nva")
    trusted = page.state()["trusted"]
    assert trusted["waiting"]["waits_for"] == ["nva"] and trusted["seats"] == ["us", "nva"]
    with Archive.open() as archive:
        (secret,) = (row[0] for row in archive._read("SELECT value FROM state WHERE key LIKE 'nonce %'"))
    assert commitment(secret, trusted["uid"], trusted["waiting"]["at"]) == trusted["waiting"]["commitment"]
    assert all(secret not in page.get(path).text for path in ("/state", "/trust", "/view/log", "/view/notes"))


def test_share_makes_the_roll_for_all(host: Hosted) -> None:
    page, watcher = host.client("nva"), host.client("watch")
    waiting = page.state()["trusted"]["waiting"]
    answer = page.post("/nonce", {"at": waiting["at"], "nonce": NONCE})
    assert answer.status_code == 200, answer.text
    roll = next(roll for roll in answer.json()["trusted"]["rolls"] if roll["at"] == waiting["at"])
    stream = NumberStream(roll["nonce"], {"nva": NONCE}, answer.json()["trusted"]["uid"], roll["at"])
    assert roll["value"] == chance_reply(waiting["of"], stream)
    assert watcher.get("/trust").json()["trusted"]["rolls"] == page.get("/trust").json()["trusted"]["rolls"]
    assert page.post("/nonce", {"at": waiting["at"], "nonce": NONCE}).status_code == 200  # sent again


@pytest.mark.parametrize(
    ("role", "body", "status"),
    [
        ("watch", {"at": "", "nonce": NONCE}, 403),
        ("", {"at": "", "nonce": NONCE}, 401),
        ("us", {"at": None, "nonce": NONCE}, 400),
        ("nva", {"at": None, "nonce": "6"}, 400),
        ("nva", {"at": None, "nonce": 6}, 400),
        ("nva", {"at": "9.9", "nonce": NONCE}, 409),
    ],
)
def test_wrong_share_changes_nothing(host: Hosted, role: str, body: dict[str, object], status: int) -> None:
    before = host.client("nva").state()
    body = {**body, "at": before["at"] if body["at"] is None else body["at"]}
    assert host.client(role).post("/nonce", body).status_code == status
    assert host.client("nva").state() == before


def test_nobody_answers_the_roll_by_a_page(host: Hosted) -> None:
    for role in ("us", "nva"):
        page = host.client(role)
        for fields in ({"dice": [6]}, {"value": "6"}, {"accept": True}):
            answer = page.post("/answer", {"at": page.state()["at"], **fields})
            assert answer.status_code in (400, 403), answer.text
    assert host.client("us").state()["trusted"]["waiting"]


@pytest.mark.parametrize("allow", [True, False])
def test_undo_over_a_roll_asks_the_other_page(host: Hosted, allow: bool) -> None:
    us, nva = host.client("us"), host.client("nva")
    number = us.state()["id"]
    taken = us.post("/undo", {"at_id": number, "count": 1})
    assert taken.status_code == 202 and "NVA is asked first" in taken.json()["message"]
    assert taken.json()["id"] > number  # the state, in which it is asked
    ask = nva.state()["trusted"]["ask"]
    assert ask["waits_for"] == ["nva"] and 'data-consent="yes"' in nva.state()["html"]["question"]
    assert "data-consent" not in us.state()["html"]["question"]
    assert us.post("/consent", {"id": ask["id"], "allow": True}).status_code == 400  # not by the one who asks
    assert nva.post("/consent", {"id": ask["id"] + 1, "allow": True}).status_code == 409
    answer = nva.post("/consent", {"id": ask["id"], "allow": allow})
    assert answer.status_code == 200 and bool(answer.json()["trusted"]["waiting"]) != allow
    with Archive.open(os.environ["COMPANION_DB"]) as archive:
        assert verified(SessionController.open(archive)).misfit is None


@pytest.mark.parametrize("is_running", [False, True])
def test_roll_that_nothing_was_committed_to(monkeypatch: pytest.MonkeyPatch, is_running: bool) -> None:
    """A process was killed between a correction that led to the roll and the commitment: the host commits."""
    monkeypatch.setattr("tests.support.hosted.SEATS", (("us", "US"), ("nva", "NVA")))
    with Archive.open() as archive:
        session = begin(archive)
        if not is_running:
            play_to_lost_roll(session, monkeypatch)
        made = Hosted(session, limits=NO_LIMIT)
        made.play.start()
        try:
            if is_running:
                play_to_lost_roll(session, monkeypatch)
            waiting = made.client("nva").state()["trusted"]["waiting"]
            assert made.client("nva").post("/nonce", {"at": waiting["at"], "nonce": NONCE}).status_code == 200
        finally:
            made.play.stop()
        session.refresh()
        assert verified(session).misfit is None and len(verified(session).rolls) == 1


def play_to_lost_roll(session: SessionController, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play until a roll waits that nothing is committed to."""
    with monkeypatch.context() as patch:
        patch.setattr("companion.session.trusted.add_commitment", lambda *given: None)
        play_to_roll(session, Random(3), shares=False)
    assert session.waits_for and not session.history.trust.commits
