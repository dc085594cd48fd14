"""Optimizers' updates of twenty parameters in `paddle.static`, against Paddle 2.6's own wheel.

    python benchmarks/updates.py --paddle PYTHON_OF_2.6.2 [--rounds 3] [--only adam_small,sgd_large] [--markdown docs/benchmarks_ops.md]

Fresh processes on one thread take turns. Figures are process-CPU milliseconds of an Executor.run, the least and the median
over the rounds; ratios below 1 mean that paddle_compat is faster. The exit status is 1 when parameters differ.
"""

from __future__ import annotations

import sys
from pathlib import Path

import operators

if __name__ == "__main__":
    script = Path(__file__).resolve().parent / "workloads/static_updates.py"
    sys.exit(operators.main(__doc__, str(script), "updates"))
