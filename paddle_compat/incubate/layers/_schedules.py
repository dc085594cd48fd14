"""The schedule of `paddle.incubate.layers`: an operator of the Program that counts its steps."""

from __future__ import annotations

from typing import Any

from paddle_compat.core import mode
from paddle_compat.core.errors import UnimplementedError, failed_assertion
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.nn.initializer import Constant
from paddle_compat.ops.schedules import pow2_decay_with_linear_warmup as operator


def pow2_decay_with_linear_warmup(
    warmup_steps: int, total_steps: int, base_lr: float, end_lr: float, dtype: Any = "float32", name: str | None = None
) -> Any:
    """A learning rate that rises evenly, then falls along a parabola; each run of the Program is a step.

    Args:
        warmup_steps (int): how many steps it rises.
        total_steps (int): after how many steps it stays as it is.
        base_lr (float): the highest rate.
        end_lr (float): the last one.
        dtype: its data type.
        name (str): has no effect.
    Returns:
        Variable: the rate, of shape [1].
    Raises:
        UnimplementedError: eager mode is on.
        AssertionError: it rises longer than there are steps.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     rate = paddle.incubate.layers.pow2_decay_with_linear_warmup(2, 4, 0.1, 0.0)
        ...     exe = paddle.static.Executor()
        ...     _ = exe.run(paddle.static.default_startup_program())
        ...     [round(float(exe.run(fetch_list=[rate])[0][0]), 4) for _ in range(5)]
        [0.05, 0.1, 0.025, 0.0, 0.0]
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    if mode.in_dygraph_mode():
        raise UnimplementedError("`pow2_decay_with_linear_warmup` belongs to Programs: call paddle.enable_static() first")
    helper = LayerHelper("pow2_decay_with_linear_warmup", name=name)
    rate = helper.create_global_variable(persistable=True, dtype=dtype, shape=[1])
    helper.set_variable_initializer(rate, Constant(value=float(base_lr) / warmup_steps))
    step = helper.create_global_variable(persistable=True, dtype="int64", shape=[1])
    helper.set_variable_initializer(step, Constant(value=0))
    if warmup_steps > total_steps:
        raise failed_assertion("warmup_steps", f"at most total_steps, {total_steps}", warmup_steps, helper.layer_type)
    operator(
        rate, step, warmup_steps=warmup_steps, total_steps=total_steps, base_lr=base_lr, end_lr=end_lr, _helper=helper,
        _outputs={"LearningRateOut": rate, "StepOut": step},
    )  # fmt: skip
    return rate


__all__ = ["pow2_decay_with_linear_warmup"]
