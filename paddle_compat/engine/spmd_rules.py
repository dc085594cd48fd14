"""How each operator may be divided: a rule for each type (see `engine.spmd`). What has no rule here runs whole, in every process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from paddle_compat.core.op import find_op
from paddle_compat.engine.spmd import MOVED, SUMMED, Cut, Labels, Pieces, tensors_of
from paddle_compat.ops._broadcast import aligned_shapes, axes_of

Attrs = dict[str, Any]
Rule = Callable[[list[Any], Attrs], Cut | None]  # of the arguments and of all attributes; None: it runs whole


def _numbered(rank: int, *whole: int) -> list[Any]:
    """A label for each dimension, but for those that are needed whole."""
    return [None if at in whole else at for at in range(rank)]


def _broadcast(shapes: Sequence[Sequence[int]]) -> tuple[list[Labels], Labels]:
    """The labels of shapes that meet as numpy's do: counted from the last dimension; and those of what they make."""
    rank = max(map(len, shapes))
    sizes = [max(shape[at] for shape in shapes if -at <= len(shape)) for at in range(-rank, 0)]
    return [[None if shape[at] == 1 != sizes[at] else at for at in range(-len(shape), 0)] for shape in shapes], list(range(-rank, 0))


def elementwise(args: list[Any], attrs: Attrs) -> Cut | None:
    """What takes elements that stand at one place, or everywhere."""
    given = list(tensors_of(args))
    shapes = [tuple(value.shape) for value in given]
    if attrs.get("axis", -1) != -1 and len(shapes) == 2:
        aligned = aligned_shapes(shapes[0], shapes[1], attrs["axis"])
        labels, out = _broadcast(aligned)
        if [len(shape) for shape in aligned] != [len(shape) for shape in shapes]:  # 1 was put behind
            labels = [own[: len(shape)] for own, shape in zip(labels, shapes)]
        return Cut(labels, [out])
    labels, out = _broadcast(shapes)
    return Cut(labels, [out])


def moved(args: list[Any], attrs: Attrs) -> Cut | None:
    """What gives its input."""
    labels = _numbered(args[0].dim())
    return Cut([labels], [labels], passes=MOVED)


def cast(args: list[Any], attrs: Attrs) -> Cut | None:
    """Another data type: floats' is linear."""
    labels = _numbered(args[0].dim())
    return Cut([labels], [labels], passes=SUMMED if args[0].is_floating_point() and attrs["out_dtype"] in (4, 5, 6, 22) else frozenset())


def dropped(args: list[Any], attrs: Attrs) -> Cut | None:
    """dropout: all processes draw for the whole, and each takes what falls on its piece."""
    x = args[0]
    if args[1] is not None:
        return None
    labels = _numbered(x.dim())

    def run(held: list[Any], pieces: Pieces) -> torch.Tensor:
        if attrs["is_test"] or not any(label is not None for label in pieces.chosen):
            return pieces.call(*held)
        factors = pieces.call(torch.ones(x.shape, dtype=x.dtype, device=held[0].device), None)
        for label in {label for label in pieces.chosen if label is not None}:
            factors = factors.narrow(label, *pieces.part(label))
        return held[0] * factors

    return Cut([labels], [labels], run=run)


def along(name: str, outputs: int = 1, keep: str | None = None) -> Rule:
    """What looks along the dimensions that an attribute names, and carries the others on.

    Args:
        name: of the attribute; an empty one means all dimensions.
        outputs: how many there are.
        keep: the attribute that says whether these dimensions stay; None: they do.
    """

    def rule(args: list[Any], attrs: Attrs) -> Cut | None:
        x = args[0]
        if any(value is not None and value != [] for value in args[1:]) or not x.dim():
            return None
        axes = attrs[name]
        axes = [axes] if isinstance(axes, int) else list(axes or range(x.dim()))
        if attrs.get("flatten") or not all(-x.dim() <= axis < x.dim() for axis in axes):
            return None
        gone = axes_of(axes, x.dim())
        labels = _numbered(x.dim(), *gone)
        left = labels if keep is None or attrs.get(keep) else [label for at, label in enumerate(labels) if at not in gone]
        return Cut([labels], [left] * outputs)

    return rule


