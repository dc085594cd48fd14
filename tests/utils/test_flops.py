"""`paddle.utils.flops` counts the operations that 2.6.2's does."""

from __future__ import annotations

from typing import Any

import pytest

from paddle_compat.utils.flops import flops, prod, register_flops

# What 2.6.2 gave for shapes and attributes made at random, wrong ones among them.
COUNTS: list[tuple[str, dict[str, Any], dict[str, Any], int]] = [
    (
        "conv2d",
        {"Input": [[4, 0, 5, 0]], "Filter": [[4, 5, 6, 1]], "Bias": [[1]]},
        {"strides": [1, 2], "paddings": 1, "dilations": [1, 1], "groups": 1},
        32,
    ),
    (
        "conv2d",
        {"Input": [[5, 0, 1, 3]], "Filter": [[2, 6, 3, 1]], "Bias": [[6]]},
        {"strides": 1, "paddings": 0, "dilations": 1, "groups": 1},
        -30,
    ),
    (
        "conv2d",
        {"Input": [[1, 2, 0, 4]], "Filter": [[6, 3, 1, 6]], "Bias": []},
        {"strides": 2, "paddings": [1, 2], "dilations": [2, 1], "groups": 3},
        96,
    ),
    (
        "conv2d",
        {"Input": [[1, 2, 4, 2]], "Filter": [[4, 4, 1, 1]], "Bias": []},
        {"strides": [1, 2], "paddings": [1, 2], "dilations": 2, "groups": 1},
        288,
    ),
    (
        "conv2d",
        {"Input": [[1, 4, 6, 1]], "Filter": [[6, 1, 5, 5]], "Bias": [[1]]},
        {"strides": 1, "paddings": 1, "dilations": 1, "groups": 1},
        -4824,
    ),
    (
        "conv2d",
        {"Input": [[6, 3, 5, 2]], "Filter": [[5, 4, 4, 1]], "Bias": [[1]]},
        {"strides": [1, 2], "paddings": [0, 1, 2, 3], "dilations": 1, "groups": 1},
        3000,
    ),
    (
        "conv2d",
        {"Input": [[6, 6, 5, 0]], "Filter": [[2, 4, 3, 3]], "Bias": [[6]]},
        {"strides": [2, 2], "paddings": [1, 2], "dilations": [2, 1], "groups": 2},
        1320,
    ),
    (
        "conv2d",
        {"Input": [[3, 2, 2, 2]], "Filter": [[1, 1, 2, 6]], "Bias": [[6]]},
        {"strides": 2, "paddings": [1, 2], "dilations": 2, "groups": 1},
        -294,
    ),
    (
        "conv2d",
        {"Input": [[4, 6, 0, 2]], "Filter": [[4, 5, 6, 4]], "Bias": [[6]]},
        {"strides": [2, 2], "paddings": [0, 0], "dilations": 2, "groups": 2},
        23200,
    ),
    ("matmul", {"X": [[1, 5, 4, 5]], "Y": [[6, 4, 6]]}, {"transpose_Y": True}, 960),
    ("matmul", {"X": [[2, 2, 5]], "Y": [[5, 6]]}, {"transpose_X": True, "transpose_Y": True}, 200),
    ("matmul", {"X": [[4, 6, 1]], "Y": [[3, 5]]}, {"trans_y": True, "trans_x": False}, 240),
    ("matmul", {"X": [[2, 2, 6]], "Y": [[1]]}, {}, 48),
    ("matmul_v2", {"X": [[3, 4]], "Y": [[5, 5]]}, {}, 120),
    ("matmul_v2", {"X": [[1, 5]], "Y": [[5, 4]]}, {"trans_y": True, "trans_x": False}, 50),
    ("matmul_v2", {"X": [[6, 4]], "Y": [[2, 1, 4]]}, {"transpose_Y": True}, 384),
    ("matmul_v2", {"X": [[3, 5, 6, 4]], "Y": [[2, 3, 3, 2]]}, {"transpose_X": True}, 1440),
    ("elementwise_mul", {"X": [[2, 6, 1]], "Y": [[1]]}, {}, 12),
    ("elementwise_mul", {"X": [[6, 3, 6, 2]], "Y": [[1, 4, 3, 3]]}, {"epsilon": 0.0}, 432),
    ("layer_norm", {"X": [[1]], "Y": [[]]}, {"epsilon": 0.0}, 7),
    ("layer_norm", {"X": [[]], "Y": [[4, 1]]}, {"axis": 1}, 7),
    ("layer_norm", {"X": [[1, 2]], "Y": [[3, 6, 6]]}, {"epsilon": 1e-05}, 16),
    ("softmax", {"X": [[]], "Y": [[6, 1]]}, {"axis": 1}, 3),
    ("gelu", {"X": [[5, 2, 5, 6]], "Y": [[2, 3]]}, {}, 1500),
    ("pool", {"X": [[]], "Y": [[3, 1, 2, 2]]}, {"epsilon": 1e-05}, 1),
    ("prelu", {"X": [[4]], "Y": [[3, 3, 3, 5]]}, {}, 4),
    ("dropout", {"Input": [[3, 3, 6, 5]], "Y": [[1, 5]]}, {"axis": 1}, 0),
    (
        "conv2d",
        {"Input": [[1, 5, 1, 3]], "Filter": [[4, 5, 2, 2]], "Bias": [[1]]},
        {"strides": 2, "paddings": "SAME", "dilations": 1, "groups": 3},
        0,
    ),
    ("conv2d", {"Input": [[2, 3, 6, 5]], "Filter": [[3, 1, 2, 2]], "Bias": [[6]]}, {"strides": [2], "paddings": [1, 2], "groups": 3}, 0),
]


@pytest.mark.parametrize(("op", "shapes", "attrs", "expected"), COUNTS)
def test_counts(op: str, shapes: dict[str, Any], attrs: dict[str, Any], expected: int) -> None:
    assert flops(op, shapes, attrs) == expected


def test_what_has_no_count_has_none() -> None:
    assert flops("fft_c2c", {"X": [[2]]}, {}) == flops("relu", {}, {}) == 0


def test_scripts_give_operators_counts() -> None:
    @register_flops("an_operator_of_a_script")
    def count(input_shapes: dict[str, Any], attrs: dict[str, Any]) -> int:
        return prod(input_shapes["X"][0]) * int(attrs["times"])

    assert flops("an_operator_of_a_script", {"X": [[2, 3]]}, {"times": 4}) == count({"X": [[2, 3]]}, {"times": 4}) == 24
    assert prod([]) == 1
