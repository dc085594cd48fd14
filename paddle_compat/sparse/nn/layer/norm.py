"""Normalization of the values that are there."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.variable import Variable
from paddle_compat.nn.functional.norm import batch_norm
from paddle_compat.nn.layer import norm as of_dense
from paddle_compat.sparse._arguments import of_coordinates, recorded


class BatchNorm(of_dense.BatchNorm1D):
    """Batch normalization over the values that are there.

    Args:
        num_features (int): channels.
        momentum (float): how much of the running statistics stays.
        epsilon (float): keeps the division finite.
        weight_attr (ParamAttr): of the factors; False: none.
        bias_attr (ParamAttr): of the shifts; False: none.
        data_format (str): "NDHWC" or "NHWC"; another is refused when the layer is called.
        use_global_stats (bool): normalize with the running statistics; None: if the layer's first call is in inference, then for good,
            as in the wheel.
        name (str): shown when the layer is printed.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 0], [0, 1], [0, 1], [0, 0]], [[1.0], [3.0]], [1, 2, 2, 2, 1])
        >>> paddle.sparse.nn.BatchNorm(1)(x).values().numpy().round(2).tolist()
        [[-1.0], [1.0]]

    Follows Paddle 2.6.
    """

    _formats: tuple[str, ...] = ("NC", "NCL", "NLC", "NCHW", "NHWC", "NCDHW", "NDHWC")

    def __init__(
        self, num_features: int, momentum: float = 0.9, epsilon: float = 1e-5, weight_attr: Any = None, bias_attr: Any = None,
        data_format: str = "NDHWC", use_global_stats: bool | None = None, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(num_features, momentum, epsilon, weight_attr, bias_attr, data_format, use_global_stats, name)

    def forward(self, input: Any) -> Any:
        """Normalize every channel over the values that are there.

        Args:
            input (Tensor): sparse, of the layout COO, whose values have one dimension, that of channels.
        Returns:
            Tensor: sparse, with values at the same places.
        Raises:
            ValueError: the layer's data format is another.
        """
        if self._data_format not in ("NDHWC", "NHWC"):
            raise invalid_argument("data_format", "NDHWC or NHWC", self._data_format, "BatchNorm")
        if isinstance(input, Variable):
            out, *_ = recorded(
                "sparse_batch_norm", input, self._mean, self._variance, self.weight, self.bias, momentum=self._momentum,
                epsilon=self._epsilon, data_layout="NHWC", is_test=not self.training, use_global_stats=bool(self._use_global_stats),
                trainable_statistics=False,
            )  # fmt: skip
            return out
        if self._use_global_stats is None:  # the first call decides for all that follow, as in the wheel
            self._use_global_stats = not self.training
        found = of_coordinates(input, "input", "BatchNorm")
        values = batch_norm(
            found._values, self._mean, self._variance, weight=self.weight, bias=self.bias, training=self.training,
            momentum=self._momentum, epsilon=self._epsilon, data_format="NC", use_global_stats=self._use_global_stats,
        )  # fmt: skip
        return found._like(values)


class SyncBatchNorm(of_dense.SyncBatchNorm):
    """Batch normalization over the values that are there, whose statistics run over all ranks.

    Args:
        num_features (int): channels.
        momentum (float): how much of the running statistics stays.
        epsilon (float): keeps the division finite.
        weight_attr (ParamAttr): of the factors; False: none.
        bias_attr (ParamAttr): of the shifts; False: none.
        data_format (str): shown when the layer is printed.
        name (str): shown when the layer is printed.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 0], [0, 1], [0, 1], [0, 0]], [[1.0], [3.0]], [1, 2, 2, 2, 1])
        >>> paddle.sparse.nn.SyncBatchNorm(1)(x).values().numpy().round(2).tolist()
        [[-1.0], [1.0]]
        >>> paddle.sparse.nn.SyncBatchNorm.convert_sync_batchnorm(paddle.sparse.nn.BatchNorm(1))
        SyncBatchNorm(num_features=1, momentum=0.9, epsilon=1e-05, data_format=NDHWC)

    Follows Paddle 2.6, which has it on GPUs only.
    """

    def __init__(
        self, num_features: int, momentum: float = 0.9, epsilon: float = 1e-5, weight_attr: Any = None, bias_attr: Any = None,
        data_format: str = "NCHW", name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(num_features, momentum, epsilon, weight_attr, bias_attr, data_format, name)

    def forward(self, x: Any) -> Any:
        """Normalize every channel over the values that are there.

        Args:
            x (Tensor): sparse, of the layout COO, whose values have one dimension, that of channels.
        Returns:
            Tensor: sparse, with values at the same places.
        """
        found = of_coordinates(x, "x", "SyncBatchNorm")
        return found._like(super().forward(found._values))

    @classmethod
    def convert_sync_batchnorm(cls, layer: Any) -> Any:
        """The layer with every batch norm of sparse Tensors in it made a SyncBatchNorm.

        Args:
            layer (Layer): a layer.
        Returns:
            Layer: itself, or a SyncBatchNorm with its parameters and statistics where it is a batch norm.
        """
        if isinstance(layer, BatchNorm):
            made = cls(layer._num_features, layer._momentum, layer._epsilon, layer._weight_attr, layer._bias_attr, layer._data_format)
            made.weight, made.bias = layer.weight, layer.bias
            made._mean, made._variance = layer._mean, layer._variance
            return made
        for name, child in list(layer.named_children()):
            setattr(layer, name, cls.convert_sync_batchnorm(child))
        return layer


__all__ = ["BatchNorm", "SyncBatchNorm"]

__getattr__ = missing(__name__)
