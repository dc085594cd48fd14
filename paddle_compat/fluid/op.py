"""`paddle.fluid.op`: single operators made by name and run on a Scope, without a Program of the user's."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import scope as scopes
from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.op_protos import OpProto, ProtoSlot, all_protos
from paddle_compat.fluid.executor import Executor
from paddle_compat.fluid.framework import OpProtoHolder, Program


class SingleOperator:
    """One operator with variable names in its slots; `run` reads and writes those variables in a Scope."""

    def __init__(self, proto: OpProto, inputs: dict[str, list[str]], outputs: dict[str, list[str]], attrs: dict[str, Any]) -> None:
        self._proto, self._inputs, self._outputs, self._attrs = proto, inputs, outputs, attrs
        self._programs: dict[Any, Program] = {}

    def type(self) -> str:
        """The operator's type."""
        return self._proto.type

    def inputs(self) -> dict[str, list[str]]:
        """Input slot -> variable names."""
        return {slot: list(names) for slot, names in self._inputs.items()}

    def outputs(self) -> dict[str, list[str]]:
        """Output slot -> variable names."""
        return {slot: list(names) for slot, names in self._outputs.items()}

    def input_vars(self) -> list[str]:
        """Names of all variables read."""
        return [n for names in self._inputs.values() for n in names]

    def output_vars(self) -> list[str]:
        """Names of all variables written."""
        return [n for names in self._outputs.values() for n in names]

    def no_intermediate_outputs(self) -> list[str]:
        """Names of the variables written, without those that only the gradient reads."""
        own = {slot.name for slot in self._proto.outputs if slot.intermediate}
        return [n for slot, names in self._outputs.items() if slot not in own for n in names]

    def support_gpu(self) -> bool:
        """Whether it runs on GPUs: every operator does."""
        return True

    def run(self, scope: scopes.Scope, place: Any) -> None:
        """Run once: the inputs come from the Scope, the outputs go into it.

        Args:
            scope: holds the variables; those that the operator writes must be there.
            place: the device.
        Raises:
            EnforceNotMet: the operator misses an input, or its inputs do not fit.
        """
        feed = {n: scopes.find_value(n, scope) for n in self.input_vars()}
        key = tuple((n, tuple(t.shape()), t._dtype(), len(t.lod())) for n, t in feed.items())
        program = self._programs.get(key)
        if program is None:
            program = self._programs[key] = self._program(key)
        names = list(dict.fromkeys(self.output_vars()))
        written = {s.name for s in self._proto.outputs if not s.intermediate}
        computed = [n for slot, ns in self._outputs.items() for n in ns if slot in written or scope.find_var(n) is not None]
        names = [n for n in names if n in computed]
        for name, value in zip(names, Executor(place).run(program, feed, names, scope=scopes.Scope(), return_numpy=False)):
            holder = scope.find_var(name) or scope.var(name)
            if isinstance(value, scopes.LoDTensor):
                holder.tensor.value, holder.tensor.lod_ = value.value, value.lod_
            else:
                holder.other = value

    def _program(self, key: tuple[Any, ...]) -> Program:
        program = Program()
        block = program.global_block()
        for name, shape, dtype, levels in key:
            block.create_var(name=name, shape=shape, dtype=dtype_name(dtype), lod_level=levels)
        for name in self.output_vars():
            if not block.has_var(name):
                block.create_var(name=name)
        block.append_op(self._proto.type, self._inputs, self._outputs, self._attrs)
        return program

    def __str__(self) -> str:
        def text(slots: dict[str, list[str]]) -> str:
            return ", ".join(f"{slot}[{', '.join(names)}]" for slot, names in slots.items())

        return f"Op({self.type()}), inputs:{{{text(self._inputs)}}}, outputs:{{{text(self._outputs)}}}."


