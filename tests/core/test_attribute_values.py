"""What Paddle 1.8.5 and 2.6.2 refuse in an attribute while its operator is appended: kinds that are not its own, and values."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.core.attribute_values import fit_attributes
from paddle_compat.core.errors import EnforceNotMet, OutOfRangeError
from paddle_compat.core.op import definition_of
from paddle_compat.core.program import Program

pytestmark = pytest.mark.usefixtures("paddle_is_ours")

BIG = 1 << 40
OF_ANOTHER_KIND = [  # by both wheels
    ("split", "num", BIG), ("split", "num", 1.5), ("clip_by_norm", "max_norm", "a"), ("clip_by_norm", "max_norm", [1.0]),
    ("eye", "num_rows", "a"), ("eye", "num_rows", [1]), ("reduce_sum", "keep_dim", "a"), ("reduce_sum", "dim", [1, 1.5]),
    ("deformable_psroi_pooling", "group_size", 3), ("deformable_psroi_pooling", "spatial_scale", [0.5]),
    ("affine_channel", "data_layout", 1), ("pool2d", "use_cudnn", "a"), ("reduce_sum", "dim", "a"),
]  # fmt: skip
OF_NO_KIND = [("split", "num", {}), ("split", "num", [[1]]), ("reduce_sum", "dim", [1, "a"]), ("scale", "scale", {1})]
CONVERTED = [
    ("arg_max", "axis", 1.5, 1), ("eye", "num_rows", np.float64(2.5), 2), ("fake_init", "shape", [1.5, 2], [1, 2]),
    ("affine_channel", "data_layout", b"NCHW", b"NCHW"), ("pool2d", "use_cudnn", -1, True),
    ("clip_by_norm", "max_norm", True, 1.0), ("split", "num", np.float32(2.5), 2),
]  # fmt: skip
# ages, operator, attribute, allowed, refused, what 2.6.2 raises
LIMITED = [
    ("12", "lstm", "gate_activation", ["tanh", "identity"], ["a"], RuntimeError),
    ("12", "sequence_pool", "pooltype", ["MAX"], ["max"], RuntimeError),
    ("1", "pool2d", "pooling_type", ["avg"], ["AVG"], None),
    ("1", "assign_value", "dtype", [0, 5], [1, 6], None),
    ("1", "box_coder", "axis", [0, 1], [-1, 2], None),
    ("12", "dropout", "dropout_prob", [0.0, 1.0], [-1e-6, 1.01], ValueError),
    ("12", "dropout", "dropout_implementation", ["upscale_in_train"], ["a"], ValueError),
    ("12", "fake_quantize_abs_max", "bit_length", [1, 16], [0, 17], ValueError),
    ("2", "fake_channel_wise_quantize_abs_max", "quant_axis", [0, 1], [-1, 2], ValueError),
    ("12", "lod_rank_table", "level", [0], [-1], OutOfRangeError),
    ("12", "mul", "x_num_col_dims", [1], [0], IndexError),
    ("12", "layer_norm", "begin_norm_axis", [1], [0], ValueError),
    ("12", "batch_norm", "epsilon", [0.0, 0.001], [-1e-6, 0.002], ValueError),
    ("1", "group_norm", "epsilon", [1.0], [1.01], None),
    ("2", "rrelu", "lower", [0.0, 0.99], [-0.5, 1.0], ValueError),
    ("12", "sequence_mask", "maxlen", [-1, 1], [0], ValueError),
    ("1", "tree_conv", "max_depth", [2], [1], None),
    ("12", "shuffle_channel", "group", [1], [0], ValueError),
    ("12", "prelu", "mode", ["all", "element"], ["some"], ValueError),
    ("12", "pad", "paddings", [[], [0, 1]], [[-7, 1]], ValueError),
    ("12", "conv2d", "strides", [[1, 2]], [[1], [1, 1, 1]], ValueError),
    ("12", "conv3d", "paddings", [[0, 0, 0], [0, 1] * 3], [[0, 0]], ValueError),
    ("12", "roi_align", "pooled_height", [1], [0, -1], ValueError),
    ("12", "density_prior_box", "densities", [[1, 2]], [[0, 1]], IndexError),
    ("1", "batch_norm", "data_layout", ["NHWC", "nchw"], ["bogus", ""], None),
    ("12", "yolo_box", "anchors", [[1, 2]], [[], [1, 2, 3]], ValueError),
]


def fit(age: int, type_: str, name: str, given: Any) -> Any:
    """The attribute as the operator keeps it."""
    attrs = {name: given}
    fit_attributes(definition_of(type_), attrs, age)
    return attrs[name]


@pytest.mark.parametrize("age", [1, 2])
def test_another_kind(age: int) -> None:
    for type_, name, given in OF_ANOTHER_KIND:
        with pytest.raises(EnforceNotMet if age == 1 else ValueError, match=f"`{name}` of `{type_}`. Expected .* Received"):
            fit(age, type_, name, given)


@pytest.mark.parametrize("age", [1, 2])
def test_no_kind(age: int) -> None:
    for type_, name, given in OF_NO_KIND:
        with pytest.raises(TypeError, match=f"`{name}` of `{type_}`. Expected .* Received"):
            fit(age, type_, name, given)


def test_a_kind_that_one_age_refuses() -> None:
    """An empty list where one value is meant; whole numbers, and arrays of one, for a list of fractions."""
    with pytest.raises(EnforceNotMet, match="`num` of `split`"):
        fit(1, "split", "num", [])
    with pytest.raises(NotImplementedError, match="`num` of `split`. Expected int. Received: an empty list"):
        fit(2, "split", "num", [])
    for given in ([1], np.array([0.5])):
        with pytest.raises(EnforceNotMet, match="`variances` of `density_prior_box`"):
            fit(1, "density_prior_box", "variances", given)


@pytest.mark.parametrize("age", [1, 2])
def test_conversions(age: int) -> None:
    for type_, name, given, kept in CONVERTED:
        found = fit(age, type_, name, given)
        assert found == kept and type(found) is type(kept), (type_, name)


@pytest.mark.parametrize("case", LIMITED, ids=lambda case: f"{case[1]}.{case[2]}")
def test_values(case: tuple[str, str, str, list[Any], list[Any], Any]) -> None:
    ages, type_, name, allowed, refused, kind = case
    for age in map(int, ages):
        for given in allowed:
            assert fit(age, type_, name, given) == given
        for given in refused:
            text = re.escape(f"`{name}` of `{type_}`. Expected ") + ".*" + re.escape(f"Received: {given}")
            with pytest.raises(EnforceNotMet if age == 1 else kind, match=text):
                fit(age, type_, name, given)


def test_a_description_checks_its_attributes() -> None:
    paddle.enable_static()
    program = Program()
    program.age = 1
    desc = program.global_block().desc.append_op()
    desc.set_type("split")
    desc._set_attr("num", "two")
    with pytest.raises(EnforceNotMet, match="`num` of `split`. Expected int. Received: two"):
        desc.check_attrs()


def test_whole_numbers_are_read_as_the_fractions_that_they_stand_for() -> None:  # as 1.8.5 and 2.6.2
    for age in (1, 2):
        program = Program()
        program.age = age
        block = program.global_block()
        x, out = (block.create_var(name=name, shape=[2], dtype="float32") for name in ("x", "out"))
        for type_, attrs in (("scale", {"scale": 2, "bias": 1}), ("leaky_relu", {"alpha": 1}), ("clip", {"min": 0, "max": 1})):
            op = block.append_op(type=type_, inputs={"X": x}, outputs={"Out": out}, attrs=dict(attrs))
            found = {name: op.attr(name) for name in attrs}
            assert found == attrs and all(type(value) is float for value in found.values()), age
            assert {name: type(op.all_attrs()[name]) for name in attrs} == dict.fromkeys(attrs, float)
