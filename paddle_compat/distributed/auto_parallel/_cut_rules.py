"""For each operator's name how its tensors have to lie on a mesh, and how what comes out lies then; and backwards, from what comes out.

A rule takes its tensors as `Laid` (lists of them for operators that take lists) and the operator's attributes in their order, and gives the
inputs' `Cut`s and the outputs'. Backward rules take the inputs, the outputs, then the attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple

from paddle_compat.core.errors import UnsupportedError, invalid_argument
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.distributed.auto_parallel._cut_later_rules import LATER
from paddle_compat.distributed.auto_parallel._cut_views import flattened, squeezed, target, unsqueezed, viewed
from paddle_compat.distributed.auto_parallel._cuts import LETTERS, Cut, Laid, broadcast, divided, lying, merged, summed, whole

Found = tuple[list[Any], list[Any]]  # Cuts of inputs and of outputs; a list of them for an operator's list


class Rule(NamedTuple):
    """How an operator's tensors lie, from its inputs and from its outputs."""

    forward: Callable[..., Found]
    backward: Callable[..., Found] | None = None


def _same(x: Laid, *attributes: Any) -> Found:
    cut = Cut(divided(x) if SINCE_3 else x.mapping)
    return [cut], [cut]


def _same_back(x: Laid, out: Laid, *attributes: Any) -> Found:
    cut = Cut(divided(out) if SINCE_3 else out.mapping)
    return [cut], [cut]


def _pointwise(*tensors: Any) -> Found:
    named = [one for one in tensors if isinstance(one, Laid)]
    letters, result = broadcast(*named)
    cuts = merged(zip(letters, [one.mapping for one in named]))
    return [lying(each, cuts) for each in letters], [lying(result, cuts)]


def _pointwise_back(*tensors: Any) -> Found:
    *named, out = (one for one in tensors if isinstance(one, Laid))
    letters, result = broadcast(*named)
    cuts = merged([(result, out.mapping)])
    return [lying(each, cuts) for each in letters], [lying(result, cuts)]


def _where(condition: Laid, x: Laid, y: Laid) -> Found:
    ranks = [len(one.shape) for one in (condition, x, y)]
    if ranks[0] < max(ranks):
        raise invalid_argument("condition", f"{max(ranks)} dimensions", condition.shape, "where")
    letters = [LETTERS[ranks[0] - rank : ranks[0]] for rank in ranks]
    # Paddle reads y's dimensions off x's
    cuts = merged(zip(letters, (condition.mapping, x.mapping, x.mapping)))
    return [lying(each, cuts) for each in letters], [lying(letters[0], cuts)]


def _where_back(condition: Laid, x: Laid, y: Laid, out: Laid) -> Found:
    ranks = [len(one.shape) for one in (condition, x, y)]
    if ranks[0] < max(ranks):
        raise invalid_argument("condition", f"{max(ranks)} dimensions", condition.shape, "where")
    return [Cut(out.mapping[len(out.mapping) - rank :]) for rank in ranks], [Cut(out.mapping)]


def _product_letters(x: Laid, y: Laid, trans_x: bool, trans_y: bool) -> tuple[str, str, str]:
    ranks = len(x.shape), len(y.shape)
    batch = LETTERS[: max(*ranks, 2) - 2]

    def letters(rank: int, matrix: str, turned: bool) -> str:
        if rank == 1:
            return "k"
        own = batch[len(batch) - (rank - 2) :]
        return own + (matrix[::-1] if turned else matrix)

    of_x, of_y = letters(ranks[0], "mk", trans_x), letters(ranks[1], "kn", trans_y)
    sizes = [dict(zip(of_x, x.shape)), dict(zip(of_y, y.shape))]
    for letter in batch:
        if 1 in (sizes[0].get(letter), sizes[1].get(letter)) and sizes[0].get(letter) != sizes[1].get(letter):
            of_x = of_x.replace(letter, "1") if sizes[0].get(letter) == 1 else of_x
            of_y = of_y.replace(letter, "1") if sizes[1].get(letter) == 1 else of_y
    return of_x, of_y, batch + "m" * (ranks[0] > 1) + "n" * (ranks[1] > 1)


