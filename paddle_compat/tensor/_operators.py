"""The methods of Variables and Tensors: Python's operators, and the functions of `paddle.tensor` that are methods, too."""

from __future__ import annotations

import importlib
import os
import warnings
from typing import Any

import torch

from paddle_compat.core import capture, eager, grad_mode, unique_name
from paddle_compat.core.dtype import VarType, torch_dtype
from paddle_compat.core.errors import UnsupportedError, WrongInputError, failed_assertion, type_error
from paddle_compat.core.op import definition_of
from paddle_compat.core.tensor import EagerParamBase, Tensor, wrapped
from paddle_compat.core.variable import Variable
from paddle_compat.ops.py_func import register_callable
from paddle_compat.tensor import (
    FILES,
    _program_values,
    _tensor_gradients,
    _tensor_inside,
    _tensor_kinds,
    _tensor_meshes,
    _tensor_operators,
    _tensor_paddle3,
    _tensor_placement,
    _tensor_ranks,
    _tensor_sparse,
    _tensor_storage,
    _tensor_writes,
    _variable_kinds,
    _variable_operators,
    _variable_values,
)
from paddle_compat.tensor._calls import BITS, check

# functions of paddle.tensor that are no methods in Paddle, or whose names are attributes of other meaning
_NO_METHODS = frozenset(
    {
        "BFloat16Tensor", "BoolTensor", "ByteTensor", "CharTensor", "DoubleTensor", "FloatTensor", "HalfTensor", "IntTensor",
        "LongTensor", "ShortTensor", "arange", "array_length", "array_read", "array_write", "asarray", "assign", "bartlett_window",
        "binomial", "blackman_window", "cartesian_prod", "clone", "complex", "create_array", "det", "eigh", "einsum", "empty",
        "empty_like", "eye", "fill_constant", "from_numpy", "full", "full_like", "ger", "hamming_window", "hann_window", "kaiser_window",
        "linspace", "log_normal", "logspace", "lu_solve", "matrix_exp", "matrix_norm", "matrix_rank", "meshgrid", "ones", "ones_like",
        "p_norm", "pdist", "range", "searchsorted", "shape", "standard_gamma", "svd", "svdvals", "to_tensor", "tolist", "tril_indices",
        "triu_indices", "vecdot", "vector_norm", "zeros", "zeros_like",
    }
)  # fmt: skip


MEMBERS = os.path.join(os.path.dirname(__file__), "_members.txt")  # the public members of Tensors in Paddle 2.6.2 and 3.3.1


class _Method:
    """A function that becomes a method when it is first asked for; its module loads then."""

    def __init__(self, module: str, name: str) -> None:
        self.module, self.name = module, name

    def __get__(self, instance: Any, owner: type) -> Any:
        function = getattr(importlib.import_module(f"paddle_compat.{self.module}"), self.name)
        for holder in (Variable, Tensor):
            if isinstance(vars(holder).get(self.name), _Method):
                setattr(holder, self.name, function)
        return function.__get__(instance, owner)


