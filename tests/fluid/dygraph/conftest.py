"""Lets these tests import the tables that the recording scripts share with them."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "scripts" / "references"), str(ROOT / "tests" / "models")]
