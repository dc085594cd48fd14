"""Two stages with a part on the way forth and one on the way back; run by `test_dual_pipelines.py`, the wheel ran it with gloo's messages.

python dual_pipeline_job.py FOLDER/      in both processes of a job
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
import paddle
from paddle import nn
from paddle.distributed import fleet
from paddle.nn import functional as F

BATCHES, SIZE, seen = 4, 2, []


def first(given: Any) -> Any:
    seen.append(type(given).__name__)
    return given[0] if isinstance(given, (list, tuple)) else given


class Block(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x: Any) -> Any:
        return F.relu(self.fc(first(x)))


def loss(out: Any, labels: Any) -> Any:
    return F.mse_loss(first(out), labels)


def refused(count: int) -> str:
    strategy.pipeline_configs = {"accumulate_steps": count, "micro_batch_size": SIZE}
    other = fleet.meta_parallel.DualPipeVParallel(net, fleet.get_hybrid_communicate_group(), strategy)
    try:
        other.train_batch([paddle.ones([count * SIZE, 4])] * 2, steps)
    except AssertionError as error:
        return str(error)
    return ""


strategy = fleet.DistributedStrategy()
strategy.hybrid_configs = {"dp_degree": 1, "mp_degree": 1, "pp_degree": 2, "pp_configs": {"use_dualpipev": True}}
strategy.pipeline_configs = {"accumulate_steps": BATCHES, "micro_batch_size": SIZE}
fleet.init(is_collective=True, strategy=strategy)
topology = fleet.get_hybrid_communicate_group().topology()
blocks = [fleet.meta_parallel.LayerDesc(Block)] * 8
net = fleet.meta_parallel.PipelineLayer(blocks, topology=topology, loss_fn=loss, seg_method="layer:Block", use_dualpipev=True)
model = fleet.distributed_model(net)
steps = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1, parameters=net.parameters()))
rows, losses = np.random.RandomState(0), []
for _ in range(3):
    x, y = (paddle.to_tensor(rows.rand(BATCHES * SIZE, 4).astype("float32")) for _ in range(2))
    losses.append(model.train_batch([x, y], steps).tolist())
told = {
    "names": sorted(net.state_dict()), "parts": net.segment_parts, "kind": type(model).__name__, "losses": losses,
    "sums": [float(p.sum()) for p in net.parameters()], "seen": seen[: len(seen) // 3],
    "whole": [model.eval_batch([x, y], compute_loss=True).tolist(), len(model.eval_batch([x, y]))],
    "refused": refused(3), "places": [net.get_stage_from_index(place) for place in range(8)],
}  # fmt: skip
with open(sys.argv[1] + str(paddle.distributed.get_rank()), "w") as file:
    json.dump(told, file)
