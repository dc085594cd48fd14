"""`paddle.fluid.dygraph.base`: eager mode on and off, values from arrays, gradients."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ContextDecorator, ExitStack, contextmanager
from typing import Any

import numpy as np
import torch

from paddle_compat._missing import missing
from paddle_compat.autograd._grad import once
from paddle_compat.autograd._second import OF_FLUID, led_on
from paddle_compat.base.dygraph import base as modern
from paddle_compat.base.dygraph.base import (  # noqa: F401 - harnesses take them from here
    _switch_to_static_graph_,
    _switch_tracer_mode_guard_,
    param_guard,
    program_desc_tracing_guard,
    switch_to_static_graph,
)
from paddle_compat.base.wrapped_decorator import alike
from paddle_compat.core import mode, place, program
from paddle_compat.core.errors import InvalidArgumentError, PermissionDeniedError, failed_assertion, invalid_argument, type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.engine import eager_backward
from paddle_compat.fluid.dygraph import _eager, _parambase  # noqa: F401 - in eager mode blocks make what `_parambase` says
from paddle_compat.fluid.dygraph._varbase import VarBase, array_tensor
from paddle_compat.fluid.dygraph.backward_strategy import BackwardStrategy

_entered: ExitStack | None = None  # what enable_dygraph entered


_inside: list[_Guard] = []  # the guards that are entered: `guard().__enter__()` lasts, though nobody keeps what it was called on


class _Guard(ContextDecorator):
    def __init__(self, place: Any) -> None:
        self._place = place
        self._entered: list[AbstractContextManager[None]] = []

    def __enter__(self) -> None:
        manager = _at_once(self._place)
        manager.__enter__()
        self._entered.append(manager)
        _inside.append(self)

    def __exit__(self, *error: Any) -> bool | None:
        _inside.remove(self)
        return self._entered.pop().__exit__(*error)


def guard(place: Any = None) -> _Guard:
    """Eager mode inside: new default Programs (for their `random_seed`), names from the start.

    Args:
        place (CPUPlace|CUDAPlace): where values go; None: where they go outside.
    Returns:
        A context manager.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     fluid.layers.mean(fluid.dygraph.to_variable(np.array([1.0, 3.0]))).numpy()
        array([2.])

    Follows Paddle 1.8.
    """
    return _Guard(place)


@contextmanager
def _at_once(place: Any) -> Iterator[None]:
    former_place, former_numbers = _move_to(place), _eager.numbers(0)
    mode.settle_by_imports()
    former_age = _eager.enter(_eager.first_age() or not (enabled() or mode.of_paddle_2()))
    try:
        with mode.eager_guard(), torch.enable_grad():
            if _eager.first_age():
                program.default_main_program().age = program.default_startup_program().age = 1
            yield
    finally:
        _eager.enter(former_age)
        _eager.numbers(former_numbers)
        if former_place is not None:
            _move_to(former_place)


def _move_to(where: Any) -> Any:
    """Make a place the current one; gives what was."""
    if where is None:
        return None
    if not hasattr(where, "torch_device"):
        raise InvalidArgumentError(f"Invalid value for argument `place`. Expected a CPUPlace or CUDAPlace. Received: {where!r}")
    former = place.current_place()
    place.set_current_place(where)
    return former


def enabled() -> bool:
    """Whether eager mode is on.

    Returns:
        bool.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     fluid.dygraph.enabled()
        True

    Follows Paddle 1.8.
    """
    return mode._static is False


def enable_dygraph(place: Any = None) -> None:
    """Eager mode from here on.

    Args:
        place (CPUPlace|CUDAPlace): where values go; None: the default place.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.enable_dygraph()
        >>> fluid.in_dygraph_mode()
        True
        >>> fluid.disable_dygraph()

    Follows Paddle 1.8.
    """
    global _entered
    if not enabled() or _entered is None:
        _entered = ExitStack()
        _entered.enter_context(guard(place))


def disable_dygraph() -> None:
    """Static mode from here on, after `enable_dygraph`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.enable_dygraph()
        >>> fluid.disable_dygraph()
        >>> fluid.in_dygraph_mode()
        False

    Follows Paddle 1.8.
    """
    global _entered
    if _entered is not None:
        _entered.close()
        _entered = None


enable_imperative = enable_dygraph
disable_imperative = disable_dygraph


@contextmanager
def _without_gradients() -> Iterator[None]:
    with torch.no_grad() if mode.in_dygraph_mode() else ExitStack():
        yield


def no_grad(func: Callable[..., Any] | None = None) -> Any:
    """No gradients inside, and layers such as `fluid.layers.dropout` behave as when testing.

    Args:
        func (callable): a function to decorate; None for a context manager.
    Returns:
        The decorated function, or a context manager that decorates, too.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     x = fluid.dygraph.to_variable(np.array([1.0]))
        ...     x.stop_gradient = False
        ...     with fluid.dygraph.no_grad():
        ...         inside = x * 2
        ...     inside.stop_gradient, (x * 2).stop_gradient
        (True, False)

    Follows Paddle 1.8.
    """
    return _without_gradients() if func is None else alike(_without_gradients()(func), func)


def to_variable(value: Any, name: str | None = None, zero_copy: bool | None = None, dtype: Any = None) -> Any:
    """A value from an array; gradients stop at it.

    Args:
        value (numpy.ndarray|VarBase): the array; a VarBase is given back.
        name (str): None: a new one.
        zero_copy (bool): share the array's memory, on the CPU; None: True.
        dtype: data type, in scripts of Paddle 2.0 to 2.4, where `value` may be a list, too.
    Returns:
        VarBase; in those scripts a Tensor.
    Raises:
        AssertionError: eager mode is off.
        TypeError: it is no array.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     x = fluid.dygraph.to_variable(np.ones([2, 3], "float32"))
        ...     x.shape, x.stop_gradient
        ([2, 3], True)

    Follows Paddle 1.8.
    """
    _eager.settle([value])
    if isinstance(value, (Tensor, Variable)):
        return value
    if enabled() and not _eager.first_age():
        return modern.to_variable(value, name, zero_copy, dtype)
    if not enabled():
        raise failed_assertion("value", "eager mode, inside fluid.dygraph.guard()", "static mode", "to_variable")
    if not isinstance(value, np.ndarray):
        raise type_error("value", "a numpy array or a VarBase", value, "to_variable")
    return VarBase(array_tensor(value, zero_copy is not False).to(place.current_place().torch_device), name=name)


def _several(value: Any, argument: str) -> list[Any]:
    found = list(value) if isinstance(value, (list, tuple, set)) else [value]
    for item in found:
        if not isinstance(item, Tensor):
            raise failed_assertion(argument, "a VarBase or a list of them", item, "dygraph.grad")
    return found


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool = False,
    no_grad_vars: Any = None,
    backward_strategy: BackwardStrategy | None = None,
) -> list[Any]:
    """Gradients of the sum of outputs with respect to inputs; no `.gradient()` changes.

    Args:
        outputs, inputs (VarBase|list): values.
        grad_outputs (VarBase|list): what the outputs' gradients start from; None: ones.
        retain_graph (bool): keep the graph for another pass; None: as `create_graph`.
        create_graph (bool): the gradients can be differentiated.
        only_inputs (bool): True.
        allow_unused (bool): None for an input that no output depends on, instead of an error.
        no_grad_vars (VarBase|list|set): values that no gradient flows through.
        backward_strategy (BackwardStrategy): of no effect on the result.
    Returns:
        list: a VarBase for each input.
    Raises:
        AssertionError: an argument is of a wrong type.
        InvalidArgumentError: an input stops gradients, or is not reached; a gradient does not fit its output.
        PermissionDeniedError: an output has no gradient; an output or input is among `no_grad_vars`.
        AlreadyExistsError: a value is listed twice.
        PreconditionNotMetError: a part of the graph was differentiated before.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     x = fluid.dygraph.to_variable(np.array([3.0]))
        ...     x.stop_gradient = False
        ...     (first,) = fluid.dygraph.grad(x * x * x, x, create_graph=True)
        ...     (second,) = fluid.dygraph.grad(first, x)
        ...     first.numpy(), second.numpy()
        (array([27.]), array([18.]))

    Follows Paddle 1.8.
    """
    targets, sources = _several(outputs, "outputs"), _several(inputs, "inputs")
    for argument, given in (("create_graph", create_graph), ("allow_unused", allow_unused)):
        if not isinstance(given, bool):
            raise failed_assertion(argument, "True or False", given, "dygraph.grad")
    if retain_graph is not None and not isinstance(retain_graph, bool):
        raise failed_assertion("retain_graph", "None, True or False", retain_graph, "dygraph.grad")
    if not targets or not sources:
        raise failed_assertion("outputs" if not targets else "inputs", "values", [], "dygraph.grad")
    if backward_strategy is not None and not isinstance(backward_strategy, BackwardStrategy):
        raise failed_assertion("backward_strategy", "a BackwardStrategy", backward_strategy, "dygraph.grad")
    if not only_inputs:
        raise failed_assertion("only_inputs", "True", only_inputs, "dygraph.grad")
    starts = list(grad_outputs) if isinstance(grad_outputs, (list, tuple)) else [grad_outputs] * len(targets)
    if len(starts) != len(targets):
        raise failed_assertion("grad_outputs", f"{len(targets)} values, as many as outputs", starts, "dygraph.grad")
    for start in starts:
        if start is not None:
            _several(start, "grad_outputs")
    cut = [] if no_grad_vars is None else _several(no_grad_vars, "no_grad_vars")
    for argument, values in (("outputs", targets), ("inputs", sources)):
        once(argument, values)
        for value in values:
            if any(value is other for other in cut):
                raise PermissionDeniedError(
                    f"Invalid value for argument `no_grad_vars`. Expected none of {argument}. Received: `{value.name}`"
                )
    for target, start in zip(targets, starts):
        if not target._t.requires_grad:
            raise PermissionDeniedError(f"Output `{target.name}` has no gradient. Expected stop_gradient False. Received: True")
        if start is not None and (start.shape != target.shape or start.dtype != target.dtype):
            raise invalid_argument(
                "grad_outputs", f"{target.shape} {target.dtype}, as its output is", f"{start.shape} {start.dtype}", "dygraph.grad"
            )
    for source in sources:
        if not source._t.requires_grad:
            raise InvalidArgumentError(f"Input `{source.name}` has no gradient. Expected stop_gradient False. Received: True")
    hooks = [eager_backward.block(v._t, v._t.grad_fn) for v in cut if v._t.grad_fn is not None]
    try:
        found = torch.autograd.grad(
            [t._t for t in targets], [s._t for s in sources],
            [torch.ones_like(t._t) if g is None else g._t for t, g in zip(targets, starts)],
            retain_graph=retain_graph, create_graph=create_graph, allow_unused=True,
        )  # fmt: skip
    except RuntimeError as error:
        if "second time" not in str(error):
            raise
        raise _eager.gone(targets[0], "retain_graph=True where a graph is differentiated again") from error
    finally:
        for hook in hooks:
            hook.remove()
    for source, value in zip(sources, found):
        if value is None and not allow_unused:
            raise InvalidArgumentError(
                f"Input `{source.name}` is not reached from the outputs. Expected one that they depend on, or allow_unused=True."
            )
    gradients: list[torch.Tensor | None] = list(found)
    if create_graph:
        gradients = [eager_backward.differentiable(value) for value in found]
        if not cut:
            gradients = led_on(gradients, [t._t for t in targets], [s._t for s in sources], OF_FLUID)
    return [None if value is None else _gradient(source, value) for source, value in zip(sources, gradients)]


def _gradient(source: Any, value: torch.Tensor) -> VarBase:
    made = VarBase(value, name=source.name + "@GRAD")
    if value.requires_grad:
        _eager.remember(made)
    return made


__all__ = [
    "disable_dygraph", "disable_imperative", "enable_dygraph", "enable_imperative", "enabled", "grad", "guard", "no_grad", "to_variable",
]  # fmt: skip

__getattr__ = missing(__name__)
