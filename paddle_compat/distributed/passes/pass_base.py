"""`paddle.distributed.passes.pass_base`: passes by name, what they share, and in which order they rewrite Programs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, failed_assertion
from paddle_compat.core.program import Program

# fusions are made in this order; those that are not named here come last
FUSION_ORDER = (
    "fuse_resunit", "fuse_relu_depthwise_conv", "fuse_bn_add_act", "fuse_bn_act", "fused_attention", "fused_feedforward",
    "fuse_gemm_epilogue", "fuse_adamw", "fuse_optimizer",
)  # fmt: skip
# Paddle's passes that are written for its own engines: how their names begin -> what does the same here
_INSTEAD = {
    "build_cinn": "`BuildStrategy.build_cinn_pass`",
    "auto_parallel_amp": "`paddle.static.amp.decorate`, or `Strategy.amp` of `paddle.distributed.to_static`",
    "auto_parallel_fp16": "`paddle.static.amp.decorate` at O2, or `Strategy.amp` of `paddle.distributed.to_static`",
    "auto_parallel_gradient_merge": "`paddle.incubate.optimizer.GradientMergeOptimizer`, or `strategy.gradient_merge` of fleet's",
    "auto_parallel_recompute": "`strategy.recompute` of fleet's",
    "auto_parallel_sharding": "`strategy.sharding` of fleet's, or `paddle.distributed.shard_optimizer`",
    "auto_parallel_quantization": "`paddle.static.quantization`",
    "auto_parallel_": "`paddle.distributed.to_static` with a `Strategy`",
    "allreduce_matmul_grad_overlapping": "fleet, whose sums run beside the backward pass",
    "pipeline_scheduler_": "`strategy.pipeline` of fleet's, or `paddle.distributed.to_static` with a `Strategy`",
    **dict.fromkeys(
        ("append_send_ops_pass", "distributed_ops_pass", "delete_optimizer_pass", "delete_extra_optimizer_pass", "fake_init_ops_pass",
         "ps_", "split_", "set_heter_pipeline_opt_pass", "add_lr_decay_table_pass", "add_listen_and_serv_pass",
         "add_rpc_global_flags_pass", "add_optimizer_pass", "add_geo_optimizer_pass", "build_pserver_startup_program_pass",
         "delete_unused_in_startup_pass"), "fleet's parameter servers"),
}  # fmt: skip

_Kind = TypeVar("_Kind", bound="type[PassBase]")


class PassContext:
    """What passes that rewrite the same Programs share.

    Example:
        >>> from paddle_compat.distributed.passes import PassContext
        >>> context = PassContext()
        >>> context.set_attr("seen", 3)
        >>> context.get_attr("seen"), context.get_attr("other", 0), context.passes
        (3, 0, [])

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        self._applied_passes: list[PassBase] = []
        self._attrs: dict[str, Any] = {}

    def set_attr(self, key: str, value: Any) -> None:
        """Leave something for the passes that follow.

        Args:
            key (str): its name.
            value: what it is.
        """
        self._attrs[key] = value

    def get_attr(self, key: str, default: Any = None) -> Any:
        """What another pass has left.

        Args:
            key (str): its name.
            default: what is answered where there is nothing.
        Returns:
            What was set.
        """
        return self._attrs.get(key, default)

    @property
    def passes(self) -> list[PassBase]:
        """The passes that were applied, in their order."""
        return self._applied_passes

    def _add_pass(self, made: PassBase) -> None:
        self._applied_passes.append(made)

    def _pop_pass(self) -> None:
        del self._applied_passes[-1]


class PassType:
    """What a pass is there for: fusions come after all others.

    Example:
        >>> from paddle_compat.distributed.passes import new_pass
        >>> from paddle_compat.distributed.passes.pass_base import PassType
        >>> new_pass("fuse_optimizer")._type() == PassType.FUSION_OPT
        True

    Follows Paddle 2.6.
    """

    UNKNOWN, COMM_OPT, CALC_OPT, PARALLEL_OPT, FUSION_OPT = range(5)


