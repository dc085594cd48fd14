"""Single operators that run on a Scope, without a Program of the user's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import scope as scopes
from paddle_compat.core import serialize
from paddle_compat.core._kernel_attributes import unlisted
from paddle_compat.core.dtype import VarType, dtype_name
from paddle_compat.core.errors import NotFoundError
from paddle_compat.core.lod import LoDTensorArray
from paddle_compat.core.op import definition_of
from paddle_compat.core.op_protos import OpProto, all_protos
from paddle_compat.core.program import Program
from paddle_compat.static.executor import Executor


class SingleOperator:
    """One operator with variable names in its slots; `run` reads and writes those variables in a Scope.

    Args:
        proto: the operator's description.
        inputs, outputs: slot -> variable names.
        attrs: attributes.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.base import core
        >>> from paddle_compat.base.proto import framework_pb2
        >>> desc = framework_pb2.OpDesc(type="relu")
        >>> desc.inputs.add(parameter="X", arguments=["x"]), desc.outputs.add(parameter="Out", arguments=["out"])
        (parameter: "X"
        arguments: "x"
        , parameter: "Out"
        arguments: "out"
        )
        >>> op = core.Operator.create(desc.SerializeToString())
        >>> op.type(), op.inputs(), op.outputs(), op.input_vars(), op.output_vars(), op.no_intermediate_outputs(), op.support_gpu()
        ('relu', {'X': ['x']}, {'Out': ['out']}, ['x'], ['out'], ['out'], True)
        >>> scope = core.Scope()
        >>> scope.var("x").get_tensor().set(np.array([-1.0, 1.0], "float32"), core.CPUPlace())
        >>> op.run(scope, core.CPUPlace())
        >>> np.array(scope.find_var("out").get_tensor())
        array([0., 1.], dtype=float32)

    Follows Paddle 1.8 and 2.6.
    """

    age = 2
    executor = Executor

    def __init__(self, proto: OpProto, inputs: dict[str, list[str]], outputs: dict[str, list[str]], attrs: dict[str, Any]) -> None:
        self._proto, self._inputs, self._outputs, self._attrs = proto, inputs, outputs, attrs
        self._programs: dict[Any, Program] = {}
        self._scopes: dict[Any, scopes.Scope] = {}

    @classmethod
    def create(cls, data: bytes) -> SingleOperator:
        """The operator that a description stands for.

        Args:
            data (bytes): an encoded `OpDesc`.
        Returns:
            The operator.
        Raises:
            ValueError: the bytes are no description.
            NotFoundError: there is no such operator.
        """
        op = serialize.operator_from_bytes(data, cls.age)
        proto = next((proto for proto in all_protos(cls.age) if proto.type == op.type), None)
        if proto is None:
            raise NotFoundError(f"Operator ({op.type}) is not registered.")
        known = {a.name for a in proto.attrs} | unlisted(op.type, cls.age).keys()
        return cls(proto, op.inputs, op.outputs, {n: v for n, v in op.attrs.items() if n in known})

    def type(self) -> str:
        """The operator's type.

        Returns:
            str.
        """
        return self._proto.type

    def inputs(self) -> dict[str, list[str]]:
        """Input slot -> variable names.

        Returns:
            dict.
        """
        return {slot: list(names) for slot, names in self._inputs.items()}

    def outputs(self) -> dict[str, list[str]]:
        """Output slot -> variable names.

        Returns:
            dict.
        """
        return {slot: list(names) for slot, names in self._outputs.items()}

    def input_vars(self) -> list[str]:
        """Names of all variables read.

        Returns:
            List of str.
        """
        return [n for names in self._inputs.values() for n in names]

    def output_vars(self) -> list[str]:
        """Names of all variables written.

        Returns:
            List of str.
        """
        return [n for names in self._outputs.values() for n in names]

    def no_intermediate_outputs(self) -> list[str]:
        """Names of the variables written, without those that only the gradient reads.

        Returns:
            List of str.
        """
        own = {slot.name for slot in self._proto.outputs if slot.intermediate}
        return [n for slot, names in self._outputs.items() if slot not in own for n in names]

    def support_gpu(self) -> bool:
        """Whether it runs on GPUs: every operator does.

        Returns:
            bool.
        """
        return True

    def run(self, scope: scopes.Scope, place: Any) -> None:
        """Run once: the inputs come from the Scope, the outputs go into it.

        Args:
            scope: holds the variables; those that the operator writes must be there.
            place: the device.
        Raises:
            EnforceNotMet: the operator misses an input, or its inputs do not fit.
        """
        both = dict.fromkeys([*self.input_vars(), *self.output_vars()])
        held = {n: var.other for n in both if (var := scope.find_var(n)) and isinstance(var.other, LoDTensorArray)}
        feed = {n: scopes.find_value(n, scope) for n in self.input_vars() if n not in held}
        key = tuple((n, tuple(t.shape()), t._dtype(), len(t.lod())) for n, t in feed.items())
        arranged = (key, *held)
        program = self._programs.get(arranged)
        if program is None:
            program = self._programs[arranged] = self._program(key, held)
        arrays = [n for n in self.output_vars() if program.global_block().var(n).type == VarType.LOD_TENSOR_ARRAY]
        # numeric gradients run an operator hundreds of times: what a run makes of the Program is kept with the Scope, which stays empty
        inner = scopes.Scope() if held or arrays else self._scopes.setdefault(arranged, scopes.Scope())
        for name, array in held.items():
            inner.var(self._read_name(name)).other = array
        names = list(dict.fromkeys(self.output_vars()))
        definition = definition_of(self.type())
        underived = {s.name for s in definition.outputs if s.described and not definition.derives(s.name)}
        written = {s.name for s in self._proto.outputs if not s.intermediate} - underived
        computed = [
            n
            for slot, ns in self._outputs.items()
            for n in ns
            if slot in written or (slot not in underived and scope.find_var(n) is not None)
        ]
        names = [n for n in names if n in computed and n not in arrays]
        values = self.executor(place).run(program, feed, names, scope=inner, return_numpy=False)
        for name in arrays:
            (scope.find_var(name) or scope.var(name)).other = inner.var(name).other
        for name, value in zip(names, values):
            holder = scope.find_var(name) or scope.var(name)
            if isinstance(value, scopes.LoDTensor):
                holder.tensor.value, holder.tensor.lod_ = value.value, value.lod_
            else:
                holder.other = value

    def _read_name(self, name: str) -> str:
        """What the Program calls an array of the Scope: one that the operator changes is copied first."""
        return name + "@FORMER" if name in self.output_vars() else name

    def _program(self, key: tuple[Any, ...], arrays: Iterable[str]) -> Program:
        program = Program()
        program.age = self.age
        block = program.global_block()
        for name, shape, dtype, levels in key:
            block._add_var(name=name, shape=shape, dtype=dtype_name(dtype), lod_level=levels)
        for name in arrays:
            block._add_var(name=self._read_name(name), type=VarType.LOD_TENSOR_ARRAY, persistable=True)
            if not block.has_var(name):
                block._add_var(name=name, type=VarType.LOD_TENSOR_ARRAY)
                block.append_op("assign", {"X": [self._read_name(name)]}, {"Out": [name]})
        for name in self.output_vars():
            if not block.has_var(name):
                block._add_var(name=name)
        block.append_op(self._proto.type, self._inputs, self._outputs, self._attrs)
        for name in self.output_vars():
            var = block.var(name)
            var.persistable = var.type == VarType.LOD_TENSOR_ARRAY
        return program

    def __str__(self) -> str:
        def text(slots: dict[str, list[str]]) -> str:
            return ", ".join(f"{slot}[{', '.join(names)}]" for slot, names in slots.items())

        return f"Op({self.type()}), inputs:{{{text(self._inputs)}}}, outputs:{{{text(self._outputs)}}}."


__all__ = ["SingleOperator"]

__getattr__ = missing(__name__)
