"""Networks with rounded values: structures, names, losses, scales and texts, as the wheel answers."""

from __future__ import annotations

import copy
import zlib

import numpy as np
import pytest
from eager_replay import recorded, replay

import paddle_compat as paddle
from paddle_compat.errors import UnsupportedError

pytestmark = pytest.mark.usefixtures("paddle_is_ours")


@pytest.mark.parametrize("name", list(recorded("eager_quantization")))
def test_quantization(name: str) -> None:
    replay("quantization_cases", "eager_quantization", name, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", list(recorded("eager_imperative_quantization")))
def test_the_former_ways(name: str) -> None:
    replay("imperative_quantization_cases", "eager_imperative_quantization", name, rtol=2e-4, atol=2e-5)


def test_a_network_for_training_can_be_copied_moved_and_recorded() -> None:
    from paddle.quantization.quanters import FakeQuanterWithAbsMaxObserver

    q = FakeQuanterWithAbsMaxObserver()
    made = paddle.quantization.QAT(paddle.quantization.QuantConfig(q, q))
    network = made.quantize(paddle.nn.Sequential(paddle.nn.Linear(4, 3), paddle.nn.ReLU(), paddle.nn.Linear(3, 2)))
    recorded = paddle.jit.to_static(copy.deepcopy(network))
    x = paddle.ones([5, 4])
    for _ in range(2):
        assert recorded(x).tolist() == network(x).tolist()
        assert recorded[0].weight_quanter.scales().tolist() == network[0].weight_quanter.scales().tolist()
    copied = made.convert(recorded)
    assert copied(x).tolist() == made.convert(network)(x).tolist()
    assert network.to(dtype="float64")[0].weight.dtype == paddle.float64


def test_scales_of_groups_are_converted_as_paddle_3_does() -> None:
    from paddle.quantization.observers import GroupWiseWeightObserver

    config = paddle.quantization.QuantConfig(None, GroupWiseWeightObserver(quant_bits=4))
    network = paddle.nn.Sequential(paddle.nn.Linear(256, 3))
    network.eval()
    made = paddle.quantization.PTQ(config)
    watched = made.quantize(network)
    x = paddle.ones([2, 256])
    plain = watched(x)
    converted = made.convert(watched)
    assert converted[0].weight_quanter._dequanter._scales.shape == [2, 3]
    assert set(converted[0].weight.numpy().ravel().tolist()) <= set(range(-8, 8))
    assert abs(converted(x) - plain).max().item() < 256 * abs(network[0].weight).max().item() / 7


@pytest.mark.parametrize("third", [False, True])
def test_zero_points_are_in_the_state_dicts_of_paddle_3(third: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """3.3.1: frozen parameters `quant_dequant.zero_point_N`; 2.6.2's state dicts have the scales alone."""
    from paddle_compat.nn.quant import format as converted

    monkeypatch.setattr(converted, "since", lambda first: third)
    for kind in (converted.LinearQuanter, converted.LinearDequanter):
        made = kind(paddle.to_tensor([0.5]), paddle.to_tensor(0.0), 0, 8)
        assert list(made.state_dict()) == ["_scales"] + ["_zero_point"] * third
        assert made._zero_point.shape == [] and made._zero_point.stop_gradient
        names = [(p.name.rpartition("_")[0], p.trainable) for p in made.parameters()]
        assert names == [("quant_dequant.scale", False)] + [("quant_dequant.zero_point", False)] * third


# bits, the kind of GPU, rows of a group: the checksum of the wheel's bytes, and the sum of its scales
LAYOUTS = {
    (8, 70, -1): (3278930956, 1.4033050537109375), (8, 80, -1): (2196894493, 1.4033050537109375),
    (4, 70, -1): (3843885070, 25.461669921875), (4, 80, -1): (1467875065, 25.461669921875),
    (8, 80, 64): (1806812453, 2.5794143676757812), (4, 80, 64): (2042697564, 46.799072265625),
}  # fmt: skip


@pytest.mark.parametrize(("bits", "arch", "group"), LAYOUTS)
def test_weights_of_few_bits_are_kept_as_kernels_read_them(bits: int, arch: int, group: int) -> None:
    quant = paddle.nn.quant
    weight = paddle.to_tensor(np.random.RandomState(0).randn(128, 64).astype("float16"))
    kept, scale = quant.weight_quantize(weight, f"weight_only_int{bits}", arch, group)
    assert kept.shape == [8 * bits, 128] and scale.shape == ([64] if group < 0 else [2, 64]) and scale.dtype == paddle.float16
    assert (zlib.crc32(kept.numpy().tobytes()), float(scale.astype("float32").sum())) == LAYOUTS[bits, arch, group]
    x = paddle.to_tensor(np.random.RandomState(1).randn(3, 128).astype("float16"))
    bias, error = paddle.ones([64], "float16"), 2 * float(scale.max()) * 0.51 * 128**0.5
    out = quant.weight_only_linear(x, kept, bias, scale, f"int{bits}", arch, group).astype("float32")
    exact = paddle.matmul(x.astype("float32"), weight.astype("float32")) + 1
    assert float((out - exact).abs().max()) < error
    if arch == 80:
        back = quant.weight_dequantize(kept, scale, f"weight_only_int{bits}", "float32", group)
        assert float((out - paddle.matmul(x.astype("float32"), back) - 1).abs().max()) < 0.05


def test_large_columns_are_multiplied_as_floats() -> None:
    quant = paddle.nn.quant
    weight = paddle.to_tensor(np.random.RandomState(0).randn(64, 32).astype("float16"))
    kept, scale = quant.weight_quantize(weight, "llm.int8")
    np.testing.assert_array_equal(kept.numpy(), np.round(kept.numpy()))
    x = np.random.RandomState(1).randn(3, 64).astype("float16")
    x[:, 5] = 60
    exact = paddle.matmul(paddle.to_tensor(x).astype("float32"), quant.weight_dequantize(kept, scale, "llm.int8", "float32"))
    errors = [
        float((quant.llm_int8_linear(paddle.to_tensor(x), kept, None, scale, most).astype("float32") - exact).abs().max())
        for most in (6.0, 100.0)
    ]
    assert errors[0] < 0.3 and errors[1] > 3 * errors[0]


def test_weights_that_kernels_cannot_read_are_refused() -> None:
    weight = paddle.ones([64, 32], "float16")
    for name, value in (("algo", "int3"), ("arch", 60), ("group_size", 3)):
        with pytest.raises(AssertionError, match=name):
            paddle.nn.quant.weight_quantize(weight, **{name: value})
    with pytest.raises(ValueError, match="a multiple of 64"):
        paddle.nn.quant.weight_quantize(weight[:60])


def test_what_needs_a_gpu_or_several_processes_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="reduce_type='max'"):
        paddle.nn.quant.quant_layers.FakeQuantAbsMax(reduce_type="max")
    aware = paddle.quantization.ImperativeQuantAware(onnx_format=True)
    with pytest.raises(UnsupportedError, match=r"Use paddle\.quantization\.QAT\.convert"):
        aware.save_quantized_model(paddle.nn.Linear(2, 2), "unused")
    with pytest.raises(UnsupportedError, match="QuantizedLinear on one process"):
        paddle.nn.quant.quant_layers.QuantizedRowParallelLinear(None)