class PassBase(ABC):
    """A pass: `register_pass` gives it a name, and `new_pass` makes it.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.passes import new_pass
        >>> from paddle_compat.distributed.passes.pass_base import PassBase, register_pass
        >>> @register_pass("count_operators")
        ... class CountOperators(PassBase):
        ...     def _check_self(self): return True
        ...     def _check_conflict(self, other_pass): return True
        ...     def _apply_single_impl(self, main_program, startup_program, context):
        ...         context.set_attr("count", len(main_program.global_block().ops))
        >>> main, startup = paddle.static.Program(), paddle.static.Program()
        >>> new_pass("count_operators").apply([main], [startup]).get_attr("count")
        0

    Follows Paddle 2.6.
    """

    name: str | None = None

    def __init__(self) -> None:
        self._attrs: dict[str, Any] = {}

    def set_attr(self, key: str, value: Any) -> PassBase:
        """Set one of the pass's options.

        Args:
            key (str): its name.
            value: what it is to be.
        Returns:
            PassBase: the pass.

        Example:
            >>> from paddle_compat.distributed.passes import new_pass
            >>> new_pass("fuse_all_reduce").set_attr("max_memory_size", 1024).get_attr("max_memory_size")
            1024
        """
        self._attrs[key] = value
        return self

    def get_attr(self, key: str, default: Any = None) -> Any:
        """One of the pass's options.

        Args:
            key (str): its name.
            default: what is answered where it was not set.
        Returns:
            What was set.
        """
        return self._attrs.get(key, default)

    @abstractmethod
    def _check_self(self) -> bool:
        """Whether the options are such that there is something to do."""

    @abstractmethod
    def _check_conflict(self, other_pass: PassBase) -> bool:
        """Whether the pass may follow another one."""

    @abstractmethod
    def _apply_single_impl(self, main_program: Program, startup_program: Program, context: PassContext) -> None:
        """Rewrite a Program and the one that fills its variables."""

    def _type(self) -> int:
        return PassType.UNKNOWN

    def _rank(self) -> int:
        """Where the pass stands in the order of all: before fusions, or among them."""
        if self._type() != PassType.FUSION_OPT:
            return -1
        return FUSION_ORDER.index(self.name) if self.name in FUSION_ORDER else len(FUSION_ORDER)

    def _may_follow(self, earlier: PassBase) -> bool:
        return self.name != earlier.name and earlier._rank() <= self._rank() and self._check_conflict(earlier)

    def apply(self, main_programs: list[Program], startup_programs: list[Program], context: PassContext | None = None) -> PassContext:
        """Rewrite Programs, unless the pass has nothing to do, or must not follow one that was applied before: then they stay as they are.

        Args:
            main_programs (list): Programs.
            startup_programs (list): for each, the one that fills its variables.
            context (PassContext|None): what earlier passes left; None for a new one.
        Returns:
            PassContext: with this pass among the applied ones.
        Raises:
            AssertionError: no lists of as many Programs.
        """
        for name, value in (("main_programs", main_programs), ("startup_programs", startup_programs)):
            if not isinstance(value, list):
                raise failed_assertion(name, "a list of Programs", type(value).__name__, "PassBase.apply")
        if len(main_programs) != len(startup_programs):
            raise failed_assertion("startup_programs", f"{len(main_programs)} Programs", len(startup_programs), "PassBase.apply")
        context = PassContext() if context is None else context
        if self._check_self() and all(self._may_follow(earlier) for earlier in context.passes):
            self._apply_impl(main_programs, startup_programs, context)
            context._add_pass(self)
        return context

    def _apply_impl(self, main_programs: list[Program], startup_programs: list[Program], context: PassContext) -> None:
        for main, startup in zip(main_programs, startup_programs):
            self._apply_single_impl(main, startup, context)


_REGISTERED: dict[str, type[PassBase]] = {}


def register_pass(name: str) -> Callable[[_Kind], _Kind]:
    """Give a class of passes a name that `new_pass` knows.

    Args:
        name (str): the name.
    Returns:
        A decorator of classes that derive from PassBase.

    Example:
        >>> from paddle_compat.distributed.passes.pass_base import PassBase, register_pass
        >>> @register_pass("nothing_at_all")
        ... class Nothing(PassBase):
        ...     pass
        >>> Nothing.name
        'nothing_at_all'

    Follows Paddle 2.6.
    """

    def register(kind: _Kind) -> _Kind:
        kind.name = name
        _REGISTERED[name] = kind
        return kind

    return register