def last(count: int, outputs: int = 1) -> Rule:
    """What looks along the last dimensions."""

    def rule(args: list[Any], attrs: Attrs) -> Cut | None:
        labels = _numbered(args[0].dim(), *range(max(args[0].dim() - count, 0), args[0].dim()))
        return Cut([labels], [labels] * outputs)

    return rule


def reduced(kind: str | None) -> Rule:
    """A reduction; of pieces it is the sum (or the like) of the reductions; None: it wants the dimensions whole."""

    def rule(args: list[Any], attrs: Attrs) -> Cut | None:
        x = args[0]
        if any(value is not None and value != [] for value in args[1:]):
            return None
        dims = attrs.get("dim", attrs.get("axis", ()))
        dims = [dims] if isinstance(dims, int) else list(dims or ())
        if attrs.get("reduce_all") or attrs.get("asvector") or not dims or 1 < len(dims) == x.dim():
            dims = list(range(x.dim()))
        if not all(-x.dim() <= axis < x.dim() for axis in dims):
            return None
        gone = axes_of(dims, x.dim())
        keep = attrs.get("keep_dim", attrs.get("keepdim", False))
        labels = _numbered(x.dim(), *(() if kind else gone))
        out = [None if at in gone else label for at, label in enumerate(labels) if keep or at not in gone]
        if attrs.get("_rank1") and not out:
            out = [None]
        whole = kind == "avg" and not x.is_floating_point()
        return None if whole else Cut([labels], [out], dict.fromkeys(gone, kind) if kind else {})

    return rule


def product(args: list[Any], attrs: Attrs) -> Cut | None:
    """The (batched) matrix product."""
    x, y = args[0], args[1]
    if not x.dim() or not y.dim():
        return None
    rows: list[Any] = ["m", "k"] if x.dim() > 1 else ["k"]
    columns: list[Any] = ["k", "n"] if y.dim() > 1 else ["k"]
    if x.dim() > 1 and (attrs.get("trans_x") or attrs.get("transpose_X")):
        rows.reverse()
    if y.dim() > 1 and (attrs.get("trans_y") or attrs.get("transpose_Y")):
        columns.reverse()
    left, right = tuple(x.shape[:-2]), tuple(y.shape[:-2])
    batches, out = _broadcast([left, right]) if left or right else ([[], []], [])
    made = [*out, *(["m"] if x.dim() > 1 else []), *(["n"] if y.dim() > 1 else [])]
    if attrs.get("fused_reshape_Out") or attrs.get("head_number", 1) != 1:
        return None
    if attrs.get("_rank1") and not made:
        made = [None]
    return Cut([[*batches[0], *rows], [*batches[1], *columns]], [made], {"k": "sum"}, order=[*out, "n", "m", "k"])


def flat_product(args: list[Any], attrs: Attrs) -> Cut | None:
    """mul: the product of tensors as matrices; several dimensions that make the columns of one are needed whole."""
    x, y, at, to = args[0], args[1], attrs["x_num_col_dims"], attrs["y_num_col_dims"]
    one = x.dim() - at == 1 == to
    left: list[Any] = ["k"] if one else [None] * (x.dim() - at)
    right: list[Any] = ["k"] if one else [None] * to
    rows, columns = [("m", i) for i in range(at)], [("n", i) for i in range(y.dim() - to)]
    return Cut([[*rows, *left], [*right, *columns]], [[*rows, *columns]], {"k": "sum"})


