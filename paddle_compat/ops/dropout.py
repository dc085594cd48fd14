"""Dropout, and activations that draw random numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from paddle_compat.core import flags
from paddle_compat.core.distributions import dropout_mask, uniform
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import Meta, op
from paddle_compat.core.random import EngineName, engine_for, replica_generator, torch_generator
from paddle_compat.ops._checks import check_axis

Tensor = torch.Tensor

_MODES = ("downgrade_in_infer", "upscale_in_train")
# Elements from which it is faster to compare even numbers, which torch draws in vectors, than to ask its `bernoulli_`: of many, it takes
# a quarter of the time.
_MANY = 512


def _infer_dropout(x: Meta, seed_tensor: Meta | None = None, *, dropout_prob: float = 0.5, **attrs: Any) -> Any:
    mode = attrs.get("dropout_implementation", _MODES[0])
    if mode not in _MODES:
        raise invalid_argument("dropout_implementation", f"one of {_MODES}", mode)
    return Meta(x.shape, x.dtype) if 0.0 <= dropout_prob <= 1.0 else NotImplemented


def is_exact(x: Tensor) -> bool:
    """Whether the wheel's numbers are wanted."""
    return not x.is_meta and bool(flags.get("FLAGS_exact_random"))


def _drawn(x: Tensor, count: int, low: float, high: float) -> Tensor:
    """Uniform numbers of x's type, as the wheel draws them."""
    dtype = np.float64 if x.dtype == torch.float64 else np.float32
    drawn = uniform(engine_for(0, "mt19937_64"), count, float(np.float32(low)), float(np.float32(high)), dtype)
    return torch.from_numpy(drawn).to(x)


def kept(x: Tensor, chance: float, fixed: int, engine: EngineName) -> Tensor:
    """Which elements a dropout keeps."""
    if is_exact(x):
        return torch.from_numpy(dropout_mask(engine_for(fixed, engine), x.numel(), chance)).view(x.shape).to(x.device)
    generator = torch_generator(x.device, fixed)
    return _by_chance(x, chance, generator) if _are_many(x) else torch.empty_like(x).bernoulli_(1.0 - chance, generator=generator)


def _are_many(x: Tensor) -> bool:
    return type(x) is Tensor and x.is_cpu and x.numel() >= _MANY


def _by_chance(x: Tensor, chance: float, generator: torch.Generator | None = None, factor: float = 1.0) -> Tensor:
    """`factor` for elements that are kept, and 0 for the others."""
    chosen = torch.rand(x.shape, generator=generator).lt_(1.0 - chance).to(x.dtype)
    return chosen if factor == 1.0 else chosen.mul_(factor)


def upscaled(x: Tensor, chance: float) -> Tensor:
    """What a dropout keeps, scaled up: `torch.dropout`, with a quicker choice."""
    return x * _by_chance(x, chance, None, _upscale(chance)) if _are_many(x) else torch.dropout(x, chance, True)


def _upscale(chance: float) -> float:
    return 1.0 / (1.0 - chance) if chance < 1 else 0.0


def only(x: Tensor, mask: Tensor, chance: float, upscale: bool) -> Tensor:
    """The elements that a dropout keeps, and 0 for the others."""
    if upscale:
        return x * mask * _upscale(chance)
    return x * mask


def _by_axis(x: Any, axis: Sequence[int]) -> tuple[int, ...]:
    """The shape of a mask that is drawn along some dimensions and shared along the others."""
    return tuple(size if n in axis else 1 for n, size in enumerate(x.shape))


def _dropout_and_mask(
    x: Tensor,
    seed_tensor: Tensor | None = None,
    *,
    dropout_prob: float = 0.5,
    is_test: bool = False,
    fix_seed: bool = False,
    seed: int = 0,
    dropout_implementation: str = "downgrade_in_infer",
    axis: Sequence[int] | None = None,
    _engine: EngineName = "mt19937_64",
) -> tuple[Tensor, Tensor | None]:
    """As `dropout`, or `dropout_nd`, with the mask: 1 where an element is kept; inference has none."""
    if is_test or not 0.0 <= dropout_prob <= 1.0:
        how = dropout_implementation
        return dropout.fn(x, dropout_prob=dropout_prob, is_test=is_test, dropout_implementation=how), None
    if seed_tensor is not None:
        seed, fix_seed = int(seed_tensor), True
    drawn = x if axis is None else x.new_empty(_by_axis(x, axis))
    mask = kept(drawn, dropout_prob, seed if fix_seed else 0, _engine)
    return only(x, mask, dropout_prob, dropout_implementation == "upscale_in_train"), mask.to(torch.uint8)