class _Absent:
    """What stands for a member that Paddle's Tensors have: with a `__getattr__` in its place, each look into a Tensor would take longer."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        raise UnsupportedError(f"paddle.Tensor.{self.name}")


def _transposed(self: Variable) -> Variable:
    """The Variable with its dimensions in reverse."""
    if len(self.shape) < 2:
        return self
    block = self.block.program.current_block()
    names = [unique_name.generate_with_ignorable_key(self.name + ".tmp") for _ in range(2)]
    out, shape = (block._add_var(name=name, dtype=self.dtype, persistable=False, stop_gradient=False) for name in names)
    block.append_op(
        type="transpose2",
        inputs={"X": [self]},
        outputs={"Out": [out], "XShape": [shape]},
        attrs={"axis": list(reversed(range(len(self.shape))))},
    )
    return out


def _copied(self: Variable) -> Variable:
    """A copy that gradients flow through.

    Returns:
        Variable.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2])
        >>> x.clone().shape, x.block.ops[-1].type
        ((2,), 'assign')
    """
    block = self.block.program.current_block()
    out = block._add_var(
        name=unique_name.generate_with_ignorable_key(self.name + "_clone"),
        dtype=self.dtype,
        type=self.type,
        persistable=self.persistable,
        stop_gradient=self.stop_gradient,
    )
    block.append_op(type="assign", inputs={"X": [self]}, outputs={"Out": [out]})
    return out


def _size(self: Variable) -> Variable:
    """The number of elements, as a Variable.

    Returns:
        Variable of int64.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2, 3])
        >>> x.size().dtype.name, x.block.ops[-1].type
        ('INT64', 'size')
    """
    block = self.block.program.current_block()
    out = block._add_var(name=unique_name.generate_with_ignorable_key(self.name + "_size"), dtype="int64")
    block.append_op(type="size", inputs={"Input": [self]}, outputs={"Out": [out]})
    return out


def _turned(self: Tensor) -> Tensor:
    """The Tensor with its dimensions in reverse."""
    return wrapped(grad_mode.without_history(self._t.permute(tuple(reversed(range(self._t.dim()))))))


def _cloned(self: Tensor) -> Tensor:
    """A copy that gradients flow through.

    Returns:
        Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.to_tensor([1.0])
        >>> x.clone().tolist(), x.clone() is x
        ([1.0], False)

    Follows Paddle 2.6.
    """
    copied = eager.followed(torch.clone, self._t)
    if eager.watch is not None:
        eager.watch("assign", [self._t], copied)
    return wrapped(copied)


def _rank(self: Tensor) -> int:
    """The number of dimensions.

    Returns:
        int.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([2, 3]).dim()
        2

    Follows Paddle 2.6.
    """
    return self._t.dim()


def _bitwise(type_: str) -> Any:
    def method(self: Variable, *others: Any) -> Any:
        for value, label in zip((self, *others), "xy"):
            check(value, label, type_, BITS)
        if others and others[0].dtype != self.dtype:
            raise failed_assertion("y", f"the data type of x, {self.dtype}", others[0].dtype, type_)
        return definition_of(type_)(self, *others, _helper=type_)

    return method


def _setitem(self: Variable, item: Any, value: Any) -> None:
    from paddle_compat.tensor._variable_assignment import setitem, writes_in_place

    # an entry of an array of tensors is written where it stands, in any Program
    if capture.current is not None or self.type == VarType.LOD_TENSOR_ARRAY:
        capture.overwritten(self, setitem(self, item, capture.as_variable(value)))
        return
    if self.persistable and writes_in_place(self):
        setitem(self, item, value)
        return
    outside = self.block is not self.block.program.current_block()
    if self.block.program.age == 1 or self.persistable or outside:  # as Paddle 1.8 and 2.6 refuse every assignment
        where = "where a branch or loop does not end" if outside else "where the Program has run"
        raise WrongInputError(
            f"Assigning to a part of Variable `{self.name}` would not show {where}. Expected "
            "x = paddle.static.setitem(x, indices, values). Received: x[...] = value in static mode"
        )
    _exchange(self, setitem(self, item, value))


def _exchange(x: Variable, y: Variable) -> None:
    """Let the name x stand for what y does, and y for what x did: operators know Variables by their own names."""
    held = x.block.vars
    x.__class__, y.__class__ = y.__class__, x.__class__
    x.__dict__, y.__dict__ = y.__dict__, x.__dict__
    held[x.name], held[y.name] = x, y


def _appended(self: Variable, var: Any) -> None:
    """Put a tensor behind the last one of an array of tensors.

    Args:
        var: the tensor.
    Raises:
        TypeError: the Variable is no array of tensors, or `var` no tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> array = paddle.tensor.create_array("float32")
        >>> array.append(paddle.ones([2]))
        >>> paddle.tensor.array_length(array).shape
        (1,)
    """
    from paddle_compat.tensor.array import array_length, array_write

    if self.type != VarType.LOD_TENSOR_ARRAY:
        raise type_error("self", "an array of tensors", f"a Variable of type {self.type}", "Variable.append")
    if not isinstance(var, (Variable, Tensor)):
        raise type_error("var", "a tensor", var, "Variable.append")
    array_write(x=capture.as_variable(var), i=array_length(self), array=self)


def _popped(self: Any, *args: Any) -> Any:
    """Take a tensor out of an array of tensors.

    Args:
        args: its place, an int or an int64 Variable of one element; the last one when it is left out.
    Returns:
        Variable.
    Raises:
        TypeError: the Variable is no array of tensors.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> array = paddle.tensor.create_array("float32", [paddle.ones([2]), paddle.zeros([2])])
        >>> array.pop(0).shape, paddle.tensor.array_length(array).shape
        ((2,), (1,))
    """
    from paddle_compat.tensor.array import popped

    if self.type != VarType.LOD_TENSOR_ARRAY:
        raise type_error("self", "an array of tensors", f"a Variable of type {self.type}", "Variable.pop")
    return popped(self, *(args or (-1,)))


def _hooked(self: Any, hook: Any) -> None:
    """Have a function called with this Variable's gradient; it may return another one to go on with.

    In a recorded function the gradient is that of all that reads the Variable, in a Program of what reads it from now on.

    Args:
        hook (callable): takes the gradient as a Tensor, returns a Tensor or None.
    Raises:
        RuntimeError: eager mode may take over what is recorded now, so that it is for eager mode to say whether gradients flow.

    Example:
        >>> import paddle_compat as paddle
        >>> @paddle.jit.to_static(full_graph=True)
        ... def tripled(x):
        ...     x.register_hook(lambda grad: grad * 10)
        ...     return x * 3
        >>> x = paddle.to_tensor([1.0], stop_gradient=False)
        >>> tripled(x).backward(); x.grad.tolist()
        [30.0]
    """
    if capture.may_leave():
        raise RuntimeError(f"Whether Variable `{self.name}` can have a hook is only known when the recorded Program runs")

    def backward(grad: Any) -> Any:
        changed = hook(Tensor(grad._tensor()))
        return grad if changed is None else changed.numpy()

    block, out = self.block, self
    place = len(block.ops)
    if capture.current is not None:  # eager mode's hooks see what all readers give, earlier ones, too
        if self.persistable:  # the Tensor itself stays as it is: what reads it reads what passes its gradient on to the hook
            out = block._add_var(dtype=self.dtype, shape=self.shape, type=self.type)
            for op in [op for each in block.program.blocks for op in each.ops]:
                op._rename_input(self.name, out.name)
            capture.current.read_instead(self, out)
        place = max((at + 1 for at, op in enumerate(block.ops) if self.name in op.output_arg_names), default=0)
    stops = self.stop_gradient
    block._insert_op(
        place,
        type="py_func", inputs={"X": [self]}, outputs={"Out": [out]},
        attrs={
            "forward_callable_id": register_callable(lambda value: value), "backward_callable_id": register_callable(backward),
            "backward_skip_vars": list(dict.fromkeys((self.name, out.name))), "_skip": [0, 1], "_dtypes": [int(self.dtype)],
        },
    )  # fmt: skip
    out._stop_gradient = stops


def _place(self: Any) -> None:
    """Warn that a Variable lies nowhere before its Program runs.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.ones([2]).place()
    """
    warnings.warn(f"Variable `{self.name}` has no place before its Program runs: None is returned", stacklevel=2)


def _element_size(self: Any) -> int:
    """How many bytes an element has.

    Returns:
        int.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([2], "float64").element_size()
        8
    """
    return torch_dtype(self.dtype).itemsize


def _shown(self: Tensor) -> str:
    """What `print` shows."""
    from paddle_compat.tensor.to_string import to_string

    return f"Parameter containing:\n{to_string(self)}" if isinstance(self, EagerParamBase) else to_string(self)


def _address(self: Tensor) -> int:
    """The number that `id` gives, too, as the wheels' Tensors have it (`object` shifts it)."""
    return id(self)


