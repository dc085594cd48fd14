"""`paddle.nn.quant.lsq`: rounding to steps whose size is learnt (LSQ and LSQ+)."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.autograd import PyLayer
from paddle_compat.core import unique_name
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.nn.quant._running import held


def round(x: Any) -> Any:
    """The nearest whole numbers; halves go away from zero."""
    return T.sign(x) * T.floor(T.abs(x) + 0.5)


def _rows(x: Any, alpha: Any, per_channel: bool) -> tuple[Any, Any]:
    """The values and the sizes of steps that go with them: each channel's is for as many neighbouring values, whatever dimension it is."""
    if not per_channel:
        return x, alpha
    return T.reshape(x, [alpha.shape[0], -1]), T.reshape(alpha, [-1, 1])


class _Counted:
    """Which values lie below the first step, beyond the last, and between, and what a step's size has to do with each."""

    def __init__(self, steps: Any, least: int, most: int) -> None:
        self.below = T.cast(steps < least, steps.dtype)
        self.beyond = T.cast(steps > most, steps.dtype)
        self.between = 1.0 - self.below - self.beyond
        self.share = self.below * least + self.beyond * most + self.between * (round(steps) - steps)


class LsqFunc(PyLayer):
    """Rounds a weight to steps of the size alpha, which gets a gradient."""

    @staticmethod
    def forward(
        ctx: Any, weight: Any, alpha: Any, g: float, Qn: int, Qp: int, per_channel: bool = False, quant_axis: int = 0
    ) -> Any:
        """The weight at the nearest of the steps from Qn to Qp."""
        ctx.save_for_backward(weight, alpha)
        ctx.rest = g, Qn, Qp, per_channel
        rows, size = _rows(weight, alpha, per_channel)
        return T.reshape(round(T.clip(rows / size, Qn, Qp)) * size, weight.shape)

    @staticmethod
    def backward(ctx: Any, grad_weight: Any) -> Any:
        """Straight through where the weight lies between the steps; alpha's is scaled by g."""
        weight, alpha = ctx.saved_tensor()
        g, least, most, per_channel = ctx.rest
        rows, size = _rows(weight, alpha, per_channel)
        grad = T.reshape(grad_weight, rows.shape)
        counted = _Counted(rows / size, least, most)
        shares = counted.share * grad * g
        grad_alpha = T.sum(shares, axis=1) if per_channel else T.reshape(T.sum(shares), alpha.shape)
        return T.reshape(counted.between * grad, weight.shape), grad_alpha


class LsqPlusActFunc(PyLayer):
    """Rounds an activation to steps of the size alpha that begin at beta; both get gradients."""

    @staticmethod
    def forward(ctx: Any, x: Any, alpha: Any, beta: Any, g: float, Qn: int, Qp: int) -> Any:
        """x at the nearest of the steps from Qn to Qp."""
        ctx.save_for_backward(x, alpha, beta)
        ctx.rest = g, Qn, Qp
        return round(T.clip((x - beta) / alpha, Qn, Qp)) * alpha + beta

    @staticmethod
    def backward(ctx: Any, grad_x: Any) -> Any:
        """Straight through where x lies between the steps; those of alpha and beta are scaled by g."""
        x, alpha, beta = ctx.saved_tensor()
        g, least, most = ctx.rest
        counted = _Counted((x - beta) / alpha, least, most)
        grad_alpha = T.reshape(T.sum(counted.share * grad_x * g), alpha.shape)
        grad_beta = T.reshape(T.sum((counted.below + counted.beyond) * grad_x * g), beta.shape)
        return counted.between * grad_x, grad_alpha, grad_beta


def _ends(bits: int, all_positive: bool) -> tuple[int, int]:
    return (0, 2**bits - 1) if all_positive else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