def fully_connected(args: list[Any], attrs: Attrs) -> Cut | None:
    """fc: the product, whose columns take what is added to them."""
    x, w, bias = args
    if w.dim() != 2 or x.dim() - attrs["in_num_col_dims"] != 1 or attrs["padding_weights"]:
        return None
    rows = [("m", i) for i in range(x.dim() - 1)]
    plain = bias is None and not attrs["activation_type"]
    inner = "k" if plain else None
    added: list[Labels] = [] if bias is None else [[None] * (bias.dim() - 1) + ["n"]]
    return Cut([[*rows, inner], [inner, "n"], *added], [[*rows, "n"]], {"k": "sum"})


def vector_product(args: list[Any], attrs: Attrs) -> Cut | None:
    """mv: a matrix times a vector."""
    return Cut([["m", "k"], ["k"]], [["m"]], {"k": "sum"})


def notation(args: list[Any], attrs: Attrs) -> Cut | None:
    """einsum: its letters are labels."""
    words = attrs["equation"].replace(" ", "")
    given, arrow, out = words.partition("->")
    terms = given.split(",")
    if "." in words or len(terms) != len(args[0]) or any(len(set(term)) != len(term) for term in (*terms, out)):
        return None
    if not arrow:
        out = "".join(sorted(letter for letter in set(given) - {","} if given.count(letter) == 1))
    sizes: dict[str, int] = {}
    for term, value in zip(terms, args[0]):
        for letter, size in zip(term, value.shape):
            sizes[letter] = max(size, sizes.get(letter, 1))
    labels = [[a if size == sizes[a] else None for a, size in zip(term, value.shape)] for term, value in zip(terms, args[0])]
    return Cut(labels, [list(out)], {letter: "sum" for letter in sizes if letter not in out})


def turned(args: list[Any], attrs: Attrs) -> Cut | None:
    """transpose."""
    labels = _numbered(args[0].dim())
    return Cut([labels], [[labels[at] for at in attrs["axis"]]], passes=MOVED)


def reshaped(type_: str, passes: frozenset[str] = MOVED) -> Rule:
    """What reads the elements in another shape: of dimensions that become others together the first may be cut."""

    def rule(args: list[Any], attrs: Attrs) -> Cut | None:
        x = args[0]
        if any(value is not None and value != [] for value in args[1:]):
            return None
        out = tuple(_kernel(type_)(torch.empty(x.shape, dtype=x.dtype, device="meta"), **attrs).shape)
        before, after = _matched(x, out)

        def run(held: list[Any], pieces: Pieces) -> torch.Tensor:
            sizes = [
                pieces.part(label)[1] * size // pieces.sizes[label] if label is not None and label in pieces.chosen else size
                for label, size in zip(after, out)
            ]
            return held[0].reshape(sizes)

        return Cut([before], [after], passes=passes, shapes=[out], run=run)

    return rule


def _kernel(type_: str) -> Callable[..., Any]:
    definition = find_op(type_)
    assert definition is not None
    return definition.fn


def _matched(x: Any, out: Sequence[int]) -> tuple[list[Any], list[Any]]:
    """The labels of a tensor's dimensions, and of those of a shape that its elements are read in."""
    shape = tuple(x.shape)
    before: list[Any] = [None] * len(shape)
    after: list[Any] = [None] * len(out)
    if 0 in shape:
        return before, after
    i = j = 0
    while i < len(shape) and j < len(out):
        if shape[i] == 1 != out[j]:
            i += 1
            continue
        if out[j] == 1 != shape[i]:
            j += 1
            continue
        first, to, left, right = i, j, shape[i], out[j]
        i, j = i + 1, j + 1
        while left != right:
            if left < right:
                left, i = left * shape[i], i + 1
            else:
                right, j = right * out[j], j + 1
        parts = 1
        for size, placement in zip(x.device_mesh.shape, x.placements):
            parts *= size if placement.is_shard(first) else 1
        if shape[first] == out[to] or not (shape[first] % parts or out[to] % parts):
            before[first] = after[to] = first
    return before, after


