"""Members of Variables and operators that those of Paddle 3's new IR have: what a value is, who made it, and who reads it."""

from __future__ import annotations

from functools import cache
from typing import Any

from paddle_compat import _alias
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import definition_of
from paddle_compat.core.operator import Operator
from paddle_compat.core.variable import Parameter, Variable


def is_same(self: Variable, other: Variable) -> bool:
    """Whether both are one Variable.

    Args:
        other (Variable).
    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2])
        >>> x.is_same(x), x.is_same(x + 1)
        (True, False)

    Follows Paddle 3.3.
    """
    return self is other or self.block.program is other.block.program and self.block is other.block and self.name == other.name


def _readers(self: Variable) -> list[Operator]:
    return [op for block in self.block.program.blocks for op in block.ops if self.name in op.input_arg_names]


def all_used_ops(self: Variable) -> list[Operator]:
    """The operators that read the Variable.

    Returns:
        list of Operator.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2])
        >>> y = paddle.tanh(x) + x
        >>> [op.type for op in x.all_used_ops()]
        ['tanh', 'elementwise_add']

    Follows Paddle 3.3.
    """
    return _readers(self)


def use_empty(self: Variable) -> bool:
    """Whether no operator reads the Variable.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2])
        >>> y = paddle.tanh(x)
        >>> x.use_empty(), y.use_empty()
        (False, True)

    Follows Paddle 3.3.
    """
    return not _readers(self)


def has_one_use(self: Variable) -> bool:
    """Whether operators read the Variable in one place.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2])
        >>> y = x * x
        >>> x.has_one_use()
        False

    Follows Paddle 3.3.
    """
    return sum(op.input_arg_names.count(self.name) for op in _readers(self)) == 1


def get_defining_op(self: Variable) -> Operator | None:
    """The operator that wrote the Variable last.

    Returns:
        Operator; None for data and parameters, which no operator of a Program makes.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.tanh(paddle.static.data("x", [2])).get_defining_op().type
        'tanh'

    Follows Paddle 3.3.
    """
    writers = [op for op in self.block.ops if self.name in op.output_arg_names]
    return writers[-1] if writers else None


def index(self: Variable) -> int:
    """Which of its operator's outputs the Variable is.

    Returns:
        int.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.split(paddle.static.data("x", [4]), 2)[1].index()
        1

    Follows Paddle 3.3.
    """
    op = get_defining_op(self)
    return 0 if op is None else [value.name for value in results(op)].index(self.name)


def stride(self: Variable) -> list[int]:
    """How many elements lie between neighbours, along each dimension.

    Returns:
        list of int.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.static.data("x", [2, 3]).stride()
        [3, 1]

    Follows Paddle 3.3.
    """
    steps: list[int] = []
    for size in reversed(self.shape[1:]):
        steps.insert(0, size * (steps[0] if steps else 1))
    return [*steps, 1] if self.shape else []


def absolute(self: Variable) -> Variable:
    """What `abs` gives in scripts of Paddle 3.

    Returns:
        Variable.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.tensor._variable_values import absolute
        >>> paddle.enable_static()
        >>> absolute(paddle.static.data("x", [2])).shape
        (2,)
    """
    made: Variable = definition_of("abs")(self)
    return made


def number_of_elements(self: Variable) -> Variable:
    """The number of elements, which scripts of Paddle 3 have as an attribute.

    Returns:
        Variable of int64 without dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.tensor._variable_values import number_of_elements
        >>> paddle.enable_static()
        >>> number_of_elements(paddle.static.data("x", [2])).shape
        ()
    """
    from paddle_compat.tensor import stat

    counted: Variable = stat.numel(self)
    return counted


def _fact(name: str, says: str, answer: Any, shown: str = "", attribute: bool = False) -> Any:
    """A method, or an attribute, that says one thing of a Variable; what the example shows of a method goes with it."""
    if attribute:
        return property(answer, doc=says)

    def fact(self: Variable) -> Any:
        return answer(self)

    fact.__name__, fact.__qualname__ = name, f"Variable.{name}"
    fact.__doc__ = f"""{says}

    Returns:
        what it says.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2, 3])
        >>> print(x.{name}())
        {shown}

    Follows Paddle 3.3.
    """
    return fact


_NEVER = {
    "is_combine": "Whether it is several in one.", "is_dist": "Whether it lies on a mesh.",
    "is_dist_dense_tensor_type": "Whether it lies on a mesh, and is dense.",
    "is_sparse_coo_tensor_type": "Whether it holds places and values.",
    "is_sparse_csr_tensor_type": "Whether it holds rows, columns and values.",
}  # fmt: skip
_KINDS = {
    "is_dense_tensor_type": ("Whether it is dense.", VarType.LOD_TENSOR, "True"),
    "is_dense_tensor_array_type": ("Whether it is an array of tensors.", VarType.LOD_TENSOR_ARRAY, "False"),
    "is_selected_row_type": ("Whether it is some rows of a tensor.", VarType.SELECTED_ROWS, "False"),
}
_NONE = {
    "device": "Where it lies: nowhere before the Program runs.", "placements": "How a mesh shares it.", "process_mesh": "Its mesh.",
}  # fmt: skip


def _kind(kind: VarType) -> Any:
    return lambda self: self.type == kind


