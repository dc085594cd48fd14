"""What the processes along the model axis exchange in the forward and the backward pass of a layer that they share out."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, invalid_argument
from paddle_compat.distributed import _groups
from paddle_compat.distributed.collective import split
from paddle_compat.nn import functional as F
from paddle_compat.ops import collective, collective_classes, collective_parts

__all__ = ["split"]


def _where(group: Any) -> tuple[int, int, int]:
    """The number of a group's ring, this process's place in it, and how many there are; alone where there is one process."""
    met = _groups.join() if group is None else group
    return (0, 0, 1) if met is None or met.nranks < 2 else (met.id, met.rank, met.nranks)


def _c_identity(tensor: Any, group: Any = None, skip_c_identity_dynamic: bool = False) -> Any:
    """The tensor, whose gradient is the sum of all processes'.

    Args:
        tensor (Tensor): what all of them have alike.
        group (Group|None): the processes; None: all of the job.
        skip_c_identity_dynamic (bool): whether the gradient stays each process's own.
    Returns:
        Tensor: the same values.
    """
    ring, _, size = _where(group)
    return tensor if size == 1 or skip_c_identity_dynamic else collective.c_identity(tensor, ring_id=ring)


def _mp_allreduce(
    tensor: Any, op: Any = 0, group: Any = None, use_calc_stream: bool = True, use_model_parallel: bool = True,
    skip_c_identity_dynamic: bool = False,
) -> Any:  # fmt: skip
    """The sum of all processes' tensors, whose gradient goes to each of them as it is.

    Args:
        tensor (Tensor): this process's summand.
        op (int): only the sum.
        group (Group|None): the processes; None: all of the job.
        use_calc_stream, use_model_parallel (bool): kept; nobody goes on without the sum.
        skip_c_identity_dynamic (bool): whether the gradient is summed up, too, as nobody else does it.
    Returns:
        Tensor: the sum.
    Raises:
        UnsupportedError: op is another one.
    """
    if op != 0:
        raise UnsupportedError("paddle.distributed.fleet.layers.mpu.mp_ops._mp_allreduce", f"op={op}", "ReduceOp.SUM")
    ring, _, size = _where(group)
    return tensor if size == 1 else collective.mp_allreduce_sum(tensor, ring_id=ring)


def _c_concat(tensor: Any, group: Any = None) -> Any:
    """The columns of all processes side by side; the gradient has this process's.

    Args:
        tensor (Tensor): [..., columns].
        group (Group|None): the processes; None: all of the job.
    Returns:
        Tensor: [..., columns x processes].
    """
    ring, rank, size = _where(group)
    return tensor if size == 1 else collective_parts.c_concat(tensor, rank=rank, nranks=size, ring_id=ring)


def _c_split(tensor: Any, group: Any = None) -> Any:
    """This process's columns; the gradient has those of all.

    Args:
        tensor (Tensor): [..., columns].
        group (Group|None): the processes; None: all of the job.
    Returns:
        Tensor: [..., columns / processes].
    """
    ring, rank, size = _where(group)
    return tensor if size == 1 else collective_parts.c_split(tensor, rank=rank, nranks=size, ring_id=ring)


def _c_lookup_table(table: Any, index: Any, start_index: int = 0, vocab_size: int = -1, name: str | None = None) -> Any:
    """Rows of a part of a table; those of other parts are zeros.

    Args:
        table (Tensor): [rows, columns], this process's.
        index (Tensor): ids in the whole table.
        start_index (int): the id of the part's first row.
        vocab_size (int): rows of the whole table; -1: ids are not checked.
        name (str|None): kept.
    Returns:
        Tensor: [..., columns].
    """
    return collective_classes.c_embedding(table, index, start_index=start_index, vocab_size=vocab_size)


def _c_softmax_with_cross_entropy(
    logits: Any, label: Any, group: Any = None, return_softmax: bool = False, ignore_index: int = -100
) -> Any:
    """The cross entropy of logits whose classes the processes share out.

    Args:
        logits (Tensor): [..., classes], this process's.
        label (Tensor): [...] or [..., 1], classes among all.
        group (Group|None): the processes; None: all of the job.
        return_softmax (bool): whether the probabilities of this process's classes are wanted, too.
        ignore_index (int): a label whose loss is 0.
    Returns:
        Tensor|tuple: [..., 1]; with `return_softmax` the probabilities behind it.
    Raises:
        ValueError: the label has neither as many dimensions as the logits nor one less.
    """
    if len(logits.shape) - 1 == len(label.shape):
        label = label.unsqueeze(-1)
    elif len(logits.shape) != len(label.shape):
        expected = f"{len(logits.shape)} dimensions, as the logits have, or one less"
        raise invalid_argument("label", expected, f"{len(label.shape)}", "_c_softmax_with_cross_entropy")
    ring, rank, size = _where(group)
    if size == 1:
        return F.softmax_with_cross_entropy(logits, label, ignore_index=ignore_index, return_softmax=return_softmax)
    softmax, loss = collective_classes.c_softmax_with_cross_entropy(
        logits, label, ignore_index=ignore_index, ring_id=ring, rank=rank, nranks=size
    )
    return (loss, softmax) if return_softmax else loss


def _linear(x: Any, weight: Any, bias: Any = None, name: str | None = None) -> Any:
    """`paddle.nn.functional.linear`.

    Args:
        x, weight, bias (Tensor): factors, and what is added.
        name (str|None): prefix of names of operators.
    Returns:
        Tensor: [..., columns of the weight].
    """
    return F.linear(x, weight, bias, name)


def _set_var_distributed(var: Any) -> None:
    """Say of a parameter that every process has another part.

    Args:
        var (Parameter|None): the parameter.
    """
    if var is not None:
        var.is_distributed = True


__getattr__ = missing(__name__)