def joined(args: list[Any], attrs: Attrs) -> Cut | None:
    """concat."""
    given = list(args[0])
    if len(args) > 1 and args[1] is not None or any(value.dim() != given[0].dim() for value in given):
        return None
    axis = attrs["axis"] % given[0].dim() if given[0].dim() else 0
    if any(value.shape[at] != given[0].shape[at] for value in given for at in range(value.dim()) if at != axis):
        return None
    labels = _numbered(given[0].dim(), axis)
    return Cut([labels] * len(given), [labels])


def stacked(args: list[Any], attrs: Attrs) -> Cut | None:
    """stack."""
    given = list(args[0])
    if any(value.shape != given[0].shape for value in given):
        return None
    labels = _numbered(given[0].dim())
    out = list(labels)
    out.insert(attrs["axis"] % (len(labels) + 1), None)
    return Cut([labels] * len(given), [out], passes=SUMMED)


def parted(drops: bool) -> Rule:
    """split and unstack: a list of parts along a dimension, which is in them or not."""

    def rule(args: list[Any], attrs: Attrs) -> Cut | None:
        x = args[0]
        if any(value is not None and value != [] for value in args[1:]) or not -x.dim() <= attrs["axis"] < x.dim():
            return None
        axis = attrs["axis"] % x.dim()
        labels = _numbered(x.dim(), axis)
        out = labels[:axis] + labels[axis + 1 :] if drops else labels
        return Cut([labels], _Same(out))

    return rule


class _Same(list[Labels]):
    """The labels of as many outputs as there are."""

    def __init__(self, labels: Labels) -> None:
        super().__init__([labels])

    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(0)

    def __len__(self) -> int:
        return 1 << 30


def sliced(args: list[Any], attrs: Attrs) -> Cut | None:
    """slice and strided_slice: a dimension that something is cut off from is needed whole."""
    x = args[0]
    if not isinstance(x, torch.Tensor) or any(value is not None and value != [] for value in args[1:]):
        return None
    steps = attrs.get("strides") or [1] * len(attrs["axes"])
    whole = []
    for axis, start, end, step in zip(attrs["axes"], attrs["starts"], attrs["ends"], steps):
        size = x.shape[axis]
        if (start + size if start < 0 else start) != 0 or (end + size if end < 0 else end) < size or step != 1:
            whole.append(axis % x.dim())
    labels = _numbered(x.dim(), *whole, *attrs["decrease_axis"])
    out = [label for at, label in enumerate(labels) if at not in attrs["decrease_axis"]]

    def run(held: list[Any], pieces: Pieces) -> torch.Tensor:
        taken: list[Any] = [slice(None)] * x.dim()
        for axis, start, end, step in zip(attrs["axes"], attrs["starts"], attrs["ends"], steps):
            if axis % x.dim() in whole:
                taken[axis] = slice(start, end, step)
        return held[0][tuple(taken)].squeeze(tuple(attrs["decrease_axis"]))

    odd = any(step < 0 for step in steps) or (attrs["_rank1"] and not out)
    return None if odd else Cut([labels], [out], run=run)


def picked(name: str) -> Rule:
    """gather and index_select: slices along a dimension, at places that a tensor holds."""

    def rule(args: list[Any], attrs: Attrs) -> Cut | None:
        x, index = args[0], args[1]
        if any(value is not None for value in args[2:]) or index.dim() != 1 or attrs.get("overwrite"):
            return None
        axis = attrs[name] % x.dim()
        labels = _numbered(x.dim(), axis)
        return Cut([labels, ["i"]], [["i" if at == axis else label for at, label in enumerate(labels)]])

    return rule


def taken_along(args: list[Any], attrs: Attrs) -> Cut | None:
    """take_along_axis: the dimensions that tensors have of one size, but for the axis."""
    axis = attrs["Axis"] % args[0].dim()
    given = list(tensors_of(args))
    if any(value.dim() != given[0].dim() for value in given):
        return None
    alike = [at for at in range(given[0].dim()) if at != axis and len({value.shape[at] for value in given}) == 1]
    labels = [at if at in alike else None for at in range(given[0].dim())]
    return Cut([labels] * len(given), [labels])


