"""`paddle.jit.translated_layer`: the layer that a loaded inference model is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from paddle_compat._missing import missing
from paddle_compat.core import capture
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.program import Program
from paddle_compat.core.splice import splice
from paddle_compat.core.tensor import EagerParamBase, Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.engine.partial import PartialProgram
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.static.input import InputSpec

BUFFER_NAME_PREFIX, PARAMETER_NAME_PREFIX = "buffer", "param"  # of what a loaded layer has, in Paddle


class LoadedProgram:
    """A method of a loaded model.

    Args:
        program (Program): the inference Program.
        feeds, fetches: the names of its inputs, and its outputs.
        bound: the Tensors of its persistable variables.
    """

    def __init__(self, program: Program, feeds: Sequence[str], fetches: Sequence[Variable], bound: dict[str, Tensor]) -> None:
        block = program.global_block()
        block.ops = [op for op in block.ops if op.type not in ("feed", "fetch")]
        for name in [name for name, var in block.vars.items() if var.type.name in ("FEED_MINIBATCH", "FETCH_LIST")]:
            block._remove_var(name)
        for var in block.vars.values():
            var._stop_gradient = False
        program._touch()
        self.program, self.feeds, self.fetches, self.bound = program, list(feeds), list(fetches), bound
        self._partial: dict[bool, PartialProgram] = {}

    def __call__(self, inputs: Sequence[Any], training: bool) -> Any:
        """Run once, or write the model into what is recorded; several outputs come as a list."""
        if len(inputs) != len(self.feeds):
            raise invalid_argument("inputs", f"{len(self.feeds)} ({', '.join(self.feeds)})", len(inputs), "TranslatedLayer")
        if capture.current is not None:
            return self._recorded(capture.current, inputs, training)
        tensors = [_tensor(value) for value in inputs]
        if training not in self._partial:
            program = self._trained() if training else self.program
            self._partial[training] = PartialProgram(program, self.feeds, [v.name for v in self.fetches], self.bound)
        with torch.set_grad_enabled(training and torch.is_grad_enabled()):
            results = [Tensor(value) for value in self._partial[training](tensors)]
        return results[0] if len(results) == 1 else results

    def _recorded(self, recording: capture.Capture, inputs: Sequence[Any], training: bool) -> Any:
        given = dict(zip(self.feeds, map(capture.as_variable, inputs)))
        given |= {name: recording.variable(tensor) for name, tensor in self.bound.items()}
        made = splice(self._trained() if training else self.program, given, recording.program.current_block())
        results = [made[var.name] for var in self.fetches]
        return results[0] if len(results) == 1 else results

    def _trained(self) -> Program:
        """The Program with operators as they are in training."""
        program = self.program.clone()
        for block in program.blocks:
            for var in block.vars.values():
                var._stop_gradient = False
            for op in block.ops:
                if "is_test" in op.attrs:
                    op.attrs["is_test"] = False
        return program


def _tensor(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        from paddle_compat.tensor.creation import to_tensor

        value = to_tensor(value)
    if not isinstance(value, Tensor):
        raise type_error("inputs", "Tensors or numpy arrays", value, "TranslatedLayer")
    return value._t


class TranslatedLayer(Layer):
    """A layer made of a saved inference model; `paddle.jit.load` gives it.

    It starts in inference mode; after `train()` it can be trained on.

    Args:
        programs (dict): method -> what runs it.
        persistable_vars (dict): name -> Tensor.

    Example:
        >>> import os, tempfile, paddle_compat as paddle
        >>> prefix = os.path.join(tempfile.mkdtemp(), "net")
        >>> paddle.jit.save(paddle.nn.Linear(4, 2), prefix, input_spec=[paddle.static.InputSpec([None, 4], name="x")])
        >>> net = paddle.jit.load(prefix)
        >>> net.training, [name for name, _ in net.named_parameters()]
        (False, ['param_0', 'param_1'])
        >>> net.train().forward(paddle.ones([3, 4])).shape
        [3, 2]
        >>> [op.type for op in net.program().global_block().ops]
        ['matmul_v2', 'elementwise_add', 'scale']

    Follows Paddle 2.6.
    """

    def __init__(self, programs: dict[str, LoadedProgram], persistable_vars: dict[str, Tensor]) -> None:
        super().__init__()
        if not isinstance(programs, dict):
            raise type_error("programs", "a dict", programs, "TranslatedLayer")
        self._programs = programs
        counts = {"param": 0, "buffer": 0}
        for tensor in persistable_vars.values():
            kind = "param" if isinstance(tensor, EagerParamBase) else "buffer"
            name = f"{kind}_{counts[kind]}"
            counts[kind] += 1
            if kind == "param":
                self.add_parameter(name, tensor)
            else:
                self.register_buffer(name, tensor)
        for method in programs:
            if method != "forward":
                object.__setattr__(self, method, self._method(method))
        self.eval()

    def _method(self, name: str) -> Callable[..., Any]:
        def call(*inputs: Any) -> Any:
            return self._programs[name](inputs, self.training)

        call.__name__ = name
        return call

    def forward(self, *inputs: Any) -> Any:
        """Run the model.

        Args:
            inputs: Tensors or numpy arrays, in the order of the saved inputs.
        Returns:
            A Tensor, or a list where the model has several outputs.
        Raises:
            ValueError: there are too many or too few inputs, or one of another type, or the model was saved without `forward`.
        """
        return self._of("forward", "forward")(inputs, self.training)

    def program(self, method_name: str = "forward") -> Program:
        """The Program of a method.

        Args:
            method_name (str): which.
        Returns:
            Program: for inference.
        Raises:
            ValueError: there is no such method.
        """
        return self._of(method_name, "program").program

    def _of(self, method_name: str, api: str) -> LoadedProgram:
        found = self._programs.get(method_name)
        if found is None:
            raise invalid_argument("method_name", f"one of {list(self._programs)}", repr(method_name), f"TranslatedLayer.{api}")
        return found

    def _input_spec(self, method_name: str = "forward") -> list[InputSpec]:
        method = self._of(method_name, "_input_spec")
        variables = [method.program.global_block().var(name) for name in method.feeds]
        return [InputSpec(v.shape, v.dtype, v.name) for v in variables]

    def _output_spec(self, method_name: str = "forward") -> list[InputSpec]:
        return [InputSpec(v.shape, v.dtype, v.name) for v in self._of(method_name, "_output_spec").fetches]


INFER_MODEL_SUFFIX, INFER_PARAMS_SUFFIX, INFER_PARAMS_INFO_SUFFIX = ".pdmodel", ".pdiparams", ".pdiparams.info"
PIR_INFER_MODEL_SUFFIX, PirTranslatedLayer = ".json", TranslatedLayer  # `paddle.jit.pir_translated_layer` of Paddle 3

__all__ = ["INFER_MODEL_SUFFIX", "INFER_PARAMS_INFO_SUFFIX", "INFER_PARAMS_SUFFIX", "TranslatedLayer"]

__getattr__ = missing(__name__)
