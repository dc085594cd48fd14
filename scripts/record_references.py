"""Record what a real PaddlePaddle wheel answers, as data files that the tests compare with.

Run it with the interpreter of the wheel (Python 3.7 or newer, nothing but the wheel and numpy needed):

    PYTHON_OF_THE_WHEEL scripts/record_references.py             everything that this wheel is asked for
    PYTHON_OF_THE_WHEEL scripts/record_references.py models      the data files whose names start with "models"
    PYTHON_OF_THE_WHEEL scripts/record_references.py --list      what there is to record

The cases are the modules in scripts/references/. Each one defines

    WHEELS = ("1.8.5", "2.6.2")             the versions it is recorded from
    def recordings(version): ...            {file name under tests/references/: function that returns its content}

and the suffix of the file name says what the content is: `.npz` a dict of arrays; `.json` or `.json.gz` plain values
(numpy scalars and arrays are converted). Every file is recorded in an interpreter of its own, so that nothing that one
recording does to Paddle's global state shows in the next.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "scripts" / "references"
OUTPUT = ROOT / "tests" / "references"
LARGEST = 1 << 20

# one thread, so that sums are added in the same order on every machine; no oneDNN, which rounds differently; and the
# order of sets, in which some wheels list the variables of a block
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "FLAGS_use_mkldnn": "0",
    "GLOG_minloglevel": "2",
    "PYTHONHASHSEED": "0",
}


def wheel_version() -> str:
    """The version of the wheel that this interpreter imports."""
    import paddle

    return str(paddle.__version__)


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """Every data file that a wheel is asked for, with the function that makes its content."""
    sys.path[:0] = [str(CASES), str(ROOT / "tests" / "models")]
    found: dict[str, Callable[[], Any]] = {}
    for path in sorted(CASES.glob("*.py")):
        # asked of the text: a module of cases may import what other wheels do not have
        wheels = next((line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("WHEELS = ")), "")
        if f'"{version}"' in wheels:
            for name, make in importlib.import_module(path.stem).recordings(version).items():
                if name in found:
                    raise SystemExit("two cases record " + name)
                found[name] = make
    return found


def plain(value: Any) -> Any:
    """The JSON spelling of a numpy value."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(f"a data file cannot hold a {type(value).__name__}: {value!r}")


def json_text(content: Any) -> str:
    """JSON with one line for each entry of the outermost dict: small, and readable in a diff."""
    if not isinstance(content, dict):
        return json.dumps(content, default=plain) + "\n"
    lines = [json.dumps(key) + ": " + json.dumps(value, default=plain) for key, value in content.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def write(name: str, content: Any) -> int:
    """Write one data file, byte for byte the same for the same content, and return its size."""
    path = OUTPUT / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if name.endswith(".npz"):
        np.savez_compressed(str(path), **content)
    elif name.endswith(".json.gz"):
        with path.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
            packed.write(json_text(content).encode())
    elif name.endswith(".json"):
        path.write_text(json_text(content))
    else:
        raise SystemExit("no format is known for " + name)
    return path.stat().st_size


def main() -> int:
    """Record the files that the command line asks for; the exit status says whether all could be."""
    parser = argparse.ArgumentParser(description="Record what this wheel answers under tests/references/.")
    parser.add_argument("names", nargs="*", help="beginnings of data file names; all of them when left out")
    parser.add_argument("--list", action="store_true", help="only print the names of the data files")
    parser.add_argument("--only", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    known = recordings(wheel_version())
    if arguments.only:
        size = write(arguments.only, known[arguments.only]())
        print(f"{arguments.only:<50} {size:8} bytes")
        if size > LARGEST:
            print(f"larger than {LARGEST} bytes: record less, or split it", file=sys.stderr)
        return int(size > LARGEST)
    chosen = [name for name in known if not arguments.names or name.startswith(tuple(arguments.names))]
    if arguments.list:
        print("\n".join(chosen))
        return 0
    if not chosen:
        print("nothing to record; there is: " + " ".join(known), file=sys.stderr)
        return 1
    script, environment, failed = str(Path(__file__).resolve()), dict(os.environ, **ENVIRONMENT), []
    # some wheels leave log files where they run
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen:
            if subprocess.call([sys.executable, script, "--only", name], env=environment, cwd=folder):
                failed.append(name)
    if failed:
        print("failed: " + " ".join(failed), file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
