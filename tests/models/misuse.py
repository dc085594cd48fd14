"""Wrong uses of Paddle: what a script does wrong, and what the message has to name.

Each case is a piece of code that runs after the prelude of its version, which trains nothing yet but has run the
startup program. `names` are what the message must contain: the argument, what was expected, what was received; among
them, a tuple is a choice of spellings.
"""

from __future__ import annotations

import contextlib
from typing import Any, Iterator, NamedTuple, Sequence, Union

import numpy as np

FLUID = """
import numpy as np
import paddle.fluid as fluid
from paddle.fluid import layers

x = fluid.data("x", [None, 4], "float32")
y = fluid.data("y", [None, 1], "int64")
logits = layers.fc(x, 3)
loss = layers.mean(layers.softmax_with_cross_entropy(logits, y))
fluid.optimizer.Momentum(0.1, 0.9).minimize(loss)
main, block = fluid.default_main_program(), fluid.default_main_program().global_block()
exe = fluid.Executor(fluid.CPUPlace())
exe.run(fluid.default_startup_program())
good = {"x": np.ones((2, 4), "float32"), "y": np.zeros((2, 1), "int64")}
"""

STATIC = """
import numpy as np
import paddle
from paddle import static

x = static.data("x", [None, 4], "float32")
y = static.data("y", [None, 1], "int64")
logits = static.nn.fc(x, 3)
loss = paddle.nn.functional.cross_entropy(logits, y)
paddle.optimizer.Momentum(0.1, 0.9).minimize(loss)
main, block = static.default_main_program(), static.default_main_program().global_block()
exe = static.Executor(paddle.CPUPlace())
exe.run(static.default_startup_program())
good = {"x": np.ones((2, 4), "float32"), "y": np.zeros((2, 1), "int64")}
"""

PRELUDES = {"1.8.5": FLUID, "2.6.2": STATIC}
Names = Sequence[Union[str, Sequence[str]]]


class Misuse(NamedTuple):
    """One wrong use: the code, and what the message must name."""

    code: str
    names: Names = ()