def sampled(args: list[Any], attrs: Attrs) -> Cut | None:
    """index_sample: elements of each row, at places that the same row of another tensor holds."""
    return Cut([[0, None], [0, None]], [[0, None]])


def expanded(args: list[Any], attrs: Attrs) -> Cut | None:
    """expand: the dimensions that stay as they are."""
    x = args[0]
    shape = list(attrs.get("shape") or attrs.get("target_shape") or (args[1].shape if len(args) > 1 and args[1] is not None else ()))
    if "shape" in attrs and any(value is not None and value != [] for value in args[1:]) or len(shape) < x.dim():
        return None
    ahead = len(shape) - x.dim()
    labels = [at if shape[ahead + at] in (-1, size) and size > 1 else None for at, size in enumerate(x.shape)]
    sizes = [-1 if at >= ahead and labels[at - ahead] is not None else shape[at] for at in range(len(shape))]
    others = [[None] * value.dim() for value in list(tensors_of(args))[1:]]

    def run(held: list[Any], pieces: Pieces) -> torch.Tensor:
        return held[0].expand(sizes).contiguous()

    return Cut([labels, *others], [[*[None] * ahead, *labels]], run=run)


def tiled(args: list[Any], attrs: Attrs) -> Cut | None:
    """tile: the dimensions that are not repeated."""
    x, times = args[0], list(attrs["repeat_times"])
    if any(value is not None and value != [] for value in args[1:]):
        return None
    ahead = max(len(times) - x.dim(), 0)
    times = [1] * (x.dim() - len(times)) + times
    labels = [at if times[ahead + at] == 1 else None for at in range(x.dim())]
    return Cut([labels], [[*[None] * ahead, *labels]])


def padded(args: list[Any], attrs: Attrs) -> Cut | None:
    """pad: the dimensions to which nothing is put."""
    pads = attrs["paddings"]
    labels = [at if not (pads[2 * at] or pads[2 * at + 1]) else None for at in range(args[0].dim())]
    return Cut([labels], [labels])


def encoded(args: list[Any], attrs: Attrs) -> Cut | None:
    """one_hot_v2."""
    if args[1] is not None:
        return None
    labels = _numbered(args[0].dim())
    return Cut([labels], [[*labels, None]])


def looked_up(keeps: bool) -> Rule:
    """Rows of a table: cut along its rows, each process gives those that it has, and zeros for others.

    Args:
        keeps: whether the last dimension of the ids, which is 1, is one of the rows'.
    """

    def rule(args: list[Any], attrs: Attrs) -> Cut | None:
        ids, table = args
        labels = [("i", at) for at in range(ids.dim())]
        shown = labels if keeps else labels[:-1]
        padding = attrs["padding_idx"]

        def run(held: list[Any], pieces: Pieces) -> torch.Tensor:
            if "v" not in pieces.chosen:
                return pieces.call(*held, is_sparse=False)
            start, length = pieces.part("v")
            places = held[0] - start
            mine = (places >= 0) & (places < length)
            own = padding - start if start <= padding < start + length else -1
            rows = pieces.call(torch.where(mine, places, 0), held[1], is_sparse=False, padding_idx=own)
            return rows * mine.reshape((*rows.shape[:-1], 1))

        return Cut([labels, ["v", "e"]], [[*shown, "e"]], {"v": "sum"}, run=run, settled=True)

    return rule


def normalized(args: list[Any], attrs: Attrs) -> Cut | None:
    """layer_norm: the dimensions before those that it normalizes."""
    begin = attrs["begin_norm_axis"]
    labels = _numbered(args[0].dim(), *range(begin, args[0].dim()))
    return Cut([labels, *([None] * value.dim() for value in args[1:] if value is not None)], [labels])


