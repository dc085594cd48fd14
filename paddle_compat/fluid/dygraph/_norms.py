"""Layers that normalise: over batches, trailing dimensions, groups, single images, weights; and dropout."""

from __future__ import annotations

import math
import numbers
from typing import Any

from paddle_compat.core import capture, mode
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.param_attr import ParamAttr
from paddle_compat.core.program import default_main_program
from paddle_compat.fluid.dygraph.layers import Layer
from paddle_compat.fluid.initializer import ConstantInitializer, NormalInitializer
from paddle_compat.fluid.layers._record import run


class BatchNorm(Layer):
    """Every channel with mean 0 and variance 1 over the batch, then scaled and shifted.

    Args:
        num_channels (int): how many channels.
        act (str): an activation.
        is_test (bool): in static mode: take the running statistics.
        momentum (float): how much of the running statistics stays.
        epsilon (float): is added to the variance.
        param_attr, bias_attr (ParamAttr): of scale and shift.
        dtype: data type of the parameters; statistics of float16 are float32.
        data_layout (str): "NCHW" or "NHWC".
        in_place (bool): of no effect.
        moving_mean_name, moving_variance_name (str): names of the running statistics.
        do_model_average_for_mean_and_var (bool): model averages take them, too.
        use_global_stats (bool): take the running statistics while training.
        trainable_statistics (bool): take the batch's while testing, too.
    Raises:
        AssertionError: bias_attr is False.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     norm = fluid.dygraph.BatchNorm(3)
        ...     norm(fluid.dygraph.to_variable(np.ones([2, 3, 4, 4], "float32"))).shape, list(norm.state_dict())
        ([2, 3, 4, 4], ['weight', 'bias', '_mean', '_variance'])

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        num_channels: int,
        act: str | None = None,
        is_test: bool = False,
        momentum: float = 0.9,
        epsilon: float = 1e-05,
        param_attr: Any = None,
        bias_attr: Any = None,
        dtype: Any = "float32",
        data_layout: str = "NCHW",
        in_place: bool = False,
        moving_mean_name: str | None = None,
        moving_variance_name: str | None = None,
        do_model_average_for_mean_and_var: bool = True,
        use_global_stats: bool = False,
        trainable_statistics: bool = False,
    ) -> None:
        super().__init__()
        if bias_attr is False:
            raise failed_assertion("bias_attr", "ParamAttr or None", bias_attr, "BatchNorm")
        self._param_attr, self._bias_attr, self._act = param_attr, bias_attr, act
        self._dtype = "float32" if dtype == "float16" else dtype
        shape = [num_channels]
        self.weight = self.create_parameter(shape=shape, attr=param_attr, dtype=self._dtype, default_initializer=ConstantInitializer(1.0))
        self.bias = self.create_parameter(shape=shape, attr=bias_attr, dtype=self._dtype, is_bias=True)
        average = do_model_average_for_mean_and_var

        def statistic(name: str | None, start: float) -> Any:
            attr = ParamAttr(name=name, initializer=ConstantInitializer(start), trainable=False, do_model_average=average)
            made = self.create_parameter(shape=shape, attr=attr, dtype=self._dtype)
            made.stop_gradient = True
            return made

        self._mean = statistic(moving_mean_name, 0.0)
        self._variance = statistic(moving_variance_name, 1.0)
        self._in_place, self._data_layout, self._momentum, self._epsilon = in_place, data_layout, momentum, epsilon
        self._is_test, self._fuse_with_relu = is_test, False
        self._use_global_stats, self._trainable_statistics = use_global_stats, trainable_statistics

    def forward(self, input: Any) -> Any:
        """Normalise.

        Args:
            input (VarBase): 2 to 5 dimensions.
        Returns:
            VarBase of the same shape.
        """
        out = run(
            "batch_norm", input, self.weight, self.bias, self._mean, self._variance,
            outputs={"MeanOut": self._mean, "VarianceOut": self._variance, "ReserveSpace": None},
            momentum=self._momentum, epsilon=self._epsilon,
            is_test=not self.training if mode._static is False or capture.current is not None else self._is_test,
            data_layout=self._data_layout,
            use_global_stats=self._use_global_stats, trainable_statistics=self._trainable_statistics, takes="BatchNorm",
        )[0]  # fmt: skip
        return self._activated(out, self._act)


class Dropout(Layer):
    """Elements set to 0 by chance while training.

    Args:
        p (float): the chance.
        seed (int): of the random numbers, which then are the same in every call; None: the default Program's.
        dropout_implementation (str): "downgrade_in_infer" multiplies by 1 - p when testing, "upscale_in_train" divides by it when
            training.
        is_test (bool): in static mode: leave all elements.
    Raises:
        AssertionError: an argument is none of these.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     drop = fluid.dygraph.Dropout(0.25)
        ...     drop.eval()
        ...     drop(fluid.dygraph.to_variable(np.ones([2], "float32"))).numpy()
        array([0.75, 0.75], dtype=float32)

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        p: float = 0.5,
        seed: int | None = None,
        dropout_implementation: str = "downgrade_in_infer",
        is_test: bool = False,
    ) -> None:
        super().__init__()
        if not isinstance(p, (float, int)) or not 0 <= p <= 1:
            raise failed_assertion("p", "a number in [0, 1]", p, "Dropout")
        if seed is not None and not isinstance(seed, int):
            raise failed_assertion("seed", "an int or None", seed, "Dropout")
        if dropout_implementation not in ("downgrade_in_infer", "upscale_in_train"):
            expected = "'downgrade_in_infer' or 'upscale_in_train'"
            raise failed_assertion("dropout_implementation", expected, dropout_implementation, "Dropout")
        self._dropout_prob, self._seed, self._is_test = p, None if seed == 0 else seed, is_test
        self._dropout_implementation = dropout_implementation

    def forward(self, input: Any) -> Any:
        """Drop elements.

        Args:
            input (VarBase): floating.
        Returns:
            VarBase of the same shape.
        """
        seed = self._seed or default_main_program().random_seed or None
        return run(
            "dropout", input, dropout_prob=self._dropout_prob, fix_seed=seed is not None, seed=seed or 0,
            is_test=not self.training if mode._static is False or capture.current is not None else self._is_test,
            dropout_implementation=self._dropout_implementation,
        )  # fmt: skip


