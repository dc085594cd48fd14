"""`paddle.vision.models`: networks for images."""

from paddle_compat._lazy import lazy
from paddle_compat.vision.models.alexnet import alexnet  # these two in place of the modules of their names
from paddle_compat.vision.models.googlenet import googlenet

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "alexnet": ("AlexNet",),
        "densenet": ("DenseNet", "densenet121", "densenet161", "densenet169", "densenet201", "densenet264"),
        "googlenet": ("GoogLeNet",),
        "inceptionv3": ("InceptionV3", "inception_v3"),
        "lenet": ("LeNet",),
        "mobilenetv1": ("MobileNetV1", "mobilenet_v1"),
        "mobilenetv2": ("MobileNetV2", "mobilenet_v2"),
        "mobilenetv3": ("MobileNetV3Large", "MobileNetV3Small", "mobilenet_v3_large", "mobilenet_v3_small"),
        "resnet": (
            "ResNet", "resnet18", "resnet34", "resnet50", "resnet101", "resnet152", "resnext50_32x4d", "resnext50_64x4d",
            "resnext101_32x4d", "resnext101_64x4d", "resnext152_32x4d", "resnext152_64x4d", "wide_resnet50_2", "wide_resnet101_2",
        ),
        "shufflenetv2": (
            "ShuffleNetV2", "shufflenet_v2_swish", "shufflenet_v2_x0_25", "shufflenet_v2_x0_33", "shufflenet_v2_x0_5",
            "shufflenet_v2_x1_0", "shufflenet_v2_x1_5", "shufflenet_v2_x2_0",
        ),
        "squeezenet": ("SqueezeNet", "squeezenet1_0", "squeezenet1_1"),
        "vgg": ("VGG", "vgg11", "vgg13", "vgg16", "vgg19"),
    },
)  # fmt: skip
__all__ += ["alexnet", "googlenet"]
