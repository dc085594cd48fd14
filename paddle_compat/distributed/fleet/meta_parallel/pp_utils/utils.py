"""`paddle.distributed.fleet.meta_parallel.pp_utils.utils`: what stages hand on, in the forms that it has."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.tensor import Tensor

__all__ = [
    "convert_tensor_dict_to_tuple",
    "convert_tensor_tuple_to_dict",
    "dict_to_tuple_helper",
    "is_float_tensor",
    "number_2_dtype",
    "paddle_2_number",
    "tuple_to_dict_helper",
]

_DTYPES = ("float16", "float32", "float64", "int32", "int64", "bfloat16", "bool")


def is_float_tensor(tensor: Any) -> bool:
    """Whether a Tensor's elements are of floating point.

    Args:
        tensor (Tensor): any.
    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel.pp_utils.utils import is_float_tensor
        >>> is_float_tensor(paddle.ones([2])), is_float_tensor(paddle.ones([2], "int64"))
        (True, False)

    Follows Paddle 2.6.
    """
    return bool(tensor._t.is_floating_point())


def paddle_2_number(dtype: Any) -> int:
    """The number that a data type is told by.

    Args:
        dtype (dtype|str): the data type.
    Returns:
        int: the number.
    Raises:
        AssertionError: it has none.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel.pp_utils.utils import number_2_dtype, paddle_2_number
        >>> paddle_2_number(paddle.float32), number_2_dtype(4)
        (1, 'int64')

    Follows Paddle 2.6.
    """
    name = str(dtype).rpartition(".")[2]
    if name not in _DTYPES:
        raise failed_assertion("dtype", f"one of {_DTYPES}", dtype, "paddle_2_number")
    return _DTYPES.index(name)


def number_2_dtype(number: int) -> str:
    """The data type of a number.

    Args:
        number (int): of `paddle_2_number`.
    Returns:
        str: the data type's name.
    Raises:
        AssertionError: there is none.

    Example:
        >>> from paddle_compat.distributed.fleet.meta_parallel.pp_utils.utils import number_2_dtype
        >>> number_2_dtype(0)
        'float16'

    Follows Paddle 2.6.
    """
    if not 0 <= number < len(_DTYPES):
        raise failed_assertion("number", f"one below {len(_DTYPES)}", number, "number_2_dtype")
    return _DTYPES[number]


def convert_tensor_dict_to_tuple(output_tensor_dict: dict[str, Any]) -> tuple[Any, ...]:
    """The Tensors of a dict; each one's `key` says which it was.

    Args:
        output_tensor_dict (dict): Tensors, or tuples of them, by their names.
    Returns:
        tuple: of Tensors.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel.pp_utils import utils
        >>> made = utils.convert_tensor_dict_to_tuple({"hidden": paddle.ones([2]), "masks": (paddle.ones([1]), paddle.zeros([1]))})
        >>> [each.key for each in made], sorted(utils.convert_tensor_tuple_to_dict(made))
        (['hidden', 'masks 0', 'masks 1'], ['hidden', 'masks'])

    Follows Paddle 3.3.
    """
    found = []
    for name, value in output_tensor_dict.items():
        several = isinstance(value, (tuple, list))
        for place, tensor in enumerate(value if several else (value,)):
            tensor.key = f"{name} {place}" if several else name
            found.append(tensor)
    return tuple(found)


def convert_tensor_tuple_to_dict(input_tensor_tuple: tuple[Any, ...]) -> dict[str, Any]:
    """The dict that `convert_tensor_dict_to_tuple` took apart.

    Args:
        input_tensor_tuple (tuple): of Tensors with a `key`.
    Returns:
        dict: by name.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel.pp_utils import utils
        >>> list(utils.convert_tensor_tuple_to_dict(utils.convert_tensor_dict_to_tuple({"hidden": paddle.ones([2])})))
        ['hidden']

    Follows Paddle 3.3.
    """
    found: dict[str, Any] = {}
    for tensor in input_tensor_tuple:
        name, _, place = tensor.key.partition(" ")
        found[name] = (*found.get(name, ()), tensor) if place else tensor
    return found


def dict_to_tuple_helper(output_tensor: Any) -> Any:
    """A dict's Tensors as a tuple; what is no dict, as it is.

    Args:
        output_tensor (dict|Tensor|tuple): what a stage made.
    Returns:
        Tensor|tuple: what it hands on.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel import dict_to_tuple_helper
        >>> [each.shape for each in dict_to_tuple_helper({"a": paddle.ones([2]), "b": paddle.ones([3])})]
        [[2], [3]]

    Follows Paddle 3.3.
    """
    return convert_tensor_dict_to_tuple(output_tensor) if isinstance(output_tensor, dict) else output_tensor


def tuple_to_dict_helper(input_tensor: Any) -> tuple[Any, bool]:
    """What another stage has made of a dict, as a dict again.

    Args:
        input_tensor (Tensor|tuple): what came.
    Returns:
        tuple: the dict, or what came; and whether it is one.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel.pp_utils.utils import tuple_to_dict_helper
        >>> tuple_to_dict_helper(paddle.ones([2]))[1]
        False

    Follows Paddle 3.3.
    """
    parts = input_tensor if isinstance(input_tensor, tuple) else (input_tensor,)
    if all(isinstance(part, Tensor) and hasattr(part, "key") for part in parts):
        return convert_tensor_tuple_to_dict(parts), True
    return input_tensor, False


__getattr__ = missing(__name__)
