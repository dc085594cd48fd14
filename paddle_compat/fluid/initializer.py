"""`paddle.fluid.initializer`: how parameters start, as Paddle 1.8 does it.

Each initializer puts one operator in front of the block it is given (the startup program's). Random ones take their own
seed, else the program's `random_seed`; with equal seeds, parameters of equal shape are equal, as in the real 1.8.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core import param_attr, unique_name
from paddle_compat.core.dtype import VarType, dtype_name
from paddle_compat.core.errors import failed_assertion, need_given
from paddle_compat.core.program import Block
from paddle_compat.core.tensor import Tensor
from paddle_compat.nn.initializer.base import calculate_gain
from paddle_compat.nn.initializer.fixed import bilinear


class Initializer:
    """Base of all initializers: called with a variable and a block, appends the operator that fills the variable."""

    _init_ = True

    def __call__(self, var: Any, block: Any) -> Any:
        """Append the operator that fills `var` to `block`."""
        raise TypeError(
            f"Invalid initializer. Expected a subclass of Initializer that defines __call__. Received: {type(self).__name__}"
        )

    def _compute_fans(self, var: Any) -> tuple[int, int]:
        shape = var.shape
        if not shape:
            return 1, 1
        if len(shape) == 1:
            return shape[0], shape[0]
        if len(shape) == 2:
            return shape[0], shape[1]
        receptive = int(np.prod(shape[2:]))
        return shape[1] * receptive, shape[0] * receptive

    _wide: str = ""  # the first part of the name of the float32 variable behind a half-precision one

    def _prepend(self, block: Any, type: str, var: Any, attrs: dict[str, Any], inputs: Any = None) -> Any:
        if not isinstance(block, Block):
            raise failed_assertion("block", "a Block", block, f"{self.__class__.__name__}")
        out = _widened(block, var, self._wide)
        op = block._prepend_op(
            type=type,
            inputs=inputs,
            outputs={"Out": [out]},
            attrs={"shape": list(var.shape), "dtype": int(out.dtype), **attrs},
        )
        _narrow(block, out, var)
        var.op = op
        return op


def _of_second_age(var: Any) -> bool:
    """Whether a layer of `paddle.nn` has it, as in scripts of 2.0 to 2.4."""
    if not isinstance(var, Tensor):
        return False
    from paddle_compat.fluid.dygraph._varbase import VarBase

    return not issubclass(type(var), VarBase)


def _widened(block: Any, var: Any, prefix: str) -> Any:
    """The variable to fill: a new float32 one for one of half precision."""
    if var.dtype != VarType.FP16:
        return var
    name = unique_name.generate(".".join([prefix, var.name, "tmp"]))
    return block._add_var(name=name, shape=var.shape, dtype=VarType.FP32, type=VarType.LOD_TENSOR, persistable=False)


def _narrow(block: Any, out: Any, var: Any) -> None:
    if out is not var:
        casts = {"in_dtype": int(out.dtype), "out_dtype": int(var.dtype)}
        block.append_op(type="cast", inputs={"X": out}, outputs={"Out": var}, attrs=casts)


class ConstantInitializer(Initializer):
    """Every element has one value.

    Args:
        value: the value.
        force_cpu: kept; the executor's place decides.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.initializer.ConstantInitializer(2.0)._value
        2.0

    Follows Paddle 1.8.
    """

    _wide = "constant_init"

    def __init__(self, value: float = 0.0, force_cpu: bool = False) -> None:
        need_given("ConstantInitializer", value=value)
        self._value = value
        self._force_cpu = force_cpu

    def __call__(self, var: Any, block: Any) -> Any:
        """Fill with the value."""
        return self._prepend(block, "fill_constant", var, {"value": float(self._value), "force_cpu": self._force_cpu})


class _Random(Initializer):
    """An initializer with a seed."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def _draw(self, block: Any, type: str, var: Any, attrs: dict[str, Any]) -> Any:
        if self._seed == 0:
            self._seed = block.program.random_seed
        inputs: Any = {} if type == "uniform_random" else None
        engine = {} if _of_second_age(var) else {"_engine": "minstd"}  # for which `paddle.seed` counts
        return self._prepend(block, type, var, {**attrs, "seed": self._seed, **engine}, inputs)


