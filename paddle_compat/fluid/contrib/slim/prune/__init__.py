"""`paddle.fluid.contrib.slim.prune`: leaving out parts of weights."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "auto_prune_strategy": ("AutoPruneStrategy",),
        "prune_strategy": ("PruneStrategy", "SensitivePruneStrategy", "UniformPruneStrategy"),
        "pruner": ("Pruner", "StructurePruner"),
    },
)
