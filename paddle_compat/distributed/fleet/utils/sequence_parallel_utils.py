"""`paddle.distributed.fleet.utils.sequence_parallel_utils`: between the layers that the model axis shares out, it shares out sequences.

Activations are [sequence, batch, hidden]: dimension 0 is what is shared out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.autograd.py_layer import PyLayer
from paddle_compat.core.rings import ring_of
from paddle_compat.distributed.fleet.layers.mpu.mp_layers import _Parallel
from paddle_compat.nn import functional as F
from paddle_compat.ops import collective_parts
from paddle_compat.tensor.manipulation import concat, split

__all__ = [
    "AllGatherOp", "ColumnSequenceParallelLinear", "GatherOp", "ReduceScatterOp", "RowSequenceParallelLinear", "ScatterOp", "all_gather",
    "create_fused_allreduce_gradient_hook", "create_non_fused_allreduce_gradient_hook", "is_sequence_parallel_parameter",
    "mark_as_sequence_parallel_parameter", "reduce_scatter", "register_sequence_parallel_allreduce_hooks", "scatter",
]  # fmt: skip


def _group() -> Any:
    from paddle_compat.distributed import fleet

    return fleet.get_hybrid_communicate_group().get_model_parallel_group()


def _check_parts(size: int, count: int) -> None:
    if size % count:
        raise AssertionError(f"Input sequence length {size} can't be divided exactly by sequence parallelism {count}")


def scatter(input: Any, axis: int = 0) -> Any:
    """This process's part of a sequence.

    Args:
        input (Tensor): [sequence, ...], alike on all processes of the model axis.
        axis (int): the dimension that is shared out.
    Returns:
        Tensor: [sequence / processes, ...].
    Raises:
        AssertionError: there are no equal parts.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.utils import sequence_parallel_utils
        >>> _ = fleet.init(is_collective=True)
        >>> sequence_parallel_utils.scatter(paddle.ones([4, 2])).shape
        [4, 2]

    Follows Paddle 2.6.
    """
    group = _group()
    if group.nranks == 1:
        return input
    _check_parts(input.shape[axis], group.nranks)
    return split(input, group.nranks, axis)[group.rank].contiguous()


def all_gather(input: Any, axis: int = 0) -> Any:
    """The whole sequence of which each process has a part.

    Args:
        input (Tensor): [sequence / processes, ...].
        axis (int): the dimension that is shared out.
    Returns:
        Tensor: [sequence, ...].

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.utils import sequence_parallel_utils
        >>> _ = fleet.init(is_collective=True)
        >>> sequence_parallel_utils.all_gather(paddle.ones([4, 2])).shape
        [4, 2]

    Follows Paddle 2.6.
    """
    group = _group()
    if group.nranks == 1:
        return input
    rows = collective_parts.all_gather(input, ring_id=group.id, nranks=group.nranks)
    return rows if axis == 0 else concat(split(rows, group.nranks, 0), axis)


def reduce_scatter(input: Any) -> Any:
    """This process's part of the sum of all processes' sequences.

    Args:
        input (Tensor): [sequence, ...], this process's summand.
    Returns:
        Tensor: [sequence / processes, ...].
    Raises:
        AssertionError: there are no equal parts.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.utils import sequence_parallel_utils
        >>> _ = fleet.init(is_collective=True)
        >>> sequence_parallel_utils.reduce_scatter(paddle.ones([4, 2])).shape
        [4, 2]

    Follows Paddle 2.6.
    """
    group = _group()
    if group.nranks == 1:
        return input
    _check_parts(input.shape[0], group.nranks)
    return collective_parts.reduce_scatter(input, ring_id=group.id, nranks=group.nranks)


class ScatterOp(PyLayer):
    """`scatter`, whose gradient is the whole sequence's.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.utils.sequence_parallel_utils import ScatterOp
        >>> _ = fleet.init(is_collective=True)
        >>> ScatterOp.apply(paddle.ones([4, 2])).shape
        [4, 2]

    Follows Paddle 2.6.
    """

    @staticmethod
    def forward(ctx: Any, input: Any, axis: int = 0) -> Any:
        """This process's part.

        Args:
            ctx: what both passes share.
            input (Tensor): [sequence, ...].
            axis (int): the dimension that is shared out.
        Returns:
            Tensor: [sequence / processes, ...].
        """
        ctx.axis = axis
        return scatter(input, axis)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        """The gradient of the whole.

        Args:
            ctx: what both passes share.
            grad (Tensor): of the part.
        Returns:
            Tensor: [sequence, ...].
        """
        return all_gather(grad, ctx.axis)


class GatherOp(PyLayer):
    """`all_gather`, whose gradient is this process's part: for what all processes go on with alike.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.utils.sequence_parallel_utils import GatherOp
        >>> _ = fleet.init(is_collective=True)
        >>> GatherOp.apply(paddle.ones([4, 2])).shape
        [4, 2]

    Follows Paddle 2.6.
    """

    @staticmethod
    def forward(ctx: Any, input: Any, axis: int = 0) -> Any:
        """The whole sequence.

        Args:
            ctx: what both passes share.
            input (Tensor): [sequence / processes, ...].
            axis (int): the dimension that is shared out.
        Returns:
            Tensor: [sequence, ...].
        """
        ctx.axis = axis
        return all_gather(input, axis)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        """The gradient of this process's part.

        Args:
            ctx: what both passes share.
            grad (Tensor): of the whole.
        Returns:
            Tensor: [sequence / processes, ...].
        """
        return scatter(grad, ctx.axis)


class AllGatherOp(PyLayer):
    """`all_gather`, whose gradient is this process's part of all processes' sum: for what each goes on with in its own way.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.utils.sequence_parallel_utils import AllGatherOp
        >>> _ = fleet.init(is_collective=True)
        >>> AllGatherOp.apply(paddle.ones([4, 2])).shape
        [4, 2]

    Follows Paddle 2.6.
    """

    @staticmethod
    def forward(ctx: Any, input: Any) -> Any:
        """The whole sequence.

        Args:
            ctx: what both passes share.
            input (Tensor): [sequence / processes, ...].
        Returns:
            Tensor: [sequence, ...].
        """
        return all_gather(input)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        """The gradient of this process's part.

        Args:
            ctx: what both passes share.
            grad (Tensor): of the whole.
        Returns:
            Tensor: [sequence / processes, ...].
        """
        return reduce_scatter(grad)


class ReduceScatterOp(PyLayer):
    """`reduce_scatter`, whose gradient is the whole sequence's.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.utils.sequence_parallel_utils import ReduceScatterOp
        >>> _ = fleet.init(is_collective=True)
        >>> ReduceScatterOp.apply(paddle.ones([4, 2])).shape
        [4, 2]

    Follows Paddle 2.6.
    """

    @staticmethod
    def forward(ctx: Any, input: Any) -> Any:
        """This process's part of the sum.

        Args:
            ctx: what both passes share.
            input (Tensor): [sequence, ...].
        Returns:
            Tensor: [sequence / processes, ...].
        """
        return reduce_scatter(input)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        """The gradient of the whole.

        Args:
            ctx: what both passes share.
            grad (Tensor): of the part.
        Returns:
            Tensor: [sequence, ...].
        """
        return all_gather(grad)


def mark_as_sequence_parallel_parameter(parameter: Any) -> None:
    """Say of a parameter that a process uses it for its part of the sequence only, so that its gradients are to be summed up.

    Args:
        parameter (Tensor): the parameter.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.utils import sequence_parallel_utils as sequences
        >>> norm = paddle.nn.LayerNorm(4)
        >>> sequences.mark_as_sequence_parallel_parameter(norm.weight)
        >>> [sequences.is_sequence_parallel_parameter(each) for each in norm.parameters()]
        [True, False]

    Follows Paddle 2.6.
    """
    parameter.sequence_parallel = True


def is_sequence_parallel_parameter(parameter: Any) -> bool:
    """Whether a parameter was marked.

    Args:
        parameter (Tensor): the parameter.
    Returns:
        bool: it was.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.utils import sequence_parallel_utils as sequences
        >>> sequences.is_sequence_parallel_parameter(paddle.nn.LayerNorm(4).weight)
        False

    Follows Paddle 2.6.
    """
    return bool(getattr(parameter, "sequence_parallel", False))


def _sum_up(parameters: Sequence[Any]) -> None:
    """Sum the gradients over the processes of the model axis, in place."""
    found = [parameter.main_grad if hasattr(parameter, "main_grad") else parameter.grad for parameter in parameters]
    values = [grad._t for grad in found if grad is not None]
    for value, total in zip(values, ring_of(_group().id).all_reduce(values)):
        value.copy_(total)


def create_fused_allreduce_gradient_hook(parameter_list: list[Any], accumulation_steps: int) -> Callable[..., None]:
    """A function that sums the gradients of some parameters when it has been called for all of them so many times.

    Args:
        parameter_list (list): the parameters.
        accumulation_steps (int): backward passes before a step.
    Returns:
        callable: to be called when a parameter has its gradient.

    Example:
        >>> from paddle_compat.distributed.fleet.utils import sequence_parallel_utils as sequences
        >>> callable(sequences.create_fused_allreduce_gradient_hook([], 1))
        True

    Follows Paddle 2.6.
    """
    due, calls = len(parameter_list) * accumulation_steps, [0]

    def hook(*unused: Any) -> None:
        calls[0] += 1
        if calls[0] == due:
            calls[0] = 0
            _sum_up(parameter_list)

    return hook


def create_non_fused_allreduce_gradient_hook(param: Any, accumulation_steps: int) -> Callable[..., None]:
    """A function that sums the gradient of a parameter when it has been called so many times.

    Args:
        param (Tensor): the parameter.
        accumulation_steps (int): backward passes before a step.
    Returns:
        callable: to be called when the parameter has its gradient.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.utils import sequence_parallel_utils as sequences
        >>> callable(sequences.create_non_fused_allreduce_gradient_hook(paddle.nn.LayerNorm(4).weight, 1))
        True

    Follows Paddle 2.6.
    """
    return create_fused_allreduce_gradient_hook([param], accumulation_steps)


def register_sequence_parallel_allreduce_hooks(model: Any, accumulation_steps: int, fuse_sequence_parallel_allreduce: bool) -> None:
    """Have the gradients of marked parameters summed over the model axis in backward passes.

    Args:
        model (Layer): the model.
        accumulation_steps (int): backward passes before a step.
        fuse_sequence_parallel_allreduce (bool): whether all of them travel together, at the end of the last pass.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.utils import sequence_parallel_utils as sequences
        >>> _ = fleet.init(is_collective=True)
        >>> sequences.register_sequence_parallel_allreduce_hooks(paddle.nn.LayerNorm(4), 1, False)

    Follows Paddle 2.6.
    """
    if accumulation_steps <= 0 or _group().nranks == 1:
        return
    marked = [parameter for parameter in model.parameters() if is_sequence_parallel_parameter(parameter) and not parameter.stop_gradient]
    together = create_fused_allreduce_gradient_hook(marked, accumulation_steps) if fuse_sequence_parallel_allreduce else None
    for parameter in marked:
        parameter._register_backward_hook(together or create_non_fused_allreduce_gradient_hook(parameter, accumulation_steps))


class _ParallelOverSequences(_Parallel):
    """A linear layer whose weight the processes share out, between activations whose sequences they share out."""

    weight: Any
    bias: Any

    def __init__(self, mp_group: Any, name: str | None) -> None:
        super().__init__(mp_group, name)
        self.linear = F.linear

    def _own(self, shape: list[int], attr: Any, axis: int | None, bias: bool = False) -> Any:
        made = super()._own(shape, attr, axis, bias)
        if self.is_mp and axis is not None:
            del made.split_axis  # which Paddle says of other layers only
        return made


class ColumnSequenceParallelLinear(_ParallelOverSequences):
    """A linear layer whose weight is shared out by columns, and which is given this process's part of the sequence.

    Args:
        in_features, out_features (int): sizes of the whole layer.
        weight_attr (ParamAttr): of the weight.
        has_bias (bool|None): whether there is a bias; None: no.
        gather_output (bool): only False.
        fuse_matmul_bias (bool): kept; product and bias are one operator in any case.
        mp_group (Group|None): the processes; None: fleet's, along the model axis.
        name (str|None): prefix of names of operators.
    Raises:
        AssertionError: the processes cannot have equal parts, or the output is to be gathered.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.utils.sequence_parallel_utils import ColumnSequenceParallelLinear
        >>> _ = fleet.init(is_collective=True)
        >>> ColumnSequenceParallelLinear(3, 4, gather_output=False)(paddle.ones([2, 1, 3])).shape
        [2, 1, 4]

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        weight_attr: Any = None,
        has_bias: bool | None = None,
        gather_output: bool = True,
        fuse_matmul_bias: bool = False,
        mp_group: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(mp_group, name)
        if gather_output:
            raise AssertionError("If sequence_parallel is True, gather_output is False. Expected False. Received: True")
        self.gather_output = gather_output
        self.output_size_per_partition = size = self._part(out_features, "Number of column of the weight for linear")
        self.weight = self._own([in_features, size], weight_attr, 1)
        self.bias = self._own([size], None, 0, True) if has_bias else None

    def forward(self, x: Any) -> Any:
        """The product of the whole sequence with this process's columns, and the bias.

        Args:
            x (Tensor): [sequence / processes, ..., in_features].
        Returns:
            Tensor: [sequence, ..., out_features / processes].
        """
        return self.linear(AllGatherOp.apply(x) if self.is_mp else x, self.weight, self.bias, name=self._name)


