"""`fluid.layers.detection`: default boxes, and boxes encoded, compared and clipped."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layers import nn
from paddle_compat.fluid.layers._record import is_variable, layer, run
from paddle_compat.fluid.layers.tensor import concat


def _numbers(value: Any) -> list[float]:
    return [float(v) for v in (value if isinstance(value, (list, tuple)) else [value])]


def _check_default_boxes(api: str, variance: Any, **positive: Any) -> None:
    """Refuse other than four variances, and numbers that are not above 0."""
    if len(variance) not in (1, 4):
        raise invalid_argument("variance", "four numbers", variance, api)
    for argument, values in {"variance": variance, **positive}.items():
        if not all(value > 0 for value in values):
            raise invalid_argument(argument, "numbers above 0", values, api)


@layer
def prior_box(
    input: Variable,
    image: Variable,
    min_sizes: Any,
    max_sizes: Any = None,
    aspect_ratios: Any = [1.0],  # noqa: B006 - Paddle's own default
    variance: Any = [0.1, 0.1, 0.2, 0.2],  # noqa: B006
    flip: bool = False,
    clip: bool = False,
    steps: Any = [0.0, 0.0],  # noqa: B006
    offset: float = 0.5,
    name: str | None = None,
    min_max_aspect_ratios_order: bool = False,
) -> tuple[Variable, Variable]:
    """The default boxes of SSD around the centre of every cell of a feature map.

    Args:
        input: the feature map [N, C, H, W].
        image: the image [N, C, H, W].
        min_sizes, max_sizes: sizes in pixels.
        aspect_ratios: width by height.
        variance: of the four coordinates.
        flip: the inverse ratios, too.
        clip: keep the boxes between 0 and 1.
        steps: width and height of a cell; 0: from the sizes.
        offset: where in the cell the centre lies.
        name: the layer's name.
        min_max_aspect_ratios_order: the smallest and the largest box come first.
    Returns:
        Boxes and variances, [H, W, boxes, 4].
    Raises:
        ValueError: steps are not two numbers, a size or variance is not above 0, or one of max_sizes not above that of min_sizes.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, image = fluid.data("x", [None, 3, 6, 9]), fluid.data("i", [None, 3, 9, 12])
        ...     boxes, variances = fluid.layers.prior_box(x, image, min_sizes=[100.0], clip=True, flip=True)
        ...     boxes.shape
        (6, 9, 1, 4)

    Follows Paddle 1.8.
    """
    if not isinstance(steps, (list, tuple)) or len(steps) != 2:
        raise ValueError(f"Invalid value for argument `steps` of `prior_box`. Expected [width, height]. Received: {steps!r}")
    _check_default_boxes("prior_box", variance, min_sizes=_numbers(min_sizes))
    attrs: dict[str, Any] = {
        "min_sizes": _numbers(min_sizes), "aspect_ratios": _numbers(aspect_ratios), "variances": variance, "flip": flip, "clip": clip,
        "step_w": float(steps[0]), "step_h": float(steps[1]), "offset": offset,
        "min_max_aspect_ratios_order": min_max_aspect_ratios_order,
    }  # fmt: skip
    if max_sizes is not None and len(_numbers(max_sizes)) and _numbers(max_sizes)[0] > 0:
        attrs["max_sizes"] = _numbers(max_sizes)
        if any(largest <= smallest for smallest, largest in zip(attrs["min_sizes"], attrs["max_sizes"])):
            raise invalid_argument("max_sizes", f"numbers above those of min_sizes, {min_sizes}", max_sizes, "prior_box")
    return run("prior_box", input, image, name=name, stop=True, **attrs)


@layer
def density_prior_box(
    input: Variable,
    image: Variable,
    densities: Any = None,
    fixed_sizes: Any = None,
    fixed_ratios: Any = None,
    variance: Any = [0.1, 0.1, 0.2, 0.2],  # noqa: B006 - Paddle's own default
    clip: bool = False,
    steps: Any = [0.0, 0.0],  # noqa: B006
    offset: float = 0.5,
    flatten_to_2d: bool = False,
    name: str | None = None,
) -> tuple[Variable, Variable]:
    """Default boxes of fixed sizes, spread densely over every cell of a feature map.

    Args:
        input: the feature map [N, C, H, W].
        image: the image [N, C, H, W].
        densities: how many boxes of each size there are in a row.
        fixed_sizes: sizes in pixels.
        fixed_ratios: width by height.
        variance: of the four coordinates.
        clip: keep the boxes between 0 and 1.
        steps: width and height of a cell; 0: from the sizes.
        offset: where in the cell the centre lies.
        flatten_to_2d: boxes as rows.
        name: the layer's name.
    Returns:
        Boxes and variances, [H, W, boxes, 4] or [all boxes, 4].
    Raises:
        ValueError: densities and fixed_sizes differ in number; steps are not two numbers.
        TypeError: densities, fixed_sizes or fixed_ratios are no list.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x, image = fluid.data("x", [None, 3, 6, 9]), fluid.data("i", [None, 3, 9, 12])
        ...     boxes, _ = fluid.layers.density_prior_box(x, image, [4, 2, 1], [32.0, 64.0, 128.0], [1.0], flatten_to_2d=True)
        ...     boxes.shape
        (-1, 4)

    Follows Paddle 1.8.
    """
    for argument, value in (("densities", densities), ("fixed_sizes", fixed_sizes), ("fixed_ratios", fixed_ratios)):
        if not isinstance(value, (list, tuple)):
            raise TypeError(f"Invalid type for argument `{argument}` of `density_prior_box`. Expected list. Received: {value!r}")
    if len(densities) != len(fixed_sizes):
        raise ValueError(
            f"Invalid value for argument `densities` of `density_prior_box`. Expected {len(fixed_sizes)} numbers. "
            f"Received: {densities}"
        )
    if not isinstance(steps, (list, tuple)) or len(steps) != 2:
        raise ValueError(f"Invalid value for argument `steps` of `density_prior_box`. Expected [width, height]. Received: {steps!r}")
    _check_default_boxes("density_prior_box", variance, densities=densities, fixed_sizes=fixed_sizes, fixed_ratios=fixed_ratios)
    return run(
        "density_prior_box", input, image, name=name, stop=True, variances=variance, clip=clip, step_w=float(steps[0]),
        step_h=float(steps[1]), offset=offset, densities=[int(d) for d in densities], fixed_sizes=_numbers(fixed_sizes),
        fixed_ratios=_numbers(fixed_ratios), flatten_to_2d=flatten_to_2d,
    )  # fmt: skip


@layer
def anchor_generator(
    input: Variable,
    anchor_sizes: Any = None,
    aspect_ratios: Any = None,
    variance: Any = [0.1, 0.1, 0.2, 0.2],  # noqa: B006 - Paddle's own default
    stride: Any = None,
    offset: float = 0.5,
    name: str | None = None,
) -> tuple[Variable, Variable]:
    """The anchors of Faster R-CNN around the centre of every cell of a feature map, in pixels.

    Args:
        input: the feature map [N, C, H, W].
        anchor_sizes: sizes in pixels.
        aspect_ratios: height by width.
        variance: of the four coordinates.
        stride: width and height of a cell.
        offset: where in the cell the centre lies.
        name: the layer's name.
    Returns:
        Anchors and variances, [H, W, anchors, 4].
    Raises:
        ValueError: the stride is not two numbers.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.data("x", [None, 48, 16, 16])
        ...     anchors, _ = fluid.layers.anchor_generator(x, [64.0, 128.0], [0.5, 1.0, 2.0], stride=[16.0, 16.0])
        ...     anchors.shape
        (16, 16, 6, 4)

    Follows Paddle 1.8.
    """
    if not isinstance(stride, (list, tuple)) or len(stride) != 2:
        raise ValueError(f"Invalid value for argument `stride` of `anchor_generator`. Expected [width, height]. Received: {stride!r}")
    return run(
        "anchor_generator", input, name=name, stop=True, anchor_sizes=_numbers(anchor_sizes), aspect_ratios=_numbers(aspect_ratios),
        variances=variance, stride=_numbers(stride), offset=offset,
    )  # fmt: skip


@layer
def iou_similarity(x: Variable, y: Variable, box_normalized: bool = True, name: str | None = None) -> Variable:
    """Intersection over union of every box of x with every one of y.

    Args:
        x: boxes [N, 4].
        y: boxes [M, 4].
        box_normalized: coordinates between 0 and 1, not pixels.
        name: the layer's name.
    Returns:
        Variable [N, M] with the LoD of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.iou_similarity(fluid.data("x", [None, 4]), fluid.data("y", [7, 4])).shape
        (-1, 7)

    Follows Paddle 1.8.
    """
    return run("iou_similarity", x, y, name=name, box_normalized=box_normalized)


@layer
def box_coder(
    prior_box: Variable,
    prior_box_var: Any,
    target_box: Variable,
    code_type: str = "encode_center_size",
    box_normalized: bool = True,
    name: str | None = None,
    axis: int = 0,
) -> Variable:
    """Boxes as offsets from prior boxes, or the other way round.

    Args:
        prior_box: [M, 4].
        prior_box_var: the variances, [M, 4] or a list of four numbers.
        target_box: [N, 4] to encode; [N, M, 4] to decode.
        code_type: "encode_center_size" or "decode_center_size".
        box_normalized: coordinates between 0 and 1, not pixels.
        name: the layer's name.
        axis: when decoding, the dimension along which a prior box repeats.
    Returns:
        Variable [N, M, 4].
    Raises:
        TypeError: prior_box_var is neither.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     prior, target = fluid.data("p", [20, 4]), fluid.data("t", [8, 4])
        ...     fluid.layers.box_coder(prior, [0.1, 0.1, 0.2, 0.2], target).shape
        (8, 20, 4)

    Follows Paddle 1.8.
    """
    attrs: dict[str, Any] = {"code_type": code_type, "box_normalized": box_normalized, "axis": axis}
    variances = None
    if is_variable(prior_box_var):
        variances = prior_box_var
    elif isinstance(prior_box_var, list):
        attrs["variance"] = prior_box_var
    else:
        raise type_error("prior_box_var", "a Variable or list", prior_box_var, "box_coder")
    return run("box_coder", prior_box, variances, target_box, name=name, **attrs)


@layer
def box_clip(input: Variable, im_info: Variable, name: str | None = None) -> Variable:
    """Boxes moved inside their image.

    Args:
        input: boxes [N, 4] with LoD, float32 or float64.
        im_info: height, width and scale of each image, [images, 3].
        name: kept, as in Paddle 1.8.
    Returns:
        Variable of the shape of `input`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.box_clip(fluid.data("b", [None, 8, 4], lod_level=1), fluid.data("i", [None, 3])).shape
        (-1, 8, 4)

    Follows Paddle 1.8.
    """
    return run("box_clip", input, im_info)


@layer
def box_decoder_and_assign(
    prior_box: Variable, prior_box_var: Variable, target_box: Variable, box_score: Variable, box_clip: float, name: str | None = None
) -> tuple[Variable, Variable]:
    """The boxes of every class, decoded, and of each row the one of the likeliest class that is not the background.

    Args:
        prior_box: [N, 4].
        prior_box_var: the variances [4].
        target_box: [N, classes 4].
        box_score: [N, classes].
        box_clip: the bound of the logarithms of sizes.
        name: the layer's name.
    Returns:
        The boxes [N, classes 4], and the chosen ones [N, 4].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     p, v = fluid.data("p", [None, 4]), fluid.data("v", [4])
        ...     t, s = fluid.data("t", [None, 12]), fluid.data("s", [None, 3])
        ...     decoded, chosen = fluid.layers.box_decoder_and_assign(p, v, t, s, 4.135)
        ...     decoded.shape, chosen.shape
        ((-1, 12), (-1, 4))

    Follows Paddle 1.8.
    """
    return run("box_decoder_and_assign", prior_box, prior_box_var, target_box, box_score, name=name, box_clip=box_clip)


@layer
def polygon_box_transform(input: Variable, name: str | None = None) -> Variable:
    """From offsets to the coordinates of polygons' corners.

    Args:
        input: [N, coordinates, H, W], float32 or float64.
        name: the layer's name.
    Returns:
        Variable of the shape of `input`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.polygon_box_transform(fluid.data("x", [4, 8, 5, 5])).shape
        (4, 8, 5, 5)

    Follows Paddle 1.8.
    """
    return run("polygon_box_transform", input, name=name)


def multi_box_head(
    inputs: list[Variable],
    image: Variable,
    base_size: int,
    num_classes: int,
    aspect_ratios: Any,
    min_ratio: int | None = None,
    max_ratio: int | None = None,
    min_sizes: Any = None,
    max_sizes: Any = None,
    steps: Any = None,
    step_w: Any = None,
    step_h: Any = None,
    offset: float = 0.5,
    variance: Any = [0.1, 0.1, 0.2, 0.2],  # noqa: B006 - Paddle's own default
    flip: bool = True,
    clip: bool = False,
    kernel_size: int = 1,
    pad: int = 0,
    stride: int = 1,
    name: str | None = None,
    min_max_aspect_ratios_order: bool = False,
) -> tuple[Variable, Variable, Variable, Variable]:
    """The head of SSD: default boxes of several feature maps, with their predicted offsets and scores.

    Args:
        inputs: the feature maps [N, C, H, W].
        image: the image.
        base_size: its size.
        num_classes: how many classes, the background included.
        aspect_ratios: width by height, a list for each feature map.
        min_ratio, max_ratio: sizes in percent of base_size, spread over more than two feature maps.
        min_sizes, max_sizes: sizes in pixels instead, one for each feature map.
        steps, step_w, step_h: width and height of the cells, one for each feature map.
        offset, variance, flip, clip, min_max_aspect_ratios_order: as in prior_box.
        kernel_size, pad, stride: of the convolutions.
        name: kept, as in Paddle 1.8.
    Returns:
        Offsets [N, boxes, 4], scores [N, boxes, classes], boxes and variances [boxes, 4].
    Raises:
        ValueError: the lists do not fit.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     image = fluid.data("i", [None, 3, 30, 30])
        ...     maps = [fluid.data(f"x{n}", [None, 8, n, n]) for n in (4, 2, 1)]
        ...     found = fluid.layers.multi_box_head(maps, image, 30, 21, [[2.0], [2.0, 3.0], [2.0]], min_ratio=20, max_ratio=90)

    Follows Paddle 1.8.
    """
    count = len(inputs)
    if count <= 2:
        if min_sizes is None or max_sizes is None or len(min_sizes) != count or len(max_sizes) != count:
            raise AssertionError(
                f"Invalid value for arguments `min_sizes` and `max_sizes` of `multi_box_head`. Expected {count} each. "
                f"Received: {min_sizes}, {max_sizes}"
            )
    elif min_sizes is None and max_sizes is None:
        assert min_ratio is not None and max_ratio is not None
        step = int(math.floor((max_ratio - min_ratio) / (count - 2)))
        ratios = range(min_ratio, max_ratio + 1, step)
        min_sizes = [base_size * 0.10, *(base_size * ratio / 100.0 for ratio in ratios)]
        max_sizes = [base_size * 0.20, *(base_size * (ratio + step) / 100.0 for ratio in ratios)]
    lists = {"aspect_ratios": aspect_ratios, "step_w": step_w, "step_h": step_h, "steps": steps}
    for argument, value in lists.items():
        if value is not None and (not isinstance(value, (list, tuple)) or len(value) != count):
            raise ValueError(
                f"Invalid value for argument `{argument}` of `multi_box_head`. Expected a list of {count}. "
                f"Received: {value!r}"
            )
    if steps is not None:
        step_w = step_h = steps
    priors: list[Any] = []
    offsets: list[Any] = []
    scores: list[Any] = []
    for i, feature in enumerate(inputs):
        ratio = aspect_ratios[i] if aspect_ratios is not None else []
        ratio = list(ratio) if isinstance(ratio, (list, tuple)) else [ratio]
        cell = [step_w[i] if step_w else 0.0, step_h[i] if step_h else 0.0]
        smallest, largest = ([v] if not isinstance(v, (list, tuple)) else list(v) for v in (min_sizes[i], max_sizes[i]))
        prior = prior_box(
            feature, image, smallest, largest, ratio, variance, flip, clip, cell, offset, None, min_max_aspect_ratios_order
        )
        priors.append(prior)
        boxes = prior[0].shape[2]
        for target, channels in ((offsets, boxes * 4), (scores, boxes * num_classes)):
            found = nn.conv2d(feature, num_filters=channels, filter_size=kernel_size, padding=pad, stride=stride)
            target.append(nn.flatten(nn.transpose(found, perm=[0, 2, 3, 1]), axis=1))
    if count == 1:
        flat = [[nn.flatten(v, axis=3) if len(v.shape) > 2 else v for v in prior] for prior in priors]
        all_boxes, all_variances = flat[0]
        all_offsets, all_scores = offsets[0], scores[0]
    else:
        flat = [[nn.flatten(v, axis=3) for v in prior] for prior in priors]
        all_boxes, all_variances = concat([f[0] for f in flat]), concat([f[1] for f in flat])
        all_offsets = nn.reshape(concat(offsets, axis=1), shape=[0, -1, 4])
        all_scores = nn.reshape(concat(scores, axis=1), shape=[0, -1, num_classes])
    all_boxes.stop_gradient = all_variances.stop_gradient = True
    return all_offsets, all_scores, all_boxes, all_variances


__all__ = [
    "anchor_generator", "box_clip", "box_coder", "box_decoder_and_assign", "density_prior_box", "iou_similarity", "multi_box_head",
    "polygon_box_transform", "prior_box",
]  # fmt: skip
