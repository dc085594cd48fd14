"""Files of images: their bytes, and the pixels that JPEG bytes stand for."""

from __future__ import annotations

import io
from importlib import import_module
from typing import Any

import torch

from paddle_compat.core.errors import UnavailableError, invalid_argument
from paddle_compat.core.op import Meta, op

Tensor = torch.Tensor
# channels and Pillow's names of the modes
_MODES = {"unchanged": (-1, None), "gray": (1, "L"), "rgb": (3, "RGB")}


@op(outputs=("Out",), lod=None, infer=lambda **_: Meta((-1,), torch.uint8, 0), random=True)
def read_file(*, filename: str = "") -> Tensor:
    """The bytes of a file."""
    try:
        with open(filename, "rb") as file:
            return torch.frombuffer(bytearray(file.read()), dtype=torch.uint8)
    except (OSError, ValueError) as error:
        raise UnavailableError(f"Cannot read `filename`. Expected a file with bytes in it. Received: {error}") from error


def _decoded(x: Meta, *, mode: str, **_: Any) -> Meta:
    return Meta((_MODES[mode][0] if mode in _MODES else -1, -1, -1), torch.uint8, 0)


@op(inputs=("X",), lod=None, infer=_decoded)
def decode_jpeg(x: Tensor, *, mode: str = "unchanged") -> Tensor:
    """The pixels [C, H, W] of an image from its bytes."""
    if mode not in _MODES:
        raise invalid_argument("mode", "'unchanged', 'gray' or 'rgb'", mode, "decode_jpeg")
    try:
        reader: Any = import_module("PIL.Image")
        numpy: Any = import_module("numpy")
    except ImportError as error:
        raise ImportError(f"`PIL` is needed to decode images. Expected paddle_compat[vision] installed. Received: {error}") from error
    image = reader.open(io.BytesIO(x.cpu().numpy().tobytes()))
    pixels = torch.from_numpy(numpy.array(image if _MODES[mode][1] is None else image.convert(_MODES[mode][1])))
    return (pixels.unsqueeze(0) if pixels.dim() == 2 else pixels.permute(2, 0, 1).contiguous()).to(x.device)
