"""The ladder of policies: its sequential test, its ratings, and the files that a later run continues."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import log, log10, sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.statistics import Z95
from tests.measures import ladder
from tests.measures.ladder import Pair, Pairing, Run, code_of, merge, path_of, play, read, save
from tests.support.paired import Encounter, Test, ratings


def outcomes(test: Test, chances: tuple[float, float, float], times: int) -> Counter[str]:
    """How often the test decides each way, where a pair is lost, drawn and won with these chances."""
    random, ends = Random(f"{test}{chances}"), Counter[str]()
    decide = lru_cache(maxsize=None)(lambda *counts: test.decide(dict(zip((0.0, 0.5, 1.0), counts, strict=True))))
    for _ in range(times):
        counts, decided = [0, 0, 0], ""
        while not decided:
            counts[random.choices((0, 1, 2), chances)[0]] += 1
            decided = decide(*counts)
        ends[decided] += 1
    return ends


@pytest.mark.parametrize("chance", [0.4, 0.5, 0.6])
def test_a_coin_is_decided_as_a_gambler_is_ruined(chance: float) -> None:
    """40 v 60 % at 5 %: each toss moves the ratio by log 1.5, so that the ends are 8 tosses off; ruin has a closed form."""
    test, times = Test(0.4, 0.6, 0.05), 400
    assert 7 * log(1.5) < test.bound < 8 * log(1.5)
    expected = 1 / (1 + ((1 - chance) / chance) ** 8)

    found = outcomes(test, (1 - chance, 0.0, chance), times)["high"] / times

    assert abs(found - expected) < 3.5 * sqrt(expected * (1 - expected) / times)
    assert chance != 0.4 or expected < 0.05


@pytest.mark.parametrize(("mean", "wrong"), [(0.4, "high"), (0.6, "low")])
def test_error_rates_hold_with_draws(mean: float, wrong: str) -> None:
    """Half of the pairs are drawn, and the mean score is that of either hypothesis: about 5 % wrong decisions."""
    times = 400
    found = outcomes(Test(0.4, 0.6, 0.05), (0.75 - mean, 0.5, mean - 0.25), times)[wrong] / times

    assert found < 0.05 + 3 * sqrt(0.05 * 0.95 / times)


def test_rating_of_two_is_the_logistic_of_the_share() -> None:
    """64 of 100 points: 400 log10(64/36), with the error of a logit, 1/sqrt(n p q)."""
    rated = ratings([Encounter("a", "b", 64, 100)], "b")

    assert rated["a"].elo == pytest.approx(400 * log10(64 / 36))
    half = Z95 * 400 / log(10) / sqrt(100 * 0.64 * 0.36)
    assert rated["a"][1:] == (pytest.approx(rated["a"].elo - half), pytest.approx(rated["a"].elo + half))
    assert rated["b"] == (0.0, 0.0, 0.0)


def test_ratings_recover_known_strengths() -> None:
    """A chain of five with a shortcut: over 100 ladders, the intervals contain the truth at least as often as they say."""
    truth = {"random": -500.0, "plain": -260.0, "easy": -150.0, "normal": 0.0, "hard": 70.0}
    met = [("plain", "random"), ("easy", "plain"), ("normal", "easy"), ("hard", "normal"), ("hard", "easy")]
    random, inside, rated_count = Random(5), 0, 0
    for _ in range(100):
        encounters = []
        for first, second in met:
            expected = 1 / (1 + 10 ** ((truth[second] - truth[first]) / 400))
            drawn = 0.4 * min(expected, 1 - expected)
            shares = (1 - expected - drawn / 2, drawn, expected - drawn / 2)
            encounters.append(Encounter(first, second, sum(random.choices((0, 0.5, 1), shares, k=150)), 150))
        rated = ratings(encounters, "normal")
        inside += sum(one.low <= truth[name] <= one.high for name, one in rated.items() if name != "normal")  # type: ignore[operator]
        rated_count += 4

    assert inside / rated_count >= 0.93
    assert all(abs(rated[name].elo - elo) < 150 for name, elo in truth.items())


def test_a_rating_without_a_bound_is_open() -> None:
    """Who lost every pair is somewhere below; who met nobody is not rated."""
    rated = ratings([Encounter("b", "a", 20, 20), Encounter("c", "b", 12, 20), Encounter("x", "y", 1, 2)], "c")

    assert set(rated) == {"a", "b", "c"}
    assert rated["a"].low is None and rated["a"].high is not None and rated["a"].high < 0 and rated["b"].low is not None


def without_times(path: Path) -> list[dict[str, Any]]:
    return [{**one.data(), "pairs": [pair[:2] for pair in one.data()["pairs"]]} for one in read(path)]


def cards(test: tuple[float, float] = (0.01, 0.99)) -> Pairing:
    return Pairing.begin("fallujahcards", "plain", "random", test=(*test, 1e-9))


def test_a_continued_run_gives_the_file_of_one_run(tmp_path: Path) -> None:
    """After two pairs, and after Ctrl-C in the middle of the fourth."""
    whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
    one = cards()
    play(one, Run(pairs=5), lambda: save(whole, [one]))
    first = cards()
    play(first, Run(pairs=2), lambda: save(parts, [first]))
    (second,) = read(parts)
    played: list[Any] = []

    def stopping(series: Any, missing: Any, run: Any) -> Any:
        for rows in ladder.in_process(series, missing):
            played.append(rows)
            if len(played) == 4:
                raise KeyboardInterrupt
            yield rows

    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(ladder, "_batches", stopping)
        play(second, Run(pairs=5), lambda: save(parts, [second]))
    assert sorted(read(parts)[0].pairs) == [1, 2, 3]
    (third,) = read(parts)
    play(third, Run(pairs=5), lambda: save(parts, [third]))

    assert without_times(parts) == without_times(whole) and len(read(whole)[0].pairs) == 5


def test_merged_shards_are_one_run(tmp_path: Path) -> None:
    whole = cards()
    play(whole, Run(pairs=5))
    shards = []
    for number in (1, 2):
        shards.append(cards())
        play(shards[-1], Run(pairs=5, shard=(number, 2)))
        save(tmp_path / f"{number}.json", [shards[-1]])
    save(tmp_path / "whole.json", [whole])
    save(tmp_path / "merged.json", merge([one for number in (2, 1) for one in read(tmp_path / f"{number}.json")]))

    assert [len(shard.pairs) for shard in shards] == [3, 2]
    assert without_times(tmp_path / "merged.json") == without_times(tmp_path / "whole.json")


def test_play_stops_where_the_test_decides_and_goes_on_no_further() -> None:
    """A pair on the same seed is the same, so a decided pairing plays nothing."""
    pairing = Pairing.begin("fallujahcards", "plain", "random", test=(0.2, 0.8, 0.1))

    assert play(pairing, Run(pairs=50)) == "high"
    many = len(pairing.pairs)
    assert many < 50 and play(pairing, Run(pairs=50)) == "high" and len(pairing.pairs) == many


def test_margins_in_a_game_for_two() -> None:
    """Scores of the US: the first policy as US 5, as NVA -7, the second on both sides 1."""
    pairing = Pairing.begin("lzalbany", "plain", "random")
    pairing.add(Pair(1, (("us", 5.0), ("nva", -7.0), ("us", 1.0)), ((1.0, 10), (2.0, 10))))
    pairing.add(Pair(2, (("us", 5.0), ("error", None), ("us", 1.0)), ((1.0, 10), (2.0, 10))))

    assert [pairing.margins(subject) for subject in ("both", "us", "nva")] == [[12.0], [4.0], [8.0]]
    straight, swapped, second = pairing.series().variants
    assert [one.policies for one in (straight, swapped, second)] == [
        {"us": "plain", "nva": "random"},
        {"us": "random", "nva": "plain"},
        {"us": "random", "nva": "random"},
    ]


def test_a_game_won_beats_a_lost_one_with_more_vp() -> None:
    """In a game for one; of two lost games the one with more VP is better, and equal ones are half a pair each."""
    pairing = Pairing.begin("phantomfury", "plain", "random")
    won, lost, level = ("bitter victory", -3.0), ("insurgent victory", 6.0), ("insurgent victory", 2.0)
    for number, games in enumerate([(won, lost), (level, lost), (lost, lost)], 1):
        pairing.add(Pair(number, games, ((1.0, 10), (1.0, 10))))

    assert pairing.encounter("player") == ("plain", "random", 1.5, 3)


def test_failed_pairs_count_for_nothing_but_stay() -> None:
    pairing = Pairing.begin("fallujahcards", "plain", "random")
    pairing.add(Pair(1, (("error", None), ("played out", 3.0)), ((0.0, 0), (0.0, 0))))

    assert pairing.encounter("player") == ("plain", "random", 0, 0) and pairing.decision() == ""


def test_other_code_is_played_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    known, wanted = cards(), cards()
    known.add(Pair(1, (("played out", 4.0), ("played out", 3.0)), ((0.0, 0), (0.0, 0))))
    assert ladder._resumed([known], wanted, False)[1] is known
    known.code = "1.0.0 other"

    assert ladder._resumed([known], wanted, False)[1].pairs == {}
    assert ladder._resumed([known], wanted, True)[1] is known and known.code == code_of("fallujahcards")


@pytest.mark.parametrize("path", sorted(ladder.FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_kept_results_are_readable_and_repeat(path: Path) -> None:
    """Each pairing is of policies that the game has, and its file is as the script writes it."""
    for pairing in read(path):
        assert path == path_of(pairing.game) and len(pairing.series().variants) in (2, 3) and pairing.pairs