def install() -> None:
    """Give Variables and Tensors their operators and methods."""
    _variable_operators.install()
    parts = (
        _tensor_gradients, _tensor_inside, _tensor_kinds, _tensor_meshes, _tensor_paddle3, _tensor_placement, _tensor_sparse,
        _tensor_storage, _tensor_writes, _tensor_operators,
    )  # fmt: skip
    for part in parts:
        for name, method in part.METHODS.items():
            setattr(Tensor, name, method)
    _tensor_ranks.follow()
    Tensor.__repr__ = Tensor.__str__ = _shown  # type: ignore[method-assign,assignment]
    Tensor.__hash__ = _address  # type: ignore[method-assign,assignment]
    Variable.T = property(_transposed)  # type: ignore[attr-defined]
    Variable.clone = _copied  # type: ignore[attr-defined]
    Variable.size = _size  # type: ignore[attr-defined]
    methods: dict[str, Any] = {
        "append": _appended, "pop": _popped, "register_hook": _hooked, "place": _place, **_variable_kinds.METHODS
    }  # fmt: skip
    for name, method in methods.items():
        setattr(Variable, name, method)
    _variable_values.install()
    _program_values.install()
    setattr(Variable, "__setitem__", _setitem)  # noqa: B010
    for symbol, type_ in (("and", "and"), ("or", "or"), ("xor", "xor"), ("invert", "not")):
        setattr(Variable, f"__{symbol}__", _bitwise("bitwise_" + type_))
    Tensor.T, Tensor.clone = property(_turned), _cloned  # type: ignore[attr-defined]
    Tensor.dim = Tensor.ndimension = _rank  # type: ignore[attr-defined]
    for holder in (Variable, Tensor):
        setattr(holder, "element_size", _element_size)  # noqa: B010
        for module, names in (*((f"tensor.{file}", names) for file, names in FILES.items()), ("signal", ("stft", "istft"))):
            for name in names:
                if name not in _NO_METHODS and not hasattr(holder, name):
                    setattr(holder, name, _Method(module, name))
    with open(MEMBERS, encoding="ascii") as members:
        for name in members.read().split():
            if name not in vars(Tensor):  # `hasattr` would load the functions' modules
                setattr(Tensor, name, _Absent(name))
