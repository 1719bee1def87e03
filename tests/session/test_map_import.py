"""The map told by lines, by a table of a TOML file and by a spreadsheet: whole or not at all, every fault with its line."""

from __future__ import annotations

import pytest

from companion.core.errors import BadData
from companion.core.game import Game
from companion.session import facts
from companion.session.facts import import_text, read_file
from companion.session.state import load_game
from companion.session.store import Archive

FACTS = {"ground:camp": "marsh", "ground:ford": "plain", "path:camp/ford": "steep", "path:ford/hill-1": "easy"}


@pytest.fixture
def game(tiny_game: str) -> Game:
    return load_game(tiny_game)


def faults(error: pytest.ExceptionInfo[BadData]) -> list[str]:
    return [str(fault) for fault in error.value.faults]


class TestLines:
    def test_one_space_a_line_with_columns_after_semicolons(self, game: Game) -> None:
        text = "# remarks\ncamp marsh; paths ford steep\nford plain; paths hill-1  # the usual one\n\nhill-2\n"
        assert facts.from_lines(game, text, {}) == FACTS

    def test_several_spaces_in_one_line(self, game: Game) -> None:
        assert facts.from_lines(game, "camp,ford marsh", {}) == {"ground:camp": "marsh", "ground:ford": "marsh"}
        assert facts.from_lines(game, "camp marsh | ford plain", {}) == {"ground:camp": "marsh", "ground:ford": "plain"}

    def test_every_fault_is_named_with_its_line_and_nothing_is_imported(self, game: Game) -> None:
        with pytest.raises(BadData) as error:
            facts.from_lines(game, "camp marsh\nford sea\nmoon plain\ncamp plain\ncamp plain; roads ford\n", {})
        found = faults(error)
        assert [fault.partition(":")[0] for fault in found] == ["line 2", "line 3", "line 4", "line 5"]
        assert "moon" in found[1] and "ground:camp is plain, but marsh in line 1" in found[2] and "roads" in found[3]

    def test_a_space_is_no_neighbour_of_itself(self, game: Game) -> None:
        with pytest.raises(BadData) as error:
            facts.from_lines(game, "camp marsh; paths camp steep", {})
        assert "be its own neighbour" in faults(error)[0]

    def test_contradicting_directions_of_a_link(self, game: Game) -> None:
        with pytest.raises(BadData) as error:
            facts.from_lines(game, "camp marsh; paths ford steep\nford plain; paths camp easy", {})
        assert "path:camp/ford is easy, but steep in line 1" in faults(error)[0]

    def test_too_many_lines(self, game: Game) -> None:
        with pytest.raises(BadData, match="at most"):
            facts.from_lines(game, "camp marsh\n" * (facts.MAX_LINES + 1), {})

    def test_fact_without_two_spaces_is_no_map_fact(self, game: Game) -> None:
        assert facts.as_form(game, {"path:camp": "easy"}) == facts.as_form(game, {})

    def test_form_lists_known_facts_once_and_missing_ones(self, game: Game) -> None:
        form = facts.as_form(game, FACTS)
        assert form.splitlines()[-4:] == ["camp marsh; paths ford steep", "ford plain; paths hill-1", "hill-1", "hill-2"]
        assert facts.from_lines(game, form, {}) == FACTS


