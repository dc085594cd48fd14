"""Odd and wrong calls of `Executor.run`: what is returned or raised, and what is left in the scope.

Each case is a piece of code that runs after the prelude of its version in `misuse`; `got` is what it received.
"""

from __future__ import annotations

from typing import Any

import misuse
import numpy as np

_STEP = "got = exe.run(main, feed={feed}, fetch_list=[loss])"
_FETCH = "got = exe.run(main, feed=good, fetch_list={fetch})"

_FEEDS = {
    "a_list_of_one_dict": "[good]",
    "a_tuple_of_one_dict": "(good,)",
    "a_list_of_two_dicts": "[good, good]",
    "an_empty_list": "[]",
    "a_list_of_arrays": "[good['x'], good['y']]",
    "none": "None",
    "an_empty_dict": "{}",
    "a_string": "'good'",
    "a_key_that_is_no_string": "{**good, 3: good['x']}",
    "a_key_that_is_a_variable": "{x: good['x'], y: good['y']}",
    "one_dimension_less": "dict(good, x=np.ones(4, 'float32'))",
    "one_dimension_less_of_the_label": "dict(good, y=np.zeros(2, 'int64'))",
    "a_number_for_rows": "dict(good, x=1.0)",
    "an_array_without_dimensions": "dict(good, x=np.array(1.0, 'float32'))",
    "a_numpy_number": "dict(good, x=np.float32(1.0))",
    "no_rows": "dict(x=np.ones((0, 4), 'float32'), y=np.zeros((0, 1), 'int64'))",
    "more_rows_than_labels": "dict(good, x=np.ones((3, 4), 'float32'))",
    "float16": "dict(good, x=np.ones((2, 4), 'float16'))",
    "int64_for_floats": "dict(good, x=np.ones((2, 4), 'int64'))",
    "bool_for_floats": "dict(good, x=np.ones((2, 4), 'bool'))",
    "complex_for_floats": "dict(good, x=np.ones((2, 4), 'complex64'))",
    "int32_for_int64": "dict(good, y=np.zeros((2, 1), 'int32'))",
    "uint8_for_int64": "dict(good, y=np.zeros((2, 1), 'uint8'))",
    "uint32_for_int64": "dict(good, y=np.zeros((2, 1), 'uint32'))",
    "objects": "dict(good, x=np.array([[None] * 4] * 2))",
    "numbers_as_objects": "dict(good, x=np.ones((2, 4)).astype(object))",
    "strings": "dict(good, x=np.array([['a'] * 4] * 2))",
    "a_string_as_value": "dict(good, x='abc')",
    "bytes": "dict(good, x=b'abc')",
    "none_as_value": "dict(good, x=None)",
    "a_dict_as_value": "dict(good, x={'a': 1})",
    "a_variable_as_value": "dict(good, x=x)",
    "a_set": "dict(good, x={1.0, 2.0})",
    "a_range": "dict(good, y=range(2))",
    "a_list_of_arrays_as_value": "dict(good, x=[np.ones(4, 'float32')] * 2)",
    "a_list_of_whole_numbers": "dict(good, x=[[1, 1, 1, 1], [1, 1, 1, 1]])",
    "a_list_of_numbers_for_labels": "dict(good, y=[[0.5], [1.5]])",
    "a_ragged_list": "dict(good, x=[[1.0], [1.0, 2.0]])",
    "a_list_of_another_shape": "dict(good, x=[[1.0, 2.0]])",
    "a_list_of_strings": "dict(good, x=[['a'] * 4] * 2)",
    "a_tuple": "dict(good, x=((1.0,) * 4,) * 2)",
    "columns_first": "dict(good, x=np.asfortranarray(np.arange(8, dtype='float32').reshape(2, 4)))",
    "a_slice_with_steps": "dict(good, x=np.arange(16, dtype='float32').reshape(2, 8)[:, ::2])",
    "rows_backwards": "dict(good, x=np.arange(8, dtype='float32').reshape(2, 4)[::-1])",
    "a_read_only_array": "dict(good, x=np.broadcast_to(np.float32(1), (2, 4)))",
    "another_byte_order": "dict(good, x=np.ones((2, 4), '>f4'))",
    "a_matrix": "dict(good, x=np.matrix(np.ones((2, 4), 'float32')))",
    "a_masked_array": "dict(good, x=np.ma.masked_array(np.ones((2, 4), 'float32')))",
    "infinite_numbers": "dict(good, x=np.full((2, 4), np.inf, 'float32'))",
    "a_parameter_too": "dict(good, **{'fc_0.w_0': np.ones((4, 3), 'float32')})",
    "a_parameter_of_another_shape_too": "dict(good, **{'fc_0.w_0': np.ones((5, 3), 'float32')})",
    "a_hidden_layer_too": "dict(good, **{logits.name: np.ones((2, 3), 'float32')})",
    "the_loss_too": "dict(good, **{loss.name: np.array([7.0], 'float32')})",
    "a_name_without_a_variable": "dict(good, nowhere=object())",
    "a_label_below_zero": "dict(good, y=np.full((2, 1), -1, 'int64'))",
}

