"""The command ``map``: telling by lines, in an editor, from files; a running session follows."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cli.commands.your_set import form_with_mistakes
from companion.core.errors import BadData
from companion.session.store import Archive
from tests.support.commands import companion as run

pytestmark = pytest.mark.usefixtures("tiny_game")


def facts() -> dict[str, str]:
    with Archive.open() as archive:
        return archive.printed("tiny")


class TestTell:
    def test_a_line_is_echoed_as_understood(self) -> None:
        done = run("map", "tiny", "tell", "camp marsh; paths ford steep")
        assert done.code == 0, done.err
        assert "ground:camp = marsh" in done.out and "path:camp/ford = steep" in done.out
        assert facts() == {"ground:camp": "marsh", "path:camp/ford": "steep"}

    def test_words_without_quotation_marks(self) -> None:
        assert run("map", "tiny", "tell", "camp", "marsh").code == 0
        assert facts() == {"ground:camp": "marsh"}

    def test_several_lines(self) -> None:
        assert run("map", "tiny", "tell", "camp marsh", "ford plain").code == 0
        assert len(facts()) == 2

    def test_nothing_new(self) -> None:
        run("map", "tiny", "tell", "camp marsh")
        assert "Nothing new" in run("map", "tiny", "tell", "camp marsh").out

    @pytest.mark.parametrize(
        ("line", "code"),
        [("moon marsh", 2), ("camp sea", 2), ("camp", 2), ("camp marsh; paths camp", 2), ("camp marsh; paths hill-1", 4)],
    )
    def test_what_cannot_be(self, line: str, code: int) -> None:
        done = run("map", "tiny", "tell", line)
        assert done.code == code and done.err and not done.out
        assert facts() == {}

    @pytest.mark.parametrize("line", ["camp, ford marsh", "camp,ford marsh # both", "camp marsh | ford marsh | "])
    def test_several_spaces_and_remarks(self, line: str) -> None:
        assert run("map", "tiny", "tell", line).code == 0
        assert facts() == {"ground:camp": "marsh", "ground:ford": "marsh"}

    @pytest.mark.parametrize(
        "words",
        ["--anyway", "camp --anyway", "export --session x", "tell camp_marsh --format json", "tell camp_marsh --session nobody"],
    )
    def test_an_option_that_means_nothing_there(self, words: str) -> None:
        done = run("map", "tiny", *(word.replace("_", " ") for word in words.split()))
        assert done.code == 2 and done.err and facts() == {}

    def test_json(self) -> None:
        done = run("map", "tiny", "tell", "camp marsh", "--json")
        assert json.loads(done.out)["facts"] == {"ground:camp": "marsh"}


class TestFiles:
    @pytest.mark.parametrize("end", ["csv", "toml", "txt"])
    def test_export_and_import(self, tmp_path: Path, end: str) -> None:
        run("map", "tiny", "tell", "camp marsh; paths ford steep", "ford plain")
        told = facts()
        path = str(tmp_path / f"map.{end}")
        assert run("map", "tiny", "export", path).code == 0
        for key in told:
            run("printed", "tiny", "forget", key)
        assert facts() == {}
        assert run("map", "tiny", "import", path).code == 0
        assert facts() == told

    def test_printed_import_takes_a_map_too(self, tmp_path: Path) -> None:
        path = tmp_path / "map.toml"
        path.write_text('game = "tiny"\n[map]\ncamp = "marsh"\n')
        assert "ground:camp = marsh" in run("printed", "tiny", "import", str(path)).out
        assert facts() == {"ground:camp": "marsh"}

    def test_another_encoding(self, tmp_path: Path) -> None:
        path = tmp_path / "map.csv"
        path.write_bytes("space,ground\ncamp,m\xe4rsh\n".encode("latin-1"))
        done = run("map", "tiny", "import", str(path))
        assert done.code == 4 and "UTF-8" in done.err

    def test_a_file_that_tells_nothing(self, tmp_path: Path) -> None:
        path = tmp_path / "map.csv"
        path.write_text("space,ground\ncamp,\n")
        assert "says nothing about the map" in " ".join(run("map", "tiny", "import", str(path)).out.split())

    def test_nothing_is_half_imported(self, tmp_path: Path) -> None:
        path = tmp_path / "map.csv"
        path.write_text("space,ground\ncamp,marsh\nford,sea\n")
        done = run("map", "tiny", "import", str(path))
        assert done.code == 4 and "line 3" in done.err
        assert facts() == {}


class TestEdit:
    @pytest.fixture
    def editor(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
        """An editor that carries out some Python on the text."""

        def use(code: str) -> None:
            script = tmp_path / "editor.py"
            script.write_text(f"import sys\npath = sys.argv[1]\ntext = open(path).read()\n{code}\nopen(path, 'w').write(text)\n")
            monkeypatch.setenv("VISUAL", f"{shlex.quote(sys.executable)} {shlex.quote(str(script))}")
            monkeypatch.setattr("companion.cli.shell.files.on_terminal", lambda: True)

        return use

    def test_what_is_filled_in_is_told_and_what_is_taken_out_forgotten(self, editor: Callable[[str], None]) -> None:
        run("map", "tiny", "tell", "camp marsh; paths ford steep")
        editor("assert 'camp marsh; paths ford steep' in text\ntext = 'camp marsh\\nford plain\\n'")
        done = run("map", "tiny", "edit")
        assert done.code == 0, done.err
        assert "Forgotten: path:camp/ford" in done.out
        assert facts() == {"ground:camp": "marsh", "ground:ford": "plain"}

    def test_left_as_it_was(self, editor: Callable[[str], None]) -> None:
        editor("pass")
        assert "Nothing new" in run("map", "tiny", "edit").out

    def test_a_fault_is_shown_at_the_head_of_the_form(self, editor: Callable[[str], None]) -> None:
        editor("text = 'camp plain\\n' if '#! line 3' in text else 'camp sea\\n'")
        assert run("map", "tiny", "edit").code == 0
        assert facts() == {"ground:camp": "plain"}

    def test_the_fault_is_named_by_its_line_in_the_form_that_shows_it(self) -> None:
        fault = BadData("the form has 2 faults", faults=["line 3: no sea", "line 4: camp is plain, but marsh in line 2"])
        shown = form_with_mistakes("#! of before\ncamp marsh\nford sea\ncamp plain\n", fault).splitlines()
        assert shown[1:3] == ["#! line 5: no sea", "#! line 6: camp is plain, but marsh in line 4"]
        assert shown[3:] == ["camp marsh", "ford sea", "camp plain"]

    def test_a_fault_that_is_left_as_it_is_ends_it(self, editor: Callable[[str], None]) -> None:
        editor("text = text if '#!' in text else 'camp sea\\n'")
        done = run("map", "tiny", "edit")
        assert done.code == 4 and "line 1" in done.err
        assert facts() == {}

    def test_ctrl_c_is_the_editors(self, editor: Callable[[str], None]) -> None:
        editor("import os, signal\nos.kill(os.getppid(), signal.SIGINT)\ntext = 'camp plain\\n'")
        assert run("map", "tiny", "edit").code == 0
        assert facts() == {"ground:camp": "plain"}

    def test_an_empty_form_changes_nothing(self, editor: Callable[[str], None]) -> None:
        run("map", "tiny", "tell", "camp marsh")
        editor("text = ''")
        assert run("map", "tiny", "edit").code == 2
        assert facts() == {"ground:camp": "marsh"}

    def test_without_a_terminal(self) -> None:
        done = run("map", "tiny", "edit")
        assert done.code == 2 and "export" in done.err

    def test_no_such_editor(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("companion.cli.shell.files.on_terminal", lambda: True)
        monkeypatch.setenv("VISUAL", "no-such-editor-at-all")
        assert "no editor" in run("map", "tiny", "edit").err
