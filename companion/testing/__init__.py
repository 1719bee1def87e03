"""What every game must bear, for authors: ``pytest --pyargs companion.testing --game ID``.

These are the contract tests that our own games pass, one text of each: tests/every_game plays them over our games, an author
over one more. Beside them: ``Table`` plays an action in memory from typed answers, ``RandomPlayer`` plays anything at random.
Only this package needs pytest.

In an author's ``pyproject.toml``, under ``[tool.pytest.ini_options]``:

- ``companion_game = "ID"``: the game, so that ``pytest`` alone knows it;
- ``companion_tests = "tests"``: the folder of the author's tests, which cite rules too;
- ``companion_expected = ["test_name: reason"]``: laws that the game does not keep, and why; one that it keeps after all fails.
"""
