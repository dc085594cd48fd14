"""What test harnesses and low-level scripts reach for: state of Programs, descriptions, schemas, `paddle.base`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import fluid, static
from paddle_compat.base import core
from paddle_compat.base.data_feeder import check_dtype, check_type, check_variable_and_dtype, convert_dtype
from paddle_compat.base.framework import OpProtoHolder


@pytest.fixture(autouse=True)
def net() -> Iterator[Any]:
    """A Program that trains one layer with Adam, in a scope of its own."""
    paddle.enable_static()
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup), static.scope_guard(static.Scope()), paddle.utils.unique_name.guard():
        x = static.data("x", [None, 4])
        paddle.optimizer.Adam(0.1).minimize(static.nn.fc(x, 2).mean())
        yield main, startup


def trained(net: Any) -> Any:
    """The Program, with its startup program run."""
    main, startup = net
    static.Executor(paddle.CPUPlace()).run(startup)
    return main


def test_state_dict(net: Any) -> None:
    with pytest.raises(ValueError, match="fc_0.w_0"):
        net[0].state_dict()
    main = trained(net)
    parameters, state = main.state_dict("param"), main.state_dict("opt")
    assert set(parameters) == {"fc_0.w_0", "fc_0.b_0"}
    assert {"learning_rate_0", "fc_0.w_0_moment1_0", "fc_0.b_0_beta2_pow_acc_0"} <= set(state)
    assert set(main.state_dict()) == {*parameters, *state}
    former = np.array(parameters["fc_0.w_0"])
    main.set_state_dict({"fc_0.w_0": former * 2})
    assert (np.array(main.state_dict()["fc_0.w_0"]) == former * 2).all()
    other = static.Scope()
    with pytest.raises(ValueError, match="scope"):
        main.state_dict(scope=other)


def test_state_that_does_not_fit_is_passed_over(net: Any) -> None:
    main = trained(net)
    former = np.array(main.state_dict()["fc_0.w_0"])
    with pytest.warns(UserWarning, match="nowhere"):
        main.set_state_dict({"nowhere": former})
    with pytest.warns(UserWarning, match="fc_0.w_0"):
        main.set_state_dict({"fc_0.w_0": former[:2]})
    assert (np.array(main.state_dict()["fc_0.w_0"]) == former).all()


def test_state_is_saved_and_loaded(net: Any, tmp_path: Any) -> None:
    main = trained(net)
    former = {name: np.array(value) for name, value in main.state_dict("param").items()}
    static.save(main, str(tmp_path / "model"))
    main.set_state_dict({name: value * 0 for name, value in former.items()})
    main.set_state_dict(static.load_program_state(str(tmp_path / "model")))
    for name, value in main.state_dict("param").items():
        assert (np.array(value) == former[name]).all()


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda p: p.state_dict("none"), ValueError), (lambda p: p.state_dict(3), TypeError), (lambda p: p.state_dict("all", 3), TypeError),
        (lambda p: p.set_state_dict(3), TypeError), (lambda p: p.set_state_dict({}, 3), TypeError),
    ],
)  # fmt: skip
def test_wrong_use_of_state(net: Any, call: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        call(net[0])


def test_descriptions(net: Any) -> None:
    main = net[0]
    block, view = main.global_block(), main.desc.block(0)
    assert (view.id, view.parent, view.get_forward_block_idx()) == (0, -1, -1)
    assert [view.op(i).type() for i in range(view.op_size())] == [op.type for op in block.ops]
    assert {var.name() for var in view.all_vars()} == set(block.vars)
    assert view.has_var(b"x") and not view.has_var("nothing") and view.find_var(b"nothing") is None
    x = view.find_var(b"x")
    assert x.shape() == [-1, 4] and x.need_check_feed() and x.stop_gradient() and not x.is_parameter()
    x.set_need_check_feed(False)
    assert not block.var("x").need_check_feed
    mul = block.desc.op(0)
    assert mul.inputs() == {"X": ["x"], "Y": ["fc_0.w_0"]} and mul.outputs() == {"Out": ["fc_0.tmp_0"]}
    assert mul.attr_type("x_num_col_dims") == core.AttrType.INT and mul.attr_type("op_role_var") == core.AttrType.STRINGS
    assert [op.idx for op in block.ops] == list(range(len(block.ops)))
    assert view.var("new").name() == "new" and block.has_var("new")


def test_attributes_that_are_empty_lists_are_lists() -> None:
    rows = paddle.split(static.data("y", [4, 2]), 2)
    assert rows[0].block.ops[-1].attr("sections") == []


def test_schemas() -> None:
    holder = OpProtoHolder.instance()
    reshape = holder.get_op_proto("reshape2")
    slots = [(s.name, s.duplicable, s.dispensable, s.intermediate) for s in (*reshape.inputs, *reshape.outputs)]
    assert slots == [
        ("X", False, False, False), ("Shape", False, True, False), ("ShapeTensor", True, True, False), ("Out", False, False, False),
        ("XShape", False, False, True),
    ]  # fmt: skip
    attributes = {a.name: a.type for a in holder.get_op_proto("mul").attrs}
    assert attributes["x_num_col_dims"] == core.AttrType.INT and attributes["op_role"] == core.AttrType.INT
    assert "axes" in {a.name for a in holder.get_op_proto("slice").attrs}
    assert fluid.framework.OpProtoHolder.instance() is not holder is OpProtoHolder.instance()
    assert holder.has_op_proto("relu") and "relu" in core.get_all_op_names()
    with pytest.raises(ValueError, match="not been registered"):
        holder.get_op_proto("no_such_operator")


def test_checks() -> None:
    x = static.data("z", [2])
    check_variable_and_dtype(x, "x", ["float32"], "op")
    check_type(3, "x", (int, str), "op")
    check_dtype("bfloat16", "x", ["uint16"], "op")
    assert convert_dtype(x.dtype) == "float32"
    with pytest.raises(TypeError, match="data type of 'x' in op must be"):
        check_variable_and_dtype(x, "x", ["int32"], "op")
    with pytest.raises(TypeError, match="type of 'x' in op must be"):
        check_variable_and_dtype(3, "x", ["int32"], "op")
    with pytest.raises(TypeError):
        convert_dtype("float33")


def test_checks_say_nothing_in_eager_mode() -> None:
    paddle.disable_static()
    check_type(3, "x", str, "op")
    check_dtype("int32", "x", ["float32"], "op")
    check_variable_and_dtype(paddle.ones([1]), "x", ["int32"], "op")
    with pytest.raises(AttributeError):
        check_variable_and_dtype(3, "x", ["int32"], "op")


def test_switches_and_devices() -> None:
    cpu = core.CPUPlace()
    assert not core.is_float16_supported(cpu) and core.is_bfloat16_supported(cpu) and not core.is_compiled_with_xpu()
    assert isinstance(paddle.framework._current_expected_place(), core.Place)
    core._set_prim_backward_enabled(True)
    try:
        assert core._is_bwd_prim_enabled() and not core._is_all_prim_enabled()
    finally:
        core._set_prim_all_enabled(False)
    assert paddle.framework.core is core and paddle.base.framework.grad_var_name("x") == "x@GRAD"


def test_operators_that_may_write_over_their_inputs() -> None:
    from paddle_compat.fluid import core as first

    later = ("relu", "log", "where", "reshape2", "scale")
    assert all(map(core.has_infer_inplace, later)) and not any(map(core.has_infer_inplace, ("square", "conv2d", "relu6", "group_norm")))
    earlier = ("relu", "square", "relu6", "group_norm", "reshape2", "scale")
    assert all(map(first.has_infer_inplace, earlier)) and not any(map(first.has_infer_inplace, ("log", "where", "conv2d")))


def test_a_gradient_that_is_an_ordinary_operator_names_the_slots_it_keeps() -> None:
    """Both wheels list ScaleTensor, which is empty here."""
    block = paddle.static.Program().global_block()
    x, y = (block.create_var(name=name, shape=[2], dtype="float32") for name in "xy")
    op = block.append_op(type="scale", inputs={"X": x}, outputs={"Out": y}, attrs={"scale": 2.0})
    grads, _ = core.get_grad_op_desc(op.desc, set(), [])
    assert [(g.type(), g.inputs(), g.outputs()) for g in grads] == [
        ("scale", {"ScaleTensor": [], "X": ["y@GRAD"]}, {"Out": ["x@GRAD"]}),
    ]


def test_names_of_gradients() -> None:
    from paddle_compat.base.backward import _append_grad_suffix_, _strip_grad_suffix_

    assert _append_grad_suffix_("a") == "a@GRAD"
    assert {_strip_grad_suffix_(n) for n in ("x", "x@GRAD", "x@GRAD@RENAME@1", "grad/x@GRAD")} == {"x"}


def test_function_for_eager_mode() -> None:
    from paddle_compat.base.framework import dygraph_only

    three = dygraph_only(lambda: 3)
    with pytest.raises(AssertionError, match="eager mode only"):
        three()
    paddle.disable_static()
    assert three() == 3
