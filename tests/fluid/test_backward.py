"""The operators of 1.8's backward passes where some gradients are nobody's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from paddle_compat import fluid
from paddle_compat.base import backward as base_backward
from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.core.op_desc import OpDesc


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


@pytest.mark.parametrize("reads", [1, 2])
@pytest.mark.parametrize("kind", ["print", "py_func"])
def test_gradients_are_shown_that_nothing_reads(kind: str, reads: int, capsys: pytest.CaptureFixture[str]) -> None:
    """A backward pass of which nothing is fetched and that no optimizer follows. Answers of 1.8.5."""
    layers, program = fluid.layers, fluid.Program()

    def told(source: Any, result: Any, gradient: Any) -> Any:
        print("gradient", np.array(gradient).tolist())
        return np.array(gradient)

    with fluid.program_guard(program, fluid.Program()), fluid.unique_name.guard():
        x = fluid.data("x", [2])
        x.stop_gradient = False
        if kind == "print":
            shown = layers.Print(x, print_phase="backward", print_tensor_name=False, print_tensor_shape=False, print_tensor_type=False)
        else:
            result = program.current_block().create_var(name="result", dtype="float32", shape=[2])
            shown = layers.py_func(lambda v: np.array(v) * 2, x, result, backward_func=told)
        loss = layers.reduce_sum(shown if reads == 1 else shown + x * 3.0)
        fluid.backward.append_backward(loss)
    fluid.Executor().run(program, feed={"x": np.ones(2, "float32")}, fetch_list=[loss])
    assert capsys.readouterr().out.split("\n")[-2].strip() == ("data: 1,1," if kind == "print" else "gradient [1.0, 1.0]")


def test_focal_loss_takes_one_number_of_boxes() -> None:
    """What `retinanet_target_assign` counts for each image is summed first; 1.8.5 refuses the counts, which would meet the classes."""
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        scores, labels = fluid.data("scores", [None, 3]), fluid.data("labels", [None, 1], "int32")
        counts = fluid.data("counts", [None, 1], "int32")
        with pytest.raises(InvalidArgumentError, match="`fg_num` of `sigmoid_focal_loss`.*shape \\[1\\]"):
            fluid.layers.sigmoid_focal_loss(scores, labels, counts)
        assert fluid.layers.sigmoid_focal_loss(scores, labels, fluid.layers.reduce_sum(counts)).shape == (-1, 3)


def test_lists_of_gradient_operators_are_edited_as_append_backward_does() -> None:
    """The pieces of `append_backward` that unit tests call one by one. Answers of 1.8.5 and 2.6.2."""
    backward = fluid.backward

    def tanh_grad(source: str, target: str) -> OpDesc:
        inputs = {"Out": [source], "Out@GRAD": [source + "@GRAD"]}
        return backward._create_op_desc_("tanh_grad", inputs, {"X@GRAD": [target + "@GRAD"]}, {})

    def add_grad(source: str) -> OpDesc:
        inputs = {"X": ["x"], "Y": ["y"], "Out@GRAD": [source + "@GRAD"]}
        return backward._create_op_desc_("elementwise_add_grad", inputs, {"X@GRAD": ["x@GRAD"], "Y@GRAD": ["x@GRAD"]}, {})

    made = tanh_grad("a", "x")
    assert (made.type(), made.input("Out@GRAD"), made.attr("op_role"), made.attr("op_device")) == ("tanh_grad", ["a@GRAD"], 1, "")
    backward._rename_arg_([made, tanh_grad("b", "x")], "x@GRAD", "y@GRAD", 0, 1)
    assert made.output_arg_names() == ["y@GRAD"]
    assert [backward._some_in_set_(names, {"a"}) for names in (["a", "b"], [], ["b"])] == [True, False, False]
    assert [backward._all_in_set_(names, {"a"}) for names in (["a", "b"], [], ["a"])] == [False, False, True]

    part = "x@GRAD@RENAME@block0@{}".format
    descs = [tanh_grad("a", "x"), tanh_grad("b", "x"), tanh_grad("x", "z"), tanh_grad("c", "w")]
    summed = backward._addup_repetitive_outputs_(descs, 0)
    assert [(d.type(), *d.output_arg_names()) for d in summed] == [
        ("tanh_grad", part(0)), ("tanh_grad", part(1)), ("sum", "x@GRAD"), ("tanh_grad", "z@GRAD"), ("tanh_grad", "w@GRAD"),
    ]  # fmt: skip
    assert summed[2].input("X") == [part(0), part(1)] and summed[2].attr("use_mkldnn") is False
    summed = backward._addup_repetitive_outputs_([add_grad("c"), tanh_grad("b", "x")], 0)
    assert [d.output_arg_names() for d in summed] == [[part(0), part(1)], [part(2)], ["x@GRAD"]]

    for module, zeros in ((backward, "fill_zeros_like"), (base_backward, "fill_any_like")):
        unwanted = {"c@GRAD"}
        assert module._remove_no_grad_branch_([add_grad("c"), tanh_grad("x", "u")], unwanted) == []
        assert unwanted == {"c@GRAD", "x@GRAD", "u@GRAD"}
        joined = backward._create_op_desc_("concat", {"X": ["p@GRAD", "q@GRAD"]}, {"Out": ["o@GRAD"]}, {})
        kept = module._remove_no_grad_branch_([joined], {"p@GRAD"})
        assert [d.type() for d in kept] == [zeros, "concat"] and kept[0].input_arg_names() == ["p"]


def written(build: Callable[[Any, Any], Any]) -> dict[str, Any]:
    """The operators of a backward pass, by their types."""
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        x, words = fluid.data("x", [None, 4]), fluid.data("words", [None, 8], lod_level=1)
        x.stop_gradient = words.stop_gradient = False
        fluid.gradients(fluid.layers.reduce_sum(build(x, words)), [x, words])
        ops = fluid.default_main_program().global_block().ops
        return {op.type: op for op in ops if (op.attr("op_role") or 0) & 1}


def through_an_array(x: Any, words: Any) -> Any:
    index = fluid.layers.fill_constant([1], "int64", 0)
    return fluid.layers.array_read(fluid.layers.array_write(x, index), index)


def reordered(x: Any, words: Any) -> Any:
    return fluid.layers.reorder_lod_tensor_by_rank(words, fluid.layers.control_flow.lod_rank_table(words))


@pytest.mark.parametrize(
    ("build", "kind", "says"),
    [
        (through_an_array, "write_to_array", True),
        (through_an_array, "read_from_array", True),
        (lambda x, words: fluid.layers.Print(x), "print", True),
        (lambda x, words: fluid.gradients(fluid.layers.reduce_sum(x * x), x)[0] * x, "reduce_sum", True),
        (lambda x, words: fluid.layers.scale(x, 2.0), "scale", False),
        (reordered, "reorder_lod_tensor_by_rank_grad", False),
    ],
)
def test_operators_of_a_backward_pass_say_what_1_8_has_them_say(build: Any, kind: str, says: bool) -> None:
    names = set(written(build)[kind].attr_names)
    assert ({"op_namescope", "op_role_var"} <= names, "op_role_var" in names) == (says, says)


@pytest.mark.parametrize(
    ("build", "kind", "absent"),
    [
        (lambda x, words: fluid.layers.dynamic_lstmp(words, 8, 3)[0], "lstmp_grad", {"C0@GRAD", "H0@GRAD"}),
        (
            lambda x, words: fluid.layers.gru_unit(fluid.layers.fc(x, 6), x[:, :2] * 1.0, 6, bias_attr=False)[0],
            "gru_unit_grad",
            {"Bias@GRAD"},
        ),
        (lambda x, words: fluid.layers.bilinear_tensor_product(x, x, 3, bias_attr=False), "bilinear_tensor_product_grad", {"Bias@GRAD"}),
    ],
)
def test_gradients_of_absent_inputs_have_slots(build: Any, kind: str, absent: set[str]) -> None:
    op = written(build)[kind]
    assert {slot for slot in op.output_names if not op.output(slot)} == absent


def test_what_a_recurrence_gives_without_a_gradient_has_one_of_zeros() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        recurrence = fluid.layers.StaticRNN()
        with recurrence.step():
            seen = recurrence.step_input(fluid.data("x", [2, 1, 3]))
            state = recurrence.memory(shape=[-1, 3], batch_ref=seen)
            following = fluid.layers.fc(seen, 3) + state
            recurrence.update_memory(state, following)
            recurrence.step_output(following)
            recurrence.step_output(fluid.layers.tanh(following))
        kept, stopped = recurrence()
        stopped.stop_gradient = True
        fluid.backward.append_backward(fluid.layers.mean(kept + stopped))
        ops = fluid.default_main_program().global_block().ops
    zeros = [op for op in ops if op.type == "fill_zeros_like"]
    assert [(op.input("X"), op.output("Out")) for op in zeros] == [([stopped.name], [stopped.name + "@GRAD"])]
    assert ops.index(zeros[0]) < [op.type for op in ops].index("recurrent_grad")