def new_pass(name: str, pass_attrs: dict[str, Any] = {}) -> PassBase:  # noqa: B006 - Paddle's signature
    """Make a pass by its name.

    Fusions ("fuse_gemm_epilogue", "fuse_bn_act", "fuse_optimizer", "fuse_all_reduce", ...) leave Programs as they are: the engine fuses
    the same when a Program runs.

    Args:
        name (str): the name that it is registered under.
        pass_attrs (dict): its options.
    Returns:
        PassBase.
    Raises:
        AssertionError: no pass has this name.
        UnsupportedError: a pass of Paddle's own engines.

    Example:
        >>> from paddle_compat.distributed.passes import new_pass
        >>> new_pass("fuse_all_reduce", {"max_memory_size": 1024}).name
        'fuse_all_reduce'

    Follows Paddle 2.6.
    """
    kind = _REGISTERED.get(name)
    if kind is None:
        instead = next((text for begin, text in _INSTEAD.items() if str(name).startswith(begin)), None)
        if instead is not None:
            raise UnsupportedError("paddle.distributed.passes.new_pass", f"name={name!r}", instead)
        raise failed_assertion("name", f"the name of a registered pass ({', '.join(sorted(_REGISTERED))})", name, "new_pass")
    made = kind()
    for key, value in pass_attrs.items():
        made.set_attr(key, value)
    return made


class PassManager:
    """Passes that rewrite Programs one after the other.

    Args:
        passes (list): what `new_pass` made.
        context (PassContext|None): what earlier passes left; None for a new one.
        auto_solve_conflict (bool): whether passes without anything to do are left out, and the others put into an order in which each may
            follow those before it: fusions come last. False: they are applied as they stand.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.passes import PassManager, new_pass
        >>> manager = PassManager([new_pass("fuse_optimizer"), new_pass("fuse_gemm_epilogue"), new_pass("inplace_addto_op")])
        >>> manager.names
        ['inplace_addto_op', 'fuse_gemm_epilogue', 'fuse_optimizer']
        >>> context = manager.apply([paddle.static.Program()], [paddle.static.Program()])
        >>> len(context.passes)
        3

    Follows Paddle 2.6, whose order names passes several times.
    """

    def __init__(self, passes: Sequence[PassBase], context: PassContext | None = None, auto_solve_conflict: bool = True) -> None:
        self._context = PassContext() if context is None else context
        self._passes = _in_order(passes, self._context.passes) if auto_solve_conflict else list(passes)

    def apply(self, main_programs: list[Program], startup_programs: list[Program]) -> PassContext:
        """Apply each pass.

        Args:
            main_programs (list): Programs.
            startup_programs (list): for each, the one that fills its variables.
        Returns:
            PassContext: with the passes that were applied.
        """
        for each in self._passes:
            self._context = each.apply(main_programs, startup_programs, self._context)
        return self._context

    @property
    def context(self) -> PassContext:
        """What the passes share."""
        return self._context

    @property
    def names(self) -> list[str | None]:
        """The passes' names, in their order."""
        return [each.name for each in self._passes]

    @property
    def passes(self) -> tuple[PassBase, ...]:
        """The passes, in their order."""
        return tuple(self._passes)


def _in_order(passes: Sequence[PassBase], applied: list[PassBase]) -> list[PassBase]:
    """Each pass at the last place where it may follow those before it, and those behind may follow it; none that has no such place."""
    ordered: list[PassBase] = []
    for each in passes:
        if not each._check_self():
            continue
        for at in range(len(ordered), -1, -1):
            before, behind = ordered[:at], ordered[at:]
            if all(each._may_follow(one) for one in (*applied, *before)) and all(one._may_follow(each) for one in behind):
                ordered.insert(at, each)
                break
    return ordered


__all__ = ["PassBase", "PassContext", "PassManager", "PassType", "new_pass", "register_pass"]

__getattr__ = missing(__name__)
