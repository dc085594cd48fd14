"""Short pieces of Paddle code and the answers they give, in a wheel and in ours.

Each piece runs after the imports of its version and leaves an `answer`: numbers, strings, lists of these. What raises has
its exception's classes for an answer.
"""

from __future__ import annotations

import contextlib
from typing import Any, Iterator

import behaviours_decoders
import behaviours_dygraph
import behaviours_eager
import behaviours_fluid
import behaviours_regions
import behaviours_scripts
import misuse
import numpy as np

IMPORTS = {
    "1.8.5": """
import numpy as np
import paddle.fluid as fluid
from paddle.fluid import layers

main, block, startup = fluid.default_main_program(), fluid.default_main_program().global_block(), fluid.default_startup_program()
exe = fluid.Executor(fluid.CPUPlace())
append_backward = fluid.backward.append_backward
data = fluid.data
multiply = layers.elementwise_mul
""",
    "2.6.2": """
import numpy as np
import paddle
from paddle import static

main, block, startup = static.default_main_program(), static.default_main_program().global_block(), static.default_startup_program()
exe = static.Executor(paddle.CPUPlace())
append_backward = static.append_backward
data = static.data
multiply = paddle.multiply
""",
}


def seed(shape: str) -> str:
    """The first gradient of a loss of a shape: what fills it, its shape, and the gradient that follows from it."""
    return f"""
x = data("x", {shape}, "float32")
x.stop_gradient = False
loss = multiply(x, x)
append_backward(loss)
first = next(op for op in block.ops if op.type == "fill_constant")
grads = exe.run(main, feed={{"x": np.full([abs(d) for d in {shape}], 3.0, "float32")}}, fetch_list=["x@GRAD", loss.name + "@GRAD"])
answer = [first.attr("shape"), block.var(loss.name + "@GRAD").shape, [(g.shape, g) for g in grads]]
"""


# what both versions spell in the same way
BOTH = {
    "seed_of_a_batch": seed("[-1, 1]"),
    "seed_of_a_matrix": seed("[1, 1]"),
    "seed_of_one": seed("[1]"),
}


def ties(rows: str, k: int) -> str:
    """The indices that `top_k` gives where values are equal."""
    return f"""
x = data("x", [-1, -1], "float32")
answer = exe.run(main, feed={{"x": np.array({rows}, "float32")}}, fetch_list=layers.topk(x, {k})[1])
"""


_RANDOM_ROWS = "np.random.RandomState(3).randint(0, 4, (6, 40))"

def grams(api: str, text: str, arguments: str, age: str) -> str:
    """What the runs of words of some texts find in a table, in two runs of the Program."""
    return f"""
main.random_seed = startup.random_seed = 7
words = data("words", [None, 1], "int32", lod_level=1)
rows = {api}.search_pyramid_hash(words, {arguments}, param_attr={age}.ParamAttr(name="table"))
exe.run(startup)
lod = {age}.{"base." if age == "paddle" else ""}create_lod_tensor
answer = [[(op.type, sorted(op.input_names), sorted(op.output_names)) for op in block.ops], rows.shape, rows.name, rows.stop_gradient]
for _ in range(2):
    found = exe.run(main, feed={{"words": lod({text}, {age}.CPUPlace())}}, fetch_list=[rows], return_numpy=False)[0]
    answer += [found.lod(), np.array(found)]
"""


_TEXT = 'np.array([[1], [2], [3], [5], [9], [9], [8], [7], [4]], "int32"), [[3, 5, 1]]'
_GRAMS = {
    "all": "16, 50, 4, 4, 0.0, True, False, 10, 5, 1, 0.1",
    "some": "8, 50, 5, 4, 0.4, True, False, 10, 5, 7, 0.1",
    "scaled": "4, 50, 2, 4, 0.5, False, False, 10, 5, 0, 0.1",
}

