"""Normalization layers."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import capture, mode
from paddle_compat.core.dtype import default, dtype_name
from paddle_compat.core.errors import failed_assertion, invalid_argument
from paddle_compat.core.op import definition_of, find_op
from paddle_compat.core.paddle3 import SINCE_3_3, paddle3
from paddle_compat.core.param_attr import ParamAttr
from paddle_compat.core.tensor import Tensor
from paddle_compat.nn.functional.norm import _sync_batch_norm, batch_norm, grouped, instance_norm, layer_norm
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.tensor._calls import plain


def _functional(name: str) -> Any:
    return getattr(import_module("paddle_compat.nn.functional"), name)


def _constant(value: float) -> Any:
    return import_module("paddle_compat.nn.initializer").Constant(value)


def _scale_and_shift(layer: Layer, shape: list[int], weight_attr: Any, bias_attr: Any, dtype: Any = None) -> None:
    """Weight (from 1) and bias (from 0), None where the attribute is False."""
    weight: dict[str, Any] = {"attr": weight_attr, "dtype": dtype, "is_bias": False, "default_initializer": _constant(1.0)}
    layer.weight = None if weight_attr is False else layer.create_parameter(shape=shape, **weight)
    layer.bias = None if bias_attr is False else layer.create_parameter(shape=shape, attr=bias_attr, dtype=dtype, is_bias=True)


def _statistic(layer: Layer, channels: int, value: float, name: str | None = None, average: bool = True, dtype: Any = None) -> Any:
    """A running statistic: a parameter that no optimizer trains, as the wheel has it."""
    attr = ParamAttr(name=name, initializer=_constant(value), trainable=False, do_model_average=average)
    made = layer.create_parameter(shape=[channels], attr=attr, dtype=dtype)
    made.stop_gradient = True
    return made


def _check_rank(layer: Any, input: Any) -> None:
    if len(input.shape) not in layer._ranks:
        raise invalid_argument("input", f"{' or '.join(map(str, layer._ranks))} dimensions", list(input.shape), type(layer).__name__)


class _BatchNormBase(Layer):
    """What all batch norms share."""

    _formats: tuple[str, ...] = ("NC", "NCL", "NLC", "NCHW", "NHWC", "NCDHW", "NDHWC")
    _ranks: tuple[int, ...] = (2, 3, 4, 5)
    _in_place = _fuse_with_relu = False  # what subclasses that append the operator themselves ask for

    def __init__(
        self,
        num_features: int,
        momentum: float = 0.9,
        epsilon: float = 1e-5,
        weight_attr: Any = None,
        bias_attr: Any = None,
        data_format: str = "NCHW",
        use_global_stats: bool | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(dtype=dtype_name(default()))
        self._check_format(data_format)
        self._num_features, self._momentum, self._epsilon = num_features, momentum, epsilon
        self._weight_attr, self._bias_attr, self._name = weight_attr, bias_attr, name
        self._use_global_stats = use_global_stats
        self._data_format = data_format
        _scale_and_shift(self, [num_features], weight_attr, bias_attr)
        self._mean = _statistic(self, num_features, 0.0)
        self._variance = _statistic(self, num_features, 1.0)

    def forward(self, input: Any) -> Any:
        """Normalize every channel over the batch.

        Args:
            input: batch and channels, with or without more dimensions.
        Returns:
            A tensor like `input`.
        Raises:
            ValueError: the input has another number of dimensions.
        """
        self._check_data_format(self._data_format)
        self._check_input_dim(input)
        return batch_norm(
            input, self._mean, self._variance, weight=self.weight, bias=self.bias, training=self.training, momentum=self._momentum,
            epsilon=self._epsilon, data_format=self._data_format, use_global_stats=self._use_global_stats,
        )  # fmt: skip

    def _check_format(self, data_format: str) -> None:
        if data_format not in self._formats:
            raise invalid_argument("data_format", f"one of {self._formats}", data_format, type(self).__name__)

    def _check_data_format(self, input: str | None = None) -> None:
        """Refuse a format that is not the layer's. The wheel names a layer's format NCHW or NHWC from its first call on."""
        data_format = self._data_format if input is None else input
        self._check_format(data_format)
        self._data_format = "NHWC" if data_format in ("NLC", "NHWC", "NDHWC") else "NCHW"

    def _check_input_dim(self, input: Any) -> None:  # subclasses call and override both, as in Paddle
        _check_rank(self, input)

    def extra_repr(self) -> str:
        """The settings."""
        text = f"num_features={self._num_features}, momentum={self._momentum}, epsilon={self._epsilon}"
        text += f", data_format={self._data_format}" if self._data_format != "NCHW" else ""
        return text + (f", name={self._name}" if self._name else "")


class BatchNorm1D(_BatchNormBase):
    """Batch normalization of vectors and sequences.

    Args:
        num_features: channels.
        momentum: how much of the running statistics stays.
        epsilon: keeps the division finite.
        weight_attr, bias_attr: ParamAttr; False for none.
        data_format: NC, NCL or NLC.
        use_global_stats: normalize with the running statistics; None: in inference only.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.BatchNorm1D(3)
        >>> layer(paddle.ones([2, 3])).shape
        [2, 3]

    Follows Paddle 2.6.
    """

    _formats: tuple[str, ...] = ("NC", "NCL", "NLC", "NCHW", "NHWC")
    _ranks = (2, 3)

    def __init__(
        self, num_features: int, momentum: float = 0.9, epsilon: float = 1e-5, weight_attr: Any = None, bias_attr: Any = None,
        data_format: str = "NCL", use_global_stats: bool | None = None, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(num_features, momentum, epsilon, weight_attr, bias_attr, data_format, use_global_stats, name)


class BatchNorm2D(_BatchNormBase):
    """Batch normalization of images.

    Args:
        num_features: channels.
        momentum: how much of the running statistics stays.
        epsilon: keeps the division finite.
        weight_attr, bias_attr: ParamAttr; False for none.
        data_format: NCHW or NHWC.
        use_global_stats: normalize with the running statistics; None: in inference only.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.BatchNorm2D(3)
        >>> layer(paddle.ones([2, 3, 4, 4])).shape
        [2, 3, 4, 4]

    Follows Paddle 2.6.
    """

    _formats, _ranks = ("NCHW", "NHWC"), (4,)


class BatchNorm3D(_BatchNormBase):
    """Batch normalization of volumes.

    Args:
        num_features: channels.
        momentum: how much of the running statistics stays.
        epsilon: keeps the division finite.
        weight_attr, bias_attr: ParamAttr; False for none.
        data_format: NCDHW or NDHWC.
        use_global_stats: normalize with the running statistics; None: in inference only.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.BatchNorm3D(3)
        >>> layer(paddle.ones([2, 3, 4, 4, 4])).shape
        [2, 3, 4, 4, 4]

    Follows Paddle 2.6.
    """

    _formats, _ranks = ("NCDHW", "NDHWC", "NCHW", "NHWC"), (5,)

    def __init__(
        self, num_features: int, momentum: float = 0.9, epsilon: float = 1e-5, weight_attr: Any = None, bias_attr: Any = None,
        data_format: str = "NCDHW", use_global_stats: bool | None = None, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(num_features, momentum, epsilon, weight_attr, bias_attr, data_format, use_global_stats, name)


class SyncBatchNorm(_BatchNormBase):
    """Batch normalization whose statistics run over all ranks; on one rank, batch normalization.

    Args:
        num_features: channels.
        momentum: how much of the running statistics stays.
        epsilon: keeps the division finite.
        weight_attr, bias_attr: ParamAttr; False for none.
        data_format: where the channels are.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> net = paddle.nn.Sequential(paddle.nn.Conv2D(3, 4, 3), paddle.nn.BatchNorm2D(4))
        >>> net = paddle.nn.SyncBatchNorm.convert_sync_batchnorm(net)
        >>> net[1]
        SyncBatchNorm(num_features=4, momentum=0.9, epsilon=1e-05)

    Follows Paddle 2.6.
    """

    _formats, _ranks = ("NC", "NCL", "NLC", "NCHW", "NHWC", "NCDHW", "NDHWC"), (2, 3, 4, 5)

    def __init__(
        self, num_features: int, momentum: float = 0.9, epsilon: float = 1e-5, weight_attr: Any = None, bias_attr: Any = None,
        data_format: str = "NCHW", name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(num_features, momentum, epsilon, weight_attr, bias_attr, data_format, None, name)

    def forward(self, x: Any) -> Any:  # named so by the real one
        """Normalize.

        Args:
            x: in the layer's format.
        Returns:
            A tensor like `x`.
        Raises:
            ValueError: x has fewer than 2 or more than 5 dimensions.
        """
        if len(x.shape) not in self._ranks:
            return super().forward(x)
        return _sync_batch_norm(
            x, self._mean, self._variance, self.weight, self.bias, self.training, self._momentum, self._epsilon, self._data_format
        )

    @classmethod
    def convert_sync_batchnorm(cls, layer: Any) -> Any:
        """The layer with every batch norm in it made a SyncBatchNorm.

        Args:
            layer: a Layer.
        Returns:
            The layer itself, or a SyncBatchNorm with its parameters and statistics where it is a batch norm.
        """
        if isinstance(layer, _BatchNormBase) and not isinstance(layer, cls):
            made = cls(layer._num_features, layer._momentum, layer._epsilon, layer._weight_attr, layer._bias_attr, layer._data_format)
            made.weight, made.bias = layer.weight, layer.bias
            made._mean, made._variance = layer._mean, layer._variance
            return made
        for name, child in list(layer.named_children()):
            setattr(layer, name, cls.convert_sync_batchnorm(child))
        return layer


class BatchNorm(Layer):
    """Batch normalization in the spelling of Paddle 1.8, with an activation.

    Args:
        num_channels: channels.
        act: name of an activation that follows.
        is_test: in static mode, use the running statistics; in eager mode `eval()` says it.
        momentum: how much of the running statistics stays.
        epsilon: keeps the division finite.
        param_attr, bias_attr: ParamAttr; False for none.
        dtype: data type of the parameters.
        data_layout: NCHW or NHWC.
        in_place: kept.
        moving_mean_name, moving_variance_name: names of the running statistics.
        do_model_average_for_mean_and_var: whether ModelAverage takes them.
        use_global_stats: normalize with the running statistics.
        trainable_statistics: in inference, normalize with the batch's statistics.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.BatchNorm(3)
        >>> layer(paddle.ones([2, 3, 4, 4])).shape
        [2, 3, 4, 4]

    Follows Paddle 2.6.
    """

    def __init__(
        self, num_channels: int, act: str | None = None, is_test: bool = False, momentum: float = 0.9, epsilon: float = 1e-5,
        param_attr: Any = None, bias_attr: Any = None, dtype: Any = "float32", data_layout: str = "NCHW", in_place: bool = False,
        moving_mean_name: str | None = None, moving_variance_name: str | None = None, do_model_average_for_mean_and_var: bool = True,
        use_global_stats: bool = False, trainable_statistics: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self._act, self._is_test, self._momentum, self._epsilon = act, is_test, momentum, epsilon
        self._data_layout, self._use_global_stats, self._trainable_statistics = data_layout, use_global_stats, trainable_statistics
        self._param_attr, self._bias_attr, self._in_place = param_attr, bias_attr, in_place
        self.__dict__["_dtype"] = dtype = "float32" if dtype == "float16" else dtype
        _scale_and_shift(self, [num_channels], param_attr, bias_attr, dtype)
        self._mean = _statistic(self, num_channels, 0.0, moving_mean_name, do_model_average_for_mean_and_var, dtype)
        self._variance = _statistic(self, num_channels, 1.0, moving_variance_name, do_model_average_for_mean_and_var, dtype)

    def forward(self, input: Any) -> Any:
        """Normalize every channel over the batch, then apply the activation.

        Args:
            input: batch, channels and more dimensions.
        Returns:
            A tensor like `input`.
        """
        attrs: dict[str, Any] = {
            "momentum": self._momentum, "epsilon": self._epsilon,
            "is_test": self._is_test if mode._static and capture.current is None else not self.training,
            "data_layout": self._data_layout, "use_global_stats": self._use_global_stats,
            "trainable_statistics": self._trainable_statistics,
        }  # fmt: skip
        definition = definition_of("batch_norm")
        inputs = (input, self.weight, self.bias, self._mean, self._variance)
        if isinstance(input, Tensor):
            out, mean, variance = definition(*inputs, **attrs)
            if mean._t is not self._mean._t:  # see `nn.functional.batch_norm`
                self._mean._t.data.copy_(mean._t)
                self._variance._t.data.copy_(variance._t)
            if self._act is None:
                return out
            return (find_op(self._act) or _functional(self._act))(out)  # with the operator's own slope, not with the function's
        helper = self._helper
        saved = [helper.create_variable_for_type_inference(input.dtype, stop_gradient=True) for _ in range(2)]
        reserve = None if attrs["is_test"] else helper.create_variable_for_type_inference(input.dtype, stop_gradient=True)
        outputs = {
            "Y": helper.create_variable_for_type_inference(input.dtype), "MeanOut": self._mean, "VarianceOut": self._variance,
            "SavedMean": saved[0], "SavedVariance": saved[1], "ReserveSpace": reserve,
        }  # fmt: skip
        out = definition(*inputs, _helper=helper, _outputs=outputs, **attrs)[0]
        return helper.append_activation(out, self._act)


@paddle3(eps="epsilon")
class LayerNorm(Layer):
    """Normalization over the last dimensions.

    Args:
        normalized_shape: sizes of these dimensions, an int or a list.
        epsilon: keeps the division finite.
        weight_attr, bias_attr: ParamAttr; False for none.
        name: kept.
        elementwise_affine: False for neither weight nor bias.
        bias: False for no bias.
        device, dtype: where weight and bias live, and their data type.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.LayerNorm(4)
        >>> layer(paddle.ones([2, 4])).tolist()
        [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]

    Follows Paddle 2.6.
    """

    def __init__(
        self, normalized_shape: Any, epsilon: float = 1e-5, weight_attr: Any = None, bias_attr: Any = None, name: str | None = None, *,
        elementwise_affine: bool = True, bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        weight_attr = weight_attr if elementwise_affine else False
        bias_attr = bias_attr if elementwise_affine and bias else False
        several = hasattr(normalized_shape, "__iter__")
        self._normalized_shape = [*map(plain, normalized_shape if several else [normalized_shape])]
        self._epsilon, self._weight_attr, self._bias_attr = epsilon, weight_attr, bias_attr
        size = 1
        for length in self._normalized_shape:
            size *= length
        _scale_and_shift(self, [size], weight_attr, bias_attr, dtype)
        if device is not None:
            self.to(device=device)

    def forward(self, input: Any) -> Any:
        """Normalize.

        Args:
            input: a tensor whose last dimensions are those given.
        Returns:
            A tensor like `input`.
        """
        return layer_norm(input, self._normalized_shape, self.weight, self.bias, self._epsilon)

    def extra_repr(self) -> str:
        """The settings."""
        return f"normalized_shape={self._normalized_shape}, epsilon={self._epsilon}"


@paddle3(eps="epsilon")
class GroupNorm(Layer):
    """Normalization over groups of channels.

    Args:
        num_groups: how many groups.
        num_channels: channels.
        epsilon: keeps the division finite.
        weight_attr, bias_attr: ParamAttr; False for none.
        data_format: where the channels are.
        name: kept.
        affine: False for neither weight nor bias.
        device, dtype: where weight and bias live, and their data type.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.GroupNorm(2, 4)
        >>> layer(paddle.ones([1, 4, 2, 2])).shape
        [1, 4, 2, 2]

    Follows Paddle 2.6.
    """

    def __init__(
        self, num_groups: int, num_channels: int, epsilon: float = 1e-5, weight_attr: Any = None, bias_attr: Any = None,
        data_format: str = "NCHW", name: str | None = None, *, affine: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if data_format not in ("NCL", "NLC", "NCHW", "NHWC", "NCDHW", "NDHWC"):
            raise invalid_argument("data_format", "'NCHW', 'NHWC' or the like", data_format, "GroupNorm")
        self._num_groups, self._num_channels, self._epsilon, self._data_format = num_groups, num_channels, epsilon, data_format
        self._weight_attr, self._bias_attr = weight_attr, bias_attr
        if not affine:
            self.weight = self.bias = None
            return
        # without scale or shift they are there all the same, but nobody trains them; they are not in Paddle 3.3
        self.weight = self.create_parameter(shape=[num_channels], attr=weight_attr or None, dtype=dtype, default_initializer=_constant(1.0))
        self.bias = self.create_parameter(shape=[num_channels], attr=bias_attr or None, dtype=dtype, is_bias=True)
        if device is not None:
            self.to(device=device)
        for name, attr in (("weight", weight_attr), ("bias", bias_attr)):
            if attr is False and SINCE_3_3:
                setattr(self, name, None)
            elif attr is False:
                getattr(self, name).stop_gradient = True

    def forward(self, input: Any) -> Any:
        """Normalize.

        Args:
            input: batch, channels and more dimensions.
        Returns:
            A tensor like `input`.
        """
        helper = None if isinstance(input, Tensor) else self._helper
        return grouped(input, self._num_groups, self._epsilon, self.weight, self.bias, self._data_format, helper)

    def extra_repr(self) -> str:
        """The settings."""
        return f"num_groups={self._num_groups}, num_channels={self._num_channels}, epsilon={self._epsilon}"


class _InstanceNormBase(Layer):
    """What all instance norms share."""

    _ranks: tuple[int, ...] = (2, 3, 4, 5)

    def __init__(
        self, num_features: int, epsilon: float = 1e-5, momentum: float = 0.9, weight_attr: Any = None, bias_attr: Any = None,
        data_format: str = "NCHW", name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if (weight_attr is False) is not (bias_attr is False):
            raise failed_assertion("weight_attr, bias_attr", "both False or neither", (weight_attr, bias_attr), type(self).__name__)
        self._num_features, self._epsilon, self._momentum = num_features, epsilon, momentum
        self._weight_attr, self._bias_attr, self._data_format = weight_attr, bias_attr, data_format
        if weight_attr is False:
            self.scale, self.bias = None, None
        else:
            self.scale = self.create_parameter(shape=[num_features], attr=weight_attr, default_initializer=_constant(1.0))
            self.bias = self.create_parameter(shape=[num_features], attr=bias_attr, is_bias=True, default_initializer=_constant(0.0))

    def forward(self, input: Any) -> Any:
        """Normalize every channel of every sample.

        Args:
            input: batch, channels and more dimensions.
        Returns:
            A tensor like `input`.
        Raises:
            ValueError: the input has another number of dimensions.
        """
        self._check_input_dim(input)
        return instance_norm(input, weight=self.scale, bias=self.bias, eps=self._epsilon)

    def _check_input_dim(self, input: Any) -> None:
        _check_rank(self, input)

    def extra_repr(self) -> str:
        """The settings."""
        return f"num_features={self._num_features}, epsilon={self._epsilon}"


_INSTANCE_DOC = """Instance normalization of {what}.

    Args:
        num_features: channels.
        epsilon: keeps the division finite.
        momentum: kept.
        weight_attr, bias_attr: ParamAttr; both False for none.
        data_format: where the channels are.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.{name}(3)
        >>> layer(paddle.ones([2, 3{sizes}])).shape
        [2, 3{sizes}]

    Follows Paddle 2.6.
    """


class InstanceNorm1D(_InstanceNormBase):
    __doc__ = _INSTANCE_DOC.format(what="sequences", name="InstanceNorm1D", sizes=", 4")
    _ranks = (2, 3)

    def __init__(
        self, num_features: int, epsilon: float = 1e-5, momentum: float = 0.9, weight_attr: Any = None, bias_attr: Any = None,
        data_format: str = "NCL", name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(num_features, epsilon, momentum, weight_attr, bias_attr, data_format, name)


class InstanceNorm2D(_InstanceNormBase):
    __doc__ = _INSTANCE_DOC.format(what="images", name="InstanceNorm2D", sizes=", 4, 4")
    _ranks = (4,)


class InstanceNorm3D(_InstanceNormBase):
    __doc__ = _INSTANCE_DOC.format(what="volumes", name="InstanceNorm3D", sizes=", 4, 4, 4")
    _ranks = (5,)

    def __init__(
        self, num_features: int, epsilon: float = 1e-5, momentum: float = 0.9, weight_attr: Any = None, bias_attr: Any = None,
        data_format: str = "NCDHW", name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(num_features, epsilon, momentum, weight_attr, bias_attr, data_format, name)


class SpectralNorm(Layer):
    """A weight divided by its largest singular value.

    Args:
        weight_shape: the weight's shape.
        dim: the dimension of the outputs.
        power_iters: iterations per call.
        eps: keeps the division finite.
        dtype: data type.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.SpectralNorm([4, 3])
        >>> layer(paddle.ones([4, 3])).shape
        [4, 3]

    Follows Paddle 2.6.
    """

    def __init__(self, weight_shape: Any, dim: int = 0, power_iters: int = 1, eps: float = 1e-12, dtype: Any = "float32") -> None:
        super().__init__()
        self._power_iters, self._eps, self._dim = power_iters, eps, dim
        self.__dict__["_dtype"] = dtype
        self._weight_shape = list(weight_shape)
        if dim >= len(self._weight_shape):
            raise failed_assertion("dim", f"a dimension of {self._weight_shape}", dim, "SpectralNorm")
        height = self._weight_shape[dim]
        width = 1
        for i, size in enumerate(self._weight_shape):
            width *= size if i != dim % len(self._weight_shape) else 1
        normal = import_module("paddle_compat.nn.initializer").Normal
        self.weight_u = self.create_parameter(shape=[height], attr=ParamAttr(), dtype=dtype, default_initializer=normal(0.0, 1.0))
        self.weight_u.stop_gradient = True
        self.weight_v = self.create_parameter(shape=[width], attr=ParamAttr(), dtype=dtype, default_initializer=normal(0.0, 1.0))
        self.weight_v.stop_gradient = True

    def forward(self, x: Any) -> Any:
        """Divide.

        Args:
            x: the weight.
        Returns:
            A tensor like `x`.
        """
        definition = definition_of("spectral_norm")
        attrs: dict[str, Any] = {"dim": self._dim, "power_iters": self._power_iters, "eps": self._eps}
        helper = None if isinstance(x, Tensor) else self._helper
        out = definition(x, self.weight_u, self.weight_v, _helper=helper, **attrs)
        return out[0] if isinstance(out, tuple) else out


__all__ = [
    "BatchNorm", "BatchNorm1D", "BatchNorm2D", "BatchNorm3D", "GroupNorm", "InstanceNorm1D", "InstanceNorm2D", "InstanceNorm3D",
    "LayerNorm", "SpectralNorm", "SyncBatchNorm",
]  # fmt: skip

__getattr__ = missing(__name__)
