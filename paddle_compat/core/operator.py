"""Operator: one call of an operator inside a Block."""

from __future__ import annotations

import linecache
from typing import TYPE_CHECKING, Any

from paddle_compat.core._kernel_attributes import kernel_choices, unlisted
from paddle_compat.core.attribute_variables import variables_of
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import InvalidArgumentError, NotFoundError, UnknownOperatorError, WrongPlaceError, caller_frames
from paddle_compat.core.op import Op, find_op
from paddle_compat.core.proto import AttrType

if TYPE_CHECKING:
    from paddle_compat.core.program import Block, Program

Call = tuple[str, int, str]  # file, line and function
GRAD_SUFFIX = "@GRAD"
# Types that move data between a Program and its caller; the executor does that.
PLUMBING = frozenset({"feed", "fetch", "read", "create_py_reader", "create_double_buffer_reader"})
EMPTY_VAR = "@EMPTY@"


class OpRole:
    """What part of a training program an operator belongs to (`op_role`).

    Example:
        >>> from paddle_compat.base.framework import OpRole
        >>> OpRole.Forward, OpRole.Backward, OpRole.Optimize, OpRole.LRSched, OpRole.Loss
        (0, 1, 2, 16, 256)

    Follows Paddle 1.8 and 2.6.
    """

    Forward = 0
    Backward = 1
    Optimize = 2
    RPC = 4
    Dist = 8
    LRSched = 16
    Loss = 256
    NotSpecified = 4096


# operators that the wheels' executors have code of their own for
_WITHOUT_KERNEL = frozenset({
    "c_comm_init", "c_gen_nccl_id", "c_sync_calc_stream", "c_sync_comm_stream", "checkpoint_notify", "conditional_block", "feed", "fetch",
    "fl_listen_and_serv", "gen_nccl_id", "go", "listen_and_serv", "ncclInit", "recurrent", "recv", "rnn_memory_helper_grad", "select",
    "send", "while",
})  # fmt: skip
# attributes that every operator has, beside its own
GENERIC_ATTRS = ("op_role", "op_role_var", "op_namescope", "op_callstack", "op_device")


