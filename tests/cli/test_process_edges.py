"""The edges of the process: streams that are closed or full, Ctrl-C, paths that lead nowhere, files of every kind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.cli.repl import terminal
from companion.cli.repl.loop import Loop
from companion.cli.repl.prompt import Prompt
from companion.cli.shell.screen import MORE
from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.cli.conftest import Run
from tests.support.commands import companion

ROOT = Path(__file__).parents[2]
PROGRAM = "import sys; sys.argv = ['companion', *sys.argv[1:]]; from tests.support import with_tiny; with_tiny.main()"


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """A line of a shell in which ``$C`` is the program."""
    command = line.replace("$C", f'{sys.executable} -c "{PROGRAM}"')
    return subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "line", ["$C <&-", "$C status <&-", "$C status >&-", "$C status 2>&-", "$C --help >&-", "$C do rest <&-", "$C note hi >&-"]
)
def test_a_closed_stream_is_no_fault(begun: Run, line: str) -> None:
    done = shell(line)

    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "fault in Companion" not in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        "status",
        "status --json",
        "log --json",
        "--help",
        "status --help",
        "game -h",
        "completions bash",
        "note hi",
        "do rest",
        "games",
    ],
)
def test_a_full_stdout_has_a_code_of_its_own_and_keeps_what_was_done(begun: Run, words: str) -> None:
    done = shell(f"$C {words} >/dev/full")

    assert done.returncode == 74
    assert done.stderr.startswith("the output could not be written: No space left on device")
    assert "Traceback" not in done.stderr
    if words == "note hi":
        assert "hi" in companion("log").out


@pytest.mark.parametrize("words", ["status --help", "completions bash", "--help", "log"])
def test_who_reads_no_further_is_no_fault(begun: Run, words: str) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write) as nobody:
        command = [sys.executable, "-c", PROGRAM, *words.split()]
        done = subprocess.run(command, cwd=ROOT, stdout=nobody, stderr=subprocess.PIPE, text=True, check=False)

    assert (done.returncode, done.stderr) == (74, "")


@pytest.mark.parametrize("after", [0.0, 0.02, 0.05, 0.1, 0.2])
def test_ctrl_c_in_the_start_says_nothing(begun: Run, after: float) -> None:
    """From the first line of ours on; what the interpreter says before it is its own."""
    ready = "import os, _signal; _signal.signal(2, _signal.SIG_DFL); os.write(2, b'.');" + PROGRAM
    command = [sys.executable, "-c", ready, "log"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stderr is not None
        child.stderr.read(1)
        time.sleep(after)
        child.send_signal(signal.SIGINT)
        _, told = child.communicate()

    assert "Traceback" not in told


@pytest.mark.parametrize(
    "words", [["status"], ["log"], ["show"], ["sessions"], ["report"], ["undo"], ["answer", "x"], ["use", "x"]]
)
def test_a_look_at_a_mistyped_path_makes_nothing(run: Run, tmp_path: Path, words: list[str]) -> None:
    result = run(*words, "--db", os.fspath(tmp_path / "typo" / "x.sqlite"), code=2)

    assert "there is no archive" in result.stderr
    assert not (tmp_path / "typo").exists()


def test_a_user_whom_nobody_knows_gets_no_folder(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert "there is no such user" in run("new", "tiny", "--db", "~nobody-of-that-name/x.db", code=4).stderr
    assert not list(tmp_path.glob("~*"))


def test_what_is_made_is_for_the_players_eyes_only(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "a.db"
    with Archive.open(os.fspath(path)):
        pass

    assert path.stat().st_mode & 0o077 == 0
    assert path.parent.stat().st_mode & 0o077 == 0


def test_a_pipe_with_a_name_is_not_waited_for(begun: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    for words in (["printed", "tiny", "import"], ["bundle", "--restore"]):
        assert "not a regular file" in begun(*words, os.fspath(tmp_path / "pipe"), code=4).stderr


def test_facts_come_from_stdin_and_go_to_stdout(begun: Run, tmp_path: Path) -> None:
    begun("printed", "tiny", "set", "strength:Red", "2")
    text = begun("printed", "tiny", "export", "-").stdout
    (tmp_path / "facts.toml").write_text(text)
    done = shell(f"COMPANION_DB={tmp_path}/other.db $C printed tiny import - < {tmp_path}/facts.toml")

    assert 'game = "tiny"' in text
    assert done.stdout == "Remembered: 1 fact\n", done.stderr


def test_what_windows_notepad_saves_is_read(begun: Run, tmp_path: Path) -> None:
    file = tmp_path / "facts.toml"
    file.write_bytes(b'\xef\xbb\xbfgame = "tiny"\r\n[facts]\r\n"strength:Red" = "2"\r\n')

    assert "Remembered: 1 fact" in begun("printed", "tiny", "import", os.fspath(file)).stdout


@pytest.mark.parametrize(
    "text",
    [
        'game = "tiny"\n[facts]\n"strength:Red" = ' + "9" * 5000,
        'game = "tiny"\n[facts]\n"strength:Red" = "' + "9" * 5000 + '"',
        'game = "tiny"\n' + ".".join(["a"] * 2000) + " = 1",
        "a = " + "[" * 5000,
    ],
    ids=["a number", "a text", "parts", "nested"],
)
def test_outsized_facts_are_refused_in_a_few_words(begun: Run, tmp_path: Path, text: str) -> None:
    file = tmp_path / "facts.toml"
    file.write_text(text)

    said = begun("printed", "tiny", "import", os.fspath(file), code=4).stderr
    assert "fault in Companion" not in said
    assert len(said) < 2000


@pytest.mark.parametrize(
    "words",
    [
        ["amend", "9" * 5000 + ".1", "x"],
        ["printed", "tiny", "set", "strength:Red", "9" * 5000],
        ["adjust", "supply", "9" * 5000, "--why", "x"],
        ["undo", "9" * 5000],
        ["do", "fight", "--dice", "9" * 5000 + ","],
        ["rule", "tiny", "9" * 5000],
    ],
    ids=lambda words: words[0],
)
def test_outsized_numbers_are_refused_in_a_few_words(begun: Run, words: list[str]) -> None:
    said = begun(*words, code=2).stderr
    assert "fault in Companion" not in said
    assert len(said) < 2000


def test_a_file_appears_whole_or_not_at_all(begun: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that fills leaves nothing behind that would be called there already."""
    file = tmp_path / "b.json"
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        assert "No space left" in begun("bundle", os.fspath(file), code=2).stderr
    assert list(tmp_path.glob("b.json*")) == []

    begun("bundle", os.fspath(file))
    assert "exists already" in begun("bundle", os.fspath(file), code=2).stderr
    assert [path.name for path in tmp_path.glob("b.json*")] == ["b.json"]