class UniformInitializer(_Random):
    """Uniform on [low, high).

    Args:
        low, high: bounds.
        seed: 0 takes the program's.
        diag_num, diag_step, diag_val: how many diagonal elements, how far apart, get which value.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     w = fluid.layers.create_parameter([2], "float32", default_initializer=fluid.initializer.Uniform(-0.5, 0.5))
        ...     op = fluid.default_startup_program().global_block().ops[-1]
        >>> op.type, op.attr("min"), op.attr("max")
        ('uniform_random', -0.5, 0.5)

    Follows Paddle 1.8.
    """

    _wide = "uniform_random"

    def __init__(
        self,
        low: float = -1.0,
        high: float = 1.0,
        seed: int = 0,
        diag_num: int = 0,
        diag_step: int = 0,
        diag_val: float = 1.0,
    ) -> None:
        need_given("UniformInitializer", low=low, high=high, seed=seed, diag_num=diag_num, diag_step=diag_step, diag_val=diag_val)
        if high < low:
            raise failed_assertion("high", f"at least low, {low}", high, "UniformInitializer")
        super().__init__(seed)
        self._low, self._high = low, high
        self._diag = {"diag_num": diag_num, "diag_step": diag_step, "diag_val": diag_val}

    def __call__(self, var: Any, block: Any) -> Any:
        """Fill with uniform numbers."""
        return self._draw(
            block, "uniform_random", var, {"min": float(self._low), "max": float(self._high), **self._diag}
        )


class NormalInitializer(_Random):
    """Normal distribution.

    Args:
        loc, scale: mean and standard deviation.
        seed: 0 takes the program's.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     w = fluid.layers.create_parameter([2], "float32", default_initializer=fluid.initializer.Normal(0.0, 0.5))
        ...     op = fluid.default_startup_program().global_block().ops[-1]
        >>> op.type, op.attr("mean"), op.attr("std")
        ('gaussian_random', 0.0, 0.5)

    Follows Paddle 1.8.
    """

    _type = _wide = "gaussian_random"

    def __init__(self, loc: float = 0.0, scale: float = 1.0, seed: int = 0) -> None:
        need_given(type(self).__name__, loc=loc, scale=scale, seed=seed)
        super().__init__(seed)
        self._mean, self._std_dev = loc, scale

    def __call__(self, var: Any, block: Any) -> Any:
        """Fill with normal numbers."""
        return self._draw(block, self._type, var, {"mean": float(self._mean), "std": float(self._std_dev)})


class TruncatedNormalInitializer(NormalInitializer):
    """Normal distribution cut off at two standard deviations.

    Args:
        loc, scale: mean and standard deviation.
        seed: 0 takes the program's.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     start = fluid.initializer.TruncatedNormal(0.0, 0.5)
        ...     w = fluid.layers.create_parameter([2], "float32", default_initializer=start)
        ...     op = fluid.default_startup_program().global_block().ops[-1]
        >>> op.type, op.attr("std")
        ('truncated_gaussian_random', 0.5)

    Follows Paddle 1.8.
    """

    _type = _wide = "truncated_gaussian_random"


class XavierInitializer(_Random):
    """Glorot's: variance 2 / (fan_in + fan_out).

    Args:
        uniform: uniform distribution, else normal.
        fan_in, fan_out: None takes them from the variable's shape.
        seed: 0 takes the program's.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     w = fluid.layers.create_parameter([3, 3], "float32", default_initializer=fluid.initializer.Xavier())
        ...     op = fluid.default_startup_program().global_block().ops[-1]
        >>> op.type, op.attr("max")
        ('uniform_random', 1.0)

    Follows Paddle 1.8.
    """

    _wide = "xavier_init"

    def __init__(
        self, uniform: bool = True, fan_in: float | None = None, fan_out: float | None = None, seed: int = 0
    ) -> None:
        need_given("XavierInitializer", uniform=uniform, seed=seed)
        super().__init__(seed)
        self._uniform, self._fan_in, self._fan_out = uniform, fan_in, fan_out

    def __call__(self, var: Any, block: Any) -> Any:
        """Fill with random numbers of that variance."""
        f_in, f_out = self._compute_fans(var)
        total = float(
            (f_in if self._fan_in is None else self._fan_in) + (f_out if self._fan_out is None else self._fan_out)
        )
        return _spread(self, block, var, total / 2, self._uniform)


class MSRAInitializer(_Random):
    """He's: variance 2 / fan_in.

    Args:
        uniform: uniform distribution, else normal.
        fan_in: None takes it from the variable's shape.
        seed: 0 takes the program's.
        negative_slope, nonlinearity: what follows the layer, as `calculate_gain` of Paddle 2 takes it.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     w = fluid.layers.create_parameter([6, 2], "float32", default_initializer=fluid.initializer.MSRA())
        ...     op = fluid.default_startup_program().global_block().ops[-1]
        >>> op.type, op.attr("max")
        ('uniform_random', 1.0)

    Follows Paddle 1.8.
    """

    _wide = "masra_init"

    def __init__(
        self, uniform: bool = True, fan_in: float | None = None, seed: int = 0, negative_slope: float = 0, nonlinearity: str = "relu"
    ) -> None:
        need_given("MSRAInitializer", uniform=uniform, seed=seed)
        super().__init__(seed)
        self._variance = 2.0 if nonlinearity == "relu" else calculate_gain(nonlinearity, negative_slope) ** 2
        self._uniform, self._fan_in = uniform, fan_in

    def __call__(self, var: Any, block: Any) -> Any:
        """Fill with random numbers of that variance."""
        fan_in = self._compute_fans(var)[0] if self._fan_in is None else self._fan_in
        return _spread(self, block, var, float(fan_in), self._uniform, self._variance)


