"""Operators by name on a Scope, their descriptions, and the views of Programs that unit tests of Paddle 1.8 use."""

import numpy as np
import pytest

import paddle_compat.fluid as fluid
from paddle_compat.fluid import core
from paddle_compat.fluid.framework import OpProtoHolder
from paddle_compat.fluid.op import OpDescCreationMethod, Operator, get_all_op_protos
from paddle_compat.fluid.proto import framework_pb2
from paddle_compat.fluid.reader import keep_data_loader_order


def scope_with(**arrays):
    scope = core.Scope()
    for name, value in arrays.items():
        scope.var(name).get_tensor().set(value, core.CPUPlace())
    return scope


def test_operator_runs_on_a_scope():
    x, y = np.arange(6, dtype="float32").reshape(2, 3), np.ones((3, 4), "float32")
    scope = scope_with(X=x, Y=y)
    scope.var("Out").get_tensor()
    op = Operator("mul", X="X", Y="Y", Out="Out")
    op.run(scope, core.CPUPlace())
    np.testing.assert_array_equal(scope.find_var("Out").get_tensor(), x @ y)
    tensor = scope.find_var("X").get_tensor()
    tensor._set_float_element(0, 5.0)
    assert tensor._get_float_element(0) == 5.0
    op.run(scope, core.CPUPlace())
    np.testing.assert_array_equal(np.array(scope.find_var("Out").get_tensor())[0], [8.0] * 4)
    assert str(op) == "Op(mul), inputs:{X[X], Y[Y]}, outputs:{Out[Out]}."


def test_operator_lowers_its_program_once_however_often_it_runs(monkeypatch):
    from paddle_compat.engine import executor

    lowered = []
    monkeypatch.setattr(executor, "lower", lambda *args, _real=executor.lower, **kw: lowered.append(args[0]) or _real(*args, **kw))
    op = Operator("scale", X="x", Out="out", scale=2.0)
    for value in (1.0, 3.0):
        for scope in (scope_with(x=np.full(4, value, "float32"), out=np.zeros(1, "float32")) for _ in range(2)):
            op.run(scope, core.CPUPlace())
            assert np.array(scope.find_var("out").get_tensor()).tolist() == [2 * value] * 4
    op.run(scope_with(x=np.ones(3, "float32"), out=np.zeros(1, "float32")), core.CPUPlace())  # another shape
    assert len(lowered) == 2


def test_operator_takes_lists_updates_in_place_and_keeps_sequences():
    scope = scope_with(a=np.ones((3, 2), "float64"), rate=np.array([0.5], "float64"))
    scope.find_var("a").get_tensor().set_recursive_sequence_lengths([[1, 2]])
    Operator("sum", X=["a", "a"], Out="b").run(scope, core.CPUPlace())
    total = scope.find_var("b").get_tensor()
    assert np.array(total).tolist() == [[2.0, 2.0]] * 3 and total.recursive_sequence_lengths() == [[1, 2]]
    Operator("sgd", Param="a", Grad="b", LearningRate="rate", ParamOut="a").run(scope, core.CPUPlace())
    assert np.array(scope.find_var("a").get_tensor()).tolist() == [[0.0, 0.0]] * 3


def test_operator_refuses_what_it_cannot_take():
    with pytest.raises(ValueError, match="nope is not registered"):
        Operator("nope", X="X")
    with pytest.raises(ValueError, match="X expects only one input, but 2 are given"):
        Operator("mul", X=["X", "X"], Y="Y", Out="Out")
    with pytest.raises(ValueError, match="keyword arguments"):
        Operator("mul", "X")


def test_descriptions_of_operators():
    proto = OpProtoHolder.instance().get_op_proto("dropout")
    assert [(s.name, s.duplicable, s.dispensable, s.intermediate) for s in proto.inputs] == [
        ("X", False, False, False), ("Seed", False, True, False),
    ]  # fmt: skip
    assert [(s.name, s.dispensable, s.intermediate) for s in proto.outputs] == [("Out", False, False), ("Mask", False, True)]
    assert Operator.get_op_inputs("concat")[0] == ("X", True)
    sized = {s.name: (s.duplicable, s.dispensable) for s in OpProtoHolder.instance().get_op_proto("bilinear_interp").inputs}
    assert sized["SizeTensor"] == (True, True) and sized["X"] == (False, False)
    encoded = [framework_pb2.OpProto.FromString(data) for data in fluid.core.get_all_op_protos()]
    held = OpProtoHolder.instance().op_proto_map
    assert [p.type for p in encoded] == list(held)
    for message in encoded:
        assert [(s.name, s.duplicable, s.dispensable) for s in message.inputs] == [
            (s.name, s.duplicable, s.dispensable) for s in held[message.type].inputs
        ]
        assert [(a.name, a.type) for a in message.attrs] == [(a.name, a.type) for a in held[message.type].attrs]
    assert "x_num_col_dims" in Operator.get_op_attr_names("mul")
    with pytest.raises(ValueError, match='"nope" has not been registered'):
        OpProtoHolder.instance().get_op_proto("nope")


