"""Functions that are recorded as a whole: what both Paddle 2.6.2 and 3.3.1 give them, and what both refuse."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

import paddle_compat as paddle
from paddle_compat import nn
from paddle_compat.jit.dy2static.partial_program import partial_program_from
from paddle_compat.jit.dy2static.utils import Dygraph2StaticException
from paddle_compat.static import InputSpec


def whole(function: Any, *args: Any) -> Any:
    """What a function gives that is recorded as a whole."""
    return paddle.jit.to_static(function, full_graph=True)(*args)


def returns_nest_or_tensor(x: Any) -> Any:
    if x > 0:
        return x, x
    return x


def returns_text_or_tensor(x: Any) -> Any:
    if x > 0:
        return "text"
    return x


def returns_in_every_turn(x: Any) -> Any:
    for _ in range(10):
        return x
    return x + 1


def returns_in_some_turn(x: Any) -> Any:
    for i in range(10):
        if i > 3:
            return x + i
    return x


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (returns_nest_or_tensor, "Your if/else have different number of return value"),
        (returns_text_or_tensor, "Your if/else have different return type"),
        (returns_in_every_turn, "Found return statement in While or For body and loop"),
    ],
)
def test_what_no_program_says(function: Any, said: str) -> None:
    x = paddle.ones([1])
    with pytest.raises(Dygraph2StaticException, match=said):
        whole(function, x)
    with paddle.jit.api.sot_mode_guard(False), pytest.raises(Dygraph2StaticException, match=said):
        paddle.jit.to_static(function)(x)
    by_default = paddle.jit.to_static(function)(x)
    assert repr(by_default) == repr(function(x))


def test_a_return_under_a_condition_of_a_loop() -> None:
    assert whole(returns_in_some_turn, paddle.ones([1])).tolist() == [5.0]


class Remembering(nn.Layer):
    """Sets keys of a dict in one branch alone."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: dict[str, Any] = {}

    def forward(self, x: Any) -> Any:
        self.seen["bias"] = paddle.full([2], 1.0)
        if x.mean() < 0:
            self.seen["scale"] = paddle.full([2], 10.0)
            y = (x + self.seen["bias"]) * self.seen["scale"]
        else:
            y = x - self.seen["bias"]
        return y


def test_keys_that_one_branch_alone_sets() -> None:
    net = paddle.jit.to_static(Remembering(), full_graph=True)
    assert net(paddle.to_tensor([3.0, 4.0])).tolist() == [2.0, 3.0]
    assert net(paddle.to_tensor([-3.0, -4.0])).tolist() == [-20.0, -30.0]
    assert sorted(net.seen) == ["bias", "scale"]


class Choosing(nn.Layer):
    """One layer that is always run, one in a branch, one whose result leads nowhere."""

    def __init__(self) -> None:
        super().__init__()
        self.always, self.once, self.never = (nn.Linear(2, 2, bias_attr=False) for _ in range(3))

    def forward(self, x: Any, beside: Any) -> Any:
        y = self.always(x)
        self.never(x)
        if x.sum() < 0:
            y = self.once(y) + beside
        return y


def test_gradients_of_what_a_run_leaves_out_are_zeros() -> None:
    found = {}
    for full_graph in (True, False):
        net = paddle.jit.to_static(Choosing(), full_graph=full_graph)
        x, beside = (paddle.ones([1, 2]) for _ in range(2))
        x.stop_gradient = beside.stop_gradient = False
        net(x, beside).sum().backward()
        assert net.always.weight.grad.tolist() == [[1.0, 1.0], [1.0, 1.0]] and net.never.weight.grad is None
        found[full_graph] = [v.grad if v.grad is None else v.grad.tolist() for v in (net.once.weight, beside)]
    assert found == {True: [[[0.0, 0.0], [0.0, 0.0]], [[0.0, 0.0]]], False: [None, None]}


