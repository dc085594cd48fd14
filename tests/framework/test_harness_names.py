"""What harnesses of Paddle's own unit tests reach for: bfloat16, checks of shapes, signatures of kernels, guards of its new IR."""

from __future__ import annotations

import copy
import importlib
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.autograd import ir_backward
from paddle_compat.base import backward, data_feeder, framework
from paddle_compat.base.framework import OpProtoHolder, canonicalize_attrs
from paddle_compat.jit.dy2static import utils
from paddle_compat.nn.initializer import _by_seed
from paddle_compat.static.amp import fp16_utils


def test_bits_of_bfloat16() -> None:
    numbers = np.array([1.5, 2.0, 1.00390625, 1.005, np.inf, -3.3], "float32")
    bits = data_feeder.convert_float_to_uint16(numbers)
    assert bits.dtype == np.uint16 and bits.tolist() == [16320, 16384, 16256, 16256, 32640, 49235]
    assert data_feeder.convert_float_to_uint16(np.zeros((2, 0), "float64")).shape == (2, 0)
    assert data_feeder.convert_uint16_to_float(np.array([[16320]], "uint16")).tolist() == [[1.5]]
    assert data_feeder.convert_uint16_to_float(np.array(16320, "int32")).shape == ()


def test_shapes_are_checked_in_static_mode() -> None:
    data_feeder.check_shape("any", "f")
    paddle.enable_static()
    sizes = {kind: paddle.static.data(kind, [2], kind) for kind in ("float32", "int32")}
    good: list[Any] = [[1, 2], (1,), [True], sizes["int32"], [sizes["int32"], 3]]
    for shape in good:
        data_feeder.check_shape(shape, "f")
    bad: list[Any] = [3, "x", [1.5], np.array([1]), sizes["float32"], [sizes["float32"]]]
    for shape in bad:
        with pytest.raises(TypeError, match="shape' in f must be"):
            data_feeder.check_shape(shape, "f")


def test_attributes_become_pythons_numbers() -> None:
    given = {"axis": np.int64(3), "names": ["a"], "scale": np.float32(2)}
    made = canonicalize_attrs(given, OpProtoHolder.instance().get_op_proto("concat"))
    assert made == {"axis": 3, "names": ["a"], "scale": 2.0} and type(made["axis"]) is int


def test_kernels_signatures() -> None:
    def signature(kind: str, **inputs: Any) -> Any:
        return framework._dygraph_tracer()._get_kernel_signature(kind, inputs, {}, {})

    some = [paddle.ones([1])]
    assert signature("relu", X=some) == (["X"], [], ["Out"])
    assert signature("reshape2", X=some) == (["X"], ["shape"], ["Out", "XShape"])
    assert signature("reshape2", X=some, Shape=some) == (["X"], ["Shape"], ["Out", "XShape"])
    assert signature("reshape2", X=some, Shape=some, ShapeTensor=some)[1] == ["ShapeTensor"]
    assert signature("dropout", X=some)[1] == ["dropout_prob", "is_test", "dropout_implementation", "seed", "fix_seed"]
    with pytest.raises(RuntimeError, match="Received: nope"):
        signature("nope")


def test_attributes_choose_among_kernels() -> None:
    def attributes(kind: str, slots: str = "X", **given: Any) -> list[str]:
        inputs = {slot: [paddle.ones([1])] for slot in slots.split()}
        return framework._dygraph_tracer()._get_kernel_signature(kind, inputs, {}, given)[1]

    assert attributes("elementwise_add", axis=1) == ["axis"] and attributes("elementwise_add", axis=-1) == []
    assert attributes("split", num=2) == ["num", "axis"] and attributes("split", sections=[1, 2]) == ["sections", "axis"]
    assert attributes("split", "X AxisTensor", num=2) == ["num", "AxisTensor"]
    assert attributes("reduce_sum", reduce_all=True, dim=[]) == ["dim", "keep_dim", "reduce_all", "out_dtype"]
    assert attributes("reduce_sum", dim=[1]) == ["dim", "out_dtype", "keep_dim"]
    assert attributes("repeat_interleave", "X RepeatsTensor", dim=1) == ["dim"]
    assert attributes("batch_norm", is_test=True) == ["momentum", "epsilon", "data_layout"]
    assert len(attributes("batch_norm", is_test=True, use_global_stats=True)) == 6


