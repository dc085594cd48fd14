"""`paddle.dataset`: readers of well-known collections of samples, from files that have been downloaded."""

from paddle_compat._lazy import lazy

_READERS = ("cifar", "common", "conll05", "imdb", "imikolov", "mnist", "movielens", "uci_housing", "wmt14", "wmt16")

__getattr__, __dir__, __all__ = lazy(__name__, dict.fromkeys(_READERS, ()))
