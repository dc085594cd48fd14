"""A tensor taken apart along a dimension of its mesh and put together; run by test_mesh_parts.py in two processes."""

import json
import sys
from pathlib import Path

import paddle
import paddle.distributed as dist
from paddle.distributed.auto_parallel import api

CUT, WHOLE = dist.Shard(0), dist.Replicate()
LINE = dist.ProcessMesh([0, 1], dim_names=["x"])
ROW = dist.ProcessMesh([[0, 1]], dim_names=["dp", "mp"])
COLUMN = dist.ProcessMesh([[0], [1]], dim_names=["dp", "mp"])


def tensor(mesh, placements):
    return dist.shard_tensor(paddle.arange(8, dtype="float32").reshape([4, 2]), mesh, placements)


def apart(mesh, axis, placements):
    """Of each part: its shape, its mesh, how it lies, and its values in this process."""
    parts = api.moe_sub_mesh_tensors(tensor(mesh, placements), mesh, axis, placements)
    meshes = [part.process_mesh for part in parts]
    values = [part._local_value().numpy().tolist() if part._is_initialized() else None for part in parts]
    return [
        [part.shape, held.shape, held.process_ids, held.dim_names, str(part.placements), value]
        for part, held, value in zip(parts, meshes, values)
    ]


def together():
    x = tensor(LINE, [CUT])
    x.stop_gradient = False
    parts = [part * (3 + at) for at, part in enumerate(api.moe_sub_mesh_tensors(x * 2, LINE, 0, [CUT]))]
    whole = api.moe_global_mesh_tensor(parts, LINE, [CUT], 0)
    whole.sum().backward()
    return [str(whole.placements), dist.unshard_dtensor(whole).numpy().tolist(), dist.unshard_dtensor(x.grad).numpy().tolist()]


results = {
    "line": apart(LINE, 0, [CUT]),
    "copies": apart(LINE, 0, [WHOLE]),
    "row": apart(ROW, 1, [WHOLE, CUT]),
    "row as it is": apart(ROW, -2, [WHOLE, CUT]),
    "column": apart(COLUMN, 0, [CUT, WHOLE]),
    "together": together(),
}
Path(sys.argv[1], str(dist.get_rank())).write_text(json.dumps(results))