@op(
    inputs=("X", "Seed?"),
    outputs=("Out", "Mask~"),
    infer=_infer_dropout,
    whole=_dropout_and_mask,
    grad=("Mask",),
    no_grad=("Seed",),
    describe={"Mask": lambda x, *rest, **a: Meta(x.shape, torch.uint8, 0)},
    random=True,
)
def dropout(
    x: Tensor,
    seed_tensor: Tensor | None = None,
    *,
    dropout_prob: float = 0.5,
    is_test: bool = False,
    fix_seed: bool = False,
    seed: int = 0,
    dropout_implementation: str = "downgrade_in_infer",
    _engine: EngineName = "mt19937_64",
) -> Tensor:
    """Set elements to 0 by chance; the rest is scaled up while training, or everything scaled down in inference."""
    if not 0.0 <= dropout_prob <= 1.0:
        raise invalid_argument("dropout_prob", "a number from 0 to 1", dropout_prob, "dropout")
    upscale = dropout_implementation == "upscale_in_train"
    if is_test:
        return x if upscale else x * (1.0 - dropout_prob)
    if seed_tensor is not None:
        seed, fix_seed = int(seed_tensor), True
    fixed = seed if fix_seed else 0
    exact = is_exact(x)
    if not exact and not fixed and upscale and replica_generator(x.device) is None:
        return upscaled(x, dropout_prob)
    if x.device.type == "meta":
        return x
    return only(x, kept(x, dropout_prob, fixed, _engine), dropout_prob, upscale)


@op(
    inputs=("X", "Seed?"),
    outputs=("Out", "Mask~"),
    infer=_infer_dropout,
    whole=_dropout_and_mask,
    grad=("Mask",),
    no_grad=("Seed",),
    describe={"Mask": lambda x, *rest, axis=(), **attrs: Meta(_by_axis(x, axis), torch.uint8, 0)},
    random=True,
)
def dropout_nd(
    x: Tensor,
    seed_tensor: Tensor | None = None,
    *,
    dropout_prob: float = 0.5,
    is_test: bool = False,
    fix_seed: bool = False,
    seed: int = 0,
    dropout_implementation: str = "downgrade_in_infer",
    axis: Sequence[int] = (),
) -> Tensor:
    """`dropout` of whole slices: one number is drawn for each index along `axis`."""
    return _dropout_and_mask(
        x, seed_tensor, dropout_prob=dropout_prob, is_test=is_test, fix_seed=fix_seed, seed=seed,
        dropout_implementation=dropout_implementation, axis=axis,
    )[0]  # fmt: skip


@op(
    inputs=("X",),
    outputs=("Out", "Noise~"),
    grad=("X", "Noise"),
    describe={"Noise": lambda x, *rest, **attrs: Meta(x.shape, x.dtype, 0)},
    random=True,
)
def rrelu(x: Tensor, *, lower: float = 0.125, upper: float = 1.0 / 3, is_test: bool = False) -> Tensor:
    """x above zero; below, x times a slope that is drawn from [lower, upper), or their mean in inference."""
    if x.dtype is torch.float16 and x.is_cpu:  # which torch has no kernel for
        return rrelu.fn(x.float(), lower=lower, upper=upper, is_test=is_test).half()
    if is_test or not is_exact(x):
        own = replica_generator(x.device)
        if is_test or own is None:
            return torch.rrelu(x, lower, upper, training=not is_test)
        found: Tensor = torch.ops.aten.rrelu_with_noise(x, torch.empty_like(x), lower, upper, True, own)
        return found
    below = x < 0
    return x * torch.ones_like(x).masked_scatter(below, _drawn(x, int(below.sum()), lower, upper))


def _infer_gumbel(x: Meta, *, temperature: float = 1.0, hard: bool = False, axis: int = -1) -> Meta:
    check_axis(axis, len(x.shape), x.shape)
    return Meta(x.shape, x.dtype)


@op(inputs=("X",), grad=("Out",), random=True, infer=_infer_gumbel)
def gumbel_softmax(x: Tensor, *, temperature: float = 1.0, hard: bool = False, axis: int = -1) -> Tensor:
    """Softmax of x with Gumbel noise; `hard` rounds it to one class."""
    if temperature <= 0:
        raise invalid_argument("temperature", "a number above 0", temperature, "gumbel_softmax")
    own = replica_generator(x.device)
    if not is_exact(x) and own is None:
        found = F.gumbel_softmax(x.detach(), temperature, hard, dim=axis)
        return _GumbelGradient.apply(x, found, axis) if x.requires_grad else found
    if is_exact(x):
        noise = -torch.log(-torch.log(_drawn(x, x.numel(), 1e-5, 1.0))).view(x.shape)
    else:
        noise = -torch.empty_like(x).exponential_(generator=own).log()
    found = torch.softmax((x.detach() + noise) / temperature, axis)
    if hard:
        found = torch.zeros_like(found).scatter(axis, found.argmax(axis, True), 1.0)
    return _GumbelGradient.apply(x, found, axis) if x.requires_grad else found


class _GumbelGradient(torch.autograd.Function):
    """What was found, and the wheels' gradient: that of a softmax that gave it, whatever the temperature; so 0 for one class."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, found: Tensor, axis: int) -> Tensor:
        ctx.save_for_backward(found)
        ctx.axis = axis
        return found.view_as(found)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        (found,) = ctx.saved_tensors
        return torch._softmax_backward_data(grad, found, ctx.axis, found.dtype), None, None
