"""TracedLayer: what a layer does with some inputs, as a Program."""

from __future__ import annotations

import os
from typing import Any

from paddle_compat.core import mode
from paddle_compat.core.errors import failed_assertion, invalid_argument, type_error
from paddle_compat.core.place import CPUPlace
from paddle_compat.core.program import Program, program_guard
from paddle_compat.core.scope import Scope, scope_guard
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.jit.dy2static._arguments import Signature
from paddle_compat.jit.dy2static._recording import ConcreteProgram
from paddle_compat.jit.dy2static.program_translator import StaticFunction
from paddle_compat.jit.translated_layer import _tensor
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.static.build_strategy import BuildStrategy
from paddle_compat.static.execution_strategy import ExecutionStrategy


def _name_variables(recording: ConcreteProgram) -> None:
    """Call what goes in `feed_N`, what comes out `fetch_N` and what lies between `t_N`, as Paddle does."""
    block = recording.main_program.global_block()
    if recording.main_program.num_blocks > 1:  # a branch knows the names of what lies around it
        return
    new: dict[str, str] = {}
    for prefix, variables in (("feed", recording.input_variables), ("fetch", recording.output_variables)):
        for i, var in enumerate(variables):
            if not var.persistable:
                new.setdefault(var.name, f"{prefix}_{i}")
    between = dict.fromkeys(name for op in block.ops for name in op.output_arg_names)
    inner = [name for name in between if name not in new and not block.var(name).persistable]
    new |= {name: f"t_{i}" for i, name in enumerate(inner)}
    for stage in ({name: f"{name}@TRACED" for name in new}, {f"{name}@TRACED": called for name, called in new.items()}):
        for name, called in stage.items():  # in two steps, as a layer may have called something `t_0` itself
            block._rename_var(name, called)


class TracedLayer:
    """A layer of eager mode as a Program; `TracedLayer.trace` makes it.

    What the layer does with the inputs of the tracing is what the Program does: branches of Python are taken as they were then.

    Args:
        program (Program): what was recorded.
        parameters: the Tensors that the Program reads.
        feed_names, fetch_names: names of inputs and outputs.

    Example:
        >>> import os, tempfile, paddle_compat as paddle
        >>> x = paddle.ones([3, 4])
        >>> out, traced = paddle.jit.api.TracedLayer.trace(paddle.nn.Linear(4, 2), [x])
        >>> traced.set_strategy()
        >>> traced([x])[0].shape == tuple(out.shape), traced.program.num_blocks
        (True, 1)
        >>> prefix = os.path.join(tempfile.mkdtemp(), "net")
        >>> traced.save_inference_model(prefix, feed=[0], fetch=[0])
        >>> sorted(os.listdir(os.path.dirname(prefix)))
        ['net.pdiparams', 'net.pdmodel']

    Follows Paddle 2.4, the last that could trace.
    """

    _age = 2
    _recording: ConcreteProgram
    _ran = False

    def __init__(self, program: Program, parameters: Any, feed_names: list[str], fetch_names: list[str]) -> None:
        self._program, self._parameters, self._feed_names, self._fetch_names = program, parameters, feed_names, fetch_names

    @property
    def program(self) -> Program:
        """The recorded Program."""
        return self._program

    @classmethod
    def trace(cls, layer: Any, inputs: Any) -> tuple[Any, TracedLayer]:
        """Run a layer and record what it does.

        Args:
            layer (Layer): the layer.
            inputs (list): its inputs, Tensors.
        Returns:
            What the layer gave, and the TracedLayer.
        Raises:
            AssertionError: it is no layer.
            TypeError: an input is no Tensor.
        """
        if not isinstance(layer, Layer):
            raise failed_assertion("layer", "a Layer", layer, "TracedLayer.trace")
        values = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
        for value in values:
            if not isinstance(value, Tensor):
                raise type_error("each element of inputs", "a Tensor", value, "TracedLayer.trace")
        output = layer(*values)
        static = StaticFunction(layer.forward, age=cls._age)
        bound = Signature(layer.forward, None).bind(tuple(values), {})
        assert static._signature is not None
        recording = ConcreteProgram(static, static._signature, bound.tree, with_hook=True)
        _name_variables(recording)
        feeds, fetches = [v.name for v in recording.input_variables], [v.name for v in recording.output_variables]
        made = cls(recording.main_program, recording.parameters, feeds, fetches)
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
        if not isinstance(inputs, (list, tuple)):
            raise failed_assertion("inputs", "a list or tuple of Tensors", inputs, "TracedLayer")
        if len(inputs) != len(self._feed_names):
            raise failed_assertion("inputs", f"{len(self._feed_names)} of them", len(inputs), "TracedLayer")
        self._ran = True
        results = self._recording.partial([_tensor(value) for value in inputs])
        position = self._recording._position
        return [Tensor(results[position[name]].detach()).numpy() for name in self._fetch_names]

    def save_inference_model(self, path: str, feed: list[int] | None = None, fetch: list[int] | None = None, **kwargs: Any) -> None:
        """Save the Program as inference model: `PATH.pdmodel` and `PATH.pdiparams`.

        Args:
            path (str): folder and prefix of the files' names.
            feed, fetch (list): the numbers of the inputs and outputs to keep; None: all.
            kwargs: `clip_extra` (bool).
        Raises:
            TypeError: the path is no str, or the numbers are no list of int.
            ValueError: the path has no file prefix.
        """
        if not isinstance(path, str):
            raise type_error("path", "str", path, "TracedLayer.save_inference_model")
        checked_numbers(feed, fetch)
        if not os.path.basename(path):
            raise invalid_argument("path", "folder/prefix", repr(path), "TracedLayer.save_inference_model")
        from paddle_compat.static import Executor, save_inference_model

        main, scope, inputs, outputs = to_save(self._recording, feed, fetch)
        with mode.inside(static=True), scope_guard(scope), program_guard(main, Program()):
            save_inference_model(path, inputs, outputs, Executor(CPUPlace()), program=main, **kwargs)


def checked_numbers(feed: Any, fetch: Any) -> None:
    """Refuse what are no lists of numbers of inputs and outputs.

    Raises:
        TypeError: one is neither None nor a list of int.
    """
    for numbers, name in ((feed, "feed"), (fetch, "fetch")):
        if numbers is not None and not (isinstance(numbers, (list, tuple)) and all(type(n) is int for n in numbers)):
            raise type_error(name, "a list of int", numbers, "save_inference_model")


def to_save(recording: ConcreteProgram, feed: Any, fetch: Any) -> tuple[Program, Scope, list[Variable], list[Variable]]:
    """A recording as a Program, its values, and the inputs and outputs to keep."""
    inputs, outputs = recording.input_variables, recording.output_variables
    scope = Scope()
    for name, tensor in recording.capture.bound.items():
        scope.var(name).tensor.value = tensor._t.detach()
    main = recording.main_program.clone()
    block = main.global_block()
    chosen = [inputs[i].name for i in (range(len(inputs)) if feed is None else feed)]
    targets = [outputs[i].name for i in (range(len(outputs)) if fetch is None else fetch)]
    return main, scope, [block.var(name) for name in chosen], [block.var(name) for name in targets]
