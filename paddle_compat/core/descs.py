"""Views of operators, variables and Programs with the method names of Paddle's C++ descriptions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.op_desc import OpDesc
from paddle_compat.core.operator import EMPTY_VAR, GRAD_SUFFIX, Operator
from paddle_compat.core.proto import encode
from paddle_compat.core.var_desc import VarDesc


class BlockDesc:
    """A view of a Block with the method names of Paddle's C++ BlockDesc; names may be bytes.

    Args:
        block (Block): what it shows.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> desc = paddle.static.Program().global_block().desc
        >>> desc.var("x").name(), desc.has_var("x"), desc.find_var("y"), [var.name() for var in desc.all_vars()]
        ('x', True, None, ['x'])
        >>> desc.has_var_recursive("x"), desc.find_var_recursive("x").name(), desc.get_forward_block_idx()
        (True, 'x', -1)
        >>> desc.append_op().set_type("assign")
        >>> desc.op_size(), desc.op(0).type()
        (1, 'assign')

    Follows Paddle 1.8 and 2.6.
    """

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
        """How many operators there are.

        Returns:
            int.
        """
        return len(self._block.ops)

    def op(self, index: int) -> OpDesc:
        """The operator of that index.

        Args:
            index (int): its place.
        Returns:
            OpDesc.
        """
        return OpDesc(self._block.ops[index])

    def append_op(self) -> OpDesc:
        """An operator at the end, which is still nothing: `copy_from` or the setters make it something.

        Returns:
            OpDesc.
        """
        return self._insert(len(self._block.ops))

    def _prepend_op(self) -> OpDesc:
        return self._insert(0)

    def _insert_op(self, index: int) -> OpDesc:
        return self._insert(index)

    def _insert(self, index: int) -> OpDesc:
        op = Operator(self._block, "", {}, {}, {})
        op._listed = frozenset()  # nothing but what it is given, until its attributes are checked
        self._block.ops.insert(index, op)
        self._block.program._touch()
        return OpDesc(op)

    def _remove_op(self, start: int, end: int) -> None:
        del self._block.ops[start:end]
        self._block.program._touch()

    def all_vars(self) -> list[VarDesc]:
        """All variables of this block.

        Returns:
            List of VarDesc.
        """
        return [VarDesc(var) for var in self._block.vars.values()]

    def var(self, name: bytes | str) -> VarDesc:
        """The variable of that name in this block, made if need be.

        Args:
            name: str or bytes.
        Returns:
            VarDesc.
        """
        text = _text(name)
        return VarDesc(self._block.vars.get(text) or self._block._add_var(name=text))

    def has_var(self, name: bytes | str) -> bool:
        """Whether this block has the variable.

        Args:
            name: str or bytes.
        Returns:
            bool.
        """
        return _text(name) in self._block.vars

    def find_var(self, name: bytes | str) -> VarDesc | None:
        """The variable of that name in this block, None if there is none.

        Args:
            name: str or bytes.
        Returns:
            VarDesc or None.
        """
        found = self._block.vars.get(_text(name))
        return None if found is None else VarDesc(found)

    def has_var_recursive(self, name: bytes | str) -> bool:
        """Whether this block or one around it has the variable.

        Args:
            name: str or bytes.
        Returns:
            bool.
        """
        return self._block.has_var_recursive(_text(name))

    def find_var_recursive(self, name: bytes | str) -> VarDesc | None:
        """The variable of that name in this block or one around it, None if there is none.

        Args:
            name: str or bytes.
        Returns:
            VarDesc or None.
        """
        found = self._block._find_var_recursive(_text(name))
        return None if found is None else VarDesc(found)

    def get_forward_block_idx(self) -> int:
        """The block that this one differentiates; -1 for none.

        Returns:
            int.
        """
        return self._block.forward_block_idx

    def _set_forward_block_idx(self, index: int) -> None:
        self._block.forward_block_idx = index
        self._block.program._touch()

    def set_parent_idx(self, index: int) -> None:
        """Put the block inside another one.

        Args:
            index (int): the number of the block around it.

        Example:
            >>> from paddle_compat.base import core
            >>> desc = core.ProgramDesc()
            >>> body = desc.append_block(desc.block(0))
            >>> body.set_parent_idx(-1); body.parent
            -1
        """
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
        r"""The block as files hold it.

        Returns:
            bytes.

        Example:
            >>> from paddle_compat.base import core
            >>> core.ProgramDesc().block(0).serialize_to_string()[:2]
            b'\x08\x00'
        """
        from paddle_compat.core import serialize

        return encode(serialize.block_desc(self._block), "BlockDesc")

    def _remove_var(self, name: bytes | str) -> None:
        self._block._remove_var(_text(name))

    def _rename_var(self, name: bytes | str, new_name: bytes | str) -> None:
        self._block._rename_var(name, new_name)


def _text(name: bytes | str) -> str:
    return name.decode() if isinstance(name, bytes) else name


class ProgramDesc:
    """A view of a Program with the method names of Paddle's C++ ProgramDesc.

    Args:
        program (Program): what it shows; None: a new one.

    Example:
        >>> from paddle_compat.base import core
        >>> desc = core.ProgramDesc()
        >>> body = desc.append_block(desc.block(0))
        >>> body.id, body.parent, desc.num_blocks(), type(desc.serialize_to_string()).__name__
        (1, 0, 2, 'bytes')
        >>> core.ProgramDesc(desc).cached_hash_str() == desc.cached_hash_str()
        True
        >>> desc.get_feed_target_names(), desc.get_fetch_target_names(), desc.flush()
        ([], [], None)
        >>> other = core.ProgramDesc(); other.parse_from_string(desc.serialize_to_string()); other.num_blocks()
        2

    Follows Paddle 1.8 and 2.6.
    """

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

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ProgramDesc) and self._program is other._program

    def __hash__(self) -> int:
        return hash(id(self._program))

    def parse_from_string(self, data: bytes) -> None:
        """Show another Program from now on.

        Args:
            data (bytes): its description, as `serialize_to_string` gives it.
        """
        from paddle_compat.core.program import Program

        self._program = Program.parse_from_string(data)

    def flush(self) -> None:
        """Write what changed into the description: a view has nothing to write."""

    def cached_hash_str(self) -> str:
        """A text that Programs of the same description share.

        Returns:
            str: hexadecimal digits.
        """
        return hashlib.sha256(self.serialize_to_string()).hexdigest()

    def _version(self) -> int:
        from paddle_compat.core.serialize import WRITTEN_VERSION

        version = self._program._file_version
        return WRITTEN_VERSION[self._program.age] if version is None else version

    def _set_version(self, version: int | None = None) -> None:
        self._program._file_version = version

    def get_feed_target_names(self) -> list[str]:
        """What the `feed` operators write, by column.

        Returns:
            List of names.
        """
        return self._targets("feed", lambda op: op.output("Out")[0])

    def get_fetch_target_names(self) -> list[str]:
        """What the `fetch` operators read, by column.

        Returns:
            List of names.
        """
        return self._targets("fetch", lambda op: op.input("X")[0])

    def _targets(self, kind: str, name: Callable[[Operator], str]) -> list[str]:
        found = [op for op in self._program.global_block().ops if op.type == kind]
        return [name(op) for op in sorted(found, key=lambda op: op.attr("col"))]

    def append_block(self, parent: BlockDesc) -> BlockDesc:
        """A new block inside another one.

        Args:
            parent (BlockDesc): the block around it.
        Returns:
            BlockDesc.
        """
        program = self._program
        current = program.current_block_idx
        try:
            return BlockDesc(program._create_block(parent.id))
        finally:
            program.current_block_idx = current

    def serialize_to_string(self) -> bytes:
        """The bytes of a `__model__` or `.pdmodel` file.

        Returns:
            bytes.
        """
        from paddle_compat.core.serialize import program_to_bytes

        return program_to_bytes(self._program)

    def block(self, index: int) -> Any:
        """The block of that index.

        Args:
            index (int): its number.
        Returns:
            BlockDesc.
        """
        return BlockDesc(self._program.blocks[index])

    def num_blocks(self) -> int:
        """How many blocks there are.

        Returns:
            int.
        """
        return len(self._program.blocks)


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
    from paddle_compat.core._grad_operators import grad_definition, grad_specs

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
