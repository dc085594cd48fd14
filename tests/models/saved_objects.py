"""What `paddle.save` is asked to write, in the wheels and here: the same objects give the same bytes."""

import collections

import numpy as np


def named(paddle, name, array, dtype=None):
    """A Tensor of that name."""
    tensor = paddle.to_tensor(array, dtype=dtype)
    tensor.name = name
    return tensor


def objects(paddle):
    """Name of the file -> object."""
    weight = named(paddle, "linear_0.w_0", np.arange(6, dtype="float32").reshape(2, 3))
    bias = named(paddle, "linear_0.b_0", np.zeros(3, "float32"))
    moment = named(paddle, "linear_0.w_0_moment1_0", np.full((2, 3), 0.5, "float32"))
    half = named(paddle, "half", np.array([1.5, -2.0], "float32")).astype("bfloat16")
    half.name = "half"
    scheduler = {"last_epoch": 3, "last_lr": 0.25}
    large = named(paddle, "large", np.arange(40000, dtype="int64") % 7)
    found = {
        "tensor": weight,
        "state": {"weight": weight, "bias": bias},
        "optimizer": {"linear_0.w_0_moment1_0": moment, "LR_Scheduler": scheduler},
        "master_weights": {"linear_0.w_0_moment1_0": moment, "master_weights": {"linear_0.w_0": weight}, "LR_Scheduler": scheduler},
        "bfloat16": {"half": half},
        "bfloat16_tensor": half,
        "nested": {
            "tensors": [weight, (bias, 1, 2.5, "text", None, True)],
            "array": np.arange(3),
            "set": {1},
            "ordered": collections.OrderedDict(bias=bias),
            "number": np.float32(3),
            "deep": {"model": {"weight": weight}},
        },
        "two_states": {"model": {"weight": weight}, "optimizer": {"moment": moment, "LR_Scheduler": scheduler}},
        "list": [weight, np.ones(2)],
        "tuple": (weight, weight),
        "array": np.ones((2, 2), "float32"),
        "arrays": {"a": np.ones(2, "float32"), "several": [np.zeros((0, 2), "int64"), "text"]},
        "numbers": {"int": 3, "long": 1 << 70, "float": 1.5, "complex": 1j, "text": "abc", "none": None, "bool": True},
        "integer": 3,
        "text": "abc",
        "none": None,
        "empty": {},
        "zero_dim": {"x": named(paddle, "some", np.array(3.0, "float32"))},
        "without_elements": named(paddle, "nothing", np.zeros((0, 3), "float32")),
        "large": {"large": large, "weight": weight},
        "large_tensor": large,
    }
    for dtype in ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float64", "complex64", "complex128"):
        found[dtype] = {"x": named(paddle, "some", np.array([0, 1, 1]).astype(dtype))}
    return found


BINARY = ("tensor", "bfloat16_tensor", "without_elements")
