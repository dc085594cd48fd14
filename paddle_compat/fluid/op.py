"""`paddle.fluid.op`: single operators made by name and run on a Scope, without a Program of the user's."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, type_error
from paddle_compat.core.op_protos import OpProto, ProtoSlot, all_protos, encoded_protos
from paddle_compat.fluid.executor import Executor
from paddle_compat.fluid.framework import OpProtoHolder
from paddle_compat.fluid.proto import framework_pb2
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


# the field of an attribute's description that holds a value of its kind
_FIELDS = {"INT": "i", "FLOAT": "f", "STRING": "s", "BOOLEAN": "b", "LONG": "l"}
_LISTS = {"INTS": "ints", "FLOATS": "floats", "STRINGS": "strings", "BOOLEANS": "bools", "LONGS": "longs"}


def get_all_op_protos() -> list[Any]:
    """The schemas of all operators, as protobuf messages.

    Returns:
        List of `framework_pb2.OpProto`.

    Example:
        >>> from paddle_compat.fluid import op
        >>> next(p for p in op.get_all_op_protos() if p.type == "relu").inputs[0].name
        'X'

    Follows Paddle 1.8.
    """
    return [framework_pb2.OpProto.FromString(data) for data in encoded_protos(1)]


class OpDescCreationMethod:
    """Makes descriptions of operators of one type.

    Args:
        op_proto (framework_pb2.OpProto): the type's schema.

    Raises:
        TypeError: this is no schema.

    Example:
        >>> from paddle_compat.fluid import op
        >>> relu = op.OpDescCreationMethod(next(p for p in op.get_all_op_protos() if p.type == "relu"))
        >>> relu(X="a", Out="b").outputs[0].arguments
        ['b']

    Follows Paddle 1.8.
    """

    def __init__(self, op_proto: Any) -> None:
        if not isinstance(op_proto, framework_pb2.OpProto):
            raise type_error("op_proto", "OpProto", op_proto, "OpDescCreationMethod")
        self.__op_proto__ = op_proto

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The description of one operator.

        Args:
            **kwargs: slot -> variable name or list of names; attribute -> value. Others are ignored.
        Returns:
            framework_pb2.OpDesc.
        Raises:
            ValueError: positional arguments; several names for a slot that takes one.
        """
        if args:
            raise ValueError(f"Only keyword arguments are supported. Expected slots and attributes. Received: {args!r}")
        desc = framework_pb2.OpDesc(type=self.__op_proto__.type)
        for kind, slots, written in (
            ("Input", self.__op_proto__.inputs, desc.inputs),
            ("Output", self.__op_proto__.outputs, desc.outputs),
        ):
            for slot in slots:
                written.add(parameter=slot.name, arguments=_names(kind, slot, kwargs))
        for attr in self.__op_proto__.attrs:
            if attr.name not in kwargs or attr.generated:
                continue
            kind = framework_pb2.AttrType.Name(attr.type)
            if kind not in _FIELDS and kind not in _LISTS:
                raise UnsupportedError("OpDescCreationMethod", f"attribute {attr.name} of kind {kind}")
            value = kwargs[attr.name]
            desc.attrs.add(name=attr.name, type=attr.type, **({_FIELDS[kind]: value} if kind in _FIELDS else {_LISTS[kind]: list(value)}))
        return desc


Operator = OperatorFactory()

__all__ = ["OpDescCreationMethod", "Operator", "OperatorFactory", "get_all_op_protos"]

__getattr__ = missing(__name__)
