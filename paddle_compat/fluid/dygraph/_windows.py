"""Layers whose windows slide over images: convolutions, their transposes, pooling."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat.core.errors import failed_assertion
from paddle_compat.fluid.dygraph.layers import Layer
from paddle_compat.fluid.initializer import NormalInitializer
from paddle_compat.fluid.layers._record import as_list, run


class _Convolution(Layer):
    """What convolutions and their transposes share."""

    _spatial = 2
    _transposed = False
    _adds_bias = True

    def _make(
        self, num_channels: int, num_filters: int, filter_size: Any, stride: Any, padding: Any, dilation: Any, groups: int | None,
        param_attr: Any, bias_attr: Any, use_cudnn: bool, act: str | None, dtype: Any,
    ) -> None:  # fmt: skip
        name = type(self).__name__
        if param_attr is False:
            raise failed_assertion("param_attr", "ParamAttr or None", param_attr, name)
        if not isinstance(use_cudnn, bool):
            raise ValueError(f"Invalid value for argument `use_cudnn` of `{name}`. Expected a bool. Received: {use_cudnn!r}")
        if num_channels % (groups or 1):
            expected = f"a divisor of the {num_channels} channels"
            raise ValueError(f"Invalid value for argument `groups` of `{name}`. Expected {expected}. Received: {groups}")
        self._num_channels, self._num_filters, self._groups, self._act = num_channels, num_filters, groups or 1, act
        self._param_attr, self._bias_attr, self._use_cudnn, self._dtype = param_attr, bias_attr, use_cudnn, dtype
        sizes = {"filter_size": filter_size, "stride": stride, "padding": padding, "dilation": dilation}
        for key, value in sizes.items():
            setattr(self, "_" + key, as_list(value, self._spatial, key))
        kernel = list(self._filter_size)
        if self._transposed:
            shape, start = [num_channels, num_filters // self._groups, *kernel], None
        else:
            shape = [num_filters, num_channels // self._groups, *kernel]
            start = NormalInitializer(0.0, math.sqrt(2.0 / (math.prod(kernel) * num_channels)), 0)
        self.weight = self.create_parameter(shape=shape, attr=param_attr, dtype=dtype, default_initializer=start)
        self.bias = self.create_parameter(shape=[num_filters], attr=bias_attr, dtype=dtype, is_bias=True)
        plain = f"conv{self._spatial}d" + "_transpose" * self._transposed
        alone = num_channels == groups and not use_cudnn and self._spatial == 2
        alone = alone and (num_filters == num_channels if self._transposed else num_filters % num_channels == 0)
        self._l_type = "depthwise_" + plain if alone else plain

    def _run(self, input: Any, **more: Any) -> Any:
        layout: dict[str, Any] = {} if self._transposed else {"data_format": {2: "NCHW", 3: "NCDHW"}[self._spatial]}
        out = run(
            self._l_type, input, self.weight, strides=self._stride, paddings=self._padding, dilations=self._dilation,
            groups=self._groups, takes=None if self._spatial == 3 else "Conv2D", **layout, **more,
        )  # fmt: skip
        return self._activated(self._shifted(out, self.bias if self._adds_bias else None, 1), self._act)


class Conv2D(_Convolution):
    """Convolution of images.

    Args:
        num_channels (int): channels of the input.
        num_filters (int): channels of the result.
        filter_size, stride, padding, dilation (int|list): one number, or one for height and one for width.
        groups (int): how many groups of channels do not see each other; None: 1.
        param_attr, bias_attr (ParamAttr): of filters and bias; False: no bias.
        use_cudnn (bool): False makes the depthwise operator when there are as many groups as channels.
        act (str): an activation.
        dtype: data type of the parameters.
    Raises:
        AssertionError: param_attr is False.
        ValueError: groups do not divide the channels.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     conv = fluid.dygraph.Conv2D(3, 2, 3)
        ...     conv(fluid.dygraph.to_variable(np.ones([1, 3, 8, 8], "float32"))).shape, conv.weight.name
        ([1, 2, 6, 6], 'conv2d_0.w_0')

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        num_channels: int,
        num_filters: int,
        filter_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int | None = None,
        param_attr: Any = None,
        bias_attr: Any = None,
        use_cudnn: bool = True,
        act: str | None = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__()
        self._make(
            num_channels, num_filters, filter_size, stride, padding, dilation, groups, param_attr, bias_attr, use_cudnn, act, dtype
        )

    def forward(self, input: Any) -> Any:
        """Convolve.

        Args:
            input (VarBase): images or volumes, channels first.
        Returns:
            VarBase.
        """
        return self._run(input)


