"""`paddle.utils`: unique names, version checks and a self test."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "unique_name": (),
        "checks": ("deprecated", "require_version", "run_check", "try_import"),
    },
)  # fmt: skip