def _product(x: Laid, y: Laid, trans_x: bool = False, trans_y: bool = False) -> Found:
    of_x, of_y, result = _product_letters(x, y, trans_x, trans_y)
    if SINCE_3:
        cuts, parts = _weighed([(of_x, _even(of_x, x), x.shape), (of_y, _even(of_y, y), y.shape)])
    else:
        cuts = merged([(of_x, x.mapping), (of_y, y.mapping)])
        parts = summed({"k": cuts["k"]}, result)
    return [lying(of_x, cuts), lying(of_y, cuts)], [lying(result, cuts, parts)]


def _product_back(x: Laid, y: Laid, out: Laid, trans_x: bool = False, trans_y: bool = False) -> Found:
    of_x, of_y, result = _product_letters(x, y, trans_x, trans_y)
    cuts = merged([(result, out.mapping)])
    found = [lying(of_x, cuts), lying(of_y, cuts)]
    if SINCE_3:
        found = [Cut(divided(one._replace(mapping=cut.mapping))) for one, cut in zip((x, y), found)]
    return found, [Cut(out.mapping)]


def _weighed(factors: Sequence[tuple[str, list[int], Sequence[int]]]) -> tuple[dict[str, int], list[int]]:
    """What cuts each letter of factors, given by letters, how they lie and sizes, where they contradict one another; and the parts of sums.

    A dimension of the mesh that would cut several letters cuts that of a batch, or the larger of rows and columns, rather than what is
    summed over; a letter that two would cut is cut as the larger factor says.
    """
    asked = [(letter, by, size) for letters, mapping, sizes in factors for letter, by, size in zip(letters, mapping, sizes) if by >= 0]
    cuts = dict.fromkeys((letter for letters, *_ in factors for letter in letters), -1)
    kept: dict[int, str] = {}
    for by in {by for _, by, _ in asked}:
        rivals = [(letter, size) for letter, other, size in asked if other == by]
        kept[by] = max(rivals, key=lambda each: (each[0] not in "mnk", each[0] != "k", each[1] * (each[0] in "mn")))[0]
    for letters, mapping, _ in sorted(factors, key=lambda factor: prod(factor[2])):
        for letter, by in zip(letters, mapping):
            cuts[letter] = by if by >= 0 and kept[by] == letter else cuts[letter]
    parts = {by for letter, by, _ in asked if letter == "k"}
    if len(parts) > 1 and not any(kept[by] == "k" for by in parts):
        lie = [mapping for _, mapping, _ in factors]
        raise UnsupportedError("get_phi_spmd_rule('matmul')", f"factors that lie as {lie}", "factors that agree")
    return cuts, [by for by in sorted(parts) if kept[by] == "k"]


def _even(letters: str, tensor: Laid) -> list[int]:
    """How a factor lies, without cuts whose sizes the mesh does not divide, but for the dimension that it alone has."""
    return [old if letter in "mn" else by for letter, old, by in zip(letters, tensor.mapping, divided(tensor))]


def _embedding(x: Laid, weight: Laid, padding_idx: int = -1, sparse: bool = False) -> Found:
    if weight.mapping[0] >= 0 and (padding_idx != -1 or sparse):
        raise invalid_argument("weight", "rows that are not cut, with a padding_idx or sparse gradients", weight.mapping, "embedding")
    letters = LETTERS[: len(x.shape)]
    cuts = merged([(letters, x.mapping), ("jk", weight.mapping)], resolve=False)
    return [Cut(x.mapping), lying("jk", cuts)], [lying(letters + "k", cuts, summed({"j": cuts["j"]}, letters))]


def _embedding_back(x: Laid, weight: Laid, out: Laid, *attributes: Any) -> Found:
    return [Cut(out.mapping[:-1]), Cut([-1, out.mapping[-1]])], [Cut(out.mapping)]


def _without(axes: Callable[..., Sequence[int]]) -> Rule:
    """Operators that leave some dimensions whole: of what goes in, and of what comes out."""

    def forward(x: Laid, *attributes: Any) -> Found:
        cut = Cut(whole(x, axes(x, *attributes)))
        return [cut], [cut]

    def backward(x: Laid, out: Laid, *attributes: Any) -> Found:
        cut = Cut(whole(out, axes(x, *attributes)))
        return [cut], [cut]

    return Rule(forward, backward)


def _softmax(x: Laid, axis: int = -1) -> Found:
    cut = whole(x, [axis])
    return [Cut(cut)], [Cut(divided(x._replace(mapping=cut)) if SINCE_3 else cut)]


def _softmax_back(x: Laid, out: Laid, axis: int = -1) -> Found:
    cut = whole(out, [axis])
    return [Cut(divided(x._replace(mapping=cut)) if SINCE_3 else cut)], [Cut(cut)]


