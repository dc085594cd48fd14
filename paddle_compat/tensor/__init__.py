"""`paddle.tensor`: functions on tensors."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "_arithmetic": "*",
        "_reductions": "*",
        "array": "*",
        "attribute": "*",
        "creation": "*",
        "logic": "*",
        "manipulation": "*",
        "ops": "*",
        "search": "*",
        "stat": "*",
    },
)
