"""Views of operators, variables and Programs with the method names of Paddle's C++ descriptions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from paddle_compat.core.dtype import DTypeLike, VarType, convert_dtype, torch_dtype
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.operator import EMPTY_VAR, GRAD_SUFFIX, Operator
from paddle_compat.core.proto import AttrType, encode
from paddle_compat.core.variable import Variable


class OpDesc:
    """A view of an Operator with the method names of Paddle's C++ OpDesc."""

    def __init__(self, op: Any) -> None:
        self._op = op
        self.input, self.output, self.set_input, self.set_output = op.input, op.output, op.set_input, op.set_output
        self._rename_input, self._rename_output, self.remove_attr = op._rename_input, op._rename_output, op._remove_attr

    def type(self) -> str:
        """The operator's type."""
        return self._op.type

    def remove_input(self, name: str) -> None:
        """Forget an input slot."""
        self._op.inputs.pop(name, None)
        self._op.program._touch()

    def remove_output(self, name: str) -> None:
        """Forget an output slot."""
        self._op.outputs.pop(name, None)
        self._op.program._touch()

    def attr(self, name: str, with_attr_var: bool = False) -> Any:
        """The attribute's value: a sub-block as its index, a variable as its description."""
        value = self._op.attr(name)
        return VarDesc(value) if isinstance(value, Variable) else value

    def has_attr(self, name: str, with_attr_var: bool = False) -> bool:
        """Whether the operator has an attribute of that name."""
        return self._op.has_attr(name)

    def get_attr_map(self) -> dict[str, Any]:
        """All attributes with their values."""
        return self._op.all_attrs()

    def _set_attr(self, name: str, value: Any) -> None:
        kinds = self._op.attrs.get("_kinds")
        if kinds:
            kinds.pop(name, None)
        self._op._set_attr(name, value)

    def _set_typed(self, kind: AttrType, name: str, value: Any) -> None:
        """Set an attribute and say as which kind files store it."""
        self._op.attrs["_kinds"] = {**self._op.attrs.get("_kinds", {}), name: kind}
        self._op._set_attr(name, value)

    def _set_bool_attr(self, name: str, value: bool) -> None:
        self._set_typed(AttrType.BOOLEAN, name, bool(value))

    def _set_bools_attr(self, name: str, value: list[bool]) -> None:
        self._set_typed(AttrType.BOOLEANS, name, list(map(bool, value)))

    def _set_int32_attr(self, name: str, value: int) -> None:
        self._set_typed(AttrType.INT, name, int(value))

    def _set_int32s_attr(self, name: str, value: list[int]) -> None:
        self._set_typed(AttrType.INTS, name, list(map(int, value)))

    def _set_int64_attr(self, name: str, value: int) -> None:
        self._set_typed(AttrType.LONG, name, int(value))

    def _set_int64s_attr(self, name: str, value: list[int]) -> None:
        self._set_typed(AttrType.LONGS, name, list(map(int, value)))

    def _set_float32_attr(self, name: str, value: float) -> None:
        self._set_typed(AttrType.FLOAT, name, float(value))

    def _set_float32s_attr(self, name: str, value: list[float]) -> None:
        self._set_typed(AttrType.FLOATS, name, list(map(float, value)))

    def _set_float64_attr(self, name: str, value: float) -> None:
        self._set_typed(AttrType.FLOAT64, name, float(value))

    def _set_float64s_attr(self, name: str, value: list[float]) -> None:
        self._set_typed(AttrType.FLOAT64S, name, list(map(float, value)))

    def _set_str_attr(self, name: str, value: str) -> None:
        self._set_typed(AttrType.STRING, name, str(value))

    def _set_strs_attr(self, name: str, value: list[str]) -> None:
        self._set_typed(AttrType.STRINGS, name, list(map(str, value)))

    def set_block_attr(self, name: str, block: BlockDesc) -> None:
        """Set an attribute to a block."""
        self._set_attr(name, block._block)

    def set_blocks_attr(self, name: str, blocks: list[BlockDesc]) -> None:
        """Set an attribute to blocks."""
        self._set_attr(name, [block._block for block in blocks])

    def set_var_attr(self, name: str, var: VarDesc) -> None:
        """Set an attribute to what a variable will hold."""
        self._set_attr(name, var._v())

    def set_vars_attr(self, name: str, variables: list[VarDesc]) -> None:
        """Set an attribute to what variables will hold."""
        self._set_attr(name, [var._v() for var in variables])

    def _block_attr_id(self, name: str) -> int:
        return self._op.attrs[name].idx

    def _blocks_attr_ids(self, name: str) -> list[int]:
        return [block.idx for block in self._op.attrs[name]]

    def set_is_target(self, is_target: bool) -> None:
        """Mark what a pruning is to keep; `core.prune` is told that in its own arguments."""

    def serialize_to_string(self) -> bytes:
        """The operator as files hold it."""
        from paddle_compat.core import serialize

        return encode(serialize.op_desc(self._op), "OpDesc")

    def copy_from(self, other: OpDesc) -> None:
        """Become like another operator."""
        own, its = self._op, other._op
        own.type, own.forward, own.attrs = its.type, its.forward, dict(its.attrs)
        own.inputs, own.outputs = ({s: list(names) for s, names in slots.items()} for slots in (its.inputs, its.outputs))
        own.program._touch()

    def infer_shape(self, block: Any) -> None:
        """Infer the outputs' shapes, as appending the operator did already; a gradient has its variable's."""
        definition = self._op.definition
        if self._op.forward is not None:
            _set_gradients(self._op)
        if definition is not None:
            from paddle_compat.core import infer

            infer.set_outputs(self._op, definition)

    def infer_var_type(self, block: Any) -> None:
        """Infer the outputs' kinds: appending the operator did that."""

    def check_attrs(self) -> None:
        """Check the attributes: appending the operator did that."""

    def set_type(self, type: str) -> None:
        """Change the operator's type."""
        self._op.type = type
        self._op.program._touch()

    def input_names(self) -> list[str]:
        """Input slots."""
        return self._op.input_names

    def output_names(self) -> list[str]:
        """Output slots."""
        return self._op.output_names

    def input_arg_names(self) -> list[str]:
        """Names of all variables read."""
        return self._op.input_arg_names

    def output_arg_names(self) -> list[str]:
        """Names of all variables written."""
        return self._op.output_arg_names

    def attr_names(self, with_attr_var: bool = False) -> list[str]:
        """Names of all attributes."""
        return self._op.attr_names

    def attr_type(self, name: str, with_attr_var: bool = False) -> Any:
        """As which kind files store the attribute, one of `core.AttrType`."""
        return self._op.attr_type(name)

    def inputs(self) -> dict[str, list[str]]:
        """Input slots with the names in them."""
        return {name: self.input(name) for name in self._op.input_names}

    def outputs(self) -> dict[str, list[str]]:
        """Output slots with the names in them."""
        return {name: self.output(name) for name in self._op.output_names}

    def block(self) -> Any:
        """The block it stands in."""
        return BlockDesc(self._op.block)