# what both versions spell in the same way
BOTH = {
    "feed_shape": Misuse(
        'exe.run(main, feed=dict(good, x=np.ones((2, 5), "float32")), fetch_list=[loss])',
        ("x", ("(-1, 4)", "[-1, 4]"), ("(2, 5)", "[2, 5]")),
    ),
    "feed_rank": Misuse(
        'exe.run(main, feed=dict(good, x=np.ones((2, 4, 1), "float32")), fetch_list=[loss])',
        ("x", ("(-1, 4)", "[-1, 4]"), ("(2, 4, 1)", "[2, 4, 1]")),
    ),
    "feed_dtype": Misuse(
        "exe.run(main, feed=dict(good, x=np.ones((2, 4))), fetch_list=[loss])", ("x", "float32", "float64")
    ),
    "feed_dtype_of_label": Misuse(
        'exe.run(main, feed=dict(good, y=np.zeros((2, 1), "float32")), fetch_list=[loss])', ("y", "int64", "float32")
    ),
    "feed_list": Misuse("exe.run(main, feed=dict(good, x=[[1.0] * 4] * 2), fetch_list=[loss])", ("x",)),
    "feed_object": Misuse("exe.run(main, feed=dict(good, x=object()), fetch_list=[loss])", ("x", "object")),
    "feed_unknown": Misuse('exe.run(main, feed=dict(good, z=np.ones(2, "float32")), fetch_list=[loss])'),
    "feed_missing": Misuse('exe.run(main, feed={"x": good["x"]}, fetch_list=[loss])', ("y",)),
    "feed_nothing": Misuse("exe.run(main, fetch_list=[loss])", ("x",)),
    "feed_not_a_dict": Misuse("exe.run(main, feed=3, fetch_list=[loss])", ("feed", "dict", "int")),
    "fetch_unknown": Misuse('exe.run(main, feed=good, fetch_list=["nowhere"])', ("nowhere",)),
    "fetch_number": Misuse("exe.run(main, feed=good, fetch_list=[3])", ("fetch_list", "int")),
    "op_unknown": Misuse('block.append_op(type="no_such_op")', ("no_such_op",)),
    "op_unknown_slot": Misuse(
        'block.append_op(type="relu", inputs={"Y": [x]}, outputs={"Out": [block.create_var(dtype="float32")]})',
        ("relu", "X"),
    ),
    "op_missing_output": Misuse('block.append_op(type="relu", inputs={"X": [x]}, outputs={})', ("relu", "Out")),
    "op_without_its_statistics": Misuse(
        'block.append_op(type="layer_norm", inputs={"X": [x]}, outputs={"Y": [block.create_var(dtype="float32")]})',
        ("layer_norm", "Mean"),
    ),
    "op_without_its_list": Misuse(
        'block.append_op(type="concat", inputs={}, outputs={"Out": [block.create_var(dtype="float32")]})', ("concat", "X")
    ),
    "op_more_slots_than_it_has": Misuse(
        'z = block.create_var(dtype="float32")\n'
        'block.append_op(type="relu", inputs={"X": [x], "Nope": [x]}, outputs={"Out": [z], "More": [z]})\n'
        'assert block.ops[-1].input_names == ["X"] and block.ops[-1].output_names == ["Out"]\n'
        "exe.run(main, feed=good, fetch_list=[z])"
    ),
    "op_without_a_required_attribute": Misuse(
        'block.append_op(type="pool2d", inputs={"X": [x]}, outputs={"Out": [block.create_var(dtype="float32")]})', ("pool",)
    ),
    "op_attribute_of_wrong_type": Misuse(
        'block.append_op(type="scale", inputs={"X": [x]}, outputs={"Out": [block.create_var(dtype="float32")]},'
        ' attrs={"scale": "much"})',
        ("scale",),
    ),
    "op_attribute_of_fractions": Misuse(
        'block.append_op(type="reduce_sum", inputs={"X": [x]}, outputs={"Out": [block.create_var(dtype="float32")]}, attrs={"dim": [1.0]})',
        ("dim",),
    ),
    "op_attribute_without_its_list": Misuse(
        'block.append_op(type="reduce_sum", inputs={"X": [x]}, outputs={"Out": [block.create_var(dtype="float32")]}, attrs={"dim": 1})',
        ("dim",),
    ),
    "op_attribute_with_a_list": Misuse(
        'block.append_op(type="scale", inputs={"X": [x]}, outputs={"Out": [block.create_var(dtype="float32")]}, attrs={"scale": [2.0]})',
        ("scale",),
    ),
    "op_attribute_of_a_fraction": Misuse(
        'block.append_op(type="softmax", inputs={"X": [x]}, outputs={"Out": [block.create_var(dtype="float32")]}, attrs={"axis": 1.0})',
        ("axis",),
    ),
    "op_attribute_of_whole_numbers_for_others": Misuse(
        'z = block.create_var(dtype="float32")\n'
        'block.append_op(type="scale", inputs={"X": [x]}, outputs={"Out": [z]}, attrs={"scale": 2, "bias_after_scale": 1})\n'
        "exe.run(main, feed=good, fetch_list=[z])"
    ),
    "op_unknown_attribute": Misuse(
        'block.append_op(type="scale", inputs={"X": [x]}, outputs={"Out": [block.create_var(dtype="float32")]},'
        ' attrs={"nonsense": 3})'
    ),
    "op_without_attribute": Misuse('block.ops[0].attr("no_such_attribute")', ("no_such_attribute",)),
    "variable_unknown": Misuse('block.var("nowhere")', ("nowhere",)),
    "attribute_of_a_variable": Misuse("loss.nothing_of_this_name", ("nothing_of_this_name",)),
    "attribute_of_a_program": Misuse("main.nothing_of_this_name()", ("nothing_of_this_name",)),
    "len_of_a_number": Misuse("len(loss)"),
    "truth_of_a_variable": Misuse("bool(loss)"),
    "float_of_a_variable": Misuse("float(loss)"),
    "index_out_of_range": Misuse("x[:, 4]", ("4",)),
    "too_many_indices": Misuse("x[0, 0, 0]"),
}

