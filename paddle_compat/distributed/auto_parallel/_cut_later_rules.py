"""The rules that only Paddle 3 has, of operators whose dimensions are those of others or stand alone: letters say it all.

Each operator names the dimensions of its inputs and outputs by letters (`_cuts`): a letter is cut alike wherever it stands, `1` is left
whole, and a letter that is summed over makes parts of sums of the outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from paddle_compat.core.errors import PreconditionNotMetError, UnimplementedError, UnsupportedError, invalid_argument
from paddle_compat.distributed.auto_parallel._cuts import LETTERS, Cut, Laid, lying, merged

Found = tuple[list[Any], list[Any]]


class Letters(NamedTuple):
    """The letters of an operator's inputs and outputs, those that it sums over, and those of its inputs that nobody asks."""

    ins: list[str]
    outs: list[str]
    sums: str = ""
    passive: tuple[int, ...] = ()  # inputs that lie as the others say


Forward = Callable[..., Found]


def cuts_of(api: str, pairs: Iterable[tuple[str, Sequence[int]]]) -> dict[str, int]:
    """What cuts each letter, of tensors that do not contradict one another; Paddle weighs what it costs where they do.

    Args:
        api: the operator.
        pairs: the letters of each tensor, and how it lies.
    Returns:
        By letter the mesh's dimension, or -1.
    Raises:
        UnimplementedError: a letter is cut by two dimensions of the mesh.
        UnsupportedError: several letters are cut by one.
    """
    asked = [(letters, mapping) for letters, mapping in pairs]
    shown = [[(letter, by) for letter, by in zip(letters, mapping) if letter != "1"] for letters, mapping in asked]
    try:
        return merged([("".join(letter for letter, _ in one), [by for _, by in one]) for one in shown], resolve=False)
    except PreconditionNotMetError as error:
        lie = [list(mapping) for _, mapping in asked]
        raise UnsupportedError(f"get_phi_spmd_rule({api!r})", f"tensors that lie as {lie}", "tensors that agree") from error


def _parts(cuts: dict[str, int], letters: str) -> list[int]:
    return [by for letter in letters if (by := cuts.get(letter, -1)) >= 0]


def _forward(api: str, letters: Callable[..., Letters]) -> Forward:
    """How the inputs of an operator have to lie, and its outputs then."""

    def forward(*arguments: Any) -> Found:
        tensors = [each for each in arguments if isinstance(each, Laid)]
        named = letters(*arguments)
        asked = [(own, one.mapping) for i, (own, one) in enumerate(zip(named.ins, tensors)) if i not in named.passive]
        cuts = cuts_of(api, asked)
        sums = _parts(cuts, named.sums)
        return [lying(own, cuts) for own in named.ins], [lying(own, cuts, sums) for own in named.outs]

    return forward


def _reverse(api: str, letters: Callable[..., Letters], outputs: int = 1) -> Forward:
    """How the inputs have to lie where it is known how the outputs do."""

    def backward(*arguments: Any) -> Found:
        tensors = [each for each in arguments if isinstance(each, Laid)]
        ins, outs = tensors[:-outputs], tensors[-outputs:]
        named = letters(*ins, *(each for each in arguments if not isinstance(each, Laid)))
        cuts = cuts_of(api, [(own, one.mapping) for own, one in zip(named.outs, outs)])
        for letter in named.sums:
            cuts[letter] = -1
        return [lying(own, cuts) for own in named.ins], [lying(own, cuts) for own in named.outs]

    return backward


def _row(x: Laid, *taken: int) -> str:
    """The letters of a tensor some of whose dimensions are left whole."""
    gone = {dim % len(x.shape) for dim in taken}
    return "".join("1" if i in gone else letter for i, letter in enumerate(LETTERS[: len(x.shape)]))


def _batched(x: Laid, y: Laid) -> Letters:
    return Letters(["bmk", "bkn"], ["bmn"], "k")


