"""`paddle.jit.dy2static`: what rewritten code calls (`_jst`), and who rewrites it."""

from __future__ import annotations

from paddle_compat._lazy import lazy
from paddle_compat.jit.dy2static.convert_call_func import convert_call as Call
from paddle_compat.jit.dy2static.convert_operators import convert_assert as Assert
from paddle_compat.jit.dy2static.convert_operators import convert_attr as Attr
from paddle_compat.jit.dy2static.convert_operators import convert_bool as Bool
from paddle_compat.jit.dy2static.convert_operators import convert_choice as Choose
from paddle_compat.jit.dy2static.convert_operators import convert_compare as Compare
from paddle_compat.jit.dy2static.convert_operators import convert_except as Except
from paddle_compat.jit.dy2static.convert_operators import convert_for_loop as For
from paddle_compat.jit.dy2static.convert_operators import convert_get_attribute as GetAttribute
from paddle_compat.jit.dy2static.convert_operators import convert_ifelse as IfElse
from paddle_compat.jit.dy2static.convert_operators import convert_iter as Iter
from paddle_compat.jit.dy2static.convert_operators import convert_len as Len
from paddle_compat.jit.dy2static.convert_operators import convert_logical_and as And
from paddle_compat.jit.dy2static.convert_operators import convert_logical_not as Not
from paddle_compat.jit.dy2static.convert_operators import convert_logical_or as Or
from paddle_compat.jit.dy2static.convert_operators import convert_return as Return
from paddle_compat.jit.dy2static.convert_operators import convert_return_of_loop as RefuseReturn
from paddle_compat.jit.dy2static.convert_operators import convert_set_attribute as SetAttribute
from paddle_compat.jit.dy2static.convert_operators import convert_shape as Shape
from paddle_compat.jit.dy2static.convert_operators import convert_var_dtype as AsDtype
from paddle_compat.jit.dy2static.convert_operators import convert_while_loop as While
from paddle_compat.jit.dy2static.utils import UndefinedVar

__getattr__, __dir__, _ = lazy(
    __name__,
    {
        "program_translator": ("convert_to_static",),
        "ast_transformer": ("DygraphToStaticAst",),  # this and what follows is for harnesses
        "static_analysis": ("StaticAnalysisVisitor",),
        "utils_helper": ("NodeVarType",),
    },
)
__all__ = ["convert_to_static"]