class VarDesc:
    """A view of a Variable with the method names of Paddle's C++ VarDesc."""

    VarType = VarType

    def __init__(self, var: Any = "") -> None:
        self._var = var if isinstance(var, Variable) else _variable_of(var)

    def _v(self) -> Any:
        return self._var

    def name(self) -> str:
        """The variable's name."""
        return self._var.name

    def serialize_to_string(self) -> bytes:
        """The variable as files hold it."""
        from paddle_compat.core import serialize

        return encode(serialize.var_desc(self._var), "VarDesc")

    def element_size(self) -> int:
        """Bytes of one element."""
        return torch_dtype(self._var.dtype).itemsize

    # ---- what a reader hands out
    def _parts(self) -> dict[str, list[Any]]:
        return self._var.__dict__.setdefault("_reader_parts", {"shapes": [], "dtypes": [], "lod_levels": []})

    def shapes(self) -> list[list[int]]:
        """The shapes that a reader's values have."""
        return list(self._parts()["shapes"])

    def set_shapes(self, shapes: list[list[int]]) -> None:
        """Change the shapes that a reader's values have."""
        self._parts()["shapes"] = [list(map(int, shape)) for shape in shapes]

    def dtypes(self) -> list[Any]:
        """The data types that a reader's values have."""
        return list(self._parts()["dtypes"])

    def set_dtypes(self, dtypes: list[DTypeLike]) -> None:
        """Change the data types that a reader's values have."""
        self._parts()["dtypes"] = [convert_dtype(dtype) for dtype in dtypes]

    def lod_levels(self) -> list[int]:
        """The numbers of sequence levels that a reader's values have."""
        return list(self._parts()["lod_levels"])

    def set_lod_levels(self, lod_levels: list[int]) -> None:
        """Change the numbers of sequence levels that a reader's values have."""
        self._parts()["lod_levels"] = list(map(int, lod_levels))

    # ---- attributes, which only tools read
    def _attrs(self) -> dict[str, Any]:
        return self._var.__dict__.setdefault("_desc_attrs", {})

    def attr(self, name: str) -> Any:
        """The value of an attribute."""
        return self._attrs()[name]

    def attr_names(self) -> list[str]:
        """Names of all attributes."""
        return list(self._attrs())

    def has_attr(self, name: str) -> bool:
        """Whether there is an attribute of that name."""
        return name in self._attrs()

    def remove_attr(self, name: str) -> None:
        """Forget an attribute."""
        self._attrs().pop(name, None)

    def _set_attr(self, name: str, value: Any) -> None:
        self._attrs()[name] = value

    def set_name(self, name: str) -> None:
        """Change the name."""
        self._v().name = name

    def shape(self) -> list[int]:
        """The dimensions."""
        return list(self._v().shape)

    get_shape = shape

    def set_shape(self, shape: Any) -> None:
        """Change the dimensions."""
        self._v().shape = tuple(shape)

    def dtype(self) -> Any:
        """Data type of the elements."""
        return self._v().dtype

    def set_dtype(self, dtype: DTypeLike) -> None:
        """Change the data type."""
        self._v().dtype = convert_dtype(dtype)

    def type(self) -> Any:
        """Kind of the variable."""
        return self._v().type

    def set_type(self, type: Any) -> None:
        """Change the kind of the variable."""
        self._v().type = type

    def lod_level(self) -> int:
        """Number of sequence levels."""
        return self._v().lod_level

    def set_lod_level(self, lod_level: int) -> None:
        """Change the number of sequence levels."""
        self._v().lod_level = lod_level

    def persistable(self) -> bool:
        """Whether it lives in the Scope between runs."""
        return self._v().persistable

    def set_persistable(self, persistable: bool) -> None:
        """Change whether it lives in the Scope between runs."""
        self._v().persistable = persistable

    def stop_gradient(self) -> bool:
        """Whether gradients stop here."""
        return self._v().stop_gradient

    def set_stop_gradient(self, stop_gradient: bool) -> None:
        """Change whether gradients stop here."""
        self._v().stop_gradient = stop_gradient

    def need_check_feed(self) -> bool:
        """Whether a fed value's shape and data type are checked."""
        return self._v().need_check_feed

    def set_need_check_feed(self, need_check_feed: bool) -> None:
        """Change whether a fed value's shape and data type are checked."""
        self._v().need_check_feed = need_check_feed

    def is_parameter(self) -> bool:
        """Whether it is a parameter."""
        return self._v().is_parameter

    def set_is_parameter(self, is_parameter: bool) -> None:
        """Change whether files call it a parameter."""
        self._v().is_parameter = is_parameter