FLUID_CASES = {
    "program_of_wrong_type": Misuse("exe.run([1], feed=good, fetch_list=[loss])", ("program", "Program", "list")),
    "startup_not_run": Misuse(
        "with fluid.scope_guard(fluid.Scope()):\n    exe.run(main, feed=good, fetch_list=[loss])", ("fc_0.", "startup")
    ),
    "argument_unknown": Misuse("layers.fc(x, 3, activation='relu')", ("activation",)),
    "input_of_wrong_type": Misuse("layers.fc(good['x'], 3)", ("input", "Variable", "ndarray")),
    "input_of_wrong_dtype": Misuse(
        "z = layers.softmax_with_cross_entropy(y, y)\nexe.run(main, feed=good, fetch_list=[z])", ("int64",)
    ),
    "act_unknown": Misuse("layers.fc(x, 3, act='no_such_activation')", ("no_such_activation",)),
    "data_dtype_unknown": Misuse("fluid.data('z', [None, 4], 'float31')", ("float31",)),
    "unchecked_feed_shape": Misuse(
        "z, w = layers.data('z', [4]), layers.ones([4, 3], 'float32')\n"
        "t = layers.elementwise_add(layers.mul(z, w), layers.ones([3], 'float32'))\n"
        'exe.run(main, feed=dict(good, z=np.ones((2, 5), "float32")), fetch_list=[t])',
        ("< mul >", ("z: expected [-1, 4] float32, received [2, 5] float32", "received X's shape = [2, 5]"), "[4, 3]"),
    ),
    "unchecked_feed_dtype": Misuse(
        "z, w = layers.data('z', [4]), layers.ones([4, 3], 'float32')\n"
        "t = layers.elementwise_add(layers.mul(z, w), layers.ones([3], 'float32'))\n"
        "exe.run(main, feed=dict(good, z=np.ones((2, 4))), fetch_list=[t])",
        ("< mul >", ("z: expected [-1, 4] float32, received [2, 4] float64", "double")),
    ),
    "unchecked_feed_of_a_bias": Misuse(
        "z = layers.data('z', [3], append_batch_size=False)\nw = layers.fill_constant([4, 3], 'float32', 1.0)\n"
        "t = layers.elementwise_add(layers.mul(x, w), z)\n"
        "exe.run(main, feed=dict(good, z=np.ones(2, 'float32')), fetch_list=[t])",
        ("< elementwise_add >", ("z: expected [3] float32, received [2] float32", "the shape of Y = [2]")),
    ),
    "failure_in_a_loop": Misuse(
        "z, i = layers.data('z', [4]), layers.fill_constant([1], 'int64', 0)\n"
        "t = layers.while_loop(lambda i, s: layers.less_than(i, i + 1),\n"
        "    lambda i, s: [i + 1, layers.matmul(z, layers.ones([4, 3], 'float32'))],\n"
        "    [i, layers.zeros([2, 3], 'float32')])\n"
        'exe.run(main, feed=dict(good, z=np.ones((2, 5), "float32")), fetch_list=[t[1]])',
        ("< matmul >", "[2, 5]"),
    ),
    "failure_in_branches": Misuse(
        "z, i = layers.data('z', [4]), layers.fill_constant([1], 'int64', 0)\nyes = layers.less_than(i, i + 1)\n"
        "product, zeros = lambda: layers.matmul(z, layers.ones([4, 3], 'float32')), lambda: layers.zeros([2, 3], 'float32')\n"
        "t = layers.cond(yes, lambda: layers.cond(yes, product, zeros), zeros)\n"
        'exe.run(main, feed=dict(good, z=np.ones((2, 5), "float32")), fetch_list=[t])',
        ("< matmul >", "[2, 5]"),
    ),
    "py_func_raises": Misuse(
        "def fail(a):\n    raise TypeError('of the user')\n"
        "t = block.create_var(name='t', dtype='float32', shape=[-1, 4])\nlayers.py_func(fail, x, t)\n"
        "exe.run(main, feed=good, fetch_list=[t])",
        ("of the user",),
    ),
    "py_func_raises_in_a_branch": Misuse(
        "def fail(a):\n    raise ValueError('of the user')\n"
        "def branch():\n"
        "    t = main.current_block().create_var(name='t', dtype='float32', shape=[-1, 4])\n"
        "    layers.py_func(fail, x, t)\n    return t\n"
        "i = layers.fill_constant([1], 'int64', 0)\n"
        "t = layers.cond(layers.less_than(i, i + 1), branch, lambda: layers.zeros([2, 4], 'float32'))\n"
        "exe.run(main, feed=good, fetch_list=[t])",
        ("of the user",),
    ),
    "mul_shapes": Misuse("layers.matmul(x, layers.fill_constant([3, 2], 'float32', 0.0))", ("4", "3")),
    "add_shapes": Misuse("layers.elementwise_add(x, layers.fill_constant([3], 'float32', 0.0))", ("4", "3")),
    "concat_shapes": Misuse(
        "layers.concat([layers.ones([2, 3], 'float32'), layers.ones([3, 4], 'float32')], axis=0)", ("3", "4")
    ),
    "concat_axis": Misuse("layers.concat([x, x], axis=5)", ("axis", "5")),
    "reshape_sizes": Misuse("layers.reshape(layers.ones([2, 3], 'float32'), [4, 2])", ("shape", "[4, 2]", "[2, 3]")),
    "reshape_two_unknown": Misuse("layers.reshape(x, [-1, -1])", ("shape", "-1")),
    "reshape_negative": Misuse("layers.reshape(x, [-2, 4])", ("shape", "-2")),
    "reshape_kept_beyond": Misuse("layers.reshape(x, [0, 0, 0])", ("shape", "0", "2")),
    "reshape_nothing": Misuse("layers.reshape(x, [])", ("shape",)),
    "conv_channels": Misuse(
        "layers.conv2d(fluid.data('image', [None, 3, 8, 8]), 4, 3, groups=2)", ("3", ("groups", "group"), "2")
    ),
    "dropout_probability": Misuse("layers.dropout(x, 1.5)", ("dropout_prob", "1.5")),
    "dtypes_in_an_op": Misuse(
        "z = layers.elementwise_add(x, layers.fill_constant([1], 'int64', 1))\n"
        "exe.run(main, feed=good, fetch_list=[z])",
        ("elementwise_add", ("int64", "int64_t"), ("float32", "float")),
    ),
    "dtypes_in_matmul": Misuse(
        "z = layers.matmul(x, layers.fill_constant([4, 2], 'float64', 1.0))\nexe.run(main, feed=good, fetch_list=[z])",
        ("matmul", ("float64", "double"), ("float32", "float")),
    ),
    "embedding_ids": Misuse(
        "start = fluid.Program()\n"
        "with fluid.program_guard(main, start):\n"
        "    rows = fluid.embedding(layers.fill_constant([2, 1], 'int64', 7), [5, 3])\n"
        "exe.run(start)\n"
        "exe.run(main, feed=good, fetch_list=[rows])",
        ("5", "7"),
    ),
    "embedding_float_ids": Misuse("fluid.embedding(x, [5, 3])", ("input", "int64", "float32")),
    "label_out_of_range": Misuse(
        "exe.run(main, feed=dict(good, y=np.full((2, 1), 3, 'int64')), fetch_list=[loss])", ("3",)
    ),
    "nan": Misuse(
        "fluid.set_flags({'FLAGS_check_nan_inf': True})\n"
        "try:\n    exe.run(main, feed=dict(good, x=np.full((2, 4), np.nan, 'float32')), fetch_list=[loss])\n"
        "finally:\n    fluid.set_flags({'FLAGS_check_nan_inf': False})",
        (("mul", "fc_0.tmp_0"), ("nan", "NaN", "inf", "Inf")),
    ),
    "loss_of_many_elements": Misuse("fluid.optimizer.SGD(0.1).minimize(logits)", ("loss", ("shape", "(-1, 3)"))),
    "loss_of_wrong_type": Misuse("fluid.optimizer.SGD(0.1).minimize(3.0)", ("loss", ("Variable", "Tensor"))),
    "rate_of_wrong_type": Misuse("fluid.optimizer.SGD('fast').minimize(loss)", ("learning rate",)),
    "parameter_of_another_shape": Misuse("layers.fc(x, 5, param_attr='fc_0.w_0')", ("fc_0.w_0", "3", "5")),
    "nothing_to_minimize": Misuse(
        "z = layers.mean(layers.fill_constant([1], 'float32', 1.0))\nfluid.optimizer.SGD(0.1).minimize(z)"
    ),
    "cond_of_many_elements": Misuse(
        "z = layers.cond(layers.less_than(x, x), lambda: x, lambda: x)\nexe.run(main, feed=good, fetch_list=[z])"
    ),
    "cond_of_different_branches": Misuse(
        "layers.cond(layers.less_than(loss, loss), lambda: x, lambda: (x, x))",
        (("true_fn", "true fn"), ("false_fn", "false fn")),
    ),
    "while_loop_variables": Misuse("layers.while_loop(lambda i: i, lambda i: i, [])", ("loop_vars",)),
    "fetch_lod_as_numpy": Misuse(
        "exe.run(main, feed=dict(good, x=fluid.create_lod_tensor(good['x'], [[1, 1]], fluid.CPUPlace())),"
        " fetch_list=[logits])",
        (("LoD", "lod"), "return_numpy"),
    ),
    "sequence_without_lod": Misuse(
        "z = layers.sequence_pool(x, 'sum')\nexe.run(main, feed=good, fetch_list=[z])", (("LoD", "lod"),)
    ),
}