_FETCHES = {
    "nothing": "[]",
    "none": "None",
    "a_variable_alone": "loss",
    "a_name_alone": "loss.name",
    "a_tuple": "(loss, logits)",
    "a_set": "{loss.name}",
    "a_dict": "{loss.name: loss}",
    "a_number_alone": "3",
    "none_in_a_list": "[None]",
    "a_list_in_a_list": "[[loss]]",
    "a_tuple_in_a_list": "[(loss, logits)]",
    "the_same_twice": "[loss, loss]",
    "name_and_variable": "[loss.name, loss]",
    "an_empty_name": "['']",
    "bytes": "[loss.name.encode()]",
    "a_fed_variable": "[x]",
    "a_parameter": "['fc_0.w_0']",
    "a_gradient": "['fc_0.w_0@GRAD']",
    "a_gradient_that_is_not_there": "['x@GRAD']",
    "a_parameter_as_object": "[main.all_parameters()[0]]",
    "an_operator": "[main.global_block().ops[0]]",
    "a_block": "[block]",
    "the_program": "[main]",
    "an_array": "[good['x']]",
    "a_class": "[np.ndarray]",
}

_BOTH = {
    **{"feed_" + name: _STEP.format(feed=feed) for name, feed in _FEEDS.items()},
    **{"fetch_" + name: _FETCH.format(fetch=fetch) for name, fetch in _FETCHES.items()},
    "data_that_is_not_fed": "got = exe.run(main, feed={'y': good['y']}, fetch_list=[x])",
    "fetch_data_of_nobody": (
        "z = S.data('z', [None, 3], 'float32')\ngot = exe.run(main, feed=good, fetch_list=[z, loss])"
    ),
    "fetch_data_of_nobody_as_tensor": (
        "z = S.data('z', [None, 3], 'float32')\n"
        "got = [np.array(v).size for v in exe.run(main, feed=good, fetch_list=[z], return_numpy=False)]"
    ),
    "feed_data_of_nobody": (
        "z = S.data('z', [None, 3], 'float32')\n"
        "got = exe.run(main, feed=dict(good, z=np.ones((2, 3), 'float32')), fetch_list=[z])"
    ),
    "feed_data_of_nobody_in_another_shape": (
        "z = S.data('z', [None, 3], 'float32')\n"
        "got = exe.run(main, feed=dict(good, z=np.ones((2, 5), 'float32')), fetch_list=[loss])"
    ),
    "fetch_a_variable_that_nobody_writes": (
        "z = block.create_var(name='z', shape=[2], dtype='float32')\ngot = exe.run(main, feed=good, fetch_list=[z])"
    ),
    "fetch_a_parameter_that_nobody_made": (
        "z = block.create_parameter(name='z', shape=[2], dtype='float32')\ngot = exe.run(main, feed=good, fetch_list=[z])"
    ),
    "fetch_of_another_program": (
        "with S.program_guard(S.Program(), S.Program()):\n    z = S.data('z', [None, 3], 'float32')\n"
        "got = exe.run(main, feed=good, fetch_list=[z])"
    ),
    "fetch_of_another_program_by_the_same_name": (
        "with S.program_guard(S.Program(), S.Program()):\n    z = S.data('x', [None, 4], 'float32')\n"
        "got = exe.run(main, feed=good, fetch_list=[z])"
    ),
    "program_none": "got = exe.run(None, feed=good, fetch_list=[loss])",
    "program_left_out": "got = exe.run(feed=good, fetch_list=[loss])",
    "program_a_string": "exe.run('main', feed=good, fetch_list=[loss])",
    "program_a_number": "exe.run(3, feed=good, fetch_list=[loss])",
    "program_a_variable": "exe.run(loss, feed=good, fetch_list=[loss])",
    "program_a_block": "exe.run(block, feed=good, fetch_list=[loss])",
    "program_the_class": "exe.run(S.Program, feed=good, fetch_list=[loss])",
    "program_empty": "got = exe.run(S.Program())",
    "program_empty_and_a_feed": "got = exe.run(S.Program(), feed=good)",
    "program_empty_and_a_fetch": "got = exe.run(S.Program(), fetch_list=[loss])",
    "closed": "exe.close()\nexe.run(main, feed=good, fetch_list=[loss])",
    "closed_twice": "exe.close()\nexe.close()",
    "place_a_number": "S.Executor(3)",
    "place_a_string": "S.Executor('nowhere').run(main, feed=good, fetch_list=[loss])",
    "place_a_list": "S.Executor([P.CPUPlace()]).run(main, feed=good, fetch_list=[loss])",
    "place_the_class": "S.Executor(P.CPUPlace).run(main, feed=good, fetch_list=[loss])",
    "place_none": "got = S.Executor().run(main, feed=good, fetch_list=[loss])",
    "scope_none": "got = exe.run(main, feed=good, fetch_list=[loss], scope=None)",
    "scope_given": "got = exe.run(main, feed=good, fetch_list=[loss], scope=scope)",
    "scope_a_dict": "exe.run(main, feed=good, fetch_list=[loss], scope={})",
    "scope_another": "exe.run(main, feed=good, fetch_list=[loss], scope=S.Scope())",
    "argument_unknown": "exe.run(main, feed=good, fetch_list=[loss], nothing=1)",
    "argument_by_place": "got = exe.run(main, good, [loss])",
    "return_numpy_none": "got = [np.array(v) for v in exe.run(main, feed=good, fetch_list=[loss], return_numpy=None)]",
    "return_numpy_false": "got = [np.array(v) for v in exe.run(main, feed=good, fetch_list=[loss], return_numpy=False)]",
    "cache_with_another_batch": (
        "exe.run(main, feed=good, fetch_list=[loss], use_program_cache=True)\n"
        "more = dict(x=np.ones((3, 4), 'float32'), y=np.ones((3, 1), 'int64'))\n"
        "got = exe.run(main, feed=more, fetch_list=[loss], use_program_cache=True)"
    ),
    "cache_with_a_wrong_shape": (
        "exe.run(main, feed=good, fetch_list=[loss], use_program_cache=True)\n"
        "exe.run(main, feed=dict(good, x=np.ones((2, 5), 'float32')), fetch_list=[loss], use_program_cache=True)"
    ),
    "cache_with_less_fed": (
        "exe.run(main, feed=good, fetch_list=[loss], use_program_cache=True)\n"
        "exe.run(main, feed={'x': good['x']}, fetch_list=[loss], use_program_cache=True)"
    ),
    "cache_with_another_fetch": (
        "exe.run(main, feed=good, fetch_list=[loss], use_program_cache=True)\n"
        "got = exe.run(main, feed=good, fetch_list=[logits], use_program_cache=True)"
    ),
    "cache_and_an_edited_program": (
        "exe.run(main, feed=good, fetch_list=[loss], use_program_cache=True)\n"
        "z = layers.scale(loss, 2.0)\n"
        "got = exe.run(main, feed=good, fetch_list=[z], use_program_cache=True)"
    ),
    "startup_twice": (
        "exe.run(main, feed=good)\nexe.run(S.default_startup_program())\n"
        "got = [float(np.abs(np.array(scope.find_var(v.name).get_tensor())).sum()) for v in main.list_vars()\n"
        "       if v.persistable and 'velocity' in v.name]"
    ),
    "startup_with_a_feed": "got = exe.run(S.default_startup_program(), feed=good)",
    "startup_and_a_fetch": "got = [v.shape for v in exe.run(S.default_startup_program(), fetch_list=['fc_0.w_0'])]",
    "failure_after_the_updates": (
        "z = layers.matmul(main.all_parameters()[0], layers.fill_constant([7, 2], 'float32', 1.0)[u:])\n"
        "exe.run(main, feed=good, fetch_list=[z])"
    ),
}