def _variable_of(name: str) -> Variable:
    """A variable that stands in no Program of anybody's."""
    from paddle_compat.core.program import Program, default_main_program

    program = Program()
    program.age = default_main_program().age
    return program.global_block().create_var(name=name)


class BlockDesc:
    """A view of a Block with the method names of Paddle's C++ BlockDesc; names may be bytes."""

    def __init__(self, block: Any) -> None:
        self._block = block

    @property
    def id(self) -> int:
        """Position among the Program's blocks."""
        return self._block.idx

    @property
    def parent(self) -> int:
        """Position of the enclosing block, -1 for none."""
        return self._block.parent_idx

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BlockDesc) and other._block is self._block

    def __hash__(self) -> int:
        return hash(id(self._block))

    def op_size(self) -> int:
        """How many operators there are."""
        return len(self._block.ops)

    def op(self, index: int) -> OpDesc:
        """The operator of that index."""
        return OpDesc(self._block.ops[index])

    def append_op(self) -> OpDesc:
        """An operator at the end, which is still nothing: `copy_from` or the setters make it something."""
        return self._insert(len(self._block.ops))

    def _prepend_op(self) -> OpDesc:
        return self._insert(0)

    def _insert_op(self, index: int) -> OpDesc:
        return self._insert(index)

    def _insert(self, index: int) -> OpDesc:
        op = Operator(self._block, "", {}, {}, {})
        self._block.ops.insert(index, op)
        self._block.program._touch()
        return OpDesc(op)

    def _remove_op(self, start: int, end: int) -> None:
        del self._block.ops[start:end]
        self._block.program._touch()

    def all_vars(self) -> list[VarDesc]:
        """All variables of this block."""
        return [VarDesc(var) for var in self._block.vars.values()]

    def var(self, name: bytes | str) -> VarDesc:
        """The variable of that name in this block, made if need be."""
        text = _text(name)
        return VarDesc(self._block.vars.get(text) or self._block.create_var(name=text))

    def has_var(self, name: bytes | str) -> bool:
        """Whether this block has the variable."""
        return _text(name) in self._block.vars

    def find_var(self, name: bytes | str) -> VarDesc | None:
        """The variable of that name in this block, None if there is none."""
        found = self._block.vars.get(_text(name))
        return None if found is None else VarDesc(found)

    def has_var_recursive(self, name: bytes | str) -> bool:
        """Whether this block or one around it has the variable."""
        return self._block.has_var_recursive(_text(name))

    def find_var_recursive(self, name: bytes | str) -> VarDesc | None:
        """The variable of that name in this block or one around it, None if there is none."""
        found = self._block._find_var_recursive(_text(name))
        return None if found is None else VarDesc(found)

    def get_forward_block_idx(self) -> int:
        """The block that this one differentiates; -1 for none."""
        return self._block.forward_block_idx

    def _set_forward_block_idx(self, index: int) -> None:
        self._block.forward_block_idx = index
        self._block.program._touch()

    def set_parent_idx(self, index: int) -> None:
        """Put the block inside another one."""
        self._block.parent_idx = index
        self._block.program._touch()

    def _move_from(self, other: BlockDesc) -> None:
        """Take all operators and variables out of another block."""
        own, its = self._block, other._block
        own.ops, own.vars, its.ops, its.vars = its.ops, its.vars, [], type(its.vars)()
        for part in (*own.ops, *own.vars.values()):
            part.block = own
        for block in (own, its):
            block.program._touch()

    def serialize_to_string(self) -> bytes:
        """The block as files hold it."""
        from paddle_compat.core import serialize

        return encode(serialize.block_desc(self._block), "BlockDesc")

    def _remove_var(self, name: bytes | str) -> None:
        self._block._remove_var(_text(name))

    def _rename_var(self, name: bytes | str, new_name: bytes | str) -> None:
        self._block._rename_var(name, new_name)


