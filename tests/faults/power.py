"""Simulate power failures: rebuild folders from a record of every write, sync and change of a name.

Run by itself, with the library before everything else: ``python -m tests.faults.power FOLDER SEED CASE...`` for commands, or
``... FOLDER SEED game ENTRIES`` for one long game of several sittings.

The model is strict. The content of a file is durable after its sync, and the names in a folder after the sync of that folder.
Any part of everything else may be lost: writes in any order, the end of a write, the last page filled with garbage.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from companion.core.errors import Illegal
from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.faults import cases, points, workspace
from tests.faults.cases import Case
from tests.faults.preload import MODES, NEVER, Faults
from tests.faults.workspace import State

SECTOR = 512
RANDOM_IMAGES = 4


class Op(NamedTuple):
    """One line of the record.

    Attributes:
        what: W a write, T a truncation, C a new file, U a name less, R a new name, L one more name, M a folder, S a sync, A a
            word of the test's own.
        place, path, second: of what, below the folder.
        data: what was written.
    """

    what: str
    place: int
    path: str
    second: str = ""
    data: bytes = b""


def recorded(path: Path) -> list[Op]:
    """The operations of a record."""
    content = path.read_bytes()
    found, at = [], 0
    while at < len(content):
        end = content.index(b"\n", at)
        what, place, count, name, second = content[at:end].decode().split("\t")
        at = end + 1
        data = content[at : at + int(count)] if what == "W" else b""
        at += len(data)
        if not name.endswith("-shm"):
            found.append(Op(what, int(place), name, second, data))
    return found


def changed(content: bytes, op: Op) -> bytes:
    """A file after a write or a truncation."""
    if op.what == "T":
        return content[: op.place].ljust(op.place, b"\0")
    return content[: op.place].ljust(op.place, b"\0") + op.data + content[op.place + len(op.data) :]


class Change(NamedTuple):
    """A change that is not durable yet, of the content of a file or of the names in a folder."""

    op: Op
    file: int
    folder: str


class Disk:
    """The durable content of a folder, and the changes that are not durable yet.

    Args:
        root: The folder at the start; all of it is durable.
    """

    def __init__(self, root: Path) -> None:
        self.files: dict[int, bytes] = {}
        self.names: dict[str, int] = {}
        self.folders = {""}
        self.waiting: list[Change] = []
        for path in sorted(root.rglob("*")):
            name = "/" + str(path.relative_to(root))
            if path.is_dir():
                self.folders.add(name)
            elif not name.endswith("-shm"):
                self.names[name] = len(self.files)
                self.files[len(self.files)] = path.read_bytes()
        self.now = dict(self.names)  # the names as the running program sees them
        self.made = len(self.files)

    def take(self, op: Op) -> None:
        """Apply the next operation."""
        folder = os.path.dirname(op.second or op.path).rstrip("/")
        if op.what == "S":
            file = self.now.get(op.path)
            settled = [one for one in self.waiting if (one.file == file if file is not None else one.folder == op.path)]
            self.files, self.names, self.folders = self.after(settled)
            self.waiting = [one for one in self.waiting if one not in settled]
        elif op.what in "WT":
            self.waiting.append(Change(op, self.now[op.path], "-"))
        elif op.what != "A":
            if op.what == "C":
                self.now[op.path] = self.made
                self.made += 1
            elif op.what == "U":
                self.now.pop(op.path, None)
            elif op.what in "RL":
                self._rename(op)
            self.waiting.append(Change(op, -1, folder))

    def _rename(self, op: Op) -> None:
        below = [name for name in self.now if name == op.path or name.startswith(op.path + "/")]
        for name in below:
            self.now[op.second + name[len(op.path) :]] = self.now[name]
            if op.what == "R":
                del self.now[name]

    def after(self, changes: Sequence[Change]) -> tuple[dict[int, bytes], dict[str, int], set[str]]:
        """Files, names and folders if exactly these changes become durable."""
        files, names, folders = dict(self.files), dict(self.names), set(self.folders)
        for op, file, _ in changes:
            if op.what in "WT":
                files[file] = changed(files.get(file, b""), op)
            elif op.what == "C":
                names[op.path] = op.place
            elif op.what == "M":
                folders.add(op.path)
            elif op.what == "U":
                names.pop(op.path, None)
            else:
                _renamed(names, folders, op)
        return files, names, folders


def _renamed(names: dict[str, int], folders: set[str], op: Op) -> None:
    for name in [name for name in names if name == op.path or name.startswith(op.path + "/")]:
        names[op.second + name[len(op.path) :]] = names[name]
        if op.what == "R":
            del names[name]
    for folder in [name for name in folders if name == op.path or name.startswith(op.path + "/")]:
        folders.add(op.second + folder[len(op.path) :])
        folders.discard(folder)


Image = tuple[dict[int, bytes], dict[str, int], set[str]]


def images(disk: Disk, dice: random.Random) -> Iterator[tuple[str, Image]]:
    """The possible contents of the disk if the power fails now, each with its kind of loss."""
    waiting = disk.waiting
    named = [one for one in waiting if one.op.what not in "WT"]
    yield "all later writes lost", disk.after([])
    if not waiting:
        return
    yield "all but new names lost", disk.after(named)
    yield "nothing lost", disk.after(waiting)
    for part in (waiting[:1], waiting[: len(waiting) // 2], waiting[:-1]):
        yield "the later part lost", disk.after([*(one for one in named if one not in part), *part])
    for _ in range(RANDOM_IMAGES):
        yield "a random part lost", disk.after([_cut(one, dice) for one in waiting if one in named or dice.random() < 0.5])
    torn = next((at for at in reversed(range(len(waiting))) if waiting[at].op.what == "W"), None)
    if torn is not None:
        last = waiting[torn]
        half = len(last.op.data) // 2
        garbage = last.op.data[:half] + dice.randbytes(len(last.op.data) - half)
        whole = [*waiting[:torn], last._replace(op=last.op._replace(data=garbage)), *waiting[torn + 1 :]]
        yield "the last page torn", disk.after(whole)


def _cut(change: Change, dice: random.Random) -> Change:
    """A write that may be cut at a sector."""
    data = change.op.data
    if change.op.what != "W" or len(data) <= SECTOR or dice.random() < 0.5:
        return change
    return change._replace(op=change.op._replace(data=data[: dice.randrange(len(data) // SECTOR) * SECTOR]))


def lay(image: Image, root: Path) -> None:
    """Write an image to a folder."""
    files, names, folders = image
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    for folder in sorted(folders - {""}):
        (root / folder[1:]).mkdir(parents=True, exist_ok=True)
    for name, file in names.items():
        if os.path.dirname(name).rstrip("/") in folders:
            (root / name[1:]).write_bytes(files.get(file, b""))


class LostImage(NamedTuple):
    """An image of the disk, the kind of loss, and the messages printed before it."""

    kind: str
    image: Image
    messages: list[str]


def rebuilt(template: Path, ops: Sequence[Op], dice: random.Random) -> Iterator[LostImage]:
    """Every image before and after each sync, removed name and acknowledgement."""
    disk, messages = Disk(template), list[str]()
    for op in ops:
        if op.what in "SUA":
            yield from (LostImage(*found, list(messages)) for found in images(disk, dice))
        if op.what == "A":
            messages.append(op.path)
        disk.take(op if op.what != "C" else op._replace(place=disk.made))
    yield from (LostImage(*found, list(messages)) for found in images(disk, dice))


class StateReader:
    """Reads the states of images in clean processes; equal images are read once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.seen: dict[str, State] = {}

    def state(self, image: Image) -> tuple[State, bool]:
        """The state of an image, and whether it is new."""
        lay(image, self.root)
        key = workspace.checksum(self.root)
        if key in self.seen:
            return self.seen[key], False

        def work() -> State:
            workspace.enter(str(self.root))
            return workspace.read_state(str(self.root))

        found, status = workspace.run_in_fork(work)
        self.seen[key] = found or State((f"looking ended with {status}",), {}, ())
        return self.seen[key], True


