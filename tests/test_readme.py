"""The README's pieces of code run one after another; its table lists every test file in its own words, made by scripts/what_works.py."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from processes import ROOT, SECONDS, Runner

from paddle_compat import _absent

sys.path.insert(0, str(ROOT / "scripts"))
import what_works

REPORT = """<testsuites><testsuite>
<testcase classname="tests.test_a" name="one"/><testcase classname="tests.test_a" name="two"><failure/></testcase>
<testcase classname="tests.ops.test_b" name="three"/>
<testcase classname="tests.ops.test_b" name="four"><skipped/></testcase>
<testcase classname="tests.test_c" name="five"><skipped/></testcase>
</testsuite></testsuites>"""


def rows(text: str) -> list[list[str]]:
    """The cells of a Markdown table's body."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()[2:]]


def test_table_is_up_to_date() -> None:
    text = (ROOT / "README.md").read_text().split(what_works.BEGIN)[1].split(what_works.END)[0]
    expected = what_works.table({})
    assert [row[:2] for row in rows(text)] == [row[:2] for row in rows(expected)], (
        "out of date: run scripts/test, then scripts/what_works.py"
    )


def test_every_test_file_says_what_it_shows() -> None:
    assert not [path for path in what_works.test_files() if not what_works.sentence(ROOT / "tests" / path)]


def test_states_come_from_the_report(tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_text(REPORT)
    counts = what_works.outcomes(tmp_path / "report.xml")
    assert counts["test_a.py"] == Counter(passed=1, failed=1)
    assert what_works.state(counts["test_a.py"]) == "partly: 1 of 2 tests fail"
    assert what_works.state(counts["ops/test_b.py"]) == "yes"
    assert what_works.state(counts["test_c.py"]) == what_works.state(None) == "not run"


def test_a_report_of_this_file_has_the_names_of_the_table(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    words = [sys.executable, "-m", "pytest", "tests/test_readme.py", "-k", "says", f"--junitxml={report}"]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True, timeout=SECONDS)
    assert what_works.outcomes(report) == {"test_readme.py": Counter(passed=1)}


def test_its_code_runs(full: Runner) -> None:
    """The script, under the import hook of the second piece, both ways to PyTorch and back, and a network there with its weights."""
    script, install, mixed, move = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    full.write({"train.py": script})
    alone = "print(torch.export.load('net.pt2').module()(torch.ones(3, 8)).shape)"
    said = full.output("-c", f"{install}\n{mixed}\n{alone}\n{move}\nprint(net(x).shape, x.grad.shape)")
    assert said == "torch.Size([3, 1])\ntorch.Size([4, 1]) [4, 8]\n"


def test_every_page_of_the_documentation_is_named() -> None:
    text = (ROOT / "README.md").read_text()
    assert set(re.findall(r"\]\(docs/(\w+\.md)\)", text)) == {path.name for path in (ROOT / "docs").glob("*.md")}


def test_modules_that_are_named_as_absent_are_absent() -> None:
    text = (ROOT / "README.md").read_text().split("Not there, and said so")[1].split("##")[0]
    named = re.findall(r"`paddle\.([\w.]+)`", text)
    assert named and not [name for name in named if name not in _absent.MODULES]


def test_files_that_the_documentation_names_are_there() -> None:
    missing = []
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for name in re.findall(r"(?<![\w./])(?:[a-z]\w*/)+\w+\.py\b", page.read_text()):
            if not (ROOT / name).exists() and not any(ROOT.glob(f"paddle_compat/**/{name}")):
                missing.append(f"{page.name}: {name}")
    assert not missing, missing
