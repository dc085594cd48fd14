"""`paddle.incubate.optimizer.GradientMergeOptimizer`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion, type_error
from paddle_compat.core.mode import in_dygraph_mode
from paddle_compat.core.operator import OpRole
from paddle_compat.core.program import Program, default_startup_program, device_guard, program_guard
from paddle_compat.core.variable import Variable
from paddle_compat.optimizer._updates import Pair
from paddle_compat.static.nn._blocks import ConditionalBlock
from paddle_compat.static.variables import create_global_var

__all__: list[str] = []


class GradientMergeOptimizer:
    """Another optimizer, which steps once in `k_steps` runs, by the gradients of all of them (static mode).

    Args:
        inner_optimizer (Optimizer): makes the steps.
        k_steps (int): how many runs make a step.
        avg (bool): by the mean of the gradients; else by their sum.
    Raises:
        Exception: in eager mode.
        AssertionError: no optimizer, or no positive number of runs.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1, bias_attr=False))
        ...     merging = paddle.incubate.optimizer.GradientMergeOptimizer(paddle.optimizer.SGD(0.1), k_steps=4)
        ...     ops, pairs = merging.minimize(loss)
        >>> [op.type for op in loss.block.program.block(1).ops]
        ['scale', 'sgd', 'fill_constant']
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    GRAD_MERGE_COND_NAME = "grad_merge_cond_name"

    def __init__(self, inner_optimizer: Any, k_steps: int = 1, avg: bool = True) -> None:
        if in_dygraph_mode():
            raise Exception(
                "In dygraph, we don't support GradientMergeOptimizer. You can do Gradient merge by yourself with k-times "
                "forward + backward, and one-time optimizer.minimize()"
            )
        if inner_optimizer is None:
            raise failed_assertion("inner_optimizer", "an optimizer", None, "GradientMergeOptimizer")
        if not (isinstance(k_steps, int) and k_steps > 0):
            raise failed_assertion("k_steps", "a positive int", k_steps, "GradientMergeOptimizer")
        self.inner_optimizer = inner_optimizer
        self.k_steps = k_steps
        self.type = "gradient_merge"
        self.avg = avg
        self._optimize_ops: Any = None

    def _set_k_steps(self, k_steps: int) -> None:
        self.k_steps = k_steps

    def _set_avg(self, avg: bool) -> None:
        self.avg = avg

    def backward(
        self,
        loss: Any,
        startup_program: Program | None = None,
        parameter_list: Any = None,
        no_grad_set: Iterable[Any] | None = None,
        callbacks: Any = None,
    ) -> list[Pair]:
        """The first half of `minimize`: write the gradients of one run.

        Args:
            loss (Tensor): what is minimized.
            startup_program (Program|None): None for the default one.
            parameter_list (list|None): what gradients are wanted of.
            no_grad_set (set|None): Variables or names through which no gradient flows.
            callbacks (list|None): called after each gradient operator.
        Returns:
            list: pairs of parameter and gradient.
        Raises:
            TypeError: the loss is no Variable.
        """
        if not isinstance(loss, Variable):
            raise type_error("loss", "a Tensor", loss, "GradientMergeOptimizer.backward")
        pairs: list[Pair] = self.inner_optimizer.backward(loss, startup_program, parameter_list, no_grad_set, callbacks)
        return pairs

    def apply_gradients(self, params_grads: list[Pair]) -> Any:
        """The second half of `minimize`: write what adds gradients up, and the steps that are made once in `k_steps` runs.

        Args:
            params_grads (list): what `backward` returned.
        Returns:
            list: the operators of the steps.
        """
        pairs = sorted((pair for pair in params_grads if pair[1] is not None), key=lambda pair: str(pair[0].name))
        if not pairs:
            return []
        program: Program = pairs[0][0].block.program
        block = program.global_block()
        chosen = self._condition(program)
        merged: list[Pair] = []
        for op in block.ops:
            if op.role & OpRole.Backward and op.has_attr("op_role_var") and op.attr("op_role_var"):
                op._remove_attr("op_role_var")  # the sums say whose gradients they are instead
        for param, grad in (pair for pair in params_grads if pair[1] is not None):
            total = self._total(program, param)
            with program._role(OpRole.Backward, [param, total]):
                attrs = {"axis": -1, self.GRAD_MERGE_COND_NAME: chosen.name}
                block.append_op(type="elementwise_add", inputs={"X": [grad], "Y": [total]}, outputs={"Out": [total]}, attrs=attrs)
            merged.append((param, total))
        with ConditionalBlock([chosen], is_scalar_condition=True).block():
            self._optimize_ops = self._step(program, merged)
        return self._optimize_ops

    def _condition(self, program: Program) -> Variable:
        """Write what counts the runs; whether this one ends with a step."""
        block = program.global_block()
        with device_guard("cpu"):
            k, zero, step = (
                create_global_var([1], value, "int32", persistable=True, force_cpu=True, name=f"gradient_merge_{name}")
                for name, value in (("k", self.k_steps), ("zero", 0), ("step", 0))
            )
            chosen = block.create_var(name="gradient_merge_cond", shape=[1], dtype="bool")
            block.append_op(type="increment", inputs={"X": [step]}, outputs={"Out": [step]}, attrs={"step": 1.0})
            block.append_op(type="elementwise_mod", inputs={"X": [step], "Y": [k]}, outputs={"Out": [step]}, attrs={"axis": -1})
            block.append_op(type="equal", inputs={"X": [step], "Y": [zero]}, outputs={"Out": [chosen]})
        return chosen

    def _total(self, program: Program, param: Any) -> Variable:
        """The variable that a parameter's gradients add up in, zero at first."""
        name = f"{param.name}@GRAD@GradientMerge"
        made: dict[str, Any] = {"name": name, "shape": param.shape, "dtype": param.dtype, "persistable": True}
        first = default_startup_program().global_block()
        attrs = {"shape": list(param.shape), "dtype": int(param.dtype), "value": 0.0}
        first.append_op(type="fill_constant", outputs={"Out": [first.create_var(**made)]}, attrs=attrs)
        total = program.global_block().create_var(**made)
        total.stop_gradient = True
        return total

    def _step(self, program: Program, pairs: list[Pair]) -> Any:
        """What a step does with the gradients of all runs."""
        block = program.current_block()
        if self.avg:
            for _, total in pairs:
                with program._role(OpRole.Backward, []):
                    attrs = {"scale": 1.0 / self.k_steps, "bias": 0.0, "bias_after_scale": False}
                    block.append_op(type="scale", inputs={"X": [total]}, outputs={"Out": [total]}, attrs=attrs)
        ops = self.inner_optimizer.apply_gradients(pairs)
        for _, total in pairs:
            with program._role(OpRole.Optimize, []):
                zeros: dict[str, Any] = {"shape": list(total.shape), "dtype": int(total.dtype), "value": 0.0, "str_value": "0.0"}
                none: dict[str, Any] = {"ShapeTensor": [], "ShapeTensorList": [], "ValueTensor": []}
                block.append_op(type="fill_constant", inputs=none, outputs={"Out": [total]}, attrs=zeros)
        return ops

    def apply_optimize(self, loss: Any, startup_program: Program | None, params_grads: list[Pair]) -> Any:
        """As `apply_gradients`, in the Program of the loss.

        Args:
            loss (Tensor): what is minimized.
            startup_program (Program|None): None for the default one.
            params_grads (list): what `backward` returned.
        Returns:
            list: the operators of the steps.
        """
        with program_guard(loss.block.program, startup_program):
            return self.apply_gradients(params_grads)

    def minimize(
        self,
        loss: Any,
        startup_program: Program | None = None,
        parameter_list: Any = None,
        no_grad_set: Iterable[Any] | None = None,
    ) -> tuple[Any, list[Pair]]:
        """Write gradients, their sums and the steps.

        Args:
            loss (Tensor): what is minimized.
            startup_program (Program|None): None for the default one.
            parameter_list (list|None): what is trained.
            no_grad_set (set|None): Variables or names through which no gradient flows.
        Returns:
            tuple: the operators of the steps, and the pairs of parameter and gradient.
        Raises:
            TypeError: the loss is no Variable.
        """
        pairs = self.backward(loss, startup_program, parameter_list, no_grad_set)
        return self.apply_optimize(loss, startup_program, pairs), pairs


__getattr__ = missing(__name__)