def test_kernels_of_operators() -> None:
    older, newer = paddle.fluid.core._get_all_register_op_kernels(), paddle.base.core._get_all_register_op_kernels()
    assert sorted(older["relu"]) == [
        f"data_type[{kind}]:data_layout[ANY_LAYOUT]:place[CPUPlace]:library_type[PLAIN]" for kind in ("double", "float")
    ]
    assert len(newer["relu"]) == len(newer["relu_grad"]) == 2 and "while" not in newer and "shape_grad" not in newer
    assert "{data_type[int64_t]; data_layout[Undefined(AnyLayout)]; place[Place(cpu)]; library_type[PLAIN]}" in newer["scale"]
    parts = [paddle.base.core._get_all_register_op_kernels(library) for library in ("phi", "fluid")]
    assert not set(parts[0]) & set(parts[1]) and "relu" in parts[0] and {**parts[0], **parts[1]} == newer


def test_the_guard_of_the_new_ir_is_static_mode() -> None:
    with paddle.pir_utils.IrGuard():
        assert not paddle.in_dynamic_mode()
    assert paddle.in_dynamic_mode()
    paddle.enable_static()
    with paddle.pir_utils.IrGuard():
        assert not paddle.in_dynamic_mode()
    assert not paddle.in_dynamic_mode()


def test_the_guards_of_the_old_ir() -> None:
    for guard, eager in ((paddle.pir_utils.OldIrGuard, False), (paddle.pir_utils.DygraphOldIrGuard, True)):
        with guard():
            assert paddle.in_dynamic_mode() is eager
    assert paddle.base.core.DenseTensor is paddle.base.core.LoDTensor


def test_a_test_of_both_irs_runs_once() -> None:
    ran = []

    @paddle.pir_utils.test_with_pir_api
    def case(value: int) -> int:
        ran.append(value)
        return value

    case(3)
    assert ran == [3] and case.__name__ == "case"


def test_gradients_by_the_new_irs_name() -> None:
    paddle.enable_static()
    x = paddle.static.data("x", [2], "float32")
    x.stop_gradient = False
    y = paddle.square(x)
    first = ir_backward.grad(y, x)
    second = ir_backward.calc_gradient(y, x, None, None)
    ran = paddle.static.Executor().run(feed={"x": np.array([1, 3], "float32")}, fetch_list=[*first, *second])
    assert [value.tolist() for value in ran] == [[2, 6], [2, 6]]


def test_the_new_irs_programs_are_those_of_static_mode() -> None:
    main = paddle.static.Program()
    with paddle.pir_utils.IrGuard(), paddle.pir.core.program_guard(main):
        assert paddle.pir.core.default_main_program() is main
        x = paddle.static.data("x", [2])
        assert not isinstance(x, (paddle.pir.OpResult, paddle.pir.Value))
    assert not isinstance(main.global_block(), paddle.pir.Block) and issubclass(paddle.pir.OpResult, paddle.pir.Value)


def test_kinds_of_the_attributes_for_kernels() -> None:
    core = paddle.base.core
    kinds = {name: int(core.get_attrtibute_type("mul", name)) for name in core.get_op_extra_attrs("mul")}
    assert kinds == {"force_fp32_output": 6, "scale_out": 1, "scale_x": 1, "scale_y": 4, "use_mkldnn": 6}
    with pytest.raises(IndexError, match="attr_name"):
        core.get_attrtibute_type("mul", "x_num_col_dims")


def test_old_names_of_the_switches_for_primitives() -> None:
    core = paddle.base.core
    getattr(core, "__set_all_prim_enabled")(True)
    assert core._is_fwd_prim_enabled() and core._is_bwd_prim_enabled()
    getattr(core, "__set_fwd_prim_enabled")(False)
    assert not core._is_fwd_prim_enabled() and core._is_bwd_prim_enabled()
    getattr(core, "__set_bwd_prim_enabled")(False)
    assert not core._is_bwd_prim_enabled()