def by_sample(args: list[Any], attrs: Attrs) -> Cut | None:
    """What treats the samples of a batch, and its weights not at all."""
    labels = _numbered(args[0].dim(), *range(1, args[0].dim()))
    return Cut([labels, *([None] * value.dim() for value in list(tensors_of(args))[1:])], [labels])


def by_channel(outputs: int = 1) -> Rule:
    """What treats each channel of each sample by itself."""

    def rule(args: list[Any], attrs: Attrs) -> Cut | None:
        x = args[0]
        if len(list(tensors_of(args))) > 1:
            return None
        channel = x.dim() - 1 if str(attrs.get("data_format", attrs.get("data_layout", ""))).endswith("C") else 1
        labels = [at if at in (0, channel) else None for at in range(x.dim())]
        return Cut([labels], [labels] * outputs)

    return rule


def batch_normalized(args: list[Any], attrs: Attrs) -> Cut | None:
    """batch_norm: channels, and samples where the statistics are given."""
    x = args[0]
    if args[5] is not None:
        return None
    channel = x.dim() - 1 if attrs["data_layout"].endswith("C") and x.dim() > 2 else 1
    given = attrs["use_global_stats"] or (attrs["is_test"] and not attrs["trainable_statistics"])
    labels = ["c" if at == channel else at if given else None for at in range(x.dim())]
    return Cut([labels, *(["c"] for value in args[1:] if value is not None)], [labels, ["c"], ["c"]])


def convolved(turned_weight: bool) -> Rule:
    """A convolution: samples, and the channels that it makes; those that it takes, where they are in one group."""

    def rule(args: list[Any], attrs: Attrs) -> Cut | None:
        x, weight = args[0], args[1]
        one = attrs["groups"] == 1
        inner, outer = ("c" if one else None), ("o" if one else None)
        channel = x.dim() - 1 if attrs["data_format"].endswith("C") else 1
        spatial = [None] * (weight.dim() - 2)
        kernel = [inner, outer, *spatial] if turned_weight else [outer, inner, *spatial]
        images = [0 if at == 0 else inner if at == channel else None for at in range(x.dim())]
        if any(value is not None for value in args[2:]):
            return None
        return Cut([images, kernel], [[outer if at == channel else 0 if at == 0 else None for at in range(x.dim())]], {"c": "sum"})

    return rule


def of_classes(args: list[Any], attrs: Attrs) -> Cut | None:
    """softmax_with_cross_entropy: all dimensions but that of the classes."""
    logits, label = args
    axis = attrs["axis"] % logits.dim()
    labels = _numbered(logits.dim(), axis)
    if label.dim() != logits.dim():
        beside = labels[:axis] + labels[axis + 1 :]
        return Cut([labels, beside], [labels, labels]) if label.dim() == len(beside) else None
    return Cut([labels, labels], [labels, labels])


def elementwise_loss(args: list[Any], attrs: Attrs) -> Cut | None:
    """A loss of each element, where nothing is made of all of them."""
    return None if attrs.get("normalize") or attrs.get("reduction", "none") != "none" else elementwise(args, attrs)


_ELEMENTWISE = """
abs acos acosh angle asin asinh atan atan2 atanh bce_loss bitwise_and bitwise_not bitwise_or bitwise_xor brelu ceil celu clip complex conj
cos cosh digamma elementwise_add elementwise_div elementwise_floordiv elementwise_fmax elementwise_fmin elementwise_heaviside
elementwise_max elementwise_min elementwise_mod elementwise_mul elementwise_pow elementwise_sub elu equal erf erfinv exp expm1 fill_any
fill_any_like fill_zeros_like fill_zeros_like2 floor gelu grad_add greater_equal greater_than hard_shrink hard_sigmoid hard_swish
huber_loss i0 i0e i1 i1e imag increment isclose isfinite_v2 isinf_v2 isnan_v2 leaky_relu lerp less_equal less_than lgamma log log10 log1p
log2 log_loss logical_and logical_not logical_or logical_xor logit logsigmoid minus mish nextafter not_equal polygamma pow real reciprocal
relu relu6 round rsqrt scale selu sigmoid sign silu sin sinh soft_relu softplus softshrink softsign sqrt square stanh sum swish tan tanh
tanh_shrink thresholded_relu trunc where
""".split()