def _batched_back(x: Laid, y: Laid, out: Laid) -> Found:
    if (x.mapping[1], y.mapping[2]) != tuple(out.mapping[1:]) or out.mapping[0] not in (-1, x.mapping[0], y.mapping[0]):
        lie = [each.mapping for each in (x, y, out)]
        raise PreconditionNotMetError(f"Invalid value for tensors of `bmm`. Expected a product as its factors lie. Received: {lie}")
    cuts = cuts_of("bmm", [("bmk", x.mapping), ("bkn", y.mapping), ("bmn", out.mapping)])
    ins = [lying(letters, cuts) for letters in ("bmk", "bkn", "bmn")]
    return ins, [lying("bmk", cuts, _parts(cuts, "n")), lying("bkn", cuts, _parts(cuts, "m"))]


def _placed_rows(weight: Laid, x: Laid, *attributes: Any) -> Letters:
    own = LETTERS[: len(x.shape)]
    return Letters(["yz", own], [own + "z"], "y")


def _placed_rows_back(weight: Laid, x: Laid, out: Laid, *attributes: Any) -> Found:
    own = LETTERS[: len(x.shape)]
    cuts = cuts_of("c_embedding", [(own, x.mapping), (own, out.mapping[:-1])])
    rows = Cut([*lying(own, cuts).mapping, out.mapping[-1]])
    return [Cut(weight.mapping), lying(own, cuts), rows], [Cut(weight.mapping, tuple(sorted(_parts(cuts, own))))]


def _entropy(x: Laid, label: Laid, *attributes: Any) -> Letters:
    thin = _row(x, -1)
    return Letters([LETTERS[: len(x.shape)], thin[: len(label.shape)]], [LETTERS[: len(x.shape)], thin])


def _entropy_of_several(x: Laid, label: Laid, chances: Laid, *attributes: Any) -> Letters:
    own, several = LETTERS[: len(x.shape)], LETTERS[: len(x.shape) - 1] + "z"
    return Letters([own, several, several], [own, several])


def _slopes(api: str, named: tuple[str, str, str], tensors: Sequence[Laid], sums: tuple[str, str] = ("", "")) -> Found:
    """How an image, a filter and the gradient of what they make have to lie, and the gradients of both then.

    Args:
        api: the operator.
        named: the letters of the three; those of the channels differ, as whoever cuts the image's need not cut the filter's.
        tensors: the three.
        sums: the letters that each gradient is summed over.
    """
    image, weight, out = [(letters, one.mapping) for letters, one in zip(named, tensors)]
    cuts, to_image, to_weight = (cuts_of(api, pairs) for pairs in ([image, weight, out], [weight, out], [image, out]))
    ins = [lying(named[0], to_weight), lying(named[1], to_image), lying(named[2], cuts)]
    of_image, of_weight = named[0].replace("c", "C"), named[1].replace("C", "c")
    return ins, [lying(of_image, to_image, _parts(to_image, sums[0])), lying(of_weight, to_weight, _parts(to_weight, sums[1]))]


def _convolved(api: str, turned: bool = False, last: bool = False) -> tuple[Forward, Forward]:
    """A convolution: Paddle takes the filter's sizes for the pixels', and the channels to be second in what comes out."""

    def named(x: Laid, *attributes: Any) -> tuple[str, str, str, int]:
        pixels = "xyz"[: len(x.shape) - 2]
        behind = last and attributes[-1:] in (("NHWC",), ("NDHWC",))
        own = f"n{pixels}c" if behind else f"nc{pixels}"
        return own, (f"co{pixels}" if turned else f"oc{pixels}"), f"no{pixels}", own.index("c")

    def forward(x: Laid, weight: Laid, *attributes: Any) -> Found:
        of_x, of_weight, of_out, channel = named(x, *attributes)
        if x.mapping[channel] != weight.mapping[of_weight.index("c")]:
            raise invalid_argument("filter", f"channels that lie as x's, {x.mapping[channel]}", weight.mapping, api)
        cuts = cuts_of(api, [(of_x, x.mapping), (of_weight, weight.mapping)])
        return [lying(of_x, cuts), lying(of_weight, cuts)], [lying(of_out, cuts, _parts(cuts, "c"))]

    def backward(x: Laid, weight: Laid, out: Laid, *attributes: Any) -> Found:
        of_x, of_weight, of_out, _ = named(x, *attributes)
        return _slopes(api, (of_x, of_weight.replace("c", "C"), of_out), (x, weight, out), ("o", "n"))

    return forward, backward


