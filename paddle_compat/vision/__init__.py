"""`paddle.vision`: networks for images and what belongs to them."""

from paddle_compat._lazy import lazy

_IMAGE = ("get_image_backend", "image_load", "set_image_backend")
_MODULES: dict[str, tuple[str, ...]] = dict.fromkeys(("datasets", "models", "ops", "transforms"), ())
_PARTS = {f".vision.{part}": "*" for part in ("datasets", "models", "transforms")}
__getattr__, __dir__, __all__ = lazy(__name__, {**_PARTS, "image": _IMAGE, **_MODULES})