class OperatorFactory:
    """`Operator("mul", X="x", Y="y", Out="out")` makes an operator; `types` and `get_op_*` describe what there is.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.op import Operator
        >>> scope = fluid.core.Scope()
        >>> scope.var("x").get_tensor().set(np.ones(2, "float32"), fluid.CPUPlace())
        >>> _ = scope.var("y")
        >>> Operator("scale", X="x", Out="y", scale=2.0).run(scope, fluid.CPUPlace())
        >>> scope.find_var("y").get_tensor().numpy().tolist()
        [2.0, 2.0]
        >>> "scale" in Operator.types(), Operator.get_op_info("scale").type
        (True, 'scale')
        >>> Operator.get_op_input_names("scale"), Operator.get_op_inputs("scale")
        (['X', 'ScaleTensor'], [('X', False), ('ScaleTensor', False)])
        >>> Operator.get_op_output_names("scale"), Operator.get_op_outputs("scale")
        (['Out'], [('Out', False)])
        >>> "bias" in Operator.get_op_attr_names("scale")
        True

    Follows Paddle 1.8.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> SingleOperator:
        """Make an operator.

        Args:
            type: the operator's type, by position or by name.
            **kwargs: slot -> variable name or list of names; attribute -> value. Others are ignored, as in the real one.
        Raises:
            ValueError: no such operator; several names for a slot that takes one; positional arguments beside the type.
        """
        if "type" in kwargs:
            if args:
                raise ValueError(f"`Operator` got `type` as a keyword. Expected keywords only. Received: {args!r}")
            type_ = kwargs.pop("type")
        elif len(args) == 1:
            type_ = args[0]
        else:
            raise ValueError(f"`Operator` takes one positional argument, the type. Expected keyword arguments besides. Received: {args!r}")
        proto = self.get_op_info(type_)
        return SingleOperator(
            proto,
            {slot.name: _names("Input", slot, kwargs) for slot in proto.inputs},
            {slot.name: _names("Output", slot, kwargs) for slot in proto.outputs},
            {a.name: kwargs[a.name] for a in proto.attrs if a.name in kwargs},
        )

    def types(self) -> list[str]:
        """The types of all operators.

        Returns:
            List of str.
        """
        return [proto.type for proto in all_protos(1)]

    def get_op_info(self, t: str) -> OpProto:
        """The description of an operator.

        Args:
            t (str): the operator's type.
        Returns:
            OpProto.
        Raises:
            ValueError: there is no such operator.
        """
        proto = OpProtoHolder.instance().op_proto_map.get(t)
        if proto is None:
            raise ValueError(f"Operator {t} is not registered. Expected a type that `Operator.types()` lists")
        return proto

    def get_op_input_names(self, type: str) -> list[str]:
        """Input slots.

        Args:
            type (str): the operator's type.
        Returns:
            List of str.
        """
        return [slot.name for slot in self.get_op_info(type).inputs]

    def get_op_inputs(self, type: str) -> list[tuple[str, bool]]:
        """Input slots, each with whether it takes a list.

        Args:
            type (str): the operator's type.
        Returns:
            List of pairs.
        """
        return [(slot.name, slot.duplicable) for slot in self.get_op_info(type).inputs]

    def get_op_output_names(self, type: str) -> list[str]:
        """Output slots.

        Args:
            type (str): the operator's type.
        Returns:
            List of str.
        """
        return [slot.name for slot in self.get_op_info(type).outputs]

    def get_op_outputs(self, type: str) -> list[tuple[str, bool]]:
        """Output slots, each with whether it takes a list.

        Args:
            type (str): the operator's type.
        Returns:
            List of pairs.
        """
        return [(slot.name, slot.duplicable) for slot in self.get_op_info(type).outputs]

    def get_op_attr_names(self, type: str) -> list[str]:
        """Attributes.

        Args:
            type (str): the operator's type.
        Returns:
            List of str.
        """
        return [attr.name for attr in self.get_op_info(type).attrs]


def _names(kind: str, slot: ProtoSlot, given: dict[str, Any]) -> list[str]:
    names = given.get(slot.name, [])
    names = [names] if isinstance(names, (str, bytes)) else list(names)
    if not slot.duplicable and len(names) > 1:
        raise ValueError(f"{kind} {slot.name} expects only one input, but {len(names)} are given.")
    return names


Operator = OperatorFactory()

__all__ = ["Operator", "OperatorFactory"]

__getattr__ = missing(__name__)
