"""Lets the tests of this folder import what compares Programs with the wheel's."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "nn"))
