"""`OpProtoHolder`: the schemas of operators with the names of Paddle's protobuf messages, as test harnesses read them."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.op import Slot, find_op, registered
from paddle_compat.core.op_protos import OpProto, ProtoAttr, ProtoSlot


def _slots(slots: tuple[Slot, ...]) -> tuple[ProtoSlot, ...]:
    return tuple(ProtoSlot(s.name, s.is_list, s.optional, s.described) for s in slots if s.age != 1)


class OpProtoHolder:
    """The schemas of all operators, as Paddle 2.x has them; one object of it is enough."""

    _only: OpProtoHolder | None = None

    @classmethod
    def instance(cls) -> OpProtoHolder:
        """The one object."""
        if cls._only is None:
            cls._only = cls()
        return cls._only

    def get_op_proto(self, type: str) -> OpProto:
        """An operator's schema; ValueError when there is no such operator."""
        definition = find_op(type)
        if definition is None:
            raise ValueError(f'Operator "{type}" has not been registered.')
        from paddle_compat.core.attributes import attr_kind

        kinds = {name: attr_kind(type, name, value) for name, value in definition.attrs.items() if not name.startswith("_")}
        attrs = tuple(ProtoAttr(name, int(kind)) for name, kind in kinds.items() if kind is not None)
        return OpProto(type, _slots(definition.inputs), _slots(definition.outputs), attrs)

    def has_op_proto(self, type: str) -> bool:
        """Whether there is an operator of that type."""
        return find_op(type) is not None

    @staticmethod
    def all_types() -> list[str]:
        """The types of all operators."""
        return sorted(registered())

    @staticmethod
    def generated_op_attr_names() -> set[Any]:
        """Attributes that every operator has."""
        from paddle_compat.core.operator import GENERIC_ATTRS

        return set(GENERIC_ATTRS)
