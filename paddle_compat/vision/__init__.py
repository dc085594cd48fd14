"""`paddle.vision`: networks for images and what belongs to them."""

from paddle_compat._lazy import lazy

_IMAGE = ("get_image_backend", "image_load", "set_image_backend")
_MODULES: dict[str, tuple[str, ...]] = dict.fromkeys(("datasets", "models", "ops", "transforms"), ())
_PARTS = {f".vision.{part}": "*" for part in ("datasets", "models", "transforms")}
__getattr__, __dir__, _ = lazy(__name__, {**_PARTS, "image": _IMAGE, **_MODULES})
__all__ = list(_IMAGE)  # all that `from paddle.vision import *` brings: `pad` and `normalize` are functions of `paddle.nn.functional`, too
