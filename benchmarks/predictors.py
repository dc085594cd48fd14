"""Predictors of image networks, with and without their optimization, against Paddle 2.6's own wheel.

    python benchmarks/predictors.py --paddle PYTHON_OF_2.6.2 [--rounds 3] [--only mobilenet_v2] [--markdown docs/benchmarks_ops.md]

Fresh processes on one thread take turns. Figures are process-CPU milliseconds of a run, the least and the median over the rounds;
`_as_it_is` is the same model with `switch_ir_optim(False)`. The exit status is 1 when results differ.
"""

from __future__ import annotations

import sys
from pathlib import Path

import operators

if __name__ == "__main__":
    script = Path(__file__).resolve().parent / "workloads/predictors.py"
    sys.exit(operators.main(__doc__, str(script), "predictors"))
