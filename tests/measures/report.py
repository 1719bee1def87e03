"""Time the report of a long session.

    python -m tests.measures.report [GAME [ENTRIES [NOTES]]]

The entries of a whole game are repeated in one session until it has ENTRIES (2,000 by default), and the last has NOTES (none by
default). ``lzalbany 100 40000`` is the report of a session of notes. The session is opened, folded and written in every format,
as by the command. On a busy machine only the processor seconds are meaningful.
"""

from __future__ import annotations

import gzip
import sys
import tempfile
from collections.abc import Callable
from json import dumps
from pathlib import Path
from time import perf_counter, process_time

from companion.session.controller import SessionController
from companion.session.store import Archive
from companion.views.map_text import known_map
from companion.views.report.document import document
from companion.views.report.render import report_data, report_html, report_md
from companion.views.report.report import build_report
from tests.support.connections import connected

OLD = Path(__file__).parents[1] / "archives" / "266895b"


def long_archive(path: Path, game: str, entries: int, notes: int = 0) -> None:
    """Create an archive with a session of that many entries, and of notes beside the last."""
    path.write_bytes(gzip.decompress((OLD / f"{game}-over.sqlite3.gz").read_bytes()))
    Archive.open(str(path)).close()  # brought up to date
    with connected(path) as file:
        rows = file.execute("select session_id, seq, kind, entry, body, at from log order by seq").fetchall()
        whole = {row[3] for row in rows if row[2] == "done" and row[3] > 1}
        again = [row for row in rows if row[3] in whole and row[2] in ("entry", "reply", "done")]
        seq, first, apart = rows[-1][1], min(whole), max(row[3] for row in rows)
        for turn in range(1, 1 + entries // len(whole)):
            for number, (session, _, kind, entry, body, at) in enumerate(again, seq + 1):
                file.execute(
                    "insert into log (session_id, seq, kind, entry, body, at) values (?, ?, ?, ?, ?, ?)",
                    (session, number, kind, entry + turn * (apart - first + 2), body, at),
                )
            seq += len(again)
        session, _, _, _, _, at = rows[-1]
        (last,) = file.execute("select max(entry) from log").fetchone()
        for number in range(1, notes + 1):
            text = dumps({"text": f"note {number}"})
            file.execute(
                "insert into log (session_id, seq, kind, entry, body, at) values (?, ?, 'note', ?, ?, ?)",
                (session, seq + number, last, text, at),
            )


def forms(session: SessionController) -> dict[str, Callable[[], object]]:
    """The writer of each format."""
    report = build_report(session.info.name, session.game, session.history, session.options)
    facts = session.log.facts()

    def page() -> str:
        maps = session.game.has_map
        return report_html(
            document(report, True, lambda at: known_map(session.game, at, session.options, facts) if maps else None)
        )

    return {"md": lambda: report_md(document(report)), "html": page, "json": lambda: report_data(report)}


def main() -> None:
    """Print a row for each format."""
    game, entries, notes = [*sys.argv[1:], *("lzalbany", "2000", "0")[len(sys.argv) - 1 :]]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.sqlite3"
        long_archive(path, game, int(entries), int(notes))
        for form in ("md", "html", "json"):
            wall, own = perf_counter(), process_time()
            archive = Archive.open_existing(str(path))
            session = SessionController.open(archive)
            text = forms(session)[form]()
            seconds, own = perf_counter() - wall, process_time() - own
            size = len(text) // 1000 if isinstance(text, str) else 0
            contents = f"{len(session.history.force)} entries, {notes} notes"
            print(f"{game} {form:<5} {contents}  {seconds:5.2f} s, {own:5.2f} s of the processor, {size} kB")
            archive.close()


if __name__ == "__main__":
    main()
