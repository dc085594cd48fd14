"""Running at once: an operator's function on the torch tensors inside Tensors."""

from __future__ import annotations

import contextlib
from typing import Any

import torch

from paddle_compat.core.dtype import convert_dtype, dtype_name
from paddle_compat.core.errors import EnforceNotMet, InvalidArgumentError, OutOfRangeError, type_error
from paddle_compat.core.op import Meta, Op
from paddle_compat.core.tensor import Tensor


def run(definition: Op, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
    """Call the operator's function and wrap what it returns."""
    args = [v._t if isinstance(v, Tensor) else _raw(v, definition) for v in inputs]
    missing = len(definition.inputs) - len(args)
    if missing:
        args += [[] if s.is_list else None for s in definition.inputs[-missing:]]
    return _wrap(call(definition, args, {k: v for k, v in attrs.items() if v is not None}))


def call(definition: Op, args: list[Any], attrs: dict[str, Any]) -> Any:
    """Call the operator's function on torch tensors; what torch refuses is refused as Paddle does, naming operator and inputs."""
    try:
        return definition.fn(*args, **attrs)
    except (RuntimeError, IndexError) as error:
        if type(error) not in (RuntimeError, IndexError) or definition.type == "py_func":  # ours, or the user's
            raise
        refusal = _refusal(definition, args, attrs)
        kind = type(refusal) if refusal is not None else OutOfRangeError if type(error) is IndexError else InvalidArgumentError
        received = "; ".join(f"{slot.name}: {_form(value)}" for slot, value in zip(definition.inputs, args) if value is not None)
        raise kind(
            f"Operator `{definition.type}` cannot take its inputs. Expected inputs that fit its attributes {attrs}. "
            f"Received: {received or 'none'}. ({refusal or error})"
        ) from error


def _refusal(definition: Op, args: list[Any], attrs: dict[str, Any]) -> EnforceNotMet | None:
    """What the operator's rule of inference refuses these inputs with while recording; None where it has none or takes them."""
    if definition.infer is None:
        return None

    def meta(value: Any) -> Any:
        if isinstance(value, list):
            return [meta(v) for v in value]
        return Meta(tuple(value.shape), value.dtype) if isinstance(value, torch.Tensor) else None

    with contextlib.suppress(TypeError, AttributeError, KeyError):  # of values that a Program cannot hold
        try:
            definition.infer(*map(meta, args), **{**definition.attrs, **attrs})
        except EnforceNotMet as refusal:
            return refusal
    return None


def _form(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_form, value))}]"
    return f"{list(value.shape)} {dtype_name(convert_dtype(value.dtype))}" if isinstance(value, torch.Tensor) else repr(value)


def _raw(value: Any, definition: Op) -> Any:
    if value is None:
        return None
    if isinstance(value, (list, tuple)):
        return [_raw(v, definition) for v in value]
    if isinstance(value, Tensor):
        return value._t
    raise type_error("inputs", "Tensors", value, definition.type)


def _wrap(value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, (list, tuple)):
        return type(value)(_wrap(v) for v in value)
    return Tensor(value)
