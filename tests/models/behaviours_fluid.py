"""Short pieces of 1.8 code on what unit tests reach for: layers of `fluid.contrib`, and the objects behind Programs and Scopes."""

from __future__ import annotations

_TREE = """
paths, nodes = [[1, 3], [1, 4], [2, 5], [2, 6]], [[n] for n in range(1, 7)]
parts = [fluid.initializer.NumpyArrayInitializer(np.array(p, "int32")) for p in (paths, nodes)]
items = data("items", [None, 1], "int32")
"""
_MATRICES = """
x, row, col = (data(n, [None, 1], "float32", lod_level=1) for n in ("x", "row", "col"))
given = {"x": (24, [18, 6]), "row": (5, [3, 2]), "col": (3, [2, 1])}
given = {n: fluid.create_lod_tensor(np.arange(size * 1.0).reshape(size, 1).astype("float32"), [lod], fluid.CPUPlace())
    for n, (size, lod) in given.items()}
"""

_ROUNDED = """
startup.random_seed = 3
image, label = layers.data("image", [1, 6, 6]), layers.data("label", [1], dtype="int64")
probabilities = layers.softmax(layers.fc(layers.conv2d(image, 2, 3, act="relu"), 4))
loss = layers.mean(layers.cross_entropy(probabilities, label))
test = main.clone(for_test=True)
fluid.optimizer.SGD(0.1).minimize(loss)
rounding = fluid.contrib.QuantizeTranspiler(activation_quantize_type="{kind}", window_size=100)
rounding.training_transpile(main, startup)
random = np.random.RandomState(0)
feed = {{"image": random.rand(4, 1, 6, 6).astype("float32"), "label": random.randint(0, 4, (4, 1))}}

def described(program):
    return [[op.type, [op.input(s) for s in sorted(op.input_names)], [op.output(s) for s in sorted(op.output_names)]]
        for op in program.global_block().ops]
"""


def rounded(kind: str, code: str) -> str:
    """A piece of code behind a Program whose products round what they multiply."""
    return _ROUNDED.format(kind=kind) + code


_STEP = """
import paddle.fluid as fluid

def step(x):
    if fluid.layers.mean(x) < 0:
        x = x - 1
    else:
        x = x + 1
    return x
"""


