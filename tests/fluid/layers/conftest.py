"""Lets these tests import what stands beside them, and the tables that the recording scripts share with them."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(ROOT / "scripts" / "references"), str(ROOT / "tests" / "models")]
