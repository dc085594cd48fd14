"""What the blocks of transformers in one call have in common."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat.core.errors import UnsupportedError, invalid_argument
from paddle_compat.nn.functional._apply import paddle


def dropped(x: Any, rate: float, training: bool, mode: str, api: str) -> Any:
    if mode not in ("upscale_in_train", "downscale_in_infer"):
        raise invalid_argument("mode", "'upscale_in_train' or 'downscale_in_infer'", repr(mode), api)
    return paddle.nn.functional.dropout(x, rate, training=training, mode=mode)


def with_bias(x: Any, bias: Any) -> Any:
    return x if bias is None else x + bias


def normed(x: Any, scale: Any, bias: Any, epsilon: float) -> Any:
    return paddle.nn.functional.layer_norm(x, x.shape[-1:], scale, bias, epsilon)


def refuse(api: str, **given: Any) -> None:
    for name, (value, usual) in given.items():
        if value is not usual and value != usual:
            raise UnsupportedError(f"paddle.incubate.nn.functional.{api}", name)


def weights_of(query: Any, key: Any, mask: Any, seen: Any = None) -> Any:
    """How much each position of query makes of each of key: [N, heads, length, other length]."""
    scores = paddle.matmul(query * (1.0 / math.sqrt(query.shape[-1])), key, transpose_y=True)
    if mask is not None:
        if not str(mask.dtype).startswith(("paddle.float", "paddle.bfloat")):
            mask = (paddle.cast(mask, scores.dtype) - 1.0) * 1e9
        scores = scores + mask
    if seen is not None:
        scores = paddle.where(seen, scores, paddle.full_like(scores, -math.inf))
    return paddle.nn.functional.softmax(scores)


def joined(heads: Any) -> Any:
    """Heads, [N, heads, length, head's width], side by side: [N, length, width]."""
    return paddle.reshape(paddle.transpose(heads, [0, 2, 1, 3]), [0, 0, heads.shape[1] * heads.shape[3]])