def _watched(code: str) -> str:
    """Code that runs while every value is checked."""
    body = code.replace("\n", "\n    ")
    return f"P.set_flags({{'FLAGS_check_nan_inf': True}})\ntry:\n    {body}\nfinally:\n    P.set_flags({{'FLAGS_check_nan_inf': False}})"


_BOTH.update(
    nan_nowhere=_watched("got = exe.run(main, feed=good, fetch_list=[loss])"),
    nan_fed=_watched("exe.run(main, feed=dict(good, x=np.full((2, 4), np.nan, 'float32')), fetch_list=[loss])"),
    inf_fed=_watched("exe.run(main, feed=dict(good, x=np.full((2, 4), np.inf, 'float32')), fetch_list=[loss])"),
    nan_in_the_forward_pass=_watched("z = layers.log(x - 2.0)\nexe.run(main, feed=good, fetch_list=[z])"),
    nan_in_a_parameter=_watched(
        "scope.find_var('fc_0.b_0').get_tensor().set(np.full(3, np.nan, 'float32'), P.CPUPlace())\n"
        "exe.run(main, feed=good, fetch_list=[loss])"
    ),
    nan_in_a_state=_watched(
        "name = [v.name for v in main.list_vars() if 'velocity' in v.name][0]\n"
        "scope.find_var(name).get_tensor().set(np.full_like(np.array(scope.find_var(name).get_tensor()), np.inf), P.CPUPlace())\n"
        "exe.run(main, feed=good, fetch_list=[loss])"
    ),
)  # fmt: skip