def test_paths_between_variables() -> None:
    paddle.enable_static()
    main = paddle.static.Program()
    with paddle.static.program_guard(main, paddle.static.Program()):
        x, z = (paddle.static.data(name, [4, 4]) for name in "xz")
        x.stop_gradient = False
        h = paddle.tanh(x)
        loss = paddle.mean(h * z + paddle.cast(paddle.equal(h, h), "float32"))
        part = paddle.mean(paddle.split(x, 2, axis=1)[0])
    block = main.global_block()
    assert backward._get_stop_gradients_(main) == {0: {"z@GRAD", "cast_0.tmp_0@GRAD", "equal_0.tmp_0@GRAD"}}
    path = backward._find_op_path_(block, [loss, part], [x], set())
    assert [op.type for op in path] == ["tanh", "elementwise_mul", "elementwise_add", "reduce_mean", "split", "reduce_mean"]
    assert backward._find_no_grad_vars(block, path, [loss, part], set()) == {"split_0.tmp_1"}
    path = backward._find_op_path_(block, [loss], [], {h.name})
    assert [op.type for op in path] == ["elementwise_mul", "cast", "elementwise_add", "reduce_mean"]
    assert backward._get_no_grad_set_name({x, "y"}) == {"x", "y"}
    with pytest.raises(TypeError, match="Received: int"):
        backward._get_no_grad_set_name({3})
    with pytest.raises(TypeError, match="optimizer"):
        backward.gradients_with_optimizer(main, 3)


def test_neighbours_of_operators() -> None:
    paddle.enable_static()
    block = paddle.static.Program().global_block()
    for name in "xyz":
        block.create_var(name=name, shape=[3], dtype="float32")
    first, second, third = (
        block.append_op(type="abs", inputs={"X": [a]}, outputs={"Out": [b]}) for a, b in (("x", "y"), ("y", "z"), ("y", "x"))
    )
    assert fp16_utils.find_true_post_op(block.ops, first, "y") == [second, third]
    assert fp16_utils.find_true_post_op(block.ops, third, "y", search_all=True) == [second, third]
    assert fp16_utils.find_true_prev_op(block.ops, second, "y") is first and fp16_utils.find_true_prev_op(block.ops, first, "x") is None
    assert fp16_utils.find_op_index(block.desc, second.desc) == 1
    fp16_utils._rename_arg(second, "y", "w")
    assert second.input_arg_names == ["w"]


def test_initializers_with_seeds_of_their_own() -> None:
    first = {  # the wheel's
        _by_seed.XavierInitializer(seed=3): 0.12874984741210938,
        _by_seed.XavierInitializer(False, fan_in=5, seed=3): -0.6791741847991943,
        _by_seed.MSRAInitializer(False, seed=4): -0.23616677522659302,
        _by_seed.NormalInitializer(1.0, 2.0, 5): 0.5517191886901855,
        _by_seed.TruncatedNormalInitializer(1.0, 2.0, 5): 1.8533414602279663,
        _by_seed.UniformInitializer(-3.0, 1.0, 7, 2, 1, 9.0): 0.017541170120239258,
        _by_seed.ConstantInitializer(4.0): 4.0,
        _by_seed.NumpyArrayInitializer(np.full([2, 3], 2.0, "float32")): 2.0,
    }
    for start, value in first.items():
        made = paddle.create_parameter([2, 3], "float32", default_initializer=start)
        assert made[0, 0].item() == pytest.approx(value, rel=1e-6)
    with pytest.raises(AssertionError, match="diag_num"):
        _by_seed.UniformInitializer(diag_num=-1)


def test_modes_of_recording() -> None:
    with paddle.jit.api.sot_mode_guard(False):
        assert type(paddle.jit.to_static(lambda x: x)).__name__ == "ASTStaticFunction"
    assert type(paddle.jit.to_static(lambda x: x)).__name__ == "SymbolicStaticFunction"


