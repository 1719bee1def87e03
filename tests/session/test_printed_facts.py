"""Printed facts: lists, setting, and the file that owners pass on."""

from __future__ import annotations

from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import BadData, Unreadable
from companion.core.game import Game
from companion.games import make_game
from companion.session import facts, tables
from companion.session.store import Archive


@pytest.fixture
def game(tiny_game: str) -> Game:
    return make_game("tiny", tables.load("tiny"))


class TestLists:
    def test_known_and_missing_facts(self, game: Game) -> None:
        lines = facts.list_facts(game, {"strength:Red": "3", "depth:north": "2"})
        assert [(line.key, line.value, line.source) for line in lines] == [
            ("strength:Blue", "2", "rulebook"),
            ("strength:Red", "3", "told"),
            ("weather", "", "missing"),
            ("depth:north", "2", "told"),
            ("depth:south", "", "missing"),
        ]
        assert [line.key for line in facts.missing_facts(game, {"weather": "fair"})] == ["depth:north", "depth:south"]

    def test_told_comes_before_shipped(self, game: Game) -> None:
        assert facts.list_facts(game, {"strength:Blue": "1"})[0][2:] == ("1", "told")


class TestSetting:
    @pytest.mark.parametrize(
        ("key", "value", "full", "read"),
        [
            ("strength:Red", " 2 ", "strength:Red", "2"),
            ("str: Red Two", "02", "strength:Red Two", "2"),
            ("weather", "fo", "weather", "foul"),
            ("w", "fair", "weather", "fair"),
            ("depth:n", "9", "depth:north", "9"),
        ],
    )
    def test_by_prefix_and_in_its_notation(
        self, archive: Archive, game: Game, key: str, value: str, full: str, read: str
    ) -> None:
        assert facts.set_fact(archive, game, key, value) == (full, read)
        assert archive.printed("tiny") == {full: read}

    @pytest.mark.parametrize(
        ("key", "value", "words"),
        [
            ("morale", "1", "no printed fact 'morale'"),
            ("strength", "1", "needs to know which one"),
            ("weather:today", "fair", "takes nothing after a colon"),
            ("depth:east", "1", "'east'"),
            ("strength:Red", "9", "9 is outside 1 to 3"),
            ("weather", "hail", "no weather 'hail'"),
        ],
    )
    def test_invalid_values_are_refused(self, archive: Archive, game: Game, key: str, value: str, words: str) -> None:
        with pytest.raises(Unreadable, match=words):
            facts.set_fact(archive, game, key, value)
        assert archive.printed("tiny") == {}

    @pytest.mark.parametrize("key", ["path:Ford/camp", "path:camp/ford"])
    def test_map_fact_has_its_spaces_in_one_order(self, archive: Archive, game: Game, key: str) -> None:
        assert facts.set_fact(archive, game, key, "steep") == ("path:camp/ford", "steep")

    @pytest.mark.parametrize("key", ["path:camp", "path:camp/", "path:camp/ford/hill-1", "path:camp/moon", "ground:moon"])
    def test_map_fact_needs_known_spaces(self, archive: Archive, game: Game, key: str) -> None:
        with pytest.raises(Unreadable, match=r"two spaces|no space"):
            facts.set_fact(archive, game, key, "steep" if key.startswith("path") else "plain")

    def test_forget(self, archive: Archive, game: Game) -> None:
        facts.set_fact(archive, game, "weather", "fair")
        assert facts.withdraw_fact(archive, game, "wea") == "weather"
        assert archive.printed("tiny") == {}
        with pytest.raises(Unreadable):
            facts.withdraw_fact(archive, game, "weather")