def _convolved_2d(x: Laid, weight: Laid, out: Laid, *attributes: Any) -> Found:
    """Backwards from what comes out, which of all convolutions this one alone is asked."""
    pixels = "xyz"[: len(x.shape) - 2]
    cuts = cuts_of("conv2d", [(f"no{pixels}", out.mapping)])
    return [lying(f"nc{pixels}", cuts), lying(f"oc{pixels}", cuts)], [lying(f"no{pixels}", cuts)]


def _by_channel(x: Laid, weight: Laid, *attributes: Any) -> Letters:
    if weight.mapping[1] != -1:
        raise invalid_argument("filter", "a second dimension that is whole", weight.mapping, "depthwise_conv2d")
    return Letters([_pixels(attributes), "o1hw"], ["nohw"])


def _pixels(attributes: Sequence[Any]) -> str:
    return "nhw1" if attributes[-1:] == ("NHWC",) else "n1hw"


def _by_channel_back(x: Laid, weight: Laid, out: Laid, *attributes: Any) -> Found:
    return _slopes("depthwise_conv2d", (_pixels(attributes), "o1hw", "nohw"), (x, weight, out))


def _running(x: Laid, axis: int, *attributes: Any) -> Letters:
    return Letters([_row(x, axis)], [_row(x, axis)] * 2)


def _running_back(x: Laid, indices: Laid, out: Laid, axis: int, *attributes: Any) -> Letters:
    return Letters([_row(x, axis)] * 3, [_row(x, axis)])


def _einsum(inputs: list[Laid], equation: str) -> Found:
    if len(inputs) > 2:
        raise invalid_argument("inputs", "one or two tensors", len(inputs), "einsum")
    asked, arrow, result = equation.replace(" ", "").partition("->")
    if not arrow:
        raise UnsupportedError("get_phi_spmd_rule('einsum')", f"the equation {equation!r}", "one that says its result")
    named = asked.split(",")
    if "." in equation or any(len({*letters}) < len(letters) for letters in named):
        whole = max((len(one.shape) for one in inputs), default=0) if "." in equation else len(result)
        if len(by := {each for one in inputs for each in one.mapping if each >= 0}) > 1:
            raise UnimplementedError(f"Invalid value for argument `inputs` of `einsum`. Expected one dimension of the mesh. Received: {by}")
        return [[Cut([-1] * len(one.shape)) for one in inputs]], [Cut([-1] * whole)]
    cuts = cuts_of("einsum", [(letters, one.mapping) for letters, one in zip(named, inputs)])
    sums = _parts(cuts, "".join(sorted({*"".join(named)} - {*result})))
    return [[lying(letters, cuts) for letters in named]], [lying(result, cuts, sums)]


def _heads(mask: Laid) -> str:
    return "b" + ("h" if mask.shape[1] > 1 else "1") + "1" * (len(mask.shape) - 2)


def _attention(q: Laid, k: Laid, v: Laid, seed: Laid, mask: Laid, *attributes: Any) -> Found:
    cuts = cuts_of("flash_attention", [("b1h1", q.mapping), ("b1h1", k.mapping), ("bh11", mask.mapping)])
    ins = [*[lying("b1h1", cuts)] * 3, Cut(seed.mapping), lying(_heads(mask), cuts)]
    return ins, [lying(letters, cuts) for letters in ("b1h1", "bh11", "bh1", "1")]


def _attention_back(q: Laid, k: Laid, v: Laid, seed: Laid, mask: Laid, out: Laid, softmax: Laid, lse: Laid, left: Laid, *_: Any) -> Found:
    """Paddle asks v and the sums of exponentials, not what comes out."""
    cuts = cuts_of("flash_attention", [("b1h1", v.mapping), ("bh1", lse.mapping)])
    ins = [*[lying("b1h1", cuts)] * 3, Cut(seed.mapping), lying(_heads(mask), cuts)]
    return ins, [lying("b1h1", cuts), Cut(softmax.mapping), lying("bh1", cuts), Cut(seed.mapping)]


