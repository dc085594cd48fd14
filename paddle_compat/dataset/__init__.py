"""`paddle.dataset`: readers of well-known collections of samples, from files that have been downloaded."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, dict.fromkeys(("cifar", "common", "mnist", "uci_housing"), ()))
