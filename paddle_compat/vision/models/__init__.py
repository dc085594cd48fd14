"""`paddle.vision.models`: networks for images."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "lenet": ("LeNet",),
        "mobilenetv1": ("MobileNetV1", "mobilenet_v1"),
        "mobilenetv2": ("MobileNetV2", "mobilenet_v2"),
        "resnet": (
            "ResNet", "resnet18", "resnet34", "resnet50", "resnet101", "resnet152", "resnext50_32x4d", "resnext50_64x4d",
            "resnext101_32x4d", "resnext101_64x4d", "resnext152_32x4d", "resnext152_64x4d", "wide_resnet50_2", "wide_resnet101_2",
        ),
        "vgg": ("VGG", "vgg11", "vgg13", "vgg16", "vgg19"),
    },
)  # fmt: skip
