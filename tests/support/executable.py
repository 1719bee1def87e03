"""Build Companion as an executable for the system that it is built on, try it out without Python, and write checksums.

    nox -s executable [-- --quick]

In an environment with PyInstaller and Companion, installed as from a wheel: ``python -m tests.support.executable FOLDER``. FOLDER
gets a folder version, packed, a version in one file, the licence texts of everything inside and SHA256SUMS. ``--quick`` makes
no version in one file. ``companion.spec`` says what is inside.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import pkgutil
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from importlib.metadata import Distribution, distribution
from pathlib import Path

from tests.support.checkout import ROOT
from tests.support.distributions import run_time_distributions
from tests.support.installed import Installed, environment, try_out

DISTRIBUTION = "tabletop-companion"
LICENCES = "THIRD-PARTY-LICENSES.txt"
SUMS = "SHA256SUMS"
EXE = ".exe" if sys.platform == "win32" else ""

DEVELOPMENT = ("pip", "setuptools", "wheel", "pytest", "_pytest", "mypy", "numpy", "pandas")
UNUSED = ("tkinter", "_tkinter", "turtle", "turtledemo", "idlelib", "lib2to3", "ensurepip", "venv", "test", "distutils", "this")
# deprecated modules of Python that need libraries for passwords, sound and NIS
OLD = ("nis", "crypt", "spwd", "ossaudiodev", "_crypt")
# They need a library under the GPL, which cannot be shipped with a program under the MIT licence. The prompt needs neither.
FOREIGN = ("readline", "curses", "_curses", "_curses_panel", "rlcompleter", "_gdbm", "_dbm")
NOT_NEEDED = (*DEVELOPMENT, *UNUSED, *OLD, *FOREIGN)
"""Modules that an executable does without."""

START_LIMIT = 3.5
"""How many times as long as the installed Companion the folder version may take to start."""
START_RUNS = 40


SPEC = ROOT / "tests" / "support" / "companion.spec"
LOADED_BY_NAME = ("uvicorn.lifespan.off", "uvicorn.loops.asyncio", "uvicorn.protocols.http.h11_impl")
"""Modules that are imported by a computed name."""


def build(folder: Path, one_file: bool) -> None:
    """Run PyInstaller; what it makes is in ``dist`` below `folder`."""
    from PyInstaller.__main__ import run

    places = ["--distpath", str(folder / "dist"), "--workpath", str(folder / "build")]
    run(["--noconfirm", "--log-level", "ERROR", *places, str(SPEC), *(["--", "--one-file"] if one_file else [])])


def installed_package() -> Path:
    """Return the folder of the installed package. Raises SystemExit: it is a checkout."""
    package = Path(str(importlib.util.find_spec("companion").origin)).parent  # type: ignore[union-attr]
    if not (package / "_tables").is_dir():
        raise SystemExit(f"{package} is a checkout: install Companion from it first, as nox -s executable does")
    return package


def standard_library() -> list[str]:
    """Return the modules of the standard library, all of which a game of the user's own may import."""
    names = []
    for name in sorted(sys.stdlib_module_names):
        if name.startswith("_") or name in (*NOT_NEEDED, "antigravity"):
            continue
        spec = importlib.util.find_spec(name)
        if spec is None:
            continue
        names.append(name)
        for module in pkgutil.iter_modules(spec.submodule_search_locations or ()):
            if module.name not in ("__main__", "test", "tests") and f"{name}.{module.name}" not in NOT_NEEDED:
                names.append(f"{name}.{module.name}")
    return names


def system_libraries(binaries: Iterable[tuple[str, str, str]]) -> dict[str, Path]:
    """Return the shared libraries among what PyInstaller collects that are not below Python's own folders, by name."""
    own = {Path(sys.prefix), Path(sys.base_prefix)}
    paths = {name: Path(source) for name, source, kind in binaries if kind == "BINARY"}
    return {name: path for name, path in paths.items() if not any(path.is_relative_to(folder) for folder in own)}


# -- licences ------------------------------------------------------------------------------------------------------------


def licence_texts(libraries: dict[str, Path]) -> str:
    """Return the licence texts of everything inside an executable. Raises SystemExit: one is missing."""
    parts = [
        (f"Python {platform.python_version()}", python_licence()),
        *((f"{needed.name} {needed.version}", _distribution_licence(needed)) for needed in distributions_inside()),
        *((f"The shared library {name}", _library_licence(path)) for name, path in sorted(libraries.items())),
    ]
    missing = [title for title, text in parts if not text.strip()]
    if missing:
        raise SystemExit(f"no licence text of: {', '.join(missing)}")
    line = "=" * 78
    head = "Companion is under the MIT licence, in the file LICENSE. This executable contains the following, too.\n"
    return head + "".join(f"\n{line}\n{title}\n{line}\n\n{text.strip()}\n" for title, text in parts)


def distributions_inside() -> list[Distribution]:
    """Return the distributions inside an executable: what Companion needs, and PyInstaller for its bootloader."""
    needed = [item for item in run_time_distributions(DISTRIBUTION) if item.name not in (DISTRIBUTION, *NOT_NEEDED)]
    return [*needed, distribution("pyinstaller")]


def python_licence() -> str:
    """Return the licence of Python, with those of what it incorporates; "" if there is no file."""
    library = Path(os.__file__).parent
    for path in (library / "LICENSE.txt", Path(sys.base_prefix) / "LICENSE.txt", library.parent / "LICENSE.txt"):
        if path.is_file():
            return path.read_text(encoding="utf-8", errors="replace")
    return debian_licence(Path(os.__file__).resolve())