# -- commands ----------------------------------------------------------------------------------------------------------


Way = Iterator[tuple[str, tuple[str, str]]]
"""The kind of each different image, its outcome and the fault found."""


def of_command(stage: points.Stage, case: Case, dice: random.Random) -> Way:
    """Judge each image of a command."""
    baseline = stage.baseline(case)
    record = stage.home / "record"
    stage.lay(case)
    with record.open("wb") as file:
        stage.run(case, MODES[0], NEVER, file.fileno())
    looked, judged = StateReader(stage.home / "image"), set[tuple[int, bool]]()
    for kind, image, messages in rebuilt(stage.template(case), recorded(record), dice):
        state, _ = looked.state(image)
        ended = any(word.startswith("ended") for word in messages)
        if (id(state), ended) not in judged:
            judged.add((id(state), ended))
            yield kind, _after_command(baseline, state, ended, case)


def _after_command(baseline: points.Baseline, state: State, ended: bool, case: Case) -> tuple[str, str]:
    if state.faults:
        return "damaged", "; ".join(state.faults)
    if state.files == baseline.after.files:
        return "kept", ""
    if ended:
        return "acknowledged and lost", points.difference(baseline.after, state)
    if case.stages:
        return "a first part of it", ""
    if state.files == baseline.before.files or points.only_made(baseline, state):
        return "not kept, and not told of", ""
    return "half", points.difference(baseline.after, state)


