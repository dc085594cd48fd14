"""What the build and the execution strategy of a `DistributedStrategy` does to a Program of fleet's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.program import Program
from paddle_compat.static import BuildStrategy
from paddle_compat.static._drawings import draw
from paddle_compat.static.execution_strategy import iterations

_SCALES = {BuildStrategy.GradientScaleStrategy.CoeffNumDevice: "avg", BuildStrategy.GradientScaleStrategy.One: "sum"}


@contextmanager
def built(program: Program, strategy: Any) -> Iterator[None]:
    """Around `minimize`: tell a Program how its strategies want it run, as a CompiledProgram does, and draw it.

    Args:
        program: what is minimized in.
        strategy: the DistributedStrategy.
    """
    build = strategy.build_strategy
    if "enable_inplace" in build._chosen:
        program._writes_in_place = build.enable_inplace
    program._compiles, program._fuses_updates = program._compiles or build.build_cinn_pass, build._fuses_updates
    program._iterations = iterations(strategy.execution_strategy, build)
    path = build.debug_graphviz_path
    if path:
        draw(program, f"{path}_original_graph")
    yield
    if path:
        draw(program, f"{path}_multi_devices_graph")


def together(strategy: Any) -> int | None:
    """How many bytes of gradients travel together at most; 0: each travels alone.

    Args:
        strategy: the DistributedStrategy.
    """
    fused = strategy.fuse_all_reduce_ops and strategy.build_strategy.fuse_all_reduce_ops and strategy.fuse_grad_size_in_num > 1
    return strategy.fuse_grad_size_in_MB << 20 if fused else 0


def merged_runs(strategy: Any) -> int:
    """The gradients of how many runs are merged into one step of a Program.

    Args:
        strategy: the DistributedStrategy; with `sharding`, that switch's configuration may say it, too.
    """
    ways = (("gradient_merge", "k_steps"), ("sharding", "gradient_merge_acc_step"))
    return max(getattr(strategy, f"{switch}_configs")[name] if getattr(strategy, switch) else 1 for switch, name in ways)


def gradient_scale(strategy: Any) -> str:
    """What the gradient of the loss starts from: "avg", "sum" or "customized".

    Args:
        strategy: the DistributedStrategy.
    Raises:
        UnsupportedError: the gradient of the loss is to be fed.
    """
    build = strategy.build_strategy
    if "gradient_scale_strategy" not in build._chosen:
        found: str = strategy.gradient_scale_configs["scale_strategy"]
        return found
    if build.gradient_scale_strategy not in _SCALES:
        raise UnsupportedError(
            "fleet.DistributedStrategy.build_strategy", f"gradient_scale_strategy={build.gradient_scale_strategy}", "CompiledProgram"
        )
    return _SCALES[build.gradient_scale_strategy]
