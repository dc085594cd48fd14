"""Networks with rounded values: structures, names, losses, scales and texts, as the wheel answers."""

from __future__ import annotations

import copy

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


def test_what_needs_a_gpu_or_several_processes_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="weight_quantize"):
        paddle.nn.quant.weight_quantize  # noqa: B018
    with pytest.raises(UnsupportedError, match="reduce_type='max'"):
        paddle.nn.quant.quant_layers.FakeQuantAbsMax(reduce_type="max")
    aware = paddle.quantization.ImperativeQuantAware(onnx_format=True)
    with pytest.raises(UnsupportedError, match=r"Use paddle\.quantization\.QAT\.convert"):
        aware.save_quantized_model(paddle.nn.Linear(2, 2), "unused")
    with pytest.raises(UnsupportedError, match="QuantizedLinear on one process"):
        paddle.nn.quant.quant_layers.QuantizedRowParallelLinear(None)
