"""Run one command with one failing call in a new process, as ``points`` does in a fork.

Run by itself, with the library before everything else: ``python -m tests.faults.fresh_process HOME ROOT MODE NUMBER WORDS``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.faults import cases, workspace
from tests.faults.preload import MODES, Faults


def main() -> None:
    home, root, mode, number, words = sys.argv[1:]
    workspace.prepare_process(Path(home), imports=False)
    workspace.enter(root)
    faults = Faults()
    faults.below(root)
    faults.arm(MODES[int(mode)], int(number))
    result = cases.run(words)
    report = {"result": result, "fired": faults.fired}
    faults.disarm()
    print(json.dumps(report))


if __name__ == "__main__":
    main()