def _entropy(
    x: Laid, label: Laid, soft_label: bool = False, use_softmax: bool = True, numeric_stable_mode: bool = True, ignore_index: int = -100,
    axis: int = -1,
) -> Found:  # fmt: skip
    axis %= len(x.shape)
    letters = LETTERS[: len(x.shape)]
    thin = letters[:axis] + "1" + letters[axis + 1 :]
    named = letters if soft_label else thin
    if x.mapping[axis] >= 0:
        for fits, why in ((axis == len(letters) - 1, "the last one"), (use_softmax, "use_softmax"), (not soft_label, "no soft_label")):
            if not fits:
                raise invalid_argument("input", f"the axis whole, or {why}", x.mapping, "softmax_with_cross_entropy")
    cuts = merged([(letters, x.mapping), (named, label.mapping)])
    probabilities = lying(letters, cuts) if use_softmax else Cut([])
    return [lying(letters, cuts), lying(named, cuts)], [probabilities, lying(thin, cuts)]


def _entropy_back(
    x: Laid, label: Laid, softmax: Laid, loss: Laid, soft_label: bool = False, use_softmax: bool = True, numeric_stable_mode: bool = True,
    ignore_index: int = -100, axis: int = -1,
) -> Found:  # fmt: skip
    axis %= len(x.shape)
    letters = LETTERS[: len(x.shape)]
    thin = letters[:axis] + "1" + letters[axis + 1 :]
    cuts = merged([(thin, loss.mapping), (letters, softmax.mapping)] if use_softmax else [(thin, loss.mapping)])
    if soft_label or not use_softmax or axis != len(letters) - 1:
        cuts[letters[axis]] = -1
    named = letters if soft_label else thin
    return [lying(letters, cuts), lying(named, cuts)], [lying(letters, cuts) if use_softmax else Cut([]), lying(thin, cuts)]


def _layer_norm(x: Laid, scale: Laid, bias: Laid, epsilon: float = 1e-5, begin_norm_axis: int = 1) -> Found:
    begin = _begin(x, begin_norm_axis)
    cut, kept = Cut([*x.mapping[:begin], *[-1] * (len(x.shape) - begin)]), Cut(x.mapping[:begin])
    return [cut, Cut([-1]), Cut([-1])], [cut, kept, kept]


def _layer_norm_back(
    x: Laid, scale: Laid, bias: Laid, out: Laid, mean: Laid, variance: Laid, epsilon: float = 1e-5, begin_norm_axis: int = 1
) -> Found:
    begin = _begin(x, begin_norm_axis)
    letters = LETTERS[:begin]
    named = letters + "1" * (len(x.shape) - begin)
    cuts = merged([(named, out.mapping), (letters, mean.mapping), (letters, variance.mapping)])
    cut, kept = lying(named, cuts), lying(letters, cuts)
    return [cut, Cut([-1]), Cut([-1])], [cut, kept, kept]


def _begin(x: Laid, axis: int) -> int:
    if not 0 < axis <= len(x.shape):
        raise invalid_argument("begin_norm_axis", f"a dimension from 1 to {len(x.shape)}", axis, "layer_norm")
    return axis


def _reduced(x: Laid, axes: Any, keep_dim: bool) -> tuple[set[int], str]:
    rank = len(x.shape)
    taken = {axis % rank for axis in ([axes] if isinstance(axes, int) else axes)} or set(range(rank))
    return taken, "".join("1" if i in taken else letter for i, letter in enumerate(LETTERS[:rank]) if keep_dim or i not in taken)


def _reduce(x: Laid, axes: Any = (), keep_dim: bool = False, *attributes: Any) -> Found:
    taken, letters = _reduced(x, axes, keep_dim)
    cuts = dict(zip(LETTERS, x.mapping))
    return [Cut(x.mapping)], [lying(letters, cuts, [x.mapping[i] for i in taken if x.mapping[i] >= 0])]


def _reduce_back(x: Laid, out: Laid, axes: Any = (), keep_dim: bool = False, *attributes: Any) -> Found:
    cuts = merged([(_reduced(x, axes, keep_dim)[1], out.mapping)])
    cuts.pop("1", None)
    return [lying(LETTERS[: len(x.shape)], cuts)], [Cut(out.mapping)]