def _thinned(x: Laid, y: Laid, seed: Laid, *attributes: Any) -> Found:
    """Each operand lies as it does."""
    own, other = LETTERS[: len(x.shape)], LETTERS[len(x.shape) - len(y.shape) : len(x.shape)]
    cuts = cuts_of("fused_dropout_add", [(own, x.mapping), (other, y.mapping)])
    return [Cut(x.mapping), Cut(y.mapping)], [lying(own, cuts), Cut([-1])]


def _thinned_back(x: Laid, y: Laid, out: Laid, seed: Laid, *attributes: Any) -> Found:
    if len(out.shape) != max(len(x.shape), len(y.shape)):
        raise invalid_argument("out", f"{max(len(x.shape), len(y.shape))} dimensions", out.shape, "fused_dropout_add")
    return [Cut(out.mapping[len(out.shape) - len(one.shape) :]) for one in (x, y)], [Cut(out.mapping), Cut(seed.mapping)]


def _with_bias(x: Laid, y: Laid, bias: Laid, trans_x: bool = False, trans_y: bool = False, *attributes: Any) -> Found:
    batch = LETTERS[: len(x.shape) - 2]
    of_x, of_y = batch + ("zy" if trans_x else "yz"), "xz" if trans_y else "zx"
    cuts = cuts_of("fused_gemm_epilogue", [(of_x, x.mapping), (of_y, y.mapping)])
    sums = _parts(cuts, "z")
    return [lying(of_x, cuts), lying(of_y, cuts), lying("x", cuts, sums)], [lying(f"{batch}yx", cuts, sums), Cut([])]


def _linear(x: Laid, weight: Laid, bias: Laid, transpose_weight: bool = False, *attributes: Any) -> Found:
    if transpose_weight:
        raise invalid_argument("transpose_weight", "False", transpose_weight, "linear_v2")
    rows = LETTERS[: len(x.shape) - 1]
    cuts = cuts_of("linear_v2", [(rows + "z", x.mapping), ("zx", weight.mapping)])
    cuts = cuts if cuts["z"] < 0 else {}  # no parts of sums: all is whole then
    return [lying(rows + "z", cuts), lying("zx", cuts), lying("x", cuts)], [lying(rows + "x", cuts), Cut([])]


def _turned(asked: slice) -> Forward:
    """Rotary embeddings: of the tensors that `asked` picks, behind the six inputs when backwards."""

    def found(*arguments: Any) -> Found:
        tensors = [each for each in arguments if isinstance(each, Laid)]
        attributes = [each for each in arguments if not isinstance(each, Laid)]
        own = "sbhd" if len(attributes) > 1 and attributes[1] else "bshd"
        given = [(own, one.mapping) for one in tensors[asked]]
        given += [("bs", tensors[5].mapping)] if asked.start == 0 else []
        cuts = {**cuts_of("fused_rotary_position_embedding", given), "s": -1, "d": -1}
        tables = [Cut([-1 if i in (1, 3) else by for i, by in enumerate(one.mapping)]) for one in tensors[3:5]]
        return [*[lying(own, cuts)] * 3, *tables, lying("bs", cuts)], [lying(own, cuts)] * 3

    return found


def _gathered(x: Laid, index: Laid, axis: int = 0) -> Letters:
    if len(index.shape) != 1:
        raise invalid_argument("index", "one dimension", index.shape, "gather")
    axis %= len(x.shape)
    own = _row(x, axis)
    return Letters([own, "z"], [f"{own[:axis]}z{own[axis + 1 :]}"])


def _selected_back(x: Laid, index: Laid, out: Laid, axis: int = 0) -> Found:
    named = _gathered(x, index, axis)
    cuts = cuts_of("index_select", [(named.ins[0], x.mapping), ("z", index.mapping)])
    ins = [lying(letters, cuts) for letters in (*named.ins, named.outs[0])]
    return ins, [lying(named.ins[0], cuts, _parts(cuts, "z"))]


def _group_norm(x: Laid, scale: Laid, bias: Laid, *attributes: Any) -> Letters:
    return Letters(["n" + "1" * (len(x.shape) - 1), "1", "1"], ["n" + "1" * (len(x.shape) - 1), "n1", "n1"])


