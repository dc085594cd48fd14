"""Block: the operators of a Program, in order, and the variables that they name."""

from __future__ import annotations

import struct
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import torch

from paddle_compat.core import capture, guards, infer, mode, unique_name
from paddle_compat.core.dtype import VarType, torch_dtype
from paddle_compat.core.errors import type_error
from paddle_compat.core.op import find_op
from paddle_compat.core.operator import Operator, OpRole, check_call, input_slots, output_slots
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.tensor import EagerParamBase, Tensor
from paddle_compat.core.variable import Parameter, Variable

if TYPE_CHECKING:
    from paddle_compat.core.program import Program

_ANSWERS = "equal_all equal not_equal less_than less_equal greater_than greater_equal logical_and logical_or logical_xor logical_not"
_KEPT_TYPES = (VarType.STEP_SCOPES, VarType.RAW)  # variables whose copies last no longer than they do
_STOPPING = frozenset(_ANSWERS.split() if SINCE_3 else ())  # what stops gradients in Programs, whatever goes into it


class Block:
    """A list of operators and the variables they name; sub-blocks are the bodies of control flow.

    Attributes:
        program: the Program.
        idx, parent_idx: position in `program.blocks`, and that of the enclosing block (-1 for the global one).
        vars: name -> Variable, in order of creation.
        ops: the operators, in order.

    Args:
        program (Program): the one it belongs to.
        idx, parent_idx (int): see above.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> block = paddle.static.Program().global_block()
        >>> x = block.create_var(name="x", shape=[2, 3], dtype="float32")
        >>> y = block.create_var(name="y")
        >>> block.append_op(type="scale", inputs={"X": x}, outputs={"Out": y}, attrs={"scale": 2.0}).type
        'scale'
        >>> block.var("y").shape, block.has_var("z"), block.has_var_recursive("x"), list(block.vars)
        ((2, 3), False, True, ['x', 'y'])
        >>> w = block.create_parameter(name="w", shape=[3], dtype="float32")
        >>> block.all_parameters() == list(block.iter_parameters()) == [w]
        True

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self, program: Program, idx: int, parent_idx: int = -1) -> None:
        self.program = program
        self.idx = idx
        self.parent_idx = parent_idx
        self.forward_block_idx = -1
        self.vars: OrderedDict[str, Variable] = OrderedDict()
        self.ops: list[Operator] = []

    @property
    def desc(self) -> Any:
        """The block as Paddle's C++ description has it (a view)."""
        from paddle_compat.core.descs import BlockDesc

        return BlockDesc(self)

    # ---- variables
    def var(self, name: str) -> Variable:
        """The variable of that name in this block.

        Args:
            name (str): the variable's name.
        Returns:
            Variable.
        Raises:
            ValueError: there is none.
            TypeError: the name is no string.
        """
        if not isinstance(name, str):
            raise type_error("name", "a variable's name", name, "Block.var")
        found = self.vars.get(name)
        if found is None:
            raise ValueError(
                f"var {name} is not in this block. It has: {', '.join(list(self.vars)[:20]) or 'no variables'}"
            )
        return found

    def has_var(self, name: str) -> bool:
        """Whether this block has a variable of that name.

        Args:
            name (str): a variable's name.
        Returns:
            bool.
        """
        return name in self.vars

    def _find_var_recursive(self, name: str) -> Variable | None:
        block: Block | None = self
        while block is not None:
            if name in block.vars:
                return block.vars[name]
            if block.forward_block_idx >= 0:
                # a gradient block sees the block that it differentiates
                found = block.program.blocks[block.forward_block_idx]._find_var_recursive(name)
                if found is not None:
                    return found
            block = block.parent
        return None

    def _var_recursive(self, name: str) -> Variable:
        found = self._find_var_recursive(name)
        if found is None:
            raise ValueError(f"var {name} is not in this block nor in the blocks around it.")
        return found

    def has_var_recursive(self, name: str) -> bool:
        """Whether this block or one around it has a variable of that name.

        Args:
            name (str): a variable's name.
        Returns:
            bool.
        """
        return self._find_var_recursive(name) is not None

    @property
    def parent(self) -> Block | None:
        """The enclosing block."""
        return self.program.blocks[self.parent_idx] if self.parent_idx >= 0 else None

    def create_var(self, **kwargs: Any) -> Variable:
        """Create a variable.

        Args:
            kwargs: the arguments of `Variable` but for `block`; with an `initializer`, the operator that fills it is appended.
        Returns:
            Variable; a Tensor in eager mode.
        Raises:
            ValueError: there is a variable of that name with another shape, type, data type or LoD level.
        """
        if mode._static is False and self.program.age in makers:
            made: Variable = makers[self.program.age][0](**kwargs)
            return made
        return self._add_var(**kwargs)

    def _add_var(self, **kwargs: Any) -> Variable:
        """Create a variable, whatever the mode is."""
        if kwargs.get("initializer") is not None:
            initializer = kwargs.pop("initializer")
            var = self._add_var(**kwargs)
            initializer(var, self)
            return var
        var = Variable(self, **kwargs)
        if var.name in self.vars:
            var._take_over(self.vars[var.name], kwargs)
        self.vars[var.name] = var
        self.program._touch()
        return var

    def create_parameter(self, *args: Any, **kwargs: Any) -> Parameter:
        """Create a parameter in the global block; its initializer's operator goes into this block.

        Args:
            args, kwargs: the arguments of `Parameter` but for `block`.
        Returns:
            Parameter.
        Raises:
            ValueError: a dimension is unknown.
            RuntimeError: several operators fill the parameter of that name already; where one does, it stays the only one.
        """
        if mode._static is False and self.program.age in makers:
            made: Parameter = makers[self.program.age][1](*args, **kwargs)
            return made
        home = self.program.global_block()
        initializer = kwargs.get("initializer")
        param = Parameter(home, *args, **kwargs)
        stops = param.stop_gradient or (self.program.age == 2 and not param.trainable)
        filled = [op for op in home.ops if param.name in op.output_arg_names] if param.name in home.vars else []
        filled = [op for op in filled if op.type not in ("c_broadcast", "c_sync_comm_stream")]
        if len(filled) > 1 and initializer is not None:
            raise RuntimeError(f"param {param.name} is inited by multiple init ops. Expected one. Received: {[op.type for op in filled]}")
        home.vars[param.name] = param
        self.program._touch()
        if initializer is not None and not filled:
            initializer(param, self)
        param._stop_gradient = stops  # the operator that fills it decides nothing
        return param

    def all_parameters(self) -> list[Parameter]:
        """The parameters in this block.

        Returns:
            List of Parameters; in scripts of Paddle 3, which puts new ones in front, the last one comes first.
        """
        found = list(self.iter_parameters())
        return found[::-1] if SINCE_3 and self.program.age > 1 else found

    def iter_parameters(self) -> Iterator[Parameter]:
        """The parameters in this block, one by one.

        Returns:
            Iterator of Parameters.
        """
        return (v for v in self.vars.values() if isinstance(v, Parameter))

    def _clone_variable(self, var: Variable, force_persistable: bool = True) -> Variable:
        return self._add_var(
            name=var.name,
            shape=var.shape if var._shape_known else None,
            dtype=var.dtype,
            type=var.type,
            lod_level=var.lod_level,
            persistable=var.persistable if not force_persistable or var.type in _KEPT_TYPES else True,
            is_data=var.is_data,
            need_check_feed=var.need_check_feed,
        )

    def _remove_var(self, name: str) -> None:
        del self.vars[name]
        self.program._touch()

    def _rename_var(self, name: str, new_name: str) -> Variable:
        name, new_name = (n.decode() if isinstance(n, bytes) else n for n in (name, new_name))
        var = self.var(name)
        self.vars = OrderedDict((new_name if n == name else n, v) for n, v in self.vars.items())
        var.name, var.is_data = new_name, False
        for op in self.ops:
            op._rename_everywhere(name, new_name)
        return var

    # ---- operators
    def _make_op(
        self, type: Any, inputs: Any, outputs: Any, attrs: dict[str, Any] | None, stops: bool | None, metas: Any = None
    ) -> Operator:
        program = self.program
        if type is None:
            raise ValueError("`type` to initialized an Operator can not be None.")  # the words that Paddle's tests compare
        if not isinstance(type, str):
            raise type_error("type", "an operator's type", type, "append_op")
        definition = find_op(type)
        given = {s: _names(v) for s, v in (inputs or {}).items()}
        outs = {s: _names(v) for s, v in (outputs or {}).items() if v is not None}
        merged = {**definition.defaults(program.age)} if definition else {}
        for key, value in (attrs or {}).items():
            if value is not None:
                # Paddle keeps floating attributes in single precision; a recorded function gives what eager mode gives
                single = isinstance(value, float) and abs(value) < 3e38 and capture.current is None
                merged[key] = struct.unpack("f", struct.pack("f", value))[0] if single else value
        check_call(type, definition, given, outs, merged, program.age)
        merged.setdefault("op_role", program._op_role)
        if program._op_role_var:
            merged.setdefault("op_role_var", list(program._op_role_var))
        for name, mark in guards.marks(type, attrs).items():
            merged.setdefault(name, mark)
        # no inputs at all leave the slots out
        slots = {} if inputs is None else input_slots(definition, given, program.age)
        op = Operator(self, type, slots, output_slots(definition, outs), merged)
        if stops is None:
            stops = capture.stops() or (
                program.age > 1 and not merged["op_role"] & OpRole.Backward and (type in _STOPPING or self._inputs_stop(op))
            )
        for name in op.output_arg_names:
            var = self._find_var_recursive(name)
            if var is not None:
                var.op = op
                if stops:
                    var._stop_gradient = True
        if definition is not None:
            infer.set_outputs(op, definition, metas)
        program._touch()
        return op

    def _inputs_stop(self, op: Operator) -> bool:
        """Whether no input lets gradients through: then, since 2.x, no output does either (parameters and sub-blocks decide)."""
        if "sub_block" in op.attrs:
            return False
        found = [self._find_var_recursive(n) for n in op.output_arg_names]
        if any(isinstance(v, Parameter) for v in found):
            return False
        return all(v is None or v.stop_gradient for v in map(self._find_var_recursive, op.input_arg_names))

    def append_op(
        self,
        type: Any = None,
        inputs: Any = None,
        outputs: Any = None,
        attrs: dict[str, Any] | None = None,
        stop_gradient: bool = False,
        **kwargs: Any,
    ) -> Operator:
        """Append an operator; shapes and types of its outputs are inferred.

        Args:
            type: the operator's type.
            inputs, outputs: slot name -> Variable, name, or a list of them.
            attrs: attribute name -> value; what is left out takes the operator's default.
            stop_gradient: mark the outputs so.
            kwargs: of no effect.
        Returns:
            Operator.
        Raises:
            UnknownOperatorError: there is no such operator.
            AssertionError: an input is missing.
            ValueError: the type, an output or an attribute is missing.
            TypeError: the type is no string; an attribute is of another type (InvalidArgumentError in Programs of Paddle 1.x).
            InvalidArgumentError: the inputs do not fit the operator.
        """
        if _are_values(outputs):
            return run_now(type, inputs, outputs, attrs)
        op = self._make_op(type, inputs, outputs, attrs, stop_gradient or None, kwargs.get("metas"))
        self.ops.append(op)
        return op

    def _prepend_op(
        self, type: str, inputs: Any = None, outputs: Any = None, attrs: dict[str, Any] | None = None, **kw: Any
    ) -> Operator:
        return self._insert_op(0, type, inputs, outputs, attrs, **kw)

    def _insert_op(
        self, index: int, type: str, inputs: Any = None, outputs: Any = None, attrs: dict[str, Any] | None = None, **kwargs: Any
    ) -> Operator:
        if _are_values(outputs):
            return run_now(type, inputs, outputs, attrs)
        op = self._make_op(type, inputs, outputs, attrs, bool(kwargs.get("stop_gradient")))  # nobody looks at the inputs, as in Paddle
        self.ops.insert(index, op)
        return op

    def _remove_op(self, index: int, sync: bool = True) -> None:
        del self.ops[index]
        self.program._touch()

    def _slice_ops(self, start: int, end: int) -> list[Operator]:
        return self.ops[start:end]

    def _sync_with_cpp(self) -> None:
        """Descriptions are views: nothing is to be taken over."""

    @property
    def backward_block_idx(self) -> int:
        """Which block holds the gradients of this one; -1: none."""
        return next((block.idx for block in self.program.blocks if block.forward_block_idx == self.idx), -1)

    def _copy_param_info_from(self, other: Block) -> None:
        from paddle_compat.core.clone import take_parameters

        if not isinstance(other, Block):
            raise type_error("other", "a Block", other, "Block._copy_param_info_from")
        take_parameters(self, other.iter_parameters())

    def _set_forward_block_idx(self, idx: int) -> None:
        self.forward_block_idx = idx

    def to_string(self, throw_on_error: bool = False, with_details: bool = False) -> str:
        """Its description, as protobuf's text.

        Args:
            throw_on_error (bool): of no effect.
            with_details (bool): add what only Python knows of the variables.
        Returns:
            str.
        Raises:
            AssertionError: an argument is not a bool.

        Example:
            >>> import paddle_compat as paddle
            >>> print(paddle.static.Program().global_block().to_string(True))
            idx: 0
            parent_idx: -1
        """
        from paddle_compat.core.text import block_text, check_bools

        check_bools("Block", throw_on_error, with_details)
        return block_text(self, with_details)

    def _to_readable_code(self, skip_op_callstack: bool = True) -> str:
        """A line for each variable and operator, as Paddle 2.6 prints it."""
        backward = self.backward_block_idx
        where = f"block_idx:{self.idx}  parent_idx:{self.parent_idx}  forward_idx:{self.forward_block_idx}  backward_idx:{backward}"
        lines = [f"{{ // {where}"]
        lines += [f"    {v._to_readable_code()}" for v in self.vars.values()]
        lines += [""] + [f"    {op._to_readable_code(skip_op_callstack)}" for op in self.ops]
        return "\n".join(lines) + "\n}"

    def __repr__(self) -> str:
        return self.to_string(True) if self.program.age == 1 else self._to_readable_code()

    __str__ = __repr__