METHODS: dict[str, Any] = {
    **{method.__name__: method for method in (is_same, all_used_ops, use_empty, has_one_use, get_defining_op, index, stride)},
    **{name: _fact(name, says, lambda self: False, "False") for name, says in _NEVER.items()},
    **{name: _fact(name, says, _kind(kind), shown) for name, (says, kind, shown) in _KINDS.items()},
    **{name: _fact(name, says, lambda self: None, attribute=True) for name, says in _NONE.items()},
    "all_used_ops_in_same_block": _fact(
        "all_used_ops_in_same_block", "The operators of its own block that read it.",
        lambda self: [op for op in _readers(self) if op.block is self.block], "[]",
    ),
    "dense_dim": _fact("dense_dim", "How many dimensions are not sparse.", lambda self: len(self.shape), "2"),
    "dist_attr": _fact("dist_attr", "How a mesh shares it.", lambda self: None, "None"),
    "get_device": _fact("get_device", "Where it lies: nowhere before the Program runs.", lambda self: None, "None"),
    "has_name": _fact(
        "has_name", "Whether a script named it: data and parameters.", lambda x: isinstance(x, Parameter) or x.is_data, attribute=True
    ),
    "initialized": _fact("initialized", "Whether it is one of a Program.", lambda self: True, "True"),
    "is_cuda": _fact("is_cuda", "Whether it is known to lie on a GPU.", lambda self: False, attribute=True),
    "sparse_dim": _fact("sparse_dim", "How many dimensions are sparse.", lambda self: 0, "0"),
}  # fmt: skip


@cache
def _names() -> dict[str, str]:
    """Type of an operator in Programs -> its name in the new IR."""
    from paddle_compat.pir._rows import rows

    found: dict[str, str] = {}
    for name, row in rows().items():
        if row.operator not in found or found[row.operator].endswith("_"):
            found[row.operator] = name
    return found


def name(self: Operator) -> str:
    """What the operator is called in Paddle 3's new IR.

    Returns:
        str: its name with the dialect's before it.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.add(*(paddle.static.data(name, [2]) for name in "xy")).get_defining_op().name()
        'pd_op.add'

    Follows Paddle 3.3.
    """
    return "pd_op." + _names().get(self.type, self.type)


def _variables(self: Operator, names: list[str]) -> list[Variable]:
    return [self.block._var_recursive(each) for each in names]


def results(self: Operator) -> list[Variable]:
    """The Variables that the operator makes.

    Returns:
        list of Variable, without those that only its gradient reads.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> len(paddle.split(paddle.static.data("x", [4]), 2)[1].get_defining_op().results())
        2

    Follows Paddle 3.3.
    """
    return _variables(self, [each for slot in self.output_names if slot != "XShape" for each in self.output(slot)])


def operands_source(self: Operator) -> list[Variable]:
    """The Variables that the operator reads.

    Returns:
        list of Variable.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> [x.name for x in paddle.tanh(paddle.static.data("x", [4])).get_defining_op().operands_source()]
        ['x']

    Follows Paddle 3.3.
    """
    return _variables(self, self.input_arg_names)


def _operator_fact(name: str, says: str, answer: Any, asked: str, shown: str) -> Any:
    def fact(self: Operator, *index: int) -> Any:
        return answer(self, *index)

    fact.__name__, fact.__qualname__ = name, f"Operator.{name}"
    fact.__doc__ = f"""{says}

    Args:
        index (int): where it takes one, which of them.
    Returns:
        what it says.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> op = paddle.tanh(paddle.static.data("x", [4])).get_defining_op()
        >>> {asked}
        {shown}

    Follows Paddle 3.3.
    """
    return fact


def _at(of: Any, kind: str) -> Any:
    def one(self: Operator, index: int) -> Variable:
        found: list[Variable] = of(self)
        if not 0 <= index < len(found):
            raise invalid_argument("index", f"the index of one of {len(found)} {kind}s", index, f"Operator.{kind}")
        return found[index]

    return one


_OPERATOR = {
    "num_results": _operator_fact("num_results", "How many Variables it makes.", lambda op: len(results(op)), "op.num_results()", "1"),
    "num_operands": _operator_fact(
        "num_operands", "How many Variables it reads.", lambda op: len(operands_source(op)), "op.num_operands()", "1"
    ),
    "result": _operator_fact("result", "One of the Variables that it makes.", _at(results, "result"), "op.result(0).shape", "(4,)"),
    "operand_source": _operator_fact(
        "operand_source", "One of the Variables that it reads.", _at(operands_source, "operand"), "op.operand_source(0).name", "'x'"
    ),
    "get_parent_block": _operator_fact(
        "get_parent_block", "The block that it is in.", lambda op: op.block, "op in op.get_parent_block().ops", "True"
    ),
}


def install() -> None:
    """Give Variables and operators their members; scripts of Paddle 3 see some of the older ones as Paddle 3 has them."""
    for method, value in METHODS.items():
        setattr(Variable, method, value)
    if _alias.since("3"):
        Variable.size = property(number_of_elements)  # type: ignore[attr-defined]
        Variable.place = property(Variable.place)  # type: ignore[attr-defined]
        Variable.__abs__ = absolute  # type: ignore[attr-defined]
    for method, value in {"name": name, "results": results, "operands_source": operands_source, **_OPERATOR}.items():
        setattr(Operator, method, value)