def test_small_functions_of_to_static() -> None:
    values = [1, 2, 3]
    helper = utils.GetterSetterHelper(lambda: values, lambda new: values.__setitem__(slice(None), new), ["c", "a"], ["b"])
    helper.set(["c"], [9])
    assert helper.union() == ["a", "b", "c"] and helper.get(["c", "a"]) == (9, 1) and values == [1, 2, 9]
    assert [utils.is_paddle_func(f) for f in (paddle.abs, len, paddle.nn.Linear, test_modes_of_recording)] == [True, False, True, False]
    assert utils._compatible_non_tensor_spec([1, [2]], (1, (2,))) and not utils._compatible_non_tensor_spec({"a": 1}, {"b": 1})
    assert utils.func_to_source_code(test_modes_of_recording).startswith("def test_modes_of_recording")
    with pytest.raises(TypeError, match="Received: int"):
        utils.func_to_source_code(3)


def test_syntax_trees_of_to_static() -> None:
    def twice(x: int) -> int:
        return x * len(values)

    from paddle_compat.utils import gast

    values = [1, 2]
    found, file = utils.ast_to_func(gast.parse("def twice(x):\n    return -x * len(values)"), twice)
    assert found(3) == -6 and found.__name__ == "twice" and file == __file__
    with pytest.raises(TypeError, match="Type of ast_root should be gast.AST or ast.AST, but received <class 'str'>"):
        utils.ast_to_func("x = a + b", twice)
    with pytest.raises(ValueError, match="Function: twice doesn't exist in the Module transformed from AST"):
        utils.ast_to_func(gast.parse("def other(): pass"), twice)
    names = paddle.jit.dy2static.logical_transformer
    assert [names.cmpop_node_to_str(kind()) for kind in (gast.Lt, gast.IsNot, gast.NotIn)] == ["<", "is not", "not in"]
    with pytest.raises(KeyError):
        names.cmpop_node_to_str(gast.Or())


def test_what_functions_write() -> None:
    from paddle_compat.utils import gast

    text = """
def outer(x, *rest, y=1, **more):
    i, found = 1, []
    for j in range(3):
        i, (m, n) = j, (1, 2)
        found.append(j)
    with open("a") as stream:
        x.name = [t for t in range(3)]
    def inner(b):
        nonlocal i
        global total
        i = total = c = b
        found.pop()
        other.append(1)
        return c
    more["k"] = x
"""
    root = gast.parse(text)
    utils.FunctionNameLivenessAnalysis(root)
    outer = root.body[0].pd_scope  # type: ignore[attr-defined]
    inner = next(node for node in gast.walk(root) if getattr(node, "name", "") == "inner").pd_scope  # type: ignore[attr-defined]
    # the answers of 2.6.2
    assert outer.args == {"x", "rest", "more"} and outer.push_pop_vars == {"found"}
    assert outer.existed_vars() == {"i", "found", "j", "m", "n", "stream"} and outer.created_vars() == {"j", "m", "n"}
    assert outer.modified_vars() == {"i", "found", "j", "m", "n", "stream", "x.name", "more"}
    assert inner.existed_vars() == {"c"} and inner.modified_vars() == {"i", "total", "c"} and inner.created_vars() == set()
    with pytest.warns(UserWarning, match="Find variable `other` defined in global scope"):
        assert inner.variadic_length_vars() == {"found"}


def test_an_instance_of_a_private_base() -> None:
    norm, conv = paddle.nn.layer.norm, paddle.nn.layer.conv
    assert isinstance(paddle.nn.BatchNorm2D(2), norm._BatchNormBase) and isinstance(paddle.nn.Conv2D(1, 1, 1), conv._ConvNd)
    cell = paddle.nn.GRUCell(2, 3)
    out, last = paddle.nn.layer.rnn.rnn(cell, paddle.ones([1, 4, 2]))
    assert out.shape == [1, 4, 3] and paddle.nn.layer.rnn.RNNBase("GRU", 2, 3).state_components == 1


def test_modules_offer_what_is_written_elsewhere() -> None:
    functional, layer = paddle.nn.functional, paddle.nn.layer
    assert functional.loss.nll_loss is functional.nll_loss and layer.common.Fold is layer.Fold is paddle.nn.Fold
    assert paddle.tensor.math.inverse is paddle.inverse and paddle.vision.ToTensor is paddle.vision.transforms.ToTensor
    with pytest.raises(AttributeError, match="nn.functional.loss.relu"):
        getattr(functional.loss, "relu")  # noqa: B009 - asks for a name that is not there


