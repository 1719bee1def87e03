"""The tour: through one turn of whatever is being played, a word is said on each thing when it comes up for the first time."""

from __future__ import annotations

from companion.core.requests import Draw, Number, Printed, Request, Roll, Text
from companion.session.controller import SessionController
from companion.views.lines import Line

_WORDS = {
    "action": "An action: its number, or the first letters of its name. ? lists all of them, and why some cannot be taken now.",
    "usual": "Enter takes the one in brackets: it is what is usual now.",
    "choice": "A question: answer with the number beside a line or the first letters of a name. ? lists every answer there is.",
    "several": "Several at once: 1,3 or 1+3, names with commas, all, or none.",
    "suggested": "Enter takes what stands in the brackets.",
    "number": "A number, within the bounds that are named.",
    "text": "What stands on your table, in the form that is shown; what is asked of your set is asked only once.",
    "roll": "A roll: Enter lets Companion roll; or roll on the table and type your dice, such as 3 5. /dice changes who rolls.",
    "draw": "A draw: Enter lets Companion draw; or draw on the table and type the name. /draws changes who draws.",
    "odds": "Before you commit yourself: /odds (or *) shows the exact chances of this very question.",
    "result": "Each line says what happened and, in brackets, by which rule: /rule shows it, /why the reasons behind it all."
    " The foot of the screen shows what has changed: before > now.",
    "undo": "A slip? /back (or -) takes back the last answer, /undo (or .) the whole action, and both say what to put back on the"
    " table; /redo brings it back. /adjust sets anything to what you see there.",
    "end": "That was the tour. /help lists the rest; /show: what lies where; /log: what was done. /quit leaves, all is saved.",
}
_ACTIONS = 3
"""The tour ends after so many actions, or with the turn."""


class Tour:
    """What has been said of it already.

    Args:
        desk: the session in which it begins.
    """

    def __init__(self, desk: SessionController) -> None:
        self._desk = desk
        self._said: set[str] = set()
        self._begun = len(desk.history.force) - (desk.pending is not None)
        self._turn = self._now()
        self.over = False

    def _now(self) -> str:
        desk = self._desk
        return desk.game.banner(desk.position, desk.options).stage

    def lines(self) -> list[Line]:
        """What to say before the next prompt; at its end it is over."""
        keys = [key for key in self._keys() if key not in self._said]
        self._said.update(keys)
        self.over = "end" in keys
        return [Line(_WORDS[key], "board", "", "  > ") for key in keys]

    def _keys(self) -> list[str]:
        """What the moment is, in the order in which it is told."""
        desk, asked = self._desk, self._desk.pending
        done = len(desk.history.force) - (asked is not None) - self._begun
        after = [key for key, least in (("result", 1), ("undo", 2 if self._turn == self._now() else 1)) if done >= least]
        if asked is not None:
            return [*after, *_of_question(asked)]
        if done >= _ACTIONS or (done and self._turn != self._now()):
            return ["result", "undo", "end"]
        usual = desk.game.default_action(desk.position)
        return [*after, "action", *(["usual"] if usual and not desk.game.obstacle_to(usual, desk.position) else [])]


def _of_question(asked: Request[object]) -> list[str]:
    """What a question shows for the first time."""
    if isinstance(asked, Roll):
        return ["roll"]
    if isinstance(asked, Draw):
        return ["draw"]
    kind = "text" if isinstance(asked, Text | Printed) else "number" if isinstance(asked, Number) else "choice"
    several = ["several"] if asked.accepts_list and kind == "choice" else []
    return [kind, *several, *(["suggested"] if asked.suggest is not None else []), *(["odds"] if asked.odds else [])]
