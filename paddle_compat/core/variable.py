"""Variable and Parameter: what a Block's operators read and write."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any

from paddle_compat import _alias
from paddle_compat.core import op as _op
from paddle_compat.core.dtype import DTypeLike, VarType, convert_dtype, dtype_name
from paddle_compat.core.errors import WrongInputError, invalid_argument, missing_member, refused_shape, type_error
from paddle_compat.core.sizes import Shape

if TYPE_CHECKING:
    from paddle_compat.core.program import Block


class Variable:
    """A named value of a Block; it has a shape and a type, but data only in a Scope.

    Attributes:
        name: unique in its Block.
        shape: tuple, -1 for a dimension that only a run knows; in scripts of Paddle 3 it equals lists, too.
        dtype: VarType of the elements.
        type: VarType of the variable (LOD_TENSOR, SELECTED_ROWS, LOD_TENSOR_ARRAY, ...).
        lod_level: number of sequence levels.
        persistable: it lives in the Scope between runs.
        stop_gradient: no gradient flows through it.
        op: the operator that wrote it last, None for data and parameters.

    Args:
        block (Block): where it belongs.
        type (VarType): its kind.
        name (str): None: a new one, ``_generated_var_0``.
        shape (list): None: an operator's inference gives it.
        dtype: data type; None: float32, or what inference says.
        lod_level (int): None: 0.
        capacity: of no effect.
        persistable (bool): None: False.
        error_clip: what bounds its gradient in Paddle 1.8.
        stop_gradient, is_data, need_check_feed, belong_to_optimizer (bool): what it is.
        kwargs: of no effect.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [None, 2])
        >>> (x + 1).shape, x.name
        ((-1, 2), 'x')
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """

    if TYPE_CHECKING:  # paddle_compat.tensor gives Variables their operators

        def _operator(self, other: Any) -> Variable: ...

        __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = _operator

    # In recorded functions: it stands for a Python number, which takes the data type of the Tensor that it meets.
    _weak = False
    # In recorded functions: it is a Python number or a Tensor, as a condition has it.
    _mixed = False
    # In recorded functions: one of two branches alone sets it, so that eager mode would refuse to read it after the other.
    _unset = False
    # In recorded functions: somebody made gradients flow from it, as from a Tensor that nothing was computed from.
    _opened = False
    # In recorded functions: the Variable that says whether a `return` gave this result.
    _returned: Variable | None = None

    # Nobody says whether gradients stop here, so that descriptions leave it out.
    _gradients_unset = False

    def __init__(
        self,
        block: Block,
        type: VarType = VarType.LOD_TENSOR,
        name: str | None = None,
        shape: Any = None,
        dtype: DTypeLike | None = None,
        lod_level: int | None = None,
        capacity: int | None = None,
        persistable: bool | None = None,
        error_clip: Any = None,
        stop_gradient: bool = False,
        is_data: bool = False,
        need_check_feed: bool = False,
        belong_to_optimizer: bool = False,
        **kwargs: Any,
    ) -> None:
        self.block = block
        self.name = name if name is not None else block.program._generated_name()
        self.type = type
        self.shape: tuple[int, ...] = tuple(int(d) if d is not None else -1 for d in shape) if shape is not None else ()
        # Paddle tells "never given" from 0-D by its description; a variable without shape is to be inferred
        self._shape_known = shape is not None
        self.dtype = convert_dtype(dtype) if dtype is not None else VarType.FP32
        self._dtype_known = dtype is not None
        if self.dtype is VarType.STRINGS:
            self.type = VarType.STRINGS
        self.lod_level: Any = None if self.type is VarType.STRINGS else lod_level or 0  # texts have none
        self._lod_given = lod_level is not None
        self._persistable = bool(persistable)
        self._persistable_given = persistable is not None
        self._stop_gradient = bool(stop_gradient)
        self.error_clip = error_clip
        self.is_data = is_data
        self.need_check_feed = need_check_feed
        self.belong_to_optimizer = belong_to_optimizer
        self.is_parameter = False
        self.op: Any = None

    def _take_over(self, former: Variable, given: dict[str, Any]) -> None:
        """Describe what the block's former variable of this name describes; ValueError where `given` says otherwise."""
        facts = [("type", "type", True), ("persistable", "persistable", True), ("lod_level", "lod_level", True)]
        facts += [("shape", "shape", former._shape_known), ("data type", "dtype", former._dtype_known)]
        for words, name, known in facts:
            old, new = getattr(former, name), getattr(self, name)
            asked = given.get(name) is not None or name == "type"
            if asked and known and old != new:
                raise ValueError(
                    f"Variable {self.name!r} has been created before. The previous {words} is {old}, "
                    f"the new {words} is {new}. They are not matched."
                )
            if not asked and known:
                setattr(self, name, old)
        for flag in ("_shape_known", "_dtype_known", "_lod_given", "_persistable_given"):
            setattr(self, flag, getattr(self, flag) or getattr(former, flag))

    @property
    def persistable(self) -> bool:
        """Whether it lives in the Scope between runs."""
        return self._persistable

    @persistable.setter
    def persistable(self, value: bool) -> None:
        self._persistable = bool(value)
        self.block.program._touch()

    @property
    def stop_gradient(self) -> bool:
        """Whether gradients stop here."""
        return self._stop_gradient

    @stop_gradient.setter
    def stop_gradient(self, value: bool) -> None:
        self._opened = self._stop_gradient and not value
        self._stop_gradient = bool(value)
        self._gradients_unset = False

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    def dim(self) -> int:
        """Number of dimensions.

        Returns:
            int.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.enable_static()
            >>> paddle.static.data("x", [None, 2]).dim()
            2
        """
        return len(self.shape)

    def ndimension(self) -> int:
        """Number of dimensions.

        Returns:
            int.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.enable_static()
            >>> paddle.static.data("x", [None, 2]).ndimension()
            2
        """
        return len(self.shape)

    @property
    def grad_name(self) -> str:
        """The name of its gradient variable."""
        return self.name + "@GRAD"

    @property
    def program(self) -> Any:
        """The Program it belongs to."""
        return self.block.program

    @property
    def desc(self) -> Any:
        """The variable as Paddle's C++ description has it (a view)."""
        from paddle_compat.core.descs import VarDesc

        return VarDesc(self)

    def detach(self) -> Variable:
        """A variable of the same value that gradients do not flow through.

        Returns:
            Variable.
        Raises:
            AssertionError: the script says that it is one of Paddle 1.x, which has this in eager mode alone.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.enable_static()
            >>> x = paddle.static.data("x", [2])
            >>> x.stop_gradient = False
            >>> x.detach().stop_gradient
            True
        """
        from paddle_compat.core.record import detach

        if _of_first_release(self):
            raise _eager_only("detach", "the Variable with `stop_gradient` set")
        return detach(self)

    def get_value(self, scope: Any = None) -> Any:
        """The value in a scope.

        Args:
            scope (Scope): None: the global scope.
        Returns:
            LoDTensor.
        Raises:
            TypeError: the scope is no Scope.
            ValueError: it is not there.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.enable_static()
            >>> w = paddle.static.create_parameter([2], "float32", default_initializer=paddle.nn.initializer.Constant(1.0))
            >>> _ = paddle.static.Executor().run(paddle.static.default_startup_program())
            >>> w.get_value().numpy().tolist()
            [1.0, 1.0]
        """
        from paddle_compat.core.program_state import check_scope
        from paddle_compat.core.scope import find_value

        check_scope(scope, "Variable.get_value")
        return find_value(self.name, scope)

    def set_value(self, value: Any, scope: Any = None) -> None:
        """Set the value in a scope.

        Args:
            value: a numpy array or tensor of the same shape.
            scope (Scope): None: the global scope.
        Raises:
            TypeError: the value is neither.
            ValueError: it is not there, or of another shape.
            PreconditionNotMetError: it is there, and empty still.

        Example:
            >>> import numpy as np, paddle_compat as paddle
            >>> paddle.enable_static()
            >>> w = paddle.static.create_parameter([2], "float32")
            >>> _ = paddle.static.Executor().run(paddle.static.default_startup_program())
            >>> w.set_value(np.ones(2, "float32"))
            >>> w.get_value().numpy().tolist()
            [1.0, 1.0]
        """
        from paddle_compat.core.scope import store_value

        if _of_first_release(self):
            raise _eager_only("set_value", "`get_tensor().set` of the scope's variable")
        store_value(self, value, scope)

    def _set_error_clip(self, error_clip: Any) -> None:
        self.error_clip = error_clip

    def _set_info(self, key: str, value: Any) -> None:
        """Note something about the variable, which scripts that rewrite Programs read again."""
        self.__dict__.setdefault("_info", {})[key] = value

    def _get_info(self, key: str) -> Any:
        return self.__dict__.get("_info", {}).get(key)

    def attr(self, name: str) -> Any:
        """A note of the description's: ints, which may be a list, and strings that tools write there, and that files keep.

        Args:
            name (str): the note's name.
        Returns:
            int, str or list of ints.
        Raises:
            NotFoundError: there is none of that name.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.enable_static()
            >>> x = paddle.static.data("x", [2])
            >>> x._set_attr("stage", 1); x.attr("stage"), x.attr_names
            (1, ['stage'])

        Follows Paddle 2.6.
        """
        return self.desc.attr(name)

    @property
    def attr_names(self) -> list[str]:
        """The names of the description's notes."""
        return self.desc.attr_names()

    @property
    def is_view_var(self) -> bool:
        """Whether it shares another Variable's memory: no."""
        return False

    def _has_attr(self, name: str) -> bool:
        return self.desc.has_attr(name)

    def _set_attr(self, name: str, val: Any) -> None:
        self.desc._set_attr(name, val)

    def _remove_attr(self, name: str) -> None:
        self.desc.remove_attr(name)

    def numpy(self) -> Any:
        """Refused: a Variable holds no data.

        Returns:
            Nothing: it raises.
        Raises:
            AssertionError: always; fetch the value by `Executor.run`.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.enable_static()
            >>> paddle.static.data("x", [2]).numpy()  # doctest: +ELLIPSIS
            Traceback (most recent call last):
            ...
            AssertionError: Invalid use of `numpy`. ...
        """
        raise _eager_only("numpy", "Executor.run(fetch_list=[...])")

    def item(self, *places: int) -> Any:
        """The Variable itself: what has one element at most counts as a number; or, as in Paddle 3, one of its elements.

        Args:
            places: where the element stands, in each dimension, or as one number among all elements.
        Returns:
            The Variable, or one without dimensions.
        Raises:
            TypeError: it has two dimensions or more, or a run tells how many elements there are.
            ValueError: no element stands there.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.enable_static()
            >>> paddle.static.data("x", [1]).item().name
            'x'

        Follows Paddle 2.6.
        """
        sizes: list[int] = list(self.shape)
        if not places:
            if len(sizes) > 1:
                raise WrongInputError(f"Invalid use of `item`. Expected a Variable of at most one dimension. Received: {tuple(sizes)}")
            return self
        if len(places) == 1 != len(sizes):
            if -1 in sizes:
                raise type_error("places", f"a number for each of {len(sizes)} dimensions, as a run tells their sizes", places[0], "item")
            count, (place,) = math.prod(sizes), places
            if -count <= place < count:
                places = tuple(place % count // math.prod(sizes[n + 1 :]) % size for n, size in enumerate(sizes))
            else:
                raise invalid_argument("places", f"a place among {count} elements", place, "item")
        if len(places) != len(sizes):
            raise invalid_argument("places", f"1 or {len(sizes)} numbers", places, "item")
        return self[places] if places else self  # type: ignore[index]

    def backward(self, retain_graph: bool = False) -> None:
        """Refused: a Variable's gradients are operators of its Program.

        Args:
            retain_graph (bool): of no effect.
        Raises:
            AssertionError: always; `paddle.static.append_backward` writes the gradients.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.enable_static()
            >>> paddle.static.data("x", [2]).backward()  # doctest: +ELLIPSIS
            Traceback (most recent call last):
            ...
            AssertionError: Invalid use of `backward`. ...
        """
        raise _eager_only("backward", "append_backward, or an optimizer's minimize")

    def gradient(self) -> Any:
        """Refused: a Variable holds no gradient.

        Returns:
            Nothing: it raises.
        Raises:
            AssertionError: always; fetch the variable ``name@GRAD``.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.enable_static()
            >>> paddle.static.data("x", [2]).gradient()  # doctest: +ELLIPSIS
            Traceback (most recent call last):
            ...
            AssertionError: Invalid use of `gradient`. ...
        """
        raise _eager_only("gradient", "Executor.run with the gradient's name in fetch_list")

    def clear_gradient(self) -> None:
        """Refused: a Variable holds no gradient.

        Raises:
            AssertionError: always; each run computes gradients anew.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.enable_static()
            >>> paddle.static.data("x", [2]).clear_gradient()  # doctest: +ELLIPSIS
            Traceback (most recent call last):
            ...
            AssertionError: Invalid use of `clear_gradient`. ...
        """
        raise _eager_only("clear_gradient", "nothing: each run computes gradients anew")

    def to_string(self, throw_on_error: bool = False, with_details: bool = False) -> str:
        """Its description, as protobuf's text.

        Args:
            throw_on_error (bool): of no effect.
            with_details (bool): add what only Python knows of it.
        Returns:
            str.
        Raises:
            AssertionError: an argument is not a bool.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.enable_static()
            >>> paddle.static.data("x", [2]).to_string(True).splitlines()[0]
            'name: "x"'
        """
        from paddle_compat.core.text import check_bools, variable_text

        check_bools("Variable", throw_on_error, with_details)
        return variable_text(self, with_details)

    def _to_readable_code(self) -> str:
        """One line, as Paddle 2.6 prints it."""
        kind = "persist " if self.persistable else ""
        kind += ("trainable param" if getattr(self, "trainable", True) else "param") if self.is_parameter else "var"
        if self.type in (VarType.LOD_TENSOR, VarType.SELECTED_ROWS):
            what = f"{self.type.name}.shape{tuple(self.shape)!r}.dtype({dtype_name(self.dtype)}).stop_gradient({self.stop_gradient})"
        else:
            what = f"{self.type.name})"
        return f"{kind} {self.name} : {what}"

    _shown = _to_readable_code

    def __repr__(self) -> str:
        return self.to_string(True) if self.block.program.age == 1 else self._to_readable_code()

    __str__ = __repr__

    if not TYPE_CHECKING:  # the type checker is to see what is missing
        __getattr__ = missing_member("paddle.static.Variable")


def _of_first_release(var: Variable) -> bool:
    """Whether a script that says it is one of Paddle 1.x made the Variable, which has fewer methods there."""
    return var.block.program.age == 1 and os.environ.get("PADDLE_COMPAT_VERSION", "").startswith("1.")


def _eager_only(method: str, instead: str) -> AssertionError:
    return AssertionError(
        f"Invalid use of `{method}`. Expected a Tensor of eager mode (call `paddle.disable_static()`); in static mode use "
        f"{instead}. Received: a Variable"
    )


if _alias.since("3"):
    Variable.shape = Shape()  # type: ignore[assignment]


class Parameter(Variable):
    """A Variable that training updates.

    Attributes:
        trainable: whether optimizers update it.
        optimize_attr: its learning-rate factor, ``{"learning_rate": 1.0}``.
        regularizer: its own regularizer, which goes before the optimizer's.
        need_clip: whether gradient clips take it.

    Args:
        block (Block): the global one.
        shape (list): known dimensions.
        dtype: data type.
        type (VarType): its kind.
        kwargs: the attributes above, and the arguments of `Variable`.
    Raises:
        ValueError: a dimension is unknown.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main, paddle.static.Program()), paddle.utils.unique_name.guard():
        ...     y = paddle.static.nn.fc(paddle.static.data("x", [None, 2]), 3)
        >>> [(p.name, p.shape, p.trainable) for p in main.all_parameters()]
        [('fc_0.w_0', (2, 3), True), ('fc_0.b_0', (3,), True)]
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(
        self, block: Block, shape: Any, dtype: DTypeLike, type: VarType = VarType.LOD_TENSOR, **kwargs: Any
    ) -> None:
        if shape is None or any(int(d) < 0 for d in shape) or (not len(shape) and block.program.age == 1):
            raise ValueError(refused_shape(shape))
        if dtype is None:
            raise ValueError("The dtype of Parameter should not be None. Expected a data type.")
        kwargs.setdefault("persistable", True)
        super().__init__(block, type=type, shape=shape, dtype=dtype, **kwargs)
        self.is_parameter = True
        self.trainable: bool = kwargs.get("trainable", True)
        self.optimize_attr: dict[str, Any] = kwargs.get("optimize_attr") or {"learning_rate": 1.0}
        self.regularizer = kwargs.get("regularizer")
        self.gradient_clip_attr = kwargs.get("gradient_clip_attr")
        self.do_model_average = kwargs.get("do_model_average")
        self.need_clip = kwargs.get("need_clip", True)
        self.is_distributed = kwargs.get("is_distributed", False)
        self.initializer = kwargs.get("initializer")
        self._parent_layer_name = ""


_op._variable_class = Variable
