"""`paddle.incubate.optimizer.ModelAverage`: the plain average of parameters over a sliding window."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from paddle_compat.core import mode
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.program import Program, default_main_program, program_guard
from paddle_compat.optimizer._updates import Accumulator, Pair
from paddle_compat.optimizer.optimizer import Optimizer

_SUMS = tuple(Accumulator(name, "in_" + name) for name in ("sum_1", "sum_2", "sum_3"))
_COUNTS = tuple(Accumulator(name, "in_" + name, shape=(1,)) for name in ("num_accumulates", "old_num_accumulates", "num_updates"))
_RESTORE = Accumulator("restore", "")


class ModelAverage(Optimizer):
    """Averages parameters over a sliding window of updates; `apply` puts the averages in their place.

    Args:
        average_window_rate (float): length of the window, as a part of all updates so far.
        parameters (list|None): what is averaged; None for all of the program. Eager mode needs it.
        min_average_window (int), max_average_window (int): bounds of the window.
        name (str|None): as of `Optimizer`.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main, startup = paddle.static.Program(), paddle.static.Program()
        >>> start = paddle.nn.initializer.Constant(1.0)
        >>> with paddle.static.program_guard(main, startup):
        ...     w = paddle.static.create_parameter([1], "float32", default_initializer=start)
        ...     loss = paddle.mean(w * paddle.static.data("x", [1]))
        ...     _ = paddle.optimizer.SGD(0.5).minimize(loss)
        ...     average = paddle.incubate.ModelAverage(1.0, min_average_window=1, max_average_window=10)
        >>> exe = paddle.static.Executor()
        >>> _ = exe.run(startup)
        >>> for _ in range(2):
        ...     _ = exe.run(main, feed={"x": np.ones(1, "float32")})
        >>> with average.apply(exe):
        ...     w.get_value().numpy().tolist()  # the mean of 0.5 and 0
        [0.25]
        >>> w.get_value().numpy().tolist()
        [0.0]

    Follows Paddle 2.6.
    """

    type = "average_accumulates"
    _accumulator_table = (*_SUMS, _RESTORE, *_COUNTS)

    def __init__(
        self,
        average_window_rate: float,
        parameters: Any = None,
        min_average_window: int = 10000,
        max_average_window: int = 10000,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate=0.0, parameters=parameters, name=name)
        self.helper = LayerHelper(type(self).__name__)
        self.average_window = average_window_rate
        self.min_average_window = min_average_window
        self.max_average_window = max_average_window
        if mode.in_dygraph_mode():
            return
        block = default_main_program().global_block()
        averaged = self._parameter_list or block.all_parameters()
        self._create_accumulators(block, averaged)
        for param in averaged:
            self._append_optimize_op(block, (param, None))
        self.apply_program, self.restore_program = Program(), Program()
        with program_guard(self.apply_program):
            for param in averaged:
                self._append_apply(self.apply_program.global_block(), param)
        with program_guard(self.restore_program):
            for param in averaged:
                self._append_restore(self.restore_program.global_block(), param)

    def _create_accumulators(self, block: Any, parameters: Iterable[Any]) -> None:
        for param in parameters:
            for row in self._accumulator_table:
                dtype = "int64" if row in _COUNTS else None
                self._add_accumulator(row.name, param, dtype=dtype, shape=row.shape)

    def _append_optimize_op(self, block: Any, param_and_grad: Pair) -> Any:
        param = self._pair(param_and_grad)[0]
        inputs = {"param": [param]}
        inputs.update({row.slot: [self._get_accumulator(row.name, param)] for row in (*_SUMS, *_COUNTS)})
        attrs = {
            "average_window": self.average_window,
            "min_average_window": self.min_average_window,
            "max_average_window": self.max_average_window,
        }
        if mode.in_dygraph_mode():
            self._definition.fn(*(values[0]._t for values in inputs.values()), **attrs)
            return None
        outputs = {"out" + slot[2:]: values for slot, values in inputs.items() if slot != "param"}
        return block.append_op(type=self.type, inputs=inputs, outputs=outputs, attrs=attrs)

    def _append_apply(self, block: Any, param: Any) -> None:
        from paddle_compat import tensor

        own = block._clone_variable(param)
        kept = block._clone_variable(self._get_accumulator("restore", param))
        sums = [block._clone_variable(self._get_accumulator(row.name, param)) for row in _SUMS]
        counts = [block._clone_variable(self._get_accumulator(row.name, param)) for row in _COUNTS[:2]]
        tensor.assign(own, output=kept)
        count = tensor.cast(tensor.add_n(counts), param.dtype)
        tensor.assign(tensor.divide(tensor.add_n(sums), count), output=own)

    def _append_restore(self, block: Any, param: Any) -> None:
        from paddle_compat import tensor

        own = block._clone_variable(param)
        tensor.assign(block._clone_variable(self._get_accumulator("restore", param)), output=own)

    def minimize(
        self,
        loss: Any,
        startup_program: Program | None = None,
        parameters: Any = None,
        no_grad_set: Iterable[Any] | None = None,
    ) -> Any:
        """In eager mode, as `step`; in static mode the operators are there already.

        Args:
            loss (Tensor), startup_program, parameters, no_grad_set: not used.
        Returns:
            Nothing.

        Example:
            >>> import torch, paddle_compat as paddle
            >>> w = paddle.create_parameter([1], "float32")
            >>> average = paddle.incubate.ModelAverage(1.0, parameters=[w])
            >>> (w * 2.0).shape, average.minimize(torch.sum(w)) is None
            ([1], True)
        """
        if mode.in_dygraph_mode():
            self.step()

    @torch.no_grad()
    def step(self) -> None:
        """Take the parameters as they are now into the averages (eager mode).

        Example:
            >>> import torch, paddle_compat as paddle
            >>> w = paddle.create_parameter([1], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
            >>> average = paddle.incubate.ModelAverage(1.0, parameters=[w])
            >>> torch.sum(w * 2.0).backward()
            >>> average.step()
            >>> with average.apply():
            ...     w.tolist()
            [1.0]
        """
        self._create_accumulators(None, self._parameter_list or [])
        for param in self._parameter_list or []:
            if param.trainable and param.grad is not None:
                self._append_optimize_op(None, (param, None))

    @contextmanager
    def apply(self, executor: Any = None, need_restore: bool = True) -> Iterator[None]:
        """Inside the block, the parameters are their averages.

        Args:
            executor (Executor|None): runs the exchange in static mode.
            need_restore (bool): put the parameters back afterwards.
        Returns:
            A context manager.
        Raises:
            RuntimeError: no executor in static mode.
        """
        if mode.in_dygraph_mode():
            with torch.no_grad():
                for param in self._parameter_list or []:
                    self._get_accumulator("restore", param)._t.copy_(param._t)
                    total = sum(self._get_accumulator(row.name, param)._t for row in _SUMS)
                    count = sum(self._get_accumulator(row.name, param)._t for row in _COUNTS[:2])
                    param._t.copy_(total / count)
        else:
            self._executor(executor).run(self.apply_program)
        try:
            yield
        finally:
            if need_restore:
                self.restore(executor)

    def restore(self, executor: Any = None) -> None:
        """Put the parameters back.

        Args:
            executor (Executor|None): runs the exchange in static mode.
        Raises:
            RuntimeError: no executor in static mode.

        Example:
            >>> import torch, paddle_compat as paddle
            >>> w = paddle.create_parameter([1], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
            >>> average = paddle.incubate.ModelAverage(1.0, parameters=[w])
            >>> torch.sum(w * 2.0).backward()
            >>> average.step(); w.set_value(paddle.to_tensor([3.0]))
            >>> with average.apply(need_restore=False):
            ...     pass
            >>> w.tolist(); average.restore(); w.tolist()
            [1.0]
            [3.0]
        """
        if not mode.in_dygraph_mode():
            self._executor(executor).run(self.restore_program)
            return
        with torch.no_grad():
            for param in self._parameter_list or []:
                param._t.copy_(self._get_accumulator("restore", param)._t)

    def _executor(self, executor: Any) -> Any:
        if executor is None:
            raise RuntimeError("Invalid value for argument `executor`. Expected an Executor in static mode. Received: None")
        return executor