def _view(result: Callable[..., list[int]], seen: bool = False) -> Rule:
    """Operators that count elements in other sizes; `seen` ones give the shape of their input besides in Paddle 2."""

    def forward(x: Laid, *attributes: Any) -> Found:
        ins, outs = viewed(x, result(x.shape, *attributes), forward3=SINCE_3)
        return [ins], [outs, Cut([-1, *ins.mapping])] if seen and not SINCE_3 else [outs]

    def backward(x: Laid, out: Laid, *attributes: Any) -> Found:
        outs, ins = viewed(out, x.shape)
        return [ins], [outs]

    return Rule(forward, backward)


def _transpose(x: Laid, perm: Sequence[int]) -> Found:
    turned = [(divided(x) if SINCE_3 else x.mapping)[i] for i in perm]
    return [Cut(x.mapping)], [Cut(turned)]


def _transpose_back(x: Laid, out: Laid, perm: Sequence[int]) -> Found:
    back = [-1] * len(perm)
    for by, i in zip(out.mapping, perm):
        back[i] = by
    return [Cut(divided(x._replace(mapping=back)) if SINCE_3 else back)], [Cut(out.mapping)]


def _parts(axis_at: int, count: Callable[..., int]) -> Rule:
    def forward(x: Laid, *attributes: Any) -> Found:
        cut = Cut(whole(x, [attributes[axis_at]]))
        return [cut], [cut] * count(x, *attributes)

    def backward(x: Laid, outs: list[Laid], *attributes: Any) -> Found:
        axis = attributes[axis_at] % len(x.shape)
        letters = LETTERS[: len(x.shape)]
        cuts = merged([(letters, one.mapping) for one in outs])
        cuts[letters[axis]] = -1
        return [lying(letters, cuts)], [lying(letters, cuts)] * len(outs)

    return Rule(forward, backward)


def _batch(inputs: Any, outputs: Any, *others: Any) -> Found:
    """Only the first dimension is cut, in all tensors."""
    ins, outs = _listed(inputs), _listed(outputs)
    cuts = merged([("b", one.mapping[:1]) for one in ins])
    return [lying("b" + "1" * (len(one.shape) - 1), cuts) for one in ins], [lying("b" + "1" * (len(one.shape) - 1), cuts) for one in outs]


def _batch_back(inputs: Any, outputs: Any, *others: Any) -> Found:
    found = _batch(outputs, inputs)
    return found[1], found[0]


def _replicated(inputs: Any, outputs: Any, *others: Any) -> Found:
    made = [[Cut([-1] * len(one.shape)) for one in _listed(each)] for each in (inputs, outputs)]
    return made[0], made[1]


def _listed(tensors: Any) -> list[Laid]:
    return [tensors] if isinstance(tensors, Laid) else list(tensors)


def _alike(tensors: Sequence[Laid], axis: int | None, api: str) -> Cut:
    """How all tensors lie: as they do if they lie alike, else cut where most is cut already, but along the axis."""
    mappings = [one.mapping for one in tensors]
    kept = [i for i in range(len(mappings[0])) if i != axis]
    if all(mapping == mappings[0] for mapping in mappings):
        return Cut([by if i in kept else -1 for i, by in enumerate(mappings[0])])
    used = {by for mapping in mappings for by in mapping if by >= 0}
    if len(used) > 1:
        instead = "tensors that lie alike, or that one dimension of the mesh cuts"
        raise UnsupportedError(f"get_phi_spmd_rule({api!r})", f"tensors that lie as {mappings}", instead)
    most = max(kept, key=lambda i: sum(prod(one.shape) for one in tensors if one.mapping[i] >= 0))
    return Cut([next(iter(used)) if i == most else -1 for i in range(len(mappings[0]))])


def _concat(x: list[Laid], axis: int = 0) -> Found:
    cut = _alike(x, axis % len(x[0].shape), "concat")
    return [[cut] * len(x)], [cut]


def _concat_back(x: list[Laid], out: Laid, axis: int = 0) -> Found:
    return [[Cut(whole(out, [axis]))] * len(x)], [Cut(out.mapping)]


def _stack(x: list[Laid], axis: int = 0) -> Found:
    cut, rank = _alike(x, None, "stack"), len(x[0].shape) + 1
    return [[cut] * len(x)], [Cut([*cut.mapping[: axis % rank], -1, *cut.mapping[axis % rank :]])]


def _stack_back(x: list[Laid], out: Laid, axis: int = 0) -> Found:
    axis %= len(out.mapping)
    return [[Cut([by for i, by in enumerate(out.mapping) if i != axis])] * len(x)], [Cut(out.mapping)]


