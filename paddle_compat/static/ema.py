"""The exponential moving average of a Program's parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from paddle_compat.core import mode, unique_name
from paddle_compat.core.program import Program, default_main_program, name_scope, program_guard
from paddle_compat.optimizer._counter import step_counter
from paddle_compat.static import nn
from paddle_compat.static.variables import make_global_var


class Swapped:
    """Averages that one Program puts in the place of parameters, and another one takes back."""

    apply_program: Program
    restore_program: Program

    @contextmanager
    def apply(self, executor: Any, need_restore: bool = True) -> Iterator[None]:
        """Inside the block, the parameters are their averages.

        Args:
            executor (Executor): runs the exchange.
            need_restore (bool): put the parameters back afterwards.
        Returns:
            A context manager.
        """
        executor.run(self.apply_program)
        try:
            yield
        finally:
            if need_restore:
                self.restore(executor)

    def restore(self, executor: Any) -> None:
        """Put the parameters back.

        Args:
            executor (Executor): runs the exchange.
        """
        executor.run(self.restore_program)


class ExponentialMovingAverage(Swapped):
    """Averages of all parameters, in which older values fade: average = decay * average + (1 - decay) * parameter.

    Args:
        decay (float): how much of the average stays at each `update`.
        thres_steps (Variable|None): a step counter; the decay is then at most (steps + 1) / (steps + 10).
        name (str|None): stands in the names of the averages.
    Raises:
        Exception: in eager mode.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main, startup = paddle.static.Program(), paddle.static.Program()
        >>> with paddle.static.program_guard(main, startup):
        ...     w = paddle.static.create_parameter([1], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
        ...     loss = paddle.mean(w * paddle.static.data("x", [1]))
        ...     _ = paddle.optimizer.SGD(0.5).minimize(loss)
        ...     ema = paddle.static.ExponentialMovingAverage(0.5)
        ...     ema.update()
        >>> exe = paddle.static.Executor()
        >>> _ = exe.run(startup)
        >>> for _ in range(2):
        ...     _ = exe.run(main, feed={"x": np.ones(1, "float32")})
        >>> with ema.apply(exe, need_restore=False):
        ...     round(float(w.get_value().numpy()[0]), 4)
        0.1667
        >>> ema.restore(exe); w.get_value().numpy().tolist()
        [0.0]

    Follows Paddle 2.6.
    """

    _age = 2

    def __init__(self, decay: float = 0.999, thres_steps: Any = None, name: str | None = None) -> None:
        if mode.in_dygraph_mode():
            raise Exception("In dygraph, don't support ExponentialMovingAverage.")
        self._decay = decay
        self._thres_steps = thres_steps
        self._name = name if name is not None else ""
        self._decay_var = self._get_ema_decay()
        self._step_counter_name = "@EMA_STEP_COUNTER@"
        self._params_tmps = []
        for param in default_main_program().global_block().all_parameters():
            if param.do_model_average is not False:
                tmp = param.block._add_var(
                    name=unique_name.generate(f"{self._name}{param.name}.ema_tmp"),
                    dtype=param.dtype,
                    persistable=False,
                    stop_gradient=True,
                )
                self._params_tmps.append((param, tmp))
        self._ema_vars: dict[str, Any] = {}
        for param, tmp in self._params_tmps:
            with param.block.program._optimized_guard([param, tmp]), name_scope("moving_average"):
                ema_name = unique_name.generate(f"{self._name}{param.name}_ema")
                self._ema_vars[param.name] = make_global_var(self._age, param.shape, 0.0, param.dtype, True, False, ema_name)
        self.apply_program = Program()
        with program_guard(self.apply_program):
            block = self.apply_program.global_block()
            decay_pow, step = self._get_decay_pow(block)
            for param, tmp in self._params_tmps:
                own, kept = block._clone_variable(param), block._clone_variable(tmp)
                ema = block._clone_variable(self._ema_vars[param.name])
                self._assign(own, kept)
                self._assign(self._corrected(ema, decay_pow, step), own)
        self.restore_program = Program()
        with program_guard(self.restore_program):
            block = self.restore_program.global_block()
            for param, tmp in self._params_tmps:
                kept = block._clone_variable(tmp)
                self._assign(kept, block._clone_variable(param))
        forget_shapes(self.restore_program, [param for param, _ in self._params_tmps], self._age)

    # ---- in the words of Paddle 2.x
    def _assign(self, value: Any, out: Any) -> None:
        from paddle_compat import tensor

        tensor.assign(value, output=out)

    def _cast(self, value: Any) -> Any:
        from paddle_compat import tensor

        return tensor.cast(value, "float32")

    def _power(self, base: Any, exponent: Any) -> Any:
        from paddle_compat import tensor

        return tensor.pow(base, exponent)

    def _corrected(self, ema: Any, decay_pow: Any, step: Any) -> Any:
        """The average, corrected for the zeros that it started from."""
        return self._either(step > 0, lambda: ema / (1.0 - decay_pow), lambda: ema)

    def _limit_decay(self, decay_var: Any, limit: Any) -> None:
        self._assign(self._either(limit < self._decay, lambda: limit, lambda: np.array([self._decay], np.float32)), decay_var)

    def _either(self, condition: Any, first: Callable[[], Any], second: Callable[[], Any]) -> Any:
        return nn.cond(condition, first, second)

    # ---- the programs
    def _get_ema_decay(self) -> Any:
        with default_main_program()._lr_schedule_guard():
            name = "scheduled_ema_decay_rate"
            decay_var = make_global_var(self._age, [1], self._decay, "float32", True, False, name)
            if self._thres_steps is not None:
                self._limit_decay(decay_var, (self._thres_steps + 1.0) / (self._thres_steps + 10.0))
        return decay_var

    def _get_decay_pow(self, block: Any) -> tuple[Any, Any]:
        step = self._cast(make_global_var(self._age, [1], 0, "int64", True, False, self._step_counter_name))
        return self._power(block._clone_variable(self._decay_var), step), step

    def update(self) -> None:
        """Append the operators that update the averages; call it once, after `minimize`."""
        step_counter(self._age, self._step_counter_name)
        for param, tmp in self._params_tmps:
            with param.block.program._optimized_guard([param, tmp]), name_scope("moving_average"):
                ema = self._ema_vars[param.name]
                self._assign(ema * self._decay_var + param * (1 - self._decay_var), ema)


def forget_shapes(program: Program, params: list[Any], age: int) -> None:
    """In Paddle, a variable that is assigned a copy of unknown shape loses its own.

    Args:
        program: holds variables of the parameters' names.
        params: the parameters.
        age: 1 for a Program of Paddle 1.x, 2 for one of 2.x.
    """
    for param in params:
        program.global_block().var(param.name).shape = (0,) if age == 1 else ()
