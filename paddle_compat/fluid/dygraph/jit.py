"""`paddle.fluid.dygraph.jit`: functions and layers of eager mode as Programs, in Paddle 1.8's words."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.errors import type_error
from paddle_compat.core.place import CPUPlace
from paddle_compat.core.program import Program, program_guard
from paddle_compat.core.scope import scope_guard
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.dygraph.base import to_variable
from paddle_compat.fluid.dygraph.dygraph_to_static.program_translator import (
    Declarative,
    ProgramTranslator,
    made_by_operator,
    runs_at_once,
)
from paddle_compat.jit import _traced as traced
from paddle_compat.jit._traced import checked_numbers, to_save
from paddle_compat.jit.dy2static import convert_call_func
from paddle_compat.jit.dy2static._recording import ConcreteProgram
from paddle_compat.jit.dy2static.convert_call_func import convert_call
from paddle_compat.jit.dy2static.program_translator import StaticFunction


def declarative(func: Callable[..., Any]) -> Callable[..., Any]:
    """Run a function of eager mode as a recorded Program; branches and loops may depend on its values.

    Args:
        func (callable): the function, or a method.
    Returns:
        A callable that stands for it.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> @fluid.dygraph.declarative
        ... def double(x):
        ...     if fluid.layers.mean(x) > 0:
        ...         x = x * 2
        ...     return x
        >>> with fluid.dygraph.guard():
        ...     double(fluid.dygraph.to_variable(fluid.dygraph.base.np.ones([2], "float32"))).numpy()
        array([2., 2.], dtype=float32)

    Follows Paddle 1.8.
    """
    return Declarative(func.dygraph_function if isinstance(func, StaticFunction) else func, age=1, wrap=made_by_operator)


def dygraph_to_static_func(func: Callable[..., Any]) -> Callable[..., Any]:
    """Rewrite a function, so that its branches and loops may depend on Variables while a Program is written.

    Args:
        func (callable): the function.
    Returns:
        A callable that stands for it.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> @fluid.dygraph.dygraph_to_static_func
        ... def double(x):
        ...     if fluid.layers.mean(x) > 0:
        ...         x = x * 2
        ...     return x
        >>> with fluid.program_guard(fluid.Program()):
        ...     double(fluid.data("x", [2])).shape
        (2,)

    Follows Paddle 1.8.
    """

    @functools.wraps(func)
    def call(*args: Any, **kwargs: Any) -> Any:
        if runs_at_once() or not ProgramTranslator().enable_declarative:
            return func(*args, **kwargs)
        return convert_call(func)(*args, **kwargs)

    return call


def _recorded_array(value: Any, name: str | None = None, zero_copy: bool | None = None) -> Any:
    """What `to_variable` is in a Program: an operator that gives the array's values."""
    from paddle_compat.fluid.layers import assign

    return value if isinstance(value, Variable) else assign(value)


convert_call_func.recorded_as[to_variable] = _recorded_array


def save_recording(recording: ConcreteProgram, dirname: str, feed: list[int] | None, fetch: list[int] | None) -> None:
    """Save a recording as inference model of Paddle 1.8."""
    from paddle_compat.fluid import io
    from paddle_compat.fluid.executor import Executor

    checked_numbers(feed, fetch)
    main, scope, inputs, outputs = to_save(recording, feed, fetch)
    with mode.inside(static=True), scope_guard(scope), program_guard(main, Program()):
        io.save_inference_model(dirname, [v.name for v in inputs], outputs, Executor(CPUPlace()), main_program=main)


class TracedLayer(traced.TracedLayer):
    """A layer of eager mode as a Program; `TracedLayer.trace` makes it.

    What the layer does with the inputs of the tracing is what the Program does: branches of Python are taken as they were then.

    Args:
        program (Program): what was recorded.
        parameters: the Tensors that the Program reads.
        feed_names, fetch_names: names of inputs and outputs.

    Example:
        >>> import os, tempfile, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     x = fluid.dygraph.to_variable(fluid.dygraph.base.np.ones([3, 4], "float32"))
        ...     out, traced = fluid.dygraph.TracedLayer.trace(fluid.dygraph.Linear(4, 2), [x])
        >>> traced.set_strategy()
        >>> traced([x])[0].shape == tuple(out.shape), traced.program.num_blocks
        (True, 1)
        >>> folder = tempfile.mkdtemp()
        >>> traced.save_inference_model(folder, feed=[0], fetch=[0])
        >>> "__model__" in os.listdir(folder)
        True

    Follows Paddle 1.8.
    """

    _age = 1

    def save_inference_model(  # type: ignore[override]
        self, dirname: str, feed: list[int] | None = None, fetch: list[int] | None = None
    ) -> None:
        """Save the Program as inference model: `__model__`, and a file for each parameter.

        Args:
            dirname (str): the folder.
            feed, fetch (list): the numbers of the inputs and outputs to keep; None: all.
        Raises:
            TypeError: the folder is no str, or the numbers are no list of int.
        """
        if not isinstance(dirname, str):
            raise type_error("dirname", "str", dirname, "TracedLayer.save_inference_model")
        save_recording(self._recording, dirname, feed, fetch)


__all__ = ["TracedLayer", "declarative", "dygraph_to_static_func"]

__getattr__ = missing(__name__)
