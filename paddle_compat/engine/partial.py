"""Running a recorded function: a Program whose persistable variables are Tensors of eager mode.

The lowered graph runs in the caller's grad mode on the Tensors' own torch tensors, so gradients flow through torch's autograd
to inputs and parameters, and a backward pass later is the eager one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import torch

from paddle_compat.core import direct, flags, grad_mode, mode
from paddle_compat.core.backward import gradients
from paddle_compat.core.dtype import is_float
from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.core.place import set_run_device
from paddle_compat.core.program import Program, program_guard
from paddle_compat.core.tensor import Tensor
from paddle_compat.engine import in_place, peephole
from paddle_compat.engine.culprit import explain
from paddle_compat.engine.lowering import Lowered, lower

Compile = Callable[[Lowered], Callable[..., Any]]


def _without_history(value: Any, inputs: Sequence[torch.Tensor]) -> Any:
    """A result of a run whose caller wants no gradients; an input that is handed on stays what it is."""
    kept = not isinstance(value, torch.Tensor) or any(value is given for given in inputs)
    return value if kept else grad_mode.without_history(value)


class PartialProgram:
    """A Program bound to Tensors.

    Args:
        program: what was recorded.
        feeds: names of its inputs, in the order of the arguments.
        fetches: names of its results.
        bound: name of a persistable variable -> the Tensor that it stands for.
        compile: makes something faster of the graph; None: its code runs as it is.
    """

    def __init__(
        self, program: Program, feeds: Sequence[str], fetches: Sequence[str], bound: Mapping[str, Tensor], compile: Compile | None = None
    ) -> None:
        self.forward_program, self.bound = program, dict(bound)
        self.training = True
        self._fetched = list(fetches)
        self.lowered = lower(program, list(feeds), [], list(fetches), self.bound.__contains__, lambda name: False, keep_grad=True)
        if not flags.get("FLAGS_check_nan_inf"):
            peephole.apply(self.lowered)
            peephole.apply_inside(self.lowered)
            if compile is None:
                in_place.apply(self.lowered)
        self.call: Callable[..., Any] = compile(self.lowered) if compile is not None else self.lowered.module.forward
        # inputs that gradients inside of the Program are for
        self.trained = [i for i, name in enumerate(feeds) if name in self.lowered.trained]
        unknown = [name for name in self.lowered.states if name not in self.bound]
        if unknown:
            raise InvalidArgumentError(f"The Program reads Variable `{unknown[0]}`. Expected it among the inputs {list(feeds)}.")
        self.tensors = [self.bound[name] for name in self.lowered.states]
        # fetched names are followed by their LoD where they have one
        self.with_lod = any(self.lowered.fetches)

    @cached_property
    def train_program(self) -> Program:
        """The Program with the operators that make gradients, for those who look at them: what runs has none, as PyTorch makes them."""
        program = self.forward_program.clone()
        block = program.global_block()
        targets = [block.vars[name] for name in self._fetched if name in block.vars and is_float(block.vars[name].dtype)]
        if targets:
            with mode.inside(True), program_guard(program):
                gradients(targets, [var for var in block.vars.values() if not var.stop_gradient and var.op is None])
        return program

    @cached_property
    def backward_program(self) -> Program:
        """The operators that make gradients by themselves, without those that give the results their gradients."""
        program = self.train_program.clone()
        block = program.global_block()
        for _ in self.forward_program.global_block().ops:
            block._remove_op(0)
        while block.ops and block.ops[0].type == "fill_any_like":
            block._remove_op(0)
        return program

    @cached_property
    def infer_program(self) -> Program:
        """The Program that nobody trains."""
        return self.forward_program.clone(for_test=True) if self.training else self.forward_program

    @property
    def program(self) -> Program:
        """The Program of the mode that it was recorded in."""
        return self.train_program if self.training else self.infer_program

    # the names by which tests of Paddle's own compare them
    @property
    def _train_program(self) -> Program:
        return self.train_program

    @property
    def _infer_program(self) -> Program:
        return self.infer_program

    @property
    def _origin_main_program(self) -> Program:
        return self.forward_program

    @property
    def _params(self) -> list[Tensor]:
        return list(self.bound.values())

    def __call__(self, inputs: Sequence[Any]) -> Any:
        """Run once and return what is fetched; Tensors that the Program updates have their new values.

        Scripts may give Tensors, and get Tensors then: the only one alone.
        """
        if inputs and isinstance(inputs[0], Tensor):
            found = [Tensor(value) for value in self([x._t for x in inputs])]
            return found[0] if len(found) == 1 else found
        if not direct.on_cpu:
            inputs = self._together(inputs)
        grad = torch.is_grad_enabled()
        if self.trained:
            inputs = list(inputs)
            for i in self.trained:
                inputs[i] = inputs[i] if inputs[i].requires_grad else inputs[i].detach().requires_grad_()
        if self.lowered.trained:  # the Program's own gradients, where the caller wants none
            torch._C._set_grad_enabled(True)
        former = set_run_device(inputs[0].device if inputs else None)
        try:
            out = self.call(*inputs, *[tensor._t for tensor in self.tensors])
        except Exception as error:
            raise explain(self.lowered, error, inputs) from error
        finally:
            set_run_device(former)
            torch._C._set_grad_enabled(grad)
        values = iter(out if grad else [_without_history(value, inputs) for value in out])  # windows have one
        results = []
        for with_lod in self.lowered.fetches:
            results.append(next(values))
            if with_lod:
                next(values)
        for name, value in zip(self.lowered.updates, values):
            self._update(name, value)
        return results

    def _together(self, inputs: Sequence[torch.Tensor]) -> Sequence[torch.Tensor]:
        """The inputs in one place with what the Program reads: on the GPU, if anything is, as eager mode would move it."""
        kept = [tensor._t for tensor in self.tensors]
        gpu = next((value.device for value in (*inputs, *kept) if value.is_cuda), None)
        if gpu is None:
            return inputs
        for tensor, value in zip(self.tensors, kept):
            if not value.is_cuda:
                tensor._become(value.detach().to(gpu).requires_grad_(value.requires_grad))
        return [value if value.is_cuda else value.to(gpu) for value in inputs]

    def _update(self, name: str, value: torch.Tensor) -> None:
        tensor = self.bound.get(name)
        if tensor is None:
            self.bound[name] = Tensor(value.detach(), name, True)
        elif tensor._t is not value:
            tensor._become(value.detach().requires_grad_(tensor._t.requires_grad) if tensor._t.is_leaf else value)


__all__ = ["PartialProgram"]