def test_programs_of_fluid_follow_1_8_without_a_guard():
    program = fluid.Program()
    block = program.global_block()
    x = block.create_var(name="x", shape=[2, 3], dtype="float32")
    out = block.create_var(name="out", dtype="float32")
    op = block.append_op(type="mean", inputs={"X": x}, outputs={"Out": out})
    op.desc.infer_var_type(block.desc)
    op.desc.infer_shape(block.desc)
    assert out.shape == (1,)
    assert isinstance(program, fluid.Program) and isinstance(program.clone(), fluid.Program)


def test_views_of_blocks_take_names_as_bytes():
    program = fluid.Program()
    block = program.global_block()
    block.create_var(name="x", shape=[2], dtype="float32")
    block.append_op(type="relu", inputs={"X": "x"}, outputs={"Out": block.create_var(name="y", dtype="float32")})
    desc = program.desc.block(0)
    assert desc.op_size() == 1 and desc.op(0).type() == "relu" and desc.find_var(b"nobody") is None
    assert desc.find_var(b"y").shape() == [2] and desc.has_var(b"x") and desc == block.desc
    inner = program.desc.append_block(desc)
    assert inner.parent == 0 and inner.find_var_recursive(b"x").name() == "x" and inner.find_var(b"x") is None


def test_descriptions_are_made_from_schemas():
    protos = get_all_op_protos()
    assert len(protos) > 300 and all(proto.IsInitialized() for proto in protos)
    schema = framework_pb2.OpProto(type="test", comment="none")
    schema.inputs.add(name="X", comment="none")
    schema.inputs.add(name="Y", comment="none", duplicable=True)
    schema.outputs.add(name="Z", comment="none")
    schema.attrs.add(name="count", type=framework_pb2.INT, comment="none")
    schema.attrs.add(name="rates", type=framework_pb2.FLOATS, comment="none")
    make = OpDescCreationMethod(schema)
    expected = framework_pb2.OpDesc(type="test")
    expected.inputs.add(parameter="X", arguments=["a"])
    expected.inputs.add(parameter="Y", arguments=["b", "c"])
    expected.outputs.add(parameter="Z", arguments=["d"])
    expected.attrs.add(name="count", type=framework_pb2.INT, i=3)
    expected.attrs.add(name="rates", type=framework_pb2.FLOATS, floats=[0.5])
    assert make(X="a", Y=["b", "c"], Z="d", count=3, rates=[0.5], other=1) == expected
    with pytest.raises(ValueError, match="Only keyword arguments"):
        make("a")
    with pytest.raises(TypeError, match="OpProto"):
        OpDescCreationMethod(5)


def test_appended_operators_are_refused_in_the_words_of_1_8():
    program = fluid.Program()
    block = program.global_block()
    x, out = (block.create_var(name=n, shape=[2, 2], dtype="float32") for n in ("x", "out"))
    for error, words, call in (
        (ValueError, "can not be None", {}),
        (ValueError, 'Operator "no_such_op" has not been registered', {"type": "no_such_op"}),
        (AssertionError, "Input Y not found", {"type": "mul", "inputs": {"X": x}, "outputs": {"Out": out}}),
        (ValueError, 'of operator "mul"', {"type": "mul", "inputs": {"X": x, "Y": x}, "outputs": {"No": out}}),
        (ValueError, "expects only one input, but 2", {"type": "mul", "inputs": {"X": [x, x], "Y": x}, "outputs": {"Out": out}}),
        (TypeError, "Variables, names", {"type": "mul", "inputs": {"X": 3, "Y": x}, "outputs": {"Out": out}}),
    ):
        with pytest.raises(error, match=words):
            block.append_op(**call)
    with pytest.raises(ValueError, match="dtype of Parameter should not be None"):
        fluid.framework.Parameter(block, shape=[1], dtype=None)
    with pytest.raises(ValueError, match="should be 'cpu' or 'gpu'"), fluid.device_guard(5):
        pass
    with pytest.raises(ValueError, match="Should not set device id for cpu"), fluid.device_guard("cpu:1"):
        pass
    with pytest.raises(TypeError, match="target_gradients"):
        fluid.gradients(x, x, "a")
    with pytest.raises(TypeError, match="backward_func"):
        fluid.layers.py_func(abs, x, out, 5)
    with pytest.raises(ValueError, match="Output shapes"):
        fluid.layers.py_func(abs, x, block.create_var(name="unknown", dtype="float32"))
    with pytest.raises(Exception, match="3.x"):
        fluid.require_version("100")


