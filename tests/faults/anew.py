"""One command with one call that fails, in a process that has imported nothing before: what ``points`` does in a fork.

Run by itself, with the library before everything else: ``python -m tests.faults.anew HOME ROOT MODE NUMBER WORDS``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.faults import cases, ground
from tests.faults.library import MODES, Faults


def main() -> None:
    home, root, mode, number, words = sys.argv[1:]
    ground.settle(Path(home), imports=False)
    ground.stand_on(root)
    faults = Faults()
    faults.below(root)
    faults.arm(MODES[int(mode)], int(number))
    result = cases.run(words)
    told = {"result": result, "fired": faults.fired}
    faults.disarm()
    print(json.dumps(told))


if __name__ == "__main__":
    main()