class FakeQuantActLSQPlus(Layer):
    """Rounds activations to steps whose size, and whose beginning unless they are symmetric, are learnt.

    Args:
        quant_bits (int): how many bits tell the steps apart.
        all_postive (bool): there are no steps below the beginning.
        symmetric (bool): the steps begin at 0.
        batch_init (int): for how many batches size and beginning follow what comes in.
        dtype (str): not used.
        name (str): beginning of the names of what is kept.
        reduce_type (str): not used.
    """

    def __init__(
        self, quant_bits: int, all_postive: bool = False, symmetric: bool = False, batch_init: int = 20, dtype: Any = "float32",
        name: str | None = None, reduce_type: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.bits, self.all_positive, self.symmetric, self.batch_init = quant_bits, all_postive, symmetric, batch_init
        self.name, self.reduce_type = name, reduce_type
        self.Qn, self.Qp = _ends(quant_bits, all_postive)
        self._scale_name = unique_name.generate(f"{name or 'quant_dequant'}.scale")
        self.s = held(self, 1.0, self._scale_name, [], "float32", trainable=True)
        if not symmetric:
            self._beta_name = unique_name.generate(f"{name or 'quant_dequant'}.beta")
            self.beta = held(self, 0.0, self._beta_name, [], "float32", trainable=True)
        self.init_state = 0

    def forward(self, activation: Any) -> Any:
        """The activation at the nearest of the steps."""
        if self.init_state < self.batch_init:
            self._begin(activation.detach())
        self.init_state += 1
        activation.stop_gradient = False
        g = 1.0 / math.sqrt(activation.numel() * self.Qp)
        if self.symmetric:
            return LsqFunc.apply(activation, self.s, g, self.Qn, self.Qp)
        return LsqPlusActFunc.apply(activation, self.s, self.beta, g, self.Qn, self.Qp)

    def _begin(self, x: Any) -> None:
        """Follow what comes in; after the first batch the beginning is averaged with the size, as in Paddle."""
        least, most = T.min(x), T.max(x)
        size = (most - least) / (self.Qp - self.Qn)
        self.s.set_value(size if self.init_state == 0 else self.s * 0.9 + size * 0.1)
        if not self.symmetric:
            beginning = least - self.s * self.Qn
            self.beta.set_value(beginning if self.init_state == 0 else self.s * 0.9 + beginning * 0.1)


class FakeQuantWeightLSQPlus(Layer):
    """Rounds a weight to steps whose size is learnt.

    Args:
        quant_bits (int): how many bits tell the steps apart.
        all_postive (bool): there are no steps below 0.
        per_channel (bool): a size for each channel.
        batch_init (int): for how many batches the size follows the weight.
        channel_num (int): how many channels there are.
        quant_linear (bool): channels are the second dimension, as those of a `Linear`.
        dtype (str): not used.
        name (str): beginning of the name of what is kept.
        reduce_type (str): not used.
    """

    def __init__(
        self, quant_bits: int, all_postive: bool = False, per_channel: bool = False, batch_init: int = 20, channel_num: int | None = None,
        quant_linear: bool = False, dtype: Any = "float32", name: str | None = None, reduce_type: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.bits, self.all_positive, self.per_channel, self.quant_linear = quant_bits, all_postive, per_channel, quant_linear
        self.batch_init, self.name, self.reduce_type = batch_init, name, reduce_type
        self.quant_axis, self.collect_axis = (1, 0) if quant_linear else (0, 1)
        self.Qn, self.Qp = _ends(quant_bits, all_postive)
        self.init_state = 0
        self._scale_name = unique_name.generate(f"{name or 'quant_dequant'}.scale")
        self.s = held(self, 1.0, self._scale_name, [channel_num], "float32", trainable=True)  # type: ignore[list-item]

    def forward(self, weight: Any) -> Any:
        """The weight at the nearest of the steps."""
        if self.init_state < self.batch_init:
            self._begin(weight.detach())
        if self.init_state <= self.batch_init:
            self.init_state += 1
        weight.stop_gradient = False
        g = 1.0 / math.sqrt(weight.numel() * self.Qp)
        return LsqFunc.apply(weight, self.s, g, self.Qn, self.Qp, self.per_channel, self.quant_axis)

    def _begin(self, weight: Any) -> None:
        """Let the steps reach three deviations from the mean; after the first batch a step's size is nearly that reach, as in Paddle."""
        self.div = 2**self.bits - 1
        rows = weight
        if self.per_channel:
            rows = T.reshape(weight if not self.quant_linear else T.transpose(weight, [1, 0]), [weight.shape[self.quant_axis], -1])
        axis = 1 if self.per_channel else None
        mean, deviation = T.mean(rows, axis=axis), T.std(rows, axis=axis)
        reach = T.reshape(T.maximum(T.abs(mean - 3 * deviation), T.abs(mean + 3 * deviation)), self.s.shape)
        self.s.set_value(reach / self.div if self.init_state == 0 else reach * 0.9 + reach / self.div * 0.1)


__getattr__ = missing(__name__)
