"""OpDesc: a view of an Operator with the method names of Paddle's C++ description."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from paddle_compat.core.attribute_variables import reads, variables_of
from paddle_compat.core.operator import GRAD_SUFFIX, Operator
from paddle_compat.core.proto import AttrType, encode
from paddle_compat.core.var_desc import VarDesc

if TYPE_CHECKING:
    from paddle_compat.core.descs import BlockDesc


class OpDesc:
    """A view of an Operator with the method names of Paddle's C++ OpDesc.

    Args:
        op (Operator): what it shows.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> block = paddle.static.Program().global_block()
        >>> x, y = (block.create_var(name=name, shape=[2], dtype="float32") for name in "xy")
        >>> desc = block.append_op(type="scale", inputs={"X": x}, outputs={"Out": y}, attrs={"scale": 2.0}).desc
        >>> desc.type(), desc.inputs(), desc.outputs(), desc.block() == block.desc
        ('scale', {'ScaleTensor': [], 'X': ['x']}, {'Out': ['y']}, True)
        >>> desc.input_names(), desc.input_arg_names(), desc.output_names(), desc.output_arg_names()
        (['ScaleTensor', 'X'], ['x'], ['Out'], ['y'])
        >>> "bias" in desc.attr_names(), desc.attr_type("bias").name, desc.attr("scale"), desc.has_attr("axis")
        (True, 'FLOAT', 2.0, False)
        >>> desc.get_attr_map()["scale"], type(desc.serialize_to_string()).__name__
        (2.0, 'bytes')
        >>> copied = block.desc.append_op()
        >>> copied.copy_from(desc); copied.check_attrs(); copied.infer_var_type(block.desc); copied.infer_shape(block.desc)
        >>> copied.set_type("assign"); copied.remove_input("ScaleTensor"); copied.type(), copied.input_names()
        ('assign', ['X'])
        >>> copied.remove_output("Out"); copied.output_names()
        []
        >>> copied.set_block_attr("body", block.desc); copied.set_blocks_attr("bodies", [block.desc]); copied.attr("body").id
        0
        >>> copied.set_var_attr("size", x.desc); copied.set_vars_attr("sizes", [x.desc]); copied.attr("size", True).name()
        'x'
        >>> copied.set_is_target(True)

    Follows Paddle 1.8 and 2.6.
    """

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpDesc) and other._op is self._op

    def __hash__(self) -> int:
        return hash(id(self._op))

    def __init__(self, op: Any) -> None:
        self._op = op
        self.input, self.output, self.set_input, self.set_output = op.input, op.output, op.set_input, op.set_output
        self._rename_input, self._rename_output, self.remove_attr = op._rename_input, op._rename_output, op._remove_attr

    def type(self) -> str:
        """The operator's type.

        Returns:
            str.
        """
        return self._op.type

    def remove_input(self, name: str) -> None:
        """Forget an input slot.

        Args:
            name (str): the slot.
        """
        self._op.inputs.pop(name, None)
        self._op.program._touch()

    def remove_output(self, name: str) -> None:
        """Forget an output slot.

        Args:
            name (str): the slot.
        """
        self._op.outputs.pop(name, None)
        self._op.program._touch()

    def attr(self, name: str, with_attr_var: bool = False) -> Any:
        """The attribute's value: a sub-block as a BlockDesc, a variable as its description.

        Args:
            name (str): the attribute's name.
            with_attr_var (bool): also tell which variables give a value.
        Returns:
            A number, a string, a bool, or a list of them; a VarDesc or a list of them.
        Raises:
            NotFoundError: there is no such attribute, or variables give it and nobody asked for these.
        """
        given = variables_of(self._op.attrs.get(name))
        if not (with_attr_var and given):
            return self._op.attr(name)
        found = [VarDesc(var) for var in given]
        return found if isinstance(self._op.attrs[name], list) else found[0]

    def has_attr(self, name: str, with_attr_var: bool = False) -> bool:
        """Whether the operator has an attribute of that name.

        Args:
            name (str): an attribute's name.
            with_attr_var (bool): one that variables give counts, too.
        Returns:
            bool.
        """
        return self._op.has_attr(name) or with_attr_var and name in self._op.attrs

    def get_attr_map(self) -> dict[str, Any]:
        """All attributes with their values.

        Returns:
            dict: name -> value.
        """
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
        """Set an attribute to a block.

        Args:
            name (str): the attribute's name.
            block (BlockDesc): the block.
        """
        self._set_attr(name, block._block)

    def set_blocks_attr(self, name: str, blocks: list[BlockDesc]) -> None:
        """Set an attribute to blocks.

        Args:
            name (str): the attribute's name.
            blocks (list): the blocks.
        """
        self._set_attr(name, [block._block for block in blocks])

    def set_var_attr(self, name: str, var: VarDesc) -> None:
        """Set an attribute to what a variable will hold.

        Args:
            name (str): the attribute's name.
            var (VarDesc): the variable.
        """
        self._set_attr(name, var._v())

    def set_vars_attr(self, name: str, variables: list[VarDesc]) -> None:
        """Set an attribute to what variables will hold.

        Args:
            name (str): the attribute's name.
            variables (list): the variables.
        """
        self._set_attr(name, [var._v() for var in variables])

    def _block_attr_id(self, name: str) -> int:
        return self._op.attrs[name].idx

    def _blocks_attr_ids(self, name: str) -> list[int]:
        return [block.idx for block in self._op.attrs[name]]

    def set_is_target(self, is_target: bool) -> None:
        """Mark what a pruning is to keep; `core.prune` is told that in its own arguments.

        Args:
            is_target (bool): of no effect.
        """

    def serialize_to_string(self) -> bytes:
        """The operator as files hold it.

        Returns:
            bytes.
        """
        from paddle_compat.core import serialize

        return encode(serialize.op_desc(self._op), "OpDesc")

    def copy_from(self, other: OpDesc) -> None:
        """Become like another operator.

        Args:
            other (OpDesc): the operator to copy.
        """
        own, its = self._op, other._op
        own.type, own.forward, own.attrs, own._listed = its.type, its.forward, dict(its.attrs), its._listed
        own.inputs, own.outputs = ({s: list(names) for s, names in slots.items()} for slots in (its.inputs, its.outputs))
        own.program._touch()

    def infer_shape(self, block: Any) -> None:
        """Infer the outputs' shapes, as appending the operator did already; a gradient has its variable's.

        Args:
            block: its block; it stands there anyway.
        """
        definition = self._op.definition
        if self._op.forward is not None:
            set_gradients(self._op)
        if definition is not None:
            from paddle_compat.core import infer

            self.check_attrs()
            infer.set_outputs(self._op, definition)

    def infer_var_type(self, block: Any) -> None:
        """Infer the outputs' kinds: appending the operator did that.

        Args:
            block: its block; it stands there anyway.
        """

    def check_attrs(self) -> None:
        """Give an operator that was put together by hand its default attributes (what was appended has them), and check them.

        Raises:
            InvalidArgumentError: an attribute is of another kind, or not among the values that it may have.
            WrongInputError: the same, in Programs of Paddle 2.
        """
        from paddle_compat.core.attribute_values import fit_attributes

        op, definition = self._op, self._op.definition
        if definition is not None and op._listed is not None:
            op.attrs = {"op_role": op.program._op_role, **definition.defaults(op.program.age), **op.attrs}
            op._listed = None
        if definition is not None:
            fit_attributes(definition, op.attrs, op.program.age)

    def set_type(self, type: str) -> None:
        """Change the operator's type.

        Args:
            type (str): another operator's type.
        """
        self._op.type = type
        self._op.program._touch()

    def input_names(self) -> list[str]:
        """Input slots.

        Returns:
            List of names, sorted.
        """
        return self._op.input_names

    def output_names(self) -> list[str]:
        """Output slots.

        Returns:
            List of names, sorted.
        """
        return self._op.output_names

    def input_arg_names(self, with_attr_var: bool = False) -> list[str]:
        """Names of all variables read.

        Args:
            with_attr_var (bool): also those that give attributes.
        Returns:
            List of names, slot by slot.
        """
        return reads(self._op) if with_attr_var else self._op.input_arg_names

    def output_arg_names(self) -> list[str]:
        """Names of all variables written.

        Returns:
            List of names, slot by slot.
        """
        return self._op.output_arg_names

    def attr_names(self, with_attr_var: bool = False) -> list[str]:
        """Names of all attributes.

        Args:
            with_attr_var (bool): of no effect.
        Returns:
            List of names, sorted.
        """
        return self._op.attr_names

    def attr_type(self, name: str, with_attr_var: bool = False) -> Any:
        """As which kind files store the attribute, one of `core.AttrType`.

        Args:
            name (str): the attribute's name.
            with_attr_var (bool): of no effect.
        Returns:
            AttrType.
        """
        return self._op.attr_type(name)

    def inputs(self) -> dict[str, list[str]]:
        """Input slots with the names in them.

        Returns:
            dict: slot -> list of names.
        """
        return {name: self.input(name) for name in self._op.input_names}

    def outputs(self) -> dict[str, list[str]]:
        """Output slots with the names in them.

        Returns:
            dict: slot -> list of names.
        """
        return {name: self.output(name) for name in self._op.output_names}

    def block(self) -> Any:
        """The block it stands in.

        Returns:
            BlockDesc.
        """
        from paddle_compat.core.descs import BlockDesc

        return BlockDesc(self._op.block)


def set_gradients(op: Operator) -> None:
    """Give the gradients that an operator computes the shapes and data types of the variables that they are of."""
    for name in op.output_arg_names:
        found, source = (op.block._find_var_recursive(n) for n in (name, name.removesuffix(GRAD_SUFFIX)))
        if found is not None and source is not None:
            found.shape, found.dtype = source.shape, source.dtype