def test_what_may_be_computed_in_tf32() -> None:
    core = paddle.base.core
    assert core.get_cudnn_switch() and not core.get_cublas_switch()
    switches = ((core.set_cublas_switch, core.get_cublas_switch, False), (core.set_cudnn_switch, core.get_cudnn_switch, True))
    for switch, state, first in switches:
        for value in (True, False, 3, None, first):
            switch(value)
            assert state() is bool(value)
        with pytest.raises(TypeError, match="argument `value`"):
            switch("on")


def test_switches_of_the_native_module() -> None:
    core = paddle.base.core
    assert not core._is_eager_prim_enabled() and not core.is_cuda_graph_capturing()
    core.set_prim_eager_enabled(True)
    assert core._is_eager_prim_enabled() and not core._is_fwd_prim_enabled()
    core.set_prim_eager_enabled(False)
    assert not core._is_eager_prim_enabled() and not core.supports_int8() and not core.supports_vnni()
    assert core.eager.PyLayer is paddle.autograd.PyLayer


def test_operators_that_stay_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    core = paddle.base.core
    core._set_prim_forward_blacklist("softmax", "gelu")
    assert core.prim_config["forward_blacklist"] == {"softmax", "gelu"}
    core.prim_config["forward_blacklist"].clear()
    for note in (core._set_prim_forward_blacklist, core._set_prim_backward_blacklist):
        note()
        with pytest.raises(TypeError, match="Received: 3"):
            note(3)  # type: ignore[arg-type]
    monkeypatch.setenv("FLAGS_prim_forward", "True")
    core.check_and_set_prim_all_enabled()
    assert core._is_fwd_prim_enabled() and not core._is_bwd_prim_enabled()
    monkeypatch.setenv("FLAGS_prim_all", "false")
    core.check_and_set_prim_all_enabled()
    assert not core._is_fwd_prim_enabled()
    monkeypatch.setenv("FLAGS_prim_all", "maybe")
    with pytest.raises(TypeError, match="FLAGS_prim_all"):
        core.check_and_set_prim_all_enabled()


def test_lists_of_a_model() -> None:
    model = paddle.hapi.model
    assert model.flatten_list([[1, 2], [3], []]) == ([1, 2, 3], [2, 1, 0])
    assert model.restore_flatten_list([1, 2, 3], [2, 1]) == [[1, 2], [3]]
    assert model.extract_args(lambda self, a, b=3, *c, d=3, **k: 0) == ["self", "a", "b"]
    assert model.to_numpy(paddle.ones([2])).tolist() == [1.0, 1.0] and model.Input is paddle.static.InputSpec
    for call in (lambda: model.to_numpy([1]), lambda: model.flatten_list([(1, 2)])):
        with pytest.raises(AssertionError, match="Received"):
            call()


def test_readers_of_batches() -> None:
    kinds = importlib.import_module("paddle_compat.io.dataloader.worker")._DatasetKind
    assert kinds.create_fetcher(kinds.MAP, [3, 4, 5], True, list, False).fetch([0, 2]) == [3, 5]
    assert kinds.create_fetcher(kinds.ITER, [3, 4, 5], True, list, False).fetch([0, 0]) == [3, 4]
    with pytest.raises(NotImplementedError, match="5"):
        kinds.create_fetcher(5, [3], True, list, False)


def test_the_level_of_mixed_precision() -> None:
    amp = importlib.import_module("paddle_compat.amp.auto_cast")
    seen = []
    for level in ("O0", "O1", "O2"):
        with paddle.amp.auto_cast(level=level, dtype="bfloat16"):
            seen.append((amp._in_amp_guard(), amp._in_pure_fp16_guard()))
    assert seen == [(False, False), (True, False), (False, True)] and int(amp.AMP_LEVEL.O2) == 2


def test_counts_of_operators_stay() -> None:
    core, debugging = paddle.base.core, paddle.amp.debugging
    x = paddle.ones([2, 2])
    debugging.enable_operator_stats_collection()
    x @ x, x.astype("float64") + 1
    debugging.disable_operator_stats_collection()
    found = core.get_low_precision_op_list()
    assert (found["matmul_v2"], found["scale"]) == ("0,0,1,0", "0,0,0,1")  # the wheel's
    x + x
    assert core.get_low_precision_op_list() == found
    core.clear_low_precision_op_list()
    assert core.get_low_precision_op_list() == {}


