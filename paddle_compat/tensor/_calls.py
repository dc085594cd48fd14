"""What the functions of `paddle.tensor` share: checks of arguments and names of outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
import torch

from paddle_compat.core import capture, eager, mode, op
from paddle_compat.core.dtype import NAME_OF, VarType, dtype_name, torch_dtype
from paddle_compat.core.errors import OutOfRangeError, WrongInputError, invalid_argument, type_error
from paddle_compat.core.layer_helper import LayerHelper, operator_helper
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.program import default_main_program
from paddle_compat.core.tensor import Tensor, kind_of
from paddle_compat.core.variable import Variable

FLOATS: tuple[str, ...] = ("float16", "bfloat16", "float32", "float64")
INTS: tuple[str, ...] = ("int32", "int64")
COMPLEX: tuple[str, ...] = ("complex64", "complex128")
BOOL: tuple[str, ...] = ("bool",)
NUMBERS = INTS + FLOATS
BITS = ("bool", "int8", "uint8", "int16", "int32", "int64")
ALL = BITS + FLOATS + COMPLEX
_CAST = frozenset((torch.float16, torch.bfloat16, torch.float32))  # what `auto_cast` casts


def static(*values: Any) -> bool:
    """Whether a call with these arguments records; a Variable among them settles the mode."""
    if op.plain and len(values) == 1 and isinstance(values[0], Tensor):  # nearly always: the rest takes a while
        return False
    for value in values:
        if isinstance(value, Variable):
            mode.settle_static()
    return not mode.in_dygraph_mode()


def ended(value: Any) -> Any:
    """What a function gives and gradients stop at; in Programs of Paddle 3 it is the operator that says so (`core/block.py`)."""
    if not (SINCE_3 and isinstance(value, Variable) and capture.current is None and value.block.program.age > 1):
        value.stop_gradient = True
    return value


def check(value: Any, name: str, api: str, dtypes: Sequence[str] = ALL, at_once: Sequence[str] | None = None) -> None:
    """The error of either mode, unless the value is a tensor of one of these data types; `at_once`: of eager mode, if it takes more."""
    if at_once is not None and (SINCE_3 or not static(value)):  # Programs of Paddle 3 take what its eager mode does
        dtypes = at_once
    if op.plain and isinstance(value, Tensor) and (dtypes is ALL or NAME_OF.get(value._kind or kind_of(value)) in dtypes):
        return
    if isinstance(value, Tensor) and not (mode.is_static() and capture.current is None):
        if dtypes is ALL or NAME_OF[value._t.dtype] in dtypes:
            return
        if eager.cast_inputs is not None and value._t.dtype in _CAST and "float32" in dtypes:
            return
        expected, received = f"a tensor of {', '.join(dtypes)}", dtype_name(value.dtype)
    elif isinstance(value, Variable) and mode.is_static() is not False:
        if dtypes is ALL or dtype_name(value.dtype) in dtypes:
            return
        expected, received = f"a tensor of {', '.join(dtypes)}", dtype_name(value.dtype)
    else:
        expected, received = "a tensor", f"{type(value).__name__} ({value!r})"
        if isinstance(value, torch.Tensor):
            received = "a torch tensor, of which paddle_compat.migrate.from_torch makes a Tensor"
        if is_tensor(value):  # of the other mode
            expected = "a Variable, as static mode is on" if static() else "a Tensor, as eager mode is on"
    kind = "type" if static(value) else "value"
    raise WrongInputError(f"Invalid {kind} for argument `{name}` of `{api}`. Expected {expected}. Received: {received}")


def agree(x: Any, y: Any) -> bool:
    """Whether two tensors are of one data type, or `auto_cast` brings them to one."""
    if x.dtype == y.dtype:
        return True
    return eager.cast_inputs is not None and isinstance(x, Tensor) and isinstance(y, Tensor) and {x._t.dtype, y._t.dtype} <= _CAST


def check_alike(api: str, **tensors: Any) -> None:
    """ValueError in eager mode, unless all Tensors are of the data type of the first."""
    (_, x), *others = tensors.items()
    for name, y in others:
        if isinstance(x, Tensor) and isinstance(y, Tensor) and not agree(x, y):
            raise invalid_argument(name, f"the data type of the first, {dtype_name(x.dtype)}", dtype_name(y.dtype), api)


def check_pair(api: str, x: Any, y: Any, dtypes: Sequence[str], at_once: Sequence[str] | None = None) -> None:
    """`check` of x and y, and `check_alike`."""
    for value, label in ((x, "x"), (y, "y")):
        check(value, label, api, dtypes, at_once)
    check_alike(api, x=x, y=y)


def _family(kind: torch.dtype) -> int:
    return 3 if kind.is_complex else 2 if kind.is_floating_point else int(kind is not torch.bool)


def first_of(value: Any) -> Any:
    """A Tensor, or the first of a tuple of them, such as `nonzero(x, as_tuple=True)` gives: 2.6 reads that one in its place."""
    return value[0] if type(value) is tuple and value and isinstance(value[0], Tensor) else value


def meeting(left: torch.dtype, right: torch.dtype, flat: tuple[bool, bool], even: bool = False) -> torch.dtype | None:
    """The type in which tensors of two types meet since Paddle 3; None where it knows none.

    Two floating types take the wider, a complex and a real one are complex. One without dimensions meets any: it takes the type of
    a tensor of its own family, and of two families the larger counts.

    Args:
        left, right: two types.
        flat: of which there is a tensor without dimensions.
        even: whether its type counts as much as another one's.
    """
    families = {_family(left), _family(right)}
    if len(families) == 1 and flat[0] != flat[1] and not even:
        return right if flat[0] else left
    return torch.promote_types(left, right) if families == {2} or 3 in families or True in flat else None


def promoted(x: Any, y: Any, scalars: bool = True, even: bool = False, apart: bool = False) -> tuple[Any, Any]:
    """Two tensors in the type in which they meet since Paddle 3; as they are where it knows none, or where `auto_cast` decides.

    Args:
        x, y: two tensors.
        scalars: whether one without dimensions is something else.
        even: as of `meeting`.
        apart: whether no operator of Programs brings complex and other numbers together.
    Returns:
        Two tensors.
    """
    if not (is_tensor(x) and is_tensor(y)) or x.dtype == y.dtype or eager.cast_inputs is not None:
        return x, y
    left, right = torch_dtype(x.dtype), torch_dtype(y.dtype)
    if (left.is_complex or right.is_complex) and not apart and static(x, y):  # an operator of Programs brings these together
        return x, y
    flat = (scalars and not len(x.shape), scalars and not len(y.shape))
    kind = meeting(left, right, flat, even)
    if kind is None:
        return x, y
    return (x if left is kind else x.astype(NAME_OF[kind])), (y if right is kind else y.astype(NAME_OF[kind]))


def with_complex(tensors: list[Any]) -> list[Any]:
    """Tensors for a function of one type: behind a complex one Paddle takes real floats as complex, too, in eager mode."""
    if not tensors or static(*tensors) or not torch_dtype(kind := tensors[0].dtype).is_complex:
        return tensors
    return [each.astype(kind) if torch_dtype(each.dtype).is_floating_point else each for each in tensors]


def refuse_type(name: str, expected: str, received: Any, api: str, *tensors: Any) -> NoReturn:
    """The error for an argument of a wrong type: TypeError when recording and in Paddle 3, ValueError at once in Paddle 2."""
    raise type_error(name, expected, received, api)  # which is both


def floats(x: Any) -> Any:
    """x, whole numbers as float32, as Paddle 3 takes them."""
    return x.astype("float32") if is_tensor(x) and is_int(x) else x


def smooth(x: Any, api: str) -> Any:
    """x for a function of floats, as `floats` gives it."""
    x = floats(x)
    check(x, "x", api, FLOATS)
    return x


def check_all(values: Any, name: str, api: str, dtypes: Sequence[str] = ALL) -> None:
    """`check` for each tensor of a list."""
    if not isinstance(values, (list, tuple)):
        raise type_error(name, "a list or tuple of tensors", values, api)
    for value in values:
        check(value, name, api, dtypes)


def need(value: Any, name: str, api: str, *types: type) -> None:
    """TypeError, unless the value is of one of these types; numpy's numbers are numbers."""
    of_numpy = [theirs for mine, theirs in ((int, np.integer), (float, np.floating)) if mine in types]
    if not isinstance(value, (*types, *of_numpy)):
        raise type_error(name, " or ".join(kind.__name__ for kind in types), value, api)


