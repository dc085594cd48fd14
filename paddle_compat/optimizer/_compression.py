"""Deep gradient compression for the momentum optimizers of Paddle 1.8 and 2.x: what they write besides their updates."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar

from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import UnimplementedError, UnsupportedError, failed_assertion, type_error
from paddle_compat.core.layer_helper import LayerHelper
from paddle_compat.core.mode import in_dygraph_mode
from paddle_compat.core.operator import OpRole
from paddle_compat.core.program import default_main_program
from paddle_compat.core.variable import Variable
from paddle_compat.optimizer._updates import Accumulator, Pair, Updates
from paddle_compat.static.variables import make_global_var

_SMALL = 16384  # elements below which a gradient travels whole
_COUNTER, _RANKS, _BEGIN = "__g_dgc_counter__", "__g_nranks__", "__g_rampup_begin_step__"


@dataclass
class Compression:
    """How gradients are compressed, in Programs and in eager mode.

    Attributes:
        begin: the step from which on they are; steps: in how many `sparsity` is gone through.
        sparsity: shares of the elements that are not sent.
        local_norm: to which norm a gradient is clipped before it is compressed; 0: to none.
        momentum: how much of the velocity stays; nesterov: look ahead.
        regularization: of parameters that have no rule of their own.
    """

    begin: float
    steps: float
    sparsity: list[float]
    local_norm: float
    momentum: float
    nesterov: bool
    regularization: Any

    def of_compression(self, param: Any) -> dict[str, Any]:
        """The attributes of a parameter's `dgc`."""
        rule = getattr(param, "regularizer", None) or self.regularization
        return {
            "m": self.momentum,
            "sparsity": self.sparsity,
            "use_nesterov": self.nesterov,
            "rampup_begin_step": self.begin,
            "rampup_step": self.steps,
            "regular_coeff": 0.0 if rule is None else float(getattr(rule, "_regularization_coeff", None) or rule._coeff),
            "regular_type": 0 if rule is None else 1 if "L1" in type(rule).__name__ else 2,
        }

    def of_clip(self) -> dict[str, Any]:
        """The attributes of `dgc_clip_by_norm`."""
        return {"max_norm": self.local_norm, "rampup_begin_step": self.begin}

    def of_update(self) -> dict[str, Any]:
        """The attributes of `dgc_momentum`."""
        return {"mu": self.momentum, "use_nesterov": self.nesterov, "rampup_begin_step": self.begin}


def local_norm(clip: Any, kind: Any, trainers: int | None, name: str) -> float:
    """To which norm each of so many trainers clips its own gradients, so that their mean is clipped to that of a clip; 0: to none.

    Args:
        kind: the clip that is possible.
        name: who asks.
    Raises:
        AssertionError: nobody says how many trainers there are.
        TypeError: another kind of clip.
    """
    if clip is None:
        return 0.0
    if not isinstance(clip, kind):
        raise type_error("grad_clip", kind.__name__, clip, name)
    if not (isinstance(trainers, int) and trainers > 0):
        raise failed_assertion("num_trainers", "how many train, by whose root `grad_clip` is divided", trainers, name)
    return float(clip.clip_norm) * trainers**-0.5


def is_large(shape: Any) -> bool:
    """Whether a parameter has as many elements as make compression worth it."""
    return prod(abs(size) for size in shape) >= _SMALL


