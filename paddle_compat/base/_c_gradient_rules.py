"""Gradients of `paddle._C_ops` that need no forward operator: they move numbers, or what they are given says all.

Paddle's gradient operators of reshapes do not take what the forward operators were told; those of sorting take the places that were found.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from paddle_compat.core.op import definition_of
from paddle_compat.engine import alone

Tensor = torch.Tensor


@dataclass
class Given:
    """The arguments of a gradient operator by the words of its signature."""

    named: dict[str, Any]

    def __getitem__(self, word: str) -> Any:
        return self.named.get(word)

    @property
    def seed(self) -> Any:
        """The first gradient that comes in."""
        return next(value for word, value in self.named.items() if word[0] == "^")

    @property
    def x(self) -> Tensor:
        """The first input."""
        found: Tensor = next(value for word, value in self.named.items() if word[0] == "@")
        return found


Rule = Callable[[Given], list[Any]]


def _back_in_shape(given: Given) -> list[Any]:
    return [given.seed.reshape(given.x.shape)]


def _turned_back(axes: str) -> Rule:
    def rule(given: Given) -> list[Any]:
        order = [axis % given.seed.dim() for axis in given[axes]]
        return [given.seed.permute([order.index(axis) for axis in range(len(order))])]

    return rule


def _to_places(axis: str) -> Rule:
    """Gradients go where the values came from."""

    def rule(given: Given) -> list[Any]:
        x, places, seed = given["@X"], given["@Indices"], given.seed
        if not x.dim():
            return [seed.reshape(x.shape)]
        if places.dim() < x.dim():
            places, seed = places.unsqueeze(given[axis]), seed.unsqueeze(given[axis])
        return [torch.zeros_like(x).scatter_add(given[axis], places.long(), seed)]

    return rule


def _axes(given: Given, x: Tensor) -> list[int]:
    axis = given["axis"]
    found = [axis] if isinstance(axis, int) else list(axis or ())
    return [each % max(x.dim(), 1) for each in found] or list(range(x.dim()))


def _variance(given: Given) -> list[Any]:
    x, seed = given["@x"], given.seed
    axes = _axes(given, x)
    kept = [1 if axis in axes else size for axis, size in enumerate(x.shape)]
    out = given["@out"]
    slope = (x - x.mean(axes, keepdim=True)) * (2.0 / max(x.numel() // seed.numel() - given["correction"], 0.0))
    if out is not None:
        slope = slope / (2.0 * out.reshape(kept))
    return [slope * seed.reshape(kept)]


def _repeated(given: Given) -> list[Any]:
    x, axis = given["@X"], given["dim"]
    rows = torch.repeat_interleave(given["@RepeatTensor"].long())
    return [torch.zeros_like(x).index_add(axis, rows, given.seed)]


def _written(given: Given) -> list[Any]:
    """Of what a part is written to, and of what is written."""
    definition = definition_of("set_value")
    attrs = {word: list(given[word]) for word in ("starts", "ends", "steps", "axes", "decrease_axes", "none_axes")}
    inputs = {"Input": torch.zeros_like(given.seed), "ValueTensor": given["@values"]}
    want = dict.fromkeys(inputs, 1)
    return alone.gradient("set_value", inputs, {"Out": [given.seed]}, want, {**definition.attrs, **attrs}, {}, ())


def _of_half_a_spectrum(given: Given) -> list[Any]:
    seed, axes = given.seed, list(given["axes"])
    shape = [size // 2 + 1 if axis == axes[-1] % seed.dim() else size for axis, size in enumerate(seed.shape)]
    x = torch.zeros(shape, dtype=seed.dtype.to_complex(), device=seed.device)
    attrs = {word: given[word] for word in ("axes", "normalization", "forward", "last_dim_size")}
    return alone.gradient("fft_c2r", {"X": x}, {"Out": [seed]}, {"X": 1}, {**definition_of("fft_c2r").attrs, **attrs}, {}, ())


def _linear(given: Given) -> list[Any]:
    x, weight, seed = given["@input"], given["@weight"], given.seed
    turned = given["transpose_weight"]
    rows, grads = x.reshape(-1, x.shape[-1]), seed.reshape(-1, seed.shape[-1])
    to_weight = grads.T @ rows if turned else rows.T @ grads
    to_bias = None if given["@bias"] is None else grads.sum(0).reshape(given["@bias"].shape)
    return [(seed @ (weight if turned else weight.T)).reshape(x.shape), to_weight, to_bias]


def _log_determinant(given: Given) -> list[Any]:
    inverse = torch.linalg.inv(given["@x"]).mH
    return [inverse * given["^logdet"][..., None, None]]


def _joined(given: Given) -> list[Any]:
    return [torch.cat(list(given.seed), int(given["axis"]))]


RULES: dict[str, Rule] = {
    **dict.fromkeys(("flatten_grad", "reshape_grad", "squeeze_grad", "unsqueeze_grad", "view_shape_grad"), _back_in_shape),
    **dict.fromkeys(("split_grad", "split_with_num_grad"), _joined),
    **dict.fromkeys(("std_grad", "var_grad"), _variance),
    **dict.fromkeys(("argsort_grad", "kthvalue_grad", "mode_grad", "topk_grad"), _to_places("axis")),
    "assign_grad": lambda given: [given.seed.clone()],
    "cast_grad": lambda given: [given.seed.to(given.x.dtype)],
    "fft_c2r_grad": _of_half_a_spectrum,
    "linear_v2_grad": _linear,
    "repeat_interleave_with_tensor_index_grad": _repeated,
    "rint_grad": lambda given: [torch.zeros_like(given.seed)],
    "rrelu_grad": lambda given: [torch.where(given["@X"] > 0, given.seed, given.seed * given["@Noise"])],
    "set_value_with_tensor_grad": _written,
    "slogdet_v2_grad": _log_determinant,
    "trans_layout_grad": _turned_back("perm"),
    "transpose_grad": _turned_back("axis"),
    "tril_grad": lambda given: [given.seed.tril(given["diagonal"])],
    "triu_grad": lambda given: [given.seed.triu(given["diagonal"])],
    "unbind_grad": lambda given: [torch.stack(list(given.seed), given["axis"])],
}
