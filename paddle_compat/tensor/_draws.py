"""Draws that Paddle keeps off its public lists: normal numbers of a seed of their own, and the likeliest of many (nucleus sampling)."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from paddle_compat.core.errors import UnsupportedError, invalid_argument


def gaussian_(x: Any, mean: Any = 0.0, std: float = 1.0, seed: int = 0, name: str | None = None) -> Any:
    """`normal_` with a seed.

    Args:
        x (Tensor): it is overwritten.
        mean, std (float): of the distribution.
        seed (int): the seed; 0: that of `paddle.seed`.
        name (str): has no effect.
    Returns:
        Tensor: x.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(n, 3) for n in paddle.tensor.random.gaussian_(paddle.zeros([3]), seed=5).tolist()]
        [-0.224, 0.084, 0.705]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.random import _overwrite, gaussian

    return _overwrite(x, "gaussian_", gaussian(x.shape, mean, std, seed, x.dtype))


def top_p_sampling(x: Any, ps: Any, threshold: Any = None, seed: Any = None, name: str | None = None) -> tuple[Any, Any]:
    """One element of each row by chance, of the likeliest whose probabilities together come to p.

    Args:
        x (Tensor): probabilities, [N, number], float.
        ps (Tensor): p of each row, [N] or [N, 1]; the element with which the sum passes p still counts.
        threshold (Tensor): of each row, [N] or [N, 1]: what is less likely does not count; None for none.
        seed (int): the seed; None, -1 or 0: that of `paddle.seed`.
        name (str): has no effect.
    Returns:
        tuple: the probabilities of what was drawn, [N, 1], and the places, int64 [N, 1].
    Raises:
        ValueError: x has another number of dimensions than two.
        UnsupportedError: seed is a Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> chance, place = paddle.tensor.top_p_sampling(paddle.to_tensor([[0.1, 0.7, 0.2]]), paddle.to_tensor([0.5]))
        >>> chance.tolist(), place.tolist()
        ([[0.699999988079071]], [[1]])

    Follows Paddle 2.6.
    """
    api, tensor = "top_p_sampling", import_module("paddle_compat.tensor")
    if len(x.shape) != 2:
        raise invalid_argument("x", "two dimensions", list(x.shape), api)
    if seed is not None and not isinstance(seed, int):
        raise UnsupportedError(f"paddle.tensor.{api}", "seed", instead="a seed that is an int")
    ordered, places = tensor.topk(x, x.shape[1])
    sums = tensor.cumsum(ordered, axis=1)
    counts = sums - ordered <= tensor.reshape(ps, [-1, 1])
    if threshold is not None:
        counts = tensor.logical_and(counts, ordered >= tensor.reshape(threshold, [-1, 1]))
    last = tensor.clip(tensor.sum(tensor.cast(counts, "int64"), axis=1, keepdim=True) - 1, min=0)  # the likeliest always counts
    point = tensor.uniform([x.shape[0], 1], x.dtype, 0.0, 1.0, 0 if seed in (None, -1) else seed) * tensor.take_along_axis(sums, last, 1)
    drawn = tensor.minimum(tensor.sum(tensor.cast(sums <= point, "int64"), axis=1, keepdim=True), last)
    return tensor.take_along_axis(ordered, drawn, 1), tensor.take_along_axis(places, drawn, 1)


__all__ = ["gaussian_", "top_p_sampling"]
