"""The layers of `paddle.nn` against the wheel: parameters, Programs, and what they compute."""

from __future__ import annotations

import numpy as np
import program_replay
import pytest

import paddle_compat as paddle


@program_replay.cases("layers")
def test_as_the_wheel(name: str) -> None:
    program_replay.replay("layers", name, rtol=1e-4, atol=2e-5)


@pytest.mark.parametrize(
    ("kind", "formats", "ranks"),
    [
        ("BatchNorm1D", {"NC": "NCHW", "NCL": "NCHW", "NLC": "NHWC", "NCHW": "NCHW", "NHWC": "NHWC"}, (2, 3)),
        ("BatchNorm2D", {"NCHW": "NCHW", "NHWC": "NHWC"}, (4,)),
        ("BatchNorm3D", {"NCDHW": "NCHW", "NDHWC": "NHWC", "NCHW": "NCHW", "NHWC": "NHWC"}, (5,)),
    ],
)
def test_checks_that_subclasses_of_batch_norms_call(kind: str, formats: dict[str, str], ranks: tuple[int, ...]) -> None:
    """As paddleslim's `SuperBatchNorm2D` does. What 2.6.2 takes and refuses."""
    norm = getattr(paddle.nn, kind)
    for given, kept in formats.items():
        layer = norm(2, data_format=given)
        layer._check_data_format(given)
        assert layer._data_format == kept
        assert (layer._in_place, layer._fuse_with_relu) == (False, False)
    for rank in range(2, 6):
        if rank in ranks:
            layer._check_input_dim(paddle.ones([2] * rank))
        else:
            with pytest.raises(ValueError, match=kind):
                layer._check_input_dim(paddle.ones([2] * rank))
    with pytest.raises(ValueError, match="data_format"):
        layer._check_data_format("NCX")


def test_norms_ask_the_checks_of_their_subclasses() -> None:
    class Any1D(paddle.nn.BatchNorm1D):
        def _check_input_dim(self, input: object) -> None:
            pass

    class Any2D(paddle.nn.InstanceNorm2D):
        def _check_input_dim(self, input: object) -> None:
            pass

    x = paddle.arange(16, dtype="float32").reshape([2, 2, 2, 2])
    np.testing.assert_array_equal(Any1D(2)(x).numpy(), paddle.nn.BatchNorm2D(2)(x).numpy())
    np.testing.assert_array_equal(Any2D(2)(x[0]).numpy(), paddle.nn.InstanceNorm1D(2)(x[0]).numpy())


@pytest.mark.parametrize("frozen", ["weight", "bias", "both"])
def test_a_frozen_layer_norm_passes_its_derivative_on(frozen: str) -> None:
    """The wheels' CPU kernel leaves a frozen scale out of it."""

    def slopes(stops: str) -> np.ndarray:
        norm = paddle.nn.LayerNorm(4)
        norm.weight.set_value(np.array([0.5, 2, -1, 3], "float32"))
        for name in ("weight", "bias"):
            getattr(norm, name).stop_gradient = stops in (name, "both")
        x = paddle.to_tensor([[1.0, 3.0, -2.0, 0.5], [0.0, 1.0, 4.0, 2.0]], stop_gradient=False)
        (norm(x) ** 2).sum().backward()
        return x.grad.numpy()

    np.testing.assert_array_equal(slopes(frozen), slopes("none"))