class Operator:
    """One operator of a Block: its type, the variable names in its slots, its attributes.

    Attributes:
        type: the operator's type, as Paddle's.
        inputs, outputs: slot name -> list of variable names.
        attrs: attribute name -> value; sub-blocks are Block objects.
        forward: for a gradient operator that `append_backward` wrote, the operator it differentiates.

    Args:
        block (Block): where it stands.
        type (str): the operator's type.
        inputs, outputs (dict): slot name -> list of variable names.
        attrs (dict): attribute name -> value.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> block = paddle.static.Program().global_block()
        >>> x, y = (block.create_var(name=name, shape=[2], dtype="float32") for name in "xy")
        >>> op = block.append_op(type="scale", inputs={"X": x}, outputs={"Out": y}, attrs={"scale": 2.0})
        >>> op.type, op.input("X"), op.output("Out"), op.attr("scale"), op.has_attr("axis")
        ('scale', ['x'], ['y'], 2.0, False)
        >>> op.attr_type("scale").name, sorted(name for name in op.all_attrs() if not name.startswith("op_"))
        ('FLOAT', ['bias', 'bias_after_scale', 'scale', 'with_quant_attr'])
        >>> op.set_input("X", ["y"]); op.set_output("Out", ["x"]); op.input_arg_names, op.output_arg_names
        (['y'], ['x'])
        >>> op.to_string(True).splitlines()[0]
        'type: "scale"'

    Follows Paddle 1.8 and 2.6.
    """

    __slots__ = ("block", "type", "inputs", "outputs", "attrs", "forward", "_calls", "_listed", "__weakref__")
    OP_WITHOUT_KERNEL_SET = _WITHOUT_KERNEL

    def __init__(
        self,
        block: Block,
        type: str,
        inputs: dict[str, list[str]],
        outputs: dict[str, list[str]],
        attrs: dict[str, Any],
    ) -> None:
        self.block = block
        self.type = type
        self.inputs = inputs
        self.outputs = outputs
        self.attrs = attrs
        self.forward: Operator | None = None
        self._listed: frozenset[str] | None = None  # the only attributes that it has, where no layer's call wrote it
        self._calls: tuple[Call, ...] = tuple((f.f_code.co_filename, f.f_lineno, f.f_code.co_name) for f in caller_frames())

    @property
    def definition(self) -> Op | None:
        """The operator's one definition, None for gradient operators and unknown types."""
        return find_op(self.type)

    @property
    def _where(self) -> Call:
        """File, line and function of the user's call that wrote this operator."""
        return self._calls[0] if self._calls else ("<unknown>", 0, "")

    @property
    def where(self) -> str:
        """`file:line` of the user's call that wrote this operator."""
        return f"{self._where[0]}:{self._where[1]}"

    @property
    def program(self) -> Program:
        """The Program it belongs to."""
        return self.block.program

    # ---- slots
    def input(self, name: str) -> list[str]:
        """Variable names in an input slot.

        Args:
            name (str): the slot.
        Returns:
            List of names.
        Raises:
            NotFoundError: there is no such slot.
        """
        return _slot(self.inputs, name, self.type, "input")

    def output(self, name: str) -> list[str]:
        """Variable names in an output slot.

        Args:
            name (str): the slot.
        Returns:
            List of names.
        Raises:
            NotFoundError: there is no such slot.
        """
        return _slot(self.outputs, name, self.type, "output")

    @property
    def input_names(self) -> list[str]:
        """Input slots."""
        return sorted(self.inputs)

    @property
    def output_names(self) -> list[str]:
        """Output slots."""
        return sorted(self.outputs)

    @property
    def input_arg_names(self) -> list[str]:
        """Names of all variables read."""
        return [n for slot in sorted(self.inputs) for n in self.inputs[slot]]

    @property
    def output_arg_names(self) -> list[str]:
        """Names of all variables written."""
        return [n for slot in sorted(self.outputs) for n in self.outputs[slot]]

    def set_input(self, name: str, args: list[str]) -> None:
        """Put variable names into an input slot.

        Args:
            name (str): the slot.
            args (list): names of variables.
        """
        self.inputs[name] = list(args)
        self.block.program._touch()

    def set_output(self, name: str, args: list[str]) -> None:
        """Put variable names into an output slot.

        Args:
            name (str): the slot.
            args (list): names of variables.
        """
        self.outputs[name] = list(args)
        self.block.program._touch()

    def _rename_input(self, old_name: str, new_name: str) -> None:
        rename(self.inputs, old_name, new_name)
        self.block.program._touch()

    def _rename_output(self, old_name: str, new_name: str) -> None:
        rename(self.outputs, old_name, new_name)
        self.block.program._touch()

    def _rename_everywhere(self, old_name: str, new_name: str) -> None:
        """A variable has another name now; a backward pass that has it is the same one."""
        self._rename_input(old_name, new_name)
        self._rename_output(old_name, new_name)

        def renamed(name: str) -> str:
            return new_name if name == old_name else name

        if "_written" in self.attrs:
            self.attrs["_written"] = tuple(tuple(map(renamed, names)) for names in self.attrs["_written"])
        if "_grads" in self.attrs:
            self.attrs["_grads"] = {renamed(grad): renamed(name) for grad, name in self.attrs["_grads"].items()}
        if "_zeros" in self.attrs:
            self.attrs["_zeros"] = type(self.attrs["_zeros"])(map(renamed, self.attrs["_zeros"]))

    # ---- attributes
    def has_attr(self, name: str) -> bool:
        """Whether the operator has an attribute of that name.

        Args:
            name (str): an attribute's name.
        Returns:
            bool.
        """
        if variables_of(self.attrs.get(name)):
            return False
        return name in self.attr_names or name in self._unlisted

    def attr(self, name: str) -> Any:
        """The attribute's value.

        Args:
            name (str): the attribute's name.
        Returns:
            A number, a string, a bool or a list of them; a BlockDesc, whose `id` is the index of a sub-block, or a list of them.
        Raises:
            NotFoundError: there is no such attribute.
        """
        if name == "op_callstack":
            return self._call_stack()
        if name not in self.attrs:
            unwritten = {**self._unlisted, **self._unwritten}
            if name in unwritten:
                return unwritten[name]
            raise NotFoundError(
                f"Operator `{self.type}` has no attribute `{name}`. It has: {', '.join(self.attr_names)}"
            )
        value = self.attrs[name]
        if variables_of(value):
            raise NotFoundError(f"Operator `{self.type}` has no constant attribute `{name}`: {_variables_text(value)} gives it in each run")
        if isinstance(value, tuple):  # an empty list among the defaults
            return list(value)
        if isinstance(value, VarType):
            return int(value)
        if type(value) is int and self.attr_type(name) is AttrType.FLOAT:  # kept as it was given: what is whole is computed exactly
            return float(value)
        if _is_blocks(value):
            return [block.desc for block in value] if isinstance(value, list) else value.desc
        return value

    def _call_stack(self) -> list[str]:
        """The user's calls that wrote the operator, as Paddle lists them: from its own outwards in 1.8, the other way round later."""
        lines = [(f'  File "{file}", line {line}, in {name}', linecache.getline(file, line).strip()) for file, line, name in self._calls]
        if self.program.age == 1:
            return [f"{place}\n    {source}\n" if source else f"{place}\n" for place, source in lines]
        return [text for place, source in reversed(lines) for text in (place, f"    {source}")]

    def attr_type(self, name: str) -> Any:
        """As which kind files store the attribute, one of `core.AttrType`.

        Args:
            name (str): the attribute's name.
        Returns:
            AttrType.
        """
        from paddle_compat.core.attributes import attr_kind

        generic = {"op_role": AttrType.INT, "op_role_var": AttrType.STRINGS, "op_callstack": AttrType.STRINGS}
        generic |= {"op_namescope": AttrType.STRING, "op_device": AttrType.STRING, "with_quant_attr": AttrType.BOOLEAN}
        known = self.attrs.get("_kinds", {}).get(name)
        if known is not None or name in generic:
            return generic[name] if known is None else known
        value = self.attrs.get(name)
        return attr_kind(self.type, name, self.attr(name) if value is None else value, self.program.age)

    @property
    def _unlisted(self) -> dict[str, Any]:
        """The attributes that it answers for without listing them, and what they are unless somebody wrote them."""
        known = unlisted(self.type, self.program.age)
        if self._listed is not None:
            return {n: v for n, v in known.items() if n in self.attrs}
        removed = self.attrs.get("_removed")
        return {n: v for n, v in known.items() if n not in removed} if removed else known

    @property
    def _unwritten(self) -> dict[str, Any]:
        """What the attributes are that the wheels write onto every operator, and that nobody wrote onto this one."""
        age = self.program.age
        choices = {} if self._listed is not None else kernel_choices(self.type, age)
        generic = {"op_role": OpRole.Forward, "op_role_var": [], "op_namescope": "/", "op_callstack": [], "op_device": ""}
        unquantized = {"with_quant_attr": False} if age == 2 and (self._listed is None or "with_quant_attr" in self._listed) else {}
        return {**choices, **generic, **unquantized}

    @property
    def idx(self) -> int:
        """Its place in its block."""
        return self.block.ops.index(self)

    @property
    def attr_names(self) -> list[str]:
        """Names of all attributes that the Paddle of the Program's age writes onto such an operator."""
        from paddle_compat.core.attributes import is_written

        age = self.program.age
        own = {n for n in self.attrs if not n.startswith("_") and is_written(self.type, n, age)}
        removed = self.attrs.get("_removed", frozenset())
        if self._listed is not None:
            return sorted((own | self._unwritten.keys()) & self._listed - removed)
        return sorted(((own - self._unlisted.keys()) | self._unwritten.keys()) - removed)

    def all_attrs(self) -> dict[str, Any]:
        """All attributes with their values.

        Returns:
            dict: name -> value; a sub-block is a Block.
        """
        given = {n: v for n, v in self.attrs.items() if variables_of(v) or _is_blocks(v)}
        return {name: given[name] if name in given else self.attr(name) for name in self.attr_names}

    def _has_kernel(self, op_type: str) -> bool:
        return op_type not in self.OP_WITHOUT_KERNEL_SET

    def _is_optimize_op(self) -> bool:
        return bool(self.role & OpRole.Optimize)

    def _set_attr(self, name: str, val: Any) -> None:
        self.attrs[name] = val
        if self._listed is not None:
            self._listed |= {name}
        if "_removed" in self.attrs:
            self.attrs["_removed"] -= {name}
        self.block.program._touch()

    _update_desc_attr = _set_attr

    def _remove_attr(self, name: str) -> None:
        self.attrs.pop(name, None)
        if self.has_attr(name):  # as all operators have it
            self.attrs["_removed"] = self.attrs.get("_removed", frozenset()) | {name}
        self.block.program._touch()

    def _block_attr(self, name: str) -> Block:
        return self.attrs[name]

    def _block_attr_id(self, name: str) -> int:
        return self._block_attr(name).idx

    def _blocks_attr(self, name: str) -> list[Block]:
        return list(self.attrs[name])

    def _blocks_attr_ids(self, name: str) -> list[int]:
        return [block.idx for block in self._blocks_attr(name)]

    @property
    def role(self) -> int:
        """`op_role`."""
        return self.attrs.get("op_role", OpRole.Forward)

    @property
    def desc(self) -> Any:
        """The operator as Paddle's C++ description has it (a view)."""
        from paddle_compat.core.descs import OpDesc

        return OpDesc(self)

    def to_string(self, throw_on_error: bool = False) -> str:
        """Its description, as protobuf's text.

        Args:
            throw_on_error (bool): of no effect.
        Returns:
            str.
        """
        from paddle_compat.core.text import operator_text

        return operator_text(self)

    def _to_readable_code(self, skip_op_callstack: bool = True) -> str:
        """One line, as Paddle 2.6 prints it."""
        outputs = ", ".join(f"{s}={self.outputs[s]}" for s in sorted(self.outputs))
        inputs = ", ".join(f"{s}={self.inputs[s]}" for s in sorted(self.inputs))
        attrs = []
        for name in self.attr_names:
            if name in ("op_callstack",) and skip_op_callstack:
                continue
            value: Any = self.attrs.get(name)
            if variables_of(value):
                attrs.append(f"{name} = {_variables_text(value)}")
            else:
                attrs.append(f"{name} = block[{value.idx}]" if hasattr(value, "parent_idx") else f"{name} = {self.attr(name)}")
        return f"{{{outputs}}} = {self.type}(inputs={{{inputs}}}, {', '.join(attrs)})"

    def __repr__(self) -> str:
        return self.to_string(True) if self.block.program.age == 1 else self._to_readable_code()

    __str__ = __repr__


