"""Workers that step alone and meet every few steps, asked for by `strategy.localsgd` and `strategy.adaptive_localsgd`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from paddle_compat._missing import missing
from paddle_compat.core import unique_name
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.operator import OpRole
from paddle_compat.core.program import Program, default_main_program, default_startup_program, program_guard
from paddle_compat.core.variable import Variable
from paddle_compat.distributed.fleet.meta_optimizers._steps import LONGEST, AdaptiveLocalSteps, LocalSteps, steps_alone
from paddle_compat.distributed.fleet.meta_optimizers.meta_optimizer_base import MetaOptimizerBase
from paddle_compat.optimizer import SGD, Momentum
from paddle_compat.static.nn._blocks import ConditionalBlock
from paddle_compat.static.variables import create_global_var

_SNAPSHOT = "@SNAPSHOT"


class LocalSGDOptimizer(MetaOptimizerBase):
    """Workers step by their own gradients; in each of the first `begin_step` steps, then every `k_steps`, they take the mean.

    Args:
        optimizer: a `Momentum` or `SGD` of the user's, or another layer around it.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> paddle.enable_static()
        >>> strategy = fleet.DistributedStrategy()
        >>> strategy.localsgd = True
        >>> strategy.localsgd_configs = {"k_steps": 4, "begin_step": 30}
        >>> fleet.init(is_collective=True, strategy=strategy)
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1, bias_attr=False))
        ...     _ = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1)).minimize(loss)
        >>> loss.block.ops[-1].type  # one worker has nobody to meet
        'sgd'
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    switch = "localsgd"
    _local_steps: ClassVar[Any] = LocalSteps  # of eager mode

    def _can_apply(self) -> bool:
        return super()._can_apply() and self.role_maker._worker_num() > 1

    def _misfit(self) -> str:
        user = self.user_defined_optimizer
        return "" if isinstance(user, (SGD, Momentum)) else f"it goes with SGD and Momentum, and not with {type(user).__name__}"

    def _wrapped(self) -> None:
        """Look whether local steps are possible.

        Raises:
            UnsupportedError: with the other kind of local steps, and with what changes gradients before they are sent.
        """
        strategy = self.user_defined_strategy
        if strategy.localsgd and strategy.adaptive_localsgd:
            raise UnsupportedError("fleet.DistributedStrategy.localsgd", "True with adaptive_localsgd=True", "one of them")
        for other in ("gradient_merge", "fp16_allreduce"):
            if getattr(strategy, other):
                raise UnsupportedError(f"fleet.DistributedStrategy.{self.switch}", f"True with {other}=True", "one of them")

    def _steps(self) -> Any:
        """Steps of a worker alone, with meetings in between."""
        self._wrapped()
        return self._local_steps(self.inner_opt, **getattr(self.user_defined_strategy, f"{self.switch}_configs"))

    def minimize_impl(
        self, loss: Any, startup_program: Program | None = None, parameter_list: Any = None, no_grad_set: Iterable[Any] | None = None
    ) -> tuple[Any, list[Any]]:
        """Append what minimises the loss of this worker, and the meetings.

        Args:
            loss (Tensor): what is minimised.
            startup_program (Program|None): None for the default one.
            parameter_list (list|None): what is trained.
            no_grad_set (set|None): Variables or names through which no gradient flows.
        Returns:
            tuple: the update operators, and the pairs of parameter and gradient.
        """
        result = self.inner_opt.minimize(loss, startup_program, parameter_list, no_grad_set)
        startup = startup_program if startup_program is not None else default_startup_program()
        with program_guard(loss.block.program, startup):
            self._meetings(loss, [param for param, grad in result[1] if grad is not None])
        return result

    def _meetings(self, loss: Any, params: list[Any]) -> None:
        configs = self.user_defined_strategy.localsgd_configs
        meeting = _Meeting(params, self.role_maker._worker_num(), configs["k_steps"], configs["begin_step"])
        meeting.write(meeting.take_mean)


