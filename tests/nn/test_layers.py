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


def test_a_layer_dict_finds_layers_by_names_that_are_no_strings() -> None:
    """As in both wheels, which cannot list its parameters then; here names are joined as text."""
    held = paddle.nn.LayerDict({0: paddle.nn.Linear(1, 1), (1, 2): paddle.nn.Tanh()})
    assert (list(held), 0 in held, "0" in held, repr(held[1, 2])) == ([0, (1, 2)], True, False, "Tanh()")
    assert [name for name, _ in held.named_parameters()] == list(held.state_dict()) == ["0.weight", "0.bias"]
    assert repr(held.pop((1, 2))) == "Tanh()"
    del held[0]
    assert len(held) == 0
    net = paddle.nn.Layer()
    net.add_sublayer(0, paddle.nn.Tanh())
    assert list(net._sub_layers) == [0]