STATIC_CASES = {
    "startup_not_run": Misuse(
        "with static.scope_guard(static.Scope()):\n    exe.run(main, feed=good, fetch_list=[loss])",
        ("fc_0.", "startup"),
    ),
    "argument_unknown": Misuse("static.nn.fc(x, 3, active='relu')", ("active",)),
    "input_of_wrong_type": Misuse("static.nn.fc(good['x'], 3)", ("input", "Variable", "ndarray")),
    "input_of_wrong_dtype": Misuse(
        "z = paddle.nn.functional.softmax_with_cross_entropy(y, y)\nexe.run(main, feed=good, fetch_list=[z])",
        ("int64",),
    ),
    "act_unknown": Misuse("static.nn.fc(x, 3, activation='no_such_activation')", ("no_such_activation",)),
    "data_dtype_unknown": Misuse("static.data('z', [None, 4], 'float31')", ("float31",)),
    "failure_in_a_loop": Misuse(
        "i = paddle.zeros([1], 'int64')\n"
        "t = static.nn.while_loop(lambda i, s: i < i + 1,\n"
        "    lambda i, s: [i + 1, paddle.matmul(x, paddle.ones([paddle.shape(x)[0] + 1, 3]))],\n"
        "    [i, paddle.zeros([2, 3])])\n"
        "exe.run(main, feed=good, fetch_list=[t[1]])",
        (("matmul_v2", "matmul"), "[2, 4]", "[3, 3]"),
    ),
    "failure_in_branches": Misuse(
        "yes = paddle.zeros([1]) < paddle.ones([1])\n"
        "product, zeros = lambda: paddle.matmul(x, paddle.ones([paddle.shape(x)[0] + 1, 3])), lambda: paddle.zeros([2, 3])\n"
        "t = static.nn.cond(yes, lambda: static.nn.cond(yes, product, zeros), zeros)\n"
        "exe.run(main, feed=good, fetch_list=[t])",
        (("matmul_v2", "matmul"), "[2, 4]", "[3, 3]"),
    ),
    "py_func_raises": Misuse(
        "def fail(a):\n    raise TypeError('of the user')\n"
        "t = block.create_var(name='t', dtype='float32', shape=[-1, 4])\nstatic.py_func(fail, x, t)\n"
        "exe.run(main, feed=good, fetch_list=[t])",
        ("of the user",),
    ),
    "mul_shapes": Misuse(
        "z = paddle.matmul(x, paddle.zeros([3, 2]))\nexe.run(main, feed=good, fetch_list=[z])", ("4", "3")
    ),
    "add_shapes": Misuse("x + paddle.zeros([3])", ("4", "3")),
    "concat_shapes": Misuse("paddle.concat([paddle.ones([2, 3]), paddle.ones([3, 4])], axis=0)", ("3", "4")),
    "concat_axis": Misuse("paddle.concat([x, x], axis=5)", ("axis", "5")),
    "reshape_sizes": Misuse("paddle.reshape(paddle.ones([2, 3]), [4, 2])", ("shape", "[4, 2]", "[2, 3]")),
    "conv_channels": Misuse(
        "static.nn.conv2d(static.data('image', [None, 3, 8, 8]), 4, 3, groups=2)", ("3", ("groups", "group"), "2")
    ),
    "dropout_probability": Misuse("paddle.nn.functional.dropout(x, 1.5)", ("p ", "1.5")),
    "transpose_axes": Misuse("paddle.transpose(x, [0, 2])", ("perm", "2")),
    "squeeze_axis": Misuse("paddle.squeeze(x, axis=7)", ("axis", "7")),
    "dtypes_in_an_op": Misuse(
        "z = paddle.concat([x, paddle.ones([2, 4], 'int64')])\nexe.run(main, feed=good, fetch_list=[z])",
        ("concat", "int64", "float32"),
    ),
    "dtypes_in_mv": Misuse(
        "z = paddle.mv(x, paddle.ones([4], 'float64'))\nexe.run(main, feed=good, fetch_list=[z])",
        ("mv", ("float64", "double"), ("float32", "float")),
    ),
    "embedding_ids": Misuse(
        "start = static.Program()\n"
        "with static.program_guard(main, start):\n"
        "    rows = static.nn.embedding(paddle.full([2, 1], 7, 'int64'), [5, 3])\n"
        "exe.run(start)\n"
        "exe.run(main, feed=good, fetch_list=[rows])",
        ("5", "7"),
    ),
    "embedding_float_ids": Misuse("static.nn.embedding(x, [5, 3])", ("input", "int64", "float32")),
    "label_out_of_range": Misuse(
        "exe.run(main, feed=dict(good, y=np.full((2, 1), 3, 'int64')), fetch_list=[loss])", ("3",)
    ),
    "nan": Misuse(
        "paddle.set_flags({'FLAGS_check_nan_inf': True})\n"
        "try:\n    exe.run(main, feed=dict(good, x=np.full((2, 4), np.nan, 'float32')), fetch_list=[loss])\n"
        "finally:\n    paddle.set_flags({'FLAGS_check_nan_inf': False})",
        (("x", "mul", "fc_0.tmp_0"), ("nan", "NaN", "NAN", "inf", "Inf")),
    ),
    "flag_unknown": Misuse("paddle.set_flags({'FLAGS_no_such_flag': 1})", ("FLAGS_no_such_flag",)),
    "loss_of_many_elements": Misuse("paddle.optimizer.SGD(0.1).minimize(logits)", ("loss", ("shape", "(-1, 3)"))),
    "loss_of_wrong_type": Misuse("paddle.optimizer.SGD(0.1).minimize(3.0)", ("loss", ("Variable", "Tensor"))),
    "rate_of_wrong_type": Misuse("paddle.optimizer.SGD('fast').minimize(loss)", ("learning rate", "str")),
    "momentum_without_value": Misuse("paddle.optimizer.Momentum(0.1, momentum=None)", ("momentum",)),
    "beta_out_of_range": Misuse("paddle.optimizer.Adam(0.1, beta1=1.5)", ("beta1", "1")),
    "parameter_of_another_shape": Misuse(
        "static.nn.fc(x, 5, weight_attr=paddle.ParamAttr('fc_0.w_0'))", ("fc_0.w_0", "3", "5")
    ),
    "nothing_to_minimize": Misuse("paddle.optimizer.SGD(0.1).minimize(paddle.mean(paddle.ones([2])))"),
    "cond_of_many_elements": Misuse(
        "z = static.nn.cond(x < x, lambda: x, lambda: x)\nexe.run(main, feed=good, fetch_list=[z])"
    ),
    "cond_of_different_branches": Misuse(
        "static.nn.cond(loss < loss, lambda: x, lambda: (x, x))", (("true_fn", "true fn"), ("false_fn", "false fn"))
    ),
    "while_loop_variables": Misuse("static.nn.while_loop(lambda i: i, lambda i: i, [])", ("loop_vars",)),
    "eager_call_in_static_mode": Misuse("loss.numpy()"),
    "backward_in_static_mode": Misuse("loss.backward()"),
}

