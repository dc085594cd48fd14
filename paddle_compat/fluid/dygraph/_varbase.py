"""VarBase: an eager value of Paddle 1.8."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from paddle_compat.core import mode
from paddle_compat.core.dtype import VarType, convert_dtype, dtype_name, torch_dtype
from paddle_compat.core.errors import (
    InvalidArgumentError,
    OutOfRangeError,
    UnimplementedError,
    failed_assertion,
    type_error,
)
from paddle_compat.core.lod import LoDTensor, to_numpy
from paddle_compat.core.op import definition_of
from paddle_compat.core.program import default_main_program
from paddle_compat.core.tensor import Tensor, set_up
from paddle_compat.fluid.dygraph import _eager, _lods
from paddle_compat.fluid.dygraph.backward_strategy import BackwardStrategy

_INTS = frozenset({VarType.UINT8, VarType.INT8, VarType.INT16, VarType.INT32, VarType.INT64, VarType.BOOL})


def _call(type_: str, *inputs: Any, **attrs: Any) -> Any:
    definition = definition_of(type_)
    return _eager.run(definition, inputs, attrs)


# ---- arithmetic
def _scale(factor: Callable[[Any], float], bias: Callable[[Any], float]) -> Callable[[Any, Any], Any]:
    return lambda x, n: _call("scale", x, scale=float(factor(n)), bias=float(bias(n)))


def _constant(like: VarBase, value: Any) -> VarBase:
    try:
        number = float(value.item() if isinstance(value, np.ndarray) else value)
    except (TypeError, ValueError) as error:
        expected = "a VarBase or a number"
        raise InvalidArgumentError(f"Invalid operand beside `{like.name}`. Expected {expected}. Received: {value!r}") from error
    if like.dtype in _INTS:
        number = int(number)
    elif not isinstance(value, (bool, int, float)) and math.isfinite(number) and number != int(number):
        # numpy's float32 is no float of Python's, and Paddle 1.8 makes a whole number of what is none
        warnings.warn(f"Paddle 1.8 cuts {value!r} beside `{like.name}` off to {int(number)}; float() keeps its fraction", stacklevel=3)
        number = int(number)
    found: VarBase = _call("fill_constant", shape=[1], dtype=int(like.dtype), value=float(number))
    return found


def _binary(type_: str, reverse: bool = False, scaled: Any = None, divides: bool = False) -> Callable[..., Any]:
    """The method that a Python operator calls: a number becomes one scale, or a constant of the value's data type."""

    def method(self: VarBase, other: Any) -> Any:
        whole = self.dtype in _INTS
        if isinstance(other, (bool, int, float)):
            if scaled is not None and not (divides and (whole or not other)):
                if whole and int(other) != other:
                    raise AssertionError(f"Invalid operand beside a whole VarBase. Expected a whole number. Received: {other}")
                return scaled(self, other)
        if not whole and type_ == "elementwise_floordiv":
            raise UnimplementedError(f"`//` takes whole numbers. Expected int32 or int64. Received: {dtype_name(self.dtype)}")
        if not isinstance(other, Tensor):
            other = _constant(self, other)
        elif other.dtype != self.dtype:
            raise type_error("other", f"a VarBase of {dtype_name(self.dtype)}", other, f"operator {type_}")
        return _call(type_, other, self, axis=-1) if reverse else _call(type_, self, other, axis=-1)

    return method


def _comparison(type_: str) -> Callable[..., Any]:
    def method(self: VarBase, other: Any) -> Any:
        if not isinstance(other, Tensor):
            other = _constant(self, other)
        elif other.dtype != self.dtype:
            raise type_error("other", f"a VarBase of {dtype_name(self.dtype)}", other, f"operator {type_}")
        return _call(type_, self, other)

    return method


