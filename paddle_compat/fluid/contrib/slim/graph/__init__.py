"""`paddle.fluid.contrib.slim.graph`: Programs as graphs of operators and variables."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__, {"executor": ("SlimGraphExecutor",), "graph_wrapper": ("GraphWrapper", "OpWrapper", "VarWrapper")}
)
