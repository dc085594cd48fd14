"""Tensor: one torch tensor in one slot, with Paddle's methods around it."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from sys import getrefcount
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from paddle_compat.core import op as _op
from paddle_compat.core import unique_name
from paddle_compat.core.bare import bare
from paddle_compat.core.dtype import DTypeLike, VarType, torch_dtype, type_of
from paddle_compat.core.errors import FatalError, InvalidArgumentError, failed_assertion, invalid_argument, refused_shape
from paddle_compat.core.frozen import freeze
from paddle_compat.core.given import given
from paddle_compat.core.given_gradients import give
from paddle_compat.core.lod import to_numpy, view_of
from paddle_compat.core.open_sizes import as_size
from paddle_compat.core.place import Place, place_of, run_device
from paddle_compat.core.ranks import NONE_WITHOUT, raised
from paddle_compat.core.shadows import history
from paddle_compat.core.tensor_pickles import _unpickled as _unpickled  # by which older pickles name it
from paddle_compat.core.tensor_pickles import reduced

if TYPE_CHECKING:
    from paddle_compat.core.onward import Onward

_TORCH = torch.Tensor
EMPTY = object()  # stands for the data type of a Tensor without elements, which no operator computes with as with others


class _Kind(type):
    """The class of Tensors: it shows itself as Paddle's own does, and gives `Tensor` no `__init__`.

    An object of a class that has none is made in three quarters of the time, even where nothing calls it, and each operator makes
    one. So `Tensor(...)` is a call of this class, and what derives from `Tensor` finds the `__init__` that it calls in `_Heir`.
    """

    _heirs: dict[type, type] = {}  # what to derive from instead

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> _Kind:
        return super().__new__(cls, name, tuple(cls._heirs.get(base, base) for base in bases), body)

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is not Tensor:
            return super().__call__(*args, **kwargs)
        out = new()
        if len(args) == 1 and type(args[0]) is _TORCH and not kwargs:  # as nearly all of our own calls are
            out._t, out._kind = raised(args[0]) if NONE_WITHOUT else args[0], None
        else:
            set_up(out, *args, **kwargs)
        return out

    def __getattribute__(cls, name: str) -> Any:
        return set_up if name == "__init__" and cls is Tensor else super().__getattribute__(name)

    def __repr__(cls) -> str:
        return _SHOWN.get(cls.__name__, super().__repr__()) if cls.__module__.startswith("paddle_compat.") else super().__repr__()


_Kind.__name__ = "type"  # as scripts see it who ask for the class of a class

_SHOWN = {
    "Tensor": "<class 'paddle.Tensor'>", "EagerParamBase": "<class 'paddle.base.framework.EagerParamBase'>",
    "VarBase": "<class 'paddle.fluid.core_avx.VarBase'>", "ParamBase": "<class 'paddle.fluid.framework.ParamBase'>",
}  # fmt: skip


class Tensor(metaclass=_Kind):
    """A value that exists now. Operators on it run at once.

    The arithmetic operators and the methods that have a function of the same name are attached by `paddle_compat.tensor`.

    Args:
        value: a torch tensor; scripts give an array, which is copied, or a Tensor, whose memory is shared.
        name (str): None: a new one when it is asked for.
        persistable (bool): whether it counts as model state.
        place (Place): where an array goes.
        zero_copy (bool): whether an array's memory is used.
        stop_gradient (bool): None: as it is.
        dims, dtype: of a Tensor that is made of neither.
    Raises:
        ValueError: the value is neither.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.to_tensor([[1.0, 2.0]])
        >>> (x * 2).numpy().tolist(), x.shape
        ([[2.0, 4.0]], [1, 2])

    Follows Paddle 2.6.
    """

    __slots__ = ("_t", "_kind", "_name", "_persistable", "__weakref__", "__dict__")
    _t: torch.Tensor
    _kind: Any  # the data type of `_t` where somebody has asked `kind_of`, as to ask torch takes a tenth of an operator's time
    _name: str
    _persistable: bool
    __array_ufunc__ = None  # numpy leaves `array + tensor` to the Tensor, and refuses its own functions of one
    _open = False  # gradients are let through, and torch knows nothing of it: integers, and gradients themselves
    _cut: torch.Tensor | None = None  # what `_t` was before stop_gradient was set on the result of an operator
    _passed = False  # an operator with a gradient made it, of which torch knows nothing: integers
    _onward: Onward | None = None  # where a backward pass that starts at such integers goes on
    _changes = 0  # how often it was changed in place, more than torch knows of
    _view: tuple[Any, ...] | None = None  # what a second `numpy` of the same Tensor left for the third, see `view_of`
    _origin: torch.Tensor | None = None  # takes the gradient of a leaf as it was before it was written to, see `written_leaves`
    _given: torch.Tensor | None = None  # the gradient that the user set
    _kept: list[torch.Tensor | None] | None = None  # where `retain_grads` leaves the gradient of an operator's result

    if TYPE_CHECKING:  # how `set_up` is called, see `_Kind`

        def __init__(self, *args: Any, **kwargs: Any) -> None: ...

    def _become(self, value: torch.Tensor) -> None:
        """Hold another torch tensor, or the same one with other data."""
        self._t, self._kind = value, None
        if self._view is not None:
            self._view = None

    @property
    def name(self) -> str:
        """The tensor's name."""
        if not hasattr(self, "_name"):
            self._name = unique_name.generate("eager_tmp")
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        if not isinstance(name, str):
            raise invalid_argument("name", "a str", repr(name), "Tensor.name")
        self._name = name

    @property
    def persistable(self) -> bool:
        """Whether it counts as model state."""
        return getattr(self, "_persistable", False)

    @persistable.setter
    def persistable(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise invalid_argument("persistable", "a bool", repr(value), "Tensor.persistable")
        self._persistable = value

    @property
    def shape(self) -> list[int]:
        """The dimensions."""
        return [*self._t.shape]

    @property
    def dtype(self) -> VarType:
        """Data type of the elements."""
        return type_of(self._t)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return self._t.dim()

    @property
    def size(self) -> int:
        """Number of elements."""
        return self._t.numel()

    @property
    def place(self) -> Place:
        """Where it lives."""
        return place_of(self._t)

    @property
    def type(self) -> VarType:
        """Kind of the variable."""
        return VarType.SELECTED_ROWS if self._t.is_sparse else VarType.LOD_TENSOR

    @property
    def stop_gradient(self) -> bool:
        """Whether gradients stop here."""
        return not (history(self._t).requires_grad or self._open)

    @stop_gradient.setter
    def stop_gradient(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise invalid_argument("stop_gradient", "a bool", repr(value), "Tensor.stop_gradient")
        value_, self._open = self._t, False
        if value:
            if value_.is_leaf:
                freeze(value_)
            else:
                self._cut, self._t = value_, value_.detach()
        elif self._cut is not None:
            self._t, self._cut = self._cut, None
        elif value_.is_floating_point() or value_.is_complex():
            value_.requires_grad_(True)
        else:
            from paddle_compat.core.integers import begin

            begin(self._t)

    @property
    def is_leaf(self) -> bool:
        """Whether no operator made it, or none that gradients pass through."""
        return history(self._t).is_leaf and self._cut is None and not self._passed

    @property
    def grad(self) -> Tensor | None:
        """The gradient that `backward` left here: of a leaf, or of a Tensor with `retain_grads`."""
        if self._t.is_leaf:
            grad = self._t.grad
            if grad is None and self._given is not None and not self._fits(self._given):
                grad = self._given
            if grad is None and self._cleared:
                grad = self._t.grad = torch.zeros_like(self._t, dtype=self._t.grad_dtype)
        else:
            grad = None if self._kept is None else self._kept[0]
            if self._origin is not None and (before := self._origin.grad) is not None:
                grad = before if grad is None else grad + before
        if grad is None:
            return None
        out = wrapped(grad)
        out._open = grad is not self._given
        return out

    @grad.setter
    def grad(self, grad: Tensor | None) -> None:
        if not self.is_leaf:
            raise FatalError(f"Only a leaf's gradient can be set. Expected a leaf. Received: what {self.name} came from is remembered")
        if grad is None:  # which 2.6 refuses
            self._clear_grad(False)
        else:
            give(self, grad)

    _cleared = False  # see EagerParamBase

    def _fits(self, grad: torch.Tensor) -> bool:
        """Whether torch takes it for a gradient."""
        return grad.shape == self._t.shape and grad.dtype is self._t.grad_dtype

    def _clear_grad(self, set_to_zero: bool = True) -> None:
        """Make the gradient zero, or forget it (rows of a table are always forgotten)."""
        if not self._t.is_leaf:
            if self._kept and self._kept[0] is not None:
                self._kept[0] = torch.zeros_like(self._t) if set_to_zero else None
            if self._origin is not None and self._origin.grad is not None:
                self._origin.grad = torch.zeros_like(self._t) if set_to_zero else None
            return
        grad = self._t.grad
        if self._given is not None and not self._fits(self._given):
            self._given = None
        if grad is not None:
            if set_to_zero and not grad.is_sparse:
                (grad.detach() if grad.requires_grad else grad).zero_()
            else:
                self._t.grad = None

    def numpy(self, *args: Any, **kwargs: Any) -> np.ndarray:
        """A copy as numpy array.

        Args:
            args, kwargs: of no effect, as in Paddle, where some scripts write `numpy(False)`.
        Returns:
            numpy.ndarray.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.to_tensor([1.0, 2.0]).numpy()
            array([1., 2.], dtype=float32)
        """
        value, view = self._t, self._view
        if view and view[0] is value and view[1] == value.data_ptr():
            return view[2].copy()
        if value.is_cuda:
            return to_numpy(value)
        self._view = () if view is None else view_of(value)
        try:
            return (value.numpy(force=True) if value.requires_grad else value.numpy()).copy()  # to detach first takes 200 ns more
        except (RuntimeError, TypeError):  # asked of each tensor, what `to_numpy` asks would cost a small one as much as the copy
            return to_numpy(value)

    _array = numpy  # what `numpy` is without FLAGS_set_to_1d

    def item(self, *args: int) -> Any:
        """The one element (or that at an index) as Python number.

        Args:
            args (int): an index, of the flattened elements or one for each dimension; none for the one element.
        Returns:
            A Python number.
        Raises:
            ValueError: there are several elements and no index, or the index is none.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.to_tensor([[1.0, 2.0]]).item(0, 1)
            2.0
        """
        value = self._everywhere()
        if not args:
            if value.numel() != 1:
                raise invalid_argument("args", "an index, of a Tensor of several elements", "none", "Tensor.item")
            return value.item()
        sizes = (value.numel(),) if len(args) == 1 else tuple(value.shape)
        if len(args) != len(sizes) or not all(isinstance(n, (int, np.integer)) and 0 <= n < size for n, size in zip(args, sizes)):
            raise invalid_argument("args", f"an index within {list(sizes)}", args, "Tensor.item")
        return (value if len(sizes) == value.dim() else value.reshape(sizes))[args].item()

    def _everywhere(self) -> torch.Tensor:
        """The data; where several processes have them, these meet here, and each gets the whole."""
        value: Any = self._t
        return value if type(value) is _TORCH or not hasattr(value, "full_tensor") else value.detach().full_tensor()

    def tolist(self) -> Any:
        """The elements as nested list; those of bfloat16 as their 16 bits, as `numpy` gives them.

        Returns:
            Nested lists of numbers, or a number.
        """
        return self._array().tolist()

    def detach(self) -> Tensor:
        """The same data, cut off from the gradient.

        Returns:
            Tensor: it shares the data.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.to_tensor([1.0], stop_gradient=False).detach().stop_gradient
            True
        """
        out = new()
        out._t = self._t.detach()
        out._kind = self._kind
        return out

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = self._array()
        return array if dtype is None else array.astype(dtype)

    def __len__(self) -> int:
        if not self._t.dim():
            raise AssertionError("len() of a 0-D tensor is wrong")
        return self._t.shape[0]

    def __float__(self) -> float:
        return float(self._one("float"))

    def __int__(self) -> int:
        return int(self._one("int"))

    __long__ = __int__

    def __bool__(self) -> bool:
        value = self._one("bool")
        return bool(value if isinstance(value, (complex, torch.SymBool)) else value > 0)  # as in the wheels: what is negative is False

    __nonzero__ = __bool__

    def __index__(self) -> int:
        return as_size(self._one("an index"))  # an open size is refused by Python, and so goes the long way

    def _one(self, kind: str) -> Any:
        value = self._everywhere()
        if value.numel() != 1:
            raise AssertionError(f"Only a Tensor of one element can become {kind}. Expected one element. Received: {value.numel()}")
        return value.item()

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        copied = object.__new__(type(self))
        copied._become(self._t.detach().clone())
        copied.stop_gradient = self.stop_gradient
        copied.name, copied.persistable = self.name + unique_name.generate("_deepcopy"), self.persistable
        memo[id(self)] = copied
        return copied

    def __reduce_ex__(self, protocol: Any) -> Any:
        return reduced(self)

    def __repr__(self) -> str:
        body = np.array2string(self.numpy(), separator=", ", prefix=" " * 7)
        head = f"shape={self.shape}, dtype={self.dtype}, place={self.place}, stop_gradient={self.stop_gradient}"
        return f"Tensor({head},\n       {body})"

    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """User code that hands a Tensor to torch gets torch tensors back."""
        return func(*bare(Tensor, args), **{name: bare(Tensor, value) for name, value in (kwargs or {}).items()})


def set_up(self: Tensor, *args: Any, **kwargs: Any) -> None:
    """What sets up a Tensor that is no operator's result, see `Tensor`; what is not set is what it usually is."""
    self._kind = None
    if args and isinstance(args[0], _TORCH):
        _set_up_ours(self, *args, **kwargs)
        return
    self._t, self._name, self._persistable, stop_gradient = given(args, kwargs)
    if NONE_WITHOUT:
        self._t = raised(self._t)
    if stop_gradient is not None:
        self.stop_gradient = stop_gradient


def _set_up_ours(self: Tensor, value: torch.Tensor, name: str | None = None, persistable: bool = False) -> None:
    self._t = raised(value) if NONE_WITHOUT else value
    if name is not None:
        self._name = name
    if persistable:
        self._persistable = persistable


class _Heir(Tensor):
    """What derives from Tensor derives from this."""

    __slots__ = ()
    __init__ = set_up


_Kind._heirs[Tensor] = _Heir
new: Callable[[], Tensor] = type.__call__.__get__(Tensor)  # one without anything in it; `partial(object.__new__, Tensor)` is slower


def wrapped(value: torch.Tensor) -> Tensor:
    """A Tensor of one torch tensor, without the questions that `Tensor(value)` asks."""
    out = new()
    out._t = raised(value) if NONE_WITHOUT else value
    out._kind = None
    return out


class EagerParamBase(Tensor):
    """A parameter in eager mode; see `core.variable.Parameter` for the attributes.

    A gradient that is cleared counts as zeros, which are not written until somebody looks: `_cleared` says so while torch's
    own gradient is None, and the next backward pass need not add to zeros.

    Args:
        value: a shape, whose values are set afterwards, or a Tensor (`data` by its other name), whose memory it takes; None: no elements.
        dtype: data type, beside a shape; beside a Tensor whether gradients are wanted (`requires_grad` by its other name).
        name (str): None: a new one when it is asked for.
        kwargs: `trainable`, `optimize_attr`, `regularizer`, `need_clip`, `do_model_average`, `is_distributed`,
            or `shape` by its name.
    Raises:
        ValueError: shape or data type is None.

    Example:
        >>> import paddle_compat as paddle
        >>> weight = paddle.create_parameter([2], "float32")
        >>> isinstance(weight, paddle.base.framework.EagerParamBase), weight.trainable
        (True, True)

    Follows Paddle 2.6.
    """

    _cleared = False
    _init_func: Callable[[], None] | None = None

    def __init__(self, value: Any = None, dtype: Any = None, name: str | None = None, **kwargs: Any) -> None:
        value = kwargs.pop("data", value)
        if value is None and "shape" not in kwargs and (dtype is None or isinstance(dtype, bool)):
            value = Tensor(torch.zeros(0))
        if isinstance(value, Tensor):  # as Paddle 3 makes parameters: of a Tensor's memory
            kwargs["trainable"] = bool(kwargs.pop("requires_grad", True if dtype is None else dtype))
            value, name = value._t.detach(), name or unique_name.generate("_eager_param_base")
        elif not isinstance(value, _TORCH):
            value, name = _without_values(kwargs.pop("shape", value), dtype), name or unique_name.generate("_eager_param_base")
        super().__init__(value, name, persistable=True)
        self.optimize_attr: dict[str, Any] = kwargs.get("optimize_attr") or {"learning_rate": 1.0}
        self.regularizer = kwargs.get("regularizer")
        self.do_model_average = kwargs.get("do_model_average")
        self.need_clip = kwargs.get("need_clip", True)
        self.is_distributed = kwargs.get("is_distributed", False)
        self.is_parameter = True
        value.requires_grad_(bool(kwargs.get("trainable", True)) and (value.is_floating_point() or value.is_complex()))

    @classmethod
    def from_tensor(cls, tensor: Tensor, **kwargs: Any) -> EagerParamBase:
        """A parameter of a Tensor's memory.

        Args:
            tensor (Tensor): the Tensor.
            kwargs: `name`, `trainable` and other attributes of a parameter.
        Returns:
            EagerParamBase.

        Example:
            >>> import paddle_compat as paddle
            >>> weight = paddle.base.framework.EagerParamBase.from_tensor(paddle.ones([2]))
            >>> weight.stop_gradient, weight.persistable
            (False, True)

        Follows Paddle 2.6.
        """
        return cls(tensor._t.detach(), **kwargs)

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        copied = super().__deepcopy__(memo)
        copied.__dict__.update({name: deepcopy(self.__dict__[name], memo) for name in _OF_PARAMETERS})
        return copied

    @property
    def trainable(self) -> bool:
        """Whether it is trained: `stop_gradient` the other way round."""
        return not self.stop_gradient

    @trainable.setter
    def trainable(self, trainable: bool) -> None:
        if not isinstance(trainable, bool):
            raise InvalidArgumentError(f"The type of trainable MUST be bool, but the type is {type(trainable)}. Received: {trainable!r}")
        self.stop_gradient = not trainable

    def _is_initialized(self) -> bool:
        return self._init_func is None and super()._is_initialized()  # type: ignore[misc]  # tensor._tensor_storage gives it

    def initialize(self) -> None:
        """Give a parameter that was made under `paddle.LazyGuard` its first values.

        Raises:
            AssertionError: it has them.

        Example:
            >>> import paddle_compat as paddle
            >>> with paddle.LazyGuard():
            ...     layer = paddle.nn.Linear(2, 3, weight_attr=paddle.nn.initializer.Constant(2.0))
            >>> layer.weight.initialize()
            >>> float(layer.weight.sum())
            12.0
        """
        if self._init_func is None:
            raise failed_assertion("self", "a parameter that was made under LazyGuard and has no values yet", self.name, "initialize")
        start, self._init_func = self._init_func, None
        start()

    def _clear_grad(self, set_to_zero: bool = True) -> None:
        grad = self._t.grad
        if grad is None:
            self._cleared = self._cleared and set_to_zero
        elif set_to_zero and not grad.is_sparse:
            del grad
            if getrefcount(self._t.grad) > _UNSEEN:
                super()._clear_grad()  # somebody holds it, and is to see the zeros
            else:
                self._t.grad, self._cleared = None, True
        else:
            self._t.grad, self._cleared = None, False


_OF_PARAMETERS = ("optimize_attr", "regularizer", "do_model_average", "need_clip", "is_distributed", "is_parameter")

# whether parameters wait for `initialize`: see `paddle.LazyGuard`
lazy = False

_probe = torch.zeros((), requires_grad=True)
_probe.grad = torch.zeros(())
_UNSEEN = getrefcount(_probe.grad)  # of a gradient that only torch holds


def _without_values(shape: Any, dtype: Any) -> torch.Tensor:
    if shape is None:
        raise InvalidArgumentError(refused_shape(None))
    if dtype is None:
        raise InvalidArgumentError("The dtype of Parameter should not be None. Expected a data type.")
    sizes = [int(n) for n in shape]
    if any(size < 0 for size in sizes):
        raise InvalidArgumentError(refused_shape(sizes))
    return torch.empty(sizes, dtype=torch_dtype(dtype), device=run_device())


def kind_of(x: Tensor) -> Any:
    """The data type of a Tensor that does not know it yet; `EMPTY` where nothing is in it."""
    x._kind = kind = x._t.dtype if x._t.numel() else EMPTY
    return kind


def create_parameter(attr: Any, shape: list[int], dtype: DTypeLike, stop_gradient: bool, block: Any) -> EagerParamBase:
    """A parameter in eager mode: the initializer's operator runs at once; users' own initializers are handed the block, too."""
    kwargs = attr._to_kwargs(with_initializer=True)
    initializer = kwargs.pop("initializer")
    param = EagerParamBase(torch.empty(shape, dtype=torch_dtype(dtype), device=run_device()), **kwargs)

    def start() -> None:
        with torch.no_grad():
            initializer(param, block)

    if lazy:
        param._init_func = start
    else:
        start()
    if stop_gradient:
        param.stop_gradient = True
    return param


_op._tensor_class = Tensor
_op._new = new
