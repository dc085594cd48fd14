"""How each operator may be divided: a rule for each type (see `engine.spmd`). What has no rule here runs whole, in every process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from paddle_compat.core.op import find_op
from paddle_compat.engine import spmd_batches, spmd_layers, spmd_parallel, spmd_places
from paddle_compat.engine.spmd import MOVED, SUMMED, Cut, Labels, Pieces, tensors_of
from paddle_compat.engine.spmd_labels import Attrs, Rule, along, broadcast, elementwise, last, mapped, numbered
from paddle_compat.ops._broadcast import axes_of


def squared_norm(args: list[Any], attrs: Attrs) -> Cut | None:
    """squared_l2_norm, of one element."""
    labels = numbered(args[0].dim())
    return Cut([labels], [[None]], dict.fromkeys(labels, "sum"))


def moved(args: list[Any], attrs: Attrs) -> Cut | None:
    """What gives its input."""
    labels = numbered(args[0].dim())
    return Cut([labels], [labels], passes=MOVED)


def cast(args: list[Any], attrs: Attrs) -> Cut | None:
    """Another data type: floats' is linear."""
    labels = numbered(args[0].dim())
    return Cut([labels], [labels], passes=SUMMED if args[0].is_floating_point() and attrs["out_dtype"] in (4, 5, 6, 22) else frozenset())


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
        labels = numbered(x.dim(), *(() if kind else gone))
        out = [None if at in gone else label for at, label in enumerate(labels) if keep or at not in gone]
        if attrs.get("_rank1") and not out:
            out = [None]
        whole = kind == "avg" and not x.is_floating_point()
        return None if whole else Cut([labels], [out], dict.fromkeys(gone, kind) if kind else {})

    return rule


def identity_loss(args: list[Any], attrs: Attrs) -> Cut | None:
    """identity_loss: the sum, the mean, or nothing of the kind."""
    kind = {0: "sum", 1: "avg"}.get(attrs["reduction"])
    return moved(args, attrs) if kind is None else reduced(kind)(args, {})


def product(args: list[Any], attrs: Attrs) -> Cut | None:
    """The (batched) matrix product; where both its rows and its columns are cut, the more of them stay so, and rows of as many."""
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
    batches, out = broadcast([left, right]) if left or right else ([[], []], [])
    made = [*out, *(["m"] if x.dim() > 1 else []), *(["n"] if y.dim() > 1 else [])]
    if attrs.get("fused_reshape_Out") or attrs.get("head_number", 1) != 1:
        return None
    if attrs.get("_rank1") and not made:
        made = [None]
    sizes = dict(zip([*rows, *columns], [*x.shape[-2:], *y.shape[-2:]]))
    longest = sorted(("m", "n"), key=lambda label: -sizes.get(label, 0))
    return Cut([[*batches[0], *rows], [*batches[1], *columns]], [made], {"k": "sum"}, order=[*out, *longest, "k"])


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


def dotted(args: list[Any], attrs: Attrs) -> Cut | None:
    """dot: the products of rows."""
    rows: list[Any] = numbered(args[0].dim() - 1)
    labels = [*rows, "k"]
    same = args[0].shape == args[1].shape
    return Cut([labels, labels], [[*rows, *([None] if attrs["_rank1"] else [])]], {"k": "sum"}) if same else None


def added_product(args: list[Any], attrs: Attrs) -> Cut | None:
    """addmm: the product, to which something is added once, so that what is summed up is needed whole."""
    own, x, y = args
    labels, _ = broadcast([tuple(own.shape), (x.shape[0], y.shape[1])])
    return Cut([labels[0], [-2, None], [None, -1]], [[-2, -1]])


def crossed(args: list[Any], attrs: Attrs) -> Cut | None:
    """cross: all dimensions but that of the vectors."""
    x, y = args
    labels = numbered(x.dim(), (list(x.shape).index(3) if attrs["dim"] == 9 else attrs["dim"]) % x.dim())
    return Cut([labels, labels], [labels]) if x.shape == y.shape else None


def diagonal(args: list[Any], attrs: Attrs) -> Cut | None:
    """diagonal: of two dimensions one is made, the last."""
    axes = axes_of([attrs["axis1"], attrs["axis2"]], args[0].dim())
    labels = numbered(args[0].dim(), *axes)
    return Cut([labels], [[*(label for at, label in enumerate(labels) if at not in axes), None]])


def met(args: list[Any], attrs: Attrs) -> Cut | None:
    """meshgrid: each vector is a dimension of all that is made."""
    made = list(range(len(args[0])))
    return Cut([[at] for at in made], [made] * len(made)) if all(value.dim() == 1 for value in args[0]) else None


def spread(args: list[Any], attrs: Attrs) -> Cut | None:
    """broadcast_tensors: all become of one shape."""
    labels, out = broadcast([tuple(value.shape) for value in args[0]])
    return Cut(labels, [out] * len(labels))


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
    labels = numbered(args[0].dim())
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
    labels = numbered(given[0].dim(), axis)
    return Cut([labels] * len(given), [labels])


