"""Play a battle with an executable in a system that has nothing but the packages that Debian requires, without Python.

    python -m tests.support.bare_machine dist/executable/companion-VERSION-linux-x86_64.tar.gz [SYSTEM]

Prints a transcript. The system is made by debootstrap in a temporary folder, or is the folder SYSTEM, made before. This needs the
rights of root.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

COMMANDS = """
--version
printed fallujah2004 import practice
new fallujah2004 --scenario vigilant --dice physical --draws physical --name april
do buy "buy=3/1, 3/5, CEB, 2 air" at=north
do j3 force=3/1,CEB to=2-11 --draw deception --draw militia
answer strikes=none --dice 2,4,3,5,3,4 move_on=no
undo
report --format html --out report.html
simulate fallujahcards --policy random --games 40 --seed 7 --jobs 2
"""


def play(archive: Path, system: Path) -> None:
    """Unpack the folder version in the system and carry the commands out. Raises SystemExit: one fails."""
    pythons = [path for folder in ("bin", "usr/bin", "usr/local/bin") for path in (system / folder).glob("python*")]
    if pythons:
        raise SystemExit(f"there is a Python: {pythons[0]}")
    with tarfile.open(archive) as packed:
        packed.extractall(system / "opt", filter="data")
    program = f"/opt/{archive.name.removesuffix('.tar.gz')}/companion"
    for line in COMMANDS.strip().splitlines():
        print(f"$ companion {line}", flush=True)
        inside = ["/usr/bin/env", "-i", "HOME=/root", "PATH=", "LANG=C.UTF-8", program, *shlex.split(line)]
        code = subprocess.run(["chroot", str(system), *inside], stdin=subprocess.DEVNULL, check=False).returncode
        if code not in (0, 3):  # 3: a question is open
            raise SystemExit(f"exit code {code}")
        print(flush=True)


def main() -> None:
    archive, *made = (Path(word).resolve() for word in sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        system = made[0] if made else Path(folder) / "system"
        if not made:
            subprocess.run(["debootstrap", "--variant=minbase", "bookworm", str(system)], check=True, stdout=subprocess.DEVNULL)
        play(archive, system)


if __name__ == "__main__":
    main()
