"""Layers and functions take Paddle 3's words and compute what Paddle 3.3 does with them; what it added to `paddle.nn` is there."""

from __future__ import annotations

import gzip
import json
import warnings

import eager_replay
import numpy as np
import paddle3_nn_cases
import pytest

import paddle_compat as paddle
from paddle_compat.core.errors import UnsupportedError

nn, F = paddle.nn, paddle.nn.functional


def test_as_paddle_3_computes() -> None:
    recorded = json.loads(gzip.decompress((eager_replay.ROOT / "tests/references/paddle3_nn.json.gz").read_bytes()))
    assert recorded.keys() == set(paddle3_nn_cases.CASES)
    wrong = []
    for case, real in recorded.items():
        got = json.loads(json.dumps(paddle3_nn_cases.answer(paddle, case)))
        wrong += [f"{case}{where}: {ours}, the wheel: {theirs}" for where, ours, theirs in eager_replay.differences(got, real, 2e-5, 5e-6)]
    assert not wrong, "\n".join(wrong)


def test_what_changes_in_place() -> None:
    x = paddle.to_tensor([1.0, -2.0])
    assert F.silu(x, inplace=True) is x and round(x[0].item(), 4) == 0.7311
    assert F.dropout(x, 1.0, inplace=True) is x and x.tolist() == [0, 0]
    weight = paddle.to_tensor([[3.0, 4.0], [0.1, 0.2], [6.0, 8.0]])
    F.embedding(paddle.to_tensor([0, 1]), weight, max_norm=1.0)  # shortens what it looks up in the table
    assert np.allclose(weight.numpy(), [[0.6, 0.8], [0.1, 0.2], [6, 8]])
    given = nn.Embedding(3, 2, _weight=weight, _freeze=True)
    assert given.weight is weight and weight.stop_gradient


def test_parameters_are_made_of_tensors() -> None:
    x = paddle.ones([2])
    weight, layer = nn.Parameter(x), nn.Layer()
    layer.fixed, layer.weight = nn.Parameter(data=x, requires_grad=False), weight
    x[0] = 9.0
    assert weight.tolist() == [9, 1] and [name for name, _ in layer.named_parameters()] == ["fixed", "weight"]
    assert weight.trainable and not layer.fixed.trainable and nn.Parameter(x, False).stop_gradient
    assert nn.Parameter().shape == [0] and nn.Parameter(None, False).stop_gradient
    assert isinstance(nn.Linear(2, 2).weight, nn.Parameter) and not isinstance(x, nn.Parameter)
    (weight * 3).sum().backward()
    assert weight.grad.tolist() == [3, 3] and nn.Parameter([2, 3], "float32").shape == [2, 3]


