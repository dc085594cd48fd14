"""Single functions of large tensors in eager mode, against Paddle 2.6's own wheel: those for which a kernel of torch's is slow, or none.

    python benchmarks/functions.py --paddle PYTHON_OF_2.6.2 [--rounds 3] [--only round,maxout] [--markdown docs/benchmarks_ops.md]

Fresh processes on one thread take turns. Figures are process-CPU milliseconds of a call, the least and the median over the
rounds; with `_gradient` the backward pass is part of it. Ratios below 1 mean that paddle_compat is faster. The exit status is 1 when
results or gradients differ.
"""

from __future__ import annotations

import sys
from pathlib import Path

import operators

if __name__ == "__main__":
    script = Path(__file__).resolve().parent / "workloads/eager_functions.py"
    sys.exit(operators.main(__doc__, str(script), "functions"))
