"""`paddle.utils`: unique names, version checks and a self test."""

from paddle_compat._lazy import lazy, modules

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "layers_utils": ("flatten", "is_sequence", "map_structure", "pack_sequence_as"),
        "dlpack": (),
        "download": (),
        "plot": ("Ploter",),
        "unique_name": (),
        "checks": ("deprecated", "require_version", "run_check", "try_import"),
    },
    starred=(),
)  # fmt: skip

modules(__name__, {"deprecated": ("deprecated",)})