_BEFORE = {
    "1.8.5": "S = P = fluid\nu = 0\nP_LoD = fluid.LoDTensor\n",
    "2.6.2": (
        "S, P, layers, P_LoD = static, paddle, paddle, paddle.base.LoDTensor\nu = 0\n"
        "layers.fill_constant = lambda shape, dtype, value: paddle.full(shape, value, dtype)\n"
    ),
}
_SQRT = {
    "1.8.5": (
        "w = layers.create_parameter([2], 'float32', default_initializer=fluid.initializer.Constant(0.0))\n"
        "cost = layers.reduce_sum(layers.sqrt(w))\nfluid.optimizer.SGD(0.1).minimize(cost)\nexe.run(fluid.default_startup_program())\n"
    ),
    "2.6.2": (
        "w = paddle.create_parameter([2], 'float32', default_initializer=paddle.nn.initializer.Constant(0.0))\n"
        "cost = paddle.sum(paddle.sqrt(w))\npaddle.optimizer.SGD(0.1).minimize(cost)\nexe.run(static.default_startup_program())\n"
    ),
}
_OWN = {
    "1.8.5": {
        "nan_in_a_loop": _watched(
            "i = layers.fill_constant([1], 'int64', 0)\n"
            "t = layers.while_loop(lambda i, s: layers.less_than(i, layers.fill_constant([1], 'int64', 3)),\n"
            "    lambda i, s: [i + 1, layers.log(s - 2.0)], [i, layers.ones([2, 3], 'float32')])\n"
            "exe.run(main, feed=good, fetch_list=[t[1]])"
        ),
        "nan_in_a_branch": _watched(
            "i = layers.fill_constant([1], 'int64', 0)\n"
            "t = layers.cond(layers.less_than(i, i + 1), lambda: layers.log(x - 2.0), lambda: x)\n"
            "exe.run(main, feed=good, fetch_list=[t])"
        ),
        "fetch_from_a_loop": (
            "kept = []\ni = layers.fill_constant([1], 'int64', 0)\n"
            "def body(i, s):\n    kept.append(s * 2.0)\n    return [i + 1, kept[0]]\n"
            "t = layers.while_loop(lambda i, s: layers.less_than(i, layers.fill_constant([1], 'int64', 3)), body,\n"
            "    [i, layers.ones([2, 3], 'float32')])\n"
            "exe.run(main, feed=good, fetch_list=[kept[0]])"
        ),
    },
    "2.6.2": {
        "nan_in_a_loop": _watched(
            "t = static.nn.while_loop(lambda i, s: i < 3, lambda i, s: [i + 1, paddle.log(s - 2.0)],\n"
            "    [paddle.zeros([1], 'int64'), paddle.ones([2, 3])])\n"
            "exe.run(main, feed=good, fetch_list=[t[1]])"
        ),
        "nan_in_a_branch": _watched(
            "t = static.nn.cond(paddle.zeros([1]) < 1, lambda: paddle.log(x - 2.0), lambda: x)\n"
            "exe.run(main, feed=good, fetch_list=[t])"
        ),
        "fetch_from_a_loop": (
            "kept = []\n"
            "def body(i, s):\n    kept.append(s * 2.0)\n    return [i + 1, kept[0]]\n"
            "t = static.nn.while_loop(lambda i, s: i < 3, body, [paddle.zeros([1], 'int64'), paddle.ones([2, 3])])\n"
            "exe.run(main, feed=good, fetch_list=[kept[0]])"
        ),
        "scheduler_and_a_failure": (
            "rate = paddle.optimizer.lr.StepDecay(0.5, 1)\n"
            "cost = paddle.mean(static.nn.fc(x, 2))\npaddle.optimizer.SGD(rate).minimize(cost)\n"
            "exe.run(static.default_startup_program())\nexe.run(main, feed=good)\nrate.step()\n"
            "exe.run(main, feed=dict(good, x=np.ones((2, 5), 'float32')), fetch_list=[cost])"
        ),
        "prune_and_nothing_to_fetch": "got = exe.run(main, feed=good, use_prune=True)",
        "prune_and_a_missing_feed": "got = exe.run(main.clone(for_test=True), feed={'x': good['x']}, fetch_list=[logits], use_prune=True)",
    },
}
_BOTH["nan_in_the_backward_pass"] = "{sqrt}" + _watched("exe.run(main, feed=good, fetch_list=[cost])")
_BOTH["inf_in_an_update"] = (
    "scope.find_var('fc_0.w_0').get_tensor().set(np.full((4, 3), 3e38, 'float32'), P.CPUPlace())\n"
    + _watched("exe.run(main, feed=dict(good, x=np.full((2, 4), 1e-3, 'float32')), fetch_list=[loss])")
)

