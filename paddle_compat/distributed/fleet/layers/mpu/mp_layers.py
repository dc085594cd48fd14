"""Layers whose weights the processes along the model axis share out."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.autograd.py_layer import PyLayer
from paddle_compat.distributed.fleet.layers.mpu.mp_ops import (
    _c_concat,
    _c_identity,
    _c_lookup_table,
    _c_softmax_with_cross_entropy,
    _c_split,
    _mp_allreduce,
)
from paddle_compat.distributed.fleet.layers.mpu.random import get_rng_state_tracker
from paddle_compat.nn import functional as F
from paddle_compat.nn.layer.layers import Layer

__all__ = ["ColumnParallelLinear", "ParallelCrossEntropy", "RowParallelLinear", "VocabParallelEmbedding"]


class _Parallel(Layer):
    """What the layers have in common: the processes that share it out, and this one's place."""

    def __init__(self, mp_group: Any, name: str | None, scope: str | None = None) -> None:
        super().__init__(scope)
        if mp_group is None:
            from paddle_compat.distributed import fleet

            mp_group = fleet.get_hybrid_communicate_group().get_model_parallel_group()
        self.model_parallel_group = mp_group
        self.world_size, self.is_mp, self.rank = mp_group.nranks, mp_group.nranks > 1, max(mp_group.rank, 0)
        self._name = name

    def _take_switches(self) -> None:
        """Keep which of the ways of GPUs the strategy asks for: layers that are derived from these read it. All compute the same here."""
        from paddle_compat.distributed import fleet

        asked = fleet.fleet._user_defined_strategy.hybrid_configs["mp_configs"]
        for name in ("mp_async_allreduce", "mp_skip_c_identity", "mp_fused_linear_param_grad_add"):
            setattr(self, name, self.is_mp and getattr(asked, name))

    def _part(self, size: int, what: str) -> int:
        """The size of one of equal parts, one for each process.

        Raises:
            AssertionError: there are none.
        """
        if size % self.world_size:
            raise AssertionError(f"{what} ({size}) must be divisible by model parallel size ({self.world_size})")
        return size // self.world_size

    def _own(self, shape: list[int], attr: Any, axis: int | None, bias: bool = False) -> Any:
        """A parameter; with an axis, along which it is shared out, its values are drawn from the numbers that are the process's own."""
        if not self.is_mp or axis is None:
            return self.create_parameter(shape=shape, attr=attr, is_bias=bias)
        if bias:  # which is no matter of luck
            made = self.create_parameter(shape=shape, attr=attr, is_bias=True)
        else:
            with get_rng_state_tracker().rng_state():
                made = self.create_parameter(shape=shape, attr=attr)
        if made is not None:
            made.is_distributed, made.split_axis = True, axis
        return made


class ColumnParallelLinear(_Parallel):
    """A linear layer whose weight is shared out by columns.

    Args:
        in_features, out_features (int): sizes of the whole layer.
        weight_attr (ParamAttr): of the weight.
        has_bias (bool|None): whether there is a bias; None: no.
        gather_output (bool): whether every process gets the whole result.
        fuse_matmul_bias (bool): kept; product and bias are one operator in any case.
        mp_group (Group|None): the processes; None: fleet's, along the model axis.
        name (str|None): prefix of names of operators.
    Raises:
        AssertionError: the processes cannot have equal parts.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> _ = fleet.init(is_collective=True)
        >>> layer = fleet.meta_parallel.ColumnParallelLinear(3, 4, has_bias=True)
        >>> layer(paddle.ones([2, 3])).shape, [p.shape for p in layer.parameters()]
        ([2, 4], [[3, 4], [4]])

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
        super().__init__(mp_group, name, "linear")
        self._take_switches()
        self.gather_output, self.fuse_matmul_bias, self.linear = gather_output, fuse_matmul_bias, F.linear
        self.output_size_per_partition = size = self._part(out_features, "Number of column of the weight for linear")
        self.weight = self._own([in_features, size], weight_attr, 1)
        self.bias = self._own([size], None, 0, True) if has_bias else None

    def forward(self, x: Any) -> Any:
        """The product with the weight, and the bias.

        Args:
            x (Tensor): [..., in_features].
        Returns:
            Tensor: [..., out_features]; without `gather_output` this process's part of them.
        """
        given = _c_identity(x, self.model_parallel_group) if self.is_mp else x
        out = self.linear(given, self.weight, self.bias, name=self._name)
        return _c_concat(out, self.model_parallel_group) if self.is_mp and self.gather_output else out


class RowParallelLinear(_Parallel):
    """A linear layer whose weight is shared out by rows.

    Args:
        in_features, out_features (int): sizes of the whole layer.
        weight_attr (ParamAttr): of the weight.
        has_bias (bool): whether there is a bias.
        input_is_parallel (bool): whether a process is given its part of the input.
        fuse_matmul_bias (bool): kept; product and bias are one operator in any case.
        mp_group (Group|None): the processes; None: fleet's, along the model axis.
        name (str|None): prefix of names of operators.
    Raises:
        AssertionError: the processes cannot have equal parts.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> _ = fleet.init(is_collective=True)
        >>> layer = fleet.meta_parallel.RowParallelLinear(3, 4, input_is_parallel=True)
        >>> layer(paddle.ones([2, 3])).shape, [p.shape for p in layer.parameters()]
        ([2, 4], [[3, 4], [4]])

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
        super().__init__(mp_group, name, "linear")
        self.in_features, self.out_features, self.input_is_parallel = in_features, out_features, input_is_parallel
        self._take_switches()
        self.fuse_matmul_bias, self.linear = fuse_matmul_bias, F.linear
        self.input_size_per_partition = size = self._part(in_features, "Number of row of the weight for linear")
        self.weight = self._own([size, out_features], weight_attr, 0)
        self.bias = self._own([out_features], None, None, True) if has_bias else None

    def forward(self, x: Any) -> Any:
        """The product with the weight, and the bias.

        Args:
            x (Tensor): [..., in_features]; with `input_is_parallel` this process's part of them.
        Returns:
            Tensor: [..., out_features].
        """
        if not self.is_mp:
            return self.linear(x, self.weight, self.bias, name=self._name)
        given = x if self.input_is_parallel else _c_split(x, self.model_parallel_group)
        out = _mp_allreduce(self.linear(given, self.weight, name=self._name), group=self.model_parallel_group)
        return out if self.bias is None else out + self.bias