def _spread(init: _Random, block: Any, var: Any, fan: float, uniform: bool, share: float = 1.0) -> Any:
    """Random numbers of variance share / fan."""
    variance = share / fan
    if uniform:
        limit = math.sqrt(3.0 * variance)
        return init._draw(block, "uniform_random", var, {"min": -limit, "max": limit})
    return init._draw(block, "gaussian_random", var, {"mean": 0.0, "std": math.sqrt(variance)})


class BilinearInitializer(Initializer):
    """The weights that make a transposed convolution an up-sampling.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> main, startup = fluid.Program(), fluid.Program()
        >>> with fluid.program_guard(main, startup):
        ...     w = fluid.layers.create_parameter([1, 1, 4, 4], "float32", default_initializer=fluid.initializer.Bilinear())
        >>> fluid.Executor(fluid.CPUPlace()).run(startup, fetch_list=[w.name])[0][0, 0, 0].tolist()
        [0.0625, 0.28125, 0.375, 0.15625]

    Follows Paddle 1.8.
    """

    def __call__(self, var: Any, block: Any) -> Any:
        """Fill with interpolation weights."""
        shape = var.shape
        if len(shape) != 4 or shape[2] != shape[3]:
            raise ValueError(f"Invalid variable for `Bilinear`. Expected shape [C, M, K, K]. Received: {list(shape)}")
        return _assign(block, block.append_op, var, bilinear(shape).astype("float32"), "bilinear_init")


class NumpyArrayInitializer(Initializer):
    """The values of an array.

    Args:
        value: a numpy array of the variable's shape.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> main, startup = fluid.Program(), fluid.Program()
        >>> with fluid.program_guard(main, startup):
        ...     start = fluid.initializer.NumpyArrayInitializer(np.array([1.0, 2.0], "float32"))
        ...     w = fluid.layers.create_parameter([2], "float32", default_initializer=start)
        >>> fluid.Executor(fluid.CPUPlace()).run(startup, fetch_list=[w.name])[0].tolist()
        [1.0, 2.0]

    Follows Paddle 1.8.
    """

    def __init__(self, value: np.ndarray) -> None:
        if not isinstance(value, np.ndarray):
            raise failed_assertion("value", "numpy.ndarray", value, "NumpyArrayInitializer")
        self._value = value

    def __call__(self, var: Any, block: Any) -> Any:
        """Fill with the array's values."""
        return _assign(block, block._prepend_op, var, self._value, "numpy_array_init")


def _assign(block: Any, append: Any, var: Any, value: np.ndarray, wide: str) -> Any:
    out = _widened(block, var, wide)
    slot = {
        VarType.FP32: "fp32_values",
        VarType.INT32: "int32_values",
        VarType.INT64: "int64_values",
        VarType.BOOL: "bool_values",
    }.get(out.dtype)
    if slot is None:
        raise ValueError(
            f"Invalid data type for an initializer from an array. Expected float32, int32, int64 or bool. Received: {dtype_name(var.dtype)}"
        )
    values = value.astype(dtype_name(out.dtype)).reshape(-1).tolist()
    op = append(
        type="assign_value",
        outputs={"Out": [out]},
        attrs={"shape": list(value.shape), "dtype": int(out.dtype), slot: values},
    )
    _narrow(block, out, var)
    var.op = op
    return op


def _default_weight() -> Initializer:
    return XavierInitializer()


def _default_bias() -> Initializer:
    return ConstantInitializer(0.0)


Constant = ConstantInitializer
Uniform = UniformInitializer
Normal = NormalInitializer
TruncatedNormal = TruncatedNormalInitializer
Xavier = XavierInitializer
Bilinear = BilinearInitializer
MSRA = MSRAInitializer

__all__ = [
    "Bilinear", "BilinearInitializer", "Constant", "ConstantInitializer", "MSRA", "MSRAInitializer", "Normal", "NormalInitializer",
    "NumpyArrayInitializer", "TruncatedNormal", "TruncatedNormalInitializer", "Uniform", "UniformInitializer", "Xavier",
    "XavierInitializer",
]  # fmt: skip


def _global_weight_initializer() -> Any:
    return param_attr.global_initializers[0]


def _global_bias_initializer() -> Any:
    return param_attr.global_initializers[1]


__getattr__ = missing(__name__)
