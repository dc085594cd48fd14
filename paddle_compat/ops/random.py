"""Numbers by chance: uniform, normal, whole, chosen ones, and batches in random order.

On the CPU they are the real Paddle's, from the same seed: `_engine="minstd"` draws by the rules of Paddle 1.8,
``"mt19937_64"`` by those of 2.x (see `core.random`). On a GPU torch draws them, unless exact numbers are asked for.
"""

from __future__ import annotations

import functools
import math
import secrets
from collections.abc import Callable, Sequence
from operator import add, index
from typing import Any

import numpy as np
import torch

from paddle_compat.core import distributions
from paddle_compat.core.binomial import binomial as counts_of_trials
from paddle_compat.core.distributions import Array, Float
from paddle_compat.core.dtype import VarType, torch_dtype
from paddle_compat.core.engines import Engine, Minstd
from paddle_compat.core.errors import OutOfRangeError, invalid_argument
from paddle_compat.core.gamma import dirichlet as shares_of_shapes
from paddle_compat.core.gamma import gamma as numbers_of_shapes
from paddle_compat.core.op import Meta, op
from paddle_compat.core.place import run_device
from paddle_compat.core.poisson import poisson as counts_of_means
from paddle_compat.core.random import EngineName, engine_for, paddle_draws, torch_generator
from paddle_compat.ops._grad_makers import by_op

Tensor = torch.Tensor
Draw = Callable[[Engine, int, Float], Array]
Fill = Callable[[Tensor, torch.Generator], Tensor]

_SHAPES = ("ShapeTensor?", "ShapeTensorList*?")


def _filled(
    shape: Sequence[int],
    dtype: torch.dtype,
    device: torch.device,
    source: tuple[int, EngineName],
    draw: Draw,
    fill: Fill,
    *,
    bits: int = 0,
) -> Tensor:
    """A new tensor of random numbers: by `draw` as the real Paddle on the CPU, by `fill` as torch elsewhere."""
    seed, name = source
    if not paddle_draws(device):
        if device.type == "meta":
            return torch.empty(list(shape), dtype=dtype, device=device)
        return fill(torch.empty(list(shape), dtype=dtype, device=device), torch_generator(device, seed))
    precision = np.float64 if dtype == torch.float64 else np.float32
    # in its shape before it is a tensor: a view of another tensor would be copied when a Program keeps it
    values = torch.from_numpy(draw(engine_for(seed, name, bits=bits), math.prod(shape), precision).reshape(shape))
    if dtype == torch.bfloat16:
        # Paddle cuts a float32 off after its upper half, where torch would round
        values = (values.view(torch.int32) >> 16).to(torch.int16).view(torch.bfloat16)
    return values if values.dtype is dtype and device.type == "cpu" else values.to(device, dtype)


def _sizes(shape: Sequence[int], tensor: Tensor | None, tensors: Sequence[Tensor] | None) -> list[int]:
    """The shape that comes as a list of tensors, as one tensor, or as an attribute."""
    if tensors:
        return [int(size) for size in tensors]
    # what is no whole number has to be refused before a number is drawn, which would be missing from the stream
    sizes = [index(size) for size in (shape if tensor is None else tensor.tolist())]
    if sizes and min(sizes) < 0:
        raise invalid_argument("shape", "sizes that are not negative", sizes)
    return sizes


def _shaped(
    tensor: Meta | None = None,
    tensors: Sequence[Meta] | None = None,
    *,
    shape: Sequence[int] = (),
    dtype: int = VarType.FP32,
    **others: Any,
) -> Meta:
    if tensors:
        shape = [-1] * len(tensors)
    elif tensor is not None:
        shape = [-1] * max(tensor.shape[0], 1)
    return Meta(tuple(shape), torch_dtype(dtype))


def _like(x: Tensor, shape: Sequence[int], input_dim_idx: int, output_dim_idx: int) -> list[int]:
    sizes = list(shape)
    sizes[output_dim_idx] = x.shape[input_dim_idx]
    return sizes