def test_names_that_harnesses_import():
    one = fluid.executor._as_lodtensor(1.0, core.CPUPlace(), core.VarDesc.VarType.FP32)
    assert one.shape() == [1] and one._get_float_element(0) == 1.0
    with pytest.raises(AssertionError, match="dtype"):
        fluid.executor._as_lodtensor(1.0, core.CPUPlace())
    with pytest.raises(RuntimeError, match="LoD"):
        fluid.executor._as_lodtensor([[1], [2]], core.CPUPlace())
    scope = core.Scope()
    former = fluid.executor._switch_scope(scope)
    assert fluid.executor._switch_scope(former) is scope and fluid.global_scope() is former
    assert fluid.framework.grad_var_name("x") == "x@GRAD"
    keep_data_loader_order(False)
    assert keep_data_loader_order() is False
    keep_data_loader_order(True)
    with pytest.raises(AssertionError):
        keep_data_loader_order(1)


@pytest.mark.parametrize(
    ("call", "slots"),
    [
        (lambda layers: layers.reduce_any(fluid.data("x", [2, 3], "bool"), dim=[0]), ["X"]),
        (
            lambda layers: layers.collect_fpn_proposals(
                [fluid.data("r", [None, 4], lod_level=1)], [fluid.data("s", [None, 1], lod_level=1)], 2, 2, 10
            ),
            ["MultiLevelRois", "MultiLevelScores"],
        ),
        (lambda layers: layers.clip(fluid.data("x", [2, 3]), 0.0, 1.0), ["Max", "Min", "X"]),
    ],
    ids=["reduce_any", "collect_fpn_proposals", "clip"],
)
def test_operators_list_the_slots_of_1_8_alone(call, slots):
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        call(fluid.layers)
    assert main.global_block().ops[-1].input_names == slots


def test_descriptions_come_back_from_bytes_as_they_were():
    program = fluid.Program()
    block = program.global_block()
    shapes = {"X": [8, 4], "Y": [4, 2], "Out": None}
    made = {slot: block.create_var(name=slot, shape=shape, dtype="float32") for slot, shape in shapes.items()}
    block.append_op(type="mul", inputs={"X": made["X"], "Y": made["Y"]}, outputs={"Out": made["Out"]})
    data = program.desc.serialize_to_string()
    again = fluid.Program.parse_from_string(data)
    assert str(again) == str(program) and again.desc.serialize_to_string() == data
    assert "persistable" not in str(again).split("ops {")[0]
    views = program.desc.block(0)
    assert set(views.all_vars()) == {views.var(name.encode()) for name in ("X", "Y", "Out")}


def test_pruning_says_what_it_takes():
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        reader = fluid.layers.py_reader(4, [[-1, 3]], ["float32"], use_double_buffer=True)
        out = fluid.layers.fc(fluid.layers.read_file(reader), 2)
    kept = [[op.type for op in main._inference_optimize(prune_read_op=on).global_block().ops] for on in (True, False)]
    assert kept[1] == ["create_double_buffer_reader", "read", *kept[0]]
    with pytest.raises(ValueError, match="can only be Variable or Operator"):
        main._prune(targets=[out, 3])
    with pytest.raises(ValueError, match="can only be str"):
        main._prune_with_input([3], [out])
    with pytest.raises(ValueError, match="should have an associated operator that generates it"):
        main._prune(targets=["nowhere"])


def test_variables_of_first_release_have_no_eager_methods(monkeypatch):
    with fluid.program_guard(fluid.Program()):
        x = fluid.data("x", [2])
        monkeypatch.setenv("PADDLE_COMPAT_VERSION", "1.8.5")
        for refused in (x.detach, lambda: x.set_value(None)):
            with pytest.raises(AssertionError, match="eager mode"):
                refused()


