"""The backward pass and the updates of a DistModel, as its `Strategy` asks for them."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from paddle_compat.core import capture
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import UnsupportedError, invalid_argument
from paddle_compat.core.operator import OpRole
from paddle_compat.core.program import Block, Program, program_guard
from paddle_compat.core.variable import Variable
from paddle_compat.distributed.auto_parallel._dist_model_precision import Scaled
from paddle_compat.distributed.auto_parallel._dist_model_recomputing import recompute
from paddle_compat.distributed.auto_parallel._strategies import Strategy
from paddle_compat.engine.dist_program_merged import Merging

Pairs = list[tuple[Variable, Variable]]


class Training:
    """What a recording of the mode "train" has behind its loss.

    Attributes:
        optimizer: a copy of the given one, whose states are Variables.
        merging: where gradients of parts of a batch are added up; None: nowhere.

    Args:
        given: the optimizer.
        strategy: the settings.
        loss: what it makes small.
        taken: the recording.
    """

    def __init__(self, given: Any, strategy: Strategy, loss: Variable, taken: capture.Capture) -> None:
        own = self.optimizer = copy.copy(getattr(given, "_inner_opt", given))  # shard_optimizer's stands before another
        params = own._parameter_list or []
        if any(isinstance(each, dict) for each in params):
            raise UnsupportedError("paddle.distributed.to_static", "an optimizer of groups of parameters", "a list of parameters")
        program, block = taken.program, taken.program.global_block()
        _mark(block, taken)
        met = {id(tensor): name for name, tensor in taken.bound.items()}
        trained = [block.vars[met[id(param)]] for param in params if id(param) in met and not param.stop_gradient]
        if not trained:
            raise invalid_argument("optimizer", "one of parameters that the loss depends on", [p.name for p in params], "to_static")
        own._start(own._name)
        own._parameter_list = None
        for param in filter(own._needs_master, trained):  # the startup Program makes the copy of
            taken.startup.global_block()._add_var(name=param.name, shape=param.shape, dtype=param.dtype, persistable=True)
        writer = Scaled(own, strategy.amp) if strategy.amp.enable else own
        pairs = writer.backward(loss, taken.startup, trained)
        if strategy._recompute.enable:
            recompute(block, taken.segments)
        self.merging: Merging | None = None
        merge = strategy.gradient_merge
        with program_guard(program, taken.startup):
            if merge.enable and merge.k_steps > 1:
                sums, adds = _added_up(block, pairs)
                if merge.avg:
                    _divide(block, [sums[grad.name] for _, grad in pairs], merge.k_steps)
                pairs = [(param, block.vars[sums[grad.name]]) for param, grad in pairs]
            writer.apply_gradients(pairs)
            if merge.enable and merge.k_steps > 1:
                self.merging = Merging(merge.k_steps, sums, adds, _cleared(block, list(sums.values())))
        _mark(block, taken)  # what is written where no gradients are recorded is marked otherwise, parameters too

    def show_sums(self, program: Program, startup: Program) -> None:
        """Show the sums of gradients as what they are: values that stay, zeros at the beginning."""
        for name in self.merging.sums.values() if self.merging is not None else ():
            var = program.global_block().vars[name]
            startup.global_block()._add_var(name=name, shape=var.shape, dtype=var.dtype, persistable=True)
            var.persistable = True
        if self.merging is not None:
            _cleared(startup.global_block(), list(self.merging.sums.values()))


def _mark(block: Block, taken: capture.Capture) -> None:
    """Let gradients stop at the Variables at whose Tensors they do."""
    for name, tensor in taken.bound.items():
        block.vars[name].stop_gradient = tensor.stop_gradient


def _added_up(block: Block, pairs: Pairs) -> tuple[dict[str, str], list[Any]]:
    """Variables of the sums of gradients, and the operators that add to them."""
    sums: dict[str, str] = {}
    adds = []
    for param, grad in pairs:
        name = sums[grad.name] = f"{param.name}@GRAD@MERGE"
        block._add_var(name=name, shape=grad.shape, dtype=grad.dtype, type=VarType.LOD_TENSOR, stop_gradient=True)
        given, role = {"X": [name, grad.name]}, {"op_role": OpRole.Backward}
        adds.append(block.append_op(type="sum", inputs=given, outputs={"Out": [name]}, attrs=role))
    return sums, adds


def _divide(block: Block, names: Sequence[str], steps: int) -> None:
    for name in names:
        attrs = {"scale": 1.0 / steps, "bias": 0.0, "bias_after_scale": False, "op_role": OpRole.Optimize}
        block.append_op(type="scale", inputs={"X": [name]}, outputs={"Out": [name]}, attrs=attrs)


def _cleared(block: Block, names: Sequence[str]) -> list[Any]:
    """The operators that write zeros."""
    made = []
    for name in names:
        var = block.vars[name]
        attrs = {"shape": list(var.shape), "dtype": int(var.dtype), "value": 0.0, "op_role": OpRole.Optimize}
        made.append(block.append_op(type="fill_constant", outputs={"Out": [name]}, attrs=attrs))
    return made


__all__ = ["Training"]