@functools.lru_cache(maxsize=64)
def _f32(value: float) -> float:
    """An attribute as Paddle stores it."""
    return float(np.float32(value))


# --- uniform ----------------------------------------------------------------------------------------------------------


def _uniform(
    shape: Sequence[int],
    dtype: torch.dtype,
    device: torch.device,
    source: tuple[int, EngineName],
    bounds: tuple[float, float],
    diagonal: tuple[int, int, float] = (0, 0, 1.0),
    *,
    bits: int = 0,
) -> Tensor:
    low, high = map(_f32, bounds)
    if source[1] == "minstd" and low >= high:
        raise invalid_argument("min", f"a number below max = {high}", low)
    out = _filled(
        shape,
        dtype,
        device,
        source,
        lambda engine, count, precision: distributions.uniform(engine, count, low, high, precision),
        lambda tensor, generator: tensor.uniform_(min(low, high), max(low, high), generator=generator),
        bits=bits,
    )
    number, step, value = diagonal
    if number:
        out.view(-1)[: number * (step + 1) : step + 1] = value
    return out


def _infer_uniform(*tensors: Any, min: float = -1.0, max: float = 1.0, _engine: EngineName = "mt19937_64", **attrs: Any) -> Meta:
    if _engine == "minstd" and min >= max:
        raise invalid_argument("min", f"a number below max = {max}", min, "uniform_random")
    return _shaped(*tensors, **attrs)


@op(inputs=_SHAPES, infer=_infer_uniform, random=True)
def uniform_random(
    shape_tensor: Tensor | None = None,
    shape_tensor_list: Sequence[Tensor] | None = None,
    *,
    shape: Sequence[int] = (),
    dtype: int = VarType.FP32,
    min: float = -1.0,
    max: float = 1.0,
    seed: int = 0,
    diag_num: int = 0,
    diag_step: int = 0,
    diag_val: float = 1.0,
    _engine: EngineName = "mt19937_64",
) -> Tensor:
    """Numbers in [min, max); the first `diag_num` elements that lie `diag_step` + 1 apart are `diag_val`."""
    sizes = _sizes(shape, shape_tensor, shape_tensor_list)
    diagonal = (diag_num, diag_step, diag_val)
    return _uniform(sizes, torch_dtype(dtype), run_device(), (seed, _engine), (min, max), diagonal)


@op(inputs=("X",), grad=(), random=True, inplace={"Out": "X"})
def uniform_random_inplace(
    x: Tensor,
    *,
    min: float = -1.0,
    max: float = 1.0,
    seed: int = 0,
    diag_num: int = 0,
    diag_step: int = 0,
    diag_val: float = 1.0,
    _engine: EngineName = "mt19937_64",
) -> Tensor:
    """x filled with numbers in [min, max)."""
    diagonal = (diag_num, diag_step, diag_val)
    return x.copy_(_uniform(x.shape, x.dtype, x.device, (seed, _engine), (min, max), diagonal))


@op(inputs=("Input",), random=True, lod=None)
def uniform_random_batch_size_like(
    x: Tensor,
    *,
    shape: Sequence[int],
    input_dim_idx: int = 0,
    output_dim_idx: int = 0,
    min: float = -1.0,
    max: float = 1.0,
    seed: int = 0,
    diag_num: int = 0,
    diag_step: int = 0,
    diag_val: float = 1.0,
    dtype: int = VarType.FP32,
    _engine: EngineName = "mt19937_64",
) -> Tensor:
    """Numbers in [min, max), with the size of one dimension taken from x."""
    sizes = _like(x, shape, input_dim_idx, output_dim_idx)
    diagonal = (diag_num, diag_step, diag_val)
    return _uniform(sizes, torch_dtype(dtype), x.device, (seed, _engine), (min, max), diagonal, bits=32)


# --- normal -----------------------------------------------------------------------------------------------------------