CASES = {"1.8.5": {**BOTH, **FLUID_CASES}, "2.6.2": {**BOTH, **STATIC_CASES}}


def persistables(namespace: dict[str, Any]) -> dict[str, np.ndarray]:
    """What the scope of a script holds for its parameters."""
    scope, found = namespace["scope"], {}
    for variable in namespace["main"].list_vars():
        held = scope.find_var(variable.name) if variable.persistable else None
        if held is not None and variable.name not in ("feed", "fetch"):
            found[variable.name] = np.array(held.get_tensor())
    return found


@contextlib.contextmanager
def script(version: str, start: str | None = None) -> Iterator[dict[str, Any]]:
    """A script that has done everything right so far, as the names it holds.

    Args:
        start: what it has done, when that is not its version's prelude.
    """
    if version == "1.8.5":
        import paddle.fluid as frontend
        from paddle.fluid import unique_name

        static = contextlib.nullcontext()
    else:
        import paddle
        from paddle import static as frontend
        from paddle.utils import unique_name

        static = static_mode(paddle)
    with static, unique_name.guard(), frontend.program_guard(frontend.Program(), frontend.Program()):
        names: dict[str, Any] = {"scope": frontend.Scope()}
        with frontend.scope_guard(names["scope"]):
            exec(PRELUDES[version] if start is None else start, names)
            yield names


@contextlib.contextmanager
def static_mode(paddle: Any) -> Iterator[None]:
    """Static mode, put back afterwards."""
    dynamic = paddle.in_dynamic_mode()
    paddle.enable_static()
    try:
        yield
    finally:
        if dynamic:
            paddle.disable_static()


def failure(names: dict[str, Any], code: str) -> BaseException | None:
    """What a piece of code raises, or None."""
    try:
        exec(code, names)
    except Exception as error:
        return error
    return None
