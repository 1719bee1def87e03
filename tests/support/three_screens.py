"""A transcript of two phones and a terminal in one session of LZ Albany: what each shows after each step.

Run: python -m tests.support.three_screens (needs Chromium and pexpect)
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from tests.support.page_screens import session_at
from tests.support.phones import Phone, await_same_state, chromium, hosting
from tests.support.screen import Screen

SEATS = ("us", "nva")
START = "lzalbany", "Turn 2, 12 chits, two players", "target"


class Screens:
    """The phones of two seats and a terminal."""

    def __init__(self, phones: dict[str, Phone], terminal: Screen) -> None:
        self.phones = phones
        self.terminal = terminal
        self._shown = 0

    def asked(self) -> str:
        """The seat whose phone has the open question."""
        return next(seat for seat, phone in self.phones.items() if phone.data("at"))

    def show(self, step: str) -> None:
        """Print a step, and then what is new on each screen."""
        await_same_state(list(self.phones.values()))
        print(f"\n=== {step}")
        for seat, phone in self.phones.items():
            texts = (phone.page.inner_text(selector).strip() for selector in ("#top", "#dock"))
            rows = [re.sub(r"\s+", " ", row) for row in "\n".join(texts).splitlines() if row.strip()]
            print(f"--- phone of {seat}")
            print("\n".join(f"    {row}" for row in rows[:14]))
        print("--- terminal")
        rows = [row for row in self.terminal.settle().whole.splitlines() if row]
        print("\n".join(f"    {row}" for row in rows[max(len(rows) - 22, 0) :]))


@contextmanager
def screens() -> Iterator[Screens]:
    """Open the session on all screens."""
    with ExitStack() as stack:
        os.environ["NO_PROXY"] = "127.0.0.1,localhost"
        browser = stack.enter_context(chromium())
        db, name = stack.enter_context(session_at(*START))
        host = stack.enter_context(hosting(db, name))
        phones = {seat: Phone(browser, host.links[seat]) for seat in SEATS}
        terminal = Screen("play", "--db", db, "--session", name, rows=50, columns=100, tiny=False, NO_COLOR="1", COMPANION_DB=db)
        stack.callback(terminal.child.close, force=True)
        yield Screens(phones, terminal.at("[b2] >"))


def first_choice(phone: Phone) -> str:
    """Tap the first button of the open question; return its text."""
    button = phone.page.locator("#dock [data-value] >> visible=true").first
    text = " ".join(button.inner_text().split())
    phone.tap_and_wait(f'[data-value="{button.get_attribute("data-value")}"]')
    return text


def main() -> None:
    with screens() as table:
        phones, terminal = table.phones, table.terminal
        table.show("a battle is under way; US chooses a target")
        number = phones["us"].data("at")
        terminal.type("c1", "").see("> c1")
        text = first_choice(phones["us"])
        terminal.see("Not sent - c1")
        table.show(f"half a line stands at the terminal when the phone of us answers question {number} with: {text}")
        terminal.type("/note seen by both").see("Noted")
        table.show("the terminal writes a note")
        terminal.type("/undo")
        for phone in phones.values():
            phone.await_state(phone.shown + 1)
        table.show("the terminal takes the whole action back")
        terminal.type("next")
        for phone in phones.values():
            phone.await_state(phone.shown + 1)
        table.show("the terminal begins it again")
        asked = table.asked()
        text = first_choice(phones[asked])
        table.show(f"the phone of {asked} answers: {text}")


if __name__ == "__main__":
    main()
