"""Browsers on the page of ``companion host``: phones that play by taps only, and the taps counted."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from threading import Timer
from typing import Any

from companion.core.history import Entry, Reply

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SIZES = {"small": (320, 568), "phone": (390, 844), "tablet": (1024, 768), "upright": (768, 1024)}
LOOPBACK = ("http://127.0.0.1:", "http://localhost:")
READY = "body:not([data-locked]):not([data-busy])"


@contextmanager
def chromium() -> Iterator[Any]:
    """An installed Chromium. Raises LookupError with the reason: there is none."""
    try:
        from playwright import sync_api
    except ImportError:
        raise LookupError("needs pip install 'tabletop-companion[browser]'") from None
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_api.sync_playwright() as engine:
        try:
            browser = engine.chromium.launch(executable_path=path, args=["--no-sandbox"])
        except sync_api.Error as error:
            raise LookupError(f"there is no Chromium: {str(error).splitlines()[0]}") from None
        yield browser
        browser.close()


class Hosted:
    """A running ``companion host``.

    Attributes:
        links: The link of each role.
    """

    def __init__(self, process: subprocess.Popen[str], links: Mapping[str, str]) -> None:
        self.process = process
        self.links = links

    @property
    def seat(self) -> str:
        """The first role that plays."""
        return next(iter(self.links))


@contextmanager
def hosting(db: str | Path, session: str, *words: str, port: int = 0) -> Iterator[Hosted]:
    """Run ``companion host`` on a session, as a process of its own."""
    command = [
        sys.executable,
        "-m",
        "companion",
        "host",
        "--db",
        os.fspath(db),
        "--session",
        session,
        "--port",
        str(port),
        "--json",
    ]
    process = subprocess.Popen([*command, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield Hosted(process, {row["role"]: row["link"] for row in _first_document(process)["links"]})
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=10)
        process.kill()


def _first_document(process: subprocess.Popen[str]) -> Any:
    assert process.stdout is not None and process.stderr is not None
    late = Timer(30, process.kill)
    late.start()
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line.rstrip() == "}":
            late.cancel()
            return json.loads("".join(lines))
    raise AssertionError(f"no links from companion host: {''.join(lines)} {process.stderr.read()}")


class Phone:
    """A browser of its own with the page of a role, worked by taps.

    Attributes:
        taps: Taps and keys so far.
        typed: The texts that were typed into fields.
        elsewhere: Requests that were not to loopback.
        messages: Errors of the page and lines of its console.
    """

    def __init__(self, browser: Any, link: str, size: str = "phone", **options: Any) -> None:
        width, height = SIZES[size]
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=True, reduced_motion="reduce", **options
        )
        self.context.set_default_timeout(10_000)
        self.page = self.context.new_page()
        self.elsewhere: list[str] = []
        self.messages: list[str] = []
        self.taps = 0
        self.typed: list[str] = []
        self.page.on("request", self._note_request)
        self.page.on("console", lambda message: self.messages.append(message.text))
        self.page.on("pageerror", lambda error: self.messages.append(str(error)))
        self.page.goto(link)
        self.page.wait_for_selector("body[data-role]")

    def _note_request(self, request: Any) -> None:
        if not request.url.startswith(LOOPBACK):
            self.elsewhere.append(request.url)

    @property
    def question(self) -> Any:
        """The open question of the page as a locator."""
        return self.page.locator("[data-question]")

    def data(self, name: str) -> str:
        """An attribute of the open question; "" without one."""
        return self.page.evaluate(f"document.querySelector('[data-question]')?.getAttribute('data-{name}') ?? ''")

    def state(self) -> Any:
        """The state as the host gives it to this role."""
        return self.context.request.get(self.page.url.rstrip("/") + "/state").json()

    @property
    def shown(self) -> int:
        """The number of the state that the page shows."""
        return int(self.page.get_attribute("body", "data-id") or 0)

    def await_state(self, number: int, seconds: float = 10) -> None:
        """Wait until the page shows this state or a later one."""
        end = time.monotonic() + seconds
        while self.shown < number:
            assert time.monotonic() < end, f"the page shows {self.shown}, not {number}"
            self.page.wait_for_timeout(20)

    def ready(self) -> None:
        """Wait until taps are taken."""
        self.page.wait_for_selector(READY)

    def tap(self, selector: str, root: str = "#dock ") -> None:
        """Tap the first visible element, as soon as taps are taken."""
        self.ready()
        self.page.locator(f"{root}{selector} >> visible=true").first.tap()
        self.taps += 1

    def tab(self, name: str) -> None:
        self.tap(f"[data-tab={name}]", "#tabs ")

    def tap_and_wait(self, selector: str) -> None:
        """Tap what changes the session, and wait for the new state."""
        self.ready()
        with self.page.expect_response(lambda response: response.request.method == "POST") as response:
            self.tap(selector)
        if response.value.status != 200:
            raise AssertionError(f"{selector}: {response.value.status} {response.value.text()[:300]}")
        self.ready()

    def write(self, selector: str, text: str) -> None:
        """Type into a field; each character counts as a tap."""
        self.tap(selector)
        field = self.page.locator(f"#dock {selector}")
        field.fill(text)
        self.taps += len(text)
        self.typed.append(text)

    def act(self, action: str) -> None:
        """Begin an action."""
        self.tap_and_wait(f'[data-action="{action}"]')

    # -- answers ---------------------------------------------------------------------------------------------

    def reply(self, replies: Sequence[Reply]) -> None:
        """Answer the open question as the first of these replies, with those after it where they are answered together."""
        first = replies[0]
        if first.is_random and first.source == "computer":
            self.tap_and_wait("[data-computer]")
        elif self.data("kind") == "roll":
            count = int(self.page.get_attribute("#dock [data-dice]", "data-dice") or 1)
            alike = takewhile(lambda reply: reply.key == first.key and reply.is_random, replies)
            faces = [
                face for reply in alike for face in (reply.value if isinstance(reply.value, list | tuple) else [reply.value])
            ]
            self._roll(faces[:count])
        else:
            self._give(first.value)

    def _roll(self, faces: Sequence[int]) -> None:
        if self.page.locator("#dock [data-die]").count() == 0:
            self.write("[data-text]", " ".join(map(str, faces)))
            return self.tap_and_wait("[data-send]")
        for face in faces[:-1]:
            self.tap(f'[data-die="{face}"]')
        return self.tap_and_wait(f'[data-die="{faces[-1]}"]')

    def _give(self, value: Any) -> None:
        words = {True: ("yes", "true"), False: ("no", "false")}[value] if isinstance(value, bool) else (str(value),)
        for word in words:
            if not isinstance(value, list | tuple) and self._button("data-value", word):
                return self.tap_and_wait(f'[data-value="{word}"]')
        if self.page.locator("#dock [data-toggle]").count() or isinstance(value, list | tuple):
            return self._toggle([str(item) for item in value])
        field = "[data-number]" if isinstance(value, int) else "[data-text]"
        if self.page.input_value(f"#dock {field}") != str(value) and not self._add(field, str(value)):
            self.write(field, str(value))
        return self.tap_and_wait("[data-send]")

    def _add(self, field: str, text: str) -> bool:
        """Put a text together from the names that can be tapped; False if that does not make it."""
        between = self.page.get_attribute(f"#dock {field}", "data-between")
        names = self.page.eval_on_selector_all("#dock [data-add]", "all => all.map(one => one.dataset.add)")
        parts = parts_of(text, names) if between == "" else [part.strip() for part in text.split((between or "").strip() or None)]
        on_map = [f'[data-map] [data-space="{part}"]' for part in parts]
        if parts and set(parts).issubset(names):
            taps, root = [f'[data-add="{part}"]' for part in parts], "#dock "
        elif all(self.page.locator(selector).count() for selector in on_map):
            taps, root = [f"{selector} rect" for selector in on_map], ""
        else:
            return False
        while self.page.input_value(f"#dock {field}"):
            self.tap("[data-erase]")
        if not root:
            self.tab("map")
        closed = self.page.locator("#dock .words:not([open]) summary")
        if root and closed.count():  # the words are not in sight
            closed.tap()
            self.taps += 1
        for selector in taps:
            self.tap(selector, root)
        if not root:
            self.tab("play")
        return "".join(self.page.input_value(f"#dock {field}").split()) == "".join(text.split())

    def _button(self, name: str, value: str) -> bool:
        return self.page.locator(f'#dock [{name}="{value}"]').count() > 0

    def _toggle(self, wanted: Sequence[str]) -> None:
        pressed = self.page.eval_on_selector_all(
            '#dock [data-toggle][aria-pressed="true"]', "all => all.map(one => one.dataset.toggle)"
        )
        keep = pressed if sorted(pressed) == sorted(wanted) else []
        for value in [value for value in pressed if value not in keep] + [value for value in wanted if value not in keep]:
            self.tap(f'[data-toggle="{value}"]')
        self.tap_and_wait("[data-send]")

    def close(self) -> None:
        self.context.close()


def parts_of(text: str, names: Sequence[str]) -> list[str]:
    """Return the names that a text is put together from, the longest first; [] if it is not."""
    parts = []
    while text:
        part = next((name for name in sorted(names, key=len, reverse=True) if text.startswith(name)), "")
        if not part:
            return []
        parts.append(part)
        text = text.removeprefix(part)
    return parts


def replay(phones: Sequence[Phone], entries: Sequence[Entry]) -> None:
    """Play entries on phones, tap by tap: each question on the phone of the seat that decides.

    The first entry may be under way.
    """
    by_number = {entry.number: entry for entry in entries}
    for entry in entries:
        if not _asked(phones):
            acting = [phone for phone in phones if phone.page.locator("#dock [data-action]").count()]
            assert acting, [phone.page.inner_text("#dock") for phone in phones]
            acting[0].act(entry.action)
            await_same_state(phones)
        while asked := _asked(phones):
            number, _, place = asked.data("at").partition(".")
            asked.reply(by_number[int(number)].replies[int(place) - 1 :])
            await_same_state(phones)


def _asked(phones: Sequence[Phone]) -> Phone | None:
    return next((phone for phone in phones if phone.data("at")), None)


def await_same_state(phones: Sequence[Phone]) -> None:
    """Wait until every phone shows the newest state and takes taps."""
    newest = max(phone.shown for phone in phones)
    for phone in phones:
        phone.await_state(newest)
        phone.ready()