class CompressedUpdates(Updates):
    """What turns a momentum optimizer into one that sends the largest elements of large gradients.

    A subclass is this and the optimizer of its age; it calls `_compress` when it is made.
    """

    _accumulator_table = (Accumulator("_dgc_u_", "Velocity"),)
    _clip_class: ClassVar[Any]  # the clip that is possible

    @staticmethod
    def _clip_by_parameter(pairs: list[Pair]) -> list[Pair]:
        """The front-end's `append_gradient_clip_ops`."""
        raise UnimplementedError("A compressed optimizer does not say how gradients are clipped.")

    regularization: Any
    _grad_clip: Any
    _momentum: float
    _use_nesterov: bool

    def _compress(self, begin: float, steps: float, sparsity: Any, trainers: int | None) -> None:
        """Take over the settings of the compression.

        Raises:
            UnsupportedError: in eager mode, which has no such operators.
            AssertionError: a step below zero, or no number of trainers where gradients are clipped.
            TypeError: gradients are clipped in another way than by their norm.
        """
        name = type(self).__name__
        if in_dygraph_mode():
            raise UnsupportedError(f"{name} in eager mode", None, "Momentum, or static mode")
        if begin < 0:
            raise failed_assertion("rampup_begin_step", "zero or more", begin, name)
        self._compression = Compression(
            float(begin),
            float(steps),
            [float(share) for share in sparsity],
            local_norm(self._grad_clip, self._clip_class, trainers, name),
            self._momentum,
            self._use_nesterov,
            self.regularization,
        )

    def _is_use_dgc(self, param: Any, grad: Any) -> bool:
        """Whether a gradient is compressed."""
        return is_large(param.shape) and grad is not None and param.dtype == VarType.FP32 and grad.type != VarType.SELECTED_ROWS

    def apply_gradients(self, params_grads: list[Pair]) -> Any:
        """As of the base; large gradients are clipped, decayed and compressed by themselves, before they are summed.

        Args:
            params_grads (list): what `backward` returned.
        Returns:
            list: the operators appended.
        """
        self._make_shared()
        default_main_program()._enable_dgc = True
        pairs = sorted(params_grads, key=lambda pair: str(pair[0].name))
        compressed = [pair for pair in params_grads if self._is_use_dgc(*pair)]
        for param, grad in compressed:
            self._append_dgc(param, grad)
        chosen = {param.name for param, _ in compressed}
        others = [pair for pair in pairs if pair[0].name not in chosen]
        others = self._grad_clip(others) if self._grad_clip is not None else self._clip_by_parameter(others)
        changed = {param.name: grad for param, grad in self.append_regularization_ops(others, self.regularization)}
        return self._create_optimization_pass([(param, changed.get(param.name, grad)) for param, grad in pairs])

    def _make_shared(self) -> None:
        """The count of steps, the number of ranks and the first step, once a Program; -1 stands for the ranks that there are."""
        block = default_main_program().global_block()
        if block.has_var(_COUNTER):
            return
        counter = make_global_var(self._age, [1], -1.0, "float32", True, True, _COUNTER)
        block._prepend_op(type="increment", inputs={"X": [counter]}, outputs={"Out": [counter]}, attrs={"step": 1.0})
        make_global_var(self._age, [1], -1.0, "float32", True, True, _RANKS)
        make_global_var(self._age, [1], self._compression.begin, "float32", True, True, _BEGIN)

    def _state(self, param: Any, ending: str, shape: tuple[int, ...] = (1,)) -> Variable:
        return make_global_var(self._age, list(shape), 0.0, "float32", True, ending == "__dgc_k__", param.name + ending)

    def _append_dgc(self, param: Any, grad: Any) -> None:
        program = default_main_program()
        block = program.global_block()
        self.helper = LayerHelper(type(self).__name__, age=self._age)
        velocity = self._add_accumulator("_dgc_u_", param)
        waiting = self._add_accumulator("_dgc_v_", param)
        shared = {"current_step": [block.var(_COUNTER)], "nranks": [block.var(_RANKS)]}
        buffers = {
            slot: [self._state(param, ending)]
            for slot, ending in (("k", "__dgc_k__"), ("EncodeGrad", "__dgc_encoded__"), ("GatherBuff", "__dgc_gather__"))
        }
        if self._compression.local_norm:
            with program._backward_role_guard():
                block.append_op(
                    type="dgc_clip_by_norm",
                    inputs={"X": [grad], "current_step": shared["current_step"]},
                    outputs={"Out": [grad]},
                    attrs=self._compression.of_clip(),
                )
        with program._role(OpRole.Backward, [param, grad]):
            block.append_op(
                type="dgc",
                inputs={"U": [velocity], "V": [waiting], "Grad": [grad], "Param": [param], **shared},
                outputs={"U_out": [velocity], "V_out": [waiting], "Grad_out": [grad], **buffers},
                attrs=self._compression.of_compression(param),
            )

    def _append_optimize_op(self, block: Any, param_and_grad: Pair) -> Any:
        param, grad = self._pair(param_and_grad)
        if not self._is_use_dgc(param, grad):
            return super()._append_optimize_op(block, param_and_grad)
        velocity = self._get_accumulator("_dgc_u_", param)
        return block.append_op(
            type="dgc_momentum",
            inputs={
                "Param": [param],
                "Grad": [grad],
                "Velocity": [velocity],
                "LearningRate": [self._create_param_lr(param_and_grad)],
                "current_step": [block.var(_COUNTER)],
                "nranks": [block.var(_RANKS)],
            },
            outputs={"ParamOut": [param], "VelocityOut": [velocity], "Grad_out": [grad]},
            attrs=self._compression.of_update(),
        )
