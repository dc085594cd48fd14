"""LoD and outputs of their own in eager mode of Paddle 1.8, by operators that are appended as its unit tests do. Answers of 1.8.5."""

import numpy as np
import pytest

import paddle_compat.fluid as fluid
from paddle_compat.fluid.dygraph import to_variable


def append(type, inputs, outputs, **attrs):
    block = fluid.default_main_program().global_block()
    kind = fluid.core.VarDesc.VarType.LOD_TENSOR
    made = {slot: block.create_var(name=slot, dtype=dtype, type=kind) for slot, dtype in outputs.items()}
    block.append_op(type=type, inputs=inputs, outputs=made, attrs=attrs)
    return made


def levelled(array, *lengths):
    value = to_variable(array)
    value.value().get_tensor().set_recursive_sequence_lengths([list(level) for level in lengths])
    return value


def test_operators_read_and_give_lod():
    with fluid.dygraph.guard():
        x = levelled(np.arange(6, dtype="float32").reshape(3, 2), [1, 2])
        x.stop_gradient = False
        assert "lod: {{0, 1, 3}}" in str(x)
        reversed_ = append("sequence_reverse", {"X": x}, {"Y": "float32"})["Y"]
        assert reversed_.numpy().tolist() == [[0, 1], [4, 5], [2, 3]]
        pooled = append("sequence_pool", {"X": x}, {"Out": "float32"}, pooltype="SUM")["Out"]
        assert pooled.numpy().tolist() == [[0, 1], [6, 8]]
        pooled.backward()
        assert x.gradient().tolist() == [[1, 1]] * 3
        halves = append("sequence_reshape", {"X": x}, {"Out": "float32"}, new_dim=1)["Out"]
        assert halves.value().get_tensor().recursive_sequence_lengths() == [[2, 4]]
        # what only passes its input through has no LoD in this mode
        assert fluid.layers.relu(x).value().get_tensor().lod() == []


def test_found_boxes_say_their_images():
    with fluid.dygraph.guard():
        boxes = to_variable(np.array([[[0, 0, 1, 1], [2, 2, 3, 3]]] * 2, "float32"))
        scores = to_variable(np.array([[[0.9, 0.8]], [[0.7, 0.0]]], "float32"))
        found = fluid.layers.multiclass_nms(boxes, scores, 0.1, 5, 5, background_label=-1)
        assert found.value().get_tensor().recursive_sequence_lengths() == [[2, 1]]


@pytest.mark.parametrize(("type", "attrs"), [("sgd", {}), ("lars_momentum", {"mu": 0.9})])
def test_inputs_stay_as_they_are_where_other_values_take_the_outputs(type, attrs):
    with fluid.dygraph.guard():
        slots = ["Param", "Grad"] + ["Velocity"] * (type != "sgd")
        given = {slot: to_variable(np.full((2, 2), 2.0, "float32")) for slot in slots}
        outputs = {"ParamOut": "float32", **({"VelocityOut": "float32"} if type != "sgd" else {})}
        made = append(type, {**given, "LearningRate": to_variable(np.array([0.5], "float32"))}, outputs, **attrs)
        assert (given["Param"].numpy() == 2.0).all() and (made["ParamOut"].numpy() != 2.0).all()


def test_adadelta_into_other_variables_steps_by_the_mean_of_before():
    x, rate = np.array([2.0], "float32"), np.array([0.25], "float32")
    answers = []
    for suffix in ("", "_out"):
        main = fluid.Program()
        with fluid.program_guard(main):
            block = main.global_block()
            names = ["Param", "AvgSquaredGrad", "AvgSquaredUpdate"]
            made = {n: block.create_var(name=n, shape=[1], dtype="float32") for n in [*names, "Grad"]}
            outs = {n + "Out": block.create_var(name=n + suffix, shape=[1], dtype="float32") for n in names}
            block.append_op(type="adadelta", inputs=made, outputs=outs, attrs={"rho": 0.5, "epsilon": 0.0})
            feed = {"Param": x, "Grad": x, "AvgSquaredGrad": rate, "AvgSquaredUpdate": rate}
            exe = fluid.Executor(fluid.CPUPlace())
            answers.append(exe.run(main, feed={n: v.copy() for n, v in feed.items()}, fetch_list=[outs["ParamOut"]])[0].item())
    np.testing.assert_allclose(answers, [1.1764705, 1.3140056], rtol=1e-6)


def test_layer_norm_gives_a_mean_for_each_row():
    with fluid.dygraph.guard():
        x = to_variable(np.ones((2, 3, 4), "float32"))
        made = append("layer_norm", {"X": x}, dict.fromkeys(["Y", "Mean", "Variance"], "float32"), begin_norm_axis=2)
        assert [made[slot].shape for slot in ("Y", "Mean", "Variance")] == [[2, 3, 4], [6], [6]]


def test_what_serves_gradients_alone_reads_lod_too():
    with fluid.dygraph.guard():
        scores = levelled(np.array([[0.0, 1.0], [2.0, 0.0], [1.0, 1.0]]), [1, 2])
        tags = levelled(np.array([[0], [1], [0]], "int64"), [1, 2])
        slots = dict.fromkeys(["Alpha", "EmissionExps", "TransitionExps", "LogLikelihood"], "float64")
        made = append("linear_chain_crf", {"Emission": scores, "Transition": to_variable(np.zeros((4, 2))), "Label": tags}, slots)
        np.testing.assert_allclose(made["LogLikelihood"].numpy(), [[1.3132616], [2.8200751]], rtol=1e-6)
        np.testing.assert_allclose(made["Alpha"].numpy().sum(1), 1.0, rtol=1e-12)
        assert made["EmissionExps"].shape == [3, 2]


def test_recurrences_and_pools_give_what_serves_gradients_alone():
    """The sums of what 1.8.5 gives; the LoD of its `BatchGate`, which says how its kernel went, is no LoD and not ours."""
    draw = np.random.RandomState(0)

    def values(*shape):
        return draw.rand(*shape).astype("float32")

    def total(value):
        return np.abs(value.numpy().astype("float64")).sum()

    with fluid.dygraph.guard():
        inputs = {"Input": levelled(values(6, 8), [2, 1, 3]), "Weight": to_variable(values(2, 8)), "Bias": to_variable(values(1, 8))}
        slots = dict.fromkeys(["Hidden", "Cell", "BatchGate", "BatchCellPreAct"], "float32")
        made = append("lstm", inputs, slots, use_peepholes=False)
        np.testing.assert_allclose([total(made[slot]) for slot in slots], [5.503307, 9.054689, 36.034257, 7.059292], rtol=1e-6)
        inputs = {"Input": levelled(values(6, 6), [2, 1, 3]), "Weight": to_variable(values(2, 6)), "Bias": to_variable(values(1, 6))}
        slots = dict.fromkeys(["Hidden", "BatchGate", "BatchResetHiddenPrev", "BatchHidden"], "float32")
        made = append("gru", inputs, slots)
        np.testing.assert_allclose([total(made[slot]) for slot in slots], [8.372181, 29.09335, 3.149308, 8.372181], rtol=1e-6)
        x = levelled(np.array([[1, 5], [4, 2], [3, 3], [0, 9]], "float32"), [3, 1])
        made = append("sequence_pool", {"X": x}, {"Out": "float32", "MaxIndex": "int32"}, pooltype="MAX")
        assert made["Out"].numpy().tolist() == [[4, 5], [0, 9]] and made["MaxIndex"].numpy().tolist() == [[1, 0], [3, 3]]