_BOTH["fetch_from_the_scope_alone"] = (
    "scope.var('elsewhere').get_tensor().set(np.ones(2, 'float32'), P.CPUPlace())\n"
    "got = exe.run(main, feed=good, fetch_list=['elsewhere'])"
)
_BOTH["lod_beyond_the_rows"] = (
    "t = P_LoD()\nt.set(good['x'], P.CPUPlace())\nt.set_lod([[0, 1, 5]])\n"
    "got = exe.run(main, feed=dict(good, x=t), fetch_list=[loss])"
)
_BOTH["lod_backwards"] = (
    "t = P_LoD()\nt.set(good['x'], P.CPUPlace())\nt.set_lod([[0, 2, 1]])\n"
    "got = exe.run(main, feed=dict(good, x=t), fetch_list=[loss])"
)
_BOTH["lod_lengths_beyond_the_rows"] = (
    "t = P_LoD()\nt.set(good['x'], P.CPUPlace())\nt.set_recursive_sequence_lengths([[1, 4]])\n"
    "got = exe.run(main, feed=dict(good, x=t), fetch_list=[loss])"
)
_BOTH["lod_tensor_of_float64"] = (
    "t = P_LoD()\nt.set(np.ones((2, 4)), P.CPUPlace())\n"
    "got = exe.run(main, feed=dict(good, x=t), fetch_list=[loss])"
)
_BOTH["lod_tensor_of_another_shape"] = (
    "t = P_LoD()\nt.set(np.ones((2, 5), 'float32'), P.CPUPlace())\n"
    "got = exe.run(main, feed=dict(good, x=t), fetch_list=[loss])"
)
_BOTH["lod_tensor_without_data"] = "got = exe.run(main, feed=dict(good, x=P_LoD()), fetch_list=[loss])"

