"""Writes the table "What works" of README.md from a test report: a row per test file, in the words of its first line.

bash scripts/test                     runs everything and leaves .venv/report.xml
python scripts/what_works.py          rewrites the table
"""

from __future__ import annotations

import argparse
import ast
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
BEGIN, END = "<!-- what works: begin -->\n", "<!-- what works: end -->\n"
# The folders of tests/, in the order of the floors, as a reader knows them.
AREAS = {
    "": "the package", "core": "Programs, tensors, scopes", "ops": "operators", "engine": "running Programs",
    "migrate": "moving to PyTorch",
}  # fmt: skip


def sentence(path: Path) -> str:
    """The first line of a test file's docstring."""
    text = ast.get_docstring(ast.parse(path.read_text())) or ""
    return text.splitlines()[0].rstrip(".") if text else ""


def test_files() -> list[Path]:
    """Every test file, top level first."""
    files = (path.relative_to(ROOT / "tests") for path in (ROOT / "tests").rglob("test_*.py"))
    order = list(AREAS)

    def rank(path: Path) -> tuple[int, str]:
        folder = "" if path.parent == Path() else path.parts[0]
        return (order.index(folder) if folder in order else len(order), str(path))

    return sorted(files, key=rank)


def outcomes(report: Path) -> dict[str, Counter[str]]:
    """Test file -> how many of its tests passed, failed, were skipped."""
    counts: dict[str, Counter[str]] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        name = case.get("classname", "").removeprefix("tests.").replace(".", "/") + ".py"
        kinds = {child.tag for child in case}
        outcome = "failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"
        counts.setdefault(name, Counter())[outcome] += 1
    return counts


def state(counts: Counter[str] | None) -> str:
    """One word or two for a row."""
    if not counts or not counts["passed"] + counts["failed"]:
        return "not run"
    return "yes" if not counts["failed"] else f"partly: {counts['failed']} of {sum(counts.values())} tests fail"


def table(counts: dict[str, Counter[str]]) -> str:
    """The table, in Markdown."""
    rows = ["| area | what the tests show | works |", "|---|---|---|"]
    for path in test_files():
        folder = "" if path.parent == Path() else path.parts[0]
        area = AREAS.get(folder, f"`paddle.{folder}`")
        shown = f"{sentence(ROOT / 'tests' / path)} ([{path.name}](tests/{path}))"
        rows.append(f"| {area} | {shown} | {state(counts.get(str(path)))} |")
    return "\n".join(rows) + "\n"


def main() -> None:
    """Rewrite the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", nargs="?", type=Path, default=ROOT / ".venv/report.xml")
    text = README.read_text()
    before, rest = text.split(BEGIN)
    README.write_text(before + BEGIN + table(outcomes(parser.parse_args().report)) + END + rest.split(END)[1])


if __name__ == "__main__":
    main()
