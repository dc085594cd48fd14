"""`paddle.incubate.optimizer.LookAhead`: slow weights that follow another optimizer's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch

from paddle_compat.core import mode, unique_name
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.program import Program, default_main_program
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.optimizer._updates import Accumulator, Pair
from paddle_compat.optimizer.optimizer import Optimizer


class LookAhead(Optimizer):
    """Another optimizer's steps, and slow weights that follow every `k` steps; the parameters go on from there.

    Args:
        inner_optimizer (Optimizer): makes the steps.
        alpha (float): how far the slow weights follow.
        k (int): steps between.
        name (str|None): as of `Optimizer`.
    Raises:
        AssertionError: an argument is out of range.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.incubate.LookAhead(paddle.optimizer.SGD(0.1), alpha=0.5, k=5).k
        5
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    type = "lookahead"
    _accumulator_table = (Accumulator("slow", "Slow"),)

    def __init__(self, inner_optimizer: Any, alpha: float = 0.5, k: int = 5, name: str | None = None) -> None:
        if inner_optimizer is None:
            raise AssertionError("Invalid value for argument `inner_optimizer`. Expected an optimizer. Received: None")
        if not 0.0 <= alpha <= 1.0:
            raise AssertionError(f"Invalid value for argument `alpha`. Expected 0 <= alpha <= 1. Received: {alpha}")
        if not (isinstance(k, int) and k > 0):
            raise AssertionError(f"Invalid value for argument `k`. Expected a positive int. Received: {k!r}")
        self.inner_optimizer = inner_optimizer
        parameters = inner_optimizer._parameter_list
        if parameters is None:
            parameters = default_main_program().global_block().all_parameters()
        super().__init__(learning_rate=float(alpha), parameters=parameters, name=name)
        self.alpha = alpha
        self.k = k
        self.helper = LayerHelper(type(self).__name__)
        self._global_step_var: Any = None
        self._steps = 0

    def _set_auxiliary_var(self, key: str, val: Any) -> None:
        super()._set_auxiliary_var(key, val)
        self.inner_optimizer._set_auxiliary_var(key, val)

    def step(self) -> None:
        """Update the parameters from their gradients, once (eager mode).

        Example:
            >>> import torch, paddle_compat as paddle
            >>> w = paddle.create_parameter([1], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
            >>> ahead = paddle.incubate.LookAhead(paddle.optimizer.SGD(0.25, parameters=[w]), k=2)
            >>> torch.sum(w * 2.0).backward()
            >>> ahead.step(); w.tolist()
            [0.5]
        """
        self.inner_optimizer.step()
        self._follow()

    @torch.no_grad()
    def _follow(self) -> None:
        self._steps += 1
        self._step(self._parameter_list or [], None, 0)

    def minimize(
        self,
        loss: Any,
        startup_program: Program | None = None,
        parameters: Any = None,
        no_grad_set: Iterable[Any] | None = None,
    ) -> tuple[Any, list[Pair]]:
        """As of `Optimizer`.

        Args:
            loss (Variable): what is minimised, one element.
            startup_program (Program|None): None for the default one.
            parameters (list|None): Tensors or names to be trained; None for all that are trainable.
            no_grad_set (set|None): Variables or names through which no gradient flows.
        Returns:
            tuple: what the inner optimizer's `minimize` returns.
        Raises:
            AssertionError: the loss is no Tensor.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.enable_static()
            >>> main = paddle.static.Program()
            >>> with paddle.static.program_guard(main, paddle.static.Program()):
            ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1))
            ...     _ = paddle.incubate.LookAhead(paddle.optimizer.SGD(0.1), k=5).minimize(loss)
            >>> "sgd" in [op.type for op in main.global_block().ops]
            True
        """
        if not isinstance(loss, (Variable, Tensor)):
            raise AssertionError(f"Invalid type for argument `loss` of `minimize`. Expected a Tensor. Received: {type(loss).__name__}")
        operators, pairs = self.inner_optimizer.minimize(loss, startup_program, parameters, no_grad_set)
        if mode.in_dygraph_mode():
            self._follow()
            return operators, pairs
        if self._global_step_var is None:
            name = unique_name.generate("lookahead_step")
            self._global_step_var = self._global_variable(name, [1], 0, "int32")
        step = [self._global_step_var]
        assert self.helper is not None
        self.helper.append_op(type="increment", inputs={"X": step}, outputs={"Out": step}, attrs={"step": 1.0})
        self._apply_optimize(loss, startup_program, pairs)
        return operators, pairs

    def _append_optimize_op(self, block: Any, param_and_grad: Pair) -> None:
        param = self._pair(param_and_grad)[0]
        slow = self._get_accumulator("slow", param)
        if mode.in_dygraph_mode():
            self._follow_now(param._t, slow._t)
        else:
            self._append_follow(param, slow)

    def _follow_now(self, param: torch.Tensor, slow: torch.Tensor) -> None:
        if self._steps == 1:
            slow.copy_(param)
        if self._steps % self.k == 0:
            param.copy_(slow.lerp_(param.detach(), self.alpha))

    def _append_follow(self, param: Any, slow: Any) -> None:
        from paddle_compat import tensor

        one = tensor.ones(shape=[1], dtype="int32", name="lookahead_ones")
        zero = tensor.zeros(shape=[1], dtype="int32", name="lookahead_zeros")
        k = self._global_variable(unique_name.generate("lookahead_k"), [1], self.k, "int32")
        since = tensor.remainder(self._global_step_var, k)
        first = tensor.cast(tensor.equal(self._global_step_var, one), dtype="float32")
        follows = tensor.cast(tensor.equal(since, zero), dtype="float32")
        tensor.assign(first * param + (1 - first) * slow, slow)
        mixed = self.alpha * param + (1.0 - self.alpha) * slow
        tensor.assign(follows * mixed + (1 - follows) * param, param)
        tensor.assign(follows * mixed + (1 - follows) * slow, slow)