RULES: dict[str, Rule] = {
    **dict.fromkeys(_ELEMENTWISE, elementwise),
    **dict.fromkeys(("assign", "share_data"), moved),
    "cast": cast,
    "dropout": dropped,
    **dict.fromkeys(("sigmoid_cross_entropy_with_logits", "kldiv_loss"), elementwise_loss),
    **dict.fromkeys(("softmax", "log_softmax", "cumsum", "logcumsumexp", "flip", "roll"), along("axis")),
    "cumprod": along("dim"),
    **dict.fromkeys(("argsort", "top_k_v2"), along("axis", outputs=2)),
    **dict.fromkeys(("cummax", "cummin"), along("axis", outputs=2)),
    **dict.fromkeys(("kthvalue", "mode"), along("axis", outputs=2, keep="keepdim")),
    **dict.fromkeys(("arg_max", "arg_min"), along("axis", keep="keepdims")),
    "top_k": last(1, 2),
    **dict.fromkeys(("tril_triu", "cholesky", "inverse"), last(2)),
    **dict.fromkeys(("reduce_sum",), reduced("sum")),
    **dict.fromkeys(("reduce_mean", "mean"), reduced("avg")),
    "reduce_max": reduced("max"),
    "reduce_min": reduced("min"),
    "reduce_prod": reduced("product"),
    **dict.fromkeys(("reduce_amax", "reduce_amin", "reduce_all", "reduce_any", "logsumexp", "frobenius_norm", "p_norm"), reduced(None)),
    **dict.fromkeys(("matmul", "matmul_v2", "bmm"), product),
    "mul": flat_product,
    "fc": fully_connected,
    "mv": vector_product,
    "einsum": notation,
    **dict.fromkeys(("transpose", "transpose2"), turned),
    **{
        name: reshaped(name)
        for name in ("flatten", "flatten2", "flatten_contiguous_range", "reshape", "reshape2", "view_shape")
    },
    **{name: reshaped(name, frozenset()) for name in ("squeeze", "squeeze2", "unsqueeze", "unsqueeze2")},
    "concat": joined,
    "stack": stacked,
    "split": parted(False),
    **dict.fromkeys(("unstack", "unbind"), parted(True)),
    **dict.fromkeys(("slice", "strided_slice"), sliced),
    "gather": picked("axis"),
    "index_select": picked("dim"),
    **dict.fromkeys(("take_along_axis", "put_along_axis"), taken_along),
    "index_sample": sampled,
    **dict.fromkeys(("expand_v2", "expand_as_v2"), expanded),
    "tile": tiled,
    "pad": padded,
    "one_hot_v2": encoded,
    "lookup_table": looked_up(False),
    "lookup_table_v2": looked_up(True),
    "layer_norm": normalized,
    **dict.fromkeys(("group_norm", "instance_norm"), by_sample),
    "batch_norm": batch_normalized,
    **dict.fromkeys(("conv2d", "conv3d", "depthwise_conv2d"), convolved(False)),
    **dict.fromkeys(("conv2d_transpose", "conv3d_transpose"), convolved(True)),
    **{
        name: by_channel()
        for name in ("pool2d", "pool3d", "bilinear_interp_v2", "nearest_interp_v2", "linear_interp_v2", "bicubic_interp_v2",
                     "trilinear_interp_v2", "pad3d")  # fmt: skip
    },
    **dict.fromkeys(("max_pool2d_with_index", "max_pool3d_with_index"), by_channel(2)),
    "softmax_with_cross_entropy": of_classes,
}