# -- a long game -------------------------------------------------------------------------------------------------------


def sittings(entries: int, faults: Faults) -> None:
    """Play entries of a game; the archive is closed and opened again after some of them."""
    dice = random.Random(5)
    with Archive.open() as archive:
        session = SessionController.create(archive, "tiny", options={"length": "long"}, seed="7", name="monday")
        faults.mark(f"monday {session.history.seq}")
    made = 1
    while made < entries:
        with Archive.open() as archive:
            session = SessionController.open(archive, "monday")
            for _ in range(dice.randrange(4, 30)):
                _move(session, dice)
                faults.mark(f"monday {session.history.seq}")
            made = len(session.history.force)


def _move(session: SessionController, dice: random.Random) -> None:
    """Something that a player does."""
    if session.pending is not None:
        text = {"confirm": "no", "pick": "Red", "printed": "2", "text": "ford"}.get(session.pending.kind, "")
        try:
            session.undo_reply() if dice.random() < 0.05 else session.reply(text, anyway=True)
        except Illegal:  # the cup is empty
            session.undo()
    elif dice.random() < 0.06:
        session.undo()
    elif dice.random() < 0.06:
        session.note("still here")
    else:
        session.begin(dice.choice(("march", "rest", "rest", "search", "fight", "peek", "peek", "peek")), anyway=True)


def of_game(home: Path, entries: int, dice: random.Random, most: int) -> Way:
    """Images of a long game, at most so many, from everywhere in it."""
    faults, template, root, record = Faults(), home / "template", home / "root", home / "record"
    template.mkdir()
    (template / "tmp").mkdir()
    shutil.copytree(template, root)

    def work() -> State:
        workspace.enter(str(root))
        faults.below(str(root))
        with record.open("wb") as file:
            faults.record(file.fileno())
            sittings(entries, faults)
            faults.record(-1)
        return workspace.read_state(str(root))

    truth, status = workspace.run_in_fork(work)
    assert truth is not None, status
    log = truth.files[workspace.ARCHIVE]["sessions"]["monday"]["log"]
    looked, asked = StateReader(home / "image"), dict[int, Any]()
    for kind, image, messages in _some(list(rebuilt(template, recorded(record), dice)), most, dice):
        state, first = looked.state(image)
        if first:
            yield kind, _after_game(log, asked, state, messages)


def _some(found: list[LostImage], most: int, dice: random.Random) -> list[LostImage]:
    return found if len(found) <= most else [found[at] for at in sorted(dice.sample(range(len(found)), most))]


def _after_game(log: Sequence[Any], asked: dict[int, Any], state: State, messages: list[str]) -> tuple[str, str]:
    """``asked``: the question that belongs to each length of the log, as it has been found so far."""
    if state.faults:
        return "damaged", "; ".join(state.faults)
    archive = state.files.get(workspace.ARCHIVE, {})
    session = archive.get("sessions", {}).get("monday", {"log": [], "asked": None}) if isinstance(archive, dict) else {"log": []}
    kept, least = len(session["log"]), int(messages[-1].split()[1]) if messages else 0
    if kept < least:
        return "acknowledged and lost", f"{kept} rows of {least}"
    if session["log"] != log[:kept]:
        return "half", f"{kept} rows"
    if kept and asked.setdefault(kept, session["asked"]) != session["asked"]:
        return "another question", str(session["asked"])
    return "all that was told, and the one in hand" if kept > least else "all that was told", ""


def measured(home: Path, seed: str, words: Sequence[str]) -> points.Summary:
    """What comes out, by command."""
    summary, stage = points.Summary(), points.Stage(home)
    ways = {name: (lambda name=name: of_command(stage, cases.case_of(name), random.Random(seed + name))) for name in words}
    if words[0] == "game":
        ways = {"a game": lambda: of_game(home, int(words[1]), random.Random(seed), int(words[2]))}
    for name, way in ways.items():
        for kind, (outcome, wrong) in way():
            summary.add(name, kind, points.Verdict(outcome, "", wrong))
    return summary


def main() -> None:
    home, seed, *words = sys.argv[1:]
    workspace.prepare_process(Path(home))
    points.warm(Path(home), [] if words[0] == "game" else words)
    print(json.dumps(measured(Path(home), seed, words).plain()))


if __name__ == "__main__":
    main()
