"""VarDesc: a view of a Variable with the method names of Paddle's C++ description."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.dtype import DTypeLike, VarType, convert_dtype, torch_dtype
from paddle_compat.core.errors import NotFoundError, invalid_argument
from paddle_compat.core.proto import encode
from paddle_compat.core.variable import Variable


class VarDesc:
    """A view of a Variable with the method names of Paddle's C++ VarDesc.

    Args:
        var: what it shows: a Variable, or the name of a new one in a Program of its own.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> desc = paddle.static.Program().global_block().create_var(name="x", shape=[2, 3], dtype="float32").desc
        >>> desc.name(), desc.shape(), desc.get_shape(), desc.dtype().name, desc.type().name, desc.lod_level()
        ('x', [2, 3], [2, 3], 'FP32', 'LOD_TENSOR', 0)
        >>> desc.persistable(), desc.stop_gradient(), desc.need_check_feed(), desc.is_parameter(), desc.element_size()
        (False, False, False, False, 4)
        >>> desc.set_shape([4]); desc.set_dtype("int64"); desc.set_lod_level(1); desc.set_name("y")
        >>> desc.clear_stop_gradient(); desc.clear_is_parameter()
        >>> desc.has_stop_gradient(), desc.has_is_parameter()
        (False, False)
        >>> desc.set_persistable(True); desc.set_stop_gradient(True); desc.set_need_check_feed(True)
        >>> desc.set_type(paddle.base.core.VarDesc.VarType.LOD_TENSOR); desc.set_is_parameter(True)
        >>> desc.name(), desc.shape(), desc.dtype().name, desc.lod_level(), desc.persistable(), desc.stop_gradient()
        ('y', [4], 'INT64', 1, True, True)
        >>> desc.set_shapes([[2], [3]]); desc.set_dtypes(["int64", "float32"]); desc.set_lod_levels([0, 1])
        >>> desc.shapes(), [dtype.name for dtype in desc.dtypes()], desc.lod_levels()
        ([[2], [3]], ['INT64', 'FP32'], [0, 1])
        >>> desc._set_attr("mesh", 1); desc.attr("mesh"), desc.attr_names(), desc.has_attr("mesh")
        (1, ['mesh'], True)
        >>> desc.remove_attr("mesh"); desc.has_attr("mesh"), type(desc.serialize_to_string()).__name__
        (False, 'bytes')

    Follows Paddle 1.8 and 2.6.
    """

    VarType = VarType

    def __init__(self, var: Any = "") -> None:
        self._var = var if isinstance(var, Variable) else _variable_of(var)

    def _v(self) -> Any:
        return self._var

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VarDesc) and other._var is self._var

    def __hash__(self) -> int:
        return hash(id(self._var))

    def name(self) -> str:
        """The variable's name.

        Returns:
            str.
        """
        return self._var.name

    def serialize_to_string(self) -> bytes:
        """The variable as files hold it.

        Returns:
            bytes.
        """
        from paddle_compat.core import serialize

        return encode(serialize.var_desc(self._var), "VarDesc")

    def element_size(self) -> int:
        """Bytes of one element.

        Returns:
            int.
        """
        return torch_dtype(self._var.dtype).itemsize

    # ---- what a reader hands out
    def _parts(self) -> dict[str, list[Any]]:
        return self._var.__dict__.setdefault("_reader_parts", {"shapes": [], "dtypes": [], "lod_levels": []})

    def shapes(self) -> list[list[int]]:
        """The shapes that a reader's values have.

        Returns:
            List of lists of ints.
        """
        return list(self._parts()["shapes"])

    def set_shapes(self, shapes: list[list[int]]) -> None:
        """Change the shapes that a reader's values have.

        Args:
            shapes (list): lists of ints.
        """
        self._parts()["shapes"] = [list(map(int, shape)) for shape in shapes]

    def dtypes(self) -> list[Any]:
        """The data types that a reader's values have.

        Returns:
            List of VarTypes.
        """
        return list(self._parts()["dtypes"])

    def set_dtypes(self, dtypes: list[DTypeLike]) -> None:
        """Change the data types that a reader's values have.

        Args:
            dtypes (list): data types.
        """
        self._parts()["dtypes"] = [convert_dtype(dtype) for dtype in dtypes]

    def lod_levels(self) -> list[int]:
        """The numbers of sequence levels that a reader's values have.

        Returns:
            List of ints.
        """
        return list(self._parts()["lod_levels"])

    def set_lod_levels(self, lod_levels: list[int]) -> None:
        """Change the numbers of sequence levels that a reader's values have.

        Args:
            lod_levels (list): ints.
        """
        self._parts()["lod_levels"] = list(map(int, lod_levels))

    # ---- attributes, which only tools read
    def _attrs(self) -> dict[str, Any]:
        return self._var.__dict__.get("_desc_attrs", {})

    def attr(self, name: str) -> Any:
        """The value of an attribute.

        Args:
            name (str): the attribute's name.
        Returns:
            int, str or list of ints.
        Raises:
            NotFoundError: there is no such attribute.
        """
        if name not in self._attrs():
            raise NotFoundError(f"Variable `{self._var.name}` has no attribute `{name}`. It has: {', '.join(self._attrs()) or 'none'}")
        return self._attrs()[name]

    def attr_names(self) -> list[str]:
        """Names of all attributes.

        Returns:
            List of names.
        """
        return list(self._attrs())

    def has_attr(self, name: str) -> bool:
        """Whether there is an attribute of that name.

        Args:
            name (str): an attribute's name.
        Returns:
            bool.
        """
        return name in self._attrs()

    def remove_attr(self, name: str) -> None:
        """Forget an attribute.

        Args:
            name (str): the attribute's name.
        """
        self._var.__dict__["_desc_attrs"] = {key: value for key, value in self._attrs().items() if key != name}

    def _set_attr(self, name: str, value: Any) -> None:
        listed = isinstance(value, (list, tuple))
        ints = [n for n in (value if listed else [value]) if isinstance(n, int) and -(2**31) <= n < 2**31]
        if not isinstance(value, str) and len(ints) != (len(value) if listed else 1):
            raise invalid_argument("val", "an int, a string or a list of ints", repr(value))
        kept = value if isinstance(value, str) else list(map(int, ints)) if listed else int(value)
        self._var.__dict__["_desc_attrs"] = {**self._attrs(), name: kept}  # a new dict, as copies of the Variable keep the former one

    def set_name(self, name: str) -> None:
        """Change the name.

        Args:
            name (str): the new one.
        """
        self._v().name = name

    def shape(self) -> list[int]:
        """The dimensions.

        Returns:
            List of ints, -1 for what only a run knows.
        """
        return list(self._v().shape)

    get_shape = shape

    def set_shape(self, shape: Any) -> None:
        """Change the dimensions.

        Args:
            shape (list): ints.
        """
        self._v().shape = tuple(shape)

    def dtype(self) -> Any:
        """Data type of the elements.

        Returns:
            VarType.
        """
        return self._v().dtype

    def set_dtype(self, dtype: DTypeLike) -> None:
        """Change the data type.

        Args:
            dtype: a data type.
        """
        self._v().dtype = convert_dtype(dtype)

    def type(self) -> Any:
        """Kind of the variable.

        Returns:
            VarType.
        """
        return self._v().type

    def set_type(self, type: Any) -> None:
        """Change the kind of the variable.

        Args:
            type (VarType): the new kind.
        """
        self._v().type = type

    def lod_level(self) -> int:
        """Number of sequence levels.

        Returns:
            int.
        """
        return self._v().lod_level

    def set_lod_level(self, lod_level: int) -> None:
        """Change the number of sequence levels.

        Args:
            lod_level (int): 0 for none.
        """
        self._v().lod_level = lod_level

    def persistable(self) -> bool:
        """Whether it lives in the Scope between runs.

        Returns:
            bool.
        """
        return self._v().persistable

    def set_persistable(self, persistable: bool) -> None:
        """Change whether it lives in the Scope between runs.

        Args:
            persistable (bool): the new value.
        """
        self._v().persistable = persistable

    def stop_gradient(self) -> bool:
        """Whether gradients stop here.

        Returns:
            bool.
        """
        return self._v().stop_gradient

    def set_stop_gradient(self, stop_gradient: bool) -> None:
        """Change whether gradients stop here.

        Args:
            stop_gradient (bool): the new value.
        """
        self._v().stop_gradient = stop_gradient

    def has_stop_gradient(self) -> bool:
        """Whether the description says anything of gradients.

        Returns:
            bool.
        """
        return not self._v()._gradients_unset

    def clear_stop_gradient(self) -> None:
        """Say nothing of gradients any more, which then do not stop."""
        var = self._v()
        var.stop_gradient = False
        var._gradients_unset = True

    def need_check_feed(self) -> bool:
        """Whether a fed value's shape and data type are checked.

        Returns:
            bool.
        """
        return self._v().need_check_feed

    def set_need_check_feed(self, need_check_feed: bool) -> None:
        """Change whether a fed value's shape and data type are checked.

        Args:
            need_check_feed (bool): the new value.
        """
        self._v().need_check_feed = need_check_feed

    def is_parameter(self) -> bool:
        """Whether it is a parameter.

        Returns:
            bool.
        """
        return self._v().is_parameter

    def set_is_parameter(self, is_parameter: bool) -> None:
        """Change whether files call it a parameter.

        Args:
            is_parameter (bool): the new value.
        """
        self._v().is_parameter = is_parameter

    def has_is_parameter(self) -> bool:
        """Whether the description calls it a parameter.

        Returns:
            bool.
        """
        return self._v().is_parameter

    def clear_is_parameter(self) -> None:
        """Call it a parameter no more."""
        self._v().is_parameter = False


def _variable_of(name: str) -> Variable:
    """A variable that stands in no Program of anybody's."""
    from paddle_compat.core.program import Program, default_main_program

    program = Program()
    program.age = default_main_program().age
    return program.global_block()._add_var(name=name)