def _normal(
    shape: Sequence[int],
    dtype: torch.dtype,
    device: torch.device,
    source: tuple[int, EngineName],
    mean: float,
    std: float,
) -> Tensor:
    mean, std = _f32(mean), _f32(std)
    return _filled(
        shape,
        dtype,
        device,
        source,
        lambda engine, count, precision: distributions.normal(engine, count, mean, std, precision),
        lambda tensor, generator: tensor.normal_(generator=generator).mul_(std).add_(mean),
    )


def _normal_shape(tensor: Meta | None = None, tensors: Sequence[Meta] | None = None, *, shape: Sequence[int] = (), **others: Any) -> Meta:
    """As `_shaped`, but sizes that are numbers stand though others are tensors."""
    return _shaped(tensor, None if shape else tensors, shape=shape, **others)


@op(inputs=_SHAPES, infer=_normal_shape, random=True)
def gaussian_random(
    shape_tensor: Tensor | None = None,
    shape_tensor_list: Sequence[Tensor] | None = None,
    *,
    shape: Sequence[int] = (),
    mean: float = 0.0,
    std: float = 1.0,
    seed: int = 0,
    dtype: int = VarType.FP32,
    _engine: EngineName = "mt19937_64",
) -> Tensor:
    """Normally distributed numbers."""
    sizes = _sizes(shape, shape_tensor, shape_tensor_list)
    return _normal(sizes, torch_dtype(dtype), run_device(), (seed, _engine), mean, std)


@op(inputs=("x",), outputs=("out",), grad=(), random=True, inplace={"out": "x"})
def gaussian_inplace(
    x: Tensor,
    *,
    mean: float = 0.0,
    std: float = 1.0,
    seed: int = 0,
    _engine: EngineName = "mt19937_64",
) -> Tensor:
    """x filled with normally distributed numbers."""
    return x.copy_(_normal(x.shape, x.dtype, x.device, (seed, _engine), mean, std))


@op(inputs=("Input",), random=True, lod=None)
def gaussian_random_batch_size_like(
    x: Tensor,
    *,
    shape: Sequence[int],
    input_dim_idx: int = 0,
    output_dim_idx: int = 0,
    mean: float = 0.0,
    std: float = 1.0,
    seed: int = 0,
    dtype: int = VarType.FP32,
    _engine: EngineName = "mt19937_64",
) -> Tensor:
    """Normally distributed numbers, with the size of one dimension taken from x."""
    sizes = _like(x, shape, input_dim_idx, output_dim_idx)
    return _normal(sizes, torch_dtype(dtype), x.device, (seed, _engine), mean, std)


@op(inputs=(), random=True)
def truncated_gaussian_random(
    *,
    shape: Sequence[int],
    mean: float = 0.0,
    std: float = 1.0,
    seed: int = 0,
    dtype: int = VarType.FP32,
    _engine: EngineName = "mt19937_64",
    _bounds: tuple[float, float] = (-2.0, 2.0),
) -> Tensor:
    """Normally distributed numbers within two standard deviations of the mean, or other bounds."""
    mean, std = _f32(mean), _f32(std)
    least, most = (math.erf(bound / math.sqrt(2)) for bound in _bounds)

    def fill(tensor: Tensor, generator: torch.Generator) -> Tensor:
        deviation = torch.empty(tensor.shape, device=tensor.device).uniform_(least, most, generator=generator)
        return tensor.copy_(deviation.erfinv_().mul_(math.sqrt(2) * std).add_(mean))

    return _filled(
        shape,
        torch_dtype(dtype),
        run_device(),
        (seed, _engine),
        lambda engine, count, precision: distributions.truncated_normal(engine, count, mean, std, precision, _bounds),
        fill,
    )


# --- whole numbers ----------------------------------------------------------------------------------------------------


def _whole(
    tensor: Meta | None = None, tensors: Sequence[Meta] | None = None, *, low: int, high: int, **others: Any
) -> Meta:
    _check_range(low, high)
    return _shaped(tensor, tensors, **others)


def _check_range(low: int, high: int) -> None:
    if low >= high:
        raise invalid_argument("low", f"a number below high = {high}", low, "randint")


