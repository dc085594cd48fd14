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
made += [generate_layer_fn("clip")(x=x, min=0.0, max=1.0), generate_activation_fn("sigmoid")(x, name="given")]
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