def test_parameters_of_a_list_take_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Since Paddle 3 a list keeps its parameters, which take the values that are put in; before it takes the new ones."""
    held, new = (paddle.create_parameter([2], "float32", default_initializer=nn.initializer.Constant(v)) for v in (1.0, 3.0))
    parameters = nn.ParameterList([held])
    monkeypatch.setattr(nn.layer.container, "SINCE_3", True)
    parameters[0] = new
    new.set_value(np.zeros(2, "float32"))
    assert parameters[0] is held and held.tolist() == [3, 3] and not held.stop_gradient
    parameters[0] = paddle.ones([3])
    assert parameters[0] is held and held.shape == [3]
    with pytest.raises(AttributeError):
        parameters[1] = new
    with pytest.raises(TypeError, match="param"):
        parameters[0] = 3.0
    monkeypatch.setattr(nn.layer.container, "SINCE_3", False)
    parameters[0] = new
    assert parameters[0] is new


def test_rms_norm() -> None:  # which 3.3.1 has for GPUs only: by its definition
    x, weight = paddle.to_tensor([[3.0, 4.0]], stop_gradient=False), paddle.to_tensor([2.0, 1.0])
    out = F.rms_norm(x, [2], weight, eps=0.0)
    assert np.allclose(out.numpy(), [[6 / 12.5**0.5, 4 / 12.5**0.5]])
    assert F.rms_norm(paddle.cast(x, "bfloat16"), 2).dtype == paddle.bfloat16
    with pytest.raises(ValueError, match="normalized_shape"):
        F.rms_norm(x, [3])


def test_rotary_position_embedding() -> None:  # which 3.3.1 has for GPUs only: by its definition
    rotate = paddle.incubate.nn.functional.fused_rotary_position_embedding
    x = np.sin(np.arange(24, dtype="float32")).reshape(1, 3, 2, 4)
    angles = np.outer(np.arange(3), [1.0, 0.01])
    pairs = (x[..., ::2] + 1j * x[..., 1::2]) * np.exp(1j * angles)[:, None]
    expected = np.stack([pairs.real, pairs.imag], -1).reshape(x.shape)
    q, k, v = rotate(paddle.to_tensor(x), paddle.to_tensor(x))
    assert np.allclose(q.numpy(), expected, atol=1e-6) and np.allclose(k.numpy(), q.numpy()) and v is None
    turned = rotate(paddle.to_tensor(x.transpose(1, 0, 2, 3)), time_major=True)[0]
    assert np.allclose(turned.numpy().transpose(1, 0, 2, 3), expected, atol=1e-6)
    sin, cos = (paddle.to_tensor(np.concatenate([f(angles)] * 2, 1).astype("float32")) for f in (np.sin, np.cos))
    ids = paddle.to_tensor([[2, 1, 0]])
    halves = rotate(paddle.to_tensor(x), sin=sin, cos=cos, position_ids=ids, use_neox_rotary_style=False)[0].numpy()
    pairs = (x[..., :2] + 1j * x[..., 2:]) * np.exp(1j * angles[::-1])[:, None]
    assert np.allclose(halves, np.concatenate([pairs.real, pairs.imag], -1), atol=1e-6)


def test_programs_compute_the_same() -> None:
    calls = [
        lambda x: F.softmax(input=x, dim=1),
        lambda x: F.thresholded_relu(x, 0.2, value=-3.0),
        lambda x: F.kl_div(x, x * 2, log_target=True),
        lambda x: F.smooth_l1_loss(x, x * 3, delta=0.5, is_huber=False),
        lambda x: F.pad(x, [1, 0, 0, 2], pad_from_left_axis=False),
        lambda x: F.pad(x, [1, 2]),
        lambda x: F.group_norm(x, 2),
        lambda x: F.rms_norm(x, [4]),
        lambda x: F.swiglu(x),
        lambda x: F.multi_label_margin_loss(x, paddle.to_tensor([[2, 0, -1, 1], [1, -1, 2, 0]])),
        lambda x: F.one_hot(paddle.cast(x > 0, "int64"), 2),
        lambda x: nn.LayerNorm(4, elementwise_affine=False)(x),
        lambda x: F.scaled_dot_product_attention(*[paddle.reshape(x, [1, 2, 2, 2])] * 3, scale=0.3),
        lambda x: F.scaled_dot_product_attention(*(paddle.reshape(x, [1, 4 // n, n, 2]) for n in (2, 1, 1))),
        lambda x: F.lp_pool1d(paddle.reshape(x, [1, 2, 4]), 2, 2),
        lambda x: F.fractional_max_pool2d(paddle.reshape(x, [1, 1, 2, 4]), [1, 3], random_u=0.4),
        lambda x: F.interpolate(paddle.reshape(x, [1, 2, 4]), scale_factor=1.7, mode="linear", recompute_scale_factor=True),
        lambda x: F.adaptive_log_softmax_with_loss(x, paddle.to_tensor([3, 1]), paddle.ones([4, 3]), [[x.t(), x[:, :2]]], [2, 4])[0],
    ]
    fed = np.sin(np.arange(8, dtype="float32") * 1.7).reshape(2, 4)
    eager = [call(paddle.to_tensor(fed)).numpy() for call in calls]
    paddle.enable_static()
    try:
        with paddle.static.program_guard(paddle.static.Program()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            x = paddle.static.data("x", [2, 4])
            outs = [call(x) for call in calls]
            found = paddle.static.Executor().run(feed={"x": fed}, fetch_list=outs)
            with pytest.raises(UnsupportedError, match="max_norm"):
                F.embedding(paddle.cast(x, "int64"), x, max_norm=1.0)
    finally:
        paddle.disable_static()
    for number, (at_once, later) in enumerate(zip(eager, found)):
        assert np.allclose(at_once, later, rtol=1e-5, atol=1e-6), number


@pytest.mark.parametrize("call", [lambda: nn.Linear(2, 3, bias=False), lambda: nn.Unfold(kernel_size=2)])
def test_words_that_paddle_3_refuses(call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(TypeError):
        call()


def test_state_dicts_cut_off() -> None:
    net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1D(2))
    apart = net.state_dict(keep_vars=False)
    assert [value.stop_gradient for value in apart.values()] == [True] * 6
    assert [value.stop_gradient for value in net.state_dict().values()] == [False] * 4 + [True] * 2  # the parameters themselves
    assert all(value.persistable for value in apart.values())
    apart["0.weight"][0] = 7.0
    assert net[0].weight.tolist()[0] == [7.0, 7.0]  # the same memory
    assert net.state_dict(keep_vars=True)["0.bias"] is net[0].bias
    assert list(net.to_static_state_dict(keep_vars=False)) == list(apart)


@pytest.mark.parametrize(
    ("given", "named", "stops"),
    [
        ((), {"prefix": "a."}, True), ((), {"prefix": "a.", "keep_vars": True}, False), ((None, "a."), {}, True),
        ((None, "a.", True), {}, False), (({}, "a.", False), {}, True), ((None, True, "a."), {}, False),
    ],
)  # fmt: skip
def test_state_dicts_in_torchs_form(given: tuple[object, ...], named: dict[str, object], stops: bool) -> None:
    found = nn.Sequential(nn.Linear(2, 2)).state_dict(*given, **named)
    assert {name: value.stop_gradient for name, value in found.items()} == {"a.0.weight": stops, "a.0.bias": stops}


def test_layers_under_torchs_words() -> None:
    net = nn.Sequential(nn.BatchNorm1D(2))
    assert [name for name, _ in net.named_parameters(recurse=False)] == [] == net.parameters(recurse=False)
    assert len(net.parameters(recurse=True)) == 4
    net.register_buffer("spare", paddle.ones([1]), False)
    assert [name for name, _ in net.named_buffers("p", recurse=False)] == ["p.spare"]
    assert len(net.buffers(recurse=False)) == 1
    assert (net._get_name(), net._non_persistent_buffers_set) == ("Sequential", {"spare"})


def test_attention_to_listed_positions() -> None:  # a GPU's alone, too: as with a mask of the positions
    paddle.seed(1)
    query, key, value = (paddle.rand([2, 3, 4, 5]) for _ in range(3))
    query.stop_gradient = False
    seen = paddle.rand([2, 3, 4, 4]) < 0.6
    seen[0, 0, 1] = False  # a row that attends to nothing
    counts = paddle.sum(seen.astype("int32"), -1)
    offsets = paddle.concat([paddle.zeros([2, 3, 1], "int32"), paddle.cumsum(counts, -1, "int32")], -1)
    lists = [[[column for row in head for column, is_seen in enumerate(row) if is_seen] for head in batch] for batch in seen.tolist()]
    longest = max(len(each) for batch in lists for each in batch)
    columns = paddle.to_tensor([[each + [0] * (longest - len(each)) for each in batch] for batch in lists], "int32")
    padding, mask = paddle.to_tensor([[1.0, 1, 1, 1], [1, 1, 0, 1]]), paddle.tril(paddle.ones([4, 4]))
    out = F.sparse_attention(query, key, value, offsets, columns, padding, mask)
    allowed = seen.numpy() & (padding.numpy()[:, None, None, :] > 0) & (mask.numpy() > 0)
    scores = np.where(allowed, query.numpy() @ key.numpy().transpose(0, 1, 3, 2) / 5**0.5, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True, initial=-1e30)) * allowed
    wanted = weights / np.maximum(weights.sum(-1, keepdims=True), 1e-30) @ value.numpy()
    assert np.allclose(out.numpy(), wanted, atol=1e-6) and not out[0, 0, 1].numpy().any()
    out.sum().backward()
    assert np.isfinite(query.grad.numpy()).all()


def test_packed_attention_of_several_lengths() -> None:
    paddle.seed(1)
    qkv, begins = paddle.rand([5, 4, 2, 8]), paddle.to_tensor([0, 2, 5], "int32")  # two groups of query's heads
    out, _ = F.flash_attn_varlen_qkvpacked(qkv, begins, begins, 3, 3, 0.5, causal=True, varlen_padded=False)
    query, key, value = qkv[:, :2].reshape([5, 4, 8]), qkv[:, 2], qkv[:, 3]
    first = F.scaled_dot_product_attention(query[:2], key[:2], value[:2], is_causal=True, scale=0.5)
    assert np.allclose(out[:2].numpy(), first.numpy(), atol=1e-6) and out.shape == [5, 4, 8]
    with pytest.raises(UnsupportedError, match="varlen_padded"):
        F.flash_attn_varlen_qkvpacked(qkv, begins, begins, 3, 3, 0.5)


def test_norms_that_hand_out_what_they_normalize_by() -> None:
    fused = paddle.incubate.nn.functional
    paddle.seed(1)
    x, scale, bias = paddle.rand([2, 3, 4]), paddle.rand([4]), paddle.rand([4])
    x.stop_gradient = False
    out, mean, inverse = fused.fast_ln(x, scale, bias, 1e-3)
    assert np.allclose(out.numpy(), F.layer_norm(x, 4, scale, bias, 1e-3).numpy(), atol=1e-5)
    assert np.allclose(mean.numpy(), x.numpy().mean(-1)) and np.allclose(inverse.numpy(), (x.numpy().var(-1) + 1e-3) ** -0.5)
    out, inverse = fused.fused_rms_norm_ext(x.astype("bfloat16"), scale.astype("bfloat16"), 1e-3)
    assert out.dtype == paddle.bfloat16 and inverse.dtype == paddle.float32
    out, inverse = fused.fast_rms_norm(x, scale, 1e-3)
    assert np.allclose(out.numpy(), F.rms_norm(x, 4, scale, 1e-3).numpy(), atol=1e-6)
    out.sum().backward()
    assert x.grad.shape == [2, 3, 4]
