"""What an installed Companion must do without a checkout: as an executable or a zip file, without Python's packages or a PATH."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.request import HTTPCookieProcessor, ProxyHandler, build_opener

from tests.support.checkout import ROOT

AUTHOR_PAGE = ROOT / "companion" / "docs" / "a-game-of-your-own.md"
BATTLE = "do battle --game fallujah2004 contact=5 firepower=4,3,3 opfor=2(1),1(1) terrain=open with=nothing --dice 3,4,2,4,1"
ODDS = "odds fallujah2004 battle contact=5 firepower=4,3,3 opfor=2(1),1(1) terrain=open with=nothing"


class Failed(Exception):
    """An installed Companion did something else."""


class Installed(NamedTuple):
    """How it is started, with which environment, and the folder that it is used in."""

    command: Sequence[str]
    environment: Mapping[str, str]
    folder: Path

    def run(self, words: str | Sequence[str], *needed: str, code: int = 0, timeout: float = 300) -> str:
        """Carry out a command; return what it prints.

        Raises:
            Failed: It ends with another exit code, prints anything on stderr, or prints none of the `needed` texts.
        """
        argv = words.split() if isinstance(words, str) else list(words)
        done = subprocess.run(
            [*self.command, *argv],
            cwd=self.folder,
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=timeout,
            check=False,
        )
        missing = [text for text in needed if text not in done.stdout]
        if done.returncode != code or done.stderr or missing:
            raise Failed(f"{' '.join(argv)}: exit code {done.returncode}, missing {missing}\n{done.stdout}\n{done.stderr}")
        return done.stdout


def environment(folder: Path, keep: Mapping[str, str]) -> dict[str, str]:
    """Return an environment whose PATH is empty and whose folders of the user are all below `folder`."""
    needed = ("SYSTEMROOT", "SYSTEMDRIVE", "TEMP", "TMP", "LANG")  # Windows loads no library without the first
    paths = {name: str(folder / name.lower()) for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA")}
    for path in paths.values():
        Path(path).mkdir(parents=True, exist_ok=True)
    return {**{name: keep[name] for name in needed if name in keep}, **paths, "PATH": "", "PYTHONUTF8": "1"}


def write_coin_game(folder: Path) -> None:
    """Write the first game of the page for authors."""
    blocks = re.findall(r"^```\w+ games/(\S+)\n(.*?)^```", AUTHOR_PAGE.read_text(encoding="utf-8"), re.M | re.S)
    for name, text in blocks:
        path = folder / name
        if not path.exists():  # a later block of the page changes the file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def try_out(installed: Installed, watch: Callable[[str], object] = lambda text: None) -> None:
    """Use an installed Companion in every way that depends on how it is installed; raise Failed at the first fault."""
    for step in (start, battle, afterwards, simulation, advice, own_game, new_game, hosted):
        since = time.monotonic()
        step(installed)
        watch(f"{step.__name__}: {(step.__doc__ or '').partition('.')[0]}: {time.monotonic() - since:.1f} s\n")


def start(installed: Installed) -> None:
    """Version, help, pages, completions, tables and the rule register."""
    installed.run("--version", "Companion ")
    installed.run("--help", "simulate")
    installed.run("do --help", "Carry out an action")
    installed.run("help", "a-game-of-your-own")
    installed.run("help lzalbany", "How strong the opponent is")
    installed.run("completions bash", "complete -F _companion companion")
    installed.run(["--complete", "bash", "companion simul"], "simulate")
    installed.run("tables check", "phantomfury: no fault")
    installed.run("rule fallujah2004 16.8 --code", "companion.games.fallujah2004.rules.r16_battle")
    installed.run("chart lzalbany", "What a die means")
    installed.run("schema", '"protocol"')


def battle(installed: Installed) -> None:
    """A battle by dice of the player's own, in and outside of a session, and undo."""
    installed.run(BATTLE, "WON. No OPFOR unit is left. [16.1(6)]")
    installed.run("printed fallujah2004 import practice")
    installed.run("new fallujah2004 --scenario vigilant --dice physical --draws physical --name april", "Session april")
    installed.run(["do", "buy", "buy=3/1, 3/5, CEB, 2 air", "at=north"], "Air Strike")
    installed.run("do j3 force=3/1,CEB to=2-11 --draw deception --draw militia", "Battle at 2-11 (open)", code=3)
    installed.run("answer strikes=none --dice 2,4,3,5,3,4 move_on=no", "WON.", "KIA 0 -> +1")
    installed.run("undo", "Move USMC 3/1 from 2-11 to North Base")
    installed.run("redo", "Move USMC 3/1 from North Base to 2-11")
    installed.run("status", "KIA +1")
    installed.run("status --json", '"protocol": 1')
    installed.run("log", "Battle at 2-11 (open)")