def _text(name: bytes | str) -> str:
    return name.decode() if isinstance(name, bytes) else name


class ProgramDesc:
    """A view of a Program with the method names of Paddle's C++ ProgramDesc."""

    _program: Any

    def __init__(self, program: Any = None) -> None:
        from paddle_compat.core.program import Program, default_main_program

        if program is None:
            program = Program()
            program.age = default_main_program().age
        elif isinstance(program, bytes):
            program = Program.parse_from_string(program)
        elif isinstance(program, ProgramDesc):  # a copy, as C++ makes one
            program = program._program.clone()
        self._program = program

    def flush(self) -> None:
        """Write what changed into the description: a view has nothing to write."""

    def cached_hash_str(self) -> str:
        """A text that Programs of the same description share."""
        return hashlib.sha256(self.serialize_to_string()).hexdigest()

    def _version(self) -> int:
        from paddle_compat.core.serialize import WRITTEN_VERSION

        version = self._program._file_version
        return WRITTEN_VERSION[self._program.age] if version is None else version

    def _set_version(self, version: int | None = None) -> None:
        self._program._file_version = version

    def get_feed_target_names(self) -> list[str]:
        """What the `feed` operators write, by column."""
        return self._targets("feed", lambda op: op.output("Out")[0])

    def get_fetch_target_names(self) -> list[str]:
        """What the `fetch` operators read, by column."""
        return self._targets("fetch", lambda op: op.input("X")[0])

    def _targets(self, kind: str, name: Callable[[Operator], str]) -> list[str]:
        found = [op for op in self._program.global_block().ops if op.type == kind]
        return [name(op) for op in sorted(found, key=lambda op: op.attr("col"))]

    def append_block(self, parent: BlockDesc) -> BlockDesc:
        """A new block inside another one."""
        program = self._program
        current = program.current_block_idx
        try:
            return BlockDesc(program._create_block(parent.id))
        finally:
            program.current_block_idx = current

    def serialize_to_string(self) -> bytes:
        """The bytes of a `__model__` or `.pdmodel` file."""
        from paddle_compat.core.serialize import program_to_bytes

        return program_to_bytes(self._program)

    def block(self, index: int) -> Any:
        """The block of that index."""
        return BlockDesc(self._program.blocks[index])

    def num_blocks(self) -> int:
        """How many blocks there are."""
        return len(self._program.blocks)


