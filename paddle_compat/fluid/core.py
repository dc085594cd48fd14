"""`paddle.fluid.core`: the names of Paddle's C++ module that scripts reach for."""

from paddle_compat._missing import missing
from paddle_compat.fluid import framework
from paddle_compat.fluid.dygraph import _core_ops, _varbase
from paddle_compat.fluid.dygraph.backward_strategy import BackwardStrategy
from paddle_compat.static.native import *  # noqa: F403
from paddle_compat.static.native import __all__ as _native

get_all_op_protos = framework.get_all_op_protos  # type: ignore[assignment]  # those of 1.8
VarBase = _varbase.VarBase  # type: ignore[assignment,misc]
ops = _core_ops.Ops()

__all__ = [*_native, "BackwardStrategy", "VarBase", "ops"]

__getattr__ = missing(__name__)