# ---- indexing
def _cut(value: VarBase, item: Any) -> Any:
    """`x[item]`: whole numbers and slices; what numbers alone pick out has shape (1,)."""
    entries = list(item) if isinstance(item, tuple) else [item]
    shape = value.shape
    if len(entries) > len(shape):
        raise InvalidArgumentError(f"Too many indices. Expected at most {len(shape)} for `{value.name}`. Received: {len(entries)}")
    axes, starts, ends, steps, dropped, turned = [], [], [], [], [], []
    for axis, (entry, size) in enumerate(zip(entries, shape)):
        if isinstance(entry, (bool, int, np.integer)):
            at = int(entry)
            if not -size <= at < size:
                raise OutOfRangeError(f"Index out of range in dimension {axis}. Expected one of [{-size}, {size}). Received: {at}")
            at %= size
            dropped.append(axis)
            bounds = (at, at + 1, 1)
        elif isinstance(entry, slice):
            plain = slice(*(int(v) if isinstance(v, (VarBase, np.integer)) else v for v in (entry.start, entry.stop, entry.step)))
            bounds = plain.indices(size)
            if plain == slice(None):
                continue
            if bounds[2] == -1 and plain.start is None and plain.stop is None:
                turned.append(axis)
                continue
        else:
            raise InvalidArgumentError(f"Invalid index of a VarBase. Expected whole numbers and slices. Received: {entry!r}")
        axes.append(axis)
        starts.append(bounds[0])
        # an end in front of the first element has no number of its own
        ends.append(bounds[1] if bounds[1] >= 0 else -size - 1)
        steps.append(bounds[2])
    if not axes and not turned:
        return value
    out = value
    if axes and not turned and all(step == 1 for step in steps):
        if any(end <= start for start, end in zip(starts, ends)):
            raise InvalidArgumentError(f"An empty slice of `{value.name}`. Expected ends after starts. Received: {item!r}")
        out = _call("slice", value, None, None, [], [], axes=axes, starts=starts, ends=ends, decrease_axis=dropped)
    elif axes:
        out = _call(
            "strided_slice", value, None, None, None, [], [], [], axes=axes, starts=starts, ends=ends, strides=steps, decrease_axis=[]
        )
    return _call("reverse", out, axis=turned) if turned else out


class pybind11_type(type(Tensor)):  # type: ignore[misc]
    """The class of the classes that Paddle 1.8 has from C++; scripts ask for its name."""
    __call__ = type.__call__

    def __instancecheck__(cls, instance: object) -> bool:
        """Values of scripts of Paddle 2 count as instances, too, of the class that its first releases knew them by."""
        counted = cls.__dict__.get("_counted")
        return super().__instancecheck__(instance) or (counted is not None and isinstance(instance, counted))


