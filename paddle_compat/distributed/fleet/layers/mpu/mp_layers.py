"""Layers whose weights the processes along the model axis share out; here there is one, which has all of them."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.distributed.fleet.layers.mpu.mp_ops import check_alone
from paddle_compat.nn import functional as F
from paddle_compat.nn.layer.layers import Layer

__all__ = ["ColumnParallelLinear", "ParallelCrossEntropy", "RowParallelLinear", "VocabParallelEmbedding"]


def _model_group(api: str, group: Any) -> Any:
    """The group of the model axis: the given one, or that of fleet's groups."""
    if group is None:
        from paddle_compat.distributed import fleet

        group = fleet.get_hybrid_communicate_group().get_model_parallel_group()
    check_alone(f"meta_parallel.{api}", group)
    return group


class _Parallel(Layer):
    """What the layers have in common."""

    def __init__(self, mp_group: Any, name: str | None, scope: str | None = None) -> None:
        super().__init__(scope)
        self.model_parallel_group = _model_group(type(self).__name__, mp_group)
        self.world_size, self.is_mp, self.rank = self.model_parallel_group.nranks, False, 0
        self._name = name


class _ParallelLinear(_Parallel):
    def __init__(self, sizes: tuple[int, int], weight_attr: Any, bias: bool, fused: bool, mp_group: Any, name: str | None) -> None:
        super().__init__(mp_group, name, "linear")
        if fused:
            raise UnsupportedError(f"paddle.distributed.fleet.meta_parallel.{type(self).__name__}", "fuse_matmul_bias=True", "False")
        self.fuse_matmul_bias, self.linear = fused, F.linear
        self.weight = self.create_parameter(list(sizes), attr=weight_attr)
        self.bias = self.create_parameter([sizes[1]], is_bias=True) if bias else None

    def forward(self, x: Any) -> Any:
        """The product with the weight, and the bias.

        Args:
            x (Tensor): [..., in_features].
        Returns:
            Tensor: [..., out_features].
        """
        return self.linear(x, self.weight, self.bias, name=self._name)


class ColumnParallelLinear(_ParallelLinear):
    """A linear layer whose weight is shared out by columns.

    Args:
        in_features, out_features (int): sizes of the whole layer.
        weight_attr (ParamAttr): of the weight.
        has_bias (bool|None): whether there is a bias; None: no.
        gather_output (bool): whether every process gets the whole result.
        fuse_matmul_bias (bool): False, as on every CPU.
        mp_group (Group|None): the processes; None: fleet's, along the model axis.
        name (str|None): prefix of names of operators.
    Raises:
        UnsupportedError: there are several processes.

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
        super().__init__((in_features, out_features), weight_attr, bool(has_bias), fuse_matmul_bias, mp_group, name)
        self.gather_output, self.output_size_per_partition = gather_output, out_features


class RowParallelLinear(_ParallelLinear):
    """A linear layer whose weight is shared out by rows.

    Args:
        in_features, out_features (int): sizes of the whole layer.
        weight_attr (ParamAttr): of the weight.
        has_bias (bool): whether there is a bias.
        input_is_parallel (bool): whether a process is given its part of the input.
        fuse_matmul_bias (bool): False, as on every CPU.
        mp_group (Group|None): the processes; None: fleet's, along the model axis.
        name (str|None): prefix of names of operators.
    Raises:
        UnsupportedError: there are several processes.

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
        super().__init__((in_features, out_features), weight_attr, has_bias, fuse_matmul_bias, mp_group, name)
        self.in_features, self.out_features = in_features, out_features
        self.input_is_parallel, self.input_size_per_partition = input_is_parallel, in_features


class VocabParallelEmbedding(_Parallel):
    """A table of which each process has some rows.

    Args:
        num_embeddings, embedding_dim (int): sizes of the whole table.
        weight_attr (ParamAttr): of the table.
        mp_group (Group|None): the processes; None: fleet's, along the model axis.
        name (str|None): prefix of names of operators.
    Raises:
        UnsupportedError: there are several processes.

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
        self.vocab_start_index = 0
        self.weight = self.create_parameter([num_embeddings, embedding_dim], attr=weight_attr)

    def forward(self, x: Any) -> Any:
        """The rows of the ids.

        Args:
            x (Tensor): [...], whole numbers.
        Returns:
            Tensor: [..., embedding_dim].
        """
        return F.embedding(x, self.weight, name=self._name)


class ParallelCrossEntropy(_Parallel):
    """The cross entropy of logits whose classes the processes share out.

    Args:
        mp_group (Group|None): the processes; None: fleet's, along the model axis.
        name (str|None): prefix of names of operators.
        ignore_index (int): a label whose loss is 0.
    Raises:
        UnsupportedError: there are several processes.

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
            input (Tensor): [..., classes], logits.
            label (Tensor): [...] or [..., 1], whole numbers.
        Returns:
            Tensor: [..., 1].
        """
        label = label.unsqueeze(-1) if len(label.shape) == len(input.shape) - 1 else label
        return F.softmax_with_cross_entropy(input, label, ignore_index=self.ignore_index)


__getattr__ = missing(__name__)
