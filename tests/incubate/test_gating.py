"""Gated attention is what its formula gives in numpy; dropout along dimensions is Paddle 2.6.2's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.incubate.nn import FusedDropout
from paddle_compat.incubate.nn.functional import fused_gate_attention

RANDOM = np.random.RandomState(11)


def numbers(*shape: int) -> Any:
    return RANDOM.uniform(-1, 1, shape).astype("float32")


def by_hand(x: Any, other: Any, weights: Any, gate: Any, out: Any, added: Any) -> Any:
    q, k, v = (np.einsum("nbqa,ahc->nbqhc", given, weight) for given, weight in zip((x, other, other), weights))
    scores = np.einsum("nbqhc,nbkhc->nbhqk", q, k) / np.sqrt(q.shape[-1]) + added
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    heads = np.einsum("nbhqk,nbkhc->nbqhc", shares / shares.sum(-1, keepdims=True), v)
    if gate is not None:
        heads = heads / (1 + np.exp(-(np.einsum("nbqa,ahc->nbqhc", x, gate[0]) + gate[1])))
    return np.einsum("nbqhc,hco->nbqo", heads, out[0]) + out[1]


@pytest.mark.parametrize("merge_qkv", [True, False])
@pytest.mark.parametrize("has_gating", [True, False])
def test_gate_attention(merge_qkv: bool, has_gating: bool) -> None:
    x, other = numbers(2, 3, 4, 8), numbers(2, 3, 4 if merge_qkv else 5, 8 if merge_qkv else 6)
    other = x if merge_qkv else other
    weights = [numbers(given.shape[-1], 2, 4) for given in (x, other, other)]
    gate, out = (numbers(8, 2, 4), numbers(2, 4)), (numbers(2, 4, 7), numbers(7))
    bias, mask = numbers(2, 1, 2, 4, other.shape[2]), numbers(2, 3, 1, 1, other.shape[2])
    given: dict[str, Any] = {"key": other, **dict(zip(("query_weight", "key_weight", "value_weight"), weights))}
    if merge_qkv:
        given = {"qkv_weight": np.stack([weight.transpose(1, 2, 0) for weight in weights])}
    if has_gating:
        given.update(gate_linear_weight=gate[0], gate_linear_bias=gate[1])
    given.update(out_linear_weight=out[0], out_linear_bias=out[1], nonbatched_bias=bias, attn_mask=mask)
    tensors = {name: paddle.to_tensor(value, stop_gradient=False) for name, value in given.items()}
    found = fused_gate_attention(paddle.to_tensor(x), **tensors, has_gating=has_gating, merge_qkv=merge_qkv)
    wanted = by_hand(x, other, weights, gate if has_gating else None, out, bias + mask)
    np.testing.assert_allclose(found.numpy(), wanted, rtol=2e-5, atol=2e-5)
    found.sum().backward()
    assert all(tensor.grad.abs().sum() > 0 for tensor in tensors.values())
    tensors["nonbatched_bias"] = tensors["nonbatched_bias"][:, 0]
    again = fused_gate_attention(paddle.to_tensor(x), **tensors, has_gating=has_gating, merge_qkv=merge_qkv, use_flash_attn=True)
    assert again.tolist() == found.tolist()


def test_gate_attention_wants_its_weights() -> None:
    x = paddle.ones([1, 2, 3, 8])
    with pytest.raises(ValueError, match="qkv_weight"):
        fused_gate_attention(x)
    with pytest.raises(ValueError, match="key_weight"):
        fused_gate_attention(x, x, paddle.ones([8, 2, 4]), merge_qkv=False)


def test_dropout_along_dimensions() -> None:
    paddle.seed(3)
    layer = FusedDropout(0.5, axis=1, name="z")
    assert repr(layer) == "FusedDropout(p=0.5, axis=[1], mode=upscale_in_train, name=z)"
    assert layer(paddle.ones([3, 4])).tolist() == [[0.0, 2.0, 0.0, 2.0]] * 3
    other = FusedDropout(0.5, mode="downscale_in_infer")
    other.eval()
    assert other(paddle.ones([2])).tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("settings", "error"),
    [({"p": "a"}, TypeError), ({"p": 1.5}, ValueError), ({"mode": "x"}, ValueError), ({"axis": "a"}, TypeError)],
)
def test_dropout_refuses(settings: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error, match=next(iter(settings))):
        FusedDropout(**settings)


def test_dropout_refuses_dimensions_that_are_not_there() -> None:
    with pytest.raises(ValueError, match="axis"):
        FusedDropout(0.5, axis=2)(paddle.ones([3, 4]))
