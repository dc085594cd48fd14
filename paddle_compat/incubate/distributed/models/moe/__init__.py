"""`paddle.incubate.distributed.models.moe`: layers of which every row goes through a few experts, which processes share out."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "gate": ("BaseGate", "GShardGate", "NaiveGate", "SwitchGate"),
        "grad_clip": ("ClipGradByGlobalNorm", "ClipGradForMOEByGlobalNorm"),
        "moe_layer": ("MoELayer",),
        "utils": (),
    },
)
