"""`paddle.fluid.framework`: Programs and what belongs to them, in the spelling of Paddle 1.8."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.base._ir_graph import IrGraph
from paddle_compat.base._ir_nodes import IrNode as IrNode
from paddle_compat.base._ir_nodes import IrOpNode as IrOpNode
from paddle_compat.base._ir_nodes import IrVarNode as IrVarNode
from paddle_compat.base._places import _cpu_num, _dygraph_place_guard  # noqa: F401 - scripts take them from here
from paddle_compat.core import mode, op_protos, program, variable
from paddle_compat.core import unique_name as unique_name
from paddle_compat.core.dtype import VarType, convert_dtype
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.guards import full_name_scope as _full_name_scope  # noqa: F401 - unit tests call it by this name
from paddle_compat.core.operator import Operator, OpRole
from paddle_compat.core.place import current_place
from paddle_compat.core.program import (
    Block,
    device_guard,
    name_scope,
    switch_main_program,
    switch_startup_program,
)
from paddle_compat.core.tensor import EagerParamBase, Tensor
from paddle_compat.fluid.dygraph._complex_variable import ComplexVariable as ComplexVariable
from paddle_compat.fluid.dygraph._parambase import ParamBase as ParamBase
from paddle_compat.framework.flags import get_flags, set_flags
from paddle_compat.static._kinds import Kind
from paddle_compat.static.places import cpu_places, cuda_pinned_places, cuda_places
from paddle_compat.static.versions import require_version

EMPTY_VAR_NAME = "@EMPTY@"
TEMP_VAR_NAME = "@TEMP@"
GRAD_VAR_SUFFIX = "@GRAD"
ZERO_VAR_SUFFIX = "@ZERO"
CONTROL_DEP_VAR_PREFIX = "@ControlDep"


class _AnyProgram(type):
    """Every Program is an instance of `fluid.Program`, whoever made it."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, program.Program)


class Program(program.Program, metaclass=_AnyProgram):
    """An empty Program that follows Paddle 1.8 from its first operator on; see `paddle.static.Program`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> isinstance(fluid.default_main_program(), fluid.Program)
        True

    Follows Paddle 1.8.
    """

    def __init__(self) -> None:
        super().__init__()
        self.age = 1


class Variable(variable.Variable, metaclass=Kind):
    """A named value of a Block; see `paddle.static.Variable`. Values of eager mode count as instances, too.

    Args:
        block, type, name, shape, dtype, lod_level, capacity, persistable, error_clip, stop_gradient, is_data, need_check_feed,
            belong_to_optimizer, kwargs: as of `paddle.static.Variable`.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     isinstance(fluid.dygraph.to_variable(np.ones(2)), fluid.Variable)
        True

    Follows Paddle 1.8.
    """

    eager, recorded = Tensor, variable.Variable


class Parameter(variable.Parameter, metaclass=Kind):
    """A Variable that is trained; see `paddle.static.nn.create_parameter`. Parameters of eager mode count as instances, too.

    Args:
        block, shape, dtype, type, kwargs: as of `Block.create_parameter`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     isinstance(fluid.dygraph.Linear(2, 2).weight, fluid.framework.Parameter)
        True

    Follows Paddle 1.8.
    """

    eager, recorded = EagerParamBase, variable.Parameter


class OpProtoHolder(op_protos.OpProtoHolder):
    """The descriptions of all operators, as Paddle 1.8 gives them: `OpProtoHolder.instance().get_op_proto("mul")`."""

    age = 1


@contextmanager
def program_guard(main_program: program.Program, startup_program: program.Program | None = None) -> Iterator[None]:
    """Record into these Programs inside the block; they follow Paddle 1.8 from then on.

    Args:
        main_program: takes the operators and variables.
        startup_program: takes the parameters' initialisation; None keeps the current one.
    Returns:
        A context manager.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.layers.fill_constant([1], "float32", 2.0).shape
        (1,)

    Follows Paddle 1.8.
    """
    default_main_program(), default_startup_program()  # outside, too, the script is one of 1.8
    mode.settle_static()
    with program.program_guard(main_program, startup_program):
        main_program.age = 1
        if startup_program is not None:
            startup_program.age = 1
        yield


def default_main_program() -> program.Program:
    """The Program that operators are recorded into; one that nothing was recorded into yet follows Paddle 1.8.

    Returns:
        Program.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.default_main_program().num_blocks
        1

    Follows Paddle 1.8.
    """
    return _first_age(program.default_main_program())


def default_startup_program() -> program.Program:
    """The Program that parameter initialisation is recorded into; an empty one follows Paddle 1.8.

    Returns:
        Program.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.default_startup_program().num_blocks
        1

    Follows Paddle 1.8.
    """
    return _first_age(program.default_startup_program())


def _first_age(found: program.Program) -> program.Program:
    """The Program, of Paddle 1.8 where nothing says otherwise: scripts of 2.x that use `fluid`, too, chose a mode before."""
    if mode.is_static() is None and not any(block.vars or block.ops for block in found.blocks):
        found.age = 1
    return found


def in_dygraph_mode() -> bool:
    """Whether operators run at once.

    Returns:
        bool.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.in_dygraph_mode()
        False

    Follows Paddle 1.8.
    """
    return mode._static is False