# Optimizers on the rows of a table and on float64: numbers, or the refusal of a kernel that takes neither.
_OPTIMIZERS = {
    "1.8.5": {
        "sgd": "SGD(0.1)", "momentum": "Momentum(0.1, 0.9)", "lars": "LarsMomentum(0.1, 0.9)", "adagrad": "Adagrad(0.1)",
        "adam": "Adam(0.1)", "lazy_adam": "Adam(0.1, lazy_mode=True)", "adamax": "Adamax(0.1)", "decayed": "DecayedAdagrad(0.1)",
        "adadelta": "Adadelta(0.1)", "rmsprop": "RMSProp(0.1)", "ftrl": "Ftrl(0.1)", "lamb": "LambOptimizer(0.1)",
        "dpsgd": "Dpsgd(0.1, clip=10.0, batch_size=16.0, sigma=0.0)",
        "clip_by_value": "SGD(0.1, grad_clip=fluid.clip.GradientClipByValue(0.01))",
        "clip_by_norm": "SGD(0.1, grad_clip=fluid.clip.GradientClipByNorm(0.1))",
        "clip_by_global_norm": "SGD(0.1, grad_clip=fluid.clip.GradientClipByGlobalNorm(0.1))",
    },
    "2.6.2": {
        "sgd": "SGD(0.1)", "momentum": "Momentum(0.1, 0.9)", "adagrad": "Adagrad(0.1)", "adam": "Adam(0.1)",
        "lazy_adam": "Adam(0.1, lazy_mode=True)", "adamw": "AdamW(0.1)", "adamax": "Adamax(0.1)", "adadelta": "Adadelta(0.1)",
        "rmsprop": "RMSProp(0.1)", "lamb": "Lamb(0.1)",
        "clip_by_value": "SGD(0.1, grad_clip=paddle.nn.ClipGradByValue(0.01))",
        "clip_by_norm": "SGD(0.1, grad_clip=paddle.nn.ClipGradByNorm(0.1))",
        "clip_by_global_norm": "SGD(0.1, grad_clip=paddle.nn.ClipGradByGlobalNorm(0.1))",
    },
}  # fmt: skip
_LOOKED_UP = {
    "1.8.5": (
        "attr = fluid.ParamAttr('table', initializer=fluid.initializer.Constant(0.3))\n"
        "rows = fluid.embedding(layers.reshape(y, [-1, 1]), [5, 3], is_sparse=SPARSE, param_attr=attr, dtype='DTYPE')\n"
        "cost = layers.reduce_mean(layers.square(rows + 1.0))\nfluid.optimizer.OPTIMIZER.minimize(cost)"
    ),
    "2.6.2": (
        "attr = paddle.ParamAttr('table', initializer=paddle.nn.initializer.Constant(0.3))\n"
        "rows = static.nn.embedding(y, [5, 3], is_sparse=SPARSE, param_attr=attr, dtype='DTYPE')\n"
        "cost = paddle.mean(paddle.square(rows + 1.0))\npaddle.optimizer.OPTIMIZER.minimize(cost)"
    ),
}
for _version, _calls in _OPTIMIZERS.items():
    for _name, _call in _calls.items():
        for _kind, _sparse, _dtype in (
            ("sparse", "True", "float32"), ("float64", "False", "float64"), ("sparse_float64", "True", "float64"),
        ):  # fmt: skip
            _net = _LOOKED_UP[_version].replace("OPTIMIZER", _call).replace("SPARSE", _sparse).replace("DTYPE", _dtype)
            _OWN[_version][f"{_kind}_{_name}"] = (
                "start = S.Program()\nwith S.program_guard(main, start):\n    " + _net.replace("\n", "\n    ") + "\nexe.run(start)\n"
                "got = [exe.run(main, feed=good, fetch_list=[cost])[0].item() for _ in range(3)]"
            )

# Tensors without elements, and operands of two data types.
_EMPTY = "z = S.data('z', [None, 3], 'float32')\ngot = exe.run(main, feed=dict(good, z=np.ones((0, 3), 'float32')), fetch_list=[{code}])"
for _name in ("sum", "mean", "max", "min", "prod"):
    for _axis in ("None", "0", "1"):
        _OWN["1.8.5"][f"empty_{_name}_{_axis}"] = _EMPTY.format(code=f"layers.reduce_{_name}(z, dim={_axis})")
        if _name in ("max", "min") and _axis != "1":  # 2.6.2 refuses the others too, but 3.3.1 takes them (rows_paddle3_names.py)
            _OWN["2.6.2"][f"empty_{_name}_{_axis}"] = _EMPTY.format(code=f"paddle.{_name}(z, axis={_axis})")
