"""Cures named in messages, typed at the prompt where they are shown: as commands with a slash."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from companion.cli.repl.commands import SLASH_COMMANDS, as_slash_commands
from companion.cli.repl.loop import Loop
from companion.core.errors import BadData
from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.views.lines import Line
from tests.cli.cure_situations import ALBANY, APRIL, CARDS, FURY, SITUATIONS, TRUSTED
from tests.cli.test_cures import all_cures, commands_of, pattern_of
from tests.cli.test_loop import Typist
from tests.support.commands import companion as run

_SLASH = re.compile(rf"(?<![\w/.])(/(?:map tell|adjust) .*|/(?:{'|'.join(SLASH_COMMANDS)})(?!\w).*?)(?=$|[;:(),]| or )")


class AtPrompt(NamedTuple):
    """A message at the prompt and its cure.

    Attributes:
        begun: The commands that lead there.
        wrong: The line that is refused.
        cure: The cure as the package writes it.
        typed: What is typed then; () for the commands of the cure as they are printed.
        after: What is typed at the questions of `wrong`.
    """

    begun: tuple[str, ...]
    wrong: str
    cure: str
    typed: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


AT_PROMPT = (
    AtPrompt(APRIL, "companion stats", "Leave with /quit, everything is saved; or type it in a second terminal", ("/quit",)),
    AtPrompt(APRIL, "/rule zzz", "See: companion rule {}"),
    AtPrompt(APRIL, "/odds", "Ask for a situation, such as /odds {}: {}", ("/odds battle",)),
    AtPrompt(APRIL, "/map tell", "/map tell {}"),
    AtPrompt(ALBANY, "/map tell", "/map tell {}"),
    AtPrompt(APRIL, "/bundle", "/bundle FILE", ("/bundle b.zip",)),
    AtPrompt(APRIL, "/abort", "See where play is: companion status"),
    AtPrompt((*APRIL, "adjust ops 30"), "/abort", "To take a complete action back: companion undo"),
    AtPrompt(FURY, "/abort", "Answer its question, or begin again: companion new {}"),
    AtPrompt(APRIL, "/pace line", "pace {}: {}. For every session: companion config pace {}"),
    AtPrompt(TRUSTED, "/dice physical", "To try something with other dice: companion branch NAME", ("/quit",)),
    AtPrompt(APRIL, "/note", "/note TEXT", ("/note tea",), after=("",)),
    AtPrompt(
        (*APRIL, "adjust TH1 'north base'", "adjust 3/1 'north base'", "adjust 1/8 'north base'", "do j3"),
        "TH1, 3/1, 1/8",
        "See capacities: /rule 24.6",
    ),
    AtPrompt(("new fallujahcards --dice physical --draws physical", "do turn"), "/bot do", "See the advice: /bot"),
    AtPrompt((*CARDS, "do turn"), "/amend 1.1 x", "See: companion log"),
)


def _typed_at_prompt(line: str) -> str:
    """A correction as it is typed at the prompt; "" for another command, or one with options that the prompt lacks."""
    name, *words = shlex.split(re.sub(r" --why ('.*'|\S+)", "", line))
    if name != "adjust" or any(word.startswith("--") for word in words):
        return ""
    return f"/adjust {' '.join(map(shlex.quote, words))} because x"


def _from_table() -> list[AtPrompt]:
    """The corrections in the situations of the shell."""
    rows = []
    for item in SITUATIONS:
        wrong = _typed_at_prompt(item.wrong)
        typed = tuple(map(_typed_at_prompt, item.typed))
        if wrong and not (item.lasting or item.passing) and all(typed):
            rows.append(AtPrompt(item.begun, wrong, item.cure, typed))
    return rows


def _play(lines: Sequence[str | Callable[[], object]]) -> Typist:
    with Archive.open() as archive:
        typist = Typist(lines)
        Loop(SessionController.open(archive), typist.ask, typist.tell, lambda: (0, 200)).play(greet=False)
    return typist


def _errors(lines: Sequence[Line]) -> list[str]:
    return [line.text for line in lines if line.tone == "error"]


@pytest.mark.parametrize("situation", [*AT_PROMPT, *_from_table()], ids=lambda situation: situation.wrong)
def test_a_cure_is_accepted_at_the_prompt(situation: AtPrompt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its commands are refused neither there nor, if they are of the shell, in a second terminal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMPANION_DB", str(tmp_path / "archive"))
    for line in situation.begun:
        assert run(*shlex.split(line)).code in (0, 3), line
    refused = _play([situation.wrong, *situation.after]).shown
    cure = as_slash_commands(situation.cure).replace("/rule {}", "/rule")  # the game is left out at the prompt
    shown = next(filter(None, (pattern_of(cure).search(line.text) for line in refused)), None)
    assert shown, [line.text for line in refused]
    commands = [found.strip() for found in _SLASH.findall(shown[0])]
    for line in situation.typed or commands:
        said = _play([line, *(("",) if line.startswith("/adjust") else ())]).shown  # the usual reason
        assert not _errors(said), (line, _errors(said))
    for line in () if situation.typed else commands_of(shown[0]):
        done = run(*shlex.split(line))
        assert done.code in (0, 3), (line, done.err)


_GONE = "Put it back; or save what this window still knows of the session: /bundle FILE"


def test_a_session_whose_archive_is_removed_is_saved_by_the_cure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMPANION_DB", str(tmp_path / "archive"))
    for line in CARDS:
        run(*shlex.split(line))
    typist = Typist([lambda: os.unlink("archive"), "/note tea", "/bundle b.json"])
    with Archive.open() as archive, pytest.raises(BadData):  # the prompt ends with it too
        Loop(SessionController.open(archive), typist.ask, typist.tell, lambda: (0, 200)).play(greet=False)
    assert any(_GONE in line.text for line in typist.shown)
    assert json.loads(Path("b.json").read_text(encoding="utf-8"))["session"]["game"] == "fallujahcards"


def test_cures_with_a_slash_are_typed() -> None:
    cures = {cure for cure in all_cures() if _SLASH.search(cure)}
    assert cures - {item.cure for item in AT_PROMPT} - {_GONE} == set()