@op(inputs=_SHAPES, infer=_whole, random=True)
def randint(
    shape_tensor: Tensor | None = None,
    shape_tensor_list: Sequence[Tensor] | None = None,
    *,
    low: int,
    high: int,
    shape: Sequence[int] = (),
    dtype: int = VarType.INT64,
    seed: int = 0,
    _engine: EngineName = "mt19937_64",
) -> Tensor:
    """Whole numbers in [low, high)."""
    _check_range(low, high)
    sizes, device = _sizes(shape, shape_tensor, shape_tensor_list), run_device()
    if not paddle_draws(device):
        out = torch.empty(sizes, dtype=torch_dtype(dtype), device=device)
        return out if device.type == "meta" else out.random_(low, high, generator=torch_generator(device, seed))
    if seed and _engine == "mt19937_64":
        seed = int(dtype)  # Paddle 2.x mixes the two attributes up: with any seed it starts from the data type's number
    drawn = distributions.integers(engine_for(seed, _engine), math.prod(sizes), low, high)
    return torch.from_numpy(drawn.reshape(sizes)).to(device, torch_dtype(dtype))


@op(inputs=(), random=True)
def randperm(*, n: int, dtype: int = VarType.INT64, seed: int = 0, _engine: EngineName = "mt19937_64") -> Tensor:
    """0 .. n - 1 in random order (`seed` is an attribute of Paddle 1.x only)."""
    device = run_device()
    if device.type == "meta":
        return torch.empty(n, dtype=torch_dtype(dtype), device=device)
    if not paddle_draws(device):
        return torch.randperm(n, generator=torch_generator(device, seed), device=device).to(torch_dtype(dtype))
    if _engine == "minstd":
        order = distributions.permutation_by_rand(seed % 2**32 or secrets.randbits(32), n)
    else:
        order = distributions.permutation(engine_for(seed), n)
    return torch.from_numpy(order).to(device, torch_dtype(dtype))


@op(inputs=(), random=True)
def seed(*, seed: int = 0) -> Tensor:
    """The seed, or one that nobody can foresee where it is 0."""
    return torch.tensor([seed or secrets.randbits(32) - 2**31], dtype=torch.int32, device=run_device())


# --- chances ----------------------------------------------------------------------------------------------------------


@op(inputs=("X",), infer=lambda x: Meta(x.shape, x.dtype), random=True)
def bernoulli(x: Tensor) -> Tensor:
    """1 with the chance that x gives, else 0."""
    if x.device.type == "meta":
        return torch.empty_like(x)
    if not paddle_draws(x.device):
        return torch.bernoulli(x, generator=torch_generator(x.device))
    chances = x.detach().cpu().numpy()
    if (most := chances.max(initial=0)) > 1:
        raise OutOfRangeError(f"Invalid value for argument `x` of `bernoulli`. Expected chances up to 1. Received: {float(most)}")
    drawn = torch.from_numpy(np.asarray(distributions.bernoulli(engine_for(0), chances)).astype(chances.dtype))
    return drawn if x.device.type == "cpu" else drawn.to(x.device)


def _chosen(x: Meta, *, num_samples: int = 1, replacement: bool = False) -> Meta:
    if len(x.shape) not in (1, 2):
        raise invalid_argument("x", "a tensor of one or two dimensions", list(x.shape), "multinomial")
    if num_samples <= 0:
        raise invalid_argument("num_samples", "a number above 0", num_samples, "multinomial")
    return Meta((*x.shape[:-1], num_samples), torch.int64)


