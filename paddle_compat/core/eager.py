"""Running at once: an operator's function on the torch tensors inside Tensors."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from paddle_compat.core import direct, grad_mode, op
from paddle_compat.core.dtype import convert_dtype, dtype_name
from paddle_compat.core.errors import EnforceNotMet, UnsupportedError, invalid_argument, refusal_kind, type_error
from paddle_compat.core.finite import check_outputs
from paddle_compat.core.onward import let_through
from paddle_compat.core.op import Meta, Op
from paddle_compat.core.shadows import shadow_of
from paddle_compat.core.tensor import Tensor, wrapped

Cast = Callable[[str, list[Any]], list[Any]]

# What mixed precision does to an operator's inputs, `(type, torch tensors in slot order) -> the same`; None: nothing.
cast_inputs: Cast | None = None


def set_cast_inputs(cast: Cast | None) -> Cast | None:
    """Set `cast_inputs` and return what it was."""
    global cast_inputs
    former, cast_inputs = cast_inputs, cast
    direct.hold(cast is not None, "cast")
    return former


Watch = Callable[[str, list[Any], Any], None]

# Who sees what operators take and give: `(type, torch tensors taken, torch tensors given)`; None: nobody.
watch: Watch | None = None
_watcher: Watch | None = None
_finite = False


def set_watch(watcher: Watch | None) -> Watch | None:
    """Set who sees what operators take and give, and return who did."""
    global _watcher
    former, _watcher = _watcher, watcher
    _compose()
    return former


def set_check_finite(on: bool) -> None:
    """Whether an operator whose output holds NaN or an infinity raises (FLAGS_check_nan_inf)."""
    global _finite
    _finite = on
    _compose()


def _compose() -> None:
    global watch
    seen = [see for see in (_watcher, check_outputs if _finite else None) if see is not None]

    def all_of_them(type_: str, args: list[Any], out: Any) -> None:
        for see in seen:
            see(type_, args, out)

    watch = None if not seen else seen[0] if len(seen) == 1 else all_of_them
    direct.hold(bool(seen), "watch")


Join = Callable[[str, Sequence[Any]], None]
Call = Callable[[Op, list[Any], dict[str, Any]], Any]

# What an operator does to Tensors that lie on several processes (`engine.sharding`): what makes all of its inputs such, and what takes the
# place of calling its function; None: there are none.
spread: tuple[Join, Call] | None = None


Follow = Callable[["Op | None", Callable[..., Any], Sequence[Any], dict[str, Any], Any], Any]

# Who gives what operators make of integers a history (`core.integers`); None: no integers have one.
follow: Follow | None = None
unusual = False  # whether Tensors lie on several processes, or integers have a history


def set_follow(function: Follow | None) -> None:
    """Set who gives what operators make of integers a history."""
    global follow, unusual
    follow, unusual = function, function is not None or spread is not None
    direct.hold(function is not None, "integers")


def set_spread(join: Join, call: Call) -> None:
    """Let operators ask whether Tensors lie on several processes."""
    global spread, unusual
    spread, unusual = (join, call), True


def together(what: str, *tensors: Tensor) -> None:
    """Tensors that meet in an operator: where one lies on several processes, so do the others afterwards."""
    if spread is not None:
        spread[0](what, tensors)


def on_pieces(type_: str, function: Callable[..., Any], *tensors: torch.Tensor) -> Any:
    """Call a function of torch tensors, divided as the operator of a type is where they lie on several processes."""
    if spread is None:
        return followed(function, *tensors)
    like = op.find_op(type_)
    assert like is not None
    return spread[1](replace(like, fn=function), list(tensors), {})


def followed(function: Callable[..., Any], *tensors: torch.Tensor) -> Any:
    """Call a function of torch tensors, among which may be integers that have a history."""
    out = function(*tensors)
    return out if follow is None else follow(None, function, tensors, {}, out)


def converted(value: torch.Tensor, kind: torch.dtype) -> torch.Tensor:
    """A torch tensor in another data type; integers that have a history keep it."""

    def convert(part: torch.Tensor) -> torch.Tensor:  # what stands for integers stays floating
        return part.to(kind) if part is value or kind.is_floating_point else part

    return value.to(kind) if follow is None else followed(convert, value)


def run(definition: Op, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
    """Call the operator's function and wrap what it returns."""
    if spread is not None:
        spread[0](definition.type, inputs)
    args = [v._t if isinstance(v, Tensor) else _raw(v, definition) for v in inputs]
    slots = definition.inputs
    if len(args) < len(slots):
        args += [[] if slot.is_list else None for slot in slots[len(args) :]]
    for i in definition.frozen:
        args[i] = _without_gradient(args[i])
    if None in attrs.values():
        attrs = definition.given(attrs)
    return finish(definition, args, call(definition, args, attrs))