for _version, _functions in (("1.8.5", "layers"), ("2.6.2", "paddle.nn.functional")):
    _OWN[_version]["empty_relu"] = _EMPTY.format(code=f"{_functions}.relu(z)")
    _OWN[_version]["empty_softmax"] = _EMPTY.format(code=f"{_functions}.softmax(z)")
    _OWN[_version]["empty_and_one"] = _EMPTY.format(code="layers.concat([z, layers.fill_constant([1, 3], 'float32', 1.0)], axis=0)")
    _OWN[_version]["empty_sum_of_two"] = _EMPTY.format(code="z + z")
_MIXED = "a, b = paddle.full([2], 1, '{}'), paddle.full([2], 1, '{}')\ngot = exe.run(main, feed=good, fetch_list=[{}])"
for _name in ("add", "subtract", "multiply", "maximum", "pow", "logical_and", "bitwise_or", "less_than", "atan2"):
    for _one, _other in (("bool", "bool"), ("bool", "int64"), ("int32", "int64"), ("float32", "float64"), ("float32", "int64")):
        _OWN["2.6.2"][f"{_name}_of_{_one}_and_{_other}"] = _MIXED.format(_one, _other, f"paddle.{_name}(a, b)")
_OWN["2.6.2"]["bits_of_two_types"] = _MIXED.format("int32", "int64", "a & b")
_OWN["2.6.2"]["bool_plus_number"] = _MIXED.format("bool", "int64", "a + b")
_OWN["1.8.5"]["bool_plus_bool"] = (
    "a, b = layers.fill_constant([2], 'bool', 1), block.create_var(dtype='bool')\n"
    "block.append_op(type='elementwise_add', inputs={'X': [a], 'Y': [a]}, outputs={'Out': [b]})\n"
    "exe.run(main, feed=good, fetch_list=[b])"
)
_OWN["1.8.5"]["checkpoint_of_no_name"] = (
    "rate = fluid.optimizer.RecomputeOptimizer(fluid.optimizer.SGD(0.1))\nrate._set_checkpoints(['nope'])\n"
    "rate.minimize(layers.mean(layers.fc(x, 2)))"
)
_OWN["2.6.2"]["checkpoint_of_no_name"] = "static.append_backward(paddle.mean(static.nn.fc(x, 2)), checkpoints=['nope'])"

# Where ours does otherwise, with the reason.
_COMPUTED = "2.6 refuses it, 3.3 computes it, and so does ours: see tests/tensor/rows_accepted.py"
KNOWN = {
    "1.8.5": {
        "fetch_a_tuple_in_a_list": "1.8 takes any tuple for what `minimize` returns, and cuts the loss into rows; ours fetches both",
        "bool_plus_bool": "the operator is that of 3.3, which takes truth values",
    },
    "2.6.2": dict.fromkeys(
        (
            "add_of_bool_and_bool",
            *(
                f"{name}_of_float32_and_float64"
                for name in ("add", "subtract", "multiply", "maximum", "pow", "logical_and", "less_than", "atan2")
            ),
        ),
        _COMPUTED,
    ),
}

CASES = {
    version: {
        name: _BEFORE[version] + code.replace("{sqrt}", _SQRT[version]) for name, code in {**_BOTH, **_OWN[version]}.items()
    }
    for version in ("1.8.5", "2.6.2")
}


def _start(names: dict[str, Any]) -> None:
    """Give every persistable variable the same numbers in every Paddle."""
    for number, (name, value) in enumerate(sorted(misuse.persistables(names).items())):
        fresh = np.sin(np.arange(value.size) + number).reshape(value.shape).astype(value.dtype)
        names["scope"].find_var(name).get_tensor().set(fresh, names["exe"].place)


def _plain(value: Any) -> Any:
    """A received value as JSON holds it."""
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, np.ndarray):
        return {"dtype": str(value.dtype), "shape": list(value.shape), "values": value.tolist()}
    return value


def outcome(version: str, code: str) -> tuple[BaseException | None, Any, list[str]]:
    """What a case raises, what it receives, and which persistable variables it changes."""
    with misuse.script(version) as names:
        _start(names)
        before = misuse.persistables(names)
        error = misuse.failure(names, code)
        after = misuse.persistables(names)
    changed = [n for n in before if n not in after or not np.array_equal(after[n], before[n], equal_nan=True)]
    return error, _plain(names.get("got")), changed