class MPScale(PyLayer):
    """A parameter divided by the number of processes that add it up, whose gradient stays whole."""

    @staticmethod
    def forward(ctx: Any, x: Any, mp_degree: int) -> Any:
        """The value.

        Args:
            x (Tensor): the parameter.
            mp_degree (int): how many processes there are.
        Returns:
            Tensor: x / mp_degree.
        """
        return x / mp_degree

    @staticmethod
    def backward(ctx: Any, dout: Any) -> Any:
        """The gradient.

        Args:
            dout (Tensor): that of the result.
        Returns:
            Tensor: the same.
        """
        return dout


class VocabParallelEmbedding(_Parallel):
    """A table of which each process has some rows.

    Args:
        num_embeddings, embedding_dim (int): sizes of the whole table.
        weight_attr (ParamAttr): of the table.
        mp_group (Group|None): the processes; None: fleet's, along the model axis.
        name (str|None): prefix of names of operators.
    Raises:
        AssertionError: the processes cannot have equal parts.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> _ = fleet.init(is_collective=True)
        >>> table = fleet.meta_parallel.VocabParallelEmbedding(5, 4)
        >>> table(paddle.to_tensor([[1, 2], [0, 4]])).shape, table.weight.shape
        ([2, 2, 4], [5, 4])

    Follows Paddle 2.6.
    """

    def __init__(
        self, num_embeddings: int, embedding_dim: int, weight_attr: Any = None, mp_group: Any = None, name: str | None = None
    ) -> None:
        super().__init__(mp_group, name, "embedding")
        self.origin_num_embeddings = self.num_embeddings = num_embeddings
        if num_embeddings % self.world_size:
            raise AssertionError(
                "The length of the vocabulary must be divisible by the parallelism degree of MP. "
                f"Received: {num_embeddings} and {self.world_size}"
            )
        rows = num_embeddings // self.world_size
        self.vocab_start_index = self.rank * rows
        self.weight = self._own([rows, embedding_dim], weight_attr, 0)

    def forward(self, x: Any) -> Any:
        """The rows of the ids.

        Args:
            x (Tensor): [...], whole numbers.
        Returns:
            Tensor: [..., embedding_dim].
        """
        if not self.is_mp:
            return F.embedding(x, self.weight, name=self._name)
        rows = _c_lookup_table(self.weight, x, self.vocab_start_index, self.origin_num_embeddings, self._name)
        return _mp_allreduce(rows, group=self.model_parallel_group)


class ParallelCrossEntropy(_Parallel):
    """The cross entropy of logits whose classes the processes share out.

    Args:
        mp_group (Group|None): the processes; None: fleet's, along the model axis.
        name (str|None): prefix of names of operators.
        ignore_index (int): a label whose loss is 0.
    Raises:
        AssertionError: the processes cannot have equal parts.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> _ = fleet.init(is_collective=True)
        >>> fleet.meta_parallel.ParallelCrossEntropy()(paddle.ones([2, 3]), paddle.to_tensor([[0], [1]])).shape
        [2, 1]

    Follows Paddle 2.6.
    """

    def __init__(self, mp_group: Any = None, name: str | None = None, ignore_index: int = -100) -> None:
        super().__init__(mp_group, name)
        self.ignore_index = ignore_index

    def forward(self, input: Any, label: Any) -> Any:
        """The loss of each sample.

        Args:
            input (Tensor): [..., classes], logits of this process's part of the classes.
            label (Tensor): [...] or [..., 1], whole numbers.
        Returns:
            Tensor: [..., 1].
        """
        return _c_softmax_with_cross_entropy(input, label, self.model_parallel_group, ignore_index=self.ignore_index)


__getattr__ = missing(__name__)
