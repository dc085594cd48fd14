"""Checkpoints of meshes written anew as files of safetensors, on one process and on two; the index is as Paddle 3.3.1 writes it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from jobs import run_job

import paddle_compat as paddle
import paddle_compat.distributed as dist
from paddle_compat.distributed.flex_checkpoint.dcp.load_state_dict import merge_sharded_state_dict

JOB = """
import sys
import numpy as np
import paddle
import paddle.distributed as dist
from paddle.distributed.flex_checkpoint.dcp.load_state_dict import merge_sharded_state_dict

dist.init_parallel_env()
folder = sys.argv[1]
whole = paddle.to_tensor(np.arange(24, dtype="float32").reshape(4, 6))
cut = dist.shard_tensor(whole, dist.ProcessMesh([0, 1], dim_names=["x"]), [dist.Shard(0)])
dist.save_state_dict({"w": cut, "b": paddle.ones([2])}, folder + "/pieces")
dist.barrier()
merge_sharded_state_dict(folder + "/pieces", folder + "/whole")
"""


def test_one_process(tmp_path: Path) -> None:
    pieces, whole = str(tmp_path / "pieces"), tmp_path / "whole"
    values = {"w": paddle.ones([4, 6]), "w.b": paddle.zeros([2]), "c": paddle.ones([2]).astype("bfloat16")}
    dist.save_state_dict(values, pieces)
    merge_sharded_state_dict(pieces, str(whole))
    file = "model-00001-of-00001.safetensors"
    index = {"metadata": {"total_size": 108}, "weight_map": dict.fromkeys(["w", "w.b", "c"], file)}
    assert json.loads((whole / "model.safetensors.index.json").read_text()) == index
    read = paddle.load(str(whole / file), safetensors=True)
    assert {name: (value.shape, value.dtype) for name, value in read.items()} == {
        name: (value.shape, value.dtype) for name, value in values.items()
    }
    merge_sharded_state_dict(pieces, str(whole), safetensor_prefix="part", skip_postfix_list=[".b"])
    file = "part-00001-of-00001.safetensors"
    index = {"metadata": {"total_size": 100}, "weight_map": dict.fromkeys(["w", "c"], file)}
    assert json.loads((whole / "part.safetensors.index.json").read_text()) == index
    assert sorted(paddle.load(str(whole / file), safetensors=True)) == ["c", "w"]
    with pytest.raises(FileNotFoundError):
        merge_sharded_state_dict(str(tmp_path / "nothing"), str(whole))


def test_each_process_writes_some_tensors_whole(tmp_path: Path) -> None:
    script = tmp_path / "job.py"
    script.write_text(JOB)
    for status, text in run_job(script, 2, 120, arguments=[str(tmp_path)]):
        assert status == 0, text
    index = json.loads((tmp_path / "whole" / "model.safetensors.index.json").read_text())
    assert index["metadata"] == {"total_size": 104} and len(set(index["weight_map"].values())) == 2
    read = {name: paddle.load(str(tmp_path / "whole" / file), safetensors=True)[name] for name, file in index["weight_map"].items()}
    np.testing.assert_array_equal(read["w"].numpy(), np.arange(24, dtype="float32").reshape(4, 6))
    np.testing.assert_array_equal(read["b"].numpy(), [1, 1])
