"""py_func: the operator that calls back into the user's Python."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.core.lod import LoD, LoDTensor
from paddle_compat.core.op import op

_callables: dict[int, Callable[..., Any]] = {}
_numbers = itertools.count()


def register_callable(fn: Callable[..., Any]) -> int:
    """Keep a function of the user's; the number goes into the operator's attributes.

    Args:
        fn: the function.
    Returns:
        int.

    Example:
        >>> from paddle_compat.base import core
        >>> number = core._append_python_callable_object_and_return_id(abs)
        >>> core._append_python_callable_object_and_return_id(abs) == number + 1
        True

    Follows Paddle 1.8 and 2.6.
    """
    number = next(_numbers)
    _callables[number] = fn
    return number


def _ask(number: int, tensors: list[torch.Tensor], lods: Sequence[LoD | None]) -> list[Any]:
    out = _callables[number](*[LoDTensor(t.detach(), lod) for t, lod in zip(tensors, lods)])
    if out is None:
        return []
    return list(out) if isinstance(out, (list, tuple)) else [out]


def _to_torch(value: Any, dtype: torch.dtype | None, device: torch.device) -> torch.Tensor:
    tensor = value._tensor() if isinstance(value, LoDTensor) else torch.from_numpy(np.array(value))
    return tensor.to(device=device, dtype=dtype)


class _PyFunc(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, forward: int, backward: int, skip: list[int], dtypes: list[int], lods: list[LoD | None], *x: torch.Tensor
    ) -> Any:
        """Append the LoDs of the outputs to `lods`, which has those of the inputs."""
        results = _ask(forward, list(x), lods)
        if len(results) != len(dtypes):
            raise InvalidArgumentError(
                f"Invalid result of the function of `py_func`. Expected {len(dtypes)} values. Received: {len(results)}"
            )
        device = x[0].device if x else torch.device("cpu")
        outs = tuple(_to_torch(v, None, device) for v in results)  # of the type that the function gave them
        lods += [v.lod_ if isinstance(v, LoDTensor) else None for v in results]
        ctx.number, ctx.skip, ctx.lods = backward, skip, lods
        ctx.save_for_backward(*x, *outs)
        ctx.inputs = len(x)
        ctx.mark_non_differentiable(*[o for o in outs if not o.is_floating_point()])
        return outs

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> Any:
        x = ctx.saved_tensors[: ctx.inputs]
        kept = [i for i in range(len(ctx.saved_tensors)) if i not in ctx.skip]
        tensors = [*(ctx.saved_tensors[i] for i in kept), *grads]
        results = iter(_ask(ctx.number, tensors, [*(ctx.lods[i] for i in kept), *ctx.lods[ctx.inputs :]]))
        # the function answers for the inputs in order; integer ones may be left out or None
        found = [next(results, None) if t.is_floating_point() else None for t in x]
        return (
            None,
            None,
            None,
            None,
            None,
            *[None if g is None else _to_torch(g, t.dtype, t.device).reshape(t.shape) for g, t in zip(found, x)],
        )


def _py_func_grad(
    forward: Any, grad_outs: dict[str, list[str]], grad_ins: dict[str, list[str]]
) -> list[tuple[Any, ...]]:
    number = forward.attrs["backward_callable_id"]
    if number < 0:
        return []
    skip = set(forward.attrs.get("backward_skip_vars", ()))
    names = [n for n in (*forward.inputs.get("X", []), *forward.outputs.get("Out", [])) if n not in skip]
    attrs = {"forward_callable_id": number, "backward_callable_id": -1}
    wanted = [n or "@EMPTY@" for n in grad_ins.get("X", [])]
    return [("py_func", {"X": [*names, *grad_outs.get("Out", [])]}, {"Out": wanted}, attrs)]


@op(inputs=("X*",), outputs=("Out*",), grad_maker=_py_func_grad, lod=("Out",), infer=lambda *x, **attrs: ())
def py_func(
    x: list[torch.Tensor],
    *,
    forward_callable_id: int = 0,
    backward_callable_id: int = -1,
    backward_skip_vars: list[str] = [],  # noqa: B006 - attributes are never changed
    _skip: list[int] = [],  # noqa: B006
    _dtypes: list[int] = [],  # noqa: B006
    x_lod: Sequence[LoD | None] | None = None,
) -> tuple[list[torch.Tensor], list[LoD | None]]:
    """Call a function of the user's with the inputs as LoDTensors; its backward function gives the gradients.

    Outputs that are LoDTensors keep their LoD; arrays have none.
    `_skip` are the positions, among inputs and outputs, that the backward function does not take.
    """
    if backward_callable_id < 0:
        x = [t.detach() for t in x]
    lods: list[LoD | None] = [*x_lod] if x_lod else [None] * len(x)
    outs = _PyFunc.apply(forward_callable_id, backward_callable_id, _skip, _dtypes, lods, *x)
    return list(outs), lods[len(x) :]
