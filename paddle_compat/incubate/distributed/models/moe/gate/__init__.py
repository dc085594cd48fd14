"""`paddle.incubate.distributed.models.moe.gate`: who decides which experts a row goes to."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "base_gate": ("BaseGate",),
        "gshard_gate": ("GShardGate",),
        "naive_gate": ("NaiveGate",),
        "switch_gate": ("SwitchGate",),
    },
)