def test_branches_that_do_not_fit_are_refused_in_the_words_of_1_8():
    with fluid.program_guard(fluid.Program()):
        pred, one = fluid.data("p", [1], "bool"), lambda: fluid.layers.fill_constant([1], "int32", 1)
        none = "true_fn returns non-None while false_fn returns None"
        for true, false, words in ((one, lambda: None, none), (lambda: (one(), one()), one, "")):
            with pytest.raises(ValueError, match="Incompatible return values of true_fn and false_fn in cond: " + words):
                fluid.layers.cond(pred, true, false)


def test_recompute_says_that_it_loads_nothing():
    with pytest.raises(NotImplementedError, match="load function is not supported by Recompute Optimizer for now"):
        fluid.optimizer.RecomputeOptimizer(fluid.optimizer.SGD(0.1)).load({})


def test_names_of_what_is_fetched_and_of_scopes():
    executor = fluid.executor
    with fluid.program_guard(fluid.Program()) as _:
        x = fluid.layers.fill_constant([1], "float32", 2.0)
        own = str(id(x.op))
        for given, name in ((x, x.name), ("a", "a"), ([x], x.name), (x.op, own), (([x.op], []), own), (([x.op, x.op], []), f"{own},{own}")):
            assert executor._to_name_str(given) == name
        for wrong in (5, None, b"a"):
            with pytest.raises(TypeError):
                executor._to_name_str(wrong)
        key = executor._get_program_cache_key({"b": 1, "a": 2}, [x])
        assert key == f"['b', 'a', '{x.name}']" and executor._get_program_cache_key(None, ["q"]) == "['q']"
        program = fluid.default_main_program()
        assert executor._get_strong_program_cache_key(program, {"b": 1, "a": 2}, [x]) == str(id(program)) + key
    assert fluid.framework._full_name_scope() == "/"
    with fluid.name_scope("a"), fluid.name_scope("b"):
        assert fluid.framework._full_name_scope() == "/a/b/"


def test_numbers_of_roles_and_places_of_kernels():
    roles = core.op_proto_and_checker_maker.OpRole
    names = ("Forward", "Backward", "Optimize", "RPC", "Dist", "LRSched", "Loss")
    assert [int(getattr(roles, name)) for name in names] == [0, 1, 2, 4, 8, 16, 256]
    assert core.op_support_gpu("sum") == core.is_compiled_with_cuda()
    proto = OpProtoHolder.instance().get_op_proto("mul")
    assert proto.comment == "" and {part.comment for part in (*proto.inputs, *proto.outputs, *proto.attrs)} == {""}


LENGTHS = [
    # levels, with no value, with 5 rows: taken, refused (ValueError), or no numbers at all (TypeError). Answers of 1.8.5 and 2.6.2
    ([[2, 3]], None, None),
    ([[2], [3, 4]], None, ValueError),
    ([[0, 2], [0, 3]], None, ValueError),
    ([[0]], None, ValueError),
    ([[1, 1], [2, 3]], None, None),
    ([(2, 3)], None, None),
    ([np.array([2, 3])], None, None),
    ([], None, None),
    ([[]], ValueError, ValueError),
    ([[], [1], [3]], ValueError, ValueError),
    ([[0], [2], [3]], ValueError, ValueError),
    ([[3], [1, 2]], ValueError, ValueError),
    ([[-1]], TypeError, TypeError),
    ([[2], [1, -1]], TypeError, TypeError),
    ([[1.5]], TypeError, TypeError),
]


@pytest.mark.parametrize(("levels", "empty", "filled"), LENGTHS)
def test_lengths_that_a_tensor_takes(levels, empty, filled):
    for value, refused in ((None, empty), (np.zeros((5, 1)), filled)):
        tensor = core.LoDTensor()
        if value is not None:
            tensor.set(value, core.CPUPlace())
        if refused is None:
            tensor.set_recursive_sequence_lengths(levels)
            assert tensor.recursive_sequence_lengths() == [list(level) for level in levels]
            assert tensor.has_valid_recursive_sequence_lengths()
        else:
            with pytest.raises(refused):
                tensor.set_recursive_sequence_lengths(levels)
            assert tensor.lod() == []


