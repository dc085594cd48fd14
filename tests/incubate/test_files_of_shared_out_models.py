"""`paddle.incubate.distributed.utils.io`: files of models that two processes share out. What is expected is what Paddle 2.6.2 wrote."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from jobs import run_job

import paddle_compat as paddle
from paddle_compat.distributed import fleet
from paddle_compat.incubate.distributed.utils.io import load, save, save_for_auto_inference

JOB = """
import json
import os
import sys
import paddle
from paddle import nn
from paddle.distributed import fleet
from paddle.incubate.distributed.utils.io import load, save, save_for_auto_inference

axis, folder = sys.argv[1:]
strategy = fleet.DistributedStrategy()
strategy.hybrid_configs = {name + "_degree": 2 if name == axis else 1 for name in ("dp", "mp", "pp", "sharding")}
fleet.init(is_collective=True, strategy=strategy)
parallel, rank = fleet.meta_parallel, paddle.distributed.get_rank()
if axis == "mp":
    net = nn.Sequential(
        parallel.VocabParallelEmbedding(4, 4), parallel.ColumnParallelLinear(4, 4, has_bias=True, gather_output=False),
        parallel.RowParallelLinear(4, 2, has_bias=True, input_is_parallel=True))
    save_for_auto_inference(folder + "/model", net)
else:
    net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
    save_for_auto_inference(folder + "/model", net)
    adam = fleet.distributed_optimizer(paddle.optimizer.AdamW(0.1, parameters=net.parameters()))
    net = fleet.distributed_model(net)
    net(paddle.ones([1, 4])).sum().backward()
    adam.step()
    own = adam.state_dict()
    save(own, f"{folder}/own{rank}.pdopt", state_type="opt")
    for ranks in (0, [0, 1]):
        save(own, f"{folder}/{ranks}{rank}.pdopt", gather_to=ranks, state_type="opt")
        save(net.state_dict(), f"{folder}/{ranks}{rank}.pdparams", gather_to=ranks)
    paddle.distributed.barrier()
    found = {name: sorted(load(f"{folder}/{name}")) for name in sorted(os.listdir(folder)) if name.endswith("pdopt")}
    with open(f"{folder}/{rank}.json", "w") as file:
        json.dump([found, sorted(own)], file)
"""


def run(axis: str, folder: Path) -> None:
    script = folder / "job.py"
    script.write_text(JOB)
    for status, text in run_job(script, 2, 120, arguments=[axis, str(folder)]):
        assert status == 0, text


def lie(folder: Path, rank: int) -> Any:
    return pickle.loads((folder / f"model_dist{rank}.pdattr").read_bytes())


def test_how_parameters_of_two_processes_lie(tmp_path: Path) -> None:
    run("mp", tmp_path)
    for rank in range(2):
        found = lie(tmp_path, rank)
        assert {(tuple(each["process_shape"]), tuple(each["process_group"])) for each in found.values()} == {((1, 2), (0, 1))}
        mappings = {name: each["dims_mapping"] for name, each in found.items()}
        assert mappings == {
            "embedding_0.w_0": [1, -1], "linear_0.w_0": [-1, 1], "linear_0.b_0": [1], "linear_1.w_0": [1, -1], "linear_1.b_0": [-1],
        }  # fmt: skip
        shapes = {name: list(value.shape) for name, value in load(str(tmp_path / f"model_dist{rank}.pdparams")).items()}
        assert shapes == {
            "embedding_0.w_0": [2, 4], "linear_0.w_0": [4, 2], "linear_0.b_0": [2], "linear_1.w_0": [2, 2], "linear_1.b_0": [2],
        }  # fmt: skip


@pytest.mark.parametrize("axis", ["sharding", "dp"])
def test_states_are_gathered_where_they_are_shared_out(axis: str, tmp_path: Path) -> None:
    run(axis, tmp_path)
    assert lie(tmp_path, 1)["linear_0.w_0"] == {"process_shape": [2, 1], "process_group": [0, 1], "dims_mapping": [-1, -1]}
    (found, first), (_, second) = (json.loads((tmp_path / f"{rank}.json").read_text()) for rank in range(2))
    every = sorted({*first, *second})
    assert len(every) == 16 and (len(first), len(second)) == ((4, 12) if axis == "sharding" else (16, 16))
    assert found == {"00.pdopt": every, "[0, 1]0.pdopt": every, "[0, 1]1.pdopt": every, "own0.pdopt": first, "own1.pdopt": second}
    assert not (tmp_path / "01.pdparams").exists() and (tmp_path / "[0, 1]1.pdparams").exists()


def test_one_process(tmp_path: Path) -> None:
    fleet.init(is_collective=True)
    layer = paddle.nn.Linear(4, 2)
    save_for_auto_inference(str(tmp_path / "model"), layer, cvt2cpu=True)
    assert lie(tmp_path, 0)[layer.weight.name] == {"process_shape": [1], "process_group": [0], "dims_mapping": [-1, -1]}
    path = str(tmp_path / "model.pdparams")
    save(layer.state_dict(), path, gather_to=0, max_grouped_size="3G", use_binary_format=False)
    assert load(path, place="cpu")["weight"].numpy().tolist() == layer.weight.numpy().tolist()
    with pytest.raises(ValueError, match="state_type"):
        save(layer.state_dict(), path, state_type="zz")
    with pytest.raises(ValueError, match="nothing"):
        load(str(tmp_path / "nothing"))