class Mixes(nn.Layer):
    """Results of the buffer alone, of one input and the buffer, of the other one, and of a constant."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("kept", paddle.ones([2]))

    def forward(self, x: Any, y: Any) -> Any:
        return self.kept * 2, self.kept + x, paddle.zeros([2]) + 1 + (y if y.sum() > 0 else -y)


def test_results_stop_gradients_where_all_that_leads_to_them_does() -> None:
    net = paddle.jit.to_static(Mixes(), full_graph=True)
    for stops, expected in [
        ((False, False), [True, False, False]), ((True, False), [True, True, False]),
        ((False, True), [True, False, True]), ((True, True), [True, True, True]),
    ]:  # fmt: skip
        inputs = [paddle.to_tensor([1.0, 2.0], stop_gradient=stop) for stop in stops]
        # in both wheels
        assert [result.stop_gradient for result in net(*inputs)] == expected


def test_paddle_grad_of_inputs_that_do_not_matter() -> None:
    x, y = (paddle.ones([2]) for _ in range(2))
    x.stop_gradient = y.stop_gradient = False
    given = [g.tolist() for g in paddle.grad(whole(lambda x, y: x * 2, x, y).sum(), [x, y])]
    assert given == [[2.0, 2.0], [0.0, 0.0]]
    slope = whole(lambda x: paddle.grad(x * 3, x, create_graph=True)[0], x)
    slope.sum().backward()
    assert slope.tolist() == [3.0, 3.0] and x.grad.tolist() == [0.0, 0.0]
    with paddle.no_grad():
        assert whole(lambda x, y: x * 2, x, y).stop_gradient


def doubled(x: Any, n: Any) -> Any:
    for _ in range(n):
        paddle.jit.api.set_dynamic_shape(x, [-1])
        x = paddle.concat([x, x])
    return x


def test_sizes_that_vary_from_turn_to_turn() -> None:
    assert whole(doubled, paddle.ones([1]), paddle.to_tensor(3)).shape == doubled(paddle.ones([1]), 3).shape == [8]
    with pytest.raises(TypeError, match="set_dynamic_shape"):
        paddle.jit.api.set_dynamic_shape(3, [-1])


class Plain:
    """A class that is no layer."""

    @paddle.jit.to_static
    def method(self, x: Any) -> Any:
        return x + 1

    @classmethod
    @paddle.jit.to_static(full_graph=True)
    def of_class(cls, x: Any) -> Any:
        return x + 1

    @staticmethod
    @paddle.jit.to_static
    def static(x: Any) -> Any:
        return x + 1


def test_methods_of_classes_that_are_no_layers() -> None:
    x = paddle.ones([1])
    methods = [Plain().method, Plain().of_class]
    if sys.version_info >= (3, 13):  # where a classmethod hands over the class itself, and asks nobody to be bound
        assert methods.pop()(x).tolist() == [2.0]
    for method in methods:
        with pytest.raises(TypeError, match="inherits from nn.Layer"):
            method(x)
    assert Plain().static(x).tolist() == [2.0]
    paddle.jit.enable_to_static(False)
    try:
        assert Plain().method(x).tolist() == [2.0]
    finally:
        paddle.jit.enable_to_static(True)


class Specified(nn.Layer):
    """A layer that says what its input is."""

    @paddle.jit.to_static(input_spec=[InputSpec([None, 2])], full_graph=True)
    def forward(self, x: Any) -> Any:
        return nn.functional.dropout(x)


def test_programs_in_static_mode() -> None:
    made_before = Specified()
    described = paddle.jit.to_static(lambda x: x + 1, input_spec=[InputSpec([2])], full_graph=True)
    undescribed = paddle.jit.to_static(lambda x: x + 1, full_graph=True)
    paddle.enable_static()
    try:
        assert described.outputs[0].shape == (2,) and made_before.forward.outputs[0].shape == (-1, 2)
        with pytest.raises(ValueError, match="No valid transformed program"):
            undescribed.concrete_program  # noqa: B018 - what it raises
        made_here = Specified()
    finally:
        paddle.disable_static()
    with pytest.raises(RuntimeError, match="only available in dynamic mode"):
        made_here.forward.concrete_program  # noqa: B018 - as above


def test_what_runs_a_recording_knows_whether_it_trains() -> None:
    net = Specified()
    x = paddle.ones([3, 2])
    for switch, training in ((net.eval, False), (net.train, True)):
        switch()
        net(x)
        assert net.forward.program_cache.last()[1][1].training is training
    with pytest.raises(ValueError):
        net.forward.get_concrete_program()


class Told(nn.Layer):
    """A layer whose parameters are values of Python's, too."""

    def forward(self, x: Any, double: bool = False, how: str = "plus", by: int = 1, more: list[int] | None = None) -> Any:
        y = x * 2 if double else x
        y = y + by if how == "plus" else y - by
        return y * more[-1] if more else y


