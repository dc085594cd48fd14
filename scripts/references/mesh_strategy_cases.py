"""The settings of Paddle 3.3.1's `paddle.distributed.Strategy`.

mesh_strategy.json: {case: what it gives, or {"raises": [type, text]}}.
"""

from __future__ import annotations

from typing import Any, Callable

WHEELS = ("3.3.1",)

# Expressions of `dist` (paddle.distributed) and `auto` (its auto_parallel.strategy).
CASES = (
    "repr(dist.Strategy())",
    "repr(auto.Strategy())",
    "vars(dist.Strategy().fused_passes)",
    "dist.Strategy({'sharding': {'enable': True, 'stage': 9, 'nope': 1}}).sharding.to_dict()",
    "dist.Strategy({'gradient_merge': {'k_steps': 3}}).to_dict()['_gradient_merge']",
    "auto.Strategy({'gradient_merge': {'k_steps': 3}}).to_dict()['gradient_merge']",
    "dist.Strategy({'nope': 1, 'seed': 4}).seed",
    "dist.Strategy({'fused_passes': {'enable': True, 'gemm_epilogue': True}}).fused_passes.gemm_epilogue",
    "dist.Strategy({'fused_passes': {'nope': True}})",
    "dist.Strategy({'recompute': {'enable': True}})._recompute.enable",
    "dist.Strategy({'full_graph': False}).full_graph",
    "dist.Strategy({'sharding': None}).sharding.enable",
    "dist.Strategy({'sharding': []})",
    "dist.Strategy({'amp': 3})",
    "dist.Strategy(3)",
    "dist.Strategy('a.yaml')",
    "auto.Strategy(3)",
    "dist.Strategy().get('amp')",
    "dist.Strategy().amp.get('nope', 5)",
    "auto.Strategy().get('auto_mode')",
    "auto.AMPConfig({'level': 'o2'}).level",
    "repr(auto.BaseConfig('nope'))",
    "setattr(dist.Strategy(), 'sharding', 1)",
    "dist.Strategy().recompute",
)


def answers(dist: Any, auto: Any) -> dict[str, Any]:
    """What the cases give."""
    found: dict[str, Any] = {}
    for case in CASES:
        try:
            found[case] = eval(case, {"dist": dist, "auto": auto})
        except Exception as error:
            found[case] = {"raises": [type(error).__name__, str(error)]}
    return found


def of_this_wheel() -> dict[str, Any]:
    import paddle.distributed as dist
    from paddle.distributed.auto_parallel import strategy as auto

    return answers(dist, auto)


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    return {"mesh_strategy.json": of_this_wheel}
