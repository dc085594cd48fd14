"""Running at once: an operator's function on the torch tensors inside Tensors."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.errors import type_error
from paddle_compat.core.op import Op
from paddle_compat.core.tensor import Tensor


def run(definition: Op, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
    """Call the operator's function and wrap what it returns."""
    args = [v._t if isinstance(v, Tensor) else _raw(v, definition) for v in inputs]
    missing = len(definition.inputs) - len(args)
    if missing:
        args += [[] if s.is_list else None for s in definition.inputs[-missing:]]
    out = definition.fn(*args, **{k: v for k, v in attrs.items() if v is not None})
    return _wrap(out)


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