class VarBase(Tensor, metaclass=pybind11_type):
    """A value of an eager script of Paddle 1.8: what `fluid.dygraph.to_variable` and `fluid.layers` give there.

    Args:
        value: an array.
        place: where it lives; None: the current place.
        persistable (bool): it counts as model state.
        zero_copy (bool): share the array's memory.
        name (str), stop_gradient (bool): its name, None: a new one; of no effect, as in the real one: gradients stop here.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     x = fluid.dygraph.to_variable(np.array([1.0, 2.0], "float32"))
        ...     y = x * 2
        ...     print(y.to_string().expandtabs(1).strip())
        name tmp_1, dtype: VarType.FP32 shape: [2]  lod: {}
         dim: 2
         layout: NCHW
         dtype: float
         data: [2 4]

    Follows Paddle 1.8.
    """

    __slots__ = ()
    _counted = Tensor  # what `isinstance` takes for one

    def __init__(
        self, value: Any = None, place: Any = None, persistable: Any = False, zero_copy: bool = False, name: str | None = None,
        stop_gradient: bool = True,
    ) -> None:  # fmt: skip
        if isinstance(value, VarType):  # Paddle's own Python gives data type, shape, name, kind, persistable
            value = torch.empty(list(place or [0]), dtype=torch_dtype(value))
            place, persistable, name = None, bool(name), persistable if isinstance(persistable, str) else None
        elif value is None:
            value = torch.empty(0)
        elif not isinstance(value, torch.Tensor):
            value = array_tensor(value, zero_copy and isinstance(value, np.ndarray))
            if place is not None:
                value = value.to(place.torch_device)
        set_up(self, value, name if name is not None else _NAMED + str(_eager.number()), persistable)

    @property
    def name(self) -> str:
        """The value's name."""
        name: Any = getattr(self, "_name", None)
        if type(name) is not str:
            self._name = name = f"tmp_{_eager.number() if name is None else name}"
        return str(name)

    @name.setter
    def name(self, name: str) -> None:
        self._name = name

    @property
    def stop_gradient(self) -> bool:
        """Whether gradients stop here."""
        return not self._t.requires_grad

    @stop_gradient.setter
    def stop_gradient(self, value: bool) -> None:
        if value and self._t.requires_grad and not self._t.is_leaf:
            _eager.stop(self)
        elif not value and _eager.STOPPED in self.__dict__:
            _eager.go_on(self)
        elif self._t.is_floating_point() and self._t.is_leaf:
            self._t.requires_grad_(not value)

    @property
    def shape(self) -> list[int]:
        """The dimensions; none as long as nothing is held."""
        found = list(self._t.shape)
        return [] if found == [0] else found

    @property
    def block(self) -> Any:
        """The global block of the default Program."""
        return default_main_program().global_block()

    @property
    def real(self) -> Any:
        """The real part; a real value is its own."""
        return self._part("real")

    @property
    def imag(self) -> Any:
        """The imaginary part."""
        return self._part("imag")

    def _part(self, which: str) -> Any:
        found = _call(which, self)
        found._name = f"{self.name}.{which}"
        return found

    def gradient(self) -> Any:
        """What the last backward pass left here.

        Returns:
            numpy.ndarray, None where no gradient came; of a sparse one the rows' values and their numbers.

        Example:
            >>> import numpy as np, paddle_compat.fluid as fluid
            >>> with fluid.dygraph.guard():
            ...     x = fluid.dygraph.to_variable(np.array([3.0], "float32"))
            ...     x.stop_gradient = False
            ...     y = x * x
            ...     y.backward()
            ...     x.gradient(), y.gradient()
            (array([6.], dtype=float32), array([1.], dtype=float32))

        Follows Paddle 1.8.
        """
        grad = _eager.gradient(self._t)
        if grad is None:
            return None
        if grad.is_sparse:
            return to_numpy(grad._values()), to_numpy(grad._indices()[0])
        return to_numpy(grad)

    def backward(self, backward_strategy: BackwardStrategy | None = None, retain_graph: bool = False) -> None:
        """Fill the gradients of all that this value was made from; a gradient of an earlier pass is overwritten.

        Args:
            backward_strategy (BackwardStrategy): of no effect on the result; None: the default one.
            retain_graph (bool): other values' passes may go the same way.
        Raises:
            TypeError: the strategy, or the switch, is something else.
            PreconditionNotMetError: a part of the graph was differentiated before.

        Example:
            >>> import numpy as np, paddle_compat.fluid as fluid
            >>> with fluid.dygraph.guard():
            ...     x = fluid.dygraph.to_variable(np.array([3.0], "float32"))
            ...     x.stop_gradient = False
            ...     (x * x).backward()
            ...     x.gradient()
            array([6.], dtype=float32)

        Follows Paddle 1.8.
        """
        if not mode.in_dygraph_mode():
            raise failed_assertion("self", "eager mode, inside fluid.dygraph.guard()", "static mode", "VarBase.backward")
        if backward_strategy is not None and not isinstance(backward_strategy, BackwardStrategy):
            raise type_error("backward_strategy", "a BackwardStrategy", backward_strategy, "VarBase.backward")
        if not isinstance(retain_graph, int):
            raise type_error("retain_graph", "a bool", retain_graph, "VarBase.backward")
        _eager.backward(self, bool(retain_graph))

    def clear_gradient(self) -> None:
        """Set the gradient to zero; a sparse one goes.

        Example:
            >>> import numpy as np, paddle_compat.fluid as fluid
            >>> with fluid.dygraph.guard():
            ...     x = fluid.dygraph.to_variable(np.array([3.0], "float32"))
            ...     x.stop_gradient = False
            ...     (x * x).backward()
            ...     x.clear_gradient()
            ...     x.gradient()
            array([0.], dtype=float32)

        Follows Paddle 1.8.
        """
        grad = _eager.gradient(self._t)
        if grad is not None:
            self._t.grad = None if grad.is_sparse else torch.zeros_like(self._t)

    def detach(self) -> VarBase:
        """A copy of the data, cut off from the gradient.

        Returns:
            VarBase.

        Example:
            >>> import numpy as np, paddle_compat.fluid as fluid
            >>> with fluid.dygraph.guard():
            ...     fluid.dygraph.to_variable(np.array([3.0])).detach().stop_gradient
            True

        Follows Paddle 1.8.
        """
        return VarBase(self._t.detach().clone(), name=self.name + "0")

    def set_value(self, value: Any) -> None:
        """Overwrite the data.

        Args:
            value: a VarBase or array of the same shape and data type.
        Raises:
            AssertionError: it has another shape or data type, or is neither.

        Example:
            >>> import numpy as np, paddle_compat.fluid as fluid
            >>> with fluid.dygraph.guard():
            ...     x = fluid.dygraph.to_variable(np.array([3.0], "float32"))
            ...     x.set_value(np.array([4.0], "float32"))
            ...     x.numpy()
            array([4.], dtype=float32)

        Follows Paddle 1.8.
        """
        if not isinstance(value, (Tensor, np.ndarray, LoDTensor)):
            raise failed_assertion("value", "a VarBase or a numpy array", value, "VarBase.set_value")
        array = value._t.detach() if isinstance(value, Tensor) else array_tensor(np.array(value))
        if tuple(array.shape) != tuple(self._t.shape):
            raise failed_assertion("value", f"shape {self.shape}, that of `{self.name}`", list(array.shape), "VarBase.set_value")
        if array.dtype != self._t.dtype:
            expected = f"data type {dtype_name(self.dtype)}, that of `{self.name}`"
            raise failed_assertion("value", expected, dtype_name(convert_dtype(array.dtype)), "VarBase.set_value")
        self._t.data.copy_(array)  # a graph that holds this value sees the new one, as in the wheel

    def astype(self, dtype: Any) -> VarBase:
        """A copy of another data type.

        Args:
            dtype: a data type.
        Returns:
            VarBase.

        Example:
            >>> import numpy as np, paddle_compat.fluid as fluid
            >>> with fluid.dygraph.guard():
            ...     fluid.dygraph.to_variable(np.array([1.7])).astype("int64").numpy()
            array([1])

        Follows Paddle 1.8.
        """
        found: VarBase = _call("cast", self, in_dtype=int(self.dtype), out_dtype=int(convert_dtype(dtype)))
        return found

    def value(self) -> VarBase:
        """What holds the tensor; `get_tensor()` gives it.

        Returns:
            The VarBase itself.

        Example:
            >>> import numpy as np, paddle_compat.fluid as fluid
            >>> with fluid.dygraph.guard():
            ...     np.array(fluid.dygraph.to_variable(np.array([3.0])).value().get_tensor())
            array([3.])

        Follows Paddle 1.8.
        """
        return self

    def get_tensor(self) -> LoDTensor:
        """The data as LoDTensor; setting that sets this.

        Returns:
            LoDTensor.

        Example:
            >>> import numpy as np, paddle_compat.fluid as fluid
            >>> with fluid.dygraph.guard():
            ...     fluid.dygraph.to_variable(np.ones([2, 3])).value().get_tensor().shape()
            [2, 3]

        Follows Paddle 1.8.
        """
        return _Held(self)

    def to_string(self, throw_on_error: bool = True, with_details: bool = False) -> str:
        """Name, data type, shape and all elements.

        Args:
            throw_on_error, with_details (bool): of no effect.
        Returns:
            str.

        Example:
            >>> import numpy as np, paddle_compat.fluid as fluid
            >>> with fluid.dygraph.guard():
            ...     fluid.dygraph.to_variable(np.ones([2, 3])).to_string()[:55]
            'name generated_var_0, dtype: VarType.FP64 shape: [2, 3]'

        Follows Paddle 1.8.
        """
        if self._t.shape == (0,):
            return f"name {self.name}, shape: [], not inited"
        if self._t.is_complex():
            return f"REAL: {self.real.to_string()}IMAG: {self.imag.to_string()}"
        text = LoDTensor(self._t.detach(), _lods.of(self))._text_of_first_age()
        return f"name {self.name}, dtype: {self.dtype} shape: {self.shape} {text}"

    def _grad_ivar(self) -> VarBase | None:
        grad = _eager.gradient(self._t)
        if grad is None:
            return None
        made = VarBase(grad.detach(), name=self._grad_name())
        made.stop_gradient = False
        return made

    def _grad_name(self) -> str:
        return self.name + "@GRAD"

    def _grad_value(self) -> Any:
        grad = self._grad_ivar()
        return None if grad is None else grad.get_tensor()

    def _copy_to(self, place: Any, blocking: bool) -> VarBase:
        return VarBase(self._t.detach().to(place.torch_device, copy=True), name=self.name + "1")

    def _set_grad_type(self, kind: Any) -> None:
        """Of no effect: a gradient is what its operator gives."""

    def __str__(self) -> str:
        return self.to_string()

    def __repr__(self) -> str:
        return object.__repr__(self)

    def __len__(self) -> int:
        if not self._t.dim():
            raise IndexError("list index out of range")
        return self._t.shape[0]

    def _one(self, kind: str) -> Any:
        if self._t.numel() != 1:
            raise failed_assertion("self", f"one element, to become {kind}", self.shape, "VarBase")
        return self._t.item()

    def __bool__(self) -> bool:
        return bool(self._one("a condition") > 0)  # what is below zero is false

    __nonzero__ = __bool__

    def __float__(self) -> float:
        return float(self._one("float"))

    def __int__(self) -> int:
        return int(self._one("int"))

    def __index__(self) -> int:
        return int(self._one("int"))

    def __neg__(self) -> Any:
        return _call("scale", self, scale=-1.0, bias=0.0)

    __getitem__ = _cut

    def __setitem__(self, item: Any, value: Any) -> None:
        raise TypeError(f"'{type(self).__name__}' object does not support item assignment")

    __add__ = __radd__ = _binary("elementwise_add", scaled=_scale(lambda n: 1.0, lambda n: n))
    __sub__ = _binary("elementwise_sub", scaled=_scale(lambda n: 1.0, lambda n: -n))
    __rsub__ = _binary("elementwise_sub", True, scaled=_scale(lambda n: -1.0, lambda n: n))
    __mul__ = __rmul__ = _binary("elementwise_mul", scaled=_scale(lambda n: n, lambda n: 0.0))
    __truediv__ = __div__ = _binary("elementwise_div", scaled=_scale(lambda n: 1.0 / n, lambda n: 0.0), divides=True)
    __rtruediv__ = __rdiv__ = _binary("elementwise_div", True, divides=True)
    __pow__ = _binary("elementwise_pow")
    __rpow__ = _binary("elementwise_pow", True)
    __floordiv__ = _binary("elementwise_floordiv")
    __mod__ = _binary("elementwise_mod")
    __eq__ = _comparison("equal")
    __ne__ = _comparison("not_equal")
    __lt__ = _comparison("less_than")
    __le__ = _comparison("less_equal")
    __gt__ = _comparison("greater_than")
    __ge__ = _comparison("greater_equal")
    __hash__ = object.__hash__