class TestSheet:
    def test_export_and_import_agree(self, game: Game) -> None:
        text = facts.as_sheet(game, FACTS)
        assert text.splitlines() == ["space,ground,paths", "camp,marsh,ford steep", "ford,plain,hill-1", "hill-1,,", "hill-2,,"]
        assert facts.from_sheet(game, text, {}, "x.csv") == FACTS

    @pytest.mark.parametrize("between", [";", "\t"])
    def test_other_separators(self, game: Game, between: str) -> None:
        text = facts.as_sheet(game, FACTS).replace(",", between)
        assert facts.from_sheet(game, text, {}, "x.csv") == FACTS

    def test_columns_in_any_order_and_only_some(self, game: Game) -> None:
        assert facts.from_sheet(game, "Ground,Space\nmarsh,camp\n,ford\n", {}, "x.csv") == {"ground:camp": "marsh"}

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("space,terrain\ncamp,marsh\n", "line 1"),
            ("ground,paths\nmarsh,ford\n", "no column 'space'"),
            ("space,ground,ground\ncamp,marsh,marsh\n", "a column twice"),
            ('space,ground\ncamp,"marsh\n', "line"),
            ("", "a heading"),
        ],
    )
    def test_wrong_spreadsheets_are_refused(self, game: Game, text: str, told: str) -> None:
        with pytest.raises(BadData) as error:
            facts.from_sheet(game, text, {}, "x.csv")
        assert told in f"{error.value.message} {error.value.cure}".casefold() or told in str(error.value)

    @pytest.mark.parametrize(
        "text", ["sep=;\nspace;ground\ncamp;marsh\n", "space,ground\rcamp,marsh\r", "space,ground\ncamp,marsh,,\n"]
    )
    def test_extras_written_by_spreadsheets_are_accepted(self, game: Game, text: str) -> None:
        assert facts.from_sheet(game, text, {}, "x.csv") == {"ground:camp": "marsh"}

    def test_multi_line_row_is_named_by_its_first_line(self, game: Game) -> None:
        with pytest.raises(BadData) as error:
            facts.from_sheet(game, 'space,ground\ncamp,"mar\nsh"\nford,sea\n', {}, "x.csv")
        assert [fault.partition(":")[0] for fault in faults(error)] == ["line 2", "line 4"]

    def test_faults_are_named_with_the_line_of_the_file(self, game: Game) -> None:
        with pytest.raises(BadData) as error:
            facts.from_sheet(game, "space,ground\ncamp,marsh\n\nford,sea\n,plain\ncamp,marsh,steep\n", {}, "x.csv")
        assert [fault.partition(":")[0] for fault in faults(error)] == ["line 4", "line 5", "line 6"]


class TestTable:
    def test_export_and_import_agree(self, game: Game) -> None:
        assert read_file(game, facts.as_table(game, FACTS)) == FACTS

    def test_beside_facts(self, game: Game) -> None:
        text = 'game = "tiny"\n[facts]\nweather = "foul"\n[map]\ncamp = "marsh"\n'
        assert read_file(game, text) == {"weather": "foul", "ground:camp": "marsh"}

    @pytest.mark.parametrize("table", ['map = "camp"', "[map]\ncamp = 3", '[map]\ncamp = "sea"', '[map]\nmoon = "marsh"'])
    def test_invalid_tables_are_refused(self, game: Game, table: str) -> None:
        with pytest.raises(BadData):
            read_file(game, f'game = "tiny"\n{table}\n')

    def test_faults_are_named_with_the_line_of_the_file(self, game: Game) -> None:
        told = '# mine\ngame = "tiny"\n\n[map]\ncamp = "marsh; paths ford steep"\n"hill-1" = 3\n'
        told += "'ford' = 'plain; paths camp easy'\n"
        with pytest.raises(BadData) as error:
            read_file(game, told)
        assert [fault.partition(":")[0] for fault in faults(error)] == ["line 6", "line 7"]
        assert "'hill-1' must be a quoted text" in faults(error)[0] and "steep in line 5" in faults(error)[1]

    def test_empty_entry_is_ignored(self, game: Game) -> None:
        assert read_file(game, 'game = "tiny"\n[map]\ncamp = ""\n') == {}

    def test_contradicting_fact_in_the_same_file(self, game: Game) -> None:
        with pytest.raises(BadData) as error:
            read_file(game, 'game = "tiny"\n[facts]\n"ground:camp" = "plain"\n[map]\ncamp = "marsh"\n')
        assert "ground:camp is marsh in [map], but plain in [facts]" in faults(error)

    def test_too_many_entries(self, game: Game) -> None:
        with pytest.raises(BadData, match="at most"):
            read_file(game, 'game = "tiny"\n[map]\n' + "".join(f'x{number} = "marsh"\n' for number in range(3000)))

    def test_an_unknown_table(self, game: Game) -> None:
        with pytest.raises(BadData) as error:
            read_file(game, 'game = "tiny"\n[facts]\n[maps]\ncamp = "marsh"\n')
        assert "maps: unknown key" in faults(error)


class TestTakenOver:
    def test_contradiction_imports_nothing(self, game: Game, archive: Archive) -> None:
        text = 'game = "tiny"\n[map]\ncamp = "marsh; paths hill-1"\nford = "plain"\n'
        with pytest.raises(BadData) as error:
            import_text(archive, game, text)
        assert "leads out of the marsh" in faults(error)[0]
        assert archive.printed("tiny") == {}
        assert import_text(archive, game, text, anyway=True).keys() == {"ground:camp", "ground:ford", "path:camp/hill-1"}
