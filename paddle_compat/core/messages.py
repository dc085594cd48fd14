"""The messages of a program's description as objects, as Paddle's `framework_pb2` gives them, over the codec of `proto`.

A field is an attribute; one that nobody set reads as its default, and a message in it becomes part of its owner with the
first field that is set in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, SupportsIndex

from paddle_compat.core.dtype import VarType
from paddle_compat.core.program import default_main_program
from paddle_compat.core.proto import UNKNOWN, AttrType, Field, decode, encode, fields
from paddle_compat.core.text import message_text


class Error(Exception):
    """A message that cannot be read or written."""


class DecodeError(Error):
    """Bytes that are no such message."""


class EncodeError(Error):
    """A message that lacks a required field."""


class Enum:
    """The values of an enumeration by name: `AttrType.Value("INT")`, `AttrType.Name(0)`."""

    def __init__(self, values: dict[str, int]) -> None:
        self._values = values

    def Name(self, number: int) -> str:
        """The name of a value."""
        for name, value in self._values.items():
            if value == number:
                return name
        raise ValueError(f"Invalid value for argument `number`. Expected one of {sorted(self._values.values())}. Received: {number}")

    def Value(self, name: str) -> int:
        """The value of a name."""
        if name not in self._values:
            raise ValueError(f"Invalid value for argument `name`. Expected one of {sorted(self._values)}. Received: {name}")
        return self._values[name]

    def keys(self) -> list[str]:
        """All names."""
        return list(self._values)

    def values(self) -> list[int]:
        """All values."""
        return list(self._values.values())

    def items(self) -> list[tuple[str, int]]:
        """All (name, value)."""
        return list(self._values.items())


_PYTHON = {"int32": (int,), "int64": (int,), "bool": (bool, int), "float": (float, int), "double": (float, int), "string": (str, bytes)}
_DEFAULT = {"int32": 0, "int64": 0, "bool": False, "float": 0.0, "double": 0.0, "string": ""}
_CLASSES: dict[str, type[Message]] = {}


class Message:
    """One message: its fields are attributes.

    Args:
        values: fields and what they hold.
    Raises:
        ValueError: there is no such field.
        TypeError: a field does not hold such values.

    Example:
        >>> from paddle_compat.base.proto import framework_pb2
        >>> op = framework_pb2.OpDesc(type="scale")
        >>> attr = op.attrs.add(name="scale", type=framework_pb2.FLOAT, f=2.0)
        >>> framework_pb2.OpDesc.FromString(op.SerializeToString()).attrs[0].f
        2.0
        >>> again = framework_pb2.OpDesc()
        >>> again.ParseFromString(op.SerializeToString()) == op.ByteSize(), again == op, again.IsInitialized()
        (True, True, True)
        >>> again.ClearField("attrs")
        >>> again.HasField("type"), [field.name for field, value in again.ListFields()]
        (True, ['type'])
        >>> again.Clear()
        >>> again.CopyFrom(op)
        >>> again.attrs[0].name
        'scale'

    Follows Paddle 1.8 and 2.6.
    """

    _kind = ""
    _values: dict[str, Any]
    _unset: dict[str, Any]  # repeated fields and messages that were asked for while they held nothing
    _tell: Callable[[], None] | None

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(_values={}, _unset={}, _tell=None)
        for name, value in values.items():
            field = self._field(name)
            if field is None:
                raise ValueError(f'Protocol message {self._kind} has no "{name}" field.')
            if field.repeated:
                getattr(self, name).extend(value)
            elif isinstance(value, Message):
                getattr(self, name).CopyFrom(value)
            else:
                setattr(self, name, value)

    @classmethod
    def _field(cls, name: str) -> Field | None:
        return next((f for f in fields(cls._kind).values() if f.name == name), None)

    def __getattr__(self, name: str) -> Any:
        field = self._field(name)
        if field is None:
            raise AttributeError(f'Protocol message {self._kind} has no "{name}" field.')
        if name in self._values:
            return self._values[name]
        if not field.repeated and field.kind in _DEFAULT:
            return 1 if (self._kind, name) == ("Scalar", "type") else _DEFAULT[field.kind]
        if name not in self._unset:
            self._unset[name] = Repeated(field, lambda: self._adopt(name)) if field.repeated else self._part(field)
        return self._unset[name]

    def _part(self, field: Field) -> Message:
        part = _CLASSES[field.kind]()
        part.__dict__["_tell"] = lambda: self._adopt(field.name)
        return part

    def _adopt(self, name: str) -> None:
        if name in self._unset:
            self._values[name] = self._unset.pop(name)
        self._changed()

    def _changed(self) -> None:
        if self._tell is not None:
            self._tell()

    def __setattr__(self, name: str, value: Any) -> None:
        field = self._field(name)
        if field is None:
            raise AttributeError(f'Protocol message {self._kind} has no "{name}" field.')
        if field.repeated or field.kind not in _DEFAULT:
            raise AttributeError(f'Assignment not allowed to the field "{name}" of {self._kind}, which holds messages or many values.')
        self._values[name] = _checked(field, value)
        self._changed()

    # ---- bytes and text
    @classmethod
    def FromString(cls, data: bytes) -> Any:
        """The message that these bytes hold.

        Args:
            data (bytes): an encoded message.
        Returns:
            The message.
        Raises:
            DecodeError: they hold no such message.
        """
        made = cls()
        made.ParseFromString(data)
        return made

    def ParseFromString(self, data: bytes) -> int:
        """Become the message that these bytes hold.

        Args:
            data (bytes): an encoded message.
        Returns:
            int: how many bytes there were.
        Raises:
            DecodeError: they hold no such message.
        """
        try:
            read = decode(bytes(data), self._kind)
        except ValueError as error:
            raise DecodeError(f"Error parsing message: {error}") from error
        self.Clear()
        self._take(read)
        self._changed()
        return len(data)

    def _take(self, read: dict[str, Any]) -> None:
        """Hold what was read from bytes, which needs no check."""
        for field in fields(self._kind).values():
            if field.name not in read:
                continue
            value = read[field.name]
            if field.repeated:
                many = self._values[field.name] = Repeated(field, self._changed)
                for item in value:
                    list.append(many, many._made(item) if isinstance(item, dict) else item)
            elif isinstance(value, dict):
                part = self._values[field.name] = self._part(field)
                part._take(value)
            else:
                self._values[field.name] = value
        if UNKNOWN in read:
            self._values[UNKNOWN] = read[UNKNOWN]

    def _plain(self) -> dict[str, Any]:
        plain: dict[str, Any] = {}
        for name, value in self._values.items():
            if isinstance(value, Message):
                plain[name] = value._plain()
            elif isinstance(value, Repeated):
                if value:
                    plain[name] = [item._plain() if isinstance(item, Message) else item for item in value]
            else:
                plain[name] = value
        return plain

    def SerializeToString(self) -> bytes:
        """The message as bytes.

        Returns:
            bytes.
        Raises:
            EncodeError: a required field is not set.
        """
        try:
            return encode(self._plain(), self._kind)
        except ValueError as error:
            raise EncodeError(f"Message {self._kind} is missing required fields: {error}") from error

    def ByteSize(self) -> int:
        """How many bytes the message takes.

        Returns:
            int.
        """
        return len(self.SerializeToString())

    def __str__(self) -> str:
        """The text that `print` shows, in the order of the protobuf that goes with the version of the default Program."""
        return message_text(self._plain(), self._kind, default_main_program().age)

    __repr__ = __str__

    # ---- what is set
    def HasField(self, name: str) -> bool:
        """Whether a field is set.

        Args:
            name (str): a field that holds one value.
        Returns:
            bool.
        Raises:
            ValueError: there is no such field, or it holds many values.
        """
        field = self._field(name)
        if field is None or field.repeated:
            raise ValueError(f'Protocol message {self._kind} has no singular "{name}" field.')
        return name in self._values

    def ClearField(self, name: str) -> None:
        """Forget what a field holds.

        Args:
            name (str): the field.
        Raises:
            ValueError: there is no such field.
        """
        if self._field(name) is None:
            raise ValueError(f'Protocol message {self._kind} has no "{name}" field.')
        self._values.pop(name, None)
        self._unset.pop(name, None)

    def Clear(self) -> None:
        """Forget what all fields hold."""
        self._values.clear()
        self._unset.clear()

    def CopyFrom(self, other: Any) -> None:
        """Become equal to another message.

        Args:
            other: a message of the same kind.
        Raises:
            TypeError: it is of another kind.
        """
        if not isinstance(other, Message) or other._kind != self._kind:
            raise TypeError(f"Invalid value for argument `other`. Expected a message {self._kind}. Received: {type(other).__name__}")
        self.Clear()
        self._take(other._plain())
        self._changed()

    def ListFields(self) -> list[tuple[Field, Any]]:
        """The fields that are set.

        Returns:
            List of (field, value), by the fields' numbers.
        """
        listed = [f for f in fields(self._kind).values() if f.name in self._values and (not f.repeated or self._values[f.name])]
        return [(f, self._values[f.name]) for f in sorted(listed)]

    def IsInitialized(self) -> bool:
        """Whether all required fields are set, those of its parts too.

        Returns:
            bool.
        """
        try:
            self.SerializeToString()
        except EncodeError:
            return False
        return True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and other._kind == self._kind and other._plain() == self._plain()

    __hash__ = None  # type: ignore[assignment]


class Repeated(list[Any]):
    """The values of a field that holds many; its owner hears of each that comes."""

    def __init__(self, field: Field, changed: Callable[[], None]) -> None:
        super().__init__()
        self._field, self._changed = field, changed

    def _made(self, plain: dict[str, Any]) -> Message:
        part = _CLASSES[self._field.kind]()
        part._take(plain)
        part.__dict__["_tell"] = self._changed
        return part

    def add(self, **values: Any) -> Any:
        """Append a new message and give it."""
        part = _CLASSES[self._field.kind](**values)
        part.__dict__["_tell"] = self._changed
        super().append(part)
        self._changed()
        return part

    def append(self, value: Any) -> None:
        """Append a value, or a copy of a message."""
        if isinstance(value, Message):
            super().append(self._made(value._plain()))
        else:
            super().append(_checked(self._field, value))
        self._changed()

    def extend(self, values: Iterable[Any]) -> None:
        """Append each."""
        for value in values:
            self.append(value)

    def insert(self, place: SupportsIndex, value: Any) -> None:
        """Put a value before another."""
        super().insert(place, _checked(self._field, value))
        self._changed()

    def __setitem__(self, place: Any, value: Any) -> None:
        many = isinstance(place, slice)
        super().__setitem__(place, [_checked(self._field, v) for v in value] if many else _checked(self._field, value))
        self._changed()


def _checked(field: Field, value: Any) -> Any:
    kinds: Any = _PYTHON.get(field.kind)
    if kinds is None or not isinstance(value, kinds) or isinstance(value, bool) and bool not in kinds and field.kind[:3] != "int":
        raise TypeError(f"Invalid value for field `{field.name}`. Expected {field.kind}. Received: {value!r} ({type(value).__name__})")
    if field.kind == "string" and isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    return float(value) if kinds[0] is float else bool(value) if kinds[0] is bool else value


# Paddle keeps the parts of some messages inside them: OpDesc.Attr is the message that the table calls OpAttr
_PARTS = {
    "OpDesc": {"Attr": "OpAttr", "Var": "OpVar"},
    "OpProto": {"Attr": "OpProtoAttr", "Var": "OpProtoVar"},
    "VarDesc": {"Attr": "VarAttr"},
    "VarType": {
        "TensorDesc": "TensorDesc", "LoDTensorDesc": "LoDTensorDesc", "LoDTensorArrayDesc": "LoDTensorDesc",
        "ReaderDesc": "ReaderDesc", "Tuple": "Tuple",
    },
    "OpVersionMap": {"OpVersionPair": "OpVersionPair"},
    "OpCompatibleMap": {"OpCompatiblePair": "OpCompatiblePair"},
}  # fmt: skip
_KINDS = {name: int(getattr(VarType, name)) for name in VarType.__annotations__ if name.isupper()}
_SCALARS = {"BOOLEAN": 1, "LONG": 2, "FLOAT64": 3, "COMPLEX128": 4}
_COMPATIBLE = {"COMPATIBLE": 0, "DEFINITELY_NOT": 1, "POSSIBLE": 2, "BUG_FIX": 3, "PRECISION_CHANGE": 4}
_ENUMS = {"VarType": _KINDS, "Scalar": _SCALARS, "CompatibleInfo": _COMPATIBLE}
ATTR_TYPES = {kind.name: int(kind) for kind in AttrType}


def message_class(kind: str) -> type[Message]:
    """The class of a message by its name in the table of `proto`, made once."""
    if kind not in _CLASSES:
        values = _ENUMS.get(kind, {})
        inner: dict[str, Any] = {**values, **({"Type": Enum(values)} if values else {})}
        made = _CLASSES[kind] = type(kind, (Message,), {"_kind": kind, "__doc__": Message.__doc__, "__module__": __name__, **inner})
        for name, part in _PARTS.get(kind, {}).items():
            setattr(made, name, message_class(part))
        for field in fields(kind).values():
            if field.kind not in _DEFAULT:
                message_class(field.kind)
    return _CLASSES[kind]