class RowSequenceParallelLinear(_ParallelOverSequences):
    """A linear layer whose weight is shared out by rows, and which gives this process's part of the sequence.

    Args:
        in_features, out_features (int): sizes of the whole layer.
        weight_attr (ParamAttr): of the weight.
        has_bias (bool): whether there is a bias, a marked parameter.
        input_is_parallel (bool): only True.
        fuse_matmul_bias (bool): kept; product and bias are one operator in any case.
        mp_group (Group|None): the processes; None: fleet's, along the model axis.
        name (str|None): prefix of names of operators.
    Raises:
        AssertionError: the processes cannot have equal parts, or the input is whole.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.utils.sequence_parallel_utils import RowSequenceParallelLinear
        >>> _ = fleet.init(is_collective=True)
        >>> RowSequenceParallelLinear(3, 4, input_is_parallel=True)(paddle.ones([2, 1, 3])).shape
        [2, 1, 4]

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        weight_attr: Any = None,
        has_bias: bool = True,
        input_is_parallel: bool = False,
        fuse_matmul_bias: bool = False,
        mp_group: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(mp_group, name)
        if not input_is_parallel:
            raise AssertionError("If sequence_parallel is True, input_is_parallel should be true. Expected True. Received: False")
        self.in_features, self.out_features, self.input_is_parallel = in_features, out_features, input_is_parallel
        self.input_size_per_partition = size = self._part(in_features, "Number of row of the weight for linear")
        self.weight = self._own([size, out_features], weight_attr, 0)
        self.bias = self._own([out_features], None, None, True) if has_bias else None
        if self.bias is not None:
            mark_as_sequence_parallel_parameter(self.bias)

    def forward(self, x: Any) -> Any:
        """This process's part of the product's sequence, and the bias.

        Args:
            x (Tensor): [sequence, ..., in_features / processes].
        Returns:
            Tensor: [sequence / processes, ..., out_features].
        """
        if not self.is_mp:
            return self.linear(x, self.weight, self.bias, name=self._name)
        out = ReduceScatterOp.apply(self.linear(x, self.weight, name=self._name))
        return out if self.bias is None else out + self.bias


__getattr__ = missing(__name__)
