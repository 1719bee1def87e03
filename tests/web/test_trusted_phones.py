"""Trusted dice in a real browser: shares by themselves, a phone that is offline, consent by taps, and a host that cheats."""

from __future__ import annotations

import os
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.history import LogRow
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.session.trusted import ConsentPending
from tests.support.phones import Phone, await_same_state, hosting
from tests.support.trusted import begin, play_to_roll, rewrite, verified

pytestmark = pytest.mark.slow


@pytest.fixture
def db(tmp_path: Path) -> str:
    """An archive with a session whose first roll waits for the NVA; the US is played at the host."""
    path = os.fspath(tmp_path / "games.sqlite3")
    with Archive.open(path) as archive:
        play_to_roll(begin(archive), Random(3), shares=False)
    return path


@contextmanager
def opened(db: str) -> Iterator[SessionController]:
    """The session as the terminal at the host's seat has it."""
    with Archive.open_existing(db) as archive:
        yield SessionController.open(archive)


@pytest.fixture
def phones(browser: Any) -> Iterator[Any]:
    """Opens phones on links."""
    made: list[Phone] = []

    def open_phone(link: str, **options: Any) -> Phone:
        made.append(Phone(browser, link, **options))
        return made[-1]

    yield open_phone
    assert [phone.elsewhere for phone in made if phone.elsewhere] == []
    for phone in made:
        phone.close()


def wait_for_dice(phone: Phone, is_waiting: bool = True) -> None:
    phone.page.wait_for_selector(
        "[data-fragment=question] >> text=/Waits for NVA/", state="visible" if is_waiting else "detached"
    )


def alarms(phone: Phone) -> list[str]:
    return list(phone.page.locator("#alarm p").all_inner_texts())


def check_all(phone: Phone) -> str:
    """What the page says of its own copy, by its button."""
    phone.tap("[data-open=settings]", "#top ")
    phone.tap("[data-verify]", "#settings ")
    phone.page.wait_for_selector("#verified:not(:empty)")
    text = phone.page.inner_text("#verified")
    phone.tap("[data-close]", "#settings ")
    return text


def test_roll_waits_for_a_phone_that_is_away_and_goes_on_by_itself(db: str, phones: Any) -> None:
    with hosting(db, "") as host, opened(db) as terminal:
        us, watcher = phones(host.links["us"]), phones(host.links["watch"])
        for phone in (us, watcher):
            wait_for_dice(phone)
        assert us.page.locator("#dock [data-die], #dock [data-computer]").count() == 0
        assert us.page.locator("#dice").get_attribute("hidden") is None

        nva = phones(host.links["nva"])
        for phone in (us, nva, watcher):
            wait_for_dice(phone, False)
        terminal.refresh()
        assert len(verified(terminal).rolls) == 1 and alarms(nva) == []

        nva.context.set_offline(True)
        nva.page.wait_for_selector("#offline", state="visible")
        play_to_roll(terminal, Random(5), shares=False)
        for phone in (us, watcher):
            wait_for_dice(phone)
        us.page.wait_for_timeout(300)
        wait_for_dice(us)
        nva.context.set_offline(False)
        for phone in (us, watcher, nva):
            wait_for_dice(phone, False)
        nva.page.wait_for_selector("#offline", state="hidden")
        await_same_state([us, nva, watcher])
        assert check_all(nva) == "Rolls and draws: 2. All fit; 2 with a share of this device."
        assert check_all(us) == "Rolls and draws: 2. All fit; 0 with a share of this device."
        terminal.refresh()
        assert verified(terminal).misfit is None


@pytest.mark.parametrize(("asker", "asked"), [("us", "nva"), ("nva", "us")])
def test_undo_over_a_roll_asks_the_other_phone(db: str, phones: Any, asker: str, asked: str) -> None:
    """It refuses by a tap, and when it is asked again it allows; neither copy has a fault to find."""
    with hosting(db, "") as host, opened(db) as terminal:
        nva = phones(host.links["nva"])
        us = phones(host.links["us"])
        wait_for_dice(us, False)
        await_same_state([us, nva])
        asks, other = (us, nva) if asker == "us" else (nva, us)
        terminal.refresh()
        force = list(terminal.history.force)
        for answer in ("no", "yes"):
            asks.tap("[data-undo='1']")
            asks.page.wait_for_selector(f"#news >> text=/{asked.upper()} is asked first/")
            assert asks.page.locator("#refusal").is_hidden() and asks.page.locator("#unsent").is_hidden()
            asks.page.wait_for_selector(f"[data-ask] >> text=/waits for {asked.upper()}/")
            assert asks.page.locator("[data-consent]").count() == 0
            other.page.wait_for_selector("[data-consent]")
            other.tap_and_wait(f"[data-consent={answer}]")
            await_same_state([us, nva])

            asks.page.wait_for_selector("[data-ask]", state="detached")
            assert asks.page.inner_text("#news") == ""
            terminal.refresh()
            assert (list(terminal.history.force) == force) == (answer == "no")
            assert verified(terminal).misfit is None and alarms(nva) == []
        for phone in (us, nva):
            assert ". All fit; " in check_all(phone)


