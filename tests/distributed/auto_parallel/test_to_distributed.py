"""`to_distributed` trains on two processes with the numbers of Paddle 3.3.1 on two and on one."""

from __future__ import annotations

from pathlib import Path

import pytest
from mesh_jobs import answers

import paddle_compat as paddle
import paddle_compat.distributed as dist

LOSSES = [0.29912, 0.25935, 0.11808, 0.27361]  # the wheel's


def test_two_processes(tmp_path: Path) -> None:
    for own in answers(Path(__file__).with_name("to_distributed_job.py"), 2, tmp_path, "")["two"]:
        assert own["same"] and own["losses"] == pytest.approx(LOSSES, abs=1e-5)
        assert own["shapes"] == [[[4, 4], [2, 4], "[Shard(dim=0)]"]] * 4
        names = [f"linear_{number}.{part}" for number in range(2) for part in ("w_0", "b_0")]
        assert own["lies"] == [[name, "[Replicate()]", [0, 1]] for name in names]


def test_wrong_use() -> None:
    model = paddle.nn.Linear(2, 1)
    adam = paddle.optimizer.Adam(parameters=model.parameters())
    loader = paddle.io.DataLoader(paddle.io.TensorDataset([paddle.ones([4, 2])]))
    with pytest.raises(TypeError, match=r"`model` of `to_distributed`. Expected a paddle Layer"):
        dist.to_distributed(3, adam, loader, 1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"`optimizer` of `to_distributed`. Expected a paddle Optimizer"):
        dist.to_distributed(model, 3, loader, 1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"`dataloader` of `to_distributed`. Expected a paddle DataLoader"):
        dist.to_distributed(model, adam, 3, 1)  # type: ignore[arg-type]
    for devices, nodes, name in ((0, 1, "device_num"), (1, 0, "node_num"), (2.0, 1, "device_num")):
        with pytest.raises(ValueError, match=f"`{name}` of `to_distributed`. Expected a number of 1 or more"):
            dist.to_distributed(model, adam, loader, devices, nodes)  # type: ignore[arg-type]
