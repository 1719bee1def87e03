"""The README and the pages of ``companion help``: the commands that they show, and their parts that are made by a script.

``python -m tests.support.pages --write`` writes those parts anew: between ``<!-- NAME -->`` and ``<!-- /NAME -->`` how many
values a game asks, its rulings, how hard the levels are by the win rates in the games' pages, the ladder, and what was measured
of reviews: the calibration of chances to win, the accuracy of policies, and reviews of whole games.
"""

from __future__ import annotations

import importlib
import os
import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from companion.cli.repl.loop import Loop
from companion.cli.repl.prompt import Prompt
from companion.cli.shell.output import PENDING
from companion.core.game import Game, Ruling
from companion.core.policies import PLANNER
from companion.core.rollouts import LEVELS
from companion.games import GAMES
from companion.session import simulation, table_checks
from companion.session.controller import SessionController
from companion.session.database import archive_path, practice_path
from companion.session.facts import missing_facts
from companion.session.plugins import PLUGIN_PACKAGE
from companion.session.state import load_game
from companion.session.store import Archive
from companion.views.lines import Line, plain_text
from tests.support import author_tables
from tests.support.commands import companion

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
DOCS = ROOT / "companion" / "docs"
PROMPT = re.compile(r"((?:\[[^\]]*\] )?(?:action )?>)(?: (.*))?")
"""A row of the loop that begins with its prompt: that, and what is typed at it."""


def pages() -> list[Path]:
    """The README, and every page of ``companion help``."""
    return [README, *sorted(DOCS.glob("*.md"))]


class Shown(NamedTuple):
    """One command of a console block and what is printed below it; ``...`` alone stands for any lines."""

    command: str
    lines: tuple[str, ...]

    @property
    def typed(self) -> list[str]:
        """What is typed in the loop at the table, where the command opens that."""
        prompts = (PROMPT.fullmatch(line) for line in self.lines)
        return [prompt[2] or "" for prompt in prompts if prompt]

    @property
    def opening(self) -> list[str]:
        """The words of the command; none where it does nothing but go on at the table."""
        name, *words = shlex.split(self.command)
        assert name == "companion", self.command
        return [] if self.typed and words in ([], ["play"], ["practice"]) else words

    @property
    def practised(self) -> bool:
        """Whether it plays in the archive of made-up sets."""
        return self.command.startswith("companion practice")


def blocks(page: Path) -> list[str]:
    """The console blocks of a page, as they stand there."""
    return re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.S)


def groups(page: Path) -> list[list[Shown]]:
    """The commands of a page in order; a block that begins with ``# afresh`` begins a new archive, as each page does."""
    found: list[list[Shown]] = [[]]
    for kind, path, text in re.findall(r"^```(console|\w+ (\S+))\n(.*?)^```", page.read_text(encoding="utf-8"), re.S | re.M):
        if path:
            found[-1].append(Shown(kind, tuple(text.rstrip("\n").split("\n"))))
            continue
        if text.startswith("# afresh"):
            found.append([])
        for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
            command, *lines = part.rstrip("\n").split("\n")
            found[-1].append(Shown(command, tuple(lines)))
    return [group for group in found if group]


def carried_out(shown: Shown) -> list[str]:
    """What a command prints; where it opens the loop, what a terminal then shows, up to the last line that is typed there."""
    if re.match(r"\w+ games/", shown.command):
        return put_down(shown)
    done = companion(*shown.opening) if shown.opening else None
    if done and done.code not in (0, PENDING):  # a refusal that no page means to show would hide behind "..."
        assert {*done.err.split("\n")} & {*shown.lines}, f"$ {shown.command}\n{done.err}"
    printed = (done.out + done.err).rstrip("\n").split("\n") if done else []
    return [*printed, *plain_text(at_table(shown)).split("\n")] if shown.typed else printed


def put_down(shown: Shown) -> list[str]:
    """Writes the file that a block shows, or changes it as the block says; the game is then loaded anew."""
    kind, path = shown.command.split()
    text = "\n".join(shown.lines) + "\n"
    file = Path(os.environ["COMPANION_GAMES"]).parent / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(changed(file.read_text(encoding="utf-8"), text) if kind == "diff" else text, encoding="utf-8")
    for name in [name for name in sys.modules if name.startswith(f"{PLUGIN_PACKAGE}.")]:
        del sys.modules[name]
    importlib.invalidate_caches()
    simulation._load_with_facts.cache_clear()
    return list(shown.lines)


def changed(text: str, diff: str) -> str:
    """A text with the changes of a block of kept, taken and added lines; ``@@`` stands between those that are apart."""
    for part in diff.split("@@\n"):
        lines = part.splitlines()
        old, new = ("\n".join(line[1:] for line in lines if line[:1] != sign) + "\n" for sign in "+-")
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def at_table(shown: Shown) -> list[Line]:
    """What the loop shows while its lines are typed, in the session last used: without a screen, so nothing is paged."""
    told: list[Line] = []
    left = shown.typed

    def ask(prompt: Prompt) -> str:
        if not left:
            raise EOFError
        told.append(Line(f"{prompt.text}{left[0]}".rstrip(), "key"))
        return left.pop(0)

    archive = Archive.open(practice_path("") if shown.practised else archive_path(None))
    try:
        Loop(SessionController.open(archive, archive.session()), ask, told.extend).play(greet=not shown.opening)
    finally:
        archive.close()
    return told


