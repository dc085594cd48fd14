"""What `paddle.vision.transforms` makes of small images: arrays (OpenCV stands beside the wheel), Tensors and PIL images.

Recorded with opencv-python-headless 4.10.0.84 and pillow 13.0.0 on the path of the wheel's interpreter.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

WHEELS = ("2.6.2",)

CORNERS = "[[0, 0], [11, 0], [11, 8], [0, 8]], [[1, 1], [9, 0], [10, 7], [0, 8]]"
FUNCTIONS = [
    "to_tensor(x)", "to_tensor(x, 'HWC')", "to_tensor(x, 'HW')", "resize(x, 5)", "resize(x, 14)", "resize(x, 9)",
    "resize(x, (5, 7), 'nearest')", "resize(x, [20, 30], 'nearest')", "resize(x, (5, 17))", "resize(x, (18, 24))",
    "resize(x, (5, 7), 'area')", "resize(x, (3, 4), 'area')", "resize(x, (3, 6), 'area')", "resize(x, (20, 30), 'area')",
    "resize(x, (5, 7), 'lanczos')", "resize(x, 5, 'unheard')", "resize(x, 'a')", "resize(x, (1, 2, 3))", "resize(x, 2.5)",
    "resize(x, (5,))", "pad(x, 2)", "pad(x, (1, 2))", "pad(x, [1, 2, 3, 4])", "pad(x, (1, 2), 7)", "pad(x, 2, 0, 'edge')",
    "pad(x, (1, 2, 3, 4), 0, 'reflect')", "pad(x, (1, 2), 3, 'symmetric')", "pad(x, 'a')", "pad(x, [1, 2, 3])", "pad(x, 1, 0, 'unheard')",
    "pad(x, 1, None)", "crop(x, 1, 2, 3, 4)", "crop(x, 7, 9, 4, 6)", "center_crop(x, 4)", "center_crop(x, (5, 7))", "center_crop(x, 8)",
    "hflip(x)", "vflip(x)", "adjust_brightness(x, 0.5)", "adjust_brightness(x, 1.7)", "adjust_brightness(x, 0)", "adjust_contrast(x, 0.5)",
    "adjust_contrast(x, 1.7)", "adjust_saturation(x, 0.5)", "adjust_saturation(x, 1.7)", "adjust_hue(x, 0.2)", "adjust_hue(x, -0.3)",
    "adjust_hue(x, 0.5)", "adjust_hue(x, 0)", "adjust_hue(x, 0.6)", "affine(x, 30, (0, 0), 1, (0, 0))",
    "affine(x, 30, (2, 1), 1.2, (5, 15))", "affine(x, -50, [2, 1], 0.7, 8, 'bilinear', 7)",
    "affine(x, 10, (2.3, 1.7), 1.2, [5], 'bilinear', (1, 2, 3), (2, 3))", "affine(x, 10, (2, 1), 1.2, 5, 'bicubic')",
    "affine(x, 'a', (1, 1), 1, 0)", "affine(x, 3, 3, 1, 0)", "affine(x, 3, (1,), 1, 0)", "affine(x, 3, (1, 1), -1, 0)",
    "affine(x, 3, (1, 1), 1, 'a')", "affine(x, 3, (1, 1), 1, (1, 2, 3))", "affine(x, 3, (1, 1), 1, 2, 'nearest', 0, 3)",
    "affine(x, 3, (1, 1), 1, 2, 'unheard')", "rotate(x, 30)", "rotate(x, -45, 'bilinear', True)", "rotate(x, 30, 'nearest', True, None, 7)",
    "rotate(x, 200, 'bilinear', False, (1, 2), 7)", "rotate(x, 77, 'bilinear', True, [3, 5])", "rotate(x, 90, 'nearest', True)",
    "rotate(x, 180)", "rotate(x, 30, 'bicubic', False, None, (1, 2, 3))", "rotate(x, 'a')", "rotate(x, 30, 'unheard')",
    f"perspective(x, {CORNERS})", f"perspective(x, {CORNERS}, 'bilinear', 3)", f"perspective(x, {CORNERS}, 'bicubic', (1, 2, 3))",
    "perspective(x, [[0, 0]], [[1, 1]])", "to_grayscale(x)", "to_grayscale(x, 3)", "to_grayscale(x, 2)",
    "normalize(x, [0.5, 0.4, 0.3], [0.2, 0.3, 0.4])", "normalize(x, [0.5, 0.4, 0.3], [0.2, 0.3, 0.4], 'HWC')", "normalize(x, 0.5, 0.2)",
    "normalize(x, [1, 2, 3], [1, 2, 3], 'HWC', True)", "erase(x, 1, 2, 3, 4, 0)", "erase(x, 1, 2, 3, 4, noise)",
    "erase(x, 1, 2, 3, 4, noise, True)",
]  # fmt: skip
CLASSES = [
    "BaseTransform()", "BaseTransform(('image', 'boxes'))", "BaseTransform(3)", "BaseTransform(('img',))",
    "Compose([Resize(4), ToTensor()])", "Resize(5)", "Resize((3, 4, 5))", "Resize('a')", "RandomResizedCrop(5)",
    "RandomResizedCrop((5, 6), (0.5, 0.6), (0.5, 2), 'nearest')", "RandomResizedCrop(5, (2, 3), (1, 1))",
    "RandomResizedCrop(5, (2, 3), (3, 3.1))", "RandomResizedCrop(5, (2, 3), (0.1, 0.2))", "RandomResizedCrop(5, (2, 1))",
    "RandomResizedCrop(5, (0.2, 1), (3, 2))", "CenterCrop(5)", "CenterCrop((3, 4))", "RandomHorizontalFlip()", "RandomHorizontalFlip(1)",
    "RandomHorizontalFlip(2)", "RandomVerticalFlip()", "RandomVerticalFlip(0)", "RandomVerticalFlip(-1)", "Transpose()",
    "Transpose((1, 2, 0))", "Normalize()", "Normalize(3)", "Normalize([0.5, 0.4, 0.3], [0.2, 0.3, 0.4], 'HWC')", "BrightnessTransform(0.4)",
    "BrightnessTransform(0)", "BrightnessTransform(-1)", "BrightnessTransform('a')", "BrightnessTransform([0.5, 1])",
    "BrightnessTransform([1.5, 1])", "BrightnessTransform([1, 2, 3])", "SaturationTransform(0.4)", "SaturationTransform(-1)",
    "ContrastTransform(0.4)", "ContrastTransform(-1)", "HueTransform(0.4)", "HueTransform(0)", "HueTransform(0.6)",
    "HueTransform([-0.1, 0.7])", "ColorJitter(0.1, 0.2, 0.3, 0.4)", "ColorJitter(0.4, 0, 0.4)", "ColorJitter()", "RandomCrop(5)",
    "RandomCrop((4, 6), 1)", "RandomCrop(8, (1, 2), False, 5, 'edge')", "RandomCrop((9, 12))", "RandomCrop(11, pad_if_needed=True)",
    "RandomCrop((11, 20), None, True, 3)", "RandomCrop((11, 20))", "Pad(2)", "Pad([1, 2, 3])", "Pad('a')", "Pad(2, (1, 2, 3), 'unheard')",
    "Pad((1, 2), 3, 'edge')", "RandomAffine(30)", "RandomAffine(-30)", "RandomAffine((1, 2, 3))",
    "RandomAffine((10, 20), (0.3, 0.4), (0.5, 2), 10)", "RandomAffine(30, (0.1, 2))", "RandomAffine(30, (0.1,))", "RandomAffine(30, 0.1)",
    "RandomAffine(30, None, (-0.5, 2))", "RandomAffine(30, None, 2)", "RandomAffine(30, shear=-3)", "RandomAffine(30, shear=(1, 2))",
    "RandomAffine(30, shear=(1, 2, 3, 4))", "RandomAffine(30, shear=(1, 2, 3))", "RandomAffine(30, center=3)",
    "RandomAffine(30, fill=None, center=(3, 4))", "RandomAffine(30, interpolation='unheard')", "RandomRotation(30)", "RandomRotation(-30)",
    "RandomRotation((1, 2, 3))", "RandomRotation((30, 40), 'bilinear', True, (1, 2), 5)", "RandomPerspective(1.0)",
    "RandomPerspective(1.0, 0.9, 'bilinear', 4)", "RandomPerspective(0.0)", "RandomPerspective(2)", "RandomPerspective(0.5, 2)",
    "RandomPerspective(0.5, 0.5, 'unheard')", "Grayscale()", "Grayscale(3)", "Grayscale(2)", "ToTensor()", "ToTensor('HWC')",
    "RandomErasing(1.0)", "RandomErasing(1.0, value=(1, 2, 3))", "RandomErasing(1.0, value=0.5, inplace=True)",
    "RandomErasing(1.0, (0.5, 0.5), (10, 10))", "RandomErasing(0.0)", "RandomErasing(2)", "RandomErasing(1.0, 3)",
    "RandomErasing(1.0, (0.5, 2))", "RandomErasing(1.0, (0.5, 0.2))", "RandomErasing(1.0, ratio=3)", "RandomErasing(1.0, ratio=(-1, 2))",
    "RandomErasing(1.0, ratio=(3, 2))", "RandomErasing(1.0, value='noise')", "RandomErasing(1.0, value={})",
    "RandomErasing(1.0, value=(1, 2))", "RandomErasing(1.0, value='random')",
]  # fmt: skip


def images(paddle: Any) -> dict[str, Any]:
    """An image of each kind that can be made here."""
    numbers = np.random.RandomState(3)
    pixels = numbers.randint(0, 256, (9, 12, 3)).astype("uint8")
    pixels[:4, :6] = pixels[:4, :6] // 128 * 255  # plain colours, too
    tensor = paddle.to_tensor((numbers.rand(3, 9, 12)).astype("float32"))
    found = {"bytes": pixels, "grey": pixels[..., 0].copy(), "floats": numbers.rand(9, 12, 3), "tensor": tensor, "nothing": [1.0]}
    try:
        from PIL import Image
    except ImportError:
        return found
    return {**found, "pil": Image.fromarray(pixels), "pil_grey": Image.fromarray(pixels[..., 0])}


def told(value: Any) -> Any:
    """A result as plain values."""
    kind = type(value).__name__
    array = np.asarray(value.numpy() if hasattr(value, "numpy") else value)
    if kind not in ("ndarray", "Tensor", "list"):
        kind = "image " + value.mode
    return [kind, str(array.dtype), list(array.shape), array.astype("float64").round(6).ravel().tolist()]


def tried(run: Any) -> Any:
    """A result, or the error."""
    try:
        return told(run())
    except Exception as error:
        kinds = {base.__name__ for base in type(error).__mro__} - {"BaseException", "object", "error"}
        return {"error": sorted(kinds), "says": str(error)[:120]}


def nearest(paddle: Any, corners: bool, padding: str) -> Any:
    """A picture at the quarters of its pixels, many of which are as near to one as to another."""
    picture = paddle.arange(108, dtype="float32").reshape([1, 1, 9, 12])
    quarters = np.arange(-8, 56) / 4.0
    x, y = (quarters * 2 / (n - 1) - 1 if corners else (quarters * 2 + 1) / n - 1 for n in (12, 9))
    grid = paddle.to_tensor(np.stack(np.meshgrid(x, y), -1)[None].astype("float32"))
    return paddle.nn.functional.grid_sample(picture, grid, "nearest", padding, corners)


def settings(transform: Any) -> Any:
    """The attributes of a transform."""
    return {key: repr(value) for key, value in vars(transform).items() if key != "transforms"}


def answers(paddle: Any) -> dict[str, Any]:
    """Every case with every kind of image."""
    functions, classes = paddle.vision.transforms.functional, paddle.vision.transforms
    found: dict[str, Any] = {}
    known = images(paddle)
    for case in FUNCTIONS:
        for kind in known:
            image = images(paddle)[kind]
            noise: Any = np.arange(36).reshape(3, 4, 3).astype("float32")
            noise = paddle.to_tensor(noise.transpose(2, 0, 1)) if kind == "tensor" else noise[..., 0] if "grey" in kind else noise
            names = {**vars(functions), "x": image, "noise": noise}
            np.random.seed(5)
            found[f"{case} {kind}"] = tried(lambda: eval(case, names))  # noqa: B023
            if case.endswith("True)") and case.startswith("erase"):
                found[f"{case} {kind} itself"] = tried(lambda: image)  # noqa: B023
    for corners in (True, False):
        for padding in ("zeros", "border"):
            found[f"grid {corners} {padding}"] = told(nearest(paddle, corners, padding))
    for case in CLASSES:
        try:
            transform = eval(case, {name: getattr(classes, name) for name in classes.__all__})
        except Exception as error:
            found[case] = {"error": [type(error).__name__, "Exception"], "says": str(error)[:120]}
            continue
        found[case] = settings(transform)
        for kind in known:
            paddle.seed(5)
            random.seed(5)
            np.random.seed(5)
            found[f"{case} {kind}"] = [tried(lambda: transform(images(paddle)[kind])) for _ in range(2)]  # noqa: B023
            found[f"{case} {kind} drawn"] = [random.random(), np.random.rand()]
    return found


def recordings(version: str) -> dict[str, Any]:
    """The data files of a wheel."""
    import paddle

    def content() -> dict[str, Any]:
        paddle.disable_static()
        return answers(paddle)

    return {f"transforms_{version}.json.gz": content}