def _instance_norm(x: Laid, scale: Laid, bias: Laid, *attributes: Any) -> Letters:
    return Letters(["nc" + "1" * (len(x.shape) - 2), "1", "1"], ["nc" + "1" * (len(x.shape) - 2), "nc", "nc"])


def _instance_norm_back(x: Laid, scale: Laid, bias: Laid, mean: Laid, variance: Laid, out: Laid, *attributes: Any) -> Found:
    if len(out.shape) != len(x.shape):
        raise invalid_argument("y_grad", f"{len(x.shape)} dimensions", out.shape, "instance_norm")
    own, cuts = "nc" + "1" * (len(x.shape) - 2), cuts_of("instance_norm", [("nc", x.mapping[:2])])
    sums = Cut([-1], tuple(sorted(_parts(cuts, "nc"))))
    return [lying(letters, cuts) for letters in (own, "1", "nc", "nc", own)], [lying(own, cuts), sums, sums]


def _batch_norm(x: Laid, *others: Any) -> Letters:
    own = "1c" + "1" * (len(x.shape) - 2)
    return Letters([own, "c", "c", "1", "1"], [own, "c", "c", "c", "c", "1"], passive=(1, 2, 3, 4))


def _put(x: Laid, indices: list[Laid], value: Laid, *attributes: Any) -> Found:
    picked = len(indices)
    if len(value.shape) > len(x.shape) - picked + 1:
        raise invalid_argument("value", f"at most {len(x.shape) - picked + 1} dimensions", value.shape, "index_put")
    kept = [*[-1] * picked, *x.mapping[picked:]]
    of_value = Cut([-1, *kept[picked:]][len(x.shape) - picked + 1 - len(value.shape) :])
    return [Cut(kept), [Cut([-1] * len(one.shape)) for one in indices], of_value], [Cut(kept)]


def _put_back(x: Laid, indices: list[Laid], value: Laid, out: Laid, *attributes: Any) -> Found:
    ins, outs = _put(x, indices, value)
    return [*ins, *outs], [*outs, ins[2]]


def _combined(x: Laid, weights: Laid, index: Laid, *attributes: Any) -> Found:
    cuts = cuts_of("moe_combine", [("sh", x.mapping), ("sk", weights.mapping), ("sk", index.mapping)])
    parts = (1,) if cuts["k"] >= 0 else ()  # the number of the dimension that is summed over, as Paddle writes it down
    cuts["h"] = -1 if cuts["h"] in parts else cuts["h"]
    return [lying(letters, cuts) for letters in ("sh", "sk", "sk")], [lying("sh", cuts, parts)]


def _combined_back(x: Laid, weights: Laid, index: Laid, out: Laid, *attributes: Any) -> Found:
    pairs = [("sh", x.mapping), ("sk", weights.mapping), ("sk", index.mapping), ("sh", out.mapping)]
    cuts = {**cuts_of("moe_combine", pairs), "k": -1}
    ins = [lying(letters, cuts) for letters, _ in pairs]
    return ins, ins[:3]


def _pad(x: Laid, paddings: Sequence[int], *attributes: Any) -> Letters:
    own = _row(x, *(i for i in range(len(x.shape)) if any(paddings[2 * i : 2 * i + 2])))
    return Letters([own], [own])


def _along(x: Laid, index: Laid, axis: int) -> str:
    """The letters that both share: those of dimensions of one size, but the axis."""
    axis %= len(x.shape)
    return _row(x, axis, *(i for i, (a, b) in enumerate(zip(x.shape, index.shape)) if a != b))


def _put_along(x: Laid, index: Laid, value: Laid, axis: int, *attributes: Any) -> Letters:
    return Letters([_along(x, index, axis)] * 3, [_along(x, index, axis)])


def _taken_along(x: Laid, index: Laid, axis: int) -> Letters:
    axis %= len(x.shape)
    own = _along(x, index, axis)
    other = f"{own[:axis]}z{own[axis + 1 :]}"
    return Letters([own, other], [other])


def _taken_along_back(x: Laid, index: Laid, out: Laid, axis: int) -> Found:
    own, other = _taken_along(x, index, axis).ins
    cuts = cuts_of("take_along_axis", [(other, out.mapping)])
    return [lying(letters, cuts) for letters in (own, other, other)], [lying(own, cuts)]


