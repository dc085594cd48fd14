"""`paddle.vision.datasets`: collections of images."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "cifar": ("Cifar10", "Cifar100"),
        "flowers": ("Flowers",),
        "folder": ("DatasetFolder", "ImageFolder"),
        "mnist": ("FashionMNIST", "MNIST"),
        "voc2012": ("VOC2012",),
    },
)