class Conv3D(Conv2D):
    """Convolution of volumes.

    Args:
        num_channels, num_filters (int), filter_size, stride, padding, dilation (int|list), groups (int), param_attr, bias_attr
            (ParamAttr), use_cudnn (bool), act (str), dtype: as of `Conv2D`, with one number more for the depth.
    Raises:
        AssertionError: param_attr is False.
        ValueError: groups do not divide the channels.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     conv = fluid.dygraph.Conv3D(3, 2, 3)
        ...     conv(fluid.dygraph.to_variable(np.ones([1, 3, 4, 8, 8], "float32"))).shape
        [1, 2, 2, 6, 6]

    Follows Paddle 1.8.
    """

    _spatial = 3


class Conv2DTranspose(_Convolution):
    """The transpose of a convolution of images.

    Args:
        num_channels (int): channels of the input.
        num_filters (int): channels of the result.
        filter_size (int|list): one number, or height and width.
        output_size (int|list): height and width of the result, where several are possible.
        padding, stride, dilation (int|list): one number, or one for height and one for width.
        groups (int): how many groups of channels do not see each other; None: 1.
        param_attr, bias_attr (ParamAttr): of filters and bias; False: no bias.
        use_cudnn (bool): False makes the depthwise operator when there are as many groups as channels and filters.
        act (str): an activation.
        dtype: data type of the parameters.
    Raises:
        AssertionError: param_attr is False.
        ValueError: groups do not divide the channels.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     conv = fluid.dygraph.Conv2DTranspose(3, 2, 2, stride=2)
        ...     conv(fluid.dygraph.to_variable(np.ones([1, 3, 8, 8], "float32"))).shape
        [1, 2, 16, 16]

    Follows Paddle 1.8.
    """

    _transposed = True

    def __init__(
        self,
        num_channels: int,
        num_filters: int,
        filter_size: Any,
        output_size: Any = None,
        padding: Any = 0,
        stride: Any = 1,
        dilation: Any = 1,
        groups: int | None = None,
        param_attr: Any = None,
        bias_attr: Any = None,
        use_cudnn: bool = True,
        act: str | None = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__()
        self._make(
            num_channels, num_filters, filter_size, stride, padding, dilation, groups, param_attr, bias_attr, use_cudnn, act, dtype
        )
        self._output_size = [] if output_size is None else as_list(output_size, 2, "output_size")

    def forward(self, input: Any) -> Any:
        """Convolve backwards.

        Args:
            input (VarBase): [N, C, H, W].
        Returns:
            VarBase.
        """
        return self._run(input, output_size=self._output_size)


class Conv3DTranspose(_Convolution):
    """The transpose of a convolution of volumes.

    Args:
        num_channels, num_filters (int), filter_size, padding, stride, dilation (int|list), groups (int), param_attr, bias_attr
            (ParamAttr), use_cudnn (bool), act (str), dtype: as of `Conv2DTranspose`, with one number more for the depth.
    Raises:
        AssertionError: param_attr is False.
        ValueError: groups do not divide the channels.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     conv = fluid.dygraph.Conv3DTranspose(3, 2, 2, stride=2)
        ...     conv(fluid.dygraph.to_variable(np.ones([1, 3, 4, 4, 4], "float32"))).shape
        [1, 2, 8, 8, 8]

    Follows Paddle 1.8.
    """

    _spatial, _transposed = 3, True

    def __init__(
        self,
        num_channels: int,
        num_filters: int,
        filter_size: Any,
        padding: Any = 0,
        stride: Any = 1,
        dilation: Any = 1,
        groups: int | None = None,
        param_attr: Any = None,
        bias_attr: Any = None,
        use_cudnn: bool = True,
        act: str | None = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__()
        self._make(
            num_channels, num_filters, filter_size, stride, padding, dilation, groups, param_attr, bias_attr, use_cudnn, act, dtype
        )
        self._adds_bias = bias_attr is not None  # the bias that there is by default is not added in Paddle 1.8

    def forward(self, input: Any) -> Any:
        """Convolve backwards.

        Args:
            input (VarBase): [N, C, D, H, W].
        Returns:
            VarBase.
        """
        return self._run(input)


class Pool2D(Layer):
    """The largest element or the mean of each window of images.

    Args:
        pool_size, pool_stride, pool_padding (int|list): one number, or one for height and one for width.
        pool_type (str): "max" or "avg".
        global_pooling (bool): one window, the whole image.
        use_cudnn (bool): of no effect.
        ceil_mode (bool): windows that stand over the border count.
        exclusive (bool): margins do not count in a mean.
        data_format (str): "NCHW" or "NHWC".
    Raises:
        ValueError: an argument is none of these.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     fluid.dygraph.Pool2D(2, "avg", 2)(fluid.dygraph.to_variable(np.ones([1, 3, 8, 8], "float32"))).shape
        [1, 3, 4, 4]

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        pool_size: Any = -1,
        pool_type: str = "max",
        pool_stride: Any = 1,
        pool_padding: Any = 0,
        global_pooling: bool = False,
        use_cudnn: bool = True,
        ceil_mode: bool = False,
        exclusive: bool = True,
        data_format: str = "NCHW",
    ) -> None:
        if pool_type not in ("max", "avg"):
            raise ValueError(f"Invalid value for argument `pool_type` of `Pool2D`. Expected 'max' or 'avg'. Received: {pool_type!r}")
        if not global_pooling and pool_size == -1:
            expected = "sizes, when global_pooling is False"
            raise ValueError(f"Invalid value for argument `pool_size` of `Pool2D`. Expected {expected}. Received: {pool_size}")
        if not isinstance(use_cudnn, bool):
            raise ValueError(f"Invalid value for argument `use_cudnn` of `Pool2D`. Expected a bool. Received: {use_cudnn!r}")
        if data_format not in ("NCHW", "NHWC"):
            raise ValueError(f"Invalid value for argument `data_format` of `Pool2D`. Expected 'NCHW' or 'NHWC'. Received: {data_format!r}")
        super().__init__()
        self._layout: dict[str, Any] = {} if data_format == "NCHW" else {"data_format": data_format}
        self._pool_type, self._global_pooling, self._use_cudnn = pool_type, global_pooling, use_cudnn
        self._pool_size = as_list(pool_size, 2, "pool_size")
        self._pool_stride = as_list(pool_stride, 2, "pool_stride")
        self._pool_padding = as_list(pool_padding, 2, "pool_padding")
        self._ceil_mode, self._exclusive, self._l_type = ceil_mode, exclusive, "pool2d"

    def forward(self, input: Any) -> Any:
        """Pool.

        Args:
            input (VarBase): [N, C, H, W].
        Returns:
            VarBase.
        """
        return run(
            "pool2d", input, pooling_type=self._pool_type, ksize=self._pool_size, global_pooling=self._global_pooling,
            strides=self._pool_stride, paddings=self._pool_padding, ceil_mode=self._ceil_mode, exclusive=self._exclusive,
            takes="Pool2D", **self._layout,
        )  # fmt: skip


__all__ = ["Conv2D", "Conv2DTranspose", "Conv3D", "Conv3DTranspose", "Pool2D"]
