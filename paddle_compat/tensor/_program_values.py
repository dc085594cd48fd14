"""Members of operators, blocks and Programs that those of Paddle 3's new IR have: places where values are read, and operators taken out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat.core.errors import PreconditionNotMetError, type_error
from paddle_compat.core.operator import Operator
from paddle_compat.core.program import Block, Program
from paddle_compat.core.variable import Parameter, Variable
from paddle_compat.pir._rows import Row, rows


class OpOperand:
    """One place where an operator reads a Variable.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2])
        >>> place = (paddle.tanh(x) + x).get_defining_op().operand(1)
        >>> place.source().name, place.index(), place.owner().name()
        ('x', 1, 'pd_op.add')

    Follows Paddle 3.3.
    """

    def __init__(self, op: Operator, slot: str, at: int) -> None:
        self._op, self._slot, self._at = op, slot, at

    def source(self) -> Variable:
        """The Variable that is read."""
        return self._op.block._var_recursive(self._op.inputs[self._slot][self._at])

    def set_source(self, value: Variable) -> None:
        """Have another Variable read.

        Args:
            value (Variable): of the same Program.
        """
        if not isinstance(value, Variable):
            raise type_error("value", "a Variable", value, "OpOperand.set_source")
        self._op.inputs[self._slot][self._at] = value.name
        self._op.block.program._touch()

    def index(self) -> int:
        """Which of the operator's places it is, from 0."""
        before = list(self._op.inputs).index(self._slot)
        return sum(len(names) for names in list(self._op.inputs.values())[:before]) + self._at

    def owner(self) -> Operator:
        """The operator that reads."""
        return self._op


def operands(self: Operator) -> list[OpOperand]:
    """The places where the operator reads Variables.

    Returns:
        list of OpOperand.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> [place.source().name for place in paddle.tanh(paddle.static.data("x", [2])).get_defining_op().operands()]
        ['x']

    Follows Paddle 3.3.
    """
    return [OpOperand(self, slot, at) for slot, names in self.inputs.items() for at in range(len(names))]


def operand(self: Operator, index: int) -> OpOperand:
    """One place where the operator reads a Variable.

    Args:
        index (int): which, from 0.
    Returns:
        OpOperand.
    Raises:
        PreconditionNotMetError: there are not so many.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.tanh(paddle.static.data("x", [2])).get_defining_op().operand(0).source().name
        'x'

    Follows Paddle 3.3.
    """
    found = operands(self)
    if not 0 <= index < len(found):
        raise PreconditionNotMetError(
            f"Invalid value for argument `index` of `Operator.operand`. Expected less than {len(found)}. Received: {index}"
        )
    return found[index]


def _row(op: Operator) -> Row | None:
    return rows().get(op.name().removeprefix("pd_op."))  # type: ignore[attr-defined]  # `_variable_values` gives it


def get_input_names(self: Operator) -> list[str]:
    """What Paddle 3 calls the inputs of the operator, those that are attributes in Programs, too.

    Returns:
        list of str.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.sum(paddle.static.data("x", [2]), 0).get_defining_op().get_input_names()
        ['x', 'axis']

    Follows Paddle 3.3.
    """
    row = _row(self)
    if row is None:
        return [slot.lower() for slot in self.input_names]
    return [(each.attribute or each.slot.lower()).replace("dim", "axis") for each in row.inputs]


def get_output_names(self: Operator) -> list[str]:
    """What Paddle 3 calls the outputs of the operator.

    Returns:
        list of str.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.topk(paddle.static.data("x", [2]), 1)[0].get_defining_op().get_output_names()
        ['out', 'indices']

    Follows Paddle 3.3.
    """
    row = _row(self)
    names = list(row.outputs) if row is not None else [slot for slot in self.output_names if slot != "XShape"]
    return ["out" if at == 0 and name in ("Output", "Y", "Out") else name.lower() for at, name in enumerate(names)]


def get_attr_names(self: Operator) -> list[str]:
    """What Paddle 3 calls the attributes of the operator.

    Returns:
        list of str.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2, 2])
        >>> paddle.matmul(x, x).get_defining_op().get_attr_names()
        ['transpose_x', 'transpose_y']

    Follows Paddle 3.3.
    """
    row = _row(self)
    return list(row.attributes) if row is not None else list(self.attr_names)


