"""`paddle.distributed.fleet.meta_optimizers.common`: which part of a training Program an operator belongs to."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.core.operator import Operator, OpRole

OP_ROLE_KEY = "op_role"
OP_ROLE_VAR_KEY = "op_role_var"


def _role(op: Operator) -> int:
    return int(op.attr(OP_ROLE_KEY) or 0)


def is_update_op(op: Operator) -> bool:
    """Whether an operator changes a parameter by its gradient.

    Args:
        op (Operator): the operator.
    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_optimizers.common import is_update_op
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main):
        ...     loss = paddle.static.nn.fc(paddle.static.data("x", [2, 3]), 1).mean()
        ...     _ = paddle.optimizer.SGD(0.1).minimize(loss)
        >>> [op.type for op in main.global_block().ops if is_update_op(op)]
        ['sgd', 'sgd']

    Follows Paddle 2.6.
    """
    return {"Param", "Grad", "LearningRate"} <= set(op.input_names)


def is_loss_grad_op(op: Operator) -> int:
    """Whether an operator makes the gradient of the loss.

    Args:
        op (Operator): the operator.
    Returns:
        int: 0 where it does not.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_optimizers.common import is_loss_grad_op
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main):
        ...     loss = paddle.static.nn.fc(paddle.static.data("x", [2, 3]), 1).mean()
        ...     _ = paddle.static.append_backward(loss)
        >>> [op.type for op in main.global_block().ops if is_loss_grad_op(op)]
        ['fill_constant']

    Follows Paddle 2.6.
    """
    return _role(op) & OpRole.Loss if is_backward_op(op) else 0


def is_backward_op(op: Operator) -> int:
    """Whether an operator belongs to the backward pass.

    Args:
        op (Operator): the operator.
    Returns:
        int: 0 where it does not.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_optimizers.common import is_backward_op
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main):
        ...     loss = paddle.static.nn.fc(paddle.static.data("x", [2, 3]), 1, bias_attr=False).mean()
        ...     _ = paddle.static.append_backward(loss)
        >>> [op.type for op in main.global_block().ops if is_backward_op(op)]
        ['fill_constant', 'reduce_mean_grad', 'mul_grad']

    Follows Paddle 2.6.
    """
    return _role(op) & OpRole.Backward


def is_optimizer_op(op: Operator) -> int:
    """Whether an operator belongs to the update of the parameters.

    Args:
        op (Operator): the operator.
    Returns:
        int: 0 where it does not.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_optimizers.common import is_optimizer_op
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main):
        ...     loss = paddle.static.nn.fc(paddle.static.data("x", [2, 3]), 1).mean()
        ...     _ = paddle.optimizer.SGD(0.1).minimize(loss)
        >>> [op.type for op in main.global_block().ops if is_optimizer_op(op)]
        ['sgd', 'sgd']

    Follows Paddle 2.6.
    """
    return _role(op) & OpRole.Optimize


__all__ = ["OpRole", "is_backward_op", "is_loss_grad_op", "is_optimizer_op", "is_update_op"]
__getattr__ = missing(__name__)