def afterwards(installed: Installed) -> None:
    """Report, map, copies and checks."""
    installed.run("report --format html --out report.html")
    if "<h1" not in (installed.folder / "report.html").read_text(encoding="utf-8"):
        raise Failed("report.html has no heading")
    installed.run("report --format md --out report.md")
    installed.run("map fallujah2004", "2-11")
    installed.run("bundle game.json")
    installed.run("bundle --restore game.json --db other.sqlite3")
    installed.run("backup copy.sqlite3")
    installed.run("doctor")
    installed.run("luck")
    installed.run("stats")


def simulation(installed: Installed) -> None:
    """Whole games on two processes, with the rows of one."""
    rows = []
    for jobs in (1, 2):
        name = f"games-{jobs}.csv"
        installed.run(
            f"simulate fallujahcards --policy random --games 40 --seed 7 --jobs {jobs} --out {name}", "40 games, seed 7"
        )
        lines = (installed.folder / name).read_text(encoding="utf-8").splitlines()
        seconds = lines[0].split(",").index("seconds")
        rows.append([[value for column, value in enumerate(line.split(",")) if column != seconds] for line in lines])
    if rows[0] != rows[1]:
        raise Failed("simulate --jobs 2 gives other rows than --jobs 1")


def advice(installed: Installed) -> None:
    """The opponent and adviser, exact odds and an exercise."""
    installed.run("practice fallujahcards")
    installed.run("bot")
    installed.run(ODDS, "KIA change")
    installed.run("drill lzalbany", "Exercise")


def own_game(installed: Installed) -> None:
    """A game in the user's own folder."""
    folder = installed.folder / "games"
    write_coin_game(folder)
    own = installed._replace(environment={**installed.environment, "COMPANION_GAMES": str(folder)})
    own.run("games", "Heads")
    own.run("new coin", "Session coin-1")
    own.run("do toss --dice 2", "Heads 0 -> 1: heads [1]")
    own.run("simulate coin --games 4 --jobs 2 --seed 1", "4 games, seed 1")
    own.run("games coin --check", "coin: no fault")


def new_game(installed: Installed) -> None:
    """A game written from the template, and played."""
    folder = str(installed.folder / "new-games")
    own = installed._replace(environment={**installed.environment, "COMPANION_GAMES": folder})
    own.run("game new harbour --folder", "rules.py")
    own.run("new harbour --seed 7", "The Supply Boat")
    own.run("do sail", "Which course", code=3)
    own.run("odds", "42.9 %")
    own.run("answer sea", code=0)


def hosted(installed: Installed) -> None:
    """`companion host` answers a browser."""
    process = subprocess.Popen(
        [*installed.command, "host", "--port", "0", "--session", "april"],
        cwd=installed.folder,
        env=dict(installed.environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )
    printed: list[str] = []
    link = None
    try:
        while link is None and (line := process.stdout.readline() if process.stdout else ""):
            printed.append(line)
            link = re.search(r"(http://[^/]+)/t/\S+", line)
        if link is None:
            raise Failed(f"host prints no link:\n{''.join(printed)}")
        browser = build_opener(ProxyHandler({}), HTTPCookieProcessor())
        addresses = (link[0], f"{link[1]}/state", f"{link[1]}/static/style.css")
        page, state, style = (browser.open(address, timeout=30).read().decode() for address in addresses)
    finally:
        if sys.platform == "win32":  # the one file is two processes there, of which only the first would be ended
            process.send_signal(signal.CTRL_BREAK_EVENT)
        else:
            process.terminate()
        process.communicate(timeout=30)
    if "<title>" not in page or "KIA" not in state or not style:
        raise Failed(f"host answers with something else: {page[:500]}\n{state[:500]}")
