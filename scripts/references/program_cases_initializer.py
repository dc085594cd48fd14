"""Initializers of `paddle.nn.initializer`, in static mode."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

Case = Callable[[Any], Any]


def parameter(make: Any, *shape: int, dtype: str = "float32") -> Case:
    """A parameter with an initializer, whose values are fetched."""

    def case(paddle: Any) -> Any:
        init = make(paddle.nn.initializer)
        made = paddle.create_parameter(list(shape), dtype, attr=paddle.ParamAttr(name="w", initializer=init))
        return {}, [made]

    return case


def default_parameters(paddle: Any) -> Any:
    """What parameters and biases get when nobody says anything."""
    return {}, [paddle.create_parameter([4, 5], "float32"), paddle.create_parameter([5], "float32", is_bias=True)]


def global_initializer(paddle: Any) -> Any:
    """set_global_initializer decides for those without an initializer of their own."""
    init = paddle.nn.initializer
    init.set_global_initializer(init.Constant(2.0), init.Constant(3.0))
    try:
        return {}, [paddle.create_parameter([2, 3], "float32"), paddle.create_parameter([3], "float32", is_bias=True)]
    finally:
        init.set_global_initializer(None)


def gains(paddle: Any) -> Any:
    """calculate_gain, as values of constants."""
    init = paddle.nn.initializer
    names = [("sigmoid",), ("linear",), ("conv2d",), ("tanh",), ("relu",), ("selu",), ("leaky_relu", 0.3), ("leaky_relu",)]
    values = [init.calculate_gain(*name) for name in names]
    return {}, [paddle.create_parameter([1], "float32", default_initializer=init.Constant(v)) for v in values]


CASES: dict[str, Case] = {
    "constant": parameter(lambda i: i.Constant(1.5), 2, 3),
    "normal": parameter(lambda i: i.Normal(0.5, 2.0), 4, 5),
    "truncated_normal": parameter(lambda i: i.TruncatedNormal(0.5, 2.0), 4, 5),
    "uniform": parameter(lambda i: i.Uniform(-2.0, 3.0), 4, 5),
    "xavier_normal": parameter(lambda i: i.XavierNormal(), 4, 5),
    "xavier_normal_fan": parameter(lambda i: i.XavierNormal(fan_in=3, fan_out=6), 4, 5),
    "xavier_uniform": parameter(lambda i: i.XavierUniform(), 4, 5, 3, 3),
    "kaiming_normal": parameter(lambda i: i.KaimingNormal(), 4, 5),
    "kaiming_normal_leaky": parameter(lambda i: i.KaimingNormal(nonlinearity="leaky_relu", negative_slope=0.2), 4, 5),
    "kaiming_uniform": parameter(lambda i: i.KaimingUniform(), 4, 5, 3),
    "kaiming_uniform_fan": parameter(lambda i: i.KaimingUniform(fan_in=10), 4, 5),
    "assign": parameter(lambda i: i.Assign(np.arange(6, dtype="float32").reshape(2, 3)), 2, 3),
    "assign_list": parameter(lambda i: i.Assign([1.0, 2.5]), 2),
    "assign_int": parameter(lambda i: i.Assign(np.arange(6, dtype="int32").reshape(2, 3)), 2, 3, dtype="int32"),
    "bilinear": parameter(lambda i: i.Bilinear(), 2, 1, 4, 4),
    "dirac": parameter(lambda i: i.Dirac(), 4, 3, 3),
    "dirac_2d": parameter(lambda i: i.Dirac(groups=2), 4, 2, 3, 3),
    "orthogonal": parameter(lambda i: i.Orthogonal(), 4, 3),
    "orthogonal_wide": parameter(lambda i: i.Orthogonal(gain=2.0), 2, 3, 2),
    "default_parameters": default_parameters,
    "global_initializer": global_initializer,
    "gains": gains,
}
