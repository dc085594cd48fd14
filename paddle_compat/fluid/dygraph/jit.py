"""`paddle.fluid.dygraph.jit`: functions and layers of eager mode as Programs, in Paddle 1.8's words."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.errors import failed_assertion, type_error
from paddle_compat.core.place import CPUPlace
from paddle_compat.core.program import Program, program_guard
from paddle_compat.core.scope import Scope, scope_guard
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.dygraph.base import to_variable
from paddle_compat.fluid.dygraph.dygraph_to_static.program_translator import (
    Declarative,
    ProgramTranslator,
    made_by_operator,
    runs_at_once,
)
from paddle_compat.jit.dy2static import convert_call_func
from paddle_compat.jit.dy2static._arguments import Signature
from paddle_compat.jit.dy2static._recording import ConcreteProgram
from paddle_compat.jit.dy2static.convert_call_func import convert_call
from paddle_compat.jit.dy2static.program_translator import StaticFunction
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.static.build_strategy import BuildStrategy
from paddle_compat.static.execution_strategy import ExecutionStrategy


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

    inputs, outputs = recording.input_variables, recording.output_variables
    for numbers, name in ((feed, "feed"), (fetch, "fetch")):
        if numbers is not None and not (isinstance(numbers, (list, tuple)) and all(isinstance(n, int) for n in numbers)):
            raise type_error(name, "a list of int", numbers, "save_inference_model")
    scope = Scope()
    for name, tensor in recording.capture.bound.items():
        scope.var(name).tensor.value = tensor._t.detach()
    main = recording.main_program.clone()
    names = [inputs[i].name for i in (range(len(inputs)) if feed is None else feed)]
    targets = [main.global_block().var(outputs[i].name) for i in (range(len(outputs)) if fetch is None else fetch)]
    with mode.inside(static=True), scope_guard(scope), program_guard(main, Program()):
        io.save_inference_model(dirname, names, targets, Executor(CPUPlace()), main_program=main)


class TracedLayer:
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

    _recording: ConcreteProgram
    _ran = False

    def __init__(self, program: Program, parameters: Any, feed_names: list[str], fetch_names: list[str]) -> None:
        self._program, self._parameters, self._feed_names, self._fetch_names = program, parameters, feed_names, fetch_names

    @property
    def program(self) -> Program:
        """The recorded Program."""
        return self._program

    @staticmethod
    def trace(layer: Any, inputs: Any) -> tuple[Any, TracedLayer]:
        """Run a layer and record what it does.

        Args:
            layer (Layer): the layer.
            inputs (list): its inputs, Tensors.
        Returns:
            What the layer gave, and the TracedLayer.
        Raises:
            AssertionError: it is no layer, or an input no Tensor.
        """
        if not isinstance(layer, Layer):
            raise failed_assertion("layer", "a Layer", layer, "TracedLayer.trace")
        values = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
        for value in values:
            if not isinstance(value, Tensor):
                raise failed_assertion("inputs", "Tensors", value, "TracedLayer.trace")
        output = layer(*values)
        static = StaticFunction(layer.forward, age=1)
        bound = Signature(layer.forward, None).bind(tuple(values), {})
        assert static._signature is not None
        recording = ConcreteProgram(static, static._signature, bound.tree, with_hook=True)
        feeds, fetches = [v.name for v in recording.input_variables], [v.name for v in recording.output_variables]
        made = TracedLayer(recording.main_program, recording.parameters, feeds, fetches)
        made._recording = recording
        return output, made

    def set_strategy(self, build_strategy: Any = None, exec_strategy: Any = None) -> None:
        """Say how the Program runs; nothing here depends on it.

        Args:
            build_strategy (BuildStrategy): of no effect.
            exec_strategy (ExecutionStrategy): of no effect.
        Raises:
            AssertionError: it is something else, or the Program ran before.
        """
        for name, given, kind in (("build_strategy", build_strategy, BuildStrategy), ("exec_strategy", exec_strategy, ExecutionStrategy)):
            if not isinstance(given, (kind, type(None))):
                raise failed_assertion(name, f"a {kind.__name__} or None", given, "TracedLayer.set_strategy")
        if self._ran:
            raise failed_assertion("build_strategy", "to be set before the first run", build_strategy, "TracedLayer.set_strategy")

    def __call__(self, inputs: Any) -> list[Any]:
        """Run the Program on a list of Tensors or arrays; the outputs come as arrays."""
        values = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
        self._ran = True
        from paddle_compat.jit.translated_layer import _tensor

        results = self._recording.partial([_tensor(value) for value in values])
        position = self._recording._position
        return [Tensor(results[position[name]].detach()).numpy() for name in self._fetch_names]

    def save_inference_model(self, dirname: str, feed: list[int] | None = None, fetch: list[int] | None = None) -> None:
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
