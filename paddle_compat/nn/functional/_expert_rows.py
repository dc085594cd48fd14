"""`paddle.nn.functional`: tokens put into the order of their experts, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, invalid_argument
from paddle_compat.nn.functional._apply import paddle


def moe_permute(
    hidden_states: Any, scale: Any, expert_routemap_topk: Any, expert_prob_topk: Any, num_experts: int, tokens_per_expert: Sequence[int],
    padding_alignment: int, do_gather: bool = True, using_ue8m0_scale: bool = False, return_expert_indices: bool = False,
    override_buffer_size: int = -1, name: str | None = None,
) -> tuple[Any, ...]:  # fmt: skip
    """A row for each token and each of its experts: expert after expert, tokens in their order, and zeros behind up to a multiple.

    Args:
        hidden_states (Tensor): [tokens, width], float.
        scale (Tensor): [tokens, blocks]: the scales of float8 numbers, which move along; None where there are none.
        expert_routemap_topk (Tensor): [tokens, k], int32: the experts of each token, all different; -1 for none.
        expert_prob_topk (Tensor): [tokens, k], float32: their probabilities.
        num_experts (int): how many experts there are.
        tokens_per_expert (list): how many tokens each has.
        padding_alignment (int): each expert's number of rows is a multiple of it.
        do_gather (bool): only True.
        using_ue8m0_scale (bool): whether a scale packs four in an int32, which changes nothing here.
        return_expert_indices (bool): whether the rows' experts are returned, too.
        override_buffer_size (int): how many rows there are in all, if more than needed; below 1: as many as are needed.
        name (str): kept.
    Returns:
        tuple: the rows, [rows, width]; int32 [tokens, experts], where the row of each token and expert is, or -1; [rows], the
            probabilities; the rows of scale, or None; where asked for int32 [rows], the experts, or -1 where the zeros are.
    Raises:
        ValueError: tokens_per_expert is not what the routes say, or override_buffer_size too small.
        UnsupportedError: do_gather is False.

    Example:
        >>> import paddle_compat as paddle
        >>> x, route = paddle.to_tensor([[1.0], [2.0]]), paddle.to_tensor([[1, 0], [1, -1]], "int32")
        >>> rows, places, probability, _ = paddle.nn.functional.moe_permute(x, None, route, paddle.ones([2, 2]), 2, [1, 2], 2)
        >>> rows.flatten().tolist(), places.tolist(), probability.tolist()
        ([1.0, 0.0, 1.0, 2.0], [[0, 2], [-1, 3]], [1.0, 0.0, 1.0, 1.0])

    Follows Paddle 3.3, whose kernels need a GPU.
    """
    if not do_gather:
        raise UnsupportedError("paddle.nn.functional.moe_permute", "do_gather=False", "do_gather=True")
    tokens, k = expert_routemap_topk.shape
    route = paddle.reshape(paddle.cast(expert_routemap_topk, "int64"), [-1])
    chosen = paddle.reshape(paddle.nonzero(route >= 0), [-1])
    chosen = paddle.gather(chosen, paddle.argsort(paddle.gather(route, chosen), stable=True))  # slots: expert by expert, tokens in order
    experts, source = paddle.gather(route, chosen), chosen // k
    counts = paddle.bincount(experts, minlength=num_experts).tolist()
    if counts != list(tokens_per_expert):
        raise invalid_argument("tokens_per_expert", f"the counts of expert_routemap_topk: {counts}", list(tokens_per_expert), "moe_permute")
    rooms = [-(-count // padding_alignment) * padding_alignment for count in counts]
    total = override_buffer_size if override_buffer_size > 0 else sum(rooms)
    if total < sum(rooms):
        raise invalid_argument("override_buffer_size", f"{sum(rooms)} or more", override_buffer_size, "moe_permute")
    shift = [sum(rooms[:expert]) - sum(counts[:expert]) for expert in range(num_experts)]  # what padding adds before an expert
    places = paddle.arange(len(chosen)) + paddle.gather(paddle.to_tensor(shift, "int64"), experts)

    def rows_of(values: Any, fill: Any, index: Any) -> Any:
        """Rows of values where they belong, and the filling elsewhere."""
        held = paddle.concat([values, paddle.full([1, *values.shape[1:]], fill, values.dtype)])
        where = paddle.full([total], len(values), "int64")
        return paddle.gather(held, paddle.scatter(where, places, index))

    found = paddle.full([tokens * num_experts], -1, "int32")
    found = paddle.reshape(paddle.scatter(found, source * num_experts + experts, paddle.cast(places, "int32")), [tokens, num_experts])
    probability = rows_of(paddle.reshape(expert_prob_topk, [-1]), 0.0, chosen)
    scales = None if scale is None else rows_of(scale, 0, source)
    out = rows_of(hidden_states, 0.0, source), found, probability, scales
    return (*out, rows_of(paddle.cast(experts, "int32"), -1, paddle.arange(len(chosen)))) if return_expert_indices else out


def moe_unpermute(
    hidden_states_unzipped: Any, zipped_expertwise_rowmap: Any, expert_routemap_topk: Any, token_prob_unzipped: Any,
    total_zipped_tokens: int, num_experts: int, using_mix_precision: bool = True, using_weighted_combine: bool = False,
    name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """The sum of each token's rows: the other way round of `moe_permute`.

    Args:
        hidden_states_unzipped (Tensor): [rows, width], float.
        zipped_expertwise_rowmap (Tensor): [tokens, experts], int32: the rows that are each token's, or -1.
        expert_routemap_topk (Tensor): [tokens, k], int32: the experts of each token, or -1.
        token_prob_unzipped (Tensor): [rows] or [rows, 1], float32: the probabilities.
        total_zipped_tokens (int): how many tokens there are.
        num_experts (int): how many experts there are.
        using_mix_precision (bool): whether the sums are made in float32.
        using_weighted_combine (bool): whether rows are multiplied by their probabilities before.
        name (str): kept.
    Returns:
        tuple: [tokens, width], and the probabilities, [tokens, k].
    Raises:
        ValueError: the map of rows is of other tokens or experts.

    Example:
        >>> import paddle_compat as paddle
        >>> rows, places = paddle.to_tensor([[1.0], [0.0], [1.0], [2.0]]), paddle.to_tensor([[0, 2], [-1, 3]], "int32")
        >>> route, probability = paddle.to_tensor([[1, 0], [1, -1]], "int32"), paddle.to_tensor([0.25, 0.0, 0.75, 1.0])
        >>> x, own = paddle.nn.functional.moe_unpermute(rows, places, route, probability, 2, 2)
        >>> x.tolist(), own.tolist()
        ([[2.0], [2.0]], [[0.75, 0.25], [1.0, 0.0]])

    Follows Paddle 3.3, whose kernels need a GPU.
    """
    expected = [total_zipped_tokens, num_experts]
    if list(zipped_expertwise_rowmap.shape) != expected:
        raise invalid_argument("zipped_expertwise_rowmap", f"shape {expected}", list(zipped_expertwise_rowmap.shape), "moe_unpermute")
    count, kind = hidden_states_unzipped.shape[0], hidden_states_unzipped.dtype
    route = paddle.cast(expert_routemap_topk, "int64")
    places = paddle.take_along_axis(paddle.cast(zipped_expertwise_rowmap, "int64"), paddle.clip(route, min=0), 1)
    places = paddle.where(route >= 0, places, paddle.full_like(places, -1))
    places = paddle.where(places >= 0, places, paddle.full_like(places, count))  # a row of zeros behind the others
    held = paddle.concat([hidden_states_unzipped, paddle.zeros([1, hidden_states_unzipped.shape[1]], kind)])
    weights = paddle.concat([paddle.reshape(token_prob_unzipped, [-1]), paddle.zeros([1], token_prob_unzipped.dtype)])
    own = paddle.reshape(paddle.gather(weights, paddle.reshape(places, [-1])), places.shape)
    work = "float32" if using_mix_precision else kind
    out = paddle.zeros([total_zipped_tokens, held.shape[1]], work)
    for slot in range(places.shape[1]):
        part = paddle.cast(paddle.gather(held, places[:, slot]), work)
        out = out + (part * paddle.cast(own[:, slot : slot + 1], work) if using_weighted_combine else part)
    return paddle.cast(out, kind), own


__getattr__ = missing(__name__)
