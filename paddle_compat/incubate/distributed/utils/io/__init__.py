"""`paddle.incubate.distributed.utils.io`: files of models that fleet shares out."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__, {"dist_load": ("load",), "dist_save": ("save",), "save_for_auto": ("save_for_auto_inference",)}
)