FLUID_CASES = {
    **{f"grams_{name}": grams("fluid.contrib.layers", _TEXT, arguments, "fluid") for name, arguments in _GRAMS.items()},
    "more_dimensions_than_declared": """
z, v = layers.data("z", [4]), layers.data("v", [3, 4])
w, b = layers.fill_constant([4, 2], "float32", 2.0), layers.fill_constant([2], "float32", 1.0)
one = layers.elementwise_add(layers.mul(z, w), b)
two = layers.elementwise_add(layers.mul(v, w, x_num_col_dims=2), b, axis=2)
answer = exe.run(main, feed={"z": np.arange(8.0).reshape(2, 2, 2).astype("float32"),
    "v": np.arange(12.0).reshape(1, 3, 2, 2).astype("float32")}, fetch_list=[one, two])
answer = [(a.shape, a) for a in answer]
""",
    "cosine_of_zeros": """
x, y = data("x", [3, 2], "float32"), data("y", [3, 2], "float32")
x.stop_gradient = y.stop_gradient = False
out = layers.cos_sim(x, y)
grads = fluid.gradients([layers.reduce_sum(out)], [x, y])
values = {"x": np.array([[0, 0], [3, 4], [2e-5, 0]], "float32"), "y": np.array([[1, 2], [0, 0], [1, 1]], "float32")}
answer = exe.run(main, feed=values, fetch_list=[out, *grads])
""",
    "area_of_no_probabilities": """
x, y = data("x", [2, 2], "float32"), data("y", [2, 1], "int64")
area, _, _ = layers.auc(x, y)
exe.run(startup)
answer = exe.run(main, feed={"x": np.array([[0, 1.5], [0, 0]], "float32"), "y": np.array([[0], [1]])}, fetch_list=[area])
""",
    "ties_of_one": ties("[[1, 3, 3, 2, 3]]", 1),
    "ties_of_two": ties("[[1, 3, 3, 2, 3]]", 2),
    "ties_of_three": ties("[[1, 3, 3, 2, 3], [2, 2, 2, 2, 2], [0, 1, 0, 1, 0]]", 3),
    "ties_of_all": ties("[[1, 3, 3, 2, 3], [2, 2, 2, 2, 2], [0, 1, 0, 1, 0]]", 5),
    "ties_of_many": ties(_RANDOM_ROWS, 3),
    "ties_of_many_more": ties(_RANDOM_ROWS, 17),
    "ties_of_zeros": ties("np.zeros((2, 20))", 7),
}


def over_itself(call: str) -> str:
    """What a method that overwrites its Variable records and gives in static mode."""
    return f"""
paddle.seed(3)
x = data("x", [2, 3], "float32")
h = paddle.scale(x, 2.0)
out = h.{call}
values = exe.run(main, feed={{"x": np.full((2, 3), 0.5, "float32")}}, fetch_list=[h, out])
answer = [[(op.type, op.output("Out")) for op in block.ops if op.type in ("scale", "exponential", "tanh")], out is h, values]
"""


