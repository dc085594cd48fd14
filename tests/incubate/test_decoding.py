"""Transformers that write position after position, and experts that choose tokens, are what their formulas give in numpy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import paddle_state
import pytest

import paddle_compat as paddle
from paddle_compat.incubate import nn
from paddle_compat.incubate.nn import functional as F

RANDOM = np.random.RandomState(7)
WIDTH, HEADS, SIZE, HIDDEN, LAYERS = 8, 2, 4, 16, 2


def numbers(*shape: int) -> Any:
    return RANDOM.uniform(-1, 1, shape).astype("float32")


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def gelu(x: Any) -> Any:
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def normed(x: Any, scale: Any, shift: Any) -> Any:
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * scale + shift


def close(got: Any, wanted: Any) -> None:
    np.testing.assert_allclose(got.numpy(), wanted, rtol=3e-5, atol=3e-5)


def network(**settings: Any) -> Any:
    layer = nn.FusedMultiTransformer(WIDTH, HEADS, HIDDEN, num_layers=LAYERS, **settings)
    layer.eval()
    for kind, values in vars(layer).items():
        if kind.endswith(("scales", "weights", "biases")):
            for value in values:
                value.set_value(numbers(*value.shape) * 0.5)
    return layer


def by_hand(layer: Any, x: Any, mask: Any, front: Any = None, angles: Any = None) -> Any:
    """What the layers give, with the keys and values of each."""
    kept = []
    for i in range(LAYERS):
        p = {kind: vars(layer)[kind][i].numpy() for kind in vars(layer) if kind.endswith(("scales", "weights", "biases"))}
        before, first = layer.normalize_before, (p["ln_scales"], p["ln_biases"])
        given = normed(x, *first) if before else x
        weight = p["qkv_weights"] if layer._trans_qkvw else p["qkv_weights"].transpose(1, 2, 3, 0)
        q, k, v = (np.einsum("nlw,hsw->nhls", given, weight[j]) + p["qkv_biases"][j][:, None] for j in range(3))
        if angles is not None:
            q, k = (each * angles[0] + np.concatenate([-each[..., 2:], each[..., :2]], -1) * angles[1] for each in (q, k))
        if front is not None:
            k, v = (np.concatenate([front[i][j], each], 2) for j, each in enumerate((k, v)))
        kept.append(np.stack([k, v]))
        weights = softmax(np.einsum("nhls,nhms->nhlm", q, k) / np.sqrt(SIZE) + mask)
        heads = np.einsum("nhlm,nhms->nlhs", weights, v).reshape(x.shape)
        x = x + heads @ p["linear_weights"] + p["linear_biases"]
        x = x if before else normed(x, *first)
        last = (p["ffn_ln_scales"], p["ffn_ln_biases"])
        hidden = gelu((normed(x, *last) if before else x) @ p["ffn1_weights"] + p["ffn1_biases"])
        x = x + hidden @ p["ffn2_weights"] + p["ffn2_biases"]
        x = x if before else normed(x, *last)
    return x, kept


def causal(length: int, front: int = 0) -> Any:
    return np.where(np.arange(length + front) <= np.arange(length)[:, None] + front, 0, -1e9).astype("float32")[None, None]


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("trans_qkvw", [True, False])
def test_positions_written_one_by_one_are_those_of_the_whole(before: bool, trans_qkvw: bool) -> None:
    layer, x, mask = network(normalize_before=before, trans_qkvw=trans_qkvw), numbers(3, 5, WIDTH), causal(5)
    wanted, kept = by_hand(layer, x, mask)
    close(layer(paddle.to_tensor(x), attn_mask=paddle.to_tensor(mask)), wanted)
    caches = [paddle.zeros([2, 3, HEADS, 7, SIZE]) for _ in range(LAYERS)]
    out, given = layer(paddle.to_tensor(x[:, :3]), attn_mask=paddle.to_tensor(mask[:, :, :3, :3]), caches=caches)
    assert given is caches
    close(out, wanted[:, :3])
    for step in (3, 4):
        settings = {"attn_mask": paddle.zeros([3, 1, 1, step + 1])} if step == 3 else {}  # what is behind is hidden without a mask, too
        at = paddle.to_tensor([step], dtype="int32")
        close(layer(paddle.to_tensor(x[:, step : step + 1]), caches=caches, time_step=at, **settings)[0], wanted[:, step : step + 1])
    for cache, pair in zip(caches, kept):
        close(cache, np.pad(pair, [(0, 0)] * 3 + [(0, 2), (0, 0)]))


def test_positions_in_front() -> None:
    layer, x, front = network(), numbers(3, 4, WIDTH), [numbers(2, 3, HEADS, 2, SIZE) for _ in range(LAYERS)]
    wanted, kept = by_hand(layer, x, causal(4, 2), front)
    caches, before = ([paddle.to_tensor(each) for each in many] for many in ([np.ones((2, 3, HEADS, 6, SIZE), "float32")] * LAYERS, front))
    close(layer(paddle.to_tensor(x), paddle.to_tensor(causal(4, 2)), caches, before)[0], wanted)
    for cache, pair in zip(caches, kept):
        close(cache, pair)


def test_rotary_embedding() -> None:
    layer, x = network(), numbers(3, 5, WIDTH)
    turns = np.outer(np.arange(5), [1.0, 0.1, 1.0, 0.1]).astype("float32")
    angles = np.stack([np.cos(turns), np.sin(turns)])
    wanted, _ = by_hand(layer, x, causal(5), angles=angles)
    embs = paddle.to_tensor(np.broadcast_to(angles[:, None, None], (2, 3, 1, 5, SIZE)).copy())
    close(layer(paddle.to_tensor(x), paddle.to_tensor(causal(5)), rotary_embs=embs, rotary_emb_dims=1), wanted)


def test_sequences_of_their_own_lengths() -> None:
    layer, x = network(), numbers(2, 4, WIDTH)
    lengths = paddle.to_tensor([4, 2], dtype="int32")
    caches = [paddle.zeros([2, 2, HEADS, 6, SIZE]) for _ in range(LAYERS)]
    out, _ = layer(paddle.to_tensor(x), caches=caches, seq_lens=lengths)
    close(out[:1], by_hand(layer, x[:1], 0)[0])
    close(out[1:, :2], by_hand(layer, x[1:, :2], 0)[0])
    assert out[1, 2:].abs().sum() == 0
    new = numbers(2, 1, WIDTH)
    out, _ = layer(paddle.to_tensor(new), caches=caches, seq_lens=lengths, time_step=paddle.to_tensor([4], dtype="int32"))
    for row, length in enumerate((4, 2)):
        whole = np.concatenate([x[row, :length], new[row]])[None]
        hidden = np.zeros((length + 1, length + 1))
        hidden[:length, length] = -1e9
        close(out[row], by_hand(layer, whole, hidden)[0][0, -1:])


def test_a_program_of_layers() -> None:
    with paddle_state.fresh_state():
        layer, x = network(), numbers(3, 5, WIDTH)
        wanted, _ = by_hand(layer, x, causal(5))
        paddle.enable_static()
        data, mask = paddle.static.data("x", [3, 5, WIDTH]), paddle.static.data("mask", [1, 1, 5, 5])
        lists = [[paddle.assign(each.numpy()) for each in values] for values in vars(layer).values() if isinstance(values, list)]
        out = F.fused_multi_transformer(data, *lists, attn_mask=mask)
        (found,) = paddle.static.Executor().run(feed={"x": x, "mask": causal(5)}, fetch_list=[out])
    np.testing.assert_allclose(found, wanted, rtol=3e-5, atol=3e-5)


def test_what_the_layers_refuse() -> None:
    with pytest.raises(AssertionError, match="num_layers"):
        nn.FusedMultiTransformer(8, 2, 16)
    with pytest.raises(AssertionError, match="a divisor of embed_dim"):
        nn.FusedMultiTransformer(8, 3, 16, num_layers=1)
    with pytest.raises(AssertionError, match="2 attributes"):
        nn.FusedMultiTransformer(8, 2, 16, num_layers=2, ln_scale_attrs=[None])
    with pytest.raises(NotImplementedError, match="ring_id"):
        nn.FusedMultiTransformer(8, 2, 16, num_layers=1, ring_id=0)
    layer, x = network(), paddle.ones([1, 2, WIDTH])
    with pytest.raises(AssertionError, match="one for each layer"):
        layer(x, caches=[paddle.zeros([2, 1, HEADS, 6, SIZE])])
    with pytest.raises(AssertionError, match="time_step"):
        layer(x, time_step=paddle.to_tensor([1], dtype="int32"))
    with pytest.raises(ValueError, match="'gelu', 'relu' or 'geglu'"):
        nn.FusedMultiTransformer(8, 2, 16, num_layers=1, activation="tanh")(x)


def test_lists_of_attributes() -> None:
    with paddle.utils.unique_name.guard():
        attrs = [paddle.ParamAttr(name=name) for name in ("a", "b", "c")]
        layer = nn.FusedMultiTransformer(8, 2, 16, qkv_weight_attrs=attrs, qkv_bias_attrs=False)
        assert [each.name for each in layer.qkv_weights] == ["a", "b", "c"] and layer.qkv_biases == [None] * 3
        assert [each.name for each in layer.ffn1_biases[:2]] == ["fused_multi_transformer_0.b_3", "fused_multi_transformer_0.b_8"]
        assert not layer.parameters() and layer(paddle.ones([1, 2, 8])).shape == [1, 2, 8]


@pytest.mark.parametrize("own", [False, True])
def test_masked_attention(own: bool) -> None:
    x, cache, bias, mask = numbers(2, 24), numbers(2, 2, HEADS, 6, SIZE), numbers(3, HEADS, SIZE), numbers(2, 1, 1, 5)
    steps = [3, 1] if own else [4, 4]
    settings = {"sequence_lengths": paddle.to_tensor([[3], [1]], dtype="int32")} if own else {}
    kept = paddle.to_tensor(cache)
    out, given = F.masked_multihead_attention(paddle.to_tensor(x), kept, paddle.to_tensor(bias), paddle.to_tensor(mask), **settings)
    assert given is kept and out.shape == [2, 8]
    for row, step in enumerate(steps):
        q, k, v = x[row].reshape(3, HEADS, SIZE) + bias
        cache[:, row, :, step] = k, v
        scores = np.einsum("hs,hms->hm", q, cache[0, row, :, : step + 1]) / np.sqrt(SIZE) + mask[row, 0, 0, : step + 1]
        close(out[row], np.einsum("hm,hms->hs", softmax(scores), cache[1, row, :, : step + 1]).reshape(-1))
    close(kept, cache)


def test_what_masked_attention_refuses() -> None:
    x, cache = paddle.ones([1, 24]), paddle.zeros([2, 1, HEADS, 6, SIZE])
    with pytest.raises(ValueError, match="src_mask, sequence_lengths"):
        F.masked_multihead_attention(x, cache)
    with pytest.raises(ValueError, match="cache_kv"):
        F.masked_multihead_attention(x)
    with pytest.raises(NotImplementedError, match="rotary_tensor"):
        F.masked_multihead_attention(x, cache, rotary_tensor=x)


@pytest.mark.parametrize("act_type", ["gelu", "relu"])
def test_experts_choose_a_sixteenth_of_the_tokens(act_type: str) -> None:
    x, gate = numbers(2, 40, WIDTH), numbers(2, 40, 3)
    layer = nn.FusedEcMoe(WIDTH, HIDDEN, 3, act_type)
    for parameter in layer.parameters():
        parameter.set_value(numbers(*parameter.shape))
    w0, b0, w1, b1 = (getattr(layer, name).numpy() for name in ("bmm_weight0", "bmm_bias0", "bmm_weight1", "bmm_bias1"))
    wanted, shares = x.copy(), softmax(gate)
    for row in range(2):
        for expert in range(3):
            for token in np.argsort(-gate[row, :, expert])[:2]:
                hidden = x[row, token] @ w0[expert] + b0[expert, 0]
                made = (gelu(hidden) if act_type == "gelu" else np.maximum(hidden, 0)) @ w1[expert] + b1[expert, 0]
                wanted[row, token] += shares[row, token, expert] * made
    tokens = paddle.to_tensor(x, stop_gradient=False)
    out = layer(tokens, paddle.to_tensor(gate))
    close(out, wanted)
    out.sum().backward()
    assert tokens.grad.abs().sum() > 0 and layer.bmm_weight0.grad.abs().sum() > 0
    with paddle_state.fresh_state():
        paddle.enable_static()
        data, shares = paddle.static.data("x", [None, 40, WIDTH]), paddle.static.data("gate", [None, 40, 3])
        program = F.fused_ec_moe(data, shares, *(paddle.assign(each) for each in (w0, b0, w1, b1)), act_type)
        (found,) = paddle.static.Executor().run(feed={"x": x, "gate": gate}, fetch_list=[program])
    np.testing.assert_allclose(found, wanted, rtol=3e-5, atol=3e-5)
    few = paddle.to_tensor(x[:, :15])
    close(layer(few, paddle.to_tensor(gate[:, :15])), x[:, :15])


def test_experts_refuse_other_activations() -> None:
    with pytest.raises(NotImplementedError, match="'gelu' or 'relu'"):
        nn.FusedEcMoe(8, 16, 4, "tanh")
