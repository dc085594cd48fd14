"""What our `fluid.layers` make of a call against what the wheel made of it."""

from __future__ import annotations

import math
from typing import Any

import fluid_recording
import numpy as np

# how a kernel of the wheel's is chosen; nothing here depends on it
KERNEL_CHOICES = {
    "op_device", "op_namescope", "use_cudnn", "use_mkldnn", "use_quantizer", "mkldnn_data_type", "with_quant_attr", "is_test",
    "fuse_with_relu", "use_addto", "workspace_size_MB", "exhaustive_search", "fuse_relu_before_depthwise_conv", "name",
}  # fmt: skip

# Cases whose Programs are not the wheel's, and why; what they compute is compared all the same.
OTHER_PROGRAMS = {
    "topk/variable": "the wheel infers k = 1 where a Variable tells k",
    "reshape/actual": "the wheel infers the shape that the Variable overrides",
    "expand_as": "the wheel infers a shape of zeros",
    "pad2d/variable": "the wheel infers the shape without margins",
    "dropout/test": "the wheel gives the mask no shape",
    "batch_norm/test": "the saved statistics have no shape, as in Paddle 2.6",
    "batch_norm/global": "the gradient does not read the running statistics",
    "data_norm": "the wheel's gradient also writes the sums",
    "data_norm/all": "the wheel's gradient also writes the sums",
    "data_norm/scale": "the wheel's gradient also writes the sums",
    "hsigmoid": "the wheel gives the inner outputs no shape",
    "hsigmoid/sparse": "the wheel gives the inner outputs no shape",
    "hsigmoid/custom": "the wheel gives the inner outputs no shape",
    "ssd_loss": "the wheel infers -4 rows for flattened variables",
    "ssd_loss/plain": "the wheel infers -4 rows for flattened variables",
    "sampled_softmax_with_cross_entropy": "the wheel leaves the data type of an inner output open",
    "sampled_softmax_with_cross_entropy/custom": "the wheel leaves the data type of an inner output open",
    "accuracy/k": "the wheel leaves the counters' declared data type",
}


def same(ours: Any, real: Any) -> bool:
    """Whether two attributes are equal, floats in single precision."""
    if isinstance(real, list):
        return isinstance(ours, (list, tuple)) and len(ours) == len(real) and all(map(same, ours, real))
    if isinstance(real, float):
        if isinstance(ours, (int, float)) and math.isinf(real):
            return ours == real or abs(ours) > 3e38
        return isinstance(ours, (int, float)) and math.isclose(ours, real, rel_tol=1e-6, abs_tol=1e-12)
    return bool(ours == real)


def check_ops(ours: list[Any], real: list[Any], where: str) -> None:
    """Operators one by one: types, slots, names, and the attributes that ours declare."""
    assert [op["type"] for op in ours] == [op["type"] for op in real], where
    for mine, theirs in zip(ours, real):
        place = f"{where}, {theirs['type']}"
        assert mine["inputs"] == theirs["inputs"], place
        assert mine["outputs"] == theirs["outputs"], place
        for name, value in theirs["attrs"].items():
            if name in mine["attrs"] and name not in KERNEL_CHOICES:
                assert same(mine["attrs"][name], value), f"{place}, {name}: {mine['attrs'][name]}, expected {value}"


def check_program(ours: list[Any], real: list[Any], where: str) -> None:
    """Blocks, operators and variables."""
    assert len(ours) == len(real), where
    for mine, theirs in zip(ours, real):
        check_ops(mine["ops"], theirs["ops"], where)
        assert sorted(mine["vars"]) == sorted(theirs["vars"]), where
        for name, var in theirs["vars"].items():
            mine_var = mine["vars"][name]
            differing = {k: (mine_var.get(k), v) for k, v in var.items() if mine_var.get(k) != v}
            assert not differing, f"{where}, variable {name}: {differing}"


def array_of(value: dict[str, Any]) -> np.ndarray:
    """A recorded value as an array."""
    return np.array(value["data"], value["dtype"]).reshape(value["shape"])


def check_value(ours: dict[str, Any], real: dict[str, Any] | None, where: str) -> None:
    """A fetched value: exact but for rounding."""
    if real is None:
        return  # the wheel's own differs from run to run
    assert (ours["dtype"], ours["shape"]) == (real["dtype"], real["shape"]), where
    # a gradient has the LoD of its variable here; in the wheel often none
    assert ours["lod"] == real["lod"] or "gradient" in where, where
    np.testing.assert_allclose(array_of(ours), array_of(real), rtol=2e-5, atol=2e-6, err_msg=where)


def check(fluid: Any, code: str, real: dict[str, Any], programs_too: bool = True) -> None:
    """Record, differentiate and run a call, and compare everything with the recording."""
    ours = fluid_recording.observe(fluid, code, "backward" in real, "values" in real)
    if programs_too:
        check_program(ours["startup"], real["startup"], "startup program")
        check_program(ours["main"], real["main"], "main program")
        if "backward" in real:
            check_backward(ours["backward"], real["backward"])
    assert (ours["out"], ours["form"]) == (real["out"], real["form"])
    if "values" in real:
        for i, (mine, theirs) in enumerate(zip(ours["values"], real["values"])):
            check_value(mine, theirs, f"output {i}")
        for name, gradient in real["grads"].items():
            assert name in ours["grads"], f"there is no gradient of {name}"
            check_value(ours["grads"][name], gradient, f"gradient of {name}")


def check_backward(ours: list[Any], real: list[Any]) -> None:
    """The operators that `fluid.gradients` added."""
    assert [op[0] for op in ours] == [op[0] for op in real], "backward"
    for mine, theirs in zip(ours, real):
        assert mine == theirs, f"backward, {theirs[0]}"