STATIC_CASES = {
    **{f"grams_{name}": grams("paddle.incubate.layers", _TEXT, arguments, "paddle") for name, arguments in _GRAMS.items()},
    "rate_that_falls_along_a_parabola": """
rate = paddle.incubate.layers.pow2_decay_with_linear_warmup(3, 9, 0.1, 0.001)
exe.run(startup)
answer = [rate.shape, rate.name, [float(exe.run(main, fetch_list=[rate])[0][0]) for _ in range(12)]]
""",
    "layers_of_incubate": """
from paddle.incubate import layers
main.random_seed = startup.random_seed = 7
ids = data("ids", [None, 1], "int64", lod_level=1)
x, y = data("x", [None, 4], "float32"), data("y", [None, 4], "float32")
sides, total = layers.partial_concat([x, y], 1, 2), layers.partial_sum([x, y], 2, 1)
pooled = layers.fused_embedding_seq_pool(ids, [10, 3], padding_idx=2)
children, leaves = layers.tdm_child(ids, 7, 2, dtype="int64")
nodes, labels, mask = layers.tdm_sampler(ids, [1, 2], [2, 4], 4, seed=3)
made = [sides, total, pooled, children, leaves, *nodes, *labels, *mask]
exe.run(startup)
feed = {"ids": paddle.base.create_lod_tensor(np.array([[1], [2], [3]]), [[2, 1]], paddle.CPUPlace()),
    "x": np.arange(8, dtype="float32").reshape(2, 4), "y": np.arange(8, 16, dtype="float32").reshape(2, 4)}
found = exe.run(main, feed=feed, fetch_list=made, return_numpy=False)
answer = [[(out.shape, out.name, out.stop_gradient) for out in made], [(out.lod(), np.array(out)) for out in found]]
""",
    "seed_of_a_number": seed("[]"),
    "variance_of_zero_in_eager_mode": """
with eager():
    x, y = paddle.to_tensor([0.0, 1.0]), paddle.to_tensor([0.5, 1.0])
    answer = float(paddle.nn.functional.gaussian_nll_loss(x, y, paddle.to_tensor([0.0, 1.0])))
""",
    "area_of_no_probabilities": """
x, y = data("x", [2, 2], "float32"), data("y", [2, 1], "int64")
area, _, _ = static.auc(x, y)
exe.run(startup)
answer = exe.run(main, feed={"x": np.array([[0, -0.5], [0, 0]], "float32"), "y": np.array([[0], [1]])}, fetch_list=[area])
""",
    "branch_and_loop_beside_values_of_their_names": """
x = data("x", [2], "float32")
x.stop_gradient = False
step = paddle.full([1], 0, "int64")
out = static.nn.cond(paddle.mean(x) > 0, lambda: x * 2.0, lambda: x - 1.0)
out = static.nn.while_loop(lambda step, out: step < 2, lambda step, out: [step + 1, out * x], [step, out])[1]
grads = static.gradients([out], [x])
for name in [name for name, var in block.vars.items() if not var.is_data]:
    static.global_scope().var(name).get_tensor().set(np.array([7, 8, 9]), paddle.CPUPlace())
answer = exe.run(main, feed={"x": np.array([1, 3], "float32")}, fetch_list=[out, *grads])
""",
    "loop_that_sums_what_it_carries": """
x = data("x", [2, 2], "float32")
weight = static.create_parameter([2, 2], "float32", default_initializer=paddle.nn.initializer.Constant(0.3))
def turn(step, total, cell, hidden):
    cell = cell * 0.5 + paddle.matmul(hidden, weight)
    hidden = paddle.tanh(cell)
    return [step + 1, total + hidden.mean(), cell, hidden]
start = [paddle.zeros([1], "int64"), paddle.zeros([1]), x * 1.0, x + 0.0]
start[1].stop_gradient = False
total = static.nn.while_loop(lambda step, *rest: step < 4, turn, start)[1]
grad = static.gradients([total], [weight])[0]
kinds = [op.type for op in block.ops if op.type.startswith("fill_any")]
exe.run(startup)
answer = [kinds, exe.run(main, feed={"x": np.array([[0.5, 1], [2, 0.1]], "float32")}, fetch_list=[total, grad])]
""",
    "yolo_box_of_nan": """
with eager():
    x = np.linspace(-1, 1, 28, dtype="float32").reshape(1, 7, 2, 2)
    x[0, 4, 0, 1], x[0, 1, 1, 0] = np.nan, np.nan
    found = paddle.vision.ops.yolo_box(paddle.to_tensor(x), paddle.to_tensor([[32, 32]], dtype="int32"), [10, 13], 2, 0.4, 8)
    answer = [paddle.nan_to_num(part, -5.0).tolist() for part in found]
""",
    "exponential_in_a_program": over_itself("exponential_(2.0)"),
    "tanh_in_a_program": over_itself("tanh_()"),
    "uniform_in_a_program": over_itself("uniform_()"),
    "normal_in_a_program": over_itself("normal_()"),
    "cauchy_in_a_program": over_itself("cauchy_()"),
    "geometric_in_a_program": over_itself("geometric_(0.5)"),
    **{
        f"{call.partition('(')[0]}_in_eager_mode": f"with eager():\n    static.{call}"
        for call in (
            "nn.fc(paddle.ones([2, 4]), 3)", "nn.layer_norm(paddle.ones([2, 4]))", "nn.sequence_pool(paddle.ones([2, 4]), 'sum')",
            "nn.sequence_first_step(paddle.ones([2, 4]))", "data('z', [2])", "Print(paddle.ones([2]))",
            "nn.embedding(paddle.zeros([2, 1], 'int64'), [5, 3])", "append_backward(paddle.ones([1]))",
        )
    },
}  # fmt: skip

CASES = {
    "1.8.5": {
        **BOTH, **FLUID_CASES, **behaviours_fluid.CASES, **behaviours_scripts.CASES, **behaviours_decoders.CASES,
        **behaviours_dygraph.CASES,
    },
    "2.6.2": {**BOTH, **STATIC_CASES, **behaviours_eager.CASES, **behaviours_regions.CASES},
}  # fmt: skip


def plain(value: Any) -> Any:
    """The JSON spelling of an answer."""
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    return value


def answer(version: str, code: str) -> Any:
    """What a piece of code answers, or the classes of what it raises."""
    with misuse.script(version, IMPORTS[version]) as names:
        names["eager"] = eager
        error = misuse.failure(names, code)
        return plain(names["answer"]) if error is None else {"raises": [kind.__name__ for kind in type(error).__mro__]}


@contextlib.contextmanager
def eager() -> Iterator[None]:
    """Paddle 2's eager mode, put back afterwards."""
    import paddle

    paddle.disable_static()
    try:
        yield
    finally:
        paddle.enable_static()