@op(inputs=("X",), random=True, infer=_chosen)
def multinomial(x: Tensor, *, num_samples: int = 1, replacement: bool = False) -> Tensor:
    """Indices of the last dimension, drawn by the weights that x gives."""
    if x.dim() not in (1, 2) or num_samples <= 0:
        _chosen(Meta(tuple(x.shape), x.dtype), num_samples=num_samples)  # which refuses it
    shape, categories = (*x.shape[:-1], num_samples), x.shape[-1]
    if not x.shape[0] and categories:
        return torch.zeros(shape, dtype=torch.int64, device=x.device)
    if paddle_draws(x.device):
        weights = x.detach().cpu().numpy()
        lowest = float(weights.min(initial=math.inf)) if categories else 0.0
    else:
        lowest = x.min().item() if categories else 0.0
    if not 0 < lowest < math.inf:  # else nothing of this can be
        if bool((x < 0).any()):
            raise invalid_argument("x", "weights that are not negative", float(x.min()), "multinomial")
        if bool((x.sum(-1) <= 0).any()):
            raise invalid_argument("x", "weights whose sum is above 0", float(x.sum(-1).min()), "multinomial")
    if not replacement and (num_samples > categories or not lowest > 0) and int((x != 0).sum(-1).min()) < num_samples:
        expected = f"at most as many samples as weights are above 0, {int((x != 0).sum(-1).min())}, without replacement"
        raise invalid_argument("num_samples", expected, num_samples, "multinomial")
    if not paddle_draws(x.device):
        return torch.multinomial(x, num_samples, replacement, generator=torch_generator(x.device))
    chosen = distributions.multinomial(engine_for(0), weights.reshape(-1, categories), num_samples, replacement)
    out = torch.from_numpy(chosen.reshape(shape))
    return out if x.device.type == "cpu" else out.to(x.device)


@op(inputs=("X",), random=True, infer=lambda x, **attrs: Meta(x.shape[:1], torch.int64))
def sampling_id(
    x: Tensor, *, min: float = 0.0, max: float = 1.0, seed: int = 0, _engine: EngineName = "mt19937_64"
) -> Tensor:
    """For each row of chances the category at which their sum exceeds a number in [min, max)."""
    low, high = _f32(min), _f32(max)
    if not paddle_draws(x.device):
        drawn = torch.empty_like(x[:, :1]).uniform_(low, high, generator=torch_generator(x.device, seed))
        return (x.cumsum(1)[:, :-1] <= drawn).sum(1)
    engine = engine_for(seed, _engine, bits=32)
    return torch.from_numpy(distributions.sampling_id(engine, x.detach().cpu().numpy(), low, high)).to(x.device)


@op(inputs=("X",), grad=(), random=True)
def poisson(x: Tensor) -> Tensor:
    """Poisson distributed numbers with the means that x gives."""
    if not paddle_draws(x.device):
        return torch.empty_like(x) if x.is_meta else torch.poisson(x, generator=torch_generator(x.device))
    counts = counts_of_means(engine_for(0), x.detach().reshape(-1).cpu().numpy())
    numbers = torch.from_numpy(counts).to(x).reshape(x.shape)
    drawn: Tensor = _Drawn.apply(x, numbers) if x.requires_grad else numbers
    return drawn


