"""Program and Block: a recorded network, its operators and variables, as Paddle's classic Programs."""

from __future__ import annotations

import itertools
import struct
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from paddle_compat.core import guards, infer
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import missing_member, type_error
from paddle_compat.core.guards import device_guard, name_scope
from paddle_compat.core.op import find_op
from paddle_compat.core.operator import Operator, OpRole, check_call, input_slots, output_slots
from paddle_compat.core.variable import Parameter, Variable

_ids = itertools.count()


class Block:
    """A list of operators and the variables they name; sub-blocks are the bodies of control flow.

    Attributes:
        program: the Program.
        idx, parent_idx: position in `program.blocks`, and that of the enclosing block (-1 for the global one).
        vars: name -> Variable, in order of creation.
        ops: the operators, in order.
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
        """The variable of that name in this block; ValueError when there is none."""
        found = self.vars.get(name)
        if found is None:
            raise ValueError(
                f"var {name} is not in this block. It has: {', '.join(list(self.vars)[:20]) or 'no variables'}"
            )
        return found

    def has_var(self, name: str) -> bool:
        """Whether this block has a variable of that name."""
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
        """Whether this block or one around it has a variable of that name."""
        return self._find_var_recursive(name) is not None

    @property
    def parent(self) -> Block | None:
        """The enclosing block."""
        return self.program.blocks[self.parent_idx] if self.parent_idx >= 0 else None

    def create_var(self, **kwargs: Any) -> Variable:
        """Create a variable (see `Variable` for the arguments) and return it.

        Raises:
            ValueError: there is a variable of that name with another shape, type, data type or LoD level.
        """
        if kwargs.get("initializer") is not None:
            initializer = kwargs.pop("initializer")
            var = self.create_var(**kwargs)
            initializer(var, self)
            return var
        var = Variable(self, **kwargs)
        if var.name in self.vars:
            var._take_over(self.vars[var.name], kwargs)
        self.vars[var.name] = var
        self.program._touch()
        return var

    def create_parameter(self, *args: Any, **kwargs: Any) -> Parameter:
        """Create a parameter in the global block; its initializer's operator goes into this block."""
        home = self.program.global_block()
        initializer = kwargs.get("initializer")
        param = Parameter(home, *args, **kwargs)
        stops = param.stop_gradient or (self.program.age == 2 and not param.trainable)
        home.vars[param.name] = param
        self.program._touch()
        if initializer is not None:
            initializer(param, self)
        param._stop_gradient = stops  # the operator that fills it decides nothing
        return param

    def all_parameters(self) -> list[Parameter]:
        """The parameters in this block."""
        return list(self.iter_parameters())

    def iter_parameters(self) -> Iterator[Parameter]:
        """The parameters in this block, one by one."""
        return (v for v in self.vars.values() if isinstance(v, Parameter))

    def _clone_variable(self, var: Variable, force_persistable: bool = True) -> Variable:
        return self.create_var(
            name=var.name,
            shape=var.shape if var._shape_known else None,
            dtype=var.dtype,
            type=var.type,
            lod_level=var.lod_level,
            persistable=True if force_persistable else var.persistable,
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
        var.name = new_name
        for op in self.ops:
            op._rename_input(name, new_name)
            op._rename_output(name, new_name)
        return var

    # ---- operators
    def _make_op(
        self, type: Any, inputs: Any, outputs: Any, attrs: dict[str, Any] | None, stop_gradient: bool, metas: Any = None
    ) -> Operator:
        program = self.program
        if type is None:
            raise ValueError("Invalid value for argument `type` of `append_op`. Expected an operator's type. Received: None")
        if not isinstance(type, str):
            raise type_error("type", "an operator's type", type, "append_op")
        definition = find_op(type)
        given = {s: _names(v) for s, v in (inputs or {}).items()}
        outs = {s: _names(v) for s, v in (outputs or {}).items() if v is not None}
        merged = {**definition.defaults(program.age)} if definition else {}
        for key, value in (attrs or {}).items():
            if value is not None:
                # Paddle keeps floating attributes in single precision
                merged[key] = (
                    struct.unpack("f", struct.pack("f", value))[0]
                    if isinstance(value, float) and abs(value) < 3e38
                    else value
                )
        check_call(type, definition, given, outs, merged, program.age)
        merged.setdefault("op_role", program._op_role)
        if program._op_role_var:
            merged.setdefault("op_role_var", list(program._op_role_var))
        for name, mark in guards.marks().items():
            merged.setdefault(name, mark)
        # no inputs at all leave the slots out
        slots = {} if inputs is None else input_slots(definition, given, program.age)
        op = Operator(self, type, slots, output_slots(definition, outs), merged)
        stops = stop_gradient or (program.age > 1 and not merged["op_role"] & OpRole.Backward and self._inputs_stop(op))
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
        Raises:
            UnknownOperatorError: there is no such operator.
            AssertionError: an input is missing.
            ValueError: the type, an output or an attribute is missing.
            TypeError: the type is no string; an attribute is of another type (InvalidArgumentError in Programs of Paddle 1.x).
            InvalidArgumentError: the inputs do not fit the operator.
        """
        op = self._make_op(type, inputs, outputs, attrs, stop_gradient, kwargs.get("metas"))
        self.ops.append(op)
        return op

    def _prepend_op(
        self, type: str, inputs: Any = None, outputs: Any = None, attrs: dict[str, Any] | None = None, **kw: Any
    ) -> Operator:
        return self._insert_op(0, type, inputs, outputs, attrs, **kw)

    def _insert_op(
        self, index: int, type: str, inputs: Any = None, outputs: Any = None, attrs: dict[str, Any] | None = None, **kwargs: Any
    ) -> Operator:
        op = self._make_op(type, inputs, outputs, attrs, kwargs.get("stop_gradient", False))
        self.ops.insert(index, op)
        return op

    def _remove_op(self, index: int, sync: bool = True) -> None:
        del self.ops[index]
        self.program._touch()

    def _slice_ops(self, start: int, end: int) -> list[Operator]:
        return self.ops[start:end]

    def _sync_with_cpp(self) -> None:
        """Descriptions are views: nothing is to be taken over."""

    def _set_forward_block_idx(self, idx: int) -> None:
        self.forward_block_idx = idx

    def to_string(self, throw_on_error: bool = False, with_details: bool = False) -> str:
        """Its description, as protobuf's text; `with_details` adds what only Python knows of the variables."""
        from paddle_compat.core.text import block_text

        return block_text(self, with_details)

    def _to_readable_code(self, skip_op_callstack: bool = True) -> str:
        """A line for each variable and operator, as Paddle 2.6 prints it."""
        lines = [f"{{ // block_idx:{self.idx}  parent_idx:{self.parent_idx}  forward_idx:{self.forward_block_idx}  backward_idx:-1"]
        lines += [f"    {v._to_readable_code()}" for v in self.vars.values()]
        lines += [""] + [f"    {op._to_readable_code(skip_op_callstack)}" for op in self.ops]
        return "\n".join(lines) + "\n}"

    def __repr__(self) -> str:
        return self.to_string(True) if self.program.age == 1 else self._to_readable_code()

    __str__ = __repr__


class Program:
    """A recorded network. Block 0 is the whole; further blocks are bodies of control flow.

    Attributes:
        random_seed: seed of the random operators recorded from now on (0: none).
        age: 1 when `paddle.fluid` (1.8) wrote it, 2 for `paddle.static` (2.x); names and gradient slots follow it.

    Example:
        >>> import paddle_compat as paddle
        >>> program = paddle.static.Program()
        >>> program.num_blocks
        1

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self) -> None:
        self.id = next(_ids)
        self.age = 2
        self.blocks = [Block(self, 0)]
        self.current_block_idx = 0
        self._seed = 0
        self._version = 0
        self._file_version: int | None = None  # which Paddle a file is to name, where `_set_version` said it
        self._given: Program | None = None  # what `desc` was set to, until `_sync_with_cpp`
        self._gradient_calls = 0  # how often `append_backward` or `gradients` wrote to it
        self._op_role = OpRole.Forward
        self._op_role_var: list[str] = []
        self._is_distributed = False
        self._is_test = False
        self._parameters_on_pservers = None
        self._endpoints: list[str] = []
        self._lowered: dict[Any, Any] = {}  # engine.executor keeps what it made of this program here

    def _touch(self) -> None:
        self._version += 1

    @property
    def random_seed(self) -> int:
        """The seed of random operators, 0 for none."""
        return self._seed

    @random_seed.setter
    def random_seed(self, seed: int) -> None:
        if not isinstance(seed, int):
            raise ValueError(f"Invalid value for argument `random_seed`. Expected an int. Received: {seed!r}")
        self._seed = seed
        self._touch()

    def global_seed(self, seed: int = 0) -> None:
        """Set the seed that random operators of all programs made from now on take (Paddle 2.x)."""
        self.random_seed = seed

    @property
    def num_blocks(self) -> int:
        """How many blocks there are."""
        return len(self.blocks)

    def global_block(self) -> Block:
        """Block 0."""
        return self.blocks[0]

    def block(self, index: int) -> Block:
        """The block of that index."""
        return self.blocks[index]

    def current_block(self) -> Block:
        """The block that operators are appended to."""
        return self.blocks[self.current_block_idx]

    def _create_block(self, parent_idx: int | None = None) -> Block:
        block = Block(self, len(self.blocks), self.current_block_idx if parent_idx is None else parent_idx)
        self.blocks.append(block)
        self.current_block_idx = block.idx
        return block

    def _rollback(self) -> None:
        self.current_block_idx = self.current_block().parent_idx

    def list_vars(self) -> Iterator[Variable]:
        """All variables of all blocks."""
        return (v for block in self.blocks for v in block.vars.values())

    def all_parameters(self) -> list[Parameter]:
        """The parameters of all blocks."""
        return [p for block in self.blocks for p in block.iter_parameters()]

    # ---- guards that put roles on the operators recorded inside
    @contextmanager
    def _role(self, role: int, role_var: list[Any] | None = None) -> Iterator[None]:
        former = self._op_role, self._op_role_var
        self._op_role = role
        if role_var is not None:
            self._op_role_var = [v if isinstance(v, str) else v.name for v in role_var]
        try:
            yield
        finally:
            self._op_role, self._op_role_var = former

    def _optimized_guard(self, param_and_grads: list[Any]) -> Any:
        return self._role(OpRole.Optimize, param_and_grads)

    def _backward_role_guard(self) -> Any:
        return self._role(OpRole.Backward)

    def _lr_schedule_guard(self, is_with_opt: bool = False) -> Any:
        return self._role(OpRole.LRSched | (OpRole.Optimize if is_with_opt else 0), [])

    # ---- copies
    def clone(self, for_test: bool = False) -> Program:
        """A copy; `for_test=True` leaves out backward and update, and puts operators into inference mode.

        Returns:
            A new Program with variables and operators of the same names; parameters are shared through the Scope.
        """
        from paddle_compat.core.clone import clone_program

        return clone_program(self, for_test)

    def _prune(self, targets: Any) -> Program:
        from paddle_compat.core.clone import prune_program

        return prune_program(self, [], targets)

    def _prune_with_input(self, feeded_var_names: list[str], targets: Any) -> Program:
        from paddle_compat.core.clone import prune_program

        return prune_program(self, feeded_var_names, targets)

    def _inference_optimize(self, prune_read_op: bool = True) -> Program:
        from paddle_compat.core.clone import inference_optimize

        return inference_optimize(self)

    def to_fx(self, feed: Any = (), fetch_list: Any = (), scope: Any = None) -> Any:
        """The torch.fx.GraphModule that running this Program replays.

        Args:
            feed: names (or a dict) of the variables to be fed.
            fetch_list: Variables or names to be returned.
            scope: where persistable variables are looked up; default: the global scope.
        Returns:
            A GraphModule; `print(gm.code)` reads like the network, one node per operator, named after its output.
        """
        from importlib import import_module

        return import_module("paddle_compat.engine.executor").to_fx(self, feed, fetch_list, scope)

    # ---- files
    def state_dict(self, mode: str = "all", scope: Any = None) -> dict[str, Any]:
        """The values of the parameters ("param"), of what an optimizer keeps ("opt") or of both in a scope."""
        from paddle_compat.core.program_state import state_dict

        return state_dict(self, mode, scope)

    def set_state_dict(self, state_dict: dict[str, Any], scope: Any = None) -> None:
        """Set the values in a scope of the variables that a state dict names; what does not fit is passed over with a warning."""
        from paddle_compat.core.program_state import set_state_dict

        set_state_dict(self, state_dict, scope)

    @property
    def desc(self) -> Any:
        """The Program as Paddle's C++ description has it (a view with `serialize_to_string`, `block`)."""
        from paddle_compat.core.descs import ProgramDesc

        return ProgramDesc(self._given or self)

    @desc.setter
    def desc(self, desc: Any) -> None:
        self._given = desc._program

    def _sync_with_cpp(self) -> None:
        """Take over the blocks of the description that `desc` was set to; a view needs nothing more."""
        if self._given is not None:
            given, self._given = self._given, None
            self._take_blocks(given)

    def _take_blocks(self, other: Program) -> None:
        """Become what a copy of another Program is."""
        self.blocks, self.age = other.clone().blocks, other.age
        for block in self.blocks:
            block.program = self
        self._touch()

    @staticmethod
    def parse_from_string(binary_str: bytes) -> Program:
        """The Program in the bytes of a `__model__` or `.pdmodel` file."""
        from paddle_compat.core.serialize import program_from_bytes

        return program_from_bytes(binary_str)

    def to_string(self, throw_on_error: bool = True, with_details: bool = False) -> str:
        """Its description, as protobuf's text; `with_details` adds what only Python knows of the variables."""
        from paddle_compat.core.text import program_text

        return program_text(self, with_details)

    def _to_readable_code(self, skip_op_callstack: bool = True) -> str:
        return "\n".join(b._to_readable_code(skip_op_callstack) for b in self.blocks) + "\n"

    def __repr__(self) -> str:
        return self.to_string(True) if self.age == 1 else self._to_readable_code()

    __str__ = __repr__

    if not TYPE_CHECKING:  # the type checker is to see what is missing
        __getattr__ = missing_member("paddle.static.Program")


def _names(value: Any) -> list[str]:
    values = value if isinstance(value, (list, tuple)) else [value]
    return [v if isinstance(v, str) else v.decode() if isinstance(v, bytes) else v.name for v in values]


# ---- the default programs
_main_program = Program()
_startup_program = Program()


def default_main_program() -> Program:
    """The Program that operators are recorded into.

    Example:
        >>> import paddle_compat as paddle
        >>> len(paddle.static.default_main_program().global_block().ops) >= 0
        True

    Follows Paddle 1.8 and 2.6.
    """
    return _main_program


def default_startup_program() -> Program:
    """The Program that parameter initialisation is recorded into.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.static.default_startup_program().num_blocks
        1

    Follows Paddle 1.8 and 2.6.
    """
    return _startup_program


def switch_main_program(program: Program) -> Program:
    """Make a Program the default main one; returns the former."""
    global _main_program
    former, _main_program = _main_program, program
    return former


def switch_startup_program(program: Program) -> Program:
    """Make a Program the default startup one; returns the former."""
    global _startup_program
    former, _startup_program = _startup_program, program
    return former


@contextmanager
def program_guard(main_program: Program, startup_program: Program | None = None) -> Iterator[None]:
    """Record into these Programs inside the block.

    Args:
        main_program: takes the operators and variables.
        startup_program: takes the parameters' initialisation; None keeps the current one.
    Raises:
        TypeError: an argument is no Program.

    Example:
        >>> import paddle_compat as paddle
        >>> main = paddle.static.Program()
        >>> with paddle.static.program_guard(main):
        ...     paddle.static.default_main_program() is main
        True

    Follows Paddle 1.8 and 2.6.
    """
    for name, program in (("main_program", main_program), ("startup_program", startup_program)):
        if not isinstance(program, Program) and (program is not None or name == "main_program"):
            raise TypeError(
                f"Invalid type for argument `{name}` of `program_guard`. Expected Program. Received: {type(program).__name__}"
            )
    former_main = switch_main_program(main_program)
    former_startup = switch_startup_program(startup_program) if startup_program is not None else None
    try:
        yield
    finally:
        switch_main_program(former_main)
        if former_startup is not None:
            switch_startup_program(former_startup)


__all__ = [
    "Block", "OpRole", "Operator", "Parameter", "Program", "VarType", "Variable", "default_main_program",
    "default_startup_program", "device_guard", "name_scope", "program_guard",
]  # fmt: skip