def test_the_table_of_divergences() -> None:
    kl, normal = paddle.distribution.kl, paddle.distribution.Normal
    assert (normal, normal) in kl._REGISTER_TABLE and kl._dispatch(normal, normal) is kl._REGISTER_TABLE[normal, normal]


@pytest.mark.parametrize(
    ("call", "count"),  # the wheel's
    [
        ("cauchy_()", 6), ("geometric_(0.3)", 3), ("hypot_(two)", 3), ("ldexp_(two)", 2), ("nan_to_num_()", 3), ("less_than_(two)", 1),
        ("not_equal_(two)", 1), ("logical_not_()", 1), ("mod_(two)", 1), ("exponential_()", 0), ("add_(two)", 1),
    ],
)  # fmt: skip
def test_changes_in_place_are_counted_as_paddle_composes_them(call: str, count: int) -> None:
    x = paddle.full([2, 2], 2.5)
    eval(f"x.{call}", {"x": x, "two": paddle.full([2, 2], 2.0)})
    assert x.inplace_version == count


def test_layers_of_the_documentation_of_two_zero() -> None:
    paddle.enable_static()
    with paddle.static.program_guard(paddle.static.Program()):
        parts = paddle.fluid.layers.unbind(paddle.static.data("x", [2, 3]), 1)
        assert len(parts) == 3 and paddle.fluid.layers.tan(parts[0]).shape == (2,)
        with pytest.raises(TypeError, match="axis"):
            paddle.fluid.layers.unbind(parts[0], "a")


def test_guards_of_the_years_between() -> None:
    framework_of_fluid = paddle.fluid.framework
    paddle.enable_static()
    with framework_of_fluid._test_eager_guard():
        assert framework_of_fluid._non_static_mode() and not framework_of_fluid._in_legacy_dygraph()
        assert (paddle.ones([1]) + 1).item() == 2.0
    assert not framework_of_fluid.in_dygraph_mode() and framework_of_fluid.core is paddle.fluid.core

    @framework_of_fluid.dygraph_only
    def eager() -> None: ...

    with pytest.raises(AssertionError, match="eager"):
        eager()


def test_arguments_of_functions_of_derivatives() -> None:
    from paddle_compat.incubate.autograd import utils as derivatives

    x, y = paddle.ones([2]), paddle.zeros([1])
    for given, expected in ((x, (x,)), ([x, y], (x, y)), ((x, None), (x, None)), (None, None), (3, 3), ("s", ("s",)), ({"a": 1}, {"a": 1})):
        assert str(derivatives.as_tensors(given)) == str(expected)
    assert [id(each) for each in derivatives.flatten([x, [None, (y,)]])] == [id(x), id(None), id(y)]
    assert [id(each) for each in derivatives.flatten_and_remove_none([x, [None, (y,)]])] == [id(x), id(y)]
    assert derivatives.flatten(None) == [None] and derivatives.flatten_and_remove_none(None) == []
    with pytest.raises(TypeError):
        derivatives.flatten(3)


def test_how_functions_are_called() -> None:
    class Plain:
        def method(self, a: int, b: int = 1) -> None: ...

    def function(a: int, b: int = 2, *c: int, d: int = 3, **e: int) -> None: ...

    parse = utils.parse_arg_and_kwargs
    assert parse(function) == (["a", "b"], {"b": 2}) and parse(lambda: 0) == ([], {}) == parse(Plain)
    assert parse(Plain().method) == (["a", "b"], {"b": 1}) == parse(Plain.method)
    assert parse(paddle.add) == (["x", "y", "name"], {"name": None})
    assert parse(paddle.concat) == (["x", "axis", "name"], {"axis": 0, "name": None})
    with pytest.raises(TypeError):
        parse(3)  # type: ignore[arg-type]
    assert utils.parse_varargs_name(function) == "c" and utils.parse_varargs_name(Plain.method) is None
    logger = paddle.jit.dy2static.logging_utils._TRANSLATOR_LOGGER
    logger.need_to_echo_log_to_stdout = logger.need_to_echo_code_to_stdout = None
    assert logger.need_to_echo_log_to_stdout is logger.need_to_echo_code_to_stdout is False


