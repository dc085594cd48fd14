"""`paddle.fluid.dygraph.nn`: the layers of Paddle 1.8's eager mode."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.param_attr import ParamAttr
from paddle_compat.fluid.dygraph._losses import BCELoss, L1Loss, MSELoss, NLLLoss
from paddle_compat.fluid.dygraph._norms import BatchNorm, Dropout, GroupNorm, InstanceNorm, LayerNorm, SpectralNorm
from paddle_compat.fluid.dygraph._sequences import RowConv as RowConv
from paddle_compat.fluid.dygraph._sequences import SequenceConv as SequenceConv
from paddle_compat.fluid.dygraph._windows import Conv2D, Conv2DTranspose, Conv3D, Conv3DTranspose, Pool2D
from paddle_compat.fluid.dygraph.layers import Layer
from paddle_compat.fluid.initializer import ConstantInitializer, NumpyArrayInitializer
from paddle_compat.fluid.layers._record import run
from paddle_compat.fluid.layers._sampled import _SAMPLERS
from paddle_compat.ops.nce import alias_table

_ACTIVATIONS = {"identity": 0, "sigmoid": 1, "tanh": 2, "relu": 3}


class Linear(Layer):
    """x @ weight + bias.

    Args:
        input_dim, output_dim (int): rows and columns of the weight.
        param_attr, bias_attr (ParamAttr): of weight and bias; False: no bias.
        act (str): an activation.
        dtype: data type of the parameters.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     fc = fluid.dygraph.Linear(4, 2, act="relu")
        ...     fc(fluid.dygraph.to_variable(np.ones([3, 4], "float32"))).shape, fc.weight.name
        ([3, 2], 'linear_0.w_0')

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        param_attr: Any = None,
        bias_attr: Any = None,
        act: str | None = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__()
        self._act, self._dtype = act, dtype
        self.weight = self.create_parameter(shape=[input_dim, output_dim], attr=param_attr, dtype=dtype)
        self.bias = self.create_parameter(shape=[output_dim], attr=bias_attr, dtype=dtype, is_bias=True)

    def forward(self, input: Any) -> Any:
        """Multiply and add.

        Args:
            input (VarBase): its last dimension is input_dim.
        Returns:
            VarBase whose last dimension is output_dim.
        """
        out = run("matmul", input, self.weight, takes="Linear")
        return self._activated(self._shifted(out, self.bias, len(input.shape) - 1), self._act)


