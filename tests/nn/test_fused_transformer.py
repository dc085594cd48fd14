"""Blocks of transformers in one call (`paddle.incubate.nn`), and masks by rows, are what their formulas give in numpy; caches, Programs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.incubate import nn
from paddle_compat.incubate.nn import functional as F

RANDOM = np.random.RandomState(3)
SCALE, SHIFT = (RANDOM.rand(8).astype("float32") for _ in range(2))


def numbers(*shape: int) -> Any:
    return RANDOM.uniform(-1, 1, shape).astype("float32")


def normed(x: Any, scale: Any, shift: Any) -> Any:
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * scale + shift


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def attention(x: Any, weight: Any, bias: Any, mask: Any) -> Any:
    """Of heads of a weight [3, heads, size, width], joined again."""
    q, k, v = (np.einsum("nlw,hsw->nhls", x, weight[i]) + bias[i][:, None] for i in range(3))
    weights = softmax(np.einsum("nhls,nhms->nhlm", q, k) / np.sqrt(q.shape[-1]) + mask)
    return np.einsum("nhlm,nhms->nlhs", weights, v).reshape(x.shape)


def close(got: Any, wanted: Any) -> None:
    np.testing.assert_allclose(got.numpy(), wanted, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize("matrix", [False, True])
def test_attention(before: bool, matrix: bool) -> None:
    x, weight, bias, last = numbers(2, 3, 8), numbers(3, 2, 4, 8), numbers(3, 2, 4), numbers(8, 8)
    hidden = np.array([[True, True, False]] * 3)
    layer = nn.FusedMultiHeadAttention(8, 2, 0.0, 0.0, normalize_before=before, transpose_qkv_wb=matrix)
    layer.qkv_weight.set_value(weight.reshape(24, 8).T if matrix else weight)
    layer.qkv_bias.set_value(bias.reshape(24) if matrix else bias)
    layer.linear_weight.set_value(last)
    (layer.pre_ln_scale if before else layer.ln_scale).set_value(SCALE)
    (layer.pre_ln_bias if before else layer.ln_bias).set_value(SHIFT)
    out = x + attention(normed(x, SCALE, SHIFT) if before else x, weight, bias, np.where(hidden, 0, -1e9)) @ last
    for mask in (hidden, np.where(hidden, 0, -1e9).astype("float32"), hidden.astype("int64")):
        close(layer(paddle.to_tensor(x), attn_mask=paddle.to_tensor(mask)), out if before else normed(out, SCALE, SHIFT))
    layer(paddle.to_tensor(x)).sum().backward()
    assert layer.qkv_weight.grad.abs().sum() > 0


def test_attention_goes_on_from_a_cache() -> None:
    layer = nn.FusedTransformerEncoderLayer(8, 2, 16, 0.0, normalize_before=True)
    x = paddle.to_tensor(numbers(2, 3, 8))
    causal = paddle.to_tensor(np.tril(np.ones((3, 3), bool)))
    whole = layer(x, causal)
    cache = paddle.zeros([2, 2, 2, 0, 4])
    for i in range(3):
        out, cache = layer(x[:, i : i + 1], cache=cache)
        close(out, whole[:, i : i + 1].numpy())
    assert cache.shape == [2, 2, 2, 3, 4]


@pytest.mark.parametrize("before", [False, True])
def test_feed_forward(before: bool) -> None:
    layer = nn.FusedFeedForward(8, 16, 0.0, normalize_before=before)
    x, first, second = numbers(2, 3, 8), numbers(8, 16), numbers(16, 8)
    layer._linear1_weight.set_value(first)
    layer._linear2_weight.set_value(second)
    out = x + np.maximum((normed(x, 1, 0) if before else x) @ first, 0) @ second
    close(layer(paddle.to_tensor(x)), out if before else normed(out, 1, 0))
    without = F.fused_feedforward(*map(paddle.to_tensor, (x, first, second)), pre_layer_norm=True, training=False, add_residual=False)
    close(without, np.maximum(normed(x, 1, 0) @ first, 0) @ second)


def test_bias_dropout_residual_and_norm() -> None:
    x, residual, bias = numbers(2, 3, 8), numbers(2, 3, 8), numbers(8)
    layer = nn.FusedBiasDropoutResidualLayerNorm(8, 0.0)
    layer.linear_bias.set_value(bias)
    close(layer(paddle.to_tensor(x), paddle.to_tensor(residual)), normed(residual + x + bias, 1, 0))
    layer = nn.FusedBiasDropoutResidualLayerNorm(8, 1.0)
    close(layer(paddle.to_tensor(x), paddle.to_tensor(residual)), normed(residual, 1, 0))


def test_bias_and_activation() -> None:
    x, bias = numbers(2, 8), numbers(8)
    first, second = np.split(x + bias, 2, axis=-1)
    tensors = paddle.to_tensor(x), paddle.to_tensor(bias)
    close(F.fused_bias_act(*tensors, act_method="swiglu"), first / (1 + np.exp(-first)) * second)
    close(F.fused_bias_act(*tensors, act_method="relu"), np.maximum(x + bias, 0))
    with pytest.raises(ValueError, match="argument `act_method`.*Received: 'other'"):
        F.fused_bias_act(*tensors, act_method="other")
    with pytest.raises(paddle.errors.UnsupportedError, match="quant_scale"):
        F.fused_bias_act(*tensors, quant_scale=1.0)


@pytest.mark.parametrize("causal", [False, True])
def test_attention_by_another_kernel(causal: bool) -> None:
    q, k, v, mask = numbers(2, 4, 3, 8), numbers(2, 4, 3, 8), numbers(2, 4, 3, 8), numbers(2, 1, 4, 4)
    hidden = np.triu(np.full((4, 4), -np.inf), 1) if causal else mask  # a causal one takes no other mask
    weights = softmax(np.einsum("nlhs,nmhs->nhlm", q, k) * 0.3 + hidden)
    out = F.fused_dot_product_attention(*map(paddle.to_tensor, (q, k, v, mask)), 0.0, causal, 0.3)
    close(out, np.einsum("nhlm,nmhs->nlhs", weights, v))


def test_attention_of_sequences_that_end_early() -> None:
    q, k, v, mask = numbers(2, 4, 3, 8), numbers(2, 2, 5, 8), numbers(2, 2, 5, 8), numbers(2, 1, 3, 5)
    ends, others = np.array([[3], [2]], "int32"), np.array([[5], [3]], "int32")
    scores = np.einsum("nhls,nhms->nhlm", q, k.repeat(2, 1)) / np.sqrt(8) + mask
    scores = np.where(np.arange(5) < others[..., None, None], scores, -1e9)
    scores = np.where(np.arange(5) <= np.arange(3)[:, None] + 2, scores, -1e9)
    out = np.einsum("nhlm,nhms->nhls", softmax(scores), v.repeat(2, 1)) * (np.arange(3)[:, None] < ends[..., None, None])
    given = map(paddle.to_tensor, (q, k, v, ends, others, mask))
    close(F.variable_length_memory_efficient_attention(*given, causal=True, pre_cache_length=2), out)


@pytest.mark.parametrize(("causal", "count"), [(True, 1), (True, 2), (False, 2), (False, 4)])
def test_masks_by_rows(causal: bool, count: int) -> None:
    q, k, v = numbers(2, 5, 4, 8), numbers(2, 5, 2, 8), numbers(2, 5, 2, 8)
    ends = np.sort(RANDOM.randint(0, 6, (2, 2, 5, count)), -1)
    ends = ends[..., ::-1] if (causal, count) == (False, 2) else ends  # the lower rows, then the upper ones
    hidden, row = np.zeros((2, 2, 5, 5), bool), np.arange(5)[:, None]
    for n, h, column in np.ndindex(2, 2, 5):
        one = ends[n, h, column]
        for i in range(5):
            below = i >= one[0] and (count == 1 or i < one[1] or (causal, count) == (False, 2))
            above = i < one[1] if (causal, count) == (False, 2) else count == 4 and one[2] <= i < one[3]
            hidden[n, h, i, column] = below or above
    hidden = (hidden | (causal & (np.arange(5) > row))).repeat(2, 1)
    scores = np.where(hidden, -1e9, np.einsum("nlhs,nmhs->nhlm", q, k.repeat(2, 2)) / np.sqrt(8))
    out = np.einsum("nhlm,nmhs->nlhs", softmax(scores) * ~hidden.all(-1, keepdims=True), v.repeat(2, 2))
    given = map(paddle.to_tensor, (q, k, v, ends.astype("int32")))
    close(paddle.nn.functional.flashmask_attention(*given, causal=causal), out)


def test_attention_of_packed_sequences() -> None:
    packed = paddle.to_tensor(numbers(5, 3, 2, 4))
    q, k, v = paddle.unstack(packed, axis=1)
    begins = paddle.to_tensor([0, 2, 5], dtype="int32")
    flash = paddle.nn.functional.flash_attention
    together, _ = flash.flash_attn_unpadded(q, k, v, begins, begins, 3, 3, 0.5, causal=True)
    for part in (slice(0, 2), slice(2, 5)):
        alone, _ = paddle.nn.functional.flash_attn_qkvpacked(packed[part].unsqueeze(0), causal=True)
        close(together[part], alone[0].numpy())


def test_in_a_program() -> None:
    paddle.enable_static()
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup):
        x = paddle.static.data("x", [None, 3, 8])
        out = nn.FusedTransformerEncoderLayer(8, 2, 16, 0.0)(x)
        paddle.optimizer.SGD(0.1).minimize(out.square().mean())
    exe = paddle.static.Executor()
    exe.run(startup)
    assert exe.run(main, {"x": numbers(2, 3, 8)}, [out])[0].shape == (2, 3, 8) and list(out.shape) == [-1, 3, 8]