def input_slots(definition: Op | None, given: dict[str, list[str]], age: int) -> dict[str, list[str]]:
    """Input slots as Paddle writes them: every slot of the operator's schema, the absent ones empty, and no others."""
    if definition is None:
        return given
    return {s.name: given.get(s.name, []) for s in definition.inputs if s.age in (0, age) or given.get(s.name)}


def output_slots(definition: Op | None, given: dict[str, list[str]]) -> dict[str, list[str]]:
    """Those output slots that are the operator's: Paddle passes over others."""
    known = None if definition is None else {s.name for s in definition.outputs}
    return {n: v for n, v in given.items() if known is None or n in known}


def check_call(
    type_: str, definition: Op | None, inputs: dict[str, Any], outputs: dict[str, Any], attrs: dict[str, Any], age: int
) -> None:
    """Refuse a call that misses slots or attributes with Paddle's exceptions, and make its attributes what Paddle stores."""
    from paddle_compat.core.attribute_values import fit_attributes
    from paddle_compat.core.op_protos import slots_in_age

    if definition is None:
        if type_.endswith(("_grad", "_grad2")) or type_ in PLUMBING:
            return
        from paddle_compat.core.op_protos import all_protos

        if all(proto.type != type_ for proto in all_protos(age)):
            raise ValueError(f'Operator "{type_}" has not been registered.')
        raise UnknownOperatorError(type_)
    reads, writes = slots_in_age(type_, age)
    for slot in reads:
        if not slot.optional and slot.age in (0, age) and slot.name not in inputs:
            raise AssertionError(f"Input {slot.name} not found. Operator `{type_}` needs it. Received: {sorted(inputs)}")
        if not (slot.optional or slot.is_list) and slot.age in (0, age) and not inputs[slot.name]:
            raise WrongPlaceError(f"Input {slot.name} of operator `{type_}` should not be null. Expected a variable. Received: none")
        if not slot.is_list and len(inputs.get(slot.name, ())) > 1:
            raise ValueError(f"Input {slot.name} expects only one input, but {len(inputs[slot.name])} are given.")
    for slot in writes:
        if not slot.optional and slot.age in (0, age) and slot.name not in outputs:
            raise ValueError(
                f'Incorrect setting for output(s) of operator "{type_}". Expected `{slot.name}` among them. Received: {sorted(outputs)}'
            )
        if not slot.is_list and len(outputs.get(slot.name, ())) > 1:
            raise ValueError(f"Output {slot.name} expects only one output, but {len(outputs[slot.name])} are given.")
    for name in definition.required:
        if name not in attrs:
            own = sorted(a for a in attrs if not a.startswith("_"))
            raise InvalidArgumentError(f"Operator `{type_}` needs attribute `{name}`. Received: {own}")
    fit_attributes(definition, attrs, age)


def _slot(slots: dict[str, list[str]], name: str, type_: str, kind: str) -> list[str]:
    if name not in slots:
        raise NotFoundError(
            f"Operator `{type_}` has no {kind} slot `{name}`. It has: {', '.join(sorted(slots)) or 'none'}"
        )
    return list(slots[name])


def _variables_text(value: Any) -> str:
    """The Variables that give an attribute, as Paddle prints them."""
    names = ",".join(f"'{var.name}'" for var in variables_of(value))
    return f"Vars[{names}]" if isinstance(value, list) else f"Var[{names}]"


def _is_blocks(value: Any) -> bool:
    """Whether an attribute's value is a sub-block or a list of them."""
    if isinstance(value, list):
        return bool(value) and hasattr(value[0], "parent_idx")
    return hasattr(value, "parent_idx")


def rename(slots: dict[str, list[str]], old: str, new: str) -> None:
    """Replace a name in slots."""
    for slot, names in slots.items():
        slots[slot] = [new if n == old else n for n in names]