@pytest.mark.parametrize(
    ("asker", "found"),
    [("us", "you did not allow to take back 3 event (roll 3.2)"), ("nva", "you did not ask to take back 3 event (roll 3.2)")],
)
def test_phone_finds_what_was_agreed_in_its_name(db: str, phones: Any, asker: str, found: str) -> None:
    """The host writes the consent of the other seat itself, or its request. For `verify` that is as good as any."""
    with hosting(db, "") as host, opened(db) as terminal:
        nva = phones(host.links["nva"])
        wait_for_dice(nva, False)
        terminal.refresh()
        terminal.seat = asker
        with pytest.raises(ConsentPending):
            terminal.undo()
        terminal.consent("us" if asker == "nva" else "nva", True)
        assert verified(terminal).misfit is None
        nva.page.wait_for_selector("#alarm p")
        (said,) = alarms(nva)
        assert said.startswith("Row ") and said.endswith(found)
        nva.page.reload()
        nva.page.wait_for_selector("#alarm p")
        assert check_all(nva) == said and alarms(nva) == [said]


def change_last_die(db: str) -> None:
    """Change the newest trusted die in the log, as a dishonest host would."""
    with closing(sqlite3.connect(db)) as file:
        rows = file.execute("SELECT seq, body FROM log WHERE kind = 'reply' ORDER BY seq DESC").fetchall()
        seq, body = next(row for row in rows if '"trusted"' in row[1])
        for table, kind in file.execute("SELECT name, type FROM sqlite_master WHERE type = 'trigger'").fetchall():
            file.execute(f"DROP {kind} {table}")
        (value,) = file.execute("SELECT json_extract(?, '$.value[0]')", (body,)).fetchone()
        with file:
            words = "UPDATE log SET body = json_set(body, '$.value[0]', ?) WHERE seq = ?"
            file.execute(words, (value % 6 + 1, seq))


def test_phone_finds_a_die_that_the_host_changed(db: str, phones: Any) -> None:
    """The host is stopped, a die is changed in its archive, and it goes on at the same address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with hosting(db, "", port=port) as host:
        nva = phones(host.links["nva"])
        wait_for_dice(nva, False)
        assert alarms(nva) == []
    change_last_die(db)
    with hosting(db, "", port=port) as host:
        nva.page.goto(host.links["nva"])
        nva.page.wait_for_selector("#alarm p")
        (said,) = alarms(nva)
        assert said.startswith("Question 3.2: ") and "in the log" in said
        box = nva.page.locator("#alarm p").bounding_box()
        assert box["width"] > 300 and box["height"] > 40
        assert check_all(nva) == said and alarms(nva) == [said]

        other = phones(host.links["nva"])  # without a copy of its own it finds the die all the same
        other.page.wait_for_selector("#alarm p")
        assert any("in the log" in line for line in alarms(other))


def test_phone_finds_a_roll_that_the_host_made_again(db: str, phones: Any) -> None:
    """The host is stopped, all rows from the commitment on are removed, and the host commits to the question once more."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with hosting(db, "", port=port) as host:
        nva = phones(host.links["nva"])
        wait_for_dice(nva, False)

    def from_before(rows: list[LogRow]) -> list[LogRow]:
        return rows[: next(place for place, row in enumerate(rows) if row.kind == "trust")]

    rewrite(Path(db), from_before)
    with hosting(db, "", port=port) as host, opened(db) as terminal:
        assert verified(terminal).misfit is None
        nva.page.goto(host.links["nva"])
        nva.page.wait_for_selector("#alarm p")
        assert alarms(nva) == ["Question 3.2: the host committed to it a second time"]
