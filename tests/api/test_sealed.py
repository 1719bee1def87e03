"""Sealed questions and hidden pieces through the interface of programs."""

from __future__ import annotations

from companion import api


def test_seats_answer_unseen(ambush_game: str) -> None:
    with api.open_archive(api.MEMORY) as archive:
        session = archive.begin(ambush_game, seed="1")
        done = session.do("stakes")
        assert done.question is not None
        at, blue = done.question.at, session.question_for("blue")
        assert blue is not None and blue.seat == "blue" and blue.at == at
        session.answer(48271, at=at, seat="blue")
        assert session.question_for("blue") is None
        assert session.answer(48271, at=at, seat="blue").repeated
        session.undo_answer("blue")
        session.answer(7, seat="blue")
        done = session.answer(8, seat="red")
        assert done.complete and any("Red stakes 8, Blue 7" in line.text for line in done.lines)
        assert "blue_gold" in session.visible("blue").tracks and "blue_gold" not in session.visible("red").tracks


def test_a_strategy_sees_what_its_seat_sees(ambush_game: str) -> None:
    seen: list[set[str]] = []

    def blue(view: api.View) -> None:
        seen.append({*view.position.tracks, *(piece.name for piece in view.position.pieces.values())})

    api.simulate(ambush_game, 2, policies={"blue": blue})
    assert seen and not any({"red_gold", "Fox", "Owl"} & names for names in seen)