_NAMED = "generated_var_"


class _Held(LoDTensor):
    """The LoDTensor in a VarBase: what is set here is set there."""

    def __init__(self, owner: VarBase) -> None:
        super().__init__(owner._t.detach(), _lods.of(owner))
        self._owner = owner

    def _set(self, lod: Any, name: str, given: object) -> None:
        super()._set(lod, name, given)
        _lods.put(self._owner, lod)

    def set(self, *args: Any, **kwargs: Any) -> None:
        """Take over an array, for the VarBase too."""
        super().set(*args, **kwargs)
        held = self._owner._t
        held.data = self._tensor()
        self._owner._become(held)


def array_tensor(value: Any, shared: bool = False) -> torch.Tensor:
    """A torch tensor with a copy of an array, or on its memory, where torch can work on that."""
    try:
        shared = shared and value.flags.c_contiguous and value.flags.writeable and value.dtype.isnative
        return torch.from_numpy(value if shared else np.array(value, order="C"))
    except TypeError as error:
        expected = "an array of bool, float16, float32, float64, int8, int16, int32, int64 or uint8"
        raise InvalidArgumentError(f"Invalid array for a VarBase. Expected {expected}. Received: {np.asarray(value).dtype}") from error


_eager._value_class = VarBase

__all__ = ["VarBase", "array_tensor", "pybind11_type"]
