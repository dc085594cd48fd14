"""`paddle.jit`: functions and layers of eager mode as Programs."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "api": ("TracedLayer", "ignore_module", "not_to_static", "to_static"),
        "_saved": ("load", "save"),
        "dy2static.logging_utils": ("set_code_level", "set_verbosity"),
        "dy2static.program_translator": ("enable_to_static",),
        "translated_layer": ("TranslatedLayer",),
    },
)