def test_values_in_input_spec_count(tmp_path: Path) -> None:
    x, spec = paddle.ones([2]), InputSpec([None], name="x")
    values = [True, "minus", -10, [1, 3]]
    net = paddle.jit.to_static(Told(), input_spec=[spec, *values], full_graph=True)
    expected = Told()(x, *values).tolist()  # as in Paddle 2.6: whatever a call gives
    assert expected == net(x).tolist() == net(x, *values).tolist() == net(x, False, by=5).tolist() == [36.0, 36.0]
    path = str(tmp_path / "net")
    paddle.jit.save(net, path)
    assert paddle.jit.load(path)(x).tolist() == expected
    paddle.jit.save(net, path, input_spec=[spec, *values])
    with pytest.raises(ValueError, match="what `to_static` was given"):
        paddle.jit.save(net, path, input_spec=[spec, False, "minus", -10, [1, 3]])
    paddle.jit.save(Told(), path, input_spec=[spec, *values])
    assert paddle.jit.load(path)(x).tolist() == expected
    shorter = paddle.jit.to_static(Told(), input_spec=[spec, True], full_graph=True)
    assert shorter(x).tolist() == [3.0, 3.0] and shorter(x, False, "minus").tolist() == [1.0, 1.0]


MEMBERS = {  # what 3.3.1 gives of [4., 2.], beside [2, 3]
    "x.float(), x.long(), x.int(), x.bool(), x.double(), x.uint8(), x.int16()": "float32 int64 int32 bool float64 uint8 int16",
    "x.to('float64'), x.to(paddle.int32), x.to(y), x.to(dtype='int64'), x.to('cpu', 'float16')": "float64 int32 int64 int64 float16",
    "x.to('cpu'), x.contiguous(), x.type_as(y), x.reshape([2, 1]).mT": "float32 float32 int64 float32",
    "x.new_zeros([2]), x.new_ones([2, 2], dtype='int32'), x.new_full([2], 3.5), x.repeat(2, 3)": "float32 int32 float32 float32",
    "x.complex64(), x.cdouble(), x.requires_grad_()": "complex64 complex128 float32",
}


@pytest.mark.parametrize("members", MEMBERS)
def test_members_of_paddle_3(members: str, tmp_path: Path) -> None:
    source = tmp_path / "members.py"
    source.write_text(f"def members(x, y):\n    return {members}\n")
    space: dict[str, Any] = {"paddle": paddle}
    exec(compile(source.read_text(), str(source), "exec"), space)
    x, y = paddle.to_tensor([4.0, 2.0]), paddle.to_tensor([2, 3])
    found, expected = whole(space["members"], x, y), space["members"](x, y)
    assert " ".join(str(v.dtype).removeprefix("paddle.") for v in found) == MEMBERS[members]
    assert (
        [v.tolist() for v in found] == [v.tolist() for v in expected] == [v.tolist() for v in paddle.jit.to_static(space["members"])(x, y)]
    )