def _trace(type_: str, inputs: Any, outputs: Any, attrs: Any) -> None:
    from paddle_compat.core.by_slots import trace

    trace(type_, inputs, outputs, attrs)


# Runs an operator whose outputs are values, by type, slots and attributes; the eager mode of `paddle.fluid` puts its own in front.
run_now: Callable[[str, Any, Any, Any], Any] = _trace


def _value(name: str | None = None, shape: Any = None, dtype: Any = None, persistable: Any = None, **kwargs: Any) -> Tensor:
    """What `create_var` gives in eager mode."""
    sizes = [0] if shape is None or any(size < 0 for size in shape) else list(shape)
    made = torch.empty(sizes, dtype=torch_dtype("float32" if dtype is None else dtype))
    return Tensor(made, name or unique_name.generate("generated_tensor"), bool(persistable))


def _parameter(shape: Any, dtype: Any, initializer: Any = None, **kwargs: Any) -> Tensor:
    """What `create_parameter` gives in eager mode."""
    from paddle_compat.core.program import default_main_program

    made = EagerParamBase(shape=shape, dtype=dtype, **kwargs)
    if initializer is not None:
        with torch.no_grad():
            initializer(made, default_main_program().global_block())
    return made


# by a Program's age: what makes a value and a parameter in eager mode; the eager mode of `paddle.fluid` adds its own
makers: dict[int, tuple[Callable[..., Any], Callable[..., Any]]] = {2: (_value, _parameter)}


def _are_values(slots: Any) -> bool:
    """Whether these are values of eager mode, not Variables of a Program."""
    if mode._static:
        return False
    firsts = (v[0] if isinstance(v, (list, tuple)) and v else v for v in (slots or {}).values())
    return any(isinstance(first, Tensor) for first in firsts)


def _names(value: Any) -> list[str]:
    values = value if isinstance(value, (list, tuple)) else [value]
    try:
        return [v if isinstance(v, str) else v.decode() if isinstance(v, bytes) else capture.as_variable(v).name for v in values]
    except AttributeError:
        raise type_error("inputs or outputs", "Variables, names, or lists of them", value, "append_op") from None
