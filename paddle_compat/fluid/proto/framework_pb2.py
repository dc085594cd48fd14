"""`paddle.fluid.proto.framework_pb2`: the messages of a program's description, read and written without protobuf."""

from paddle_compat._missing import missing
from paddle_compat.base.proto.framework_pb2 import (
    BLOCK,
    BLOCKS,
    BOOLEAN,
    BOOLEANS,
    FLOAT,
    FLOATS,
    INT,
    INTS,
    LONG,
    LONGS,
    STRING,
    STRINGS,
    AttrType,
    BlockDesc,
    OpDesc,
    OpProto,
    ProgramDesc,
    VarDesc,
    VarType,
    Version,
)
from paddle_compat.core.messages import message_class

CompatibleInfo = message_class("CompatibleInfo")
OpCompatibleMap = message_class("OpCompatibleMap")

__all__ = [
    "AttrType", "BLOCK", "BLOCKS", "BOOLEAN", "BOOLEANS", "BlockDesc", "CompatibleInfo", "FLOAT", "FLOATS", "INT", "INTS",
    "LONG", "LONGS", "OpCompatibleMap", "OpDesc", "OpProto", "ProgramDesc", "STRING", "STRINGS", "VarDesc", "VarType", "Version",
]  # fmt: skip

__getattr__ = missing(__name__)
