"""Short pieces of Paddle 2.6 code on Tensors and on what becomes of them in Programs; see behaviours.py."""

from __future__ import annotations


def index(entries: str, more: str = "") -> str:
    """What `x[entries]` records and gives, where `i` and `last` are Tensors that hold 1 and -1, and its gradient or what writing gives."""
    return f"""
x, i, last = data("x", [2, 3], "float32"), data("i", [], "int64"), data("last", [], "int64")
x.stop_gradient = False
out = x[{entries}]
more = [{more.replace("[]", f"[{entries}]")}]
kinds = [(op.type, list(op.output_arg_names)) for op in block.ops]
feed = {{"x": np.arange(6.0, dtype="float32").reshape(2, 3), "i": np.array(1), "last": np.array(-1)}}
answer = [kinds, out.shape, exe.run(main, feed=feed, fetch_list=[out, *more])]
"""


GRADIENT, WRITTEN = "*static.gradients([out], [x])", "static.setitem(x * 2.0, np.s_[], 5.0)"

CASES = {
    **{
        f"index_in_a_program_{number}": index(*arguments)
        for number, arguments in enumerate((
            ("(0, 1), 0", GRADIENT), ("[1, 0], (0, 2)", GRADIENT), ("(1, 0),", GRADIENT), ("1:, range(0, 3, 2)", GRADIENT),
            ("-1, i", GRADIENT), ("i, -1", GRADIENT), ("last", GRADIENT), ("last, 1", GRADIENT), ("0, last",), ("i:, 1:", GRADIENT),
            ("i, ::2",), ("last, ::2",), ("-1, i:", GRADIENT), ("(0, 1), 0", WRITTEN), ("range(2), range(1, 3)", WRITTEN),
            ("1:, (0, 2)", WRITTEN), ("-1, i", WRITTEN), ("i, -1", WRITTEN), ("i:, 1:", WRITTEN), ("i, ::2", WRITTEN),
        ))
    },
    **{
        f"index_select_by_a_column_along_{axis}": f"""
index = data("index", [None, 1], "int64")
x = data("x", [2, 3], "float32")
part = paddle.index_select(x, index, {axis})
numbers, places = np.arange(6.0, dtype="float32").reshape(2, 3), np.array([[1], [0], [1]])
answer = [part.shape, exe.run(main, feed={{"x": numbers, "index": places}}, fetch_list=[part])]
with eager():
    x = paddle.to_tensor(numbers, stop_gradient=False)
    part = paddle.index_select(x, paddle.to_tensor(places), {axis})
    (part * part).sum().backward()
    answer += [part.tolist(), x.grad.tolist(), paddle.index_select(x, paddle.nonzero(paddle.to_tensor([True, True])), {axis}).tolist()]
"""
        for axis in (0, 1)
    },
    "names_that_vision_libraries_take_from_inside": """
import numpy as np
from paddle.framework import io, random
from paddle.vision.transforms import transforms
with eager():
    tensor = io._to_LodTensor(np.arange(4.0))
read = {"a": np.ones(2), "b": [np.zeros(1), 3], "c": (np.ones(1),)}
out = io._parse_every_object(read, io._transformed_from_lodtensor, lambda array: float(array.sum()))
random._manual_program_seed(5)
answer = [np.array(tensor).tolist(), str(out), out is read, paddle.static.default_startup_program().random_seed]
random._manual_program_seed(0)
answer += [transforms._check_input(0.5, "b"), transforms._check_input(0, "b"), transforms._check_input([0.5, 2], "b")]
answer += [transforms._check_input(0.25, "hue", center=0, bound=(-0.5, 0.5), clip_first_on_zero=False)]
answer += [paddle.utils.download.logger.name.split(".")[1:]]
""",
    "add_n_of_one_element_and_none": """
def added(*shapes):
    total = paddle.add_n([paddle.ones(shape) for shape in shapes])
    return [list(total.shape), total.tolist()]
with eager():
    answer = [added([], [1]), added([1], []), added([], [1, 1], []), added([], []), added([0], [3])]
    try:
        added([1], [1, 1])
    except ValueError:
        answer.append("refused")
""",
    "chips_that_are_not_there": """
from paddle import inference, static
answer = [inference.get_trt_compile_version(), inference.get_trt_runtime_version(), paddle.device.xpu.device_count()]
layer = paddle.nn.ReLU()
answer += [static.set_ipu_shard(layer, 0) is layer, paddle.tensor.stft is paddle.signal.stft]
""",
    **{
        f"no_chips_{number}": call
        for number, call in enumerate((
            "paddle.static.IpuStrategy()", "paddle.static.IpuCompiledProgram()", "paddle.static.ipu_shard_guard(0).__enter__()",
            "paddle.static.xpu_places()",
        ))
    },
    "no_chips_to_wait_for": "import paddle\npaddle.device.xpu.synchronize()",
    **{
        f"steps_through_a_graph_{number}": f"""
with eager():
    row, starts = paddle.to_tensor([3, 7, 0, 9, 1, 4, 2, 9, 3, 9, 1, 9, 7]), paddle.to_tensor([0, 2, 4, 5, 6, 7, 9, 11, 11, 13, 13])
    found = paddle.incubate.graph_khop_sampler({arguments})
    answer = [(part.shape, part.tolist(), part.stop_gradient) for part in found]
"""
        for number, arguments in enumerate((
            "row, starts, paddle.to_tensor([0, 8, 1, 2]), [10, 10, 10]",
            "row, starts, paddle.to_tensor([0, 8, 7]), [10, 10], paddle.arange(13), True", "row, starts, paddle.to_tensor([1, 0, 1]), [9]",
            "row, starts, paddle.to_tensor([7]), [9]", "row, starts, paddle.to_tensor([0, 2]), [9, 9, 9]",
            "row, starts, paddle.to_tensor([0]), [9], return_eids=True",
            "row.astype('int32'), starts.astype('int32'), paddle.to_tensor([[0], [2]], 'int32'), [10, 10]",
        ))
    },
    **{
        f"no_tensor_{number}": f"with eager():\n    answer = {call}"
        for number, call in enumerate((
            "paddle.bmm(paddle.ones([2, 2, 2]), 3)", "paddle.bmm([1.0], paddle.ones([2, 2, 2]))", "paddle.cumsum([1.0, 2.0])",
            "paddle.cumsum(None)", "paddle.var([1.0, 2.0])", "paddle.std(3)",
        ))
    },
    **{
        f"inner_{number}": f"""
with eager():
    x = paddle.arange(1.0, 1 + int(np.prod({left}))).reshape({left})
    x.stop_gradient = False
    y = paddle.arange(2.0, 2 + int(np.prod({right}))).reshape({right})
    out = paddle.inner(x, y)
    (out * 2).sum().backward()
    answer = [out.shape, out.tolist(), x.grad.tolist()]
"""
        for number, (left, right) in enumerate((
            ("[1]", "[1]"), ("[1]", "[3]"), ("[1]", "[2, 3]"), ("[2, 3]", "[1, 1]"), ("[1, 1]", "[1]"), ("[3]", "[3]"),
        ))
    },
    **{
        f"offsets_of_windows_{number}": f"""
with eager():
    x = paddle.reshape(paddle.sin(paddle.arange(60.0)), [1, 2, 5, 6])
    offset = paddle.full([1, 18, {(7 - kernel) // stride}, {(8 - kernel) // stride}], {offset})
    weight, mask = paddle.reshape(paddle.cos(paddle.arange(36.0)), [2, 2, 3, 3]), {mask}
    for part in filter(lambda part: part is not None, (x, offset, weight, mask)):
        part.stop_gradient = False
    out = paddle.vision.ops.deform_conv2d(x, offset, weight, stride={stride}, padding=1, dilation={dilation}, mask=mask)
    (out * paddle.reshape(paddle.arange(1.0, 1 + out.size), out.shape)).sum().backward()
    answer = [offset.grad.flatten().tolist(), x.grad.flatten().tolist()]
"""
        for number, (offset, stride, dilation, kernel, mask) in enumerate((
            (0.0, 1, 1, 2, "None"), (1.0, 2, 1, 1, "paddle.full([1, 9, 3, 3], 0.5)"), (-1.0, 1, 2, 4, "None"), (0.5, 1, 1, 2, "None"),
        ))
    },
    "nothing_among_joined": """
with eager():
    one, other = paddle.ones([2, 3]), paddle.ones([2, 3])
    one.stop_gradient = other.stop_gradient = False
    paddle.concat([(one * 2)[:0], other * 3]).sum().backward()
    answer = [one.grad is None, other.grad.tolist()]
    one = paddle.ones([2, 3])
    one.stop_gradient = False
    alone = paddle.concat([paddle.ones([1, 3]), one[:0]])
    answer += [alone.stop_gradient, alone.tolist()]
    for shape in [0], [0, 5], [2, 0, 3]:
        answer += [paddle.concat([paddle.ones([1, 2]), paddle.zeros(shape, "int64"), paddle.ones([1, 3])], -1).tolist()]
""",
    "softmax_of_masked_rows": """
F, answer = paddle.nn.functional, []
def shown(out):
    return [("nan" if value != value else value) for value in out.flatten().tolist()]
with eager():
    for shape, axis, kind in (
        ([2, 7], -1, "float32"), ([2, 8], -1, "float32"), ([8, 2], 0, "float32"), ([8, 1], 0, "float32"), ([8], 0, "float64"),
    ):
        x = paddle.concat([paddle.ones([16]), paddle.full([int(np.prod(shape))], -np.inf)])[16:].reshape(shape).astype(kind)
        x.stop_gradient = False
        out = F.softmax(x, axis)
        (out * paddle.arange(out.size).reshape(out.shape).astype(kind)).sum().backward()
        answer += [shown(out), shown(x.grad), shown(F.log_softmax(x, axis))]
    x, inf = paddle.to_tensor([[0.0, 1.0, 2.0, 3.0] * 4, [-np.inf] * 16, [np.inf] + [0.0] * 15, [0.0] * 9 + [np.nan] + [1.0] * 6]), np.inf
    x.stop_gradient = False
    answer.append(shown(F.softmax(x)))
    loss = F.softmax_with_cross_entropy(x, paddle.to_tensor([[1], [2], [0], [3]]))
    loss.sum().backward()
    answer += [shown(loss), shown(x.grad), shown(F.cross_entropy(x, paddle.full([4, 16], 0.0625), soft_label=True, reduction="none"))]
    for size in 7, 8:
        scores = paddle.ones([1, 1, size, size])
        answer.append(shown(paddle.incubate.softmax_mask_fuse(scores, paddle.full_like(scores, -inf))[0, 0, 0]))
""",
    **{f"rounded_no_tensor_{n}": f"with eager():\n    answer = paddle.round({value})" for n, value in enumerate(("2.5", "[2.5]", "None"))},
    "unbound_to_one_dimension": """
with eager():
    paddle.set_flags({"FLAGS_set_to_1d": True})
    x = paddle.to_tensor([1.0, 2.0])
    x.stop_gradient = False
    parts = paddle.unbind(x)
    (parts[1] * 3).backward()
    answer = [[part.shape for part in parts], [part.shape for part in x.unbind()], x.grad.flatten().tolist()]
    answer += [[part.shape for part in paddle.unbind(paddle.ones([2, 2]), axis)] for axis in (0, 1)]
    paddle.set_flags({"FLAGS_set_to_1d": False})
    answer.append([part.shape for part in paddle.unbind(x)])
""",
    "layers_of_whole_numbers_and_back": """
with eager():
    layer = paddle.nn.Linear(2, 2)
    layer.bias.stop_gradient = True
    answer = [[value.stop_gradient for value in layer.astype(kind).parameters()] for kind in ("int8", "int32", "float64")]
    layer(paddle.ones([1, 2], "float64")).sum().backward()
    answer.append(layer.weight.grad.shape)
""",
    "products_of_other_sizes_are_refused_when_they_run": """
out = paddle.nn.functional.linear(paddle.static.data("x", [2, 4]), paddle.static.data("w", [5, 6]))
answer = [list(out.shape)]
try:
    paddle.static.Executor().run(feed={"x": np.ones([2, 4], "float32"), "w": np.ones([5, 6], "float32")}, fetch_list=[out])
except ValueError:
    answer.append("refused")
""",
    "parameters_are_seeded_by_the_default_main_program": """
with eager():
    paddle.static.default_main_program().random_seed = 7
    kinds = [paddle.nn.initializer.Uniform(), paddle.nn.initializer.Normal(), paddle.nn.initializer.Orthogonal()]
    made = [paddle.create_parameter([3, 4], "float32", default_initializer=kind) for kind in [*kinds, kinds[1]]]
    paddle.static.default_main_program().random_seed = 0
    answer = [one.tolist() for one in made]
""",
    "the_seed_of_default_programs_is_that_of_later_ones": """
paddle.framework.random._manual_program_seed(90)
answer = [paddle.static.default_startup_program().random_seed, paddle.static.Program().random_seed]
paddle.framework.random._manual_program_seed(0)
""",
    "adam_decays_no_parameters_of_sparse_gradients": """
with eager():
    table = paddle.nn.Embedding(4, 2, sparse=True)
    table(paddle.to_tensor([1, 2])).sum().backward()
    answer = []
    for kind in ("SGD", "Momentum", "Adam"):
        try:
            getattr(paddle.optimizer, kind)(0.1, parameters=table.parameters(), weight_decay=0.5).step()
            answer.append(kind)
        except RuntimeError:
            answer.append("refused")
""",
    "updates_that_are_skipped_in_a_program": """
answer = []
for kind in ("adam", "adamw"):
    main = paddle.static.Program()
    block = main.global_block()
    names = {"Param": [2, 3], "Grad": [2, 3], "Moment1": [2, 3], "Moment2": [2, 3], "LearningRate": [1], "Beta1Pow": [1], "Beta2Pow": [1]}
    taken = {slot: block.create_var(name=kind + slot, shape=shape, dtype="float32") for slot, shape in names.items()}
    skip = block.create_var(name=kind + "skip", shape=[1], dtype="bool")
    changed = [slot for slot in names if slot not in ("Grad", "LearningRate")]
    outs = {slot + "Out": block.create_var(name=kind + slot + "Out", dtype="float32") for slot in changed}
    block.append_op(type=kind, inputs={**taken, "SkipUpdate": skip}, outputs=outs)
    for flag in (True, False):
        feed = {kind + slot: np.full(shape, 0.5, "float32") for slot, shape in names.items()}
        found = exe.run(main, feed={**feed, kind + "skip": np.array([flag])}, fetch_list=list(outs.values()))
        answer.append([list(outs["ParamOut"].shape), *[one.ravel()[0] for one in found[:3]]])
""",
    "parameters_by_the_names_of_layers": """
import os, tempfile
with eager(), tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "layer.pdparams")
    paddle.framework.io._legacy_save(paddle.nn.Linear(2, 3).state_dict(), path)
    state = paddle.framework.io._legacy_load(path, keep_name_table=True)
answer = [sorted(state), type(state["weight"]).__name__]
state["StructuredToParameterName@@"] = {"weight": "a_weight"}
weight = paddle.static.create_parameter([2, 3], "float32", name="a_weight")
exe.run(paddle.static.default_startup_program())
state["weight"] = np.full([2, 3], 5.0, "float32")
main.set_state_dict(state)
answer.append(np.array(weight.get_value()).tolist())
try:
    weight.get_value("scope")
except TypeError:
    answer.append("refused")
""",
    "an_optimizer_of_fleet_before_its_init": """
fleet = paddle.distributed.fleet
made = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1), fleet.DistributedStrategy())
answer = type(made).__name__
""",
}  # fmt: skip