def erase(self: Operator) -> None:
    """Take the operator out of its block.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main):
        ...     paddle.tanh(paddle.static.data("x", [2])).get_defining_op().erase()
        >>> main.global_block().ops
        []

    Follows Paddle 3.3.
    """
    self.block._remove_op(next(at for at, op in enumerate(self.block.ops) if op is self))


def remove_op(self: Block, op: Operator) -> None:
    """Take an operator out of the block.

    Args:
        op (Operator): one of the block's.
    Raises:
        TypeError: it is none of them.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main):
        ...     y = paddle.tanh(paddle.static.data("x", [2]))
        >>> main.global_block().remove_op(y.get_defining_op()); main.global_block().empty()
        True

    Follows Paddle 3.3.
    """
    if not isinstance(op, Operator) or op.block is not self:
        raise type_error("op", "an operator of the block", op, "Block.remove_op")
    erase(op)


def _end(name: str, at: int, shown: str) -> Any:
    def end(self: Block) -> Operator:
        return self.ops[at]

    end.__name__, end.__qualname__ = name, f"Block.{name}"
    end.__doc__ = f"""The {"first" if at == 0 else "last"} operator of the block.

    Returns:
        Operator.
    Raises:
        IndexError: there is none.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main):
        ...     y = paddle.tanh(paddle.abs(paddle.static.data("x", [2])))
        >>> main.global_block().{name}().name()
        {shown!r}

    Follows Paddle 3.3.
    """
    return end


def empty(self: Block) -> bool:
    """Whether the block has no operators.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.static.Program().global_block().empty()
        True

    Follows Paddle 3.3.
    """
    return not self.ops


def first_use(self: Variable) -> OpOperand | None:
    """The place where an operator reads the Variable that Paddle 3 looks at first: the youngest.

    Returns:
        OpOperand; None where nobody reads it.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2])
        >>> y = paddle.tanh(x)
        >>> x.first_use().owner().type
        'tanh'

    Follows Paddle 3.3.
    """
    readers = self.all_used_ops()  # type: ignore[attr-defined]  # `_variable_values` gives it
    return next((place for op in reversed(readers) for place in operands(op) if place.source().name == self.name), None)


def replace_all_uses_with(self: Variable, value: Variable) -> None:
    """Have every operator that reads the Variable read another one.

    Args:
        value (Variable): of the same Program.
    Raises:
        TypeError: the value is no Variable.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x, y = (paddle.static.data(name, [2]) for name in "xy")
        >>> z = paddle.tanh(x)
        >>> x.replace_all_uses_with(y); x.use_empty(), z.get_defining_op().operand(0).source().name
        (True, 'y')

    Follows Paddle 3.3.
    """
    if not isinstance(value, Variable):
        raise type_error("value", "a Variable", value, "Variable.replace_all_uses_with")
    for op in self.all_used_ops():  # type: ignore[attr-defined]
        op._rename_input(self.name, value.name)


def get_output_value_by_name(self: Program, name: str) -> Variable:
    """The Variable of a name.

    Args:
        name (str): its name.
    Returns:
        Variable.
    Raises:
        ValueError: there is none.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2])
        >>> paddle.static.default_main_program().get_output_value_by_name("x") is x
        True

    Follows Paddle 3.3.
    """
    found: Variable = self.global_block().var(name)
    return found


def get_all_parameter_values(self: Program) -> list[Parameter]:
    """The parameters of the Program.

    Returns:
        list of Parameter.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.static.Program().get_all_parameter_values()
        []

    Follows Paddle 3.3.
    """
    return list(self.all_parameters())


_MEMBERS: dict[type, tuple[Callable[..., Any], ...]] = {
    Variable: (first_use, replace_all_uses_with),
    Operator: (operand, operands, get_input_names, get_output_names, get_attr_names, erase),
    Block: (remove_op, _end("front", 0, "pd_op.abs"), _end("back", -1, "pd_op.tanh"), empty),
    Program: (get_output_value_by_name, get_all_parameter_values),
}


def install() -> None:
    """Give Variables, operators, blocks and Programs their members."""
    for owner, methods in _MEMBERS.items():
        for method in methods:
            setattr(owner, method.__name__, method)
