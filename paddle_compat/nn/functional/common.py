"""`paddle.nn.functional`: linear maps, dropout, padding, resizing, windows."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from torch.nn.functional import interpolate as torch_interpolate

from paddle_compat._missing import missing
from paddle_compat.core.direct import direct
from paddle_compat.core.errors import UnsupportedError, failed_assertion, invalid_argument, type_error
from paddle_compat.core.open_sizes import grown
from paddle_compat.core.paddle3 import SINCE_3, paddle3, placed
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.nn.functional._apply import check_float, check_recorded, helper_for, paddle, refuse_whole
from paddle_compat.nn.functional._dropout import (  # noqa: F401  # their place in Paddle
    alpha_dropout,
    dropout,
    dropout1d,
    dropout2d,
    dropout3d,
    feature_alpha_dropout,
)
from paddle_compat.nn.functional._windows import each
from paddle_compat.ops import vision as vision_ops
from paddle_compat.ops._products import addmm
from paddle_compat.ops._products import linear as affine
from paddle_compat.ops.arrangement import last_first
from paddle_compat.ops.arrangement import pad as pad_op
from paddle_compat.ops.elementwise import elementwise_add
from paddle_compat.ops.embedding import bilinear_tensor_product
from paddle_compat.ops.linalg import matmul_v2
from paddle_compat.ops.loss import label_smooth as label_smooth_op
from paddle_compat.ops.manipulation import squeeze2, unsqueeze2
from paddle_compat.ops.vision import RESIZERS
from paddle_compat.tensor._calls import COMPLEX, FLOATS, NUMBERS, check, float_or_variable, is_tensor, whole_number
from paddle_compat.tensor._shapes import parts, size_constant, size_in


@direct(
    "x weight bias",
    "addmm(bias_, x_, weight_) if x_.dim() == 2 else affine(x_, weight_, bias_)",
    "(kind := x_.dtype) in FLOATS and weight_.dtype is kind and weight_.dim() == 2 and bias_.dim() == 1",
    ("x weight", "torch.matmul(x_, weight_)", "bias is None and (kind := x._t.dtype) in FLOATS and weight._t.dtype is kind"),
    kind="x_.dtype",
    addmm=addmm,
    affine=affine,
)
def linear(x: Any, weight: Any, bias: Any = None, name: str | None = None) -> Any:
    """x W + b.

    Args:
        x (Tensor): [..., in_features].
        weight (Tensor): [in_features, out_features].
        bias (Tensor): [out_features].
        name (str): prefix of the outputs' names.
    Returns:
        Tensor: [..., out_features].

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.linear(paddle.rand([3, 2]), paddle.rand([2, 4]), paddle.rand([4])).shape
        [3, 4]

    Follows Paddle 2.6.
    """
    if type(x) is tuple and x and isinstance(x[0], Tensor):  # the outputs of a layer: Paddle reads the first
        x = x[0]
    alike = not isinstance(x, Variable) or x.dtype == weight.dtype
    check(x, "x", "linear", NUMBERS + COMPLEX if alike else FLOATS)
    helper = helper_for("linear", x, name)
    out = matmul_v2(x, weight, trans_x=False, trans_y=False, _helper=helper)
    if isinstance(bias, Tensor) and isinstance(out, Tensor) and bias.dtype != out.dtype:
        return paddle.add(out, bias)  # in their common data type
    return out if bias is None else elementwise_add(out, bias, axis=-1, _helper=helper)


def bilinear(x1: Any, x2: Any, weight: Any, bias: Any = None, name: str | None = None) -> Any:
    """x1 W_k x2 + b_k for every k.

    Args:
        x1 (Tensor): [N, A].
        x2 (Tensor): [N, B].
        weight (Tensor): [K, A, B].
        bias (Tensor): [1, K].
        name (str): prefix of the output's name.
    Returns:
        Tensor: [N, K].

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.bilinear(paddle.rand([5, 3]), paddle.rand([5, 4]), paddle.rand([2, 3, 4])).shape
        [5, 2]

    Follows Paddle 2.6.
    """
    check_recorded("bilinear", x1=x1, x2=x2)
    return bilinear_tensor_product(x1, x2, weight, bias, _helper=helper_for("bilinear", x1, name))


# data_format: (dimensions that are put in to make five, format of the five)
_FIVE = {
    "NCL": ([3, 4], "NCDHW"), "NLC": ([2, 3], "NDHWC"), "NCHW": ([2], "NCDHW"), "NHWC": ([1], "NDHWC"),
    "NCDHW": ([], "NCDHW"), "NDHWC": ([], "NDHWC"),
}  # fmt: skip
_OF_RANK = {3: "NCL", 4: "NCHW", 5: "NCDHW"}


_ALL_AROUND = (
    "mode == 'constant' and type(pad) is list and pad and len(pad) == 2 * x._t.dim() and pad_from_left_axis and type(value) is float "
    "and x._t.dtype in FLOATS"
)


@placed("pad_from_left_axis name")
@direct(
    "x",
    "torch.constant_pad_nd(x_, pad, value)",
    "mode == 'constant' and data_format == 'NCHW' and type(pad) is list and 2 < x_.dim() < 6 and len(pad) == 2 * x_.dim() - 4 "
    "and type(value) is float and x_.dtype in FLOATS",
    ("x", "torch.constant_pad_nd(x_, last_first(pad), value)", _ALL_AROUND),
    last_first=last_first,
)
@paddle3(input="x")
def pad(
    x: Any, pad: Any, mode: str = "constant", value: float = 0.0, data_format: str | None = "NCHW", name: str | None = None,
    pad_from_left_axis: bool = True,
) -> Any:  # fmt: skip
    """Pad the dimensions behind the channels, or (with two numbers for every dimension) all; with constants the last ones.

    Args:
        x (Tensor): any number of dimensions for a padding of all; else three to five.
        pad (Tensor|list): for the last dimension before and behind, then for the one before it, ...; with two numbers
            for every dimension of x, from the first dimension on.
        mode (str): "constant", "reflect", "replicate" or "circular".
        value (float): what a constant padding holds.
        data_format (str): "NCL", "NLC", "NCHW", "NHWC", "NCDHW" or "NDHWC"; "NCHW" and None stand for "NCL" and "NCDHW", too.
        name (str): prefix of the output's name.
        pad_from_left_axis (bool): False counts two numbers for every dimension from the last dimension on, too.
    Returns:
        Tensor: x with its padding.
    Raises:
        ValueError: mode or data_format does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.pad(paddle.ones([1, 1, 2, 3]), [1, 0, 0, 1], mode="replicate").shape
        [1, 1, 3, 4]

    Follows Paddle 2.6.
    """
    if mode not in ("reflect", "replicate", "constant", "circular"):
        raise failed_assertion("mode", "'constant', 'reflect', 'replicate' or 'circular'", mode, "pad")
    data_format = "NCHW" if data_format is None else data_format
    if data_format not in _FIVE:
        raise failed_assertion("data_format", " or ".join(_FIVE), data_format, "pad")
    rank = len(x.shape)
    data_format = _OF_RANK.get(rank, data_format) if data_format == "NCHW" else data_format
    listed = not is_tensor(pad)
    if listed:
        if not np.iterable(pad):
            raise type_error("pad", "a list of numbers or a Tensor", pad, "pad")
        pad = [whole_number(p, "pad", "pad") for p in pad]
    all_of_them = listed and len(pad) == 2 * rank
    images = listed and rank in _OF_RANK and len(pad) == 2 * (rank - 2)
    if mode == "constant" and listed and rank and not images:
        numbers = pad if all_of_them and pad_from_left_axis else last_first((pad + [0] * 2 * rank)[: 2 * rank])
        return pad_op(x, paddings=numbers, pad_value=float_or_variable(value), _helper=helper_for("pad", x, name))
    if rank not in (3, 4, 5):
        raise failed_assertion("x", "3, 4 or 5 dimensions", list(x.shape), "pad")
    if rank != len(data_format):
        raise failed_assertion("x", f"{len(data_format)} dimensions for {data_format!r}", list(x.shape), "pad")
    axes, five = _FIVE[data_format]
    if not listed:
        # the dimensions put in are not padded
        zeros = [paddle.zeros([2 * len(axes)], dtype="int32")] if axes else []
        inputs: tuple[Any, ...] = (paddle.concat(zeros + [pad] if rank == 3 else [pad] + zeros, axis=0) if axes else pad,)
        numbers = [0] * 6
    elif len(pad) != 2 * (rank - 2):
        raise invalid_argument("pad", f"{2 * (rank - 2)} numbers, two for each dimension", pad, "pad")
    else:
        inputs, numbers = (), [0] * 4 + pad if rank == 3 else pad + [0] * (6 - len(pad))
    if axes:
        x = unsqueeze2(x, axes=axes, _helper="unsqueeze2")
    attrs: dict[str, Any] = {"paddings": numbers, "mode": mode, "value": float_or_variable(value), "data_format": five}
    out = vision_ops.pad3d(x, *inputs, **attrs, _helper=helper_for("pad3d", x, name))
    return squeeze2(out, axes=axes, _helper="squeeze") if axes else out


def zeropad2d(x: Any, padding: Any, data_format: str = "NCHW", name: str | None = None) -> Any:
    """Zeros around images.

    Args:
        x (Tensor): [N, C, H, W], or [N, H, W, C] for "NHWC".
        padding (list|Tensor): left, right, above, below.
        data_format (str): "NCHW" or "NHWC".
        name (str): prefix of the output's name.
    Returns:
        Tensor: x with its padding.
    Raises:
        TypeError: padding is one number.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.zeropad2d(paddle.rand([1, 1, 2, 3]), [1, 2, 1, 1]).shape
        [1, 1, 4, 6]

    Follows Paddle 2.6.
    """
    if isinstance(padding, int):
        raise type_error("padding", "four numbers: left, right, top, bottom", padding, "zeropad2d")
    return pad(x, padding, "constant", 0, data_format, name=name)


_METHODS = {"linear": 1, "bilinear": 2, "bicubic": 2, "nearest": 2, "trilinear": 3}
_LAYOUTS = {1: ("NCW", "NWC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}


@placed("recompute_scale_factor antialias name")
@paddle3(input="x")
def interpolate(
    x: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool = False,
    align_mode: int = 0,
    data_format: str | None = "NCHW",
    name: str | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Any:
    """Resize sequences, images or volumes.

    Args:
        x (Tensor): three to five dimensions.
        size (list|tuple|Tensor): the sizes afterwards.
        scale_factor (float|list|Tensor): how many times larger it gets, instead of `size`.
        mode (str): "linear" (sequences), "nearest", "bilinear", "bicubic", "area" (images) or "trilinear" (volumes).
        align_corners (bool): the outermost pixels stay where they are.
        align_mode (int): 0 for pixels that lie at the centre of their area, 1 for its corner.
        data_format (str): "NCW", "NWC", "NCHW", "NHWC", "NCDHW" or "NDHWC"; "NCHW" and None stand for "NCW" and "NCDHW", too.
        name (str): prefix of the output's name.
        recompute_scale_factor (bool): whether `scale_factor` only says which whole `size` is meant.
        antialias (bool): whether pixels are averaged where the result is smaller; "bilinear" and "bicubic" only.
    Returns:
        Tensor: x resized.
    Raises:
        ValueError: arguments do not fit each other.
        UnsupportedError: antialias is asked for in a Program.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.interpolate(paddle.rand([2, 3, 6, 10]), size=[12, 12]).shape
        [2, 3, 12, 12]

    Follows Paddle 2.6.
    """
    api, method = "interpolate", mode.lower()
    rank = len(x.shape) - 2
    if method not in (*_METHODS, "area"):
        raise invalid_argument("mode", " or ".join([*_METHODS, "area"]), mode, api)
    if method != "area" and _METHODS[method] != rank and not (method == "nearest" and rank == 3):
        raise invalid_argument("x", f"{_METHODS[method] + 2} dimensions for {mode!r}", list(x.shape), api)
    if method == "area" and size is not None and rank in _LAYOUTS and not antialias:
        return _area(x, size, rank)
    if (size is None) == (scale_factor is None):
        raise invalid_argument("size", "either size or scale_factor", (size, scale_factor), api)
    if data_format in (None, "NCHW") and rank in _LAYOUTS:
        data_format = _LAYOUTS[rank][0]
    if rank not in _LAYOUTS:
        raise invalid_argument("x", "3, 4 or 5 dimensions", list(x.shape), api)
    if data_format not in _LAYOUTS[rank]:
        raise invalid_argument("data_format", " or ".join(_LAYOUTS[rank]), data_format, api)
    if not isinstance(align_corners, (bool, np.bool_)):
        raise type_error("align_corners", "a bool", align_corners, api)
    if align_corners and method == "nearest":
        raise invalid_argument("align_corners", f"False for {mode!r}", align_corners, api)
    if align_mode not in (0, 1):
        raise invalid_argument("align_mode", "0 or 1", align_mode, api)
    if recompute_scale_factor:
        if scale_factor is None:
            raise invalid_argument("recompute_scale_factor", "scale_factor beside it", recompute_scale_factor, api)
        size, scale_factor = _size_of(x, scale_factor, rank, data_format), None
    if antialias:
        return _smoothed(x, size, scale_factor, method, align_corners, data_format)
    if method == "area":
        if size is None:
            raise invalid_argument("size", "sizes, as mode is 'area'", size, api)
        return _area(x, size, rank)
    helper = helper_for(f"{method}_interp_v2", x, name)
    attrs: dict[str, Any] = {"out_d": -1, "out_h": -1, "out_w": -1}
    inputs: list[Any] = [None, [], None]
    axes = ("out_d", "out_h", "out_w")[-rank:]
    if scale_factor is not None:
        if isinstance(scale_factor, (Variable, Tensor)):
            inputs[2] = scale_factor
        else:
            factors = [float(f) for f in scale_factor] if isinstance(scale_factor, (list, tuple)) else [scale_factor] * rank
            if len(factors) != rank or any(f <= 0 for f in factors):
                raise invalid_argument("scale_factor", f"a number above 0, or {rank} of them", scale_factor, api)
            attrs["scale"] = [float(f) for f in factors]
    elif isinstance(size, Variable):
        inputs[0] = paddle.cast(size, "int32")
        size.stop_gradient = True
    else:
        if not isinstance(size, (list, tuple, Tensor, np.ndarray)):
            raise type_error("size", "list, tuple or a tensor", size, api)
        sizes = size.tolist() if isinstance(size, Tensor) else list(size)
        if len(sizes) != rank:
            raise invalid_argument("size", f"{rank} sizes", size, api)
        if any(not isinstance(s, Variable) and s <= 0 for s in sizes):
            raise failed_assertion("size", "sizes above 0", size, api)
        if any(isinstance(s, Variable) for s in sizes):
            inputs[1] = parts(sizes, make=partial(size_constant, helper))
            sizes = [-1 if isinstance(s, Variable) else s for s in sizes]
        attrs.update((axis, size_in(s)) for axis, s in zip(axes, sizes))
    resize = RESIZERS[(method, 2)] if not (method == "nearest" and rank == 3) else RESIZERS[("nearest", 2)]
    return resize(
        x,
        *inputs,
        interp_method=method,
        align_corners=align_corners,
        align_mode=align_mode,
        data_layout="NHWC" if data_format[-1] == "C" else "NCHW",
        **attrs,
        _helper=helper,
    )


def _size_of(x: Any, scale_factor: Any, rank: int, data_format: str) -> list[int]:
    """The whole sizes nearest below those that factors give."""
    factors = scale_factor.tolist() if isinstance(scale_factor, Tensor) else scale_factor
    factors = list(factors) if isinstance(factors, (list, tuple)) else [factors] * rank
    sizes = x.shape[1:-1] if data_format[-1] == "C" else x.shape[2:]
    return [grown(size, factor) for size, factor in zip(sizes, factors)]


def _smoothed(x: Any, size: Any, scale_factor: Any, method: str, align_corners: bool, data_format: str) -> Any:
    if method not in ("bilinear", "bicubic"):
        raise invalid_argument("antialias", f"False for {method!r}", True, "interpolate")
    if not isinstance(x, Tensor):  # Paddle 2.6's operators, which Programs and models hold, cannot
        raise UnsupportedError("paddle.nn.functional.interpolate", "antialias in a Program", "eager mode")
    factors: Any = scale_factor.tolist() if isinstance(scale_factor, Tensor) else scale_factor
    if factors is not None:  # which say how far pixels lie apart, too
        factors = [float(f) for f in factors] if isinstance(factors, (list, tuple)) else [float(factors)] * 2
    sizes = size.tolist() if isinstance(size, Tensor) else size and [int(s) for s in size]
    images = x._t.movedim(-1, 1) if data_format == "NHWC" else x._t
    out = torch_interpolate(images, sizes, factors, method, align_corners, antialias=True)
    return Tensor(out.movedim(1, -1) if data_format == "NHWC" else out)


def _area(x: Any, size: Any, rank: int) -> Any:
    from paddle_compat.nn.functional import pooling

    pools: dict[int, Any] = {
        1: pooling.adaptive_avg_pool1d,
        2: pooling.adaptive_avg_pool2d,
        3: pooling.adaptive_avg_pool3d,
    }
    if isinstance(size, int):
        return pools[rank](x, size)
    if len(size) != rank:
        raise invalid_argument("size", f"{rank} sizes", size, "interpolate")
    return pools[rank](x, size[0] if rank == 1 else list(size))


def upsample(
    x: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool = False,
    align_mode: int = 0,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    """`interpolate` by its other name.

    Args:
        x, size, scale_factor, mode, align_corners, align_mode, data_format, name: as of `interpolate`.
    Returns:
        Tensor: x resized.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.upsample(paddle.rand([2, 3, 6, 10]), size=[12, 12]).shape
        [2, 3, 12, 12]

    Follows Paddle 2.6.
    """
    return interpolate(x, size, scale_factor, mode, align_corners, align_mode, data_format, name=name)


def _paddings(paddings: Any) -> list[int]:
    """Above, left, below, right, from an int, two ints (height, width) or four."""
    if isinstance(paddings, int):
        return [paddings] * 4
    pads = [int(p) for p in paddings]
    if len(pads) == 2:
        return pads * 2
    if len(pads) != 4:
        raise invalid_argument("paddings", "an int, two ints or four", paddings)
    return pads


def unfold(x: Any, kernel_sizes: Any, strides: Any = 1, paddings: Any = 0, dilations: Any = 1, name: str | None = None) -> Any:
    """Every window of images as a column.

    Args:
        x (Tensor): [N, C, H, W].
        kernel_sizes (int|list): height and width of the windows.
        strides (int|list): how far they lie apart.
        paddings (int|list): zeros around the image: a number, (height, width), or (above, left, below, right).
        dilations (int|list): how far the points of a window lie apart.
        name (str): prefix of the output's name.
    Returns:
        Tensor: [N, C * height * width, number of windows].
    Raises:
        ValueError: an argument has another number of dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.unfold(paddle.rand([2, 3, 8, 8]), [3, 3]).shape
        [2, 27, 36]

    Follows Paddle 2.6.
    """
    check_recorded("unfold", x=x)
    refuse_whole(x, "unfold")
    if len(x.shape) != 4:
        raise failed_assertion("x", "four dimensions", list(x.shape), "unfold")
    return vision_ops.unfold(
        x,
        kernel_sizes=each(kernel_sizes, 2, "kernel_sizes", failed_assertion),
        strides=each(strides, 2, "strides", failed_assertion),
        paddings=_paddings(paddings),
        dilations=each(dilations, 2, "dilations", failed_assertion),
        _helper=helper_for("unfold", x, name),
    )


@paddle3(input="x", output_size="output_sizes", kernel_size="kernel_sizes", stride="strides", padding="paddings", dilation="dilations")
def fold(
    x: Any,
    output_sizes: Any,
    kernel_sizes: Any,
    strides: Any = 1,
    paddings: Any = 0,
    dilations: Any = 1,
    name: str | None = None,
) -> Any:
    """Add columns of windows up to images: what `unfold` took apart, overlaps counted twice.

    Args:
        x (Tensor): [N, C * height * width, number of windows].
        output_sizes (int|list): height and width of the images.
        kernel_sizes, strides, paddings, dilations: as of `unfold`.
        name (str): prefix of the output's name.
    Returns:
        Tensor: [N, C, H, W].
    Raises:
        ValueError: an argument has another number of dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.fold(paddle.rand([2, 12, 12]), output_sizes=[4, 5], kernel_sizes=[2, 2]).shape
        [2, 3, 4, 5]

    Follows Paddle 2.6.
    """
    check_recorded("fold", FLOATS + COMPLEX, x=x)
    if len(x.shape) != 3:
        raise failed_assertion("x", "three dimensions", list(x.shape), "fold")
    return vision_ops.fold(
        x,
        output_sizes=each(output_sizes, 2, "output_sizes", failed_assertion),
        kernel_sizes=each(kernel_sizes, 2, "kernel_sizes", failed_assertion),
        strides=each(strides, 2, "strides", failed_assertion),
        paddings=_paddings(paddings),
        dilations=each(dilations, 2, "dilations", failed_assertion),
        _helper=helper_for("fold", x, name),
    )


@paddle3(dim="axis")
def cosine_similarity(x1: Any, x2: Any, axis: int = 1, eps: float = 1e-8) -> Any:
    """The cosine of two tensors along a dimension.

    Args:
        x1, x2 (Tensor): float.
        axis (int): the dimension of the vectors.
        eps (float): the least product of their lengths.
    Returns:
        Tensor: without that dimension.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.cosine_similarity(paddle.rand([2, 3]), paddle.rand([2, 3])).shape
        [2]

    Follows Paddle 2.6.
    """
    check_recorded("cosine_similarity", x1=x1, x2=x2)
    product = paddle.sum(paddle.multiply(x1, x2), axis=axis)
    first = paddle.sum(paddle.multiply(x1, x1), axis=axis)
    second = paddle.sum(paddle.multiply(x2, x2), axis=axis)
    return product / paddle.sqrt(paddle.clip(first * second, min=eps * eps))


@direct(
    "label",
    "label_smooth_kernel(label_, epsilon=epsilon)",
    "prior_dist is None and type(epsilon) is float and 0 <= epsilon <= 1 and label_.dtype in FLOATS",
    kind="label_.dtype",
    label_smooth_kernel=label_smooth_op.fn,
)
def label_smooth(label: Any, prior_dist: Any = None, epsilon: float = 0.1, name: str | None = None) -> Any:
    """Labels, mixed with a distribution.

    Args:
        label (Tensor): [..., classes], one-hot or probabilities.
        prior_dist (Tensor): [1, classes]; None: uniform.
        epsilon (float): the distribution's share.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of label's shape.
    Raises:
        ValueError: epsilon lies outside [0, 1].

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.label_smooth(paddle.eye(3)).shape
        [3, 3]

    Follows Paddle 2.6.
    """
    if not 0 <= epsilon <= 1:
        raise invalid_argument("epsilon", "from 0 to 1", epsilon, "label_smooth")
    check_float(label, "label_smooth")
    refuse_whole(label, "label_smooth", "label")
    if isinstance(label, Variable) and not SINCE_3:
        label.stop_gradient = True  # as the wheel does: labels are not learned
    return label_smooth_op(label, prior_dist, epsilon=float(epsilon), _helper=helper_for("label_smooth", label, name))


__getattr__ = missing(__name__)
