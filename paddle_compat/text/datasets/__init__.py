"""`paddle.text.datasets`: collections of texts (and of houses), from files that are given or downloaded."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "conll05": ("Conll05st",),
        "imdb": ("Imdb",),
        "imikolov": ("Imikolov",),
        "movielens": ("Movielens",),
        "uci_housing": ("UCIHousing",),
        "wmt14": ("WMT14",),
        "wmt16": ("WMT16",),
    },
)
