"""What `fleet.init` makes of the numbers of processes along the model axis; run by `test_model_numbers.py`.

python model_numbers_job.py FOLDER SEED      in both processes of a job; SEED -1: of each process's own
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
import paddle
from paddle.distributed import fleet

tracker = fleet.meta_parallel.get_rng_state_tracker()


def of_the_axis() -> Any:
    with tracker.rng_state():
        return paddle.randn([2]).tolist()


def main() -> None:
    strategy = fleet.DistributedStrategy()
    strategy.hybrid_configs = {"dp_degree": 1, "mp_degree": 2, "pp_degree": 1}
    strategy.tensor_parallel_configs = {"tensor_init_seed": int(sys.argv[2])}
    np.random.seed(5)
    fleet.init(is_collective=True, strategy=strategy)
    told = {"states": list(tracker.get_states_tracker()), "shared": paddle.randn([1]).tolist(), "first": of_the_axis()}
    layer = fleet.meta_parallel.ColumnParallelLinear(4, 4, has_bias=True)
    fleet.init(is_collective=True, strategy=strategy)
    told |= {"again": of_the_axis(), "shape": layer.weight.shape}
    with open(f"{sys.argv[1]}/{paddle.distributed.get_rank()}", "w") as file:
        json.dump(told, file)


if __name__ == "__main__":
    main()
