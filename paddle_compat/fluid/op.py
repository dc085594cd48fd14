"""`paddle.fluid.op`: single operators made by name and run on a Scope, without a Program of the user's."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.op_protos import OpProto, ProtoSlot, all_protos
from paddle_compat.fluid.executor import Executor
from paddle_compat.fluid.framework import OpProtoHolder
from paddle_compat.static import single_operator


class SingleOperator(single_operator.SingleOperator):
    """One operator as in Programs of Paddle 1.8; `run` reads and writes variables in a Scope.

    Args:
        proto: the operator's description.
        inputs, outputs: slot -> variable names.
        attrs: attributes.

    Example:
        >>> from paddle_compat.fluid import core
        >>> from paddle_compat.fluid.proto import framework_pb2
        >>> core.Operator.create(framework_pb2.OpDesc(type="mean").SerializeToString()).type()
        'mean'

    Follows Paddle 1.8.
    """

    age = 1
    executor = Executor


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