class LayerNorm(Layer):
    """The trailing dimensions with mean 0 and variance 1, then scaled and shifted.

    Args:
        normalized_shape (int|list): the trailing dimensions.
        scale, shift (bool): whether to scale and to shift.
        epsilon (float): is added to the variance.
        param_attr, bias_attr (ParamAttr): of scale and shift; False for none.
        act (str): an activation.
        dtype: data type of the parameters.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     fluid.dygraph.LayerNorm(4)(fluid.dygraph.to_variable(np.ones([2, 4], "float32"))).shape
        [2, 4]

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        normalized_shape: Any,
        scale: bool = True,
        shift: bool = True,
        epsilon: float = 1e-05,
        param_attr: Any = None,
        bias_attr: Any = None,
        act: str | None = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__()
        self._normalized_shape = [int(normalized_shape)] if isinstance(normalized_shape, numbers.Integral) else list(normalized_shape)
        self._scale, self._shift, self._epsilon, self._act, self._dtype = scale, shift, epsilon, act, dtype
        self._param_attr, self._bias_attr = param_attr, bias_attr
        size = [math.prod(self._normalized_shape)]
        one = ConstantInitializer(1.0)
        self.weight = self.create_parameter(shape=size, attr=param_attr, dtype=dtype, default_initializer=one) if scale else None
        self.bias = self.create_parameter(shape=size, attr=bias_attr, dtype=dtype, is_bias=True) if shift else None

    def forward(self, input: Any) -> Any:
        """Normalise.

        Args:
            input (VarBase): its last dimensions are those of the layer.
        Returns:
            VarBase of the same shape.
        Raises:
            ValueError: its last dimensions are others.
        """
        count = len(self._normalized_shape)
        if list(input.shape)[-count:] != self._normalized_shape:
            expected = f"{self._normalized_shape} for the last dimensions"
            raise ValueError(f"Invalid shape of argument `input` of `LayerNorm`. Expected {expected}. Received: {list(input.shape)}")
        axis = len(input.shape) - count
        out = run("layer_norm", input, self.weight, self.bias, epsilon=self._epsilon, begin_norm_axis=axis, takes="LayerNorm")
        return self._activated(out, self._act)


class GroupNorm(Layer):
    """Every group of channels of every image with mean 0 and variance 1, then scaled and shifted.

    Args:
        channels (int): how many channels.
        groups (int): how many groups.
        epsilon (float): is added to the variance.
        param_attr, bias_attr (ParamAttr): of scale and shift; without them nothing is scaled or shifted.
        act (str): an activation.
        data_layout (str): "NCHW".
        dtype: data type of the parameters.
    Raises:
        ValueError: data_layout is another.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     fluid.dygraph.GroupNorm(4, 2)(fluid.dygraph.to_variable(np.ones([2, 4, 3, 3], "float32"))).shape
        [2, 4, 3, 3]

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        channels: int,
        groups: int,
        epsilon: float = 1e-05,
        param_attr: Any = None,
        bias_attr: Any = None,
        act: str | None = None,
        data_layout: str = "NCHW",
        dtype: Any = "float32",
    ) -> None:
        super().__init__()
        if data_layout != "NCHW":
            raise ValueError(f"Invalid value for argument `data_layout` of `GroupNorm`. Expected 'NCHW'. Received: {data_layout!r}")
        self._param_attr, self._bias_attr, self._epsilon = param_attr, bias_attr, epsilon
        self._channels, self._groups, self._act, self._dtype = channels, groups, act, dtype
        one, shape = ConstantInitializer(1.0), [channels]
        self.weight = self.create_parameter(shape=shape, attr=param_attr or False, dtype=dtype, default_initializer=one)
        self.bias = self.create_parameter(shape=shape, attr=bias_attr or False, dtype=dtype, is_bias=True)

    def forward(self, input: Any) -> Any:
        """Normalise.

        Args:
            input (VarBase): [N, C, H, W].
        Returns:
            VarBase of the same shape.
        """
        out = run("group_norm", input, self.weight, self.bias, epsilon=self._epsilon, groups=self._groups)
        return self._activated(out, self._act)