def finish(definition: Op, args: list[Any], out: Any) -> Any:
    """Tensors of what the operator's function returned."""
    if isinstance(definition.lod, tuple):  # behind the outputs come their LoDs
        out = out[: len(definition.returns)] if len(definition.returns) > 1 else out[0]
    if definition.type in op.APART:
        out = _apart(out, args)
        if definition.type == "cast" and args[0].requires_grad and not out.requires_grad and torch.is_grad_enabled():
            from paddle_compat.core.integers import made_whole

            return wrapped(made_whole(args[0], out.dtype))
    if not (torch.is_grad_enabled() or definition.inplace):
        out = _without_history(out)
    if isinstance(out, torch.Tensor):
        return wrapped(out)
    results = _wrap(out)
    if type(out) is tuple:
        for part in out:
            if isinstance(part, torch.Tensor) and (part.requires_grad or shadow_of(part) is not None):
                _pass_beside(results)
                break
    return results


def _without_history(out: Any) -> Any:
    """What an operator makes while the gradient is switched off."""
    if isinstance(out, (list, tuple)):
        return type(out)([_without_history(part) for part in out])
    return grad_mode.without_history(out) if isinstance(out, torch.Tensor) else out


def _pass_beside(results: tuple[Any, ...]) -> None:
    """`let_through` for what has no gradient beside what has one: the places beside sorted values, say."""
    for value in results:
        if isinstance(value, Tensor) and not value._t.requires_grad:
            let_through(value)


def _apart(out: Any, args: list[Any]) -> Any:
    """The outputs of an operator, those that share the memory of an input copied: whoever writes over one must not change the other."""
    if isinstance(out, (list, tuple)):
        return type(out)([_apart(t, args) for t in out])
    shared = isinstance(out, torch.Tensor) and (
        out._is_view() or any(out is t for t in args) or (args and type(args[0]) is list and any(out is t for t in args[0]))
    )
    return followed(_copied, out) if shared else out


def _copied(value: torch.Tensor) -> torch.Tensor:
    return value.clone(memory_format=torch.contiguous_format)


def _without_gradient(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_gradient(v) for v in value]
    return value.detach() if value is not None and value.requires_grad else value


