"""Arguments of a recorded function: which of them are fed, and what tells two recordings apart."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from paddle_compat.core.dtype import convert_dtype
from paddle_compat.core.sparse import SparseTensor
from paddle_compat.core.tensor import Tensor
from paddle_compat.jit.dy2static._branches import by_key, leaves, mapped, rebuilt
from paddle_compat.static.input import InputSpec
from paddle_compat.tensor.creation import to_tensor

Key = tuple[Any, ...]


class Bound:
    """The arguments of one call.

    Attributes:
        tree: parameter name -> argument, in order.
        key: what tells this call's recording from others.
        tensors: the Tensors to be fed, in order.
        arrays: whether NumPy arrays are among them.
        sparse: whether sparse Tensors are.
    """

    __slots__ = ("arrays", "key", "parts", "sparse", "tensors", "tree")

    def __init__(self) -> None:
        self.tree: dict[str, Any] = {}
        self.parts: list[Any] = []
        self.tensors: list[Tensor] = []
        self.arrays = self.sparse = False
        self.key: Key = ()


_PLAIN = (bool, int, float, str, type(None))


class Signature:
    """A function's parameters, and the specifications of its inputs.

    Args:
        function: the function; a bound method's object is no parameter.
        specs: `input_spec`.
        firm (bool): values in `specs` that are no specifications count, whatever a call gives.
    Raises:
        TypeError: `specs` is no list or tuple.
        ValueError: there are more specifications than parameters.
    """

    def __init__(self, function: Callable[..., Any], specs: Any, firm: bool = False) -> None:
        self.firm = firm
        self.signature = inspect.signature(function)
        self.names = [
            p.name for p in self.signature.parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
        ]
        if specs is not None and not isinstance(specs, (list, tuple)):
            raise TypeError(
                f"Invalid type for argument `input_spec` of `to_static`. Expected a list or tuple. Received: {type(specs).__name__}"
            )
        self.specs: tuple[Any, ...] | None = None if specs is None else tuple(specs)
        various = any(p.kind is p.VAR_POSITIONAL for p in self.signature.parameters.values())
        if self.specs is not None and len(self.specs) > len(self.names) and not various:
            raise ValueError(
                f"Invalid value for argument `input_spec` of `to_static`. Expected at most one entry for each of the parameters "
                f"{self.names}. Received: {len(self.specs)} entries"
            )

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Bound:
        """The arguments of a call, with defaults filled in.

        Raises:
            TypeError: the function does not take them.
        """
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        made = Bound()
        position = 0
        for name, value in bound.arguments.items():
            kind = self.signature.parameters[name].kind
            if kind is inspect.Parameter.VAR_POSITIONAL:
                specs = [self._spec(position + i) for i in range(len(value))]
                made.tree[name] = tuple(_taken(v, s, made) for v, s in zip(value, specs))
            else:
                spec = self._spec(position)
                given = self.firm and _constant(spec) and all(isinstance(leaf, _PLAIN) for leaf in leaves(value))
                made.tree[name] = _taken(spec, None, made) if given else _taken(value, spec, made)
                position += 1
        made.key = tuple(made.parts)
        return made

    def _spec(self, position: int) -> Any:
        return self.specs[position] if self.specs is not None and position < len(self.specs) else None

    def from_specs(self) -> dict[str, Any]:
        """The arguments that the specifications describe, with defaults behind them.

        Raises:
            ValueError: a parameter has neither.
        """
        tree = {}
        rest = [mapped(lambda leaf: InputSpec.from_tensor(leaf) if isinstance(leaf, Tensor) else leaf, spec) for spec in self.specs or ()]
        for name, parameter in self.signature.parameters.items():
            if parameter.kind is parameter.VAR_POSITIONAL:
                tree[name], rest = tuple(rest), []
            elif parameter.kind is parameter.VAR_KEYWORD:
                continue
            elif rest:
                tree[name] = rest.pop(0)
            elif parameter.default is not parameter.empty:
                tree[name] = parameter.default
            else:
                raise ValueError(
                    f"Invalid value for argument `input_spec`. Expected an entry for parameter `{name}`, which has no default. "
                    f"Received: {'none' if self.specs is None else list(self.specs)}"
                )
        return tree

    def split(self, tree: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """Arguments by name as positional and keyword ones."""
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for name, value in tree.items():
            kind = self.signature.parameters[name].kind
            if kind is inspect.Parameter.VAR_POSITIONAL:
                args += value
            elif kind is inspect.Parameter.VAR_KEYWORD:
                kwargs.update(value)
            elif kind is inspect.Parameter.KEYWORD_ONLY:
                kwargs[name] = value
            else:
                args.append(value)
        return args, kwargs


def _constant(spec: Any) -> bool:
    """Whether an entry of `input_spec` is a value, as there is nothing that it specifies."""
    found = list(leaves(spec))
    return spec is not None and bool(found) and all(isinstance(leaf, _PLAIN) for leaf in found)


def _taken(value: Any, spec: Any, bound: Bound) -> Any:
    """The argument with a specification for each Tensor in it; parts of the key and the Tensors are written down."""
    key = bound.parts
    if isinstance(value, np.ndarray):
        value = _as_tensor(value)
        bound.arrays = True
    if isinstance(value, SparseTensor):
        bound.sparse = True
        return value
    if isinstance(value, Tensor):
        bound.tensors.append(value)
        t = value._t
        if isinstance(spec, InputSpec) and _fits(value, spec):
            key.append((spec.shape, spec.dtype, spec.name, value.stop_gradient))
            return spec if spec.stop_gradient == value.stop_gradient else _stopping(spec, value.stop_gradient)
        key.append((t.shape, t.dtype, t.requires_grad))
        return GivenTensor(value, spec.name if isinstance(spec, InputSpec) else None)
    if isinstance(value, (list, tuple)):
        key.append((type(value), len(value)))
        specs: Sequence[Any] = spec if isinstance(spec, (list, tuple)) and len(spec) == len(value) else [None] * len(value)
        return rebuilt(value, [_taken(v, s, bound) for v, s in zip(value, specs)])
    if isinstance(value, dict):
        key.append((type(value), tuple(value)))
        inner = spec if isinstance(spec, dict) else {}
        made = {k: _taken(v, inner.get(k), bound) for k, v in by_key(value)}
        return type(value)({k: made[k] for k in value})
    if isinstance(value, InputSpec):
        key.append(value._key())
        return value
    try:
        hash(value)
        key.append((type(value), value))
    except TypeError:
        key.append((type(value), id(value)))
    return value


class GivenTensor(InputSpec):
    """The specification of a Tensor that was given, which has none of its own."""

    def __init__(self, tensor: Tensor, name: str | None) -> None:
        super().__init__(tensor.shape, tensor.dtype, name, tensor.stop_gradient)


def _stopping(spec: InputSpec, stop_gradient: bool) -> InputSpec:
    return InputSpec(spec.shape, spec.dtype or "float32", spec.name, stop_gradient)


def _as_tensor(array: np.ndarray) -> Tensor:
    made: Tensor = to_tensor(array)
    return made


def _fits(tensor: Tensor, spec: InputSpec) -> bool:
    shape = tensor.shape
    same = spec.dtype is None or convert_dtype(tensor.dtype) == spec.dtype
    return same and len(shape) == len(spec.shape) and all(d in (-1, n) for d, n in zip(spec.shape, shape))