class InstanceNorm(Layer):
    """Every channel of every image with mean 0 and variance 1, then scaled and shifted.

    Args:
        num_channels (int): how many channels.
        epsilon (float): is added to the variance.
        param_attr, bias_attr (ParamAttr): of scale and shift.
        dtype: data type of the parameters.
    Raises:
        AssertionError: bias_attr is False.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     norm = fluid.dygraph.InstanceNorm(3)
        ...     norm(fluid.dygraph.to_variable(np.ones([2, 3, 4, 4], "float32"))).shape, norm.scale.name
        ([2, 3, 4, 4], 'instance_norm_0.w_0')

    Follows Paddle 1.8.
    """

    def __init__(
        self, num_channels: int, epsilon: float = 1e-05, param_attr: Any = None, bias_attr: Any = None, dtype: Any = "float32"
    ) -> None:
        super().__init__()
        if bias_attr is False:
            raise failed_assertion("bias_attr", "ParamAttr or None", bias_attr, "InstanceNorm")
        self._epsilon, self._param_attr, self._bias_attr, self._dtype = epsilon, param_attr, bias_attr, dtype
        shape = [num_channels]
        self.scale = self.create_parameter(shape=shape, attr=param_attr, dtype=dtype, default_initializer=ConstantInitializer(1.0))
        zero = ConstantInitializer(0.0)
        self.bias = self.create_parameter(shape=shape, attr=bias_attr, dtype=dtype, is_bias=True, default_initializer=zero)

    def forward(self, input: Any) -> Any:
        """Normalise.

        Args:
            input (VarBase): 2 to 5 dimensions.
        Returns:
            VarBase of the same shape.
        """
        return run("instance_norm", input, self.scale, self.bias, epsilon=self._epsilon, takes="InstanceNorm")


class SpectralNorm(Layer):
    """A weight divided by its largest singular value, which power iterations find.

    Args:
        weight_shape (list): the weight's dimensions.
        dim (int): the one that becomes the matrix's rows.
        power_iters (int): iterations in a call.
        eps (float): keeps lengths above 0.
        dtype: data type of the vectors.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     norm = fluid.dygraph.SpectralNorm([2, 3], power_iters=20)
        ...     norm(fluid.dygraph.to_variable(np.full([2, 3], 5.0, "float32"))).numpy().round(4)[0].tolist()
        [0.4081999957561493, 0.4081999957561493, 0.4081999957561493]

    Follows Paddle 1.8.
    """

    def __init__(self, weight_shape: Any, dim: int = 0, power_iters: int = 1, eps: float = 1e-12, dtype: Any = "float32") -> None:
        super().__init__()
        self._power_iters, self._eps, self._dim, self._dtype = power_iters, eps, dim, dtype
        self._weight_shape = list(weight_shape)
        rows = self._weight_shape[dim]

        def vector(size: int) -> Any:
            made = self.create_parameter(shape=[size], attr=ParamAttr(), dtype=dtype, default_initializer=NormalInitializer(0.0, 1.0))
            made.stop_gradient = True
            return made

        self.weight_u = vector(rows)
        self.weight_v = vector(math.prod(self._weight_shape) // rows)

    def forward(self, weight: Any) -> Any:
        """Divide.

        Args:
            weight (VarBase): of the layer's shape.
        Returns:
            VarBase of the same shape.
        """
        return run(
            "spectral_norm", weight, self.weight_u, self.weight_v, dim=self._dim, power_iters=self._power_iters, eps=self._eps,
            takes="SpectralNorm",
        )  # fmt: skip


__all__ = ["BatchNorm", "Dropout", "GroupNorm", "InstanceNorm", "LayerNorm", "SpectralNorm"]