def test_what_a_program_knows_of_memory() -> None:
    assert whole(lambda x: (x.is_contiguous(), x.itemsize, x.requires_grad), paddle.ones([2], "float64")) == (True, 8, False)
    turned = paddle.ones([2, 3]).t()
    assert paddle.jit.to_static(lambda x: x.is_contiguous())(turned) is turned.is_contiguous()
    with pytest.raises(TypeError, match="Variable.to"):
        whole(lambda x: x.to(3.5), turned)


def zips(x: Any, y: Any) -> Any:
    for a, b in zip(x, y):
        x = a + b
    return x


def chooses(x: Any) -> Any:
    x = paddle.to_tensor(x)
    y = x + 1
    if x > 0:
        y = x - 1
    return y


def test_operators_of_to_tensor_branches_and_zip() -> None:
    program = paddle.jit.to_static(chooses, input_spec=[InputSpec([1])], full_graph=True).main_program
    ops = [[op.type for op in block.ops] for block in program.blocks]
    assert "assign" not in ops[0] and ops[1:] == [["scale", "assign"], ["assign"]]  # to_tensor of a Variable is that Variable
    assert whole(zips, paddle.ones([2]), paddle.ones([2])) == 2
    with pytest.raises(RuntimeError, match="argument 0 of `zip`"):
        _ = paddle.jit.to_static(zips, input_spec=[InputSpec([-1, 2])] * 2, full_graph=True).main_program
    assert paddle.jit.to_static(zips)(paddle.ones([3]), paddle.ones([2])) == 2


def test_what_runs_a_recording_is_found_by_what_was_called_last() -> None:
    double = paddle.jit.to_static(lambda x: x * 2, full_graph=True)
    double(paddle.ones([1]))
    first = double.program_cache.last()
    double(paddle.ones([2]))
    assert double.program_cache.last() != first
    double(paddle.zeros([1]))
    assert double.program_cache.last() == first and len(double.program_cache) == 2
    net = paddle.jit.to_static(nn.Linear(2, 2), full_graph=True)
    net(paddle.ones([1, 2]))
    _, run = net.forward.program_cache.last()[1]
    assert run.program is run._train_program is run.train_program and run.infer_program is not run.program
    assert [p.name for p in run._params] == [net.weight.name, net.bias.name]
    kinds = [[op.type for op in program.block(0).ops] for program in (run.forward_program, run.train_program, run.backward_program)]
    grads = ["elementwise_add_grad", "matmul_v2_grad"]
    assert kinds == [["matmul_v2", "elementwise_add"], ["matmul_v2", "elementwise_add", "fill_any_like", *grads], grads]
    assert [op.type for op in run.infer_program.block(0).ops] == kinds[0]
    recording = net.forward.concrete_program
    parameters = recording.parameters
    assert partial_program_from(recording) is run
    assert run([paddle.ones([1, 2])]).tolist() == net(paddle.ones([1, 2])).tolist()
    for wrong in (parameters[0], ["linear.w.0", *parameters[1:]]):
        recording.parameters = wrong
        with pytest.raises(TypeError, match="parameters"):
            partial_program_from(recording)
    net.eval()
    net(paddle.ones([1, 2]))
    _, run = net.forward.program_cache.last()[1]
    assert run.program is run._infer_program and not run.training


def test_functions_that_are_rewritten_in_static_mode_alone() -> None:
    call = paddle.jit.api.dygraph_to_static_func(chooses)
    assert call(paddle.ones([1])).tolist() == [0.0] and call.__name__ == "chooses"
    paddle.enable_static()
    with paddle.static.program_guard(paddle.static.Program()):
        out = call(paddle.static.data("x", [1]))
        found = paddle.static.Executor().run(feed={"x": [-3.0]}, fetch_list=[out])
    paddle.disable_static()
    assert found[0].tolist() == [-2.0]


class Makes(nn.Layer):
    """A layer that makes a layer whenever it is called."""

    def forward(self, x: Any) -> Any:
        return nn.Linear(2, 3)(x)


