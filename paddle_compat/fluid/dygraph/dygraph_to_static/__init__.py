"""`paddle.fluid.dygraph.dygraph_to_static`: functions of eager mode as Programs, in Paddle 1.8's words."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "convert_call_func": ("convert_call",),
        "program_translator": ("ProgramTranslator", "convert_function_with_cache"),
    },
)
