"""Functions of `paddle.incubate.nn.functional` for models of experts and their training."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import invalid_argument
from paddle_compat.nn.functional._apply import paddle


def int_bincount(x: Any, low: int, high: int, dtype: Any = None, name: str | None = None) -> Any:
    """How often each whole number of a range occurs.

    Args:
        x (Tensor): whole numbers, not negative, int32 or int64.
        low, high (int): the range, without high.
        dtype: int32 or int64; None for x's.
        name (str): kept.
    Returns:
        Tensor: [high - low].
    Raises:
        ValueError: the range is none.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.incubate.nn.functional.int_bincount(paddle.to_tensor([0, 2, 2, 5]), 0, 4).tolist()
        [1, 0, 2, 0]

    Follows Paddle 3.3.
    """
    if high < low:
        raise invalid_argument("high", f"low, {low}, or more", high, "int_bincount")
    flat = paddle.reshape(x, [-1])
    inside = paddle.masked_select(flat, paddle.logical_and(flat >= low, flat < high))
    counts = paddle.bincount(inside - low, minlength=high - low) if inside.shape[0] else paddle.zeros([high - low], "int64")
    return paddle.cast(counts, x.dtype if dtype is None else dtype)


def cal_aux_loss(
    gate_prob: Any, dispatch_mask: Any, tokens_mask: Any, dispatch_tokens_mask: Any, num_experts: int, use_group: bool, moe_k: int,
    clip_min: float, name: str | None = None,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """The loss that keeps experts equally busy: experts times the sum of mean probability times share of tokens.

    Args:
        gate_prob (Tensor): [tokens, experts], float: the probabilities.
        dispatch_mask (Tensor): [experts] or [tokens, experts]: how many tokens each expert is given.
        tokens_mask (Tensor): [tokens], which of them count; None for all.
        dispatch_tokens_mask (Tensor): [tokens of all processes], which of them count; None where these are all.
        num_experts (int): how many experts there are.
        use_group (bool): whether the loss is divided by moe_k.
        moe_k (int): how many experts each token has.
        clip_min (float): the least count of tokens.
        name (str): kept.
    Returns:
        tuple: the loss and the count of tokens, [], and the shares, [experts].

    Example:
        >>> import paddle_compat as paddle
        >>> probabilities = paddle.full([4, 2], 0.5)
        >>> loss, count, shares = paddle.incubate.nn.functional.cal_aux_loss(
        ...     probabilities, paddle.to_tensor([3, 1]), None, None, 2, False, 1, 1e-6)
        >>> loss.item(), count.item(), shares.tolist()
        (1.0, 4.0, [0.75, 0.25])

    Follows Paddle 3.3.
    """
    kind = gate_prob.dtype
    own = None if tokens_mask is None else paddle.sum(paddle.cast(tokens_mask, kind))
    others = None if dispatch_tokens_mask is None else paddle.sum(paddle.cast(dispatch_tokens_mask, kind))
    every = paddle.full([], float(gate_prob.shape[0] * gate_prob.shape[1]) / num_experts, kind)
    count = paddle.clip(others if others is not None else own if own is not None else every, min=clip_min)
    given = paddle.sum(dispatch_mask, axis=0) if len(dispatch_mask.shape) == 2 else dispatch_mask
    shares = paddle.cast(given, kind).detach() / count
    loss = paddle.sum(paddle.sum(gate_prob, axis=0) / count * shares) * num_experts
    if use_group:
        loss = loss / moe_k
    if own is not None and others is not None and gate_prob.shape[0] != dispatch_tokens_mask.shape[0]:
        scale = others / paddle.clip(own, min=clip_min)  # the value is this process's, the gradient that of all
        loss = loss + (scale - 1.0) * loss.detach()
    return loss, count, shares


def moe_combine(x: Any, combine_weights: Any, scatter_index: Any, name: str | None = None) -> Any:
    """What the experts made of each token, weighted and added.

    Args:
        x (Tensor): [rows, width], float: what the experts made.
        combine_weights (Tensor): [tokens, k], float.
        scatter_index (Tensor): [k, tokens], integers: the rows of x that are each token's.
        name (str): kept.
    Returns:
        Tensor: [tokens, width].

    Example:
        >>> import paddle_compat as paddle
        >>> x, rows = paddle.to_tensor([[1.0], [10.0], [100.0]]), paddle.to_tensor([[0, 1], [2, 2]], "int32")
        >>> paddle.incubate.nn.functional.moe_combine(x, paddle.to_tensor([[1.0, 0.5], [0.1, 0.0]]), rows).tolist()
        [[51.0], [1.0]]

    Follows Paddle 3.3.
    """
    rows = paddle.cast(paddle.transpose(scatter_index, [1, 0]), "int64")
    parts = paddle.reshape(paddle.gather(x, paddle.reshape(rows, [-1])), [*rows.shape, x.shape[-1]])
    return paddle.sum(parts * paddle.unsqueeze(paddle.cast(combine_weights, x.dtype), -1), axis=1)


def embedding_grad_add_to_(token_indices: Any, main_grad_: Any, out_grad: Any, name: str | None = None) -> Any:
    """Add the gradient of an embedding's output to the gradient of its table, in place.

    Args:
        token_indices (Tensor): which rows were looked up, integers.
        main_grad_ (Tensor): [rows, width], float: changed.
        out_grad (Tensor): [..., width], of the look-ups.
        name (str): kept.
    Returns:
        Tensor: main_grad_.

    Example:
        >>> import paddle_compat as paddle
        >>> grad = paddle.zeros([3, 1])
        >>> paddle.incubate.nn.functional.embedding_grad_add_to_(paddle.to_tensor([2, 0, 2]), grad, paddle.ones([3, 1])).tolist()
        [[1.0], [0.0], [2.0]]

    Follows Paddle 3.3.
    """
    added = paddle.cast(paddle.reshape(out_grad, [-1, main_grad_.shape[-1]]), main_grad_.dtype)
    with paddle.no_grad():
        paddle.index_add_(main_grad_, paddle.reshape(token_indices, [-1]), 0, added)
    return main_grad_


def blha_get_max_len(seq_lens_encoder: Any, seq_lens_decoder: Any, batch_size: Any) -> tuple[Any, Any]:
    """The longest of two lists of lengths.

    Args:
        seq_lens_encoder, seq_lens_decoder (Tensor): [N or more], int32.
        batch_size (Tensor): [N]: how many lengths count.
    Returns:
        tuple: two Tensors of one element.

    Example:
        >>> import paddle_compat as paddle
        >>> first, second = paddle.to_tensor([3, 7], "int32"), paddle.to_tensor([2, 0], "int32")
        >>> [x.tolist() for x in paddle.incubate.nn.functional.blha_get_max_len(first, second, paddle.ones([2]))]
        [[7], [2]]

    Follows Paddle 3.3.
    """
    count = batch_size.shape[0]
    first, second = (paddle.reshape(paddle.max(x[:count]), [1]) for x in (seq_lens_encoder, seq_lens_decoder))
    return first, second


__getattr__ = missing(__name__)