def call(definition: Op, args: list[Any], attrs: dict[str, Any]) -> Any:
    """Call the operator's function on torch tensors; what torch refuses is refused as Paddle does, naming operator and inputs."""
    if cast_inputs is not None:
        args = cast_inputs(definition.type, args)
    try:
        out = definition.fn(*args, **attrs) if spread is None else spread[1](definition, args, attrs)
        if watch is not None:
            watch(definition.type, args, out)
        return out if follow is None else follow(definition, definition.fn, args, attrs, out)
    except AttributeError as error:
        for slot, value in zip(definition.inputs, args):
            if value is None and not slot.optional:
                raise invalid_argument(slot.name, "a Tensor", None, definition.type) from error
            if isinstance(value, list) and not slot.is_list:
                raise type_error(slot.name, "a Tensor", value, definition.type) from error
        raise
    except (RuntimeError, LookupError, TypeError, ValueError, ArithmeticError, AssertionError) as error:
        if isinstance(error, (EnforceNotMet, UnsupportedError, torch.OutOfMemoryError)) or definition.type == "py_func":
            raise  # ours, the machine's, or the user's
        for slot, value in zip(definition.inputs, args):
            if isinstance(value, list) and not slot.is_list:
                raise type_error(slot.name, "a Tensor", value, definition.type) from error
        numbers = _as_numbers(definition, attrs) if definition.repeats else attrs
        if numbers is not attrs:
            return call(definition, args, numbers)
        met = _on_gpu(args)
        if met is not None:
            out = call(definition, met, attrs)
            _write_back(met, args)
            return out
        refusal = _refusal(definition, args, attrs)
        kind = refusal_kind(error)
        if refusal is not None and not issubclass(kind, type(refusal)):
            kind = type(refusal)
        reason = str(refusal or error)
        refusal = None  # its context leads back to this frame, which would keep the inputs until the next collection of cycles
        received = "; ".join(f"{slot.name}: {_form(value)}" for slot, value in zip(definition.inputs, args) if value is not None)
        raise kind(
            f"Operator `{definition.type}` cannot take its inputs. Expected inputs that fit its attributes {attrs}. "
            f"Received: {received or 'none'}. ({reason})"
        ) from error


def _as_numbers(definition: Op, attrs: dict[str, Any]) -> dict[str, Any]:
    """Attributes as plain numbers, which Paddle reads out of what holds one element and truth values; the same dict where they are."""

    def number(name: str, value: Any) -> Any:
        if isinstance(value, (Tensor, np.ndarray)) and value.size == 1:
            value = value.item()
            whole = isinstance(value, (bool, int, float))
        else:
            whole = isinstance(value, bool)
        return int(value) if whole and type(definition.attrs.get(name)) is int else value

    found = {name: number(name, value) for name, value in attrs.items()}
    return attrs if all(found[name] is value for name, value in attrs.items()) else found


def _on_gpu(args: list[Any]) -> list[Any] | None:
    """An operator's inputs on the GPU that one of them lies on, where the others do not; None: they are all in one place."""
    tensors = [t for value in args for t in (value if isinstance(value, list) else [value]) if isinstance(t, torch.Tensor)]
    gpu = next((t.device for t in tensors if t.is_cuda), None)
    if gpu is None or all(t.is_cuda for t in tensors):
        return None

    def moved(value: Any) -> Any:
        if isinstance(value, list):
            return [moved(v) for v in value]
        return value.to(gpu) if isinstance(value, torch.Tensor) else value

    return [moved(value) for value in args]


def _write_back(met: list[Any], args: list[Any]) -> None:
    """Change the inputs whose copies on the GPU an operator has changed in place."""
    for copy, value in zip(met, args):
        if isinstance(value, list):
            _write_back(copy, value)
        elif copy is not value and copy._version:
            with torch.no_grad():
                value.copy_(copy)


def _refusal(definition: Op, args: list[Any], attrs: dict[str, Any]) -> EnforceNotMet | None:
    """What the operator's rule of inference refuses these inputs with while recording; None where it has none or takes them."""
    if definition.infer is None:
        return None

    def meta(value: Any) -> Any:
        if isinstance(value, list):
            return [meta(v) for v in value]
        return Meta(tuple(value.shape), value.dtype) if isinstance(value, torch.Tensor) else None

    with contextlib.suppress(TypeError, AttributeError, LookupError, ArithmeticError):  # of values that a Program cannot hold
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
    if type(value) is tuple and value and not any(slot.is_list for slot in definition.inputs):
        return _raw(value[0], definition)  # Paddle reads the first of a tuple where an operator takes one Tensor
    if isinstance(value, (list, tuple)):
        return [_raw(v, definition) for v in value]
    if isinstance(value, Tensor):
        return value._t
    raise type_error("inputs", "Tensors", value, definition.type)


def _wrap(value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, (list, tuple)):
        return type(value)([_wrap(v) for v in value])
    return wrapped(value)


op._run = run
op._finish = finish
