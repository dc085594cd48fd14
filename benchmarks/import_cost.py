"""What `import paddle_compat` costs over `import torch`: CPU time and memory, median of paired runs.

    python benchmarks/import_cost.py [--pairs 7]

Each pair starts two fresh processes one after the other, so that both meet the same state of the machine.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys

MEASURE = """
import json, resource, sys, time
start = time.process_time()
import {module}
seconds = time.process_time() - start
print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""
CPU_LIMIT, MEMORY_LIMIT = 15.0, 20.0


def measure(module: str) -> tuple[float, float]:
    """CPU seconds and peak MiB of a process that imports the module."""
    command = [sys.executable, "-c", MEASURE.format(module=module)]
    seconds, mib = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return seconds, mib


def compare(pairs: int) -> tuple[float, float]:
    """Percent of CPU time and MiB over torch's, each the median over the pairs."""
    time_over, memory_over = [], []
    for _ in range(pairs):
        torch, ours = measure("torch"), measure("paddle_compat")
        time_over.append((ours[0] / torch[0] - 1) * 100)
        memory_over.append(ours[1] - torch[1])
    return statistics.median(time_over), statistics.median(memory_over)


def main() -> int:
    """Print the figures; 1 where a limit is passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=7)
    pairs = parser.parse_args().pairs
    percent, mib = compare(pairs)
    print(f"import paddle_compat over import torch, median of {pairs} pairs:")
    print(
        f"  CPU time {percent:+.1f}% (limit +{CPU_LIMIT:.0f}%)\n  memory {mib:+.1f} MiB (limit +{MEMORY_LIMIT:.0f} MiB)"
    )
    return int(percent > CPU_LIMIT or mib > MEMORY_LIMIT)


if __name__ == "__main__":
    sys.exit(main())
