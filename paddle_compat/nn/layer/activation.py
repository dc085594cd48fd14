"""Activation layers."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.nn.functional.activation import prelu, rrelu
from paddle_compat.nn.functional.smooth import softmax
from paddle_compat.nn.layer._calls import REQUIRED, CallLayer, make, shown
from paddle_compat.nn.layer.layers import Layer

_VALUE = {"value": 0.0} if SINCE_3 else {}  # which has its place before the name there

# class: (function, settings, first line of the docstring, what it makes of [-2.0, 1.5])
_TABLE: dict[str, tuple[str, dict[str, Any], str, str]] = {
    "CELU": ("celu", {"alpha": 1.0}, "max(0, x) + min(0, alpha * (exp(x / alpha) - 1)).", "[-0.8647, 1.5]"),
    "ELU": ("elu", {"alpha": 1.0}, "x above 0, alpha * (exp(x) - 1) below.", "[-0.8647, 1.5]"),
    "GELU": ("gelu", {"approximate": False}, "x times the normal distribution function of x.", "[-0.0455, 1.3998]"),
    "GLU": ("glu", {"axis": -1}, "One half times the sigmoid of the other.", "[-1.6351]"),
    "Hardshrink": ("hardshrink", {"threshold": 0.5}, "0 within the threshold, x outside.", "[-2.0, 1.5]"),
    "Hardsigmoid": ("hardsigmoid", {}, "x / 6 + 0.5 between 0 and 1.", "[0.1667, 0.75]"),
    "Hardswish": ("hardswish", {}, "x times the hard sigmoid of x.", "[-0.3333, 1.125]"),
    "Hardtanh": ("hardtanh", {"min": -1.0, "max": 1.0}, "x between min and max.", "[-1.0, 1.0]"),
    "LeakyReLU": ("leaky_relu", {"negative_slope": 0.01}, "x above 0, a fraction of it below.", "[-0.02, 1.5]"),
    "LogSigmoid": ("log_sigmoid", {}, "The logarithm of the sigmoid.", "[-2.1269, -0.2014]"),
    "LogSoftmax": ("log_softmax", {"axis": -1}, "The logarithm of the softmax.", "[-3.5298, -0.0298]"),
    "Maxout": ("maxout", {"groups": REQUIRED, "axis": 1}, "The maximum within groups of channels.", "[[[[2.0]]]]"),
    "Mish": ("mish", {}, "x * tanh(softplus(x)).", "[-0.2525, 1.4034]"),
    "ReLU": ("relu", {}, "max(x, 0).", "[0.0, 1.5]"),
    "ReLU6": ("relu6", {}, "x between 0 and 6.", "[0.0, 1.5]"),
    "SELU": (
        "selu", {"scale": 1.0507009873554804934193349852946, "alpha": 1.6732632423543772848170429916717},
        "scale times x above 0, scaled alpha * (exp(x) - 1) below.", "[-1.5202, 1.5761]",
    ),
    "Sigmoid": ("sigmoid", {}, "1 / (1 + exp(-x)).", "[0.1192, 0.8176]"),
    "Silu": ("silu", {}, "x times its sigmoid.", "[-0.2384, 1.2264]"),
    "Softmax": ("softmax", {"axis": -1}, "exp(x), divided by its sum along an axis.", "[0.0293, 0.9707]"),
    "Softplus": ("softplus", {"beta": 1, "threshold": 20}, "A smooth max(x, 0).", "[0.1269, 1.7014]"),
    "Softshrink": ("softshrink", {"threshold": 0.5}, "x drawn towards 0 by the threshold.", "[-1.5, 1.0]"),
    "Softsign": ("softsign", {}, "x / (1 + |x|).", "[-0.6667, 0.6]"),
    "Swish": ("swish", {}, "x times its sigmoid.", "[-0.2384, 1.2264]"),
    "Tanh": ("tanh", {}, "The hyperbolic tangent.", "[-0.964, 0.9051]"),
    "Tanhshrink": ("tanhshrink", {}, "x - tanh(x).", "[-1.036, 0.5949]"),
    "ThresholdedReLU": ("thresholded_relu", {"threshold": 1.0, **_VALUE}, "x above the threshold, else 0.", "[0.0, 1.5]"),
}  # fmt: skip



class _SELU(CallLayer):
    """Prints its long constants with sixteen digits."""

    def extra_repr(self) -> str:
        """The settings."""
        return shown(scale=f"{self._settings['scale']:.16f}", alpha=f"{self._settings['alpha']:.16f}", name=self._name)


_FURTHER: dict[str, dict[str, Any]] = {"Silu": {"inplace": False}, "ThresholdedReLU": {} if SINCE_3 else {"value": 0.0}}
_SPELLINGS = {"GLU": {"dim": "axis"}, "Hardshrink": {"lambd": "threshold"}, "Softshrink": {"lambd": "threshold"}}

for _name, (_function, _settings, _what, _gives) in _TABLE.items():
    _call = f"[round(v, 4) for v in paddle.nn.{_name}()(paddle.to_tensor([-2.0, 1.5])).tolist()]"
    if _name == "Maxout":
        _call = "paddle.nn.Maxout(2)(paddle.to_tensor([[[[1.0]], [[2.0]]]])).tolist()"
    globals()[_name] = make(
        __name__, _name, _function, _settings, _what, (_call, _gives), _SELU if _name == "SELU" else CallLayer,
        further=_FURTHER.get(_name), spellings=_SPELLINGS.get(_name),
    )  # fmt: skip
SiLU: Any = globals()["Silu"]  # Paddle 3's name


class PReLU(Layer):
    """x above 0, a learned fraction of it below.

    Args:
        num_parameters: 1, or one for each channel.
        init: where the fractions start.
        weight_attr: ParamAttr of the fractions.
        data_format: where the channels are.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.PReLU()
        >>> layer(paddle.to_tensor([-1.0, 2.0])).tolist()
        [-0.25, 2.0]

    Follows Paddle 2.6.
    """

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, weight_attr: Any = None, data_format: str = "NCHW", name: str | None = None
    ) -> None:
        super().__init__()
        from paddle_compat.nn.initializer import Constant

        self._num_parameters, self._init, self._name, self._data_format = num_parameters, init, name, data_format
        self._weight_attr = weight_attr
        self._weight = self.create_parameter(shape=[num_parameters], attr=weight_attr, default_initializer=Constant(float(init)))

    def forward(self, x: Any) -> Any:
        """Apply it.

        Args:
            x: a tensor.
        Returns:
            A tensor like `x`.
        """
        return prelu(x, self._weight, data_format=self._data_format)

    def extra_repr(self) -> str:
        """The settings."""
        return shown(
            num_parameters=self._num_parameters, data_format=self._data_format, init=self._init, dtype=self._dtype, name=self._name
        )


class RReLU(Layer):
    """x above 0, a random fraction of it below (its mean in inference).

    Args:
        lower, upper: between which the fraction is drawn.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.RReLU(0.1, 0.3)
        >>> _ = layer.eval()
        >>> [round(v, 4) for v in layer(paddle.to_tensor([-1.0, 2.0])).tolist()]
        [-0.2, 2.0]

    Follows Paddle 2.6.
    """

    def __init__(self, lower: float = 1.0 / 8.0, upper: float = 1.0 / 3.0, name: str | None = None) -> None:
        super().__init__()
        self._lower, self._upper, self._name = lower, upper, name

    def forward(self, x: Any) -> Any:
        """Apply it.

        Args:
            x: a tensor.
        Returns:
            A tensor like `x`.
        """
        return rrelu(x, lower=self._lower, upper=self._upper, training=self.training)

    def extra_repr(self) -> str:
        """The settings."""
        return shown(lower=self._lower, upper=self._upper, training=self.training, dtype=self._dtype, name=self._name)


class Softmax2D(Layer):
    """Softmax over the channels of images.

    Args:
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.Softmax2D()
        >>> layer(paddle.ones([1, 2, 1, 1])).flatten().tolist()
        [0.5, 0.5]

    Follows Paddle 2.6.
    """

    def __init__(self, name: str | None = None) -> None:
        super().__init__()
        self._name = name

    def forward(self, x: Any) -> Any:
        """Apply it.

        Args:
            x: [N, C, H, W] or [C, H, W].
        Returns:
            A tensor like `x`.
        Raises:
            AssertionError: x has neither 3 nor 4 dimensions.
        """
        if len(x.shape) not in (3, 4):
            raise failed_assertion("x", "3 or 4 dimensions", list(x.shape), "Softmax2D")
        return softmax(x, axis=-3, name=self._name)

    def extra_repr(self) -> str:
        """The settings."""
        return shown(name=self._name)


__all__ = sorted([*_TABLE, "PReLU", "RReLU", "SiLU", "Softmax2D"])

__getattr__ = missing(__name__)
