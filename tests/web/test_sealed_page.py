"""Sealed questions and hidden pieces on the pages of two seats and a watcher."""

from __future__ import annotations

from tests.support.hosted import hosted

SECRET = "48271"


def test_both_phones_answer_at_once_and_neither_sees_the_other(ambush_game: str) -> None:
    with hosted(game=ambush_game) as host:
        red, blue, watcher = host.client("red"), host.client("blue"), host.client("watch")
        red.do("stakes")
        first, second = red.state(), blue.state()
        assert first["mine"] and second["mine"] and first["at"] == second["at"]
        assert (first["question"]["seat"], second["question"]["seat"]) == ("red", "blue")
        answer = blue.post("/answer", {"at": second["at"], "value": int(SECRET)})
        assert answer.status_code == 200
        again = blue.post("/answer", {"at": second["at"], "value": int(SECRET)})
        assert again.status_code == 200
        assert blue.post("/answer", {"at": second["at"], "value": 3}).status_code == 409
        assert not blue.state()["mine"] and red.state()["mine"] and not watcher.state()["mine"]
        for client in (red, watcher):
            texts = [client.get(path).text for path in ("/state", "/view/log", "/view/map", "/view/notes", "/view/rules")]
            assert not any(SECRET in text for text in texts)
        done = red.post("/answer", {"at": first["at"], "value": 7})  # the number that was shown before Blue answered
        assert done.status_code == 200 and f"Red stakes 7, Blue {SECRET}" in done.text
        assert f"Blue {SECRET}" in watcher.get("/state").text


def test_a_seat_takes_its_answer_back_and_gives_another(ambush_game: str) -> None:
    with hosted(game=ambush_game) as host:
        red, blue = host.client("red"), host.client("blue")
        red.do("stakes")
        red.answer(int(SECRET))
        assert blue.post("/undo", {"at_id": blue.state()["id"], "reply": True}).status_code >= 400
        assert red.post("/undo", {"at_id": red.state()["id"], "reply": True}).status_code == 200
        assert red.state()["mine"]
        blue.answer(5)
        assert "Red stakes 9, Blue 5" in red.answer(9).text


def test_hidden_pieces_are_on_no_page_of_the_other_seat(ambush_game: str) -> None:
    """[4] Red's scouts."""
    with hosted(game=ambush_game) as host:
        red, blue, watcher = host.client("red"), host.client("blue"), host.client("watch")
        red.do("scout")
        for step in ("asked", "done"):
            for client in (blue, watcher):
                texts = [client.get(path).text for path in ("/state", "/view/log", "/view/map")]
                assert not any("Owl" in text or "owl#" in text for text in texts), step
            if step == "asked":
                assert "Owl" in red.get("/state").text
                red.post("/answer", {"at": red.state()["at"], "value": "Owl"})
                red.post("/answer", {"at": red.state()["at"], "value": "hill"})
        assert "Owl steals to the hill" in red.get("/view/log").text
        assert "A scout of Red" in blue.get("/view/log").text
