"""Files of safetensors: named tensors behind a header of JSON, which `paddle.save(..., safetensors=True)` of 3.x writes.

A file is the u64 size of its header, the header, and the elements of all tensors without gaps. The header says of each
name the data type, the shape, and where the elements begin and end behind it.
"""

from __future__ import annotations

import json
import math
import os
import struct
from collections.abc import Mapping
from typing import Any, BinaryIO

import torch

from paddle_compat.core.errors import UnreadableFileError
from paddle_compat.core.streams import write_pieces

_KINDS = {
    "BOOL": torch.bool, "U8": torch.uint8, "I8": torch.int8, "I16": torch.int16, "I32": torch.int32, "I64": torch.int64,
    "F16": torch.float16, "BF16": torch.bfloat16, "F32": torch.float32, "F64": torch.float64, "C64": torch.complex64,
    "F8_E4M3": torch.float8_e4m3fn, "F8_E5M2": torch.float8_e5m2,
}  # fmt: skip
_NAMES = {kind: name for name, kind in _KINDS.items()}
_LARGEST_HEADER = 100_000_000


def write_safetensors(out: BinaryIO, tensors: Mapping[str, torch.Tensor]) -> None:
    """Write named tensors.

    Args:
        out: a binary stream.
        tensors: the tensors.
    Raises:
        TypeError: a name is no string, or the format does not have a data type.

    Example:
        >>> import io
        >>> stream = io.BytesIO()
        >>> write_safetensors(stream, {"w": torch.ones(2)})
        >>> read_safetensors(io.BytesIO(stream.getvalue()))["w"].tolist()
        [1.0, 1.0]
    """
    for name, tensor in tensors.items():
        if not isinstance(name, str) or tensor.dtype not in _NAMES:
            raise TypeError(f"Invalid tensor for a file of safetensors. Expected a name that is a str. Received: {name!r}, {tensor.dtype}")
    # the largest elements first, so that each tensor begins at a multiple of its own
    ordered = sorted(tensors.items(), key=lambda item: (-item[1].element_size(), item[0]))
    header, end = {}, 0
    for name, tensor in ordered:
        start, end = end, end + tensor.numel() * tensor.element_size()
        header[name] = {"dtype": _NAMES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [start, end]}
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    out.write(struct.pack("<Q", len(text)) + text)
    for _, tensor in ordered:
        if tensor.numel():
            plain = tensor.detach().cpu().resolve_conj().resolve_neg().contiguous()
            write_pieces(out.write, memoryview(plain.reshape(-1).view(torch.uint8).numpy()))  # type: ignore[arg-type]


def read_safetensors(stream: BinaryIO) -> dict[str, torch.Tensor]:
    """Read named tensors.

    Args:
        stream: stands at the file's beginning.
    Returns:
        The tensors, each in memory of its own, in the order of their elements.
    Raises:
        UnreadableFileError: the file is something else, or damaged.
    """
    start = stream.tell()
    size = stream.seek(0, os.SEEK_END) - start
    stream.seek(start)
    try:
        length = int.from_bytes(stream.read(8), "little")
        if size < 8 or length > min(size - 8, _LARGEST_HEADER):
            raise ValueError(f"{size} bytes that begin with a header of {length}")
        header: dict[str, Any] = dict(json.loads(stream.read(length)))
        header.pop("__metadata__", None)
        entries = sorted(((name, *_described(entry)) for name, entry in header.items()), key=lambda entry: entry[3:])
        here = 0
        for name, _, _, begin, end in entries:
            if begin != here:
                raise ValueError(f"tensor `{name}` at {begin}, where {here} is free")
            here = end
        if here != size - 8 - length:
            raise ValueError(f"{size - 8 - length} bytes of elements, where the header says {here}")
        return {name: _read(stream, kind, shape, end - begin) for name, kind, shape, begin, end in entries}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        source = getattr(stream, "name", "<bytes>")
        raise UnreadableFileError(
            f"Invalid file {source}. Expected named tensors, as safetensors writes them. Received: {error}"
        ) from error


def _described(entry: Any) -> tuple[torch.dtype, list[int], int, int]:
    kind, shape, (begin, end) = _KINDS[entry["dtype"]], entry["shape"], entry["data_offsets"]
    if any(type(n) is not int or n < 0 for n in (*shape, begin, end)) or end - begin != math.prod(shape) * kind.itemsize:
        raise ValueError(f"a tensor of shape {shape} and {kind} in the bytes {begin} to {end}")
    return kind, shape, begin, end


def _read(stream: BinaryIO, kind: torch.dtype, shape: list[int], size: int) -> torch.Tensor:
    if not size:
        return torch.empty(shape, dtype=kind)
    data = torch.empty(size, dtype=torch.uint8)
    stream.readinto(data.numpy())  # type: ignore[attr-defined]
    return data.view(kind).reshape(shape)


def is_safetensors(head: bytes, size: int) -> bool:
    """Whether a file that begins so looks like one of safetensors."""
    return head[8:9] == b"{" and int.from_bytes(head[:8], "little") <= size - 8