class Embedding(Layer):
    """Rows of a table by their numbers.

    Args:
        size (list): rows and columns of the table.
        is_sparse (bool): the gradient holds only the rows that were looked up.
        is_distributed (bool): the table lives on parameter servers.
        padding_idx (int): the row that counts as zeros; negative from the end.
        param_attr (ParamAttr): of the table.
        dtype: data type of the table.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     table = fluid.dygraph.Embedding([10, 4])
        ...     table(fluid.dygraph.to_variable(np.array([[1, 2, 3]]))).shape
        [1, 3, 4]

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        size: Any,
        is_sparse: bool = False,
        is_distributed: bool = False,
        padding_idx: int | None = None,
        param_attr: Any = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__()
        self._size, self._is_sparse, self._is_distributed = size, is_sparse, is_distributed
        self._padding_idx = -1 if padding_idx is None else padding_idx if padding_idx >= 0 else size[0] + padding_idx
        self._param_attr, self._dtype, self._remote_prefetch = param_attr, dtype, is_sparse and not is_distributed
        self.weight = self.create_parameter(shape=size, attr=param_attr, dtype=dtype)

    def forward(self, input: Any) -> Any:
        """Look rows up.

        Args:
            input (VarBase): their numbers, int64.
        Returns:
            VarBase with one dimension more.
        """
        return run(
            "lookup_table_v2", input, self.weight, is_sparse=self._is_sparse, is_distributed=self._is_distributed,
            remote_prefetch=self._remote_prefetch, padding_idx=self._padding_idx, takes="Embedding",
        )  # fmt: skip


class NCE(Layer):
    """Noise-contrastive estimation: a classifier with many classes, of which few are drawn.

    Args:
        num_total_classes (int): how many classes.
        dim (int): numbers in an input.
        sample_weight (VarBase): a weight for each sample.
        param_attr, bias_attr (ParamAttr): of weight and bias; no bias without bias_attr.
        num_neg_samples (int): how many classes are drawn; None: 10.
        sampler (str): "uniform", "log_uniform" or "custom_dist".
        custom_dist (list): the chances of the classes for the last.
        seed (int): of the draws; 0: others each time.
        is_sparse (bool): the weight's gradient holds only the rows that were looked up.
        dtype: data type of the parameters.
    Raises:
        Exception: there is no such sampler.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     nce = fluid.dygraph.NCE(20, 4, seed=1)
        ...     x, label = np.ones([3, 4], "float32"), np.ones([3, 1], "int64")
        ...     nce(fluid.dygraph.to_variable(x), fluid.dygraph.to_variable(label)).shape
        [3, 1]

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        num_total_classes: int,
        dim: int,
        sample_weight: Any = None,
        param_attr: Any = None,
        bias_attr: Any = None,
        num_neg_samples: int | None = None,
        sampler: str = "uniform",
        custom_dist: Any = None,
        seed: int = 0,
        is_sparse: bool = False,
        dtype: Any = "float32",
    ) -> None:
        super().__init__()
        self._param_attr, self._bias_attr, self._dtype = param_attr, bias_attr, dtype
        self._num_total_classes, self._sample_weight = num_total_classes, sample_weight
        self._tables: list[Any] = [None] * 3
        if sampler not in _SAMPLERS:
            expected = ", ".join(map(repr, _SAMPLERS))
            raise Exception(f"Invalid value for argument `sampler` of `NCE`. Expected {expected}. Received: {sampler!r}")
        if sampler == "custom_dist":
            if custom_dist is None:
                raise failed_assertion("custom_dist", "chances, for this sampler", custom_dist, "NCE")
            self._tables = [self._table(array) for array in alias_table(custom_dist, num_total_classes)]
        self._num_neg_samples = 10 if num_neg_samples is None else int(num_neg_samples)
        self._attrs: dict[str, Any] = {
            "num_total_classes": int(num_total_classes), "num_neg_samples": self._num_neg_samples, "seed": seed,
            "sampler": _SAMPLERS[sampler], "is_sparse": is_sparse, "remote_prefetch": is_sparse,
        }  # fmt: skip
        self.weight = self.create_parameter(shape=[num_total_classes, dim], attr=param_attr, dtype=dtype)
        self.bias = self.create_parameter(shape=[num_total_classes, 1], attr=bias_attr, dtype=dtype, is_bias=True) if bias_attr else None

    def _table(self, array: np.ndarray) -> Any:
        start = NumpyArrayInitializer(array)
        made = self.create_parameter(shape=array.shape, attr=ParamAttr(), dtype=array.dtype, default_initializer=start)
        made.stop_gradient = True
        return made

    def forward(self, input: Any, label: Any, sample_weight: Any = None) -> Any:
        """The loss of each sample.

        Args:
            input (VarBase): [N, dim].
            label (VarBase): true classes, int64 [N, 1].
            sample_weight (VarBase): a weight for each sample; None: the layer's.
        Returns:
            VarBase [N, 1].
        """
        weights = self._sample_weight if sample_weight is None else sample_weight
        cost = run("nce", input, label, self.weight, self.bias, weights, *self._tables, takes="NCE", **self._attrs)[0]
        return cost / (self._num_neg_samples + 1)