def test_fed_values_become_tensors() -> None:
    """Numbers keep their shapes, unlike in 1.8."""
    place, kinds = paddle.CPUPlace(), paddle.base.core.VarDesc.VarType
    for value, kind, shape in ((1.5, kinds.INT32, []), ([[1.5]], kinds.FP32, [1, 1]), (np.ones(2), kinds.FP32, [2])):
        made = paddle.base.executor._as_lodtensor(value, place, kind)
        assert made.shape() == shape and made._dtype() == (kinds.FP64 if isinstance(value, np.ndarray) else kind)
    with pytest.raises(AssertionError, match="dtype"):
        paddle.base.executor._as_lodtensor([1], place)
    with pytest.raises(TypeError, match="data"):
        paddle.base.executor._as_lodtensor(None, place, kinds.FP32)


def test_names_of_paddle_3() -> None:
    base, core = paddle.base, paddle.base.core
    assert base.DenseTensor is core.LoDTensor and base.DenseTensorArray is core.LoDTensorArray and len(core.DenseTensorArray()) == 0
    assert core.is_compiled_with_onednn() is core.is_compiled_with_mkldnn()
    assert not (framework.in_cinn_mode() or framework.in_pir_executor_mode() or paddle.framework.in_pir_executor_mode())
    assert framework.convert_np_dtype_to_proto_type("bfloat16").name == "BF16" and framework.dtype_to_str(paddle.float16) == "fp16"
    for wrong in (paddle.int64, "float32"):
        with pytest.raises(TypeError, match="got unsupported data type for promotion"):
            framework.dtype_to_str(wrong)
    core.set_vlog_level(0)
    with pytest.raises(TypeError, match="Received: str"):
        core.set_vlog_level("3")  # type: ignore[arg-type]


def test_layouts_are_chosen_on_gpus_alone() -> None:
    core = paddle.base.core
    core.enable_layout_autotune()
    assert not core.use_layout_autotune()  # the wheel's answer on a CPU
    core.disable_layout_autotune()
    assert not core.use_layout_autotune()


def test_steps_of_tuning_are_counted() -> None:
    core, flag = paddle.base.core, "FLAGS_use_autotune"
    for on, tuned in ((True, {"kernel": {"enable": True, "tuning_range": [1, 3]}}), (False, {"kernel": {"enable": False}})):
        paddle.incubate.autotune.set_config(tuned)
        assert paddle.get_flags(flag)[flag] is on
        core.set_autotune_range(1, 2)
        for step in range(-1, 2):
            assert core.autotune_status() == {"step_id": step, "cache_size": 0, "cache_hit_rate": 0.0}
            core.update_autotune_status()


def test_plans_of_jobs() -> None:
    core = paddle.base.core
    first, second = core.Job("forward"), core.Job("backward")
    second.set_micro_batch_id(2)
    second.set_skip_gc_vars({"x"})
    programs = {"forward": paddle.static.Program(), "backward": paddle.static.Program()}
    plan = core.Plan([first, second], {name: program.desc for name, program in programs.items()})
    assert plan.job_list() == [first, second] and (first.type(), first.micro_batch_id()) == ("forward", 0)
    assert plan.micro_batch_num() == 3 and plan.job_types() == []
    assert plan.program("forward") == programs["forward"].desc != plan.program("backward")
    later = core.Plan([first], {"forward": programs["forward"]})  # as Paddle 3 has them
    later.set_ir_program("forward", programs["backward"])
    assert later.job_types() == ["forward"] and later.ir_program("forward") is programs["backward"]
    assert later.program("forward") == programs["backward"].desc
    for wrong, error in (
        (lambda: second.set_micro_batch_id(-1), ValueError), (lambda: second.set_micro_batch_id(1.5), TypeError),
        (lambda: second.set_skip_gc_vars(["x"]), TypeError), (lambda: core.Job(3), TypeError), (lambda: plan.program("x"), IndexError),
        (lambda: core.Plan([first], {}), ValueError), (lambda: core.Plan([first], {"forward": 3}), TypeError),
        (lambda: plan.set_ir_program("forward", 3), TypeError), (lambda: plan.set_ir_program("x", programs["forward"]), IndexError),
    ):  # fmt: skip
        with pytest.raises(error):
            wrong()


