"""The initializers that Paddle 2.6 calls by the names and arguments of 1.8: seeds of their own, normal or even by a switch."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.tensor import Tensor
from paddle_compat.nn.initializer.base import fill, seed_of
from paddle_compat.nn.initializer.fixed import Assign, Constant
from paddle_compat.nn.initializer.random import KaimingNormal, Normal, TruncatedNormal, Uniform, XavierNormal


class ConstantInitializer(Constant):
    """One value everywhere."""

    def __init__(self, value: float = 0.0, force_cpu: bool = False) -> None:
        super().__init__(value)
        self._force_cpu = force_cpu


class NumpyArrayInitializer(Assign):
    """The values of an array."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)


class NormalInitializer(Normal):
    """Normally distributed numbers."""

    def __init__(self, loc: float = 0.0, scale: float = 1.0, seed: int = 0) -> None:
        super().__init__(loc, scale)
        self._seed = seed


class TruncatedNormalInitializer(TruncatedNormal):
    """Normally distributed numbers between two bounds; None: two standard deviations from the mean."""

    def __init__(self, loc: float = 0.0, scale: float = 1.0, seed: int = 0, a: float | None = None, b: float | None = None) -> None:
        super().__init__(loc, scale, a=a, b=b)
        self._seed = seed


class UniformInitializer(Uniform):
    """Evenly distributed numbers, with `diag_num` places of a diagonal set to `diag_val`."""

    def __init__(
        self, low: float = -1.0, high: float = 1.0, seed: int = 0, diag_num: int = 0, diag_step: int = 0, diag_val: float = 1.0
    ) -> None:
        super().__init__(low, high)
        if diag_num < 0 or diag_step < 0:
            raise failed_assertion("diag_num, diag_step", "0 or more", (diag_num, diag_step), "UniformInitializer")
        self._seed, self._diag = seed, {"diag_num": diag_num, "diag_step": diag_step, "diag_val": diag_val}

    def forward(self, var: Any, block: Any = None) -> Any:
        """Fill `var`."""
        diagonal = {} if isinstance(var, Tensor) else self._diag  # the wheel passes over it in eager mode
        attrs = {"min": float(self._low), "max": float(self._high), "seed": seed_of(self, var, block), **diagonal}
        return fill(var, block, "uniform_random", attrs, "uniform_random")


class XavierInitializer(XavierNormal):
    """Glorot's: variance 2 / (fan_in + fan_out)."""

    def __init__(
        self, uniform: bool = True, fan_in: float | None = None, fan_out: float | None = None, seed: int = 0, gain: float = 1.0
    ) -> None:
        super().__init__(fan_in, fan_out, gain=gain)
        self._uniform, self._seed = uniform, seed


class MSRAInitializer(KaimingNormal):
    """He's: variance gain^2 / fan_in."""

    def __init__(
        self,
        uniform: bool = True,
        fan_in: float | None = None,
        seed: int = 0,
        negative_slope: float = 0.0,
        nonlinearity: str = "relu",
        mode: str = "fan_in",
    ) -> None:
        super().__init__(fan_in, negative_slope, nonlinearity, mode=mode)
        self._uniform, self._seed = uniform, seed


__all__: list[str] = []

__getattr__ = missing(__name__)