def _distribution_licence(needed: Distribution) -> str:
    """Return the licence files of a distribution; the name of its licence if it ships none."""
    names = ("licen", "copying", "notice", "authors")
    files = [file for file in needed.files or () if ".dist-info" in str(file) and file.name.lower().startswith(names)]
    texts = [Path(str(file.locate())).read_text(encoding="utf-8", errors="replace") for file in files]
    named = [text for key in ("License-Expression", "License") for text in needed.metadata.get_all(key) or ()]
    return "\n\n".join(texts or named)


def _library_licence(path: Path) -> str:
    """Return the licence of a shared library of the system."""
    if sys.platform != "linux":  # the libraries of Windows and macOS are those of Python, whose licence file has their texts
        return f"{path.name}: see the licence of Python."
    return debian_licence(path.resolve())


def debian_licence(path: Path) -> str:
    """Return the copyright file of the Debian package that a file belongs to, or ""."""
    for name in (str(path), str(path).removeprefix("/usr")):  # packages still name files by their former folders
        done = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True, check=False)
        package = done.stdout.partition(":")[0].strip()
        text = Path("/usr/share/doc") / package / "copyright"
        if package and text.is_file():
            return text.read_text(encoding="utf-8", errors="replace")
    return ""


# -- the result ----------------------------------------------------------------------------------------------------------


def system_name() -> str:
    """Return the system and processor for names of files: ``linux-x86_64``."""
    system = {"win32": "windows", "darwin": "macos"}.get(sys.platform, sys.platform)
    return f"{system}-{platform.machine().lower()}"


def add_papers(folder: Path) -> None:
    """Put licences, completion scripts and the man page beside the executable of the folder version."""
    shutil.copyfile(folder / "_internal" / LICENCES, folder / LICENCES)
    for name in ("LICENSE", "README.md", "CHANGELOG.md"):
        shutil.copyfile(ROOT / name, folder / name)
    shutil.copytree(ROOT / "completions", folder / "completions")


def write_sums(folder: Path) -> str:
    """Write the checksums of all files in a folder, in the form that ``sha256sum --check`` reads; return the text."""
    paths = [path for path in sorted(folder.iterdir()) if path.is_file() and path.name != SUMS]
    text = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in paths)
    (folder / SUMS).write_text(text, encoding="utf-8", newline="\n")
    return text


def start_times(programs: dict[str, Sequence[str]], words: Sequence[str] = ("status",)) -> dict[str, list[float]]:
    """Return the seconds that programs take for a command, in turn, so that other load reaches all of them."""
    seconds: dict[str, list[float]] = {name: [] for name in programs}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        user = environment(Path(name), os.environ)
        for number in range(START_RUNS + 1):
            for program, command in programs.items():
                since = time.perf_counter()
                subprocess.run([*command, *words], env=user, cwd=name, capture_output=True, check=False)
                if number:  # the first fills the caches
                    seconds[program].append(time.perf_counter() - since)
    return seconds


def compare_starts(programs: dict[str, Sequence[str]]) -> dict[str, tuple[float, float]]:
    """Return how many times as long as the first program the others take to start, with the standard error."""
    seconds = start_times(programs)
    base, *_ = seconds.values()
    ratios = {}
    for name, values in seconds.items():
        each = [value / first for value, first in zip(values, base, strict=True)]
        ratios[name] = statistics.median(each), 1.253 * statistics.stdev(each) / len(each) ** 0.5  # of the median
        least = f"{min(values) * 1000:.0f} ms at least"
        print(f"start of {name}: {least}, {ratios[name][0]:.2f} +- {ratios[name][1]:.2f} times that of {next(iter(seconds))}")
    return ratios


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--quick", action="store_true", help="the folder version only")
    arguments = parser.parse_args()
    out: Path = arguments.folder.resolve()
    sys.path[:] = [name for name in sys.path if Path(name or os.curdir).resolve() != ROOT]  # the installed Companion is packed
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    version = distribution(DISTRIBUTION).version
    name = f"companion-{version}-{system_name()}"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as aside:
        work = Path(aside)
        build(work, one_file=not arguments.quick)
        folder, one_file = work / "dist" / "companion", work / "dist" / f"companion-one-file{EXE}"
        program = folder / f"companion{EXE}"
        installed = shutil.which("companion", path=str(Path(sys.executable).parent))
        programs: dict[str, Sequence[str]] = {"the installed one": [str(installed)], "the folder": [str(program)]}
        try_program("the folder", program)
        if not arguments.quick:
            try_program("the one file", one_file)
            programs["the one file"] = [str(one_file)]
        ratios = compare_starts(programs)
        shutil.copyfile(work / "build" / "companion" / LICENCES, out / f"{name}-licenses.txt")
        add_papers(folder)
        if not arguments.quick:
            shutil.copy2(one_file, out / f"{name}{EXE}")
        shutil.make_archive(str(out / name), "zip" if sys.platform == "win32" else "gztar", work, folder.rename(work / name).name)
    print(write_sums(out), end="")
    for path in sorted(out.iterdir()):
        print(f"{path.stat().st_size / 1e6:6.1f} MB  {path.name}")
    ratio, error = ratios["the folder"]
    if ratio - 2 * error > START_LIMIT:
        raise SystemExit(f"the folder version takes {ratio:.2f} times as long to start: at most {START_LIMIT}")


def try_program(name: str, program: Path) -> None:
    """Use an executable without Python and with an empty PATH."""
    print(f"Trying {name}")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        user = Path(folder)
        try_out(Installed([str(program)], environment(user, os.environ), user), print_at_once)


def print_at_once(text: str) -> None:
    """Print a line, also while the output is a pipe."""
    print(text, end="", flush=True)


if __name__ == "__main__":
    main()