def test_what_executors_look_at() -> None:
    executor, main = paddle.base.executor, paddle.static.Program()
    assert not executor.has_feed_operators(main.global_block(), {"x": 1}, "feed")
    assert not executor.has_fetch_operators(main.global_block(), [], "fetch")
    assert executor.dimension_is_compatible_with([2, 3], [-1, 3]) and not executor.dimension_is_compatible_with([2, 3], [2])
    assert executor.dtype_is_compatible_with("float32", paddle.float32) and executor._to_name_str("a") == "a"


def test_values_that_are_scaled_with_and_without_gradients() -> None:
    """`core.eager.scale`, as 2.6.2 has it for its unit tests of eager mode."""
    scale = paddle.base.core.eager.scale
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    assert scale(x, 2.0, 0.5, True, False).stop_gradient
    for after, expected in ((True, [2.5, 4.5]), (False, [3.0, 5.0])):
        out = scale(x, 2.0, 0.5, after, True)
        assert out.tolist() == expected
        out.backward()
    assert x.grad.tolist() == [4.0, 4.0]  # of both passes
    out = scale(x, 1.0, 0.0, True, True)
    with pytest.raises(AssertionError, match="The type of grad_tensor must be paddle.Tensor"):
        out.backward(np.ones(2, "float32"))
    with pytest.raises(AssertionError, match="Tensor shape not match, Tensor of grad_tensor"):
        out.backward(paddle.ones([3]))


def test_a_tensor_hashes_as_its_address_and_goes_on_elsewhere() -> None:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    assert hash(x) == hash(id(x)) and {x: 1}[x] == 1 and x in {x}
    out = x * 2
    other = out._use_gpudnn(False)
    assert other is not out and other.name != out.name and not other.is_leaf
    other.sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_a_tensor_that_is_made_for_rows() -> None:
    """The object that `get_selected_rows` gives is the Tensor's own, whatever is set first. Answers of 2.6.2."""
    core = paddle.base.core
    kinds = core.VarDesc.VarType
    made = core.eager.Tensor(kinds.FP32, [3, 100], "selected_rows", kinds.SELECTED_ROWS, True)
    assert (made.type, made.is_selected_rows(), made.is_dense(), made.name) == (kinds.SELECTED_ROWS, True, False, "selected_rows")
    rows = made.value().get_selected_rows()
    assert (rows.height(), rows.rows()) == (0, [])
    rows.set_height(10)
    rows.set_rows([3, 5, 7])
    assert made.get_selected_rows().rows() == [3, 5, 7] and made.get_selected_rows().height() == 10
    rows.get_tensor().set(np.ones((3, 4), "float64"), core.CPUPlace())
    assert made.dtype == paddle.float64
    copied = copy.deepcopy(made).get_selected_rows()
    rows.get_tensor().set(np.zeros((3, 4), "float64"), core.CPUPlace())
    assert (copied.height(), copied.rows(), np.array(copied.get_tensor()).sum()) == (10, [3, 5, 7], 12.0)
    assert np.array(made.get_selected_rows().get_tensor()).sum() == 0.0


def test_the_mode_as_an_attribute() -> None:
    """As 2.6.2's `global_var` has it."""
    state = framework.global_var
    tracer = state._dygraph_tracer_
    assert tracer is framework._dygraph_tracer() is not None and not state._use_pir_api_
    recording = []

    def record(x: Any) -> Any:
        recording.append(state._in_to_static_mode_)
        return x * 2

    paddle.jit.to_static(record, full_graph=True)(paddle.ones([1]))
    assert recording == [True] and not state._in_to_static_mode_
    state._dygraph_tracer_ = None
    try:
        assert not paddle.in_dynamic_mode() and state._dygraph_tracer_ is None
    finally:
        state._dygraph_tracer_ = tracer
    assert paddle.in_dynamic_mode()