class PRelu(Layer):
    """x where positive, else alpha * x, with alphas that are trained.

    Args:
        mode (str): one alpha for "all", one for each "channel", or one for each "element".
        channel (int): how many channels, for "channel".
        input_shape (list): the input's dimensions, for "element".
        param_attr (ParamAttr): of the alphas, which start at 1.
        dtype: data type of the alphas.
    Raises:
        ValueError: mode is none of these.
        AssertionError: what the mode needs is missing.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     act = fluid.dygraph.PRelu("all", param_attr=fluid.initializer.Constant(0.5))
        ...     act(fluid.dygraph.to_variable(np.array([[-1.0, 1.0]], "float32"))).numpy().tolist()
        [[-0.5, 1.0]]

    Follows Paddle 1.8.
    """

    def __init__(
        self, mode: str, channel: int | None = None, input_shape: Any = None, param_attr: Any = None, dtype: Any = "float32"
    ) -> None:
        super().__init__(name_scope="prelu")
        if mode not in ("all", "channel", "element"):
            raise ValueError(f"Invalid value for argument `mode` of `PRelu`. Expected 'all', 'channel' or 'element'. Received: {mode!r}")
        self._mode, self._param_attr, self._dtype = mode, param_attr, dtype
        if mode == "channel":
            if not isinstance(channel, int):
                raise failed_assertion("channel", "an int, when mode is 'channel'", channel, "PRelu")
            self._alpha_shape = [1, channel, 1, 1]
        elif mode == "element":
            if not isinstance(input_shape, (list, tuple)):
                raise failed_assertion("input_shape", "a list, when mode is 'element'", input_shape, "PRelu")
            self._alpha_shape = [1, *input_shape[1:]]
        else:
            self._alpha_shape = [1]
        one = ConstantInitializer(1.0)
        self.weight = self.create_parameter(shape=self._alpha_shape, attr=param_attr, dtype="float32", default_initializer=one)

    def forward(self, input: Any) -> Any:
        """Activate.

        Args:
            input (VarBase): [N, C, ...].
        Returns:
            VarBase of the same shape.
        """
        return run("prelu", input, self.weight, mode=self._mode, takes="PRelu")


class BilinearTensorProduct(Layer):
    """x @ weight[i] @ y for each i, plus a bias.

    Args:
        input1_dim, input2_dim (int): numbers in x and y.
        output_dim (int): how many matrices there are.
        name (str): of no effect.
        act (str): an activation.
        param_attr, bias_attr (ParamAttr): of weight and bias; False: no bias.
        dtype: data type of the parameters.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     x, y = (fluid.dygraph.to_variable(np.ones([3, n], "float32")) for n in (2, 4))
        ...     fluid.dygraph.BilinearTensorProduct(2, 4, 5)(x, y).shape
        [3, 5]

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        input1_dim: int,
        input2_dim: int,
        output_dim: int,
        name: str | None = None,
        act: str | None = None,
        param_attr: Any = None,
        bias_attr: Any = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__()
        self._param_attr, self._bias_attr, self._act, self._name, self._dtype = param_attr, bias_attr, act, name, dtype
        self._input1_dim, self._input2_dim, self._output_dim = input1_dim, input2_dim, output_dim
        self.weight = self.create_parameter(shape=[output_dim, input1_dim, input2_dim], attr=param_attr, dtype=dtype)
        self.bias = self.create_parameter(shape=[1, output_dim], attr=bias_attr, dtype=dtype, is_bias=True)

    def forward(self, x: Any, y: Any) -> Any:
        """Multiply.

        Args:
            x, y (VarBase): [N, input1_dim] and [N, input2_dim].
        Returns:
            VarBase [N, output_dim].
        """
        return self._activated(run("bilinear_tensor_product", x, y, self.weight, self.bias, takes="BilinearTensorProduct"), self._act)


class TreeConv(Layer):
    """Convolve trees: for every node what lies below it, weighted by depth and place.

    Args:
        feature_size (int): features of a node.
        output_size (int): numbers that each filter makes of a node.
        num_filters (int): how many filters there are.
        max_depth (int): how many levels a filter sees.
        act (str): an activation.
        param_attr (ParamAttr): of weight.
        bias_attr (ParamAttr): of bias; None or False: no bias.
        name (str): of no effect.
        dtype: data type of the parameters.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     nodes = fluid.dygraph.to_variable(np.ones([1, 3, 5], "float32"))
        ...     edges = fluid.dygraph.to_variable(np.array([[[1, 2], [1, 3]]], "int32"))
        ...     fluid.dygraph.TreeConv(5, 6, 2)(nodes, edges).shape
        [1, 3, 6, 2]

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        feature_size: int,
        output_size: int,
        num_filters: int = 1,
        max_depth: int = 2,
        act: str | None = "tanh",
        param_attr: Any = None,
        bias_attr: Any = None,
        name: str | None = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__()
        self._feature_size, self._output_size, self._num_filters, self._max_depth = feature_size, output_size, num_filters, max_depth
        self._act, self._param_attr, self._bias_attr, self._name, self._dtype = act, param_attr, bias_attr, name, dtype
        if bias_attr:  # None makes none, as in the real class
            self.bias = self.create_parameter(shape=[num_filters], attr=bias_attr, dtype=dtype, is_bias=True)
        self.weight = self.create_parameter(shape=[feature_size, 3, output_size, num_filters], attr=param_attr, dtype=dtype)

    def forward(self, nodes_vector: Any, edge_set: Any) -> Any:
        """Convolve.

        Args:
            nodes_vector (VarBase): [trees, nodes, feature_size].
            edge_set (VarBase): parent and child of each edge, counted from 1, int32 [trees, edges, 2].
        Returns:
            VarBase [trees, nodes, output_size, num_filters].
        """
        out = run("tree_conv", nodes_vector, edge_set, self.weight, max_depth=self._max_depth)
        if self._bias_attr:
            out = run("elementwise_add", out, self.bias, axis=1)
        return self._activated(out, self._act)