class TestFile:
    FACTS: ClassVar = {
        "strength:Red": "3",
        'strength:A "B" \\ C': "1",
        "strength:\N{SNOWMAN}\U0001f600": "2",
        "weather": "foul",
        "depth:north": "2",
    }

    def test_export_and_import_agree(self, archive: Archive, game: Game) -> None:
        archive.record_facts("tiny", self.FACTS)
        text = facts.export_text(archive, game)
        with Archive.open(archive.path + "2") as other:
            assert facts.import_text(other, game, text) == self.FACTS
            assert other.printed("tiny") == self.FACTS
            assert facts.import_text(other, game, text.encode()) == {}
            assert facts.export_text(other, game) == text

    def test_missing_facts_are_appended_as_a_form(self, archive: Archive, game: Game) -> None:
        archive.record_facts("tiny", {"weather": "foul"})
        lines = facts.export_text(archive, game).splitlines()
        assert '"weather" = "foul"' in lines
        assert [line for line in lines if line.startswith('# "depth:north" = ')]
        assert not [line for line in lines if line.startswith('# "weather"')]

    def test_contradictions_are_refused_all_at_once_unless_insisted_on(
        self, archive: Archive, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What a game says cannot be true together is not taken over; what was known before it is no new fault."""
        monkeypatch.setattr(
            type(game),
            "contradictions",
            lambda self, facts: [f"{key} is odd [1.1]" for key, value in facts.items() if value == "3"],
        )
        text = "game = 'tiny'\n[facts]\n'strength:Red' = '3'\n'strength:Blue' = '3'"
        with pytest.raises(BadData, match="has 2 contradictions") as caught:
            facts.import_text(archive, game, text)
        assert "strength:Red is odd [1.1]" in caught.value.faults and archive.printed("tiny") == {}
        assert len(facts.import_text(archive, game, text, anyway=True)) == 2
        assert facts.import_text(archive, game, text + "\n'weather' = 'foul'") == {"weather": "foul"}

    def test_export_without_facts(self, archive: Archive, game: Game) -> None:
        assert facts.read_file(game, facts.export_text(archive, game)) == {}

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("", "game: must be 'tiny', not None"),
            ("", "facts: is missing or is not a table"),
            ("game = 'chess'\n[facts]", "game: must be 'tiny', not 'chess'"),
            ("game = 'tiny'\nfacts = 3", "facts: is missing or is not a table"),
            ("game = 'tiny'\nplayer = 'x'\n[facts]", "player: unknown key"),
            ("game = 'tiny'\n[facts]\nmorale = 'x'", "facts.morale: tiny has no such fact"),
            ("game = 'tiny'\n[facts]\nstrength = '1'", "facts.strength: tiny has no such fact"),
            ("game = 'tiny'\n[facts]\n'strength:' = '1'", "facts.strength:: 'strength' needs to know which one"),
            ("game = 'tiny'\n[facts]\n'depth:n' = '1'", "facts.depth:n: 'depth' has no 'n'"),
            ("game = 'tiny'\n[facts]\nweather = 3", "facts.weather: must be quoted text, not 3"),
            ("game = 'tiny'\n[facts]\nweather = ['fair']", "facts.weather: must be quoted text, not"),
            ("game = 'tiny'\n[facts]\nweather = 1979-05-27", "facts.weather: must be quoted text, not"),
            ("game = 'tiny'\n[facts]\n'strength:Red' = '4'", "facts.strength:Red: 4 is outside 1 to 3"),
            ("game = 'tiny'\n[facts\n", "is not TOML: "),
            ("game = 'tiny'\n[facts]\nweather = 'fair'\nweather = 'foul'", "is not TOML: "),
            ("x = " + "[" * 100_000, "nested too deeply"),
            ("#" * 1_000_001, "is too large"),
            ("game = 'tiny'\n[facts]\n" + "".join(f"'strength:{n}' = '1'\n" for n in range(5001)), "5001 values, at most 5000"),
        ],
    )
    def test_bad_files(self, archive: Archive, game: Game, text: str, words: str) -> None:
        with pytest.raises(BadData) as caught:
            facts.import_text(archive, game, text, "facts.toml")
        assert words in str(caught.value) and "facts.toml" in str(caught.value)
        assert caught.value.exit_code == 4
        assert archive.printed("tiny") == {}

    def test_binary_file_is_refused(self, game: Game) -> None:
        with pytest.raises(BadData, match="not UTF-8 text"):
            facts.read_file(game, b"\xff\xfe")

    def test_all_faults_are_reported_and_nothing_is_imported(self, archive: Archive, game: Game) -> None:
        text = "game = 'x'\nmore = 1\n[facts]\nweather = 'fair'\n'depth:north' = 'deep'\nmorale = '1'"
        with pytest.raises(BadData, match="has 4 faults") as caught:
            facts.import_text(archive, game, text)
        assert len(caught.value.faults) == 4 and archive.printed("tiny") == {}

    def test_long_list_of_faults_is_truncated(self, game: Game) -> None:
        text = "game = 'tiny'\n[facts]\n" + "".join(f"'x{n}' = '1'\n" for n in range(400))
        with pytest.raises(BadData) as caught:
            facts.read_file(game, text)
        assert len(caught.value.faults) == 101 and caught.value.faults[-1] == "and 300 more"

    def test_control_characters_are_stripped(self, game: Game) -> None:
        text = 'game = "tiny"\n[facts]\n"strength:R\\u001b[2Jed" = "1\\u0007"\n'
        assert facts.read_file(game, text) == {"strength:R [2Jed": "1"}
        with pytest.raises(BadData) as caught:
            facts.read_file(game, 'game = "\\u001b"\n[facts]\n"\\u001bx" = "\\u0000"')
        assert "\x1b" not in str(caught.value) and "\x00" not in str(caught.value)

    @settings(deadline=None, max_examples=40)
    @given(st.text(max_size=300))
    def test_any_text_is_imported_or_refused(self, text: str) -> None:
        game = _plain_game()
        try:
            found = facts.read_file(game, text)
        except BadData as fault:
            assert all(ch == "\n" or ch.isprintable() for ch in str(fault))
        else:
            assert found == {}


def _plain_game() -> Game:
    """The made-up game, for tests in which a fixture of one function would be shared by many runs."""
    from tests.support import tiny

    empty: dict[str, object] = {"title": "x", "edition": "x", "tracks": {}, "scenarios": {}}
    return tiny.Tiny(tables.Tables(empty, {}, {}, {}, {}, {}, {}))  # type: ignore[arg-type]
