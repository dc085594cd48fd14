"""Lets the tests import the tables beside them, as the recording scripts do."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