@pytest.mark.parametrize("offsets", [[[1, 2]], [[0]], [[]], [[0, 3, 2]], [[0, 2], [0, 3]]])
def test_offsets_that_no_tensor_takes(offsets):
    with pytest.raises(ValueError, match="argument `lod`"):
        core.LoDTensor().set_lod(offsets)


def _results(op_type, inputs, outputs, **attrs):
    """What an operator of Paddle 1.8 gives that is run by itself; inputs that are pairs have lengths of sequences."""
    place, scope = core.CPUPlace(), core.Scope()
    for name, value in inputs.items():
        tensor = scope.var(name).get_tensor()
        values, lengths = value if isinstance(value, tuple) else (value, [])
        tensor.set(values, place)
        tensor.set_recursive_sequence_lengths(lengths)
    for name in outputs:
        scope.var(name).get_tensor()
    Operator(op_type, **{name: name for name in (*inputs, *outputs)}, **attrs).run(scope, place)
    found = {name: scope.find_var(name).get_tensor() for name in outputs}
    return {name: (np.array(tensor), tensor.recursive_sequence_lengths()) for name, tensor in found.items()}


def test_detections_where_nothing_is_found():
    boxes, scores = np.ones((2, 5, 4), "float32"), np.ones((2, 3, 5), "float32")
    attrs = {"background_label": 0, "nms_threshold": 0.3, "nms_top_k": 20, "keep_top_k": 10, "nms_eta": 1.0, "normalized": True}
    found = _results("multiclass_nms2", {"BBoxes": boxes, "Scores": scores}, ["Out", "Index"], score_threshold=2.0, **attrs)
    assert [(value.shape, lod) for value, lod in found.values()] == [((0, 6), [[0, 0]]), ((0, 1), [[0, 0]])]
    found = _results("multiclass_nms", {"BBoxes": boxes, "Scores": scores}, ["Out"], score_threshold=2.0, **attrs)
    assert (found["Out"][0].tolist(), found["Out"][1]) == ([[-1.0]], [[1]])
    anchors = np.tile(np.array([0, 0, 4, 4], "float32"), (2, 2, 3, 1))
    proposed = {
        "Scores": np.ones((2, 3, 2, 2), "float32"), "BboxDeltas": np.zeros((2, 12, 2, 2), "float32"), "Anchors": anchors,
        "ImInfo": np.array([[32, 32, 1], [10, 8, 2]], "float32"), "Variances": np.ones_like(anchors),
    }  # fmt: skip
    attrs = {"pre_nms_topN": 20, "post_nms_topN": 10, "nms_thresh": 0.5, "min_size": 50.0, "eta": 1.0}
    found = _results("generate_proposals", proposed, ["RpnRois", "RpnRoiProbs"], **attrs)
    assert [(value.shape, lod) for value, lod in found.values()] == [((0, 4), [[0, 0]]), ((0, 1), [[0, 0]])]


def test_lod_reset_appends_the_offsets_of_a_tensor():
    x = np.arange(10, dtype="float32").reshape(5, 2)
    for y, lengths in (
        (np.array([0, 4, 5], "int32"), [[2, 3], [4, 1]]), ((np.zeros((5, 1), "float32"), [[1, 4]]), [[1, 4]]), (None, [[2, 3], [1, 4]]),
    ):  # fmt: skip
        inputs = {"X": (x, [[2, 3]]), **({} if y is None else {"Y": y})}
        assert _results("lod_reset", inputs, ["Out"], append=True, target_lod=[0, 1, 5])["Out"][1] == lengths


def test_operators_that_leave_outputs_out_or_keep_their_type():
    x = np.array([[-2.0, 0.5]], "float32")
    state = {"X": x, "InScale": np.array([1.0], "float32")}
    found = _results("fake_quantize_range_abs_max", state, ["Out", "OutScale"], bit_length=8, window_size=5, is_test=True)
    assert found["Out"][0].tolist() == [[-127.0, 64.0]]
    boxes, labels = np.full((1, 2, 4), 0.5), np.zeros((1, 2), "int32")
    found = _results(
        "yolov3_loss", {"X": np.zeros((1, 6, 2, 2)), "GTBox": boxes, "GTLabel": labels}, ["Loss", "ObjectnessMask", "GTMatchMask"],
        anchors=[10, 13], anchor_mask=[0], class_num=1, ignore_thresh=0.5, downsample_ratio=32,
    )  # fmt: skip
    assert [value.dtype.name for value, _ in found.values()] == ["float64", "float64", "int32"]
