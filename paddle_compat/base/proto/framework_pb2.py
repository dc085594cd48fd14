"""`paddle.base.proto.framework_pb2`: the messages of a program's description, read and written without protobuf."""

from paddle_compat._missing import missing
from paddle_compat.core.messages import ATTR_TYPES, Enum, message_class

AttrType = Enum(ATTR_TYPES)
INT, FLOAT, STRING, INTS, FLOATS, STRINGS, BOOLEAN, BOOLEANS, BLOCK, LONG, BLOCKS, LONGS = range(12)
FLOAT64S, VAR, VARS, FLOAT64, SCALAR, SCALARS = range(12, 18)
BlockDesc = message_class("BlockDesc")
Complex = message_class("Complex")
OpDesc = message_class("OpDesc")
OpProto = message_class("OpProto")
OpVersion = message_class("OpVersion")
OpVersionMap = message_class("OpVersionMap")
ProgramDesc = message_class("ProgramDesc")
Scalar = message_class("Scalar")
VarDesc = message_class("VarDesc")
VarType = message_class("VarType")
Version = message_class("Version")

__all__ = [
    "AttrType", "BLOCK", "BLOCKS", "BOOLEAN", "BOOLEANS", "BlockDesc", "Complex", "FLOAT", "FLOAT64", "FLOAT64S", "FLOATS",
    "INT", "INTS", "LONG", "LONGS", "OpDesc", "OpProto", "OpVersion", "OpVersionMap", "ProgramDesc", "SCALAR", "SCALARS",
    "STRING", "STRINGS", "Scalar", "VAR", "VARS", "VarDesc", "VarType", "Version",
]  # fmt: skip

__getattr__ = missing(__name__)