def _set_gradients(op: Operator) -> None:
    """Give the gradients that an operator computes the shapes and data types of the variables that they are of."""
    for name in op.output_arg_names:
        found, source = (op.block._find_var_recursive(n) for n in (name, name.removesuffix(GRAD_SUFFIX)))
        if found is not None and source is not None:
            found.shape, found.dtype = source.shape, source.dtype


def get_grad_op_desc(op_desc: OpDesc, no_grad_set: set[str], grad_sub_block: list[BlockDesc]) -> tuple[list[OpDesc], dict[str, str]]:
    """The gradient operators of an operator, which stand in no block yet.

    Args:
        op_desc: the operator.
        no_grad_set: names of gradients (`x@GRAD`) that are not wanted.
        grad_sub_block: the gradient's own block, for an operator with one; there is none to be had that way.
    Returns:
        The operators, and the variable that each gradient they read or write is of.
    Raises:
        UnsupportedError: the operator has a block.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base import core
        >>> paddle.enable_static()
        >>> out = paddle.nn.functional.relu(paddle.static.data("x", [2]))
        >>> (grad,), names = core.get_grad_op_desc(out.op.desc, set(), [])
        >>> grad.type(), grad.output_arg_names(), names["x@GRAD"]
        ('relu_grad', ['x@GRAD'], 'x')
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    from paddle_compat.core.backward import grad_definition, grad_specs

    op = op_desc._op
    if "sub_block" in op.attrs:
        raise UnsupportedError("core.get_grad_op_desc", "op_desc", "append_backward, for an operator with a block")
    wanted = {name for name in op.input_arg_names if name + GRAD_SUFFIX not in no_grad_set}
    descs: list[OpDesc] = []
    names: dict[str, str] = {}
    definition = grad_definition(op)[0]
    for spec in grad_specs(op, set(op.output_arg_names), wanted, {}):
        outputs = spec.outputs
        if not spec.type:  # none of its gradients is wanted
            assert definition is not None
            spec.type = definition.grad_type
            outputs = {slot.name + GRAD_SUFFIX: [] for slot in definition.differentiable(op.program.age) if op.inputs.get(slot.name)}
        made = Operator(op.block, spec.type, spec.inputs, outputs, {**spec.attrs})
        made.forward = op
        descs.append(OpDesc(made))
        gradients = [n for n in (*made.input_arg_names, *made.output_arg_names) if n.endswith(GRAD_SUFFIX) and n != EMPTY_VAR]
        names.update((name, name.removesuffix(GRAD_SUFFIX)) for name in gradients)
    return descs, names
