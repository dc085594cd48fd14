"""The operator that lists devices."""

from __future__ import annotations

import os

import torch

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import op
from paddle_compat.core.place import CPUPlace, CUDAPlace, Place


@op(inputs=(), outputs=("Out",), lod=None, infer=lambda **_: ())
def get_places(*, device_count: int = 0, device_type: str = "AUTO") -> list[Place]:
    """The places of a kind of device: so many, or all that there are."""
    if device_type not in ("AUTO", "CPU", "CUDA"):
        raise invalid_argument("device_type", "'AUTO', 'CPU' or 'CUDA'", repr(device_type), "get_places")
    gpus = torch.cuda.device_count()
    if device_type == "CUDA" or (device_type == "AUTO" and gpus):
        if device_count > gpus:
            raise invalid_argument("device_count", f"{gpus} GPUs at most", device_count, "get_places")
        return [CUDAPlace(number) for number in range(device_count or gpus)]
    return [CPUPlace()] * (device_count or int(os.environ.get("CPU_NUM", 0)) or os.cpu_count() or 1)
