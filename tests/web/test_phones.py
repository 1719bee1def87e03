"""The page in a real browser: two phones, lost lines, reloads, the lock after a remote change, and what the device keeps."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, NamedTuple

import pytest

from tests.support.page_screens import QUESTIONS, session_at
from tests.support.phones import SIZES, Hosted, Phone, await_same_state, hosting

pytestmark = pytest.mark.slow

TARGET = "lzalbany", "Turn 2, 12 chits, two players", "target"
TOGGLES = "fallujah2004", "J-3 by hand: Node, 2+1 picks, two hits", "hit"
DICE = "fallujah2004", "J-3 by hand: Node, 2+1 picks, two hits", "edge"


class Table(NamedTuple):
    """A hosted session and what opens phones on it."""

    browser: Any
    db: str
    session: str
    host: Hosted
    stack: ExitStack

    def phone(self, role: str = "", size: str = "phone", **options: Any) -> Phone:
        phone = Phone(self.browser, self.host.links[role or self.host.seat], size, **options)
        self.stack.callback(phone.close)
        return phone


@pytest.fixture
def table(request: pytest.FixtureRequest, browser: Any) -> Iterator[Table]:
    with ExitStack() as stack:
        db, name = stack.enter_context(session_at(*request.param))
        host = stack.enter_context(hosting(db, name))
        yield Table(browser, db, name, host, stack)


at = pytest.mark.parametrize


def posts(phone: Phone) -> list[str]:
    """The requests that a phone sends from here on."""
    sent: list[str] = []
    phone.page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    return sent


@at("table", [TARGET], indirect=True)
def test_other_phone_follows_and_watcher_has_no_controls(table: Table) -> None:
    us, nva, watcher = (table.phone(role) for role in ("us", "nva", "watch"))
    assert us.data("key") == "target" and not nva.data("at") and not watcher.data("at")
    before = us.data("at")
    us.tap_and_wait("[data-value=b2]")
    await_same_state([us, nva, watcher])

    assert us.data("at") != before
    assert watcher.page.locator("[data-fragment=question] button:not(.rule)").count() == 0
    assert nva.page.inner_text("#happened") == us.page.inner_text("#happened")
    assert [phone.messages + phone.elsewhere for phone in (us, nva, watcher)] == [[], [], []]


@at("table", [TARGET], indirect=True)
def test_offline_keeps_the_answer_which_is_sent_again(table: Table) -> None:
    us, nva = table.phone("us"), table.phone("nva")
    before = us.shown
    us.context.set_offline(True)
    us.page.wait_for_selector("#offline", state="visible", timeout=2_000)
    us.tap("[data-value=b2]")
    us.page.wait_for_selector("#unsent >> text=b2")
    assert nva.shown == before
    us.context.set_offline(False)
    us.page.wait_for_selector("#offline", state="hidden")
    us.tap("[data-again]", "#unsent ")
    us.page.wait_for_selector("#unsent", state="hidden")
    us.await_state(before + 1)
    await_same_state([us, nva])

    us.context.set_offline(True)
    us.tap("[data-value]")
    us.page.wait_for_selector("#unsent", state="visible")
    shown = us.shown
    us.tap("[data-drop]", "#unsent ")
    us.context.set_offline(False)
    us.page.wait_for_selector("#offline", state="hidden")
    us.page.reload()
    us.page.wait_for_selector("body[data-role]")
    assert us.shown == shown and us.page.locator("#unsent").is_hidden()


@at("table", [TARGET], indirect=True)
def test_phone_that_slept_catches_up_and_drops_what_is_past(table: Table) -> None:
    sleeper, other = table.phone("us"), table.phone("us")
    sleeper.context.set_offline(True)
    sleeper.tap("[data-value=b2]")
    sleeper.page.wait_for_selector("#unsent", state="visible")
    other.tap_and_wait("[data-value=b3]")
    other.tap_and_wait("[data-value]")
    sleeper.context.set_offline(False)
    sleeper.await_state(other.shown)

    assert sleeper.data("at") == other.data("at")
    assert sleeper.page.locator("[data-again]").count() == 0
    assert "play has gone on" in sleeper.page.inner_text("#unsent")


@at("table", [TARGET], indirect=True)
def test_silent_stream_is_shown_as_offline(table: Table) -> None:
    us = table.phone("us")
    us.page.clock.install()
    us.page.reload()
    us.page.wait_for_selector("body[data-role]")
    table.host.process.send_signal(signal.SIGSTOP)
    try:
        us.page.clock.run_for(24_000)
        us.page.clock.run_for(6_000)
        us.page.wait_for_selector("#offline", state="visible")
    finally:
        table.host.process.send_signal(signal.SIGCONT)
    us.page.clock.run_for(6_000)
    us.page.wait_for_selector("#offline", state="hidden")


@at("table", [TARGET], indirect=True)
def test_buttons_are_locked_after_a_remote_change(table: Table) -> None:
    tapping, other = table.phone("us"), table.phone("us")
    sent = posts(tapping)
    tapping.page.evaluate(
        """() => new MutationObserver(() => {
          globalThis.wasLocked = "locked" in document.body.dataset;
          document.querySelector("#dock [data-value]")?.click();
        }).observe(document.querySelector("[data-fragment=question]"), {childList: true})"""
    )
    before = tapping.shown
    other.tap_and_wait("[data-value=b2]")
    tapping.await_state(before + 1)
    assert (tapping.page.evaluate("wasLocked"), sent) == (True, [])
    tapping.tap_and_wait("[data-value]")
    assert len(sent) == 1


@at("table", [TARGET], indirect=True)
def test_stale_answer_shows_the_new_state_and_says_so(table: Table) -> None:
    from companion.core.resolver import Answers
    from companion.session.controller import SessionController
    from companion.session.store import Archive

    late = table.phone("us")
    late.page.route("**/events", lambda route: route.abort())
    late.page.reload()
    late.page.wait_for_selector("body[data-role]")

    def answer_first(route: Any) -> None:
        with Archive.open_existing(table.db) as archive:
            SessionController.open(archive, table.session).answer(Answers([("target", "b3")]))
        route.continue_()

    late.page.route("**/answer", answer_first)
    before = late.shown
    late.tap("[data-value=b2]")
    late.page.wait_for_selector("#news:not(:empty)")
    assert late.shown > before and late.page.locator("#unsent").is_hidden()


@at("table", [TOGGLES], indirect=True)
def test_half_made_answer_note_and_ticks_survive_a_reload(table: Table) -> None:
    phone = table.phone()
    pressed = '#dock [data-toggle][aria-pressed="true"]'
    suggested = phone.page.eval_on_selector_all(pressed, "all => all.map(one => one.dataset.toggle)")
    assert suggested and phone.page.inner_text("[data-count]") == str(len(suggested))
    for value in suggested:
        phone.tap(f'[data-toggle="{value}"]')
    assert phone.page.locator("#dock [data-send]").is_disabled()
    phone.tap(f'[data-toggle="{suggested[0]}"]')
    phone.page.locator("[data-check]").first.check()
    phone.tab("notes")
    phone.page.fill("#note", "hold the bridge")
    phone.page.reload()
    phone.page.wait_for_selector("body[data-role]")

    assert phone.page.eval_on_selector_all(pressed, "all => all.map(one => one.dataset.toggle)") == suggested[:1]
    assert phone.page.input_value("#note") == "hold the bridge"
    phone.tab("play")
    assert phone.page.locator("[data-check]").first.is_checked()
    phone.tab("notes")
    phone.tap("[data-note]", "#writing ")
    phone.page.wait_for_selector("[data-fragment=notes] >> text=hold the bridge")
    assert phone.page.input_value("#note") == ""
    assert phone.messages == []


@at("table", [DICE], indirect=True)
def test_dice_by_big_keys_and_by_the_keyboard(table: Table) -> None:
    phone = table.phone()
    count = int(phone.page.get_attribute("#dock [data-dice]", "data-dice") or 0)
    assert count == 2
    box = phone.page.locator('#dock [data-die="6"]').bounding_box()
    assert box["height"] >= 48 and box["width"] >= 44
    phone.tap('[data-die="6"]')
    phone.tap("[data-erase]")
    phone.tap('[data-die="2"]')
    assert phone.page.inner_text("[data-rolled]").split() == ["2", "·"]
    phone.page.reload()
    phone.page.wait_for_selector("[data-dice]")
    assert phone.page.inner_text("[data-rolled]").split() == ["2", "·"]
    before = phone.shown
    phone.page.keyboard.press("5")
    phone.await_state(before + 1)


@at("table", [TARGET], indirect=True)
def test_keyboard_alone_answers_and_focus_stays(table: Table) -> None:
    us = table.phone("us")
    before = us.shown
    us.page.locator("#dock [data-value]").first.focus()
    us.page.keyboard.press("Enter")
    us.await_state(before + 1)
    assert us.page.evaluate("document.querySelector('#dock').contains(document.activeElement)")


@at("table", [TARGET], indirect=True)
def test_map_answers_by_a_tap(table: Table) -> None:
    us = table.phone("us")
    us.tab("map")
    before = us.shown
    us.tap("[data-map] .legal", "")
    us.await_state(before + 1)
    assert us.messages == []


@at("table", [TARGET], indirect=True)
def test_undo_from_the_log_and_redo(table: Table) -> None:
    us = table.phone("us")
    us.tap_and_wait("[data-value=b2]")
    us.tap_and_wait("[data-undo=reply]")
    assert us.data("key") == "target"
    us.tap_and_wait("[data-redo]")
    us.tab("log")
    before = us.shown
    us.tap("[data-undo-to]", "")
    us.await_state(before + 1)


SPEECH = """() => {
  const said = (globalThis.said = []);
  Object.defineProperty(globalThis, "speechSynthesis", {value: {cancel() {}, speak: (text) => said.push(text.text)}});
  globalThis.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
}"""


@at("table", [TARGET], indirect=True)
def test_device_settings(table: Table) -> None:
    us = table.phone("us", color_scheme="light")
    us.page.add_init_script(f"({SPEECH})()")
    us.page.reload()
    us.page.wait_for_selector("body[data-role]")
    us.tap_and_wait("[data-value=b2]")
    assert us.page.evaluate("said") == []
    us.tap("[data-open]", "#top ")
    us.page.check("#aloud")
    light = us.page.evaluate("getComputedStyle(document.body).backgroundColor")
    us.page.check("[name=theme][value=dark]")
    dark = us.page.evaluate("getComputedStyle(document.body).backgroundColor")
    us.tap("[data-close]", "#settings ")
    us.tap_and_wait("[data-undo=reply]")
    assert len(us.page.evaluate("said")) == 1 and us.page.evaluate("said")[0]
    us.page.reload()
    us.page.wait_for_selector("body[data-role]")
    assert light != dark == us.page.evaluate("getComputedStyle(document.body).backgroundColor")


def assert_back_is_in_reach(phone: Phone) -> None:
    """What can be taken back is in sight above and below a list that is scrolled, and hides no choice at its end."""
    if phone.page.locator("#tabs [data-tab=play]").is_visible():
        phone.tab("play")
    for top in (9_999, 0):
        phone.page.evaluate(f"document.querySelector('#dock').scrollTop = {top}")
        back = phone.page.locator("#dock .back button").first
        box, dock = back.bounding_box(), phone.page.locator("#dock").bounding_box()
        assert dock["y"] <= box["y"] and box["y"] + box["height"] <= dock["y"] + dock["height"]
        assert back.inner_text().startswith(("Back: ", "Undo: "))
    phone.page.evaluate("document.querySelector('#dock').scrollTop = 9_999")
    last = phone.page.locator("#dock .choice").last.bounding_box()
    assert last["y"] + last["height"] <= back.bounding_box()["y"]
    phone.page.evaluate("document.querySelector('#dock').scrollTop = 0")


@at("game", [pytest.param(game, marks=[] if game in ("iraqwar2003", "phantomfury") else pytest.mark.long) for game in QUESTIONS])
def test_watcher_sees_all_without_scrolling(game: str, browser: Any) -> None:
    """Tracks, whose decision, the question, what happened and the map are on a tablet at once, upright and across."""
    with session_at(game, *QUESTIONS[game]) as (db, name), hosting(db, name) as host:
        for size in ("tablet", "upright"):
            phone = Phone(browser, host.links["watch"], size)
            phone.page.wait_for_selector("[data-map]")
            assert phone.page.evaluate(SEEN) == [], size
            phone.close()


SEEN = """() => {
  const parts = [".stage", ".figures", ".waiting .prompt", "[data-fragment=happened] > :last-child", "[data-fragment=map]"];
  const places = parts.flatMap((part) => [...document.querySelectorAll(part)].filter((one) => one.checkVisibility()).slice(0, 1));
  const bad = parts.length === places.length ? [] : places.map((place) => place.className);
  places.push(...document.querySelectorAll(".tracks, [data-fragment=watch]"));
  for (const place of [document.documentElement, ...places, ...places.map((one) => one.closest("#happened, #dock, #top"))]) {
    if (!place?.checkVisibility()) continue;
    const box = place.getBoundingClientRect();
    const isOut = box.bottom > innerHeight + 1 || box.right > innerWidth + 1 || box.height < 20;
    const holds = place.matches("html, #happened, #dock, #top, [data-fragment=watch]");
    const isCut = holds && place.scrollHeight > place.clientHeight + 1;
    if (isOut || isCut) bad.push([place.id || place.className || place.localName, box.height, place.scrollHeight]);
  }
  return bad;
}"""


@at("table", [TARGET], indirect=True)
@at("size", [pytest.param(size, marks=[] if size in ("small", "tablet") else pytest.mark.long) for size in SIZES])
def test_page_fits_the_screen_and_its_controls_the_thumb(table: Table, size: str) -> None:
    phone = table.phone("us", size)
    width, height = SIZES[size]
    for view in ("play", "map", "log", "rules", "odds", "notes"):
        if view != "play" or size in ("small", "phone"):
            phone.tab(view)
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= width, view
        assert phone.page.evaluate("document.documentElement.scrollHeight") <= height, view
        boxes = phone.page.eval_on_selector_all(
            "button:not(.rule)",
            "all => all.filter(one => one.checkVisibility()).map(one => [one.textContent, one.getBoundingClientRect().height])",
        )
        assert [box for box in boxes if box[1] < 44] == [], view
    assert_back_is_in_reach(phone)
    if size in ("small", "phone"):
        phone.tab("play")
        first = phone.page.locator("#dock [data-value]").first.bounding_box()
        assert first["y"] > height * 0.4