class GRUUnit(Layer):
    """One step of a gated recurrent unit.

    Args:
        size (int): three times the width of the state.
        param_attr, bias_attr (ParamAttr): of weight and bias; False: no bias.
        activation, gate_activation (str): "tanh", "sigmoid", "relu" or "identity", for the candidate and for the gates.
        origin_mode (bool): of no effect, as in Paddle 1.8's eager mode.
        dtype: data type of the parameters.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     x, state = (fluid.dygraph.to_variable(np.ones([2, n], "float32")) for n in (12, 4))
        ...     [part.shape for part in fluid.dygraph.GRUUnit(12)(x, state)]
        [[2, 4], [2, 4], [2, 12]]

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        size: int,
        param_attr: Any = None,
        bias_attr: Any = None,
        activation: str = "tanh",
        gate_activation: str = "sigmoid",
        origin_mode: bool = False,
        dtype: Any = "float32",
    ) -> None:
        super().__init__()
        self._bias_attr, self._dtype = bias_attr, dtype
        self.activation, self.gate_activation = _ACTIVATIONS[activation], _ACTIVATIONS[gate_activation]
        width = size // 3
        self.weight = self.create_parameter(shape=[width, width * 3], attr=param_attr, dtype=dtype)
        self._bias_size = [1, width * 3]
        self.bias = self.create_parameter(shape=self._bias_size, attr=bias_attr, dtype=dtype, is_bias=True)

    def forward(self, input: Any, hidden: Any) -> Any:
        """Take a step.

        Args:
            input (VarBase): [N, size], the input times its weights.
            hidden (VarBase): the state, [N, size / 3].
        Returns:
            tuple: the new state, the state behind the reset gate, the gates.
        """
        gate, reset, new = run(
            "gru_unit", input, hidden, self.weight, self.bias, activation=self.activation, gate_activation=self.gate_activation,
            takes="GRUUnit",
        )  # fmt: skip
        return new, reset, gate


__all__ = [
    "BCELoss", "BatchNorm", "BilinearTensorProduct", "Conv2D", "Conv2DTranspose", "Conv3D", "Conv3DTranspose", "Dropout", "Embedding",
    "GRUUnit", "GroupNorm", "InstanceNorm", "L1Loss", "LayerNorm", "Linear", "MSELoss", "NCE", "NLLLoss", "PRelu", "Pool2D",
    "SpectralNorm", "TreeConv",
]  # fmt: skip

__getattr__ = missing(__name__)