@pytest.mark.parametrize("words", ["undo --json", "show nothing-of-this-name --json"])
def test_a_fault_that_cannot_be_told_as_json_is_no_traceback(begun: Run, words: str) -> None:
    done = shell(f"$C {words} >/dev/full")

    assert done.returncode == 74
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_a_history_that_cannot_be_written_costs_only_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk fills after the start: what is typed is taken all the same."""
    kept = terminal._history(os.fspath(tmp_path / "a.db"))
    kept.append_string("turn")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("builtins.open", full)
    kept.append_string("undo")
    assert list(kept.load_history_strings()) == []
    monkeypatch.undo()
    assert list(kept.load_history_strings()) == ["turn"]
    assert (tmp_path / "a.db.history").stat().st_mode & 0o077 == 0


def test_help_is_on_one_screen(begun: Run) -> None:
    """24 rows, two of them for the prompt; the question that was open stands above it already."""
    typed: list[str] = ["/help"]

    def ask(prompt: Prompt) -> str:
        assert prompt.text != MORE
        if not typed:
            raise EOFError
        return typed.pop()

    with Archive.open() as archive:
        Loop(SessionController.open(archive), ask, lambda lines: None, lambda: (24, 80)).play()


def _full(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_completion_script_is_replaced_whole_or_not_at_all(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", os.fspath(tmp_path))
    path = tmp_path / "bash-completion" / "completions" / "companion"
    path.parent.mkdir(parents=True)
    path.write_text("the old one")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", _full)
        assert "companion completions bash > FILE" in run("completions", "bash", "--install", code=2).stderr
    assert path.read_text() == "the old one"
    run("completions", "bash", "--install")
    assert path.read_text().startswith("# companion: completion for bash")


def test_a_report_with_pictures_appears_whole_or_not_at_all(begun: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "told"
    begun("do", "rest")
    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", _full)
        assert "No space left" in begun("report", "--out", f"{folder}/", code=2).stderr
    assert list(tmp_path.glob("told*")) == []
    begun("report", "--out", f"{folder}/")
    assert (folder / "report.md").exists()


def test_a_branch_is_made_and_used_at_one_go(begun: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a second transaction the branch could be there although the command says that nothing is."""
    written: list[str] = []
    write = Archive._write
    monkeypatch.setattr(Archive, "_write", lambda self, work: (written.append("once"), write(self, work))[1])
    begun("branch", "what-if")

    assert written == ["once"]
    assert "what-if" in begun("status").stdout


def test_settings_are_on_the_disk_before_they_take_the_place_of_the_old(
    begun: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun("config", "theme", "light")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", _full)
        assert "No space left on device" in " ".join(begun("config", "theme", "dark", code=4).stderr.split())
    assert "theme light" in begun("config", "theme").stdout
