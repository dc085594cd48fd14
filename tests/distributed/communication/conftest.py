"""The scripts of the jobs are read as modules, for the names of their pieces; they import `paddle`, as in a job."""

from __future__ import annotations

import sys
from pathlib import Path

from processes import ROOT

import paddle_compat

sys.path[:0] = [str(Path(__file__).resolve().parent), str(ROOT / "tests" / "models")]
with paddle_compat.install():
    import experts  # noqa: F401
    import job_of_four  # noqa: F401
    import job_of_two  # noqa: F401
    import mismatches  # noqa: F401
