"""Tables of a page of documentation that a benchmark fills in."""

from __future__ import annotations

import re
from pathlib import Path


def fill(path: Path, name: str, head: list[str], rows: list[list[str]]) -> None:
    """Put a table between the page's `<!-- NAME -->` and `<!-- /NAME -->`.

    Args:
        head: its columns; the first one is a row's key.
        rows: replace the rows with the same keys; rows that were not measured this time stay.
    """
    text = path.read_text()
    found = re.search(rf"(<!-- {name} -->\n)(.*?)(<!-- /{name} -->)", text, re.DOTALL)
    if found is None:
        raise SystemExit(f"{path}: there is no <!-- {name} --> to fill in")
    former = [[cell.strip() for cell in line.strip("|").split("|")] for line in found[2].splitlines()[2:]]
    new = {row[0]: row for row in rows}
    kept = [new.pop(row[0], row) for row in former if len(row) == len(head)]
    lines = [head, ["---"] * len(head), *kept, *new.values()]
    table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    path.write_text(text[: found.start(2)] + table + text[found.end(2) :])
