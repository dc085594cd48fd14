"""Short pieces of 1.8 code on what whole scripts lean on beside networks: evaluators, feeders, queues, generated layers."""

from __future__ import annotations

CASES = {
    "a_sum_with_a_state_that_has_no_value": """
state = block.create_var(name="state", persistable=True, dtype="float32", shape=[2])
x = data("x", [2], "float32")
total, doubled = layers.sums([state, x]), layers.sums([x, state, x])
answer = [exe.run(feed={"x": np.ones(2, "float32")}, fetch_list=[total, doubled])]
fluid.global_scope().var("state").get_tensor().set(np.array([1.0, 2.0], "float32"), fluid.CPUPlace())
answer.append(exe.run(feed={"x": np.ones(2, "float32")}, fetch_list=[total, doubled]))
""",
    "a_sum_of_nothing": """
state = block.create_var(name="state", persistable=True, dtype="float32", shape=[2])
exe.run(fetch_list=[layers.sums([state, state])])
""",
    "converted_samples": """
def converted(lod, shape, dtype, samples):
    converter = fluid.data_feeder.DataToLoDTensorConverter(fluid.CPUPlace(), lod, shape, dtype)
    for sample in samples:
        converter.feed(sample)
    tensor = converter.done()
    return [tensor.recursive_sequence_lengths(), np.array(tensor), str(np.array(tensor).dtype)]

answer = [
    converted(0, [-1, 2, 2], "float32", [[1, 2, 3, 4], [1, 2, 3, 4]]), converted(1, [-1, 1], "int64", [[1, 2], [3]]),
    converted(2, [-1, 1], fluid.core.VarDesc.VarType.INT64, [[[1, 2], [3]], [[4]]]), converted(0, [-1, 1], "bool", [True]),
    converted(1, [-1, 2], "float32", [np.ones((3, 2)), np.zeros((1, 2))]),
]
""",
    "a_queue_of_batches": """
queue = fluid.core.init_lod_tensor_blocking_queue(fluid.global_scope().var("queue"), 2, False)
batch, tensor = fluid.core.LoDTensorArray(), fluid.LoDTensor()
tensor.set(np.ones((2, 2), "float32"), fluid.CPUPlace())
batch.append(tensor)
answer = [queue.push(batch), queue.size(), queue.capacity(), queue.push(batch), queue.size(), queue.close(), queue.push(batch)]
answer.append(queue.kill())
""",
    "old_names_of_division": """
x = data("x", [2], "float32")
answer = exe.run(feed={"x": np.array([1.0, 4.0], "float32")}, fetch_list=[x.__div__(2), x.__rdiv__(2.0), x.__div__(x)])
answer.append([op.type for op in block.ops])
""",
    "generated_layers": """
from paddle.fluid.layers.layer_function_generator import generate_activation_fn, generate_layer_fn
x, y = data("x", [2, 3], "float32"), data("y", [3, 4], "float32")
product = generate_layer_fn("mul")
into = block.create_var(name="into", shape=[2, 4], dtype="float32")
made = [product(x, y), product(x=x, y=y, name="named"), product(x=x, y=y, x_num_col_dims=1, act="relu"), product(x, y, out=into)]
made += [generate_layer_fn("leaky_relu")(x=x, alpha=0.5), generate_activation_fn("sigmoid")(x, name="given")]
feed = {"x": np.arange(6.0).reshape(2, 3).astype("float32"), "y": np.ones((3, 4), "float32")}
answer = [product.__name__, [v.name for v in made], exe.run(feed=feed, fetch_list=made), [op.type for op in block.ops]]
""",
    **{
        f"no_generated_layer_of_{name}": f"from paddle.fluid.layers import layer_function_generator\n{code}"
        for name, code in (
            ("an_unknown_operator", "layer_function_generator.generate_layer_fn('nothing')"),
            ("two_outputs", "layer_function_generator.generate_layer_fn('top_k')"),
            ("a_number", "layer_function_generator.generate_layer_fn('mul')(1, 2)"),
            ("two_types", """
layer_function_generator.generate_layer_fn("elementwise_add")(data("x", [2], "float32"), data("y", [2], "float64"))
"""),
            ("integers", "layer_function_generator.generate_activation_fn('sigmoid')(data('x', [2], 'int32'))"),
        )
    },
    "deprecated_functions": """
import contextlib, io
from paddle.fluid.annotations import deprecated

@deprecated(since="1.4", instead="new")
def old(x):
    "Doc."
    return x + 1

@deprecated("1.5", "new", "more")
def older():
    "Doc."

with contextlib.redirect_stderr(io.StringIO()) as text:
    answer = [old(2), older(), old.__doc__, older.__doc__, old.__name__]
answer.append(text.getvalue())
""",
    "sums_of_clicks": """
chance, label = data("chance", [None, 1], "float32"), data("label", [None, 1], "float32")
sums = fluid.contrib.layers.ctr_metric_bundle(chance, label)
exe.run(startup)
feed = {"chance": np.array([[0.2], [0.6], [0.9]], "float32"), "label": np.array([[0], [1], [1]], "float32")}
answer = [exe.run(feed=feed, fetch_list=list(sums)) for _ in range(2)]
answer += [[v.name for v in sums], [v.shape for v in sums]]
answer += [[[op.type, op.output("Out")] for op in program.global_block().ops] for program in (main, startup)]
""",
    "layers_of_sequences": """
from paddle.fluid.dygraph import nn
x = data("x", [None, 4], "float32", lod_level=1)
constant = fluid.initializer.Constant(0.1)
made = [nn.SequenceConv("one", 2, act="sigmoid", param_attr=constant)(x)]
made.append(nn.SequenceConv("two", 3, filter_size=5, bias_attr=False, param_attr=constant)(x))
made += [nn.RowConv("three", future_context_size=2, param_attr=constant)(x), nn.RowConv("four", 1, constant, "relu")(x)]
exe.run(startup)
rows = fluid.create_lod_tensor(np.arange(20.0).reshape(5, 4).astype("float32"), [[3, 2]], fluid.CPUPlace())
values = exe.run(feed={"x": rows}, fetch_list=made, return_numpy=False)
answer = [[np.array(v), v.lod()] for v in values] + [[v.name for v in made], [v.shape for v in made], [op.type for op in block.ops]]
answer.append([[p.name, p.shape] for p in main.all_parameters()])
""",
    "no_layers_of_sequences_in_eager_mode": """
from paddle.fluid.dygraph import nn
answer = []
with fluid.dygraph.guard():
    for layer in (nn.SequenceConv, nn.RowConv):
        try:
            layer("name", 2)
        except AssertionError:
            answer.append("refused")
""",
    "checks_of_feeds": """
from paddle.fluid import executor
fits, x = executor.dimension_is_compatible_with, data("x", [None, 3], "float32")

def value(shape, dtype="float32"):
    tensor = fluid.LoDTensor()
    tensor.set(np.ones(shape, dtype), fluid.CPUPlace())
    return tensor

answer = [fits([2, 3], [-1, 3]), fits([2, 3], [2, 4]), fits([2], [2, 3]), fits((None, 2), (5, 2)), fits([2, -1], [2, 7])]
answer += [executor.dtype_is_compatible_with(*pair) for pair in ((np.float32, x.dtype), ("int32", x.dtype))]
answer.append(executor.check_feed_shape_type(x, value([2, 3])))
for bad in (value([2, 4]), value([2, 3], "int64")):
    try:
        executor.check_feed_shape_type(x, bad)
    except ValueError as error:
        answer.append(str(error))
answer += [executor.has_feed_operators(block, {"x": 1}, "feed"), executor.has_fetch_operators(block, [x], "fetch")]
fluid.io.prepend_feed_ops(main, ["x"])
fluid.io.append_fetch_ops(main, ["x"])
answer += [executor.has_feed_operators(block, {"x": 1}, "feed"), executor.has_fetch_operators(block, [x], "fetch")]
for call in (lambda: executor.has_feed_operators(block, {"y": 1}, "feed"), lambda: executor.has_fetch_operators(block, [], "fetch")):
    try:
        call()
    except Exception as error:
        answer.append(str(error)[:24])
""",
    "items_of_a_rank_table": """
x = data("x", [None, 1], "float32", lod_level=2)
table = layers.control_flow.lod_rank_table(x, level=1)
table.persistable = True
rows = fluid.create_lod_tensor(np.ones((7, 1), "float32"), [[2, 1], [1, 5, 1]], fluid.CPUPlace())
exe.run(feed={"x": rows})
answer = list(fluid.global_scope().find_var(table.name).get_lod_rank_table().items())
""",
    "notes_of_programs": """
x = data("x", [None, 3], "float32")
fluid.optimizer.SGD(0.1).minimize(layers.mean(layers.fc(x, 2)))
answer = [block.ops[0]._has_kernel("mul"), block.ops[0]._has_kernel("while"), [op._is_optimize_op() for op in block.ops]]
answer += [sorted(fluid.framework.Operator.OP_WITHOUT_KERNEL_SET), x._get_info("a"), x._set_info("a", 5), x._get_info("a")]
answer += [main._appending_grad_times, startup._appending_grad_times, main._get_desc().num_blocks()]
""",
    "guards_of_blocks": """
from paddle.fluid.layers.control_flow import (
    BlockGuard, BlockGuardWithCompletion, ConditionalBlock, ConditionalBlockGuard, IfElseBlockGuard, StaticRNNMemoryLink, WhileGuard,
    copy_var_to_parent_block,
)
with BlockGuard(main):
    answer = [main.current_block().idx, main.current_block().parent_idx, main.num_blocks]
    inside = layers.scale(layers.zeros([2], "float32"), 2.0)
    copied = copy_var_to_parent_block(inside, fluid.layer_helper.LayerHelper("mine"))
answer += [main.current_block().idx, copied.block.idx, copied.shape, copy_var_to_parent_block(None, None)]
counter, end = layers.zeros([1], "int64"), layers.fill_constant([1], "int64", 3)
go_on = layers.less_than(counter, end)
with WhileGuard(layers.While(go_on)):
    layers.increment(counter)
    layers.less_than(counter, end, cond=go_on)
x, out = data("x", [1], "float32"), layers.zeros([1], "float32")
with ConditionalBlockGuard(ConditionalBlock([x > 1.0], is_scalar_condition=True)):
    layers.assign(x, out)
rnn = layers.StaticRNN()
with BlockGuardWithCompletion(rnn):
    rnn.step_output(rnn.step_input(data("steps", [3, 2], "float32")) * 2.0)
rows = data("rows", [None, 1], "float32")
sides = layers.IfElse(rows > 0.0)
with IfElseBlockGuard(True, sides):
    sides.output(sides.input(rows) * 2.0)
with IfElseBlockGuard(False, sides):
    sides.output(sides.input(rows) * 3.0)
feed = {"x": np.array([2.0], "float32"), "steps": np.ones((3, 2), "float32"), "rows": np.array([[1.0], [-1.0]], "float32")}
answer += exe.run(feed=feed, fetch_list=[counter, out, rnn(), sides()[0]])
link = StaticRNNMemoryLink(x, out)
answer += [link.init.name, link.pre_mem is out, link.mem]
""",
    **{
        f"no_{name}_of_a_number": f"from paddle.fluid.layers.control_flow import {name}\n{name}({arguments})"
        for name, arguments in (
            ("BlockGuard", "1"), ("WhileGuard", "1"), ("BlockGuardWithCompletion", "1"),
            ("IfElseBlockGuard", "True, 1"),
        )
    },
    "cross_entropy2": """
x, y = data("x", [None, 3], "float32"), data("y", [None, 1], "int64")
loss = layers.loss.cross_entropy2(x, y)
feed = {"x": np.array([[0.2, 0.3, 0.5], [0.1, 0.8, 0.1]], "float32"), "y": np.array([[2], [1]])}
answer = [exe.run(feed=feed, fetch_list=[loss]), loss.name, [op.type for op in block.ops]]
""",
    "the_generator_of_names": """
answer = [type(fluid.unique_name.generator).__name__, fluid.unique_name.generator.prefix]
with fluid.unique_name.guard("before_"):
    answer += [fluid.unique_name.generator.prefix, fluid.unique_name.generate("a")]
""",
    "names_of_traced_layers": """
import os, tempfile
from paddle.fluid.dygraph import Linear, TracedLayer, to_variable

class Net(fluid.dygraph.Layer):
    def __init__(self):
        super(Net, self).__init__()
        self.one, self.two = Linear(3, 2), Linear(2, 2)

    def forward(self, x, y):
        h = self.one(x)
        return self.two(fluid.layers.reshape(fluid.layers.relu(h), [2, 2])) + y, h

folder = tempfile.mkdtemp()
with fluid.dygraph.guard():
    given = [to_variable(np.ones(shape, "float32")) for shape in ((2, 3), (2, 2))]
    outs, traced = TracedLayer.trace(Net(), given)
    found = traced(given)
    close = [bool(np.allclose(one.numpy(), other)) for one, other in zip(outs, found)]
    ops = traced.program.global_block().ops
    answer = [close, [[op.type, op.input_arg_names, op.output_arg_names] for op in ops if op.type != "reshape2"]]
    traced.save_inference_model(folder, [1], [0])
answer.append(fluid.io.load_inference_model(folder, exe)[1])
""",
    **{
        f"shapes_that_do_not_fit_{name}": f"""
rows, steps = data("rows", [None, 4], "float32"), data("steps", [None, 4], "float32", lod_level=1)
image, ids = data("image", [None, 3, 8, 8], "float32"), data("ids", [None, 1], "int64")
{call}
"""
        for name, call in (
            ("a_stride_of_steps", "layers.sequence_conv(steps, 3, filter_stride=2)"), ("lstm", "layers.dynamic_lstm(steps, 8)"),
            ("lstmp", "layers.dynamic_lstmp(steps, 8, 2)"), ("gru_unit", "layers.gru_unit(rows, rows, 12)"),
            ("im2sequence", "layers.im2sequence(rows)"), ("temporal_shift", "layers.temporal_shift(image, 2, 2.0)"),
            ("yolov3_loss", "layers.yolov3_loss(image, rows, ids, [1, 1], [0], 3, 0.7, 32)"),
            ("yolo_box", "layers.yolo_box(image, data('size', [None, 2], 'int32'), [10, 13], 3, 0.1, 32)"),
            ("sequence_pad", "layers.sequence_pad(steps, rows)"), ("sequence_unpad", "layers.sequence_unpad(data('x', [2]), ids)"),
            ("bilinear_tensor_product", "layers.bilinear_tensor_product(rows, image, 3)"),
            ("roi_pool", "layers.roi_pool(image, data('regions', [None, 3], 'float32', lod_level=1))"),
            ("box_coder", "layers.box_coder(rows, rows, data('target', [None, 3, 5], 'float32'))"),
            ("iou_similarity", "layers.iou_similarity(data('boxes', [None, 3], 'float32'), rows)"),
            ("anchor_generator", "layers.anchor_generator(rows, [1.0], [1.0], stride=[1.0, 1.0])"),
            ("prior_box", "layers.prior_box(rows, image, [1.0])"), ("similarity_focus", "layers.similarity_focus(rows, 1, [0])"),
        )
    },
    "seeds_without_a_startup_run": """
x, rows = data("x", [None, 3, 8, 8], "float32"), data("rows", [None, 2], "float32")
made = [layers.random_crop(x, shape=[3, 5, 5], seed=3), fluid.contrib.layers.shuffle_batch(rows, seed=3)]
feed = {"x": np.arange(384).reshape(2, 3, 8, 8).astype("float32"), "rows": np.arange(8).reshape(4, 2).astype("float32")}
answer = [exe.run(feed=feed, fetch_list=made) for _ in range(3)] + [[op.type for op in startup.global_block().ops]]
""",
    "read_houses": """
import os, tempfile
from paddle.dataset import uci_housing
path = os.path.join(tempfile.mkdtemp(), "houses")
np.random.RandomState(0).rand(10, 4).tofile(path, sep=" ")
uci_housing.feature_range = lambda *ranges: None
uci_housing.load_data(path, feature_num=4)
answer = [uci_housing.UCI_TRAIN_DATA.tolist(), uci_housing.UCI_TEST_DATA.tolist()]
uci_housing.load_data("nowhere")
uci_housing.UCI_TRAIN_DATA = uci_housing.UCI_TEST_DATA = None
""",
}  # fmt: skip