class AdaptiveLocalSGDOptimizer(LocalSGDOptimizer):
    """Local steps whose number follows loss and learning rate: as both fall, workers meet more often or less.

    Args:
        optimizer: a `Momentum` or `SGD` of the user's, or another layer around it.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> paddle.enable_static()
        >>> strategy = fleet.DistributedStrategy()
        >>> strategy.adaptive_localsgd = True
        >>> strategy.adaptive_localsgd_configs = {"init_k_steps": 2, "begin_step": 30}
        >>> fleet.init(is_collective=True, strategy=strategy)
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1, bias_attr=False))
        ...     _ = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1)).minimize(loss)
        >>> loss.block.ops[-1].type  # one worker has nobody to meet
        'sgd'
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    switch = "adaptive_localsgd"
    _local_steps = AdaptiveLocalSteps

    def _meetings(self, loss: Any, params: list[Any]) -> None:
        configs = self.user_defined_strategy.adaptive_localsgd_configs
        first, count = configs["init_k_steps"], self.role_maker._worker_num()
        meeting = _Meeting(params, count, first, configs["begin_step"], last=0)
        block = meeting.block
        updating = self.inner_opt  # what another layer put in the place of the user's has the rate
        while not hasattr(updating, "_global_learning_rate"):
            updating = updating._optimizer  # around which mixed precision is
        rate = updating._global_learning_rate()
        mean, first_loss, first_rate = (
            create_global_var(list(like.shape), 0.0, like.dtype, persistable=True, name=name)
            for name, like in (("avg_loss", loss), ("loss_0", loss), ("lr_0", rate))
        )
        with meeting.program._role(OpRole.Optimize, []):
            _append(block, "c_allreduce_sum", loss, mean, ring_id=0, use_calc_stream=True)
            _append(block, "scale", mean, mean, scale=1.0 / count)

        def remember() -> None:
            here = meeting.program.current_block()
            _append(here, "assign", mean, first_loss)
            _append(here, "assign", rate, first_rate)

        def adapt() -> None:
            meeting.take_mean()
            wanted = steps_alone(first_rate, rate, first_loss, mean, first)
            here = meeting.program.current_block()
            bounded = here.create_var(name=unique_name.generate("next_k_steps"), shape=[1], dtype=wanted.dtype)
            _append(here, "clip", wanted, bounded, min=1.0, max=float(LONGEST))
            _append(here, "cast", bounded, meeting.k_steps, in_dtype=int(wanted.dtype), out_dtype=int(meeting.k_steps.dtype))

        meeting.when(meeting.compared("equal", meeting.step, meeting.constant("first_step", 1)), remember)
        meeting.write(adapt)


class _Meeting:
    """What a Program needs for its workers to meet: counts of steps, and each parameter as it was at the last meeting."""

    def __init__(self, params: list[Any], workers: int, k_steps: int, begin_step: int, last: int | None = None) -> None:
        self.program = default_main_program()
        self.block = self.program.global_block()
        self.params, self.workers = params, workers
        self.step = self.constant("@STEP_COUNTER@", 0)
        self.block._prepend_op(type="increment", inputs={"X": [self.step]}, outputs={"Out": [self.step]}, attrs={"step": 1.0})
        self.k_steps = self.constant("k_steps", k_steps)
        self.begin = self.constant("begin_step", begin_step)
        self.last = self.constant("last_step", begin_step if last is None else last)
        self.snapshots = {param.name: self._snapshot(param) for param in params}

    def constant(self, name: str, value: int) -> Variable:
        """A persistable number."""
        return create_global_var([1], value, "int64", persistable=True, force_cpu=name == "@STEP_COUNTER@", name=name)

    def _snapshot(self, param: Any) -> Variable:
        startup = default_startup_program().global_block()
        made: dict[str, Any] = {"name": param.name + _SNAPSHOT, "shape": param.shape, "dtype": param.dtype, "persistable": True}
        _append(startup, "assign", startup.var(param.name), startup.create_var(**made))
        snapshot = self.block.create_var(**made, stop_gradient=True)
        return snapshot

    def compared(self, type_: str, x: Variable, y: Variable) -> Variable:
        """A comparison in the block that is written to."""
        here = self.program.current_block()
        out = here.create_var(name=unique_name.generate(f"{type_}_steps"), shape=[1], dtype="bool", stop_gradient=True)
        here.append_op(type=type_, inputs={"X": [x], "Y": [y]}, outputs={"Out": [out]})
        return out

    def when(self, condition: Variable, write: Callable[[], None]) -> None:
        """Let what is written run under a condition."""
        with ConditionalBlock([condition], is_scalar_condition=True).block():
            write()

    def write(self, meet: Callable[[], None]) -> None:
        """Write what decides whether workers meet: always up to `begin_step`, then once in `k_steps`."""
        later = self.compared("greater_than", self.step, self.begin)

        def due() -> None:
            here = self.program.current_block()
            alone = here.create_var(name=unique_name.generate("steps_alone"), shape=[1], dtype="int64", stop_gradient=True)
            here.append_op(type="elementwise_sub", inputs={"X": [self.step], "Y": [self.last]}, outputs={"Out": [alone]})
            self.when(self.compared("equal", alone, self.k_steps), meet)

        self.when(later, due)
        early = self.block.create_var(name=unique_name.generate("early_steps"), shape=[1], dtype="bool", stop_gradient=True)
        _append(self.block, "logical_not", later, early)
        self.when(early, self.take_mean)

    def take_mean(self) -> None:
        """Write a meeting: the mean of what the workers changed since the last one."""
        here = self.program.current_block()
        with self.program._role(OpRole.Optimize, []):
            for param in self.params:
                _replace_by_way(here, param, self.snapshots[param.name])
            for param in self.params:
                _append(here, "c_allreduce_sum", param, param, ring_id=0, use_calc_stream=False)
            for param in self.params:
                _append(here, "scale", param, param, scale=1.0 / self.workers)
                _replace_by_way(here, param, self.snapshots[param.name])
                _append(here, "assign", param, self.snapshots[param.name])
        _append(here, "assign", self.step, self.last)


def _append(block: Any, type_: str, source: Any, target: Any, **attrs: Any) -> None:
    block.append_op(type=type_, inputs={"X": [source]}, outputs={"Out": [target]}, attrs=attrs)


def _replace_by_way(block: Any, value: Any, start: Any) -> None:
    """Put the way from `start` to the value, with its sign turned, into the value's place; done twice it gives the value back."""
    operands = {"X": [start], "Y": [value]}
    block.append_op("elementwise_sub", inputs=operands, outputs={"Out": [value]})


__all__ = ["AdaptiveLocalSGDOptimizer", "LocalSGDOptimizer"]

__getattr__ = missing(__name__)