def _sum_of(x: list[Laid]) -> Found:
    letters = LETTERS[: len(x[0].shape)]
    cuts = merged([(letters, one.mapping) for one in x])
    return [[lying(letters, cuts)] * len(x)], [lying(letters, cuts)]


_UNARY = """acos acosh asin asinh assign atan atanh bernoulli bitwise_not ceil celu clip conj cos cosh digamma dropout elementwise_unary elu
erf erfinv exp expm1 fill floor gelu hardshrink hardsigmoid hardswish hardtanh label_smooth leaky_relu lgamma log log10 log1p log2
logical_not logit logsigmoid mish poisson pow reciprocal relu relu6 round rsqrt scale selu sigmoid sign silu sin sinh softplus softshrink
softsign sqrt square stanh swish tan tanh tanh_shrink thresholded_relu trunc abs""".split()
_BINARY = """add bitwise_and bitwise_or bitwise_xor divide elementwise_add elementwise_binary elementwise_div elementwise_mul
elementwise_pow floor_divide fmax fmin
heaviside logical_and logical_or logical_xor maximum minimum multiply not_equal remainder subtract less_than
greater_than swiglu trunc_divide""".split()
_REDUCING = "all amax amin any frobenius_norm max min prod reduce_max reduce_sum sum".split()
SINCE_3_RULES = frozenset(
    """abs less_than greater_than swiglu add_n stack unbind tile argsort topk logsumexp p_norm reduce_base gather_nd one_hot expand_as
    expand_as_v2 mean_all nonzero roll strided_slice cumsum argmax argmin trunc_divide unsqueeze2""".split()
) | {*LATER}


def _tiled(x: Laid, repeats: Sequence[int]) -> list[int]:
    rank = max(len(x.shape), len(repeats))
    times = [1] * (rank - len(repeats)) + list(repeats)
    return [i for i, count in enumerate(times[rank - len(x.shape) :]) if count > 1]


def _tile(x: Laid, repeats: Sequence[int]) -> Found:
    cut = Cut(whole(x, _tiled(x, repeats)))
    return [cut], [Cut([-1] * max(0, len(repeats) - len(x.shape)) + cut.mapping)]


def _tile_back(x: Laid, out: Laid, repeats: Sequence[int]) -> Found:
    more = len(out.mapping) - len(x.shape)
    cut = Cut(whole(x._replace(mapping=out.mapping[more:]), _tiled(x, repeats)))
    return [cut], [Cut(out.mapping[:more] + cut.mapping)]


def _sorted(axis_at: int) -> Rule:
    def forward(x: Laid, *attributes: Any) -> Found:
        cut = Cut(whole(x, [attributes[axis_at]]))
        return [cut], [cut, cut]

    return Rule(forward)


def _unbind(x: Laid, axis: int = 0) -> Found:
    axis %= len(x.shape)
    cut = Cut([by for i, by in enumerate(x.mapping) if i != axis])
    return [Cut(whole(x, [axis]))], [cut] * x.shape[axis]


def _gather_nd(x: Laid, index: Laid) -> Found:
    depth = index.shape[-1]
    ins = [Cut([-1] * depth + x.mapping[depth:]), Cut([*index.mapping[:-1], -1])]
    return list(ins), [Cut(index.mapping[:-1] + x.mapping[depth:])]


def _gather_nd_back(x: Laid, index: Laid, out: Laid) -> Found:
    depth, places = index.shape[-1], len(index.shape) - 1
    return [Cut([-1] * depth + out.mapping[places:]), Cut([*out.mapping[:places], -1])], [Cut(out.mapping)]


def _one_hot(x: Laid, num_classes: int) -> Found:
    return [Cut(x.mapping)], [Cut([*x.mapping, -1])]


def _one_hot_back(x: Laid, out: Laid, num_classes: int) -> Found:
    return [Cut(out.mapping[:-1])], [Cut([*out.mapping[:-1], -1])]


def _expand_as(x: Laid, y: Laid, target_shape: Sequence[int]) -> Found:
    more = len(y.shape) - len(x.shape)
    spread = [by if size == whole_size else -1 for size, whole_size, by in zip(x.shape, y.shape[more:], y.mapping[more:])]
    return [Cut(spread), Cut(y.mapping)], [Cut(y.mapping)]


def _mean_all(x: Laid) -> Found:
    return [Cut(x.mapping)], [Cut([], tuple(sorted(by for by in x.mapping if by >= 0)))]