def dimension(axis: int, rank: int, api: str) -> int:
    """A dimension of a tensor, counted from 0; OutOfRangeError for one that it does not have."""
    if not -rank <= axis < rank:
        raise OutOfRangeError(
            f"Invalid value for argument `axis` of `{api}`. Expected a dimension of x, which has {rank} dimensions. Received: {axis}"
        )
    return axis % rank


def is_tensor(value: Any) -> bool:
    """Whether the value is a Variable or a Tensor."""
    return isinstance(value, (Variable, Tensor))


def is_int(value: Any) -> bool:
    """Whether the value is of an integer type."""
    return value.dtype in (VarType.INT8, VarType.UINT8, VarType.INT16, VarType.INT32, VarType.INT64)


def named(layer_type: str, name: str | None = None) -> Any:
    """What names the outputs of a call: a layer type, or the name that the user gave."""
    if name is None or mode.in_dygraph_mode() or SINCE_3 and not isinstance(name, str):  # Paddle 3 names nothing by it
        return layer_type
    return operator_helper(layer_type, name, default_main_program().age)


def helper_of(layer_type: str, name: str | None = None) -> LayerHelper:
    """The LayerHelper of a call that records."""
    return operator_helper(layer_type, name, default_main_program().age)


def float_or_variable(value: Any) -> Any:
    """An operator's floating attribute: a number, or the Variable that gives it in each run."""
    return value if isinstance(value, Variable) else float(value)


def whole_number(value: Any, name: str, api: str) -> int:
    """Python's int, or the one number of NumPy or of a Tensor; Python's own fractions and bools are refused, as in Paddle."""
    several = value._t.numel() != 1 if isinstance(value, Tensor) else np.size(value) != 1
    if type(value) in (bool, float) or several:
        raise type_error(name, "a whole number", value, api)
    return int(value)


def plain(value: Any) -> Any:
    """A Python number for one of numpy's, or, at once, for a Tensor of one element; anything else as it is."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Tensor) and not static(value) and value._t.numel() == 1:
        return value._t.item()
    return value


def plain_at_once(value: Any) -> Any:
    """`plain` for an array of one element as well, in eager mode alone."""
    if isinstance(value, (np.generic, np.ndarray)) and value.size == 1 and not static():
        return value.item()
    return plain(value)


def whole_at_once(value: Any, *tensors: Any) -> Any:
    """A fraction without what stands behind its point, in eager mode, where 2.6 reads a number of any kind; anything else as it is."""
    return int(value) if isinstance(value, float) and not static(*tensors) else value


def number(value: Any) -> Any:
    """A number out of a Python or numpy scalar."""
    return value.item() if hasattr(value, "item") and not is_tensor(value) else value