def stacked(args: list[Any], attrs: Attrs) -> Cut | None:
    """stack."""
    given = list(args[0])
    if any(value.shape != given[0].shape for value in given):
        return None
    labels = numbered(given[0].dim())
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
        labels = numbered(x.dim(), axis)
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
    labels = numbered(x.dim(), *whole, *attrs["decrease_axis"])
    out = [label for at, label in enumerate(labels) if at not in attrs["decrease_axis"]]

    def run(held: list[Any], pieces: Pieces) -> torch.Tensor:
        taken: list[Any] = [slice(None)] * x.dim()
        for axis, start, end, step in zip(attrs["axes"], attrs["starts"], attrs["ends"], steps):
            if axis % x.dim() in whole:
                taken[axis] = slice(start, end, step)
        return held[0][tuple(taken)].squeeze(tuple(attrs["decrease_axis"]))

    odd = any(step < 0 for step in steps) or (attrs["_rank1"] and not out)
    return None if odd else Cut([labels], [out], run=run)


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


def expanded_as(args: list[Any], attrs: Attrs) -> Cut | None:
    """expand_as: what is cut as the tensor of whose shape all is to be."""
    x, like = args[0], args[1]
    if like is None:
        return expanded(args, attrs)
    out = numbered(like.dim())
    ahead = like.dim() - x.dim()
    return Cut([[at + ahead if size == like.shape[at + ahead] else None for at, size in enumerate(x.shape)], out], [out])


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


_ELEMENTWISE = """
abs acos acosh angle asin asinh atan atan2 atanh bce_loss bitwise_and bitwise_not bitwise_or bitwise_xor brelu ceil celu clip complex conj
cos cosh digamma elementwise_add elementwise_div elementwise_floordiv elementwise_fmax elementwise_fmin elementwise_heaviside
elementwise_max elementwise_min elementwise_mod elementwise_mul elementwise_pow elementwise_sub elu equal erf erfinv exp expm1 fill_any
fill_any_like fill_zeros_like fill_zeros_like2 floor gelu grad_add greater_equal greater_than hard_shrink hard_sigmoid hard_swish
hinge_loss huber_loss i0 i0e i1 i1e imag increment isclose isfinite_v2 isinf_v2 isnan_v2 leaky_relu lerp less_equal less_than lgamma log
log10 log1p log2 log_loss logical_and logical_not logical_or logical_xor logit logsigmoid margin_rank_loss minus mish modified_huber_loss
nextafter not_equal polygamma pow rank_loss real reciprocal relu relu6 round rsqrt scale selu sigmoid sign silu sin sinh soft_relu
softplus softshrink softsign sqrt square stanh sum swish tan tanh tanh_shrink teacher_student_sigmoid_loss thresholded_relu trunc where
""".split()

RULES: dict[str, Rule] = {
    **dict.fromkeys(_ELEMENTWISE, elementwise),
    **dict.fromkeys(("assign", "share_data"), moved),
    "cast": cast,
    "squared_l2_norm": squared_norm,
    **{
        name: along("axis")
        for name in ("softmax", "log_softmax", "cumsum", "logcumsumexp", "flip", "roll", "reverse", "norm")
    },
    **dict.fromkeys(("fft_c2c", "fft_r2c", "fft_c2r"), along("axes")),
    "cumprod": along("dim"),
    **dict.fromkeys(("argsort", "top_k_v2"), along("axis", outputs=2)),
    **dict.fromkeys(("cummax", "cummin"), along("axis", outputs=2)),
    **dict.fromkeys(("kthvalue", "mode"), along("axis", outputs=2, keep="keepdim")),
    **dict.fromkeys(("arg_max", "arg_min"), along("axis", keep="keepdims")),
    "top_k": last(1, 2),
    **dict.fromkeys(("tril_triu", "cholesky", "inverse", "matrix_power"), last(2)),
    "determinant": mapped((2,), (0,)),
    **dict.fromkeys(("triangular_solve", "cholesky_solve"), mapped((2, 2), (2,))),
    "as_complex": mapped((1,), (0,)),
    "as_real": mapped((0,), (1,)),
    "reduce_sum": reduced("sum"),
    **dict.fromkeys(("reduce_mean", "mean"), reduced("avg")),
    "reduce_max": reduced("max"),
    "reduce_min": reduced("min"),
    "reduce_prod": reduced("product"),
    "reduce_all": reduced("all"),
    "reduce_any": reduced("any"),
    **dict.fromkeys(("reduce_amax", "reduce_amin", "logsumexp", "frobenius_norm", "p_norm"), reduced(None)),
    **dict.fromkeys(("matmul", "matmul_v2", "bmm"), product),
    "identity_loss": identity_loss,
    "mul": flat_product,
    "fc": fully_connected,
    "mv": vector_product,
    "dot": dotted,
    "addmm": added_product,
    "cross": crossed,
    "einsum": notation,
    "diagonal": diagonal,
    "meshgrid": met,
    "broadcast_tensors": spread,
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
    "expand_v2": expanded,
    "expand_as_v2": expanded_as,
    "tile": tiled,
    "pad": padded,
    **spmd_layers.RULES,
    **spmd_batches.RULES,
    **spmd_places.RULES,
    **spmd_parallel.RULES,
}
