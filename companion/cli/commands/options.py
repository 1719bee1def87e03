"""The options that many commands share, spelt once."""

from __future__ import annotations

from typing import Annotated

import typer

Session = Annotated[
    str, typer.Option("--session", metavar="NAME", help="The session, by unique prefix; the last used otherwise.")
]
Db = Annotated[str, typer.Option("--db", metavar="PATH", help="The archive; COMPANION_DB or the usual place otherwise.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON document instead of text.")]
Brief = Annotated[bool, typer.Option("--brief", help="With --json: without the position.")]
Dice = Annotated[
    list[str] | None, typer.Option("--dice", metavar="3,5,2", help="Dice that you rolled, in order; may be repeated.")
]
Draw = Annotated[list[str] | None, typer.Option("--draw", metavar="NAME", help="A counter that you drew; may be repeated.")]
Anyway = Annotated[bool, typer.Option("--anyway", help="Record it although the rules say no: the board is the truth.")]
Accept = Annotated[bool, typer.Option("--accept", help="Take what is suggested where nothing is given.")]
Think = Annotated[
    str, typer.Option("--think", metavar="N", help="Playouts a candidate by which an opponent decides; 0: its priorities alone.")
]
Words = Annotated[list[str] | None, typer.Argument(metavar="[KEY=VALUE | VALUE]...", help="Answers, by key or in order.")]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game by unique prefix; see: companion games")]
Scenario = Annotated[str, typer.Option("--scenario", metavar="S", help="See: companion games GAME")]
Policies = Annotated[
    list[str] | None,
    typer.Option(
        "--policy", metavar="SEAT=POLICY", help="Who decides for a seat; POLICY alone: for every seat. May be repeated."
    ),
]

PLAIN = {"ignore_unknown_options": True}
"""For commands whose words may be negative numbers."""
