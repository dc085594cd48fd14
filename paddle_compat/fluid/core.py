"""`paddle.fluid.core`: the names of Paddle's C++ module that scripts reach for."""

from importlib import import_module
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.base import _kernels
from paddle_compat.base._blocking_queue import LoDTensorBlockingQueue, init_lod_tensor_blocking_queue
from paddle_compat.core.errors import EnforceNotMet
from paddle_compat.core.op_protos import encoded_protos
from paddle_compat.fluid import op
from paddle_compat.fluid.dygraph import _core_ops, _varbase
from paddle_compat.fluid.dygraph.backward_strategy import BackwardStrategy
from paddle_compat.fluid.dygraph.layers import NativeLayer as Layer
from paddle_compat.fluid.dygraph.parallel import ParallelStrategy
from paddle_compat.io.multiprocess_utils import erase_process_pids as _erase_process_pids
from paddle_compat.io.multiprocess_utils import set_process_pids as _set_process_pids
from paddle_compat.io.multiprocess_utils import set_process_signal_handler as _set_process_signal_handler
from paddle_compat.io.multiprocess_utils import throw_error_if_process_failed as _throw_error_if_process_failed
from paddle_compat.static._native_in_place import may_write_over
from paddle_compat.static.native import *  # noqa: F403
from paddle_compat.static.native import __all__ as _native


def get_all_op_protos() -> list[bytes]:  # type: ignore[no-redef]
    """The description of every operator, encoded.

    Returns:
        List of bytes that `framework_pb2.OpProto.FromString` reads, in no order.

    Example:
        >>> from paddle_compat.fluid import core
        >>> from paddle_compat.fluid.proto import framework_pb2
        >>> protos = [framework_pb2.OpProto.FromString(data) for data in core.get_all_op_protos()]
        >>> "mul" in {proto.type for proto in protos}
        True

    Follows Paddle 1.8.
    """
    return encoded_protos(1)


def _get_all_register_op_kernels() -> dict[str, list[str]]:
    """The kernels of operators on CPUs; what has none here has no gradient to check, for one.

    Returns:
        dict: an operator's type -> a text for each type of data, with the place that it runs at.

    Example:
        >>> from paddle_compat.fluid import core
        >>> core._get_all_register_op_kernels()["fsp"][0]
        'data_type[double]:data_layout[ANY_LAYOUT]:place[CPUPlace]:library_type[PLAIN]'

    Follows Paddle 1.8.
    """
    return _kernels.kernels_of_fluid()


def __unittest_throw_exception__() -> None:  # type: ignore[no-redef]
    """Raise the exception by which Paddle's tests look whether Python gets those of C++, in the words of Paddle 1.8.

    Raises:
        EnforceNotMet: always.

    Example:
        >>> from paddle_compat.fluid import core
        >>> core.__unittest_throw_exception__()
        Traceback (most recent call last):
        ...
        paddle_compat.core.errors.EnforceNotMet: Error: test exception

    Follows Paddle 1.8.
    """
    raise EnforceNotMet("Error: test exception")


def has_infer_inplace(op_type: str) -> bool:  # type: ignore[no-redef]
    """Whether an operator may write over its inputs' memory, as `BuildStrategy.enable_inplace` lets it.

    Args:
        op_type (str): the operator's type.
    Returns:
        bool.

    Example:
        >>> from paddle_compat.fluid import core
        >>> core.has_infer_inplace("square"), core.has_infer_inplace("log")
        (True, False)

    Follows Paddle 1.8.
    """
    return may_write_over(op_type, 1)


VarBase = _varbase.VarBase  # type: ignore[misc]
Operator = op.SingleOperator  # type: ignore[misc]
ops = _core_ops.Ops()

__all__ = [
    *_native, "BackwardStrategy", "Layer", "LoDTensorBlockingQueue", "ParallelStrategy", "VarBase",
    "_erase_process_pids", "_get_all_register_op_kernels", "_set_process_pids", "_set_process_signal_handler",
    "_throw_error_if_process_failed", "init_lod_tensor_blocking_queue", "ops",
]  # fmt: skip

_missing = missing(__name__)


def __getattr__(name: str) -> Any:
    """Predictors and graphs load when they are asked for."""
    if name == "AnalysisConfig":
        name = "FirstConfig"
    if name in (
        "FirstConfig", "AnalysisPredictor", "NativeConfig", "NativePaddlePredictor", "PaddleBuf", "PaddleDType",
        "PaddlePredictor", "PaddleTensor", "ZeroCopyTensor", "create_paddle_predictor", "paddle_dtype_size", "paddle_tensor_to_bytes",
    ):  # fmt: skip
        return getattr(import_module("paddle_compat.inference._analysis"), name)
    if name in (
        "Graph", "Node", "Pass", "build_adjacency_list", "get_pass", "graph_num", "graph_safe_remove_nodes", "has_circle", "topology_sort",
    ):  # fmt: skip
        return getattr(import_module("paddle_compat.base.core"), name)
    return _missing(name)
