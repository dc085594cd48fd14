"""The operators of 1.8's backward passes where some gradients are nobody's."""

from __future__ import annotations

import pytest

from paddle_compat import fluid
from paddle_compat.core.errors import InvalidArgumentError


def test_gradients_of_parts_are_summed_where_the_whole_would_have_its_gradient() -> None:
    """1.8.5 writes the gradient of a split of data, sums what it reads, and drops it: the sum stands in front of what follows."""
    layers, program = fluid.layers, fluid.Program()
    with fluid.program_guard(program, fluid.Program()), fluid.unique_name.guard():
        behind = layers.fc(fluid.data("y", [None, 4, 3]), 3, num_flatten_dims=2)
        data, hidden = layers.split(fluid.data("x", [None, 4, 3]), 4, 1), layers.split(behind, 4, 1)
        left = layers.tanh(layers.stack([data[0], hidden[0], data[0]]))
        fluid.backward.append_backward(layers.mean(left * layers.stack([data[1], data[0], hidden[1]])))
    types = [op.type for op in program.global_block().ops]
    assert types[types.index("mean_grad") :] == [
        "mean_grad", "elementwise_mul_grad", "stack_grad", "tanh_grad", "stack_grad", "fill_zeros_like", "fill_zeros_like",
        "concat", "sum", "elementwise_add_grad", "mul_grad",
    ]  # fmt: skip


def test_focal_loss_takes_one_number_of_boxes() -> None:
    """What `retinanet_target_assign` counts for each image is summed first; 1.8.5 refuses the counts, which would meet the classes."""
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        scores, labels = fluid.data("scores", [None, 3]), fluid.data("labels", [None, 1], "int32")
        counts = fluid.data("counts", [None, 1], "int32")
        with pytest.raises(InvalidArgumentError, match="`fg_num` of `sigmoid_focal_loss`.*shape \\[1\\]"):
            fluid.layers.sigmoid_focal_loss(scores, labels, counts)
        assert fluid.layers.sigmoid_focal_loss(scores, labels, fluid.layers.reduce_sum(counts)).shape == (-1, 3)