CASES = {
    "drawn_nodes": f"""{_TREE}
found = fluid.contrib.layers.tdm_sampler(items, [1, 2], [2, 4], 4, *map(lambda p: fluid.ParamAttr(initializer=p), parts), seed=7)
exe.run(startup)
values = exe.run(main, feed={{"items": np.array([[0], [1], [3]], "int32")}}, fetch_list=sum(found, []))
answer = [[op.type for op in block.ops], [[v.shape for v in each] for each in found], values]
""",
    "too_many_drawn_nodes": f"{_TREE}\nfluid.contrib.layers.tdm_sampler(items, [2, 1], [2, 4], 4)",
    "too_few_layers_of_drawn_nodes": f"{_TREE}\nfluid.contrib.layers.tdm_sampler(items, [1], [2, 4], 4)",
    "too_many_leaves": f"{_TREE}\nfluid.contrib.layers.tdm_sampler(items, [1, 1], [2, 4], 6)",
    "children_in_floats": f"{_TREE}\nfluid.contrib.layers.tdm_child(items, 7, 2, dtype='float32')",
    "children": f"""{_TREE}
tree = [[0, 0, 0, 1, 2], [0, 1, 0, 3, 4], [0, 1, 0, 5, 6], [0, 2, 1, 0, 0], [1, 2, 1, 0, 0], [2, 2, 2, 0, 0], [3, 2, 2, 0, 0]]
tree = fluid.initializer.NumpyArrayInitializer(np.array(tree, "int32"))
found = fluid.contrib.layers.tdm_child(items, 7, 2, param_attr=fluid.ParamAttr(initializer=tree))
exe.run(startup)
answer = [found[0].shape, found[0].name, exe.run(main, feed={{"items": np.array([[2], [3]], "int32")}}, fetch_list=list(found))]
""",
    "matrices_of_texts": """
x, y = (data(n, [None, 2], "float32", lod_level=1) for n in "xy")
half = fluid.ParamAttr(initializer=fluid.initializer.Constant(0.5))
out, between = fluid.contrib.layers.match_matrix_tensor(x, y, 3, act="relu", param_attr=half, name="matches")
exe.run(startup)
words = [fluid.create_lod_tensor(np.arange(n * 2.0).reshape(n, 2).astype("float32"), [[n - 1, 1]], fluid.CPUPlace()) for n in (3, 4)]
value = exe.run(main, feed=dict(zip("xy", words)), fetch_list=[out], return_numpy=False)[0]
answer = [out.name, between.name, between.stop_gradient, np.array(value), value.lod()]
""",
    "texts_of_two_widths": """
fluid.contrib.layers.match_matrix_tensor(*(data("w%d" % n, [None, n], "float32", lod_level=1) for n in (2, 3)), 3)
""",
    "images_of_their_own_sizes": f"""{_MATRICES}
half = fluid.ParamAttr(initializer=fluid.initializer.Constant(0.5))
out = fluid.contrib.layers.var_conv_2d(x, row, col, 3, 2, [3, 2], stride=[1, 2], param_attr=half, act="relu")
exe.run(startup)
value = exe.run(main, feed=given, fetch_list=[out], return_numpy=False)[0]
answer = [out.name, np.array(value), value.lod()]
""",
    "a_filter_of_one_size": f"{_MATRICES}\nfluid.contrib.layers.var_conv_2d(x, row, col, 3, 5, [3])",
    "averages_of_the_largest": f"""{_MATRICES}
out = fluid.contrib.layers.sequence_topk_avg_pooling(x, row, col, [1, 2, 4], 3)
value = exe.run(main, feed=given, fetch_list=[out], return_numpy=False)[0]
answer = [out.name, out.shape, np.array(value), value.lod()]
""",
    "text_of_a_number": "main.to_string(3)",
    "text_with_a_number": "main.to_string(True, 3)",
    "an_attribute_by_its_description": """
op = layers.scale(data("x", [2], "float32"), 3.0).op
op._update_desc_attr("scale", 2.0)
answer = [op.attr("scale"), exe.run(main, feed={"x": np.ones(2, "float32")}, fetch_list=[op.output("Out")[0]])]
""",
    "tensors_of_uint16": """
tensor = fluid.core.LoDTensor()
tensor.set(np.array([3, 5], "uint16"), fluid.CPUPlace())
answer = [str(tensor._dtype()), np.array(tensor)]
""",
    **{
        f"tensors_of_{kind}": f"fluid.core.LoDTensor().set(np.array([1, 2]).astype('{kind}'), fluid.CPUPlace())"
        for kind in ("uint32", "uint64", "U3")
    },
    "tensors_in_one_and_back": """
import collections
strategy = fluid.core.ParallelStrategy()
strategy.nranks = 1
with fluid.dygraph.guard():
    net = fluid.dygraph.DataParallel(fluid.dygraph.Linear(3, 4), strategy)
    values = [fluid.dygraph.to_variable(np.full(shape, 2.0)) for shape in ([2, 3], [4, 9], [10, 1])]
    whole = net._coalesce_tensors(collections.OrderedDict([(0, values)]))
    net._split_tensors(whole)
    answer = [[each[0].shape for each in whole], [each[2] for each in whole], [[v.shape, v.numpy().sum()] for v in values]]
""",
    "values_that_stop_gradients_all_the_same": """
with fluid.dygraph.guard():
    x = fluid.core.VarBase(value=np.ones(2, "float32"), name="x", persistable=True, place=fluid.CPUPlace(), stop_gradient=False)
    y = layers.reduce_sum(x * x)
    y.backward()
    answer = [x.name, x.stop_gradient, x.persistable, x.gradient()]
""",
    "batches_of_one_trainer": """
import os
os.environ.update(PADDLE_TRAINERS_NUM="3", PADDLE_TRAINER_ID="1")
import contextlib, io
said = io.StringIO()
try:
    with contextlib.redirect_stdout(said):
        answer = list(fluid.contrib.reader.distributed_batch_reader(lambda: iter([[i] for i in range(8)]))())
    answer += [said.getvalue()]
finally:
    del os.environ["PADDLE_TRAINERS_NUM"], os.environ["PADDLE_TRAINER_ID"]
""",
    "a_trainer_beyond_the_last": """
import os
os.environ.update(PADDLE_TRAINERS_NUM="2", PADDLE_TRAINER_ID="2")
try:
    fluid.contrib.reader.distributed_batch_reader(lambda: iter([]))
finally:
    del os.environ["PADDLE_TRAINERS_NUM"], os.environ["PADDLE_TRAINER_ID"]
""",
    **{
        f"rounded_by_{kind}": rounded(kind, "answer = [described(p) for p in (main, startup)]")
        for kind in ("abs_max", "range_abs_max", "moving_average_abs_max")
    },
    "rounded_by_nothing": "fluid.contrib.QuantizeTranspiler(activation_quantize_type='nothing')",
    "training_with_rounded_values": rounded("abs_max", """
exe.run(startup)
answer = [exe.run(main, feed=feed, fetch_list=[loss])[0] for _ in range(4)]
"""),
    "frozen_rounded_values": rounded("moving_average_abs_max", """
rounding.training_transpile(test, startup)
exe.run(startup)
losses = [exe.run(main, feed=feed, fetch_list=[loss])[0] for _ in range(3)]
losses.append(exe.run(test, feed=feed, fetch_list=[loss.name])[0])
rounding.freeze_program(test, fluid.CPUPlace())
losses.append(exe.run(test, feed=feed, fetch_list=[loss.name])[0])
frozen = described(test)
rounding.convert_to_int8(test, fluid.CPUPlace())
weights = [np.array(fluid.global_scope().find_var(n + ".int8").get_tensor()) for n in ("conv2d_0.w_0", "fc_0.w_0")]
answer = [losses, frozen, described(test), sorted(test.global_block().vars), weights]
"""),
    "ranks_in_a_program": """
x, offsets = data("x", [None, 2], "float32"), data("offsets", [None, 7], "int32")
ranks = fluid.ParamAttr(name="ranks", initializer=fluid.initializer.Xavier(uniform=False))
out = fluid.contrib.layers.rank_attention(x, offsets, rank_param_shape=[18, 3], rank_param_attr=ranks, max_rank=3)
gradients = fluid.gradients([layers.mean(out)], [main.global_block().var("ranks")])
answer = [out.name, out.shape, gradients[0].name, [op.type for op in block.ops], main.global_block().var("ranks").shape]
""",
    "ranks_of_another_shape": """
x, offsets = data("x", [None, 2], "float32"), data("offsets", [None, 7], "int32")
fluid.contrib.layers.rank_attention(x, offsets, rank_param_shape=[17, 3], rank_param_attr=fluid.ParamAttr(name="ranks"))
""",
    **{
        f"rewritten_by_{name}": f"""
from paddle.fluid.dygraph.dygraph_to_static import {name}
from paddle.fluid.dygraph.dygraph_to_static.{module} import {name} as same
import importlib.util, os, tempfile
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "stepping.py")
    with open(path, "w") as file:
        file.write({_STEP!r})
    spec = importlib.util.spec_from_file_location("stepping", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    step, x = {name}(module.step), layers.fill_constant([3], "float32", -2.0)
    answer = [same is {name}, exe.run(main, fetch_list=[step(x), step(x + 5.0)])]
"""
        for name, module in (
            ("convert_call", "convert_call_func"), ("convert_function_with_cache", "program_translator"),
        )
    },
    **{
        f"labels_without_a_dimension_of_one_fed_to_{name}": f"""
x, y = data("x", [None, 3], "float32"), data("y", {shape}, "int64")
x.stop_gradient = False
loss = {loss}
gradient = fluid.gradients(layers.reduce_sum(loss), x)[0]
feed = {{"x": np.array([[0.5, 1.0, 0.25], [2.0, 0.0, 1.0]], "float32"), "y": np.array([1, 0])}}
answer = [loss.shape, exe.run(main, feed=feed, fetch_list=[loss, gradient])]
"""
        for name, shape, loss in (
            ("a_column", "[None, 1]", "layers.cross_entropy(layers.softmax(x), y)"),
            ("a_mean", "[None, 1]", "layers.mean(layers.cross_entropy(layers.softmax(x), y))"),
            ("an_ignoring_loss", "[None, 1]", "layers.mean(layers.cross_entropy(layers.softmax(x), y, ignore_index=0))"),
            ("a_row", "[None]", "layers.cross_entropy(layers.softmax(x), y)"),
            ("a_row_of_two", "[2]", "layers.cross_entropy(layers.sigmoid(x), y)"),
            ("a_fused_loss", "[None, 1]", "layers.softmax_with_cross_entropy(x, y)"),
        )
    },
    **{
        f"{loss}_of_{name}": f"""
values = [data(n, [None, *shape[1:]], "float32") for n, shape in zip("abc", {shapes})]
for value in values[1:]:
    value.stop_gradient = False
loss = layers.{loss}(*values{more})
feed = {{n: np.arange(1.0, 1 + np.prod(shape)).reshape(shape).astype("float32") / 8 for n, shape in zip("abc", {shapes})}}
answer = [loss.shape, exe.run(main, feed=feed, fetch_list=[loss, *fluid.gradients(layers.reduce_sum(loss), values[-1])])]
"""
        for name, rank, log in (
            ("columns", "[(4, 1), (4, 1), (4, 1)]", "[(4, 1), (4, 1)]"), ("a_row_and_columns", "[(4,), (4, 1), (4, 1)]", "[(4,), (4, 1)]"),
            ("a_column_and_rows", "[(4, 1), (4,), (4, 1)]", "[(4, 1), (4,)]"), ("rows", "[(4,), (4,), (4,)]", "[(4,), (4,)]"),
        )
        for loss, shapes, more in (
            ("rank_loss", rank, ""), ("margin_rank_loss", rank, ""), ("log_loss", log, ""), ("teacher_student_sigmoid_loss", log, ""),
            ("smooth_l1", log, ""),
        )
    },
    "an_area_as_number": """
area = fluid.metrics.Auc("area")
area.update(np.array([[0.1, 0.9], [0.6, 0.4], [0.3, 0.7], [0.2, 0.8]]), np.array([[1], [0], [0], [1]]))
answer = [type(area.eval()).__name__, area.eval()]
""",
    "statistics_of_each_replica_behind_a_run_of_one": """
x = data("x", [None, 3], "float32")
loss = layers.mean(layers.square(layers.batch_norm(layers.fc(x, 2, param_attr=fluid.initializer.Constant(0.5)))))
test = main.clone(for_test=True)
fluid.optimizer.SGD(0.1).minimize(loss)
exe.run(startup)
places, feed = [fluid.CPUPlace()] * 2, {"x": np.arange(12.0).reshape(4, 3).astype("float32") ** 2}
train = fluid.CompiledProgram(main).with_data_parallel(loss_name=loss.name, places=places)
answer = [exe.run(train, feed=feed, fetch_list=[loss]), exe.run(test, feed=feed, fetch_list=[loss])]
tested = fluid.CompiledProgram(test).with_data_parallel(share_vars_from=train, places=places)
answer += [exe.run(tested, feed=feed, fetch_list=[loss]), exe.run(train, feed=feed, fetch_list=[loss])]
""",
    "texts_of_places": """
scaled = layers.scale(data("x", [2], "float32"), 2.0)
answer = [str(fluid.CPUPlace()), "on {}".format(fluid.CPUPlace()), "%s" % fluid.CPUPlace()]
""",
    "text_of_messages": """
from paddle.fluid.proto import framework_pb2
op, proto, block_ = framework_pb2.OpDesc(), framework_pb2.OpProto(), framework_pb2.BlockDesc()
op.type = proto.type = "k"
slot = op.inputs.add()
slot.parameter = "X"
slot.arguments.extend(["a"])
proto.comment, slot = "c", proto.inputs.add()
slot.name, slot.comment, block_.idx, block_.parent_idx = "X", "q", 0, -1
block_.ops.add().CopyFrom(op)
answer = [str(op), str(proto), str(block_)]
""",
}  # fmt: skip
