"""Time and memory of the odds of a J-3 in Fallujah 2004, with one unit and with three.

    python -m tests.measures.odds_j3 [CHECKOUT]

Each is ``companion odds fallujah2004 j3`` in a process of its own, in a session with the whole Reaction cup, by the code of
CHECKOUT (this one by default). Two checkouts that are measured one after the other can be compared. Processor seconds.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

FORCES = ("3/1", "3/1, 3/5, 1/8")
SPACE, PRINTED = "2-9", "mosque msr Jolan"
START = (
    ("new", "fallujah2004", "--scenario", "vigilant", "--accept"),
    ("do", "buy", "buy=3/1, 3/5, 1/8", "at=north"),
    ("adjust", "3/1", "2-10", "3/5", "2-10", "1/8", "2-10"),
)


def main() -> None:
    checkout = sys.argv[1] if len(sys.argv) > 1 else str(Path(__file__).resolve().parents[2])
    program = [sys.executable, "-c", "from companion.cli.shell.main import main; main()"]
    with tempfile.TemporaryDirectory() as folder:
        archive = os.path.join(folder, "archive.sqlite3")
        env = {**os.environ, "PYTHONPATH": checkout, "COMPANION_DB": archive, "COMPANION_CACHE": folder}
        env |= {"PYTHONPYCACHEPREFIX": os.path.join(folder, "compiled")}
        env.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled once
        for words in START:
            subprocess.run([*program, *words], cwd=folder, env=env, stdout=subprocess.DEVNULL, check=True)
        for force in FORCES:
            words = ["odds", "fallujah2004", "j3", f"force={force}", f"to={SPACE}", f"space:{SPACE}={PRINTED}"]
            process = subprocess.Popen([*program, *words], cwd=folder, env=env, stdout=subprocess.DEVNULL)
            _, status, used = os.wait4(process.pid, 0)
            if status:
                raise SystemExit(f"the odds of {force} failed")
            sys.stdout.write(f"{force}: {used.ru_utime + used.ru_stime:.1f} s, {used.ru_maxrss // 1024} MB\n")


if __name__ == "__main__":
    main()
