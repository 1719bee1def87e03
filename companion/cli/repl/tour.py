"""The tour: a text for each kind of question and result, shown once as it comes up."""

from companion.core.requests import Draw, Number, Printed, Request, Roll, Text
from companion.session.controller import SessionController
from companion.views.lines import Line

_TEXTS = {
    "action": "An action: its number, first letters of its name, or a word of what it does. ? lists them.",
    "usual": "Enter takes the one in brackets, the usual action now.",
    "choice": "A question: answer with the number beside a line or the first letters of a name. ? lists all answers.",
    "several": "Several at once: 1,3 or 1+3, or names with commas; all (or +), none (or 0).",
    "suggested": "Enter takes the answer in brackets.",
    "number": "A number, within the bounds shown.",
    "text": "Type what is on your table, in the form shown; values printed on your set are asked only once.",
    "roll": "A roll: type the dice of your table, such as 3 5; Enter twice lets Companion roll. /dice changes who rolls.",
    "draw": "A draw: type the name of what you drew; Enter twice lets Companion draw. /draws changes who draws.",
    "odds": "Before you commit yourself: * shows the exact odds of this question.",
    "result": "Each line says what happened and, at its end, by which rule: /rule shows it, /why the reasons."
    " The foot of the screen shows what has changed: before > now.",
    "undo": "A slip? - is one question back, . takes back the whole action; both say what to put back on the"
    " table. /redo restores it. /adjust sets anything to what you see there.",
    "end": "That was the tour. /help lists the rest; /show: what lies where; /log: what was done. /quit leaves, all is saved.",
}
_MAX_ACTIONS = 3
"""The tour ends after so many actions, or with the turn."""


class Tour:
    """Which texts were shown.

    Args:
        session: The session in which the tour begins.
    """

    def __init__(self, session: SessionController) -> None:
        self._session = session
        self._shown: set[str] = set()
        self._first = len(session.history.force) - (session.pending is not None)
        self._turn = self._current_turn()
        self.over = False

    def _current_turn(self) -> str:
        session = self._session
        return session.game.banner(session.position, session.options).stage

    def lines(self) -> list[Line]:
        """The texts to show before the next prompt; sets `over` after the last one."""
        keys = [key for key in self._current_keys() if key not in self._shown]
        self._shown.update(keys)
        self.over = "end" in keys
        return [Line(_TEXTS[key], "board", "", "  > ") for key in keys]

    def _current_keys(self) -> list[str]:
        """The keys of the texts that fit now, in order."""
        session, request = self._session, self._session.pending
        done = len(session.history.force) - (request is not None) - self._first
        is_same_turn = self._turn == self._current_turn()
        after = [key for key, minimum in (("result", 1), ("undo", 2 if is_same_turn else 1)) if done >= minimum]
        if request is not None:
            return [*after, *_question_keys(request)]
        if done >= _MAX_ACTIONS or (done and not is_same_turn):
            return ["result", "undo", "end"]
        usual = session.game.default_action(session.position)
        return [*after, "action", *(["usual"] if usual and not session.game.obstacle_to(usual, session.position) else [])]


def _question_keys(request: Request[object]) -> list[str]:
    """The keys of the texts about a question."""
    if isinstance(request, Roll):
        return ["roll"]
    if isinstance(request, Draw):
        return ["draw"]
    kind = "text" if isinstance(request, Text | Printed) else "number" if isinstance(request, Number) else "choice"
    several = ["several"] if request.accepts_list and kind == "choice" else []
    return [kind, *several, *(["suggested"] if request.suggest is not None else []), *(["odds"] if request.odds else [])]
