"""Batch norms of a saved model taken into the weights of the convolutions in front of them."""

from __future__ import annotations

from typing import Any

import numpy as np

_CONVOLUTIONS = {"conv2d": 0, "depthwise_conv2d": 0, "conv2d_transpose": 1}  # where the channels of results lie in the weight


def fold_batch_norms(program: Any, scope: Any, place: Any) -> None:
    """Scale weights by what their batch norm would scale results by, and add its shift behind, where nobody else reads any of these."""
    block = program.global_block()
    made = dict.fromkeys(_CONVOLUTIONS, 0)
    for norm in [op for op in block.ops if op.type == "batch_norm"]:
        before = _maker(block, norm.input("X")[0])
        biased = before is not None and before.type == "elementwise_add"
        convolution = _maker(block, before.input("X")[0]) if before is not None and biased else before
        if before is None or convolution is None or convolution.type not in _CONVOLUTIONS or (biased and not _is_bias(block, before)):
            continue
        axis, weight = _CONVOLUTIONS[convolution.type], convolution.input("Filter")[0]
        states = [norm.input(slot)[0] for slot in ("Scale", "Bias", "Mean", "Variance")]
        if (axis and (biased or convolution.attr("groups") != 1)) or any(_readers(block, name) > 1 for name in (weight, *states)):
            continue
        gain, offset, mean, variance = (_value(scope, name) for name in states)
        factor = gain / np.sqrt(variance + np.float32(norm.attr("epsilon")))
        values = _value(scope, weight)
        _put(scope, place, weight, values * factor.reshape([-1 if d == axis else 1 for d in range(values.ndim)]))
        out = norm.output("Y")[0]
        if biased:
            bias = before.input("Y")[0]
            _put(scope, place, bias, (_value(scope, bias).reshape(-1) - mean) * factor + offset)
            before._rename_output(before.output("Out")[0], out)
        else:
            bias = f"fuse_conv_bn/{convolution.type}_eltwise_y_in/{made[convolution.type]}"
            made[convolution.type] += 1
            block.create_var(name=bias, shape=[len(mean)], dtype=block.var(weight).dtype, persistable=True)
            _put(scope, place, bias, offset - mean * factor)
            block._insert_op(
                block.ops.index(norm), type="elementwise_add", inputs={"X": convolution.output("Output"), "Y": [bias]},
                outputs={"Out": [out]}, attrs={"axis": 1},
            )  # fmt: skip
        block._remove_op(block.ops.index(norm))
        for name in states:
            block._remove_var(name)


def _maker(block: Any, name: str) -> Any:
    """The operator that makes a variable which one operator alone reads; None where there is none."""
    return next((op for op in block.ops if name in op.output_arg_names), None) if _readers(block, name) == 1 else None


def _readers(block: Any, name: str) -> int:
    return sum(name in op.input_arg_names for op in block.ops)


def _is_bias(block: Any, op: Any) -> bool:
    """Whether one number is added to each channel, by this operator alone."""
    name = op.input("Y")[0]
    var = block.var(name)
    return bool(var.persistable and _readers(block, name) == 1 and len([size for size in var.shape if size != 1]) <= 1)


def _value(scope: Any, name: str) -> Any:
    return np.array(scope.find_var(name).get_tensor())


def _put(scope: Any, place: Any, name: str, value: Any) -> None:
    scope.var(name).get_tensor().set(value, place)
