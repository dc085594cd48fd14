"""What works on parameters beside their updates: averages, slow weights, recomputation (Paddle 1.8)."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat.core import mode, unique_name
from paddle_compat.core.errors import UnimplementedError
from paddle_compat.core.program import (
    Program,
    default_main_program,
    default_startup_program,
    name_scope,
    program_guard,
)
from paddle_compat.fluid import layers
from paddle_compat.fluid._optimizer_base import Optimizer
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.optimizer._recomputing import Recomputing
from paddle_compat.optimizer._updates import Accumulator, Pair
from paddle_compat.static.ema import ExponentialMovingAverage as _ExponentialMovingAverage
from paddle_compat.static.ema import Swapped, forget_shapes


class ModelAverage(Swapped, Optimizer):
    """The plain average of parameters over a sliding window of updates.

    Args:
        average_window_rate (float): length of the window, as a part of all updates so far.
        min_average_window (int), max_average_window (int): its bounds.
        regularization (regularizer|None), name (str|None): as of `Optimizer`.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> main, startup = fluid.Program(), fluid.Program()
        >>> start = fluid.initializer.Constant(1.0)
        >>> with fluid.program_guard(main, startup):
        ...     w = fluid.layers.create_parameter([1], "float32", default_initializer=start)
        ...     loss = fluid.layers.mean(w * fluid.data("x", [1]))
        ...     _ = fluid.optimizer.SGD(0.5).minimize(loss)
        ...     average = fluid.optimizer.ModelAverage(1.0, min_average_window=1, max_average_window=10)
        >>> exe = fluid.Executor(fluid.CPUPlace())
        >>> _ = exe.run(startup)
        >>> for _ in range(2):
        ...     _ = exe.run(main, feed={"x": np.ones(1, "float32")})
        >>> with average.apply(exe, need_restore=False):
        ...     w.get_value().numpy().tolist()  # the mean of 0.5 and 0
        [0.25]
        >>> average.restore(exe); w.get_value().numpy().tolist()
        [0.0]

    Follows Paddle 1.8.
    """

    type = "average_accumulates"
    _accumulator_table = tuple(
        Accumulator(name, "in_" + name, shape=(1,) if name.startswith(("num", "old")) else None)
        for name in ("sum_1", "sum_2", "sum_3", "num_accumulates", "old_num_accumulates", "num_updates")
    )

    def __init__(
        self,
        average_window_rate: float,
        min_average_window: int = 10000,
        max_average_window: int = 10000,
        regularization: Any = None,
        name: str | None = None,
    ) -> None:
        mode.need_static("ModelAverage")
        super().__init__(0.0, regularization=regularization, name=name)
        self.average_window = average_window_rate
        self.min_average_window = min_average_window
        self.max_average_window = max_average_window
        self.params_grads = []
        for param in default_main_program().global_block().all_parameters():
            if param.do_model_average is not False:
                backup = param.block._add_var(
                    name=unique_name.generate_with_ignorable_key(param.name + ".tmp"),
                    dtype=param.dtype,
                    persistable=False,
                    stop_gradient=True,
                )
                self.params_grads.append((param, backup))
        for param, backup in self.params_grads:
            with param.block.program._optimized_guard([param, backup]), name_scope("move_average"):
                self._append_average_accumulate_op(param)
        self.apply_program = Program()
        with program_guard(self.apply_program):
            for pair in self.params_grads:
                self._add_average_apply_op(self.apply_program.global_block(), pair)
        self.restore_program = Program()
        with program_guard(self.restore_program):
            block = self.restore_program.global_block()
            for param, backup in self.params_grads:
                own = block._clone_variable(param)
                layers.assign(input=block._clone_variable(backup), output=own)
        forget_shapes(self.restore_program, [param for param, _ in self.params_grads], 1)

    def _append_average_accumulate_op(self, param: Any) -> None:
        self.helper = LayerHelper("average_accumulate")
        inputs: dict[str, Any] = {"param": [param]}
        for row in self._accumulator_table:
            dtype = "int64" if row.shape else None
            inputs[row.slot] = [self._add_accumulator(row.name, param, dtype=dtype, shape=row.shape)]
        self.helper.append_op(
            type=self.type,
            inputs=inputs,
            outputs={"out" + slot[2:]: value for slot, value in inputs.items() if slot != "param"},
            attrs={
                "average_window": self.average_window,
                "min_average_window": self.min_average_window,
                "max_average_window": self.max_average_window,
            },
        )

    def _add_average_apply_op(self, block: Any, pair: Pair) -> None:
        param, backup = (block._clone_variable(v) for v in pair)
        sums = [block._clone_variable(self._get_accumulator(row.name, param)) for row in self._accumulator_table]
        layers.assign(input=param, output=backup)
        count = layers.sum(x=sums[3:5])
        total = layers.sum(x=sums[:3])
        dtype = "float32" if self._dtype is None else self._dtype
        count, total = layers.cast(x=count, dtype=dtype), layers.cast(x=total, dtype=dtype)
        LayerHelper("elementwise_div").append_op(type="elementwise_div", inputs={"X": [total], "Y": [count]}, outputs={"Out": [param]})


class ExponentialMovingAverage(_ExponentialMovingAverage):
    """Averages of all parameters, in which older values fade: average = decay * average + (1 - decay) * parameter.

    Args:
        decay (float): how much of the average stays at each `update`.
        thres_steps (Variable|None): a step counter; the decay is then at most (steps + 1) / (steps + 10).
        name (str|None): stands in the names of the averages.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> main, startup = fluid.Program(), fluid.Program()
        >>> start = fluid.initializer.Constant(1.0)
        >>> with fluid.program_guard(main, startup):
        ...     w = fluid.layers.create_parameter([1], "float32", default_initializer=start)
        ...     loss = fluid.layers.mean(w * fluid.data("x", [1]))
        ...     _ = fluid.optimizer.SGD(0.5).minimize(loss)
        ...     ema = fluid.optimizer.ExponentialMovingAverage(0.5)
        ...     ema.update()
        >>> exe = fluid.Executor(fluid.CPUPlace())
        >>> _ = exe.run(startup)
        >>> for _ in range(2):
        ...     _ = exe.run(main, feed={"x": np.ones(1, "float32")})
        >>> with ema.apply(exe):
        ...     round(float(w.get_value().numpy()[0]), 4)
        0.1667

    Follows Paddle 1.8.
    """

    _age = 1

    def __init__(self, decay: float = 0.999, thres_steps: Any = None, name: str | None = None) -> None:
        mode.need_static("ExponentialMovingAverage")
        super().__init__(decay, thres_steps, name)

    def _assign(self, value: Any, out: Any) -> None:
        layers.assign(input=value, output=out)

    def _cast(self, value: Any) -> Any:
        return layers.cast(value, "float32")

    def _power(self, base: Any, exponent: Any) -> Any:
        return layers.elementwise_pow(base, exponent)

    def _corrected(self, ema: Any, decay_pow: Any, step: Any) -> Any:
        with layers.Switch() as switch, switch.case(step > 0):
            layers.assign(output=ema, input=ema / (1.0 - decay_pow))
        return ema

    def _limit_decay(self, decay_var: Any, limit: Any) -> None:
        with layers.Switch() as switch:
            with switch.case(limit < self._decay):
                layers.assign(limit, decay_var)
            with switch.default():
                layers.assign(np.array([self._decay], np.float32), decay_var)


class LookaheadOptimizer:
    """Another optimizer's steps, and slow weights that follow every `k` steps; the parameters go on from there.

    Args:
        inner_optimizer (Optimizer): makes the steps.
        alpha (float): how far the slow weights follow.
        k (int): steps between.
    Raises:
        AssertionError: an argument is out of range.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 4]), 1, bias_attr=False))
        ...     ahead = fluid.optimizer.LookaheadOptimizer(fluid.optimizer.SGD(0.1), alpha=0.5, k=5)
        ...     _ = ahead.minimize(loss)
        >>> [var for var in loss.block.vars if "SLOW" in var.upper()]
        ['fc_0.w_0@SLOW']

    Follows Paddle 1.8.
    """

    def __init__(self, inner_optimizer: Any, alpha: float = 0.5, k: int = 5) -> None:
        mode.need_static("LookaheadOptimizer")
        if inner_optimizer is None:
            raise AssertionError("Invalid value for argument `inner_optimizer`. Expected an optimizer. Received: None")
        if not 0.0 <= alpha <= 1.0:
            raise AssertionError(f"Invalid value for argument `alpha`. Expected a number from 0 to 1. Received: {alpha}")
        if not (isinstance(k, int) and k > 0):
            raise AssertionError(f"Invalid value for argument `k`. Expected a positive int. Received: {k!r}")
        self.inner_optimizer = inner_optimizer
        self.alpha = alpha
        self.k = k
        self.type = "lookahead"

    def minimize(self, loss: Any, startup_program: Program | None = None) -> tuple[Any, list[Pair]]:
        """As of `Optimizer`.

        Args:
            loss (Variable): what is minimised.
            startup_program (Program|None): None for the default one.
        Returns:
            tuple: what the inner optimizer's `minimize` returns.
        """
        out: tuple[Any, list[Pair]] = self.inner_optimizer.minimize(loss, startup_program=startup_program)
        startup = (default_startup_program() if startup_program is None else startup_program).global_block()
        block = loss.block
        fast = {param.name: param for param in block.all_parameters()}
        slow = {name: self._slow(block, var) for name, var in fast.items()}
        for name in fast:
            copy = self._slow(startup, startup.var(name))
            startup.append_op(type="assign", inputs={"X": [startup.var(name)]}, outputs={"Out": [copy]})
        k = layers.create_global_var([1], self.k, "int32", persistable=True, name="lookahead_k")
        alpha = layers.create_global_var([1], float(self.alpha), "float32", persistable=True, name="lookahead_alpha")
        step = layers.create_global_var([1], 0, "int32", persistable=True, name="lookahead_step")
        layers.increment(x=step, value=1.0, in_place=True)
        zero = layers.fill_constant(shape=[1], dtype="float32", value=0.0)
        one = layers.fill_constant(shape=[1], dtype="float32", value=1.0)
        since = layers.elementwise_mod(step, k)
        with layers.Switch() as switch:
            with switch.case(since == zero):
                for name, own in fast.items():
                    near = layers.elementwise_mul(own, alpha)
                    far = layers.elementwise_mul(slow[name], layers.elementwise_sub(one, alpha))
                    mixed = layers.elementwise_add(near, far)
                    layers.assign(input=mixed, output=slow[name])
                    layers.assign(input=mixed, output=own)
            with switch.default():
                pass
        return out

    def _slow(self, block: Any, var: Any) -> Any:
        return block._add_var(name=var.name + "@SLOW", shape=var.shape, dtype=var.dtype, persistable=True)


class RecomputeOptimizer(Recomputing, Optimizer):
    """Another optimizer, whose backward pass computes what lies between checkpoints again, which saves memory.

    Args:
        optimizer (Optimizer): makes the steps.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     hidden = fluid.layers.fc(fluid.data("x", [None, 4]), 8)
        ...     loss = fluid.layers.mean(fluid.layers.fc(hidden, 1))
        ...     sgd = fluid.optimizer.RecomputeOptimizer(fluid.optimizer.SGD(0.1))
        ...     sgd._set_checkpoints([hidden])
        ...     ops, pairs = sgd.minimize(loss)
        >>> len(ops), len(pairs)
        (4, 4)

    Follows Paddle 1.8.
    """

    _api = "paddle.fluid.optimizer.RecomputeOptimizer"

    def __init__(self, optimizer: Any) -> None:
        mode.need_static("RecomputeOptimizer")
        super().__init__(optimizer)

    def load(self, stat_dict: Any) -> None:
        """Not there, as in Paddle.

        Args:
            stat_dict (dict): whatever it is.
        Raises:
            UnimplementedError: always, as in Paddle; a NotImplementedError.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> fluid.optimizer.RecomputeOptimizer(fluid.optimizer.SGD(0.1)).load({})
            Traceback (most recent call last):
            ...
            paddle_compat.core.errors.UnimplementedError: load function is not supported by Recompute Optimizer for now
        """
        raise UnimplementedError("load function is not supported by Recompute Optimizer for now")