def _boxes(x: Laid, boxes: Laid, counts: Laid, *attributes: Any) -> Letters:
    return Letters(["1c11", "11", "1"], ["1c11"])


def _boxes_back(x: Laid, boxes: Laid, counts: Laid, out: Laid, *attributes: Any) -> Letters:
    return Letters(["1c11", "11", "1", "1c11"], ["1c11"])


def _scattered(x: Laid, index: Laid, updates: Laid, *attributes: Any) -> Letters:
    own = LETTERS[1 : len(x.shape)]
    return Letters(["1" + own, "a", "a" + own], ["1" + own], "a", passive=(0,))


def _added(x: Laid, index: Laid, updates: Laid) -> Letters:
    """Paddle names the dimensions of the index, and those of x, as if they were those of the updates."""
    if len(index.shape) > len(updates.shape):
        raise invalid_argument("updates", f"at least {len(index.shape)} dimensions", updates.shape, "scatter_nd_add")
    own = LETTERS[: len(updates.shape)]
    return Letters(["1" + own[1:], own[: len(index.shape)], own], ["1" + own[1:]], "a", passive=(0,))


def _added_back(x: Laid, index: Laid, updates: Laid, out: Laid) -> Found:
    kept = [-1, *out.mapping[1:]]
    return [Cut(kept), *(Cut(kept[: len(one.shape)]) for one in (index, updates))], [Cut(kept)]


def _unique(x: Laid, index: bool, inverse: bool, counts: bool, axis: Sequence[int], dtype: Any = None) -> Found:
    rows = Cut([-1] * (len(x.shape) if axis else 1))
    return [Cut([-1] * len(x.shape))], [rows, *(Cut([-1] if asked else []) for asked in (index, inverse, counts))]


def _both(api: str, letters: Callable[..., Letters]) -> tuple[Forward, Forward]:
    return _forward(api, letters), _reverse(api, letters)


LATER: dict[str, tuple[Forward, Forward | None]] = {
    "bmm": (_forward("bmm", _batched), _batched_back),
    "c_embedding": (_forward("c_embedding", _placed_rows), _placed_rows_back),
    "c_softmax_with_cross_entropy": (_forward("c_softmax_with_cross_entropy", _entropy), None),
    "c_softmax_with_multi_label_cross_entropy": (_forward("c_softmax_with_multi_label_cross_entropy", _entropy_of_several), None),
    "conv2d": (_convolved("conv2d")[0], _convolved_2d),
    "conv3d": _convolved("conv3d", last=True),
    "conv2d_transpose": _convolved("conv2d_transpose", turned=True, last=True),
    "depthwise_conv2d": (_forward("depthwise_conv2d", _by_channel), _by_channel_back),
    "cummax": (_forward("cummax", _running), _forward("cummax", _running_back)),
    "cummin": (_forward("cummin", _running), _forward("cummin", _running_back)),
    "einsum": (_einsum, None),
    "flash_attention": (_attention, _attention_back),
    "fused_dropout_add": (_thinned, _thinned_back),
    "fused_gemm_epilogue": (_with_bias, None),
    "linear_v2": (_linear, None),
    "fused_rotary_position_embedding": (_turned(slice(0, 3)), _turned(slice(6, 9))),
    "gather": _both("gather", _gathered),
    "index_select": (_forward("index_select", _gathered), _selected_back),
    "group_norm": (_forward("group_norm", _group_norm), None),
    "instance_norm": (_forward("instance_norm", _instance_norm), _instance_norm_back),
    "batch_norm": (_forward("batch_norm", _batch_norm), None),
    "index_put": (_put, _put_back),
    "moe_combine": (_combined, _combined_back),
    "pad": _both("pad", _pad),
    "put_along_axis": (_forward("put_along_axis", _put_along), None),
    "take_along_axis": (_forward("take_along_axis", _taken_along), _taken_along_back),
    "roi_align": (_forward("roi_align", _boxes), _forward("roi_align", _boxes_back)),
    "scatter": _both("scatter", _scattered),
    "scatter_nd_add": (_forward("scatter_nd_add", _added), _added_back),
    "unique": (_unique, None),
}