class _Drawn(torch.autograd.Function):
    """Numbers drawn for x: they let gradients through, which are zeros."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, numbers: Tensor) -> Tensor:
        return numbers

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        return torch.zeros_like(grad), None


@op(inputs=("X",), grad_maker=by_op("fill_any_like", lambda op: {"value": 0.0}), random=True)
def exponential(x: Tensor, **attrs: float) -> Tensor:
    """Exponentially distributed numbers of rate `lambda`, as many as x has."""
    rate = _f32(attrs.get("lambda", 1.0))
    return _filled(
        x.shape,
        x.dtype,
        x.device,
        (0, "mt19937_64"),
        lambda engine, count, precision: distributions.exponential(engine, count, rate, precision),
        lambda tensor, generator: tensor.exponential_(rate, generator=generator),
    )


# Python has no parameter of that name
exponential.attrs["lambda"] = 1.0


@op(inputs=("Alpha",), grad=None, random=True)
def dirichlet(alpha: Tensor) -> Tensor:
    """Points of the simplex, Dirichlet distributed."""
    if not paddle_draws(alpha.device):
        return torch.empty_like(alpha) if alpha.is_meta else torch._sample_dirichlet(alpha, torch_generator(alpha.device))
    rows = alpha.detach().reshape(-1, alpha.shape[-1]).cpu().numpy()
    return torch.from_numpy(shares_of_shapes(engine_for(0), rows)).reshape(alpha.shape).to(alpha.device)


@op(inputs=("x",), outputs=("out",), grad=None, random=True)
def standard_gamma(x: Tensor) -> Tensor:
    """Numbers of gamma distributions of rate 1 (Paddle has it since version 3)."""
    if not paddle_draws(x.device):
        return torch.empty_like(x) if x.is_meta else torch._standard_gamma(x.detach(), torch_generator(x.device))
    numbers = numbers_of_shapes(engine_for(0), x.detach().reshape(-1).cpu().numpy())
    return torch.from_numpy(numbers).reshape(x.shape).to(x.device)


@op(inputs=("count", "prob"), outputs=("out",), grad=None, random=True)
def binomial(count: Tensor, prob: Tensor) -> Tensor:
    """How many trials succeed (Paddle has it since version 3)."""
    if prob.is_meta:
        return torch.empty_like(prob, dtype=torch.int64)
    if not paddle_draws(prob.device):
        return torch.binomial(count.detach(), prob.detach().clamp(0, 1), torch_generator(prob.device)).long()
    trials, chances = (tensor.detach().reshape(-1).cpu().numpy() for tensor in (count, prob))
    return torch.from_numpy(counts_of_trials(engine_for(0), trials, chances)).reshape(prob.shape).to(prob.device)


# --- batches in random order ------------------------------------------------------------------------------------------


@op(
    inputs=("X", "Seed"), outputs=("Out", "ShuffleIdx", "SeedOut"), grad=("ShuffleIdx",), no_grad=("Seed",), random=True
)
def shuffle_batch(x: Tensor, seed: Tensor, *, startup_seed: int = 0) -> tuple[Tensor, Tensor, Tensor]:
    """The rows of x (all dimensions but the last) in random order, where each of them went, and the next seed.

    Paddle 2.x shuffles differently each time, whatever the seed; here it does as 1.8, in every version.
    """
    rows = math.prod(x.shape[:-1])
    if x.is_meta:
        return torch.empty_like(x), torch.empty(rows, dtype=torch.int64, device="meta"), torch.empty_like(seed)
    engine = Minstd(int(seed), multiplier=16807)
    order = torch.from_numpy(distributions.permutation(engine, rows)).to(x.device)
    shuffled = torch.empty_like(x).reshape(rows, -1).index_copy(0, order, x.reshape(rows, -1))
    return shuffled.reshape(x.shape), order, torch.full_like(seed, int(engine.take(1)[0]))


@op(inputs=("X", "Seed"), outputs=("Out", "SeedOut"), no_grad=("Seed",), random=True, lod=None)
def random_crop(x: Tensor, seed: Tensor, *, shape: Sequence[int], startup_seed: int = 0) -> tuple[Tensor, Tensor]:
    """From each instance a piece of the given shape, cut at a place of its own, and the next seed."""
    rank = x.dim() - len(shape)
    sizes = x.shape[rank:]
    if rank < 1 or any(wanted > size for wanted, size in zip(shape, sizes)):
        raise invalid_argument("shape", f"at most the sizes of fewer dimensions than {list(x.shape)} has", list(shape))
    if x.is_meta:
        return x.new_empty([*x.shape[:rank], *shape]), torch.empty_like(seed)
    engine = Minstd(int(seed) % 2**64)  # a negative seed counts as C++ converts it
    instances = x.reshape(-1, *sizes)
    spans = np.array([size - wanted + 1 for size, wanted in zip(sizes, shape)], np.uint64)
    starts = distributions.below(engine, np.tile(spans, len(instances))).reshape(-1, len(sizes)).tolist()
    pieces = [instance[tuple(map(slice, start, map(add, start, shape)))] for instance, start in zip(instances, starts)]
    return torch.stack(pieces).reshape(*x.shape[:rank], *shape), torch.full_like(seed, int(engine.take(1)[0]))