def _nonzero(x: Laid) -> Found:
    return [Cut([-1] * len(x.mapping))], [Cut([-1, -1])]


def _rolled(x: Laid, shifts: Sequence[int], axis: Sequence[int] = ()) -> Sequence[int]:
    return axis or range(len(x.shape))


def _cumsum(x: Laid, axis: int = -1, flatten: bool = False, *attributes: Any) -> Found:
    cut = Cut(whole(x, range(len(x.shape)) if flatten else [axis]))
    return [cut], [Cut([-1]) if flatten else cut]


def _cumsum_back(x: Laid, out: Laid, axis: int = -1, flatten: bool = False, *attributes: Any) -> Found:
    return _cumsum(x if flatten else out, axis, flatten)


def _arg(x: Laid, axis: int, keepdims: bool = False, flatten: bool = False, *attributes: Any) -> Found:
    taken, letters = _reduced(x, () if flatten else axis, keepdims)
    kept = Cut(whole(x, taken))
    return [kept], [lying(letters, dict(zip(LETTERS, kept.mapping)))]


def _last_two(x: Laid, *attributes: Any) -> list[int]:
    return [-1, -2]


def _sliced(x: Laid, axes: Sequence[int], *attributes: Any) -> Sequence[int]:
    return axes


RULES: dict[str, Rule] = {
    **{name: Rule(*each) for name, each in LATER.items()},
    **dict.fromkeys(_UNARY, Rule(_same, _same_back)),
    **dict.fromkeys(_BINARY, Rule(_pointwise, _pointwise_back)),
    **dict.fromkeys(_REDUCING, Rule(_reduce, _reduce_back)),
    **dict.fromkeys(("matmul", "matmul_v2"), Rule(_product, _product_back)),
    **dict.fromkeys(("embedding", "lookup_table_v2"), Rule(_embedding, _embedding_back)),
    **dict.fromkeys(("softmax", "log_softmax"), Rule(_softmax, _softmax_back)),
    **dict.fromkeys(("cross_entropy_with_softmax", "softmax_with_cross_entropy"), Rule(_entropy, _entropy_back)),
    "layer_norm": Rule(_layer_norm, _layer_norm_back),
    "where": Rule(_where, _where_back),
    **dict.fromkeys(("reshape", "reshape2"), _view(lambda shape, asked: target(shape, asked, "reshape"))),
    "squeeze": _view(lambda shape, axes=(): [shape[i] for i in squeezed(shape, axes)], seen=True),
    **dict.fromkeys(("unsqueeze", "unsqueeze2"), _view(unsqueezed, seen=True)),
    "flatten": _view(flattened),
    **dict.fromkeys(("transpose", "transpose2"), Rule(_transpose, _transpose_back)),
    "split": _parts(1, lambda x, sections, axis: len(sections)),
    "split_with_num": _parts(1, lambda x, num, axis: int(num)),
    "slice": _without(_sliced),
    **dict.fromkeys(("triu", "tril_triu"), _without(_last_two)),
    **dict.fromkeys(("default_data_parallel", "default_"), Rule(_batch, _batch_back)),
    "replicated": Rule(_replicated, _replicated),
    "concat": Rule(_concat, _concat_back),
    "stack": Rule(_stack, _stack_back),
    "add_n": Rule(_sum_of),
    "tile": Rule(_tile, _tile_back),
    "reduce_base": Rule(_reduce, _reduce_back),
    "unbind": Rule(_unbind),
    "gather_nd": Rule(_gather_nd, _gather_nd_back),
    "one_hot": Rule(_one_hot, _one_hot_back),
    **dict.fromkeys(("expand_as", "expand_as_v2"), Rule(_expand_as)),
    "mean_all": Rule(_mean_all),
    "nonzero": Rule(_nonzero),
    "roll": _without(_rolled),
    "strided_slice": _without(_sliced),
    "cumsum": Rule(_cumsum, _cumsum_back),
    **dict.fromkeys(("argmax", "argmin"), Rule(_arg)),
    "argsort": _sorted(0),
    "topk": _sorted(1),
    "logsumexp": Rule(_reduce, _reduce_back),
    "p_norm": Rule(
        lambda x, porder, axis, epsilon, keepdim, asvector: _reduce(x, axis, keepdim),
        lambda x, out, porder, axis, epsilon, keepdim, asvector: _reduce_back(x, out, axis, keepdim),
    ),
}