def convert_np_dtype_to_dtype_(np_dtype: Any) -> VarType:
    """A numpy dtype as VarType.

    Args:
        np_dtype: a numpy dtype or its name.
    Returns:
        VarType.

    Example:
        >>> from paddle_compat.fluid.framework import convert_np_dtype_to_dtype_
        >>> convert_np_dtype_to_dtype_("int64").name
        'INT64'

    Follows Paddle 1.8.
    """
    return convert_dtype(np_dtype)


def dtype_is_floating(dtype: Any) -> bool:
    """Whether a data type is a floating one."""
    return convert_dtype(dtype) in (VarType.FP16, VarType.FP32, VarType.FP64)


def is_compiled_with_cuda() -> bool:
    """Whether GPUs can be used: here, whether torch sees one.

    Returns:
        bool.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.is_compiled_with_cuda() in (True, False)
        True

    Follows Paddle 1.8.
    """
    return torch.cuda.is_available()


def load_op_library(lib_filename: str) -> None:
    """Load a library of custom C++ operators: not there.

    Args:
        lib_filename (str): the library.
    Raises:
        UnsupportedError: always; `fluid.layers.py_func` calls Python from a Program.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.load_op_library("mine.so")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        paddle_compat.core.errors.UnsupportedError: `fluid.load_op_library` is not supported ...

    Follows Paddle 1.8.
    """
    raise UnsupportedError("fluid.load_op_library", None, "fluid.layers.py_func")


def _dygraph_tracer() -> Any:
    """What runs eager operators; None in static mode. That of scripts of Paddle 2 computes gradients in its `eval_mode`, too."""
    if not in_dygraph_mode():
        return None
    from paddle_compat.base.dygraph import tracer as later
    from paddle_compat.fluid.dygraph import _eager, tracer

    return tracer.TRACER if _eager.first_age() else later.TRACER


def _current_expected_place() -> Any:
    return current_place()


def grad_var_name(var_name: str) -> str:
    """The name of a variable's gradient."""
    return var_name + GRAD_VAR_SUFFIX


def dygraph_only(func: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function work in eager mode only."""

    @functools.wraps(func)
    def checked(*args: Any, **kwargs: Any) -> Any:
        assert in_dygraph_mode(), f"`{func.__name__}` works in eager mode only. Expected fluid.dygraph.guard(). Received: a call outside"
        return func(*args, **kwargs)

    return checked


def dygraph_not_support(func: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function work in static mode only."""

    @functools.wraps(func)
    def checked(*args: Any, **kwargs: Any) -> Any:
        assert not in_dygraph_mode(), f"`{func.__name__}` works in static mode only. Expected a call outside of fluid.dygraph.guard()"
        return func(*args, **kwargs)

    return checked


static_only = dygraph_not_support  # as Paddle 2 calls it
# What harnesses of Paddle 2.2 to 2.4 ask, where eager mode came in two makes: ours is the newer one.
_non_static_mode = _in_eager_without_dygraph_check = in_dygraph_mode
_in_eager_mode_ = True


def _in_legacy_dygraph() -> bool:
    return False


def _enable_legacy_dygraph() -> None:
    """Of no effect: the older make's operators give the newer one's results."""


_disable_legacy_dygraph = _enable_legacy_dygraph


def _varbase_creator(
    type: Any = VarType.LOD_TENSOR, name: str | None = None, shape: Any = None, dtype: Any = None, persistable: Any = None, **kwargs: Any
) -> Tensor:
    """What an operator is to fill; libraries make their outputs with it."""
    from paddle_compat.fluid.dygraph._parambase import placeholder

    return placeholder(dtype or None, name, bool(persistable), list(shape or [0]))


def _dygraph_guard(tracer: Any) -> AbstractContextManager[None]:
    """Eager mode inside, static mode where the tracer is None; names and Programs stay."""
    return mode.inside(static=tracer is None)


@contextmanager
def _test_eager_guard(place: Any = None) -> Iterator[None]:
    """Eager mode inside, of the newer make."""
    with _dygraph_guard(True), _dygraph_place_guard(place):
        yield


def get_all_op_protos() -> list[op_protos.OpProto]:
    """The description of every operator.

    Returns:
        List of OpProto, in no order.

    Example:
        >>> from paddle_compat.fluid import framework
        >>> scale = next(proto for proto in framework.get_all_op_protos() if proto.type == "scale")
        >>> [slot.name for slot in scale.inputs]
        ['X', 'ScaleTensor']

    Follows Paddle 1.8.
    """
    return op_protos.all_protos(1)


__all__ = [
    "Block", "IrGraph", "OpRole", "Operator", "Parameter", "Program", "Variable", "convert_np_dtype_to_dtype_", "cpu_places",
    "cuda_pinned_places", "cuda_places", "default_main_program", "default_startup_program", "device_guard", "get_flags", "in_dygraph_mode",
    "is_compiled_with_cuda", "load_op_library", "name_scope", "program_guard", "require_version", "set_flags", "switch_main_program",
    "switch_startup_program",
]  # fmt: skip

_missing = missing(__name__)


def __getattr__(name: str) -> Any:
    if name == "core":  # which needs this module
        from paddle_compat.fluid import core

        return core
    return _missing(name)