def table_of_facts(game: Game) -> str:
    """What the owner of a game types in once, and what is asked as it comes up."""
    counts = Counter(line.fact.id for line in missing_facts(game, {}))
    rows = [f"| `{fact.id}` | {counts[fact.id] or 'as they come up'} | {fact.title} |" for fact in game.facts]
    return "\n".join(["| printed fact | values | what it is |", "|---|---:|---|", *rows])


def list_of_rulings(game: Game) -> str:
    """Every decision of ours, and how it is switched."""
    return "\n".join(map(_ruling, game.tables.rulings.values()))


def _ruling(ruling: Ruling) -> str:
    rules = ", ".join(ruling.rules)
    switch = f" Option `{ruling.option}`: {', '.join(f'`{choice}`' for choice in ruling.choices)}." if ruling.option else ""
    return f"- **{ruling.id}** ({rules}) {ruling.question.strip()} {ruling.answer.strip()}{switch}"


def made(page: Path) -> Iterator[tuple[str, str]]:
    """The parts of a page that are made by this script: their name, and what stands there."""
    if page.stem == "a-game-of-your-own":
        yield "keys", "\n".join(tables_of_keys()).strip("\n")
    if page.stem == "authors":
        yield from author_tables.tables()
    if page.stem == "opponents":
        yield "difficulty", table_of_levels()
        yield "ladder", _ladders().pages_part()
    if page.stem == "review":
        for name in ("accuracy", "reviews", "calibration"):
            yield name, importlib.import_module(f"tests.measures.{name}").pages_part()  # they read this module
    if page.stem == "README":
        yield "ladder", _ladders().readme_part()
    if page.stem in GAMES:
        game = load_game(page.stem)
        if game.facts:
            yield "facts", table_of_facts(game)
    if page.stem == "rulings":
        for name in GAMES:
            yield f"{name} rulings", list_of_rulings(load_game(name))


def _ladders() -> Any:
    from tests.measures import ladder  # reads this module

    return ladder


def table_of_levels() -> str:
    """How often the planner wins each scenario at each level, from the win rates in the page on strength, by name."""
    rows = ["| game, scenario | " + " | ".join(LEVELS) + " |", "|---" * (len(LEVELS) + 1) + "|"]
    page = (DOCS / "strength.md").read_text(encoding="utf-8")
    for name in sorted(GAMES):
        lines = page.partition(f"<!-- {name} rates -->\n")[2].partition(f"\n<!-- /{name} rates -->")[0].splitlines()[2:]
        won: dict[str, dict[str, list[str]]] = {}
        for scenario, policy, level, think, _, games, share, *_ in (
            [cell.strip() for cell in line.split("|")[1:-1]] for line in lines
        ):
            if policy == f"`{PLANNER}`":
                played_on = "" if think == "0" else f", think {think}"
                cell = f"{share.removesuffix(')')}; {games} games{played_on})"
                won.setdefault(scenario, {}).setdefault(level.strip("`"), []).append(cell)
        title = load_game(name).title.partition(":")[0]
        rows += [
            f"| {title}, {scenario} | " + " | ".join("; ".join(levels.get(level, ())) for level in LEVELS) + " |"
            for scenario, levels in won.items()
        ]
    return "\n".join(rows)


DATA: dict[str, Sequence[tuple[str, str]]] = {
    "`game.toml`": (
        ("", "game"),
        ("A track", "track"),
        ("A scenario", "scenario"),
        ("An option", "option"),
        ("Values of a mark or a flag; any text if none of these keys is given", "form"),
    ),
    "`rules.toml`: a `[[rule]]` for every rule and case of the rulebook": (("", "rule"), ("A clause", "clause")),
    "`rulings.toml`: a `[[ruling]]` for every decision of yours where the rulebook is silent": (("", "ruling"),),
    "`charts/ID.toml`: a file for each look-up table": (("", "chart"),),
    "`counters.toml`; the rest of it is the game's own": (("", "counter"),),
    "`ai.toml` (or `bot.toml`, its former name); the rest of it is the game's own": (
        ("A priority of a decision, `[[DECISION]]`", "priority"),
    ),
    "`report.toml`: the words of reports": (
        ("`[chapters]`", "chapters"),
        ("`[[sentence]]`: the first that matches an event is used", "sentence"),
        ("`[[plot]]`", "plot"),
    ),
    "`messages.toml`: an `[ID]` for every text, for other languages (`companion help translating`)": (("", "message"),),
}
"""The data files of a game, each with its tables of keys."""


def tables_of_keys() -> Iterator[str]:
    """What a game's data files hold, as the loader checks it."""
    for file, parts in DATA.items():
        yield f"\n### {file}"
        for title, known in parts:
            yield from ("", f"{title}:") if title else ()
            yield from ("", "| key | must be | what it is |", "| --- | --- | --- |")
            for name, key in table_checks.KEYS[known].items():
                kind = table_checks.WORDS[key.kind]
                yield f"| `{name}` | {f'**{kind}**' if key.needed else kind} | {key.says} |"
    yield "\nKeys whose type is **bold** are required."


def renewed(page: Path) -> str:
    """A page with those parts as they are now."""
    text = page.read_text(encoding="utf-8")
    for name, part in made(page):
        begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
        assert begin in text and end in text, f"{page.name} has no place for {name}"
        text = f"{text.partition(begin)[0]}{begin}\n{part}\n{end}{text.partition(end)[2]}"
    return text


def renew(page: Path) -> None:
    """Write those parts of a page as they are now."""
    page.write_text(renewed(page), encoding="utf-8")


def main() -> None:
    for page in pages():
        text = renewed(page)
        if text != page.read_text(encoding="utf-8"):
            sys.stdout.write(f"{page.name} is out of date\n")
            if "--write" in sys.argv:
                page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