@pytest.mark.parametrize("function", [Makes(), lambda x: x @ paddle.create_parameter([2, 3], "float32")], ids=["layer", "parameter"])
def test_parameters_that_a_function_makes(function: Any) -> None:
    described = paddle.jit.to_static(function, input_spec=[InputSpec([1, 2])], full_graph=True)
    described = described.forward if isinstance(described, nn.Layer) else described
    with pytest.raises(ValueError, match="made the parameter"):
        described(paddle.ones([1, 2]))
    with pytest.raises(ValueError, match="made the parameter"):
        described.concrete_program  # noqa: B018 - what it raises


class Half(nn.Layer):
    """A layer with a parameter and a buffer that nothing reads."""

    def __init__(self) -> None:
        super().__init__()
        self.read, self.unread = nn.Linear(2, 2), nn.Linear(3, 3)
        self.register_buffer("added", paddle.ones([2]))
        self.register_buffer("left", paddle.ones([3]))

    def forward(self, x: Any) -> Any:
        return self.read(x) + self.added


def test_a_recording_knows_all_of_its_layer_and_what_runs_it_what_it_reads() -> None:  # as 2.6.2 and 3.3.1
    net = paddle.jit.to_static(Half(), full_graph=True)
    net(paddle.ones([1, 2]))
    recording, run = net.forward.program_cache.last()[1]
    read = [net.read.weight, net.read.bias, net.added]
    assert {id(p) for p in run._params} == {id(p) for p in read}
    assert {id(p) for p in recording.parameters} == {id(p) for p in (*read, *net.unread.parameters(), net.left)}
    assert net.forward._class_instance is net and net.forward._function_spec.args_name == ["x"]


@pytest.mark.parametrize(("at_first", "kept"), [(False, []), (True, ["gelu"])])
def test_a_hook_takes_operators_apart_at_once_or_behind_their_gradients(at_first: bool, kept: list[str]) -> None:  # as 2.6.2
    core = paddle.base.core
    recording, run = paddle.jit.to_static(nn.functional.gelu, full_graph=True).get_concrete_program(InputSpec([2]))
    forward, whole = run.forward_program, run._train_program
    core._set_prim_all_enabled(at_first)
    hook = paddle.jit.dy2static.program_translator.PrimHooker(recording.main_program, None)
    core._set_prim_all_enabled(True)
    try:
        assert hook.before_append_backward(forward) is forward
        assert [op.type for op in forward.block(0).ops if op.type == "gelu"] == kept
        same, start = hook.after_append_backward(whole, 1)
        ops = [op.type for op in whole.block(0).ops]
        assert same is whole and ops.index("gelu_grad") == start + 1 and ("gelu" in ops) is not at_first
        assert "gelu" not in [op.type for op in hook.after_infer(forward).block(0).ops]
    finally:
        core._set_prim_all_enabled(False)


def test_names_that_stand_elsewhere_in_paddle_3() -> None:
    from paddle_compat.jit.dy2static import ast_transformer, convert_call_func, loop_transformer, utils, utils_helper

    modules = ("dy2static.ast_utils", "dy2static.transformers", "dy2static.transformers.loop_transformer", "pir_translated_layer")
    ast_utils, transformers, loops, translated = (importlib.import_module(f"paddle_compat.jit.{name}") for name in modules)
    assert loops.NameVisitor is loop_transformer.NameVisitor and transformers.DygraphToStaticAst is ast_transformer.DygraphToStaticAst
    assert ast_utils.ast_to_source_code is utils.ast_to_source_code is utils_helper.ast_to_source_code
    assert translated.PIR_INFER_MODEL_SUFFIX == ".json" and translated.PirTranslatedLayer is paddle.jit.TranslatedLayer
    paddle.jit.ignore_module([transformers, paddle.jit])
    assert convert_call_func.BUILTIN_LIKELY_MODULES[-2:] == [transformers, paddle.jit]
