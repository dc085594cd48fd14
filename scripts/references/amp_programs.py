"""Programs that mixed precision rewrote: their operators, the casts between them, and the data types of their variables.

On a CPU Paddle 2.6 finds no operator that computes in low precision; the cases tell it that all do, as a GPU has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

WHEELS = ("1.8.5", "2.6.2")
_KINDS = {0: "bool", 1: "int16", 2: "int32", 3: "int64", 4: "fp16", 5: "fp32", 6: "fp64", 20: "uint8", 22: "bf16"}
_SHOWN = (
    "op_role", "op_namescope", "incr_every_n_steps", "decr_every_n_nan_or_inf", "incr_ratio", "decr_ratio", "stop_update",
    "multi_precision",
)  # fmt: skip
# their slots list what they capture in the order of a C++ set
_UNORDERED = ("conditional_block", "while")


def _kind(value: Any) -> Any:
    return _KINDS.get(int(value), int(value))


def _slots(op: Any, names: Any, get: Any) -> dict[str, list[str]]:
    found = {name: list(get(name)) for name in sorted(names) if get(name)}
    return {k: sorted(v) for k, v in found.items()} if op.type in _UNORDERED else found


def operators(program: Any) -> list[Any]:
    """The operators of all blocks: type, slots, data types they are told, and some attributes."""
    blocks = []
    for block in program.blocks:
        ops = []
        for op in block.ops:
            attrs = {name: _kind(op.attr(name)) for name in ("in_dtype", "out_dtype", "dtype") if op.has_attr(name)}
            attrs.update((name, op.attr(name)) for name in _SHOWN if op.has_attr(name) and op.attr(name))
            if "op_namescope" in attrs:
                # scopes are counted over the whole process
                attrs["op_namescope"] = attrs["op_namescope"].rstrip("/0123456789").rstrip("_")
            ops.append([op.type, _slots(op, op.input_names, op.input), _slots(op, op.output_names, op.output), attrs])
        blocks.append(ops)
    return blocks


def variables(program: Any, tensor: Any) -> dict[str, Any]:
    """The data types of the tensors of all blocks, by name."""
    return {name: _kind(v.dtype) for block in program.blocks for name, v in sorted(block.vars.items()) if v.type == tensor}


# ---- Paddle 2.6
def _mlp(paddle: Any) -> Any:
    x, y = paddle.static.data("x", [None, 8]), paddle.static.data("y", [None, 1], "int64")
    hidden = paddle.nn.functional.softmax(paddle.static.nn.fc(x, 16, activation="relu"))
    return paddle.mean(paddle.nn.functional.cross_entropy(paddle.static.nn.fc(hidden, 4), y))


def _conv(paddle: Any) -> Any:
    x, y = paddle.static.data("x", [None, 3, 8, 8]), paddle.static.data("y", [None, 1], "int64")
    hidden = paddle.static.nn.batch_norm(paddle.static.nn.conv2d(x, 4, 3), act="relu")
    hidden = paddle.static.nn.layer_norm(paddle.nn.functional.max_pool2d(hidden, 2))
    return paddle.mean(paddle.nn.functional.cross_entropy(paddle.static.nn.fc(hidden, 4), y))


def _words(paddle: Any) -> Any:
    x, y = paddle.static.data("x", [None, 5], "int64"), paddle.static.data("y", [None, 1])
    hidden = paddle.mean(paddle.nn.functional.dropout(paddle.static.nn.embedding(x, [20, 8]), 0.5), axis=1)
    out = paddle.static.nn.fc(paddle.concat([hidden, hidden], axis=1), 1)
    return paddle.mean((out - y) * (out - y))


def _momentum(paddle: Any) -> Any:
    return paddle.optimizer.Momentum(0.1, multi_precision=True)


def _adam(paddle: Any) -> Any:
    return paddle.optimizer.Adam(0.1)


def _clipped(paddle: Any) -> Any:
    return paddle.optimizer.AdamW(0.1, grad_clip=paddle.nn.ClipGradByGlobalNorm(1.0))


def _masters(paddle: Any) -> Any:
    return paddle.optimizer.Adam(0.1, multi_precision=True)


def _lamb(paddle: Any) -> Any:
    return paddle.optimizer.Lamb(0.1)


def _decayed(paddle: Any) -> Any:
    return paddle.optimizer.SGD(0.1, weight_decay=paddle.regularizer.L1Decay(0.1))


def _sgd(paddle: Any) -> Any:
    return paddle.optimizer.SGD(0.1)


# name: network, optimizer, whether inside fp16_guard, arguments of decorate
DECORATED: dict[str, tuple[Any, Any, bool, dict[str, Any]]] = {
    "mlp": (_mlp, _sgd, False, {}),
    "fixed": (_mlp, _sgd, False, {"use_dynamic_loss_scaling": False, "init_loss_scaling": 8.0}),
    "unscaled": (_mlp, _sgd, False, {"use_dynamic_loss_scaling": False, "init_loss_scaling": 1.0}),
    "conv": (_conv, _sgd, False, {}),
    "words": (_words, _sgd, False, {}),
    "adam": (_mlp, _adam, False, {}),
    "guarded": (_mlp, _momentum, True, {"use_pure_fp16": True}),
    "unguarded": (_mlp, _momentum, False, {"use_pure_fp16": True}),
    "pure_conv": (_conv, _momentum, False, {"use_pure_fp16": True, "use_fp16_guard": False}),
    "pure_words": (_words, _momentum, False, {"use_pure_fp16": True, "use_fp16_guard": False}),
    "bf16": (_mlp, _sgd, False, {"dtype": "bfloat16"}),
    "old_bf16": (_mlp, _sgd, False, {"use_bf16": True, "use_dynamic_loss_scaling": False}),
    "bf16_o2": (_conv, _adam, False, {"level": "O2", "dtype": "bfloat16"}),
    "o2": (_mlp, _adam, False, {"level": "O2"}),
    "o2_narrow": (_mlp, _adam, False, {"level": "O2", "master_weight": False}),
    "promote": (_conv, _adam, False, {"level": "O2", "use_promote": True}),
    "master_grad": (_mlp, _clipped, False, {"level": "O2", "master_grad": True}),
    "od": (_conv, _sgd, False, {"level": "OD"}),
    "o1_promote": (_conv, _sgd, False, {"use_promote": True}),
    "kept_masters": (_mlp, _masters, False, {"level": "O2", "master_weight": False}),
    "lamb": (_mlp, _lamb, False, {}),
    "clipped": (_conv, _clipped, False, {"level": "O2"}),
    "decayed": (_mlp, _decayed, False, {"level": "O2", "master_grad": True}),
}


def decorated(paddle: Any, name: str) -> dict[str, Any]:
    """A network minimized by a decorated optimizer: operators and variables of both Programs."""
    net, optimizer, guarded, kwargs = DECORATED[name]
    amp = paddle.static.amp
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
        with amp.fp16_guard() if guarded else nullcontext():
            loss = net(paddle)
        wrapped = amp.decorate(optimizer(paddle), **kwargs)
        wrapped.minimize(loss)
    tensor = paddle.base.core.VarDesc.VarType.LOD_TENSOR
    return {
        "main": operators(main),
        "startup": operators(startup),
        "variables": variables(main, tensor),
        "scaled": wrapped.get_scaled_loss().name,
        "factor": wrapped.get_loss_scaling().name,
    }


def _mixed(paddle: Any, x: Any) -> None:
    a, b = paddle.static.nn.fc(x, 8), paddle.nn.functional.softmax(x)
    _ = a + b, b + a, paddle.concat([a, b, x])


def _no_producer(paddle: Any, x: Any) -> None:
    _ = x + paddle.create_parameter([8], "float32"), paddle.nn.functional.relu(x), paddle.scale(x, 2.0)


def _own_types(paddle: Any, x: Any) -> None:
    functional = paddle.nn.functional
    paddle.cast(x + paddle.full([8], 1.0), "float64")
    out = paddle.cast(paddle.static.nn.fc(x, 8), "float32")
    paddle.uniform([2, 8])
    functional.one_hot(paddle.argmax(out, axis=1), 3)
    _ = paddle.zeros_like(out), paddle.topk(out, 2), paddle.cast(x, "int64"), functional.relu(out)


def _branches(paddle: Any, x: Any) -> None:
    a = paddle.static.nn.fc(x, 8)
    out = paddle.static.nn.cond(
        paddle.mean(a) > 0, lambda: paddle.nn.functional.softmax(a) + x, lambda: paddle.static.nn.fc(a, 8)
    )
    paddle.tanh(out)


def _loop(paddle: Any, x: Any) -> None:
    weight = paddle.create_parameter([8, 8], "float32")
    start = paddle.full([1], 0, "int64")
    paddle.static.nn.while_loop(lambda i, h: i < 3, lambda i, h: [i + 1, paddle.matmul(h, weight)], [start, x])


def _plain(paddle: Any, x: Any) -> None:
    a = paddle.static.nn.fc(x, 8, activation="relu")
    paddle.mean(paddle.nn.functional.layer_norm(paddle.nn.functional.softmax(a), 8) * a)


def _shared(paddle: Any, x: Any) -> None:
    a, weight = paddle.static.nn.fc(x, 8), paddle.create_parameter([8], "float32")
    paddle.nn.functional.layer_norm(a, 8, weight=weight, bias=weight)
    rows = paddle.nn.functional.embedding(paddle.argmax(a, axis=1), paddle.create_parameter([9, 8], "float32"))
    _ = rows + a * weight


def _guarded(paddle: Any, x: Any) -> None:
    with paddle.static.amp.fp16_guard():
        a = paddle.static.nn.fc(x, 8)
    _ = paddle.static.nn.fc(a, 8) + a


def _statistics(paddle: Any, x: Any) -> None:
    a = paddle.static.nn.batch_norm(x)
    half = paddle.cast(paddle.split(paddle.add_n([a, paddle.assign(a)]), 2, axis=1)[0], "float16")
    _ = half + half, paddle.cast(half, "float32")


def _unlisted(paddle: Any, x: Any) -> None:
    a = paddle.nn.functional.gelu(paddle.static.nn.fc(x, 8, bias_attr=False))
    b = paddle.tile(paddle.nn.functional.relu(a), [2, 1])
    _ = a + x, paddle.where(a > 0, a, x), paddle.exp(b), paddle.scale(x, 2.0), paddle.gather(b, paddle.argmax(b, axis=1))


_O1 = {"level": "O1", "use_fp16_guard": False}
_O2 = {"level": "O2", "use_fp16_guard": False}
_PROMOTE = {**_O2, "use_promote": True}
# name: what is recorded, arguments of AutoMixedPrecisionLists, arguments of cast_model_to_fp16
CAST: dict[str, tuple[Any, dict[str, Any], dict[str, Any]]] = {
    **{f"{fn.__name__[1:]}/o1": (fn, {}, _O1) for fn in (_mixed, _no_producer, _own_types, _branches, _loop, _shared, _statistics)},
    **{f"{fn.__name__[1:]}/o2": (fn, {}, _O2) for fn in (_mixed, _no_producer, _own_types, _branches, _loop, _shared, _statistics)},
    **{f"{fn.__name__[1:]}/promote": (fn, {}, _PROMOTE) for fn in (_mixed, _shared)},
    **{f"{fn.__name__[1:]}/o1_promote": (fn, {}, {**_O1, "use_promote": True}) for fn in (_mixed, _shared, _branches, _unlisted)},
    **{f"{fn.__name__[1:]}/od": (fn, {"custom_white_list": {"exp"}}, {**_O1, "level": "OD"}) for fn in (_mixed, _branches, _unlisted)},
    "mixed/o0": (_mixed, {}, {**_O1, "level": "O0"}),
    "black": (_plain, {"custom_black_list": {"softmax"}}, _O2),
    "white": (_plain, {"custom_white_list": {"softmax"}}, _O1),
    "named": (_plain, {"custom_black_varnames": {"fc_0.w_0"}}, _O1),
    "named/o2": (_plain, {"custom_black_varnames": {"fc_0.tmp_1"}}, _O2),
    "bf16": (_plain, {"dtype": "bfloat16"}, {**_O1, "dest_type": "bfloat16"}),
    "guard/nothing": (_plain, {}, {}),
    "guard/o2": (_guarded, {}, {}),
    "guard/o1": (_guarded, {}, {"level": "O1"}),
}


def cast(paddle: Any, name: str) -> dict[str, Any]:
    """A Program that was cast: its operators and variables, and what the call returns."""
    record, lists, kwargs = CAST[name]
    amp = paddle.static.amp
    main = paddle.static.Program()
    with paddle.static.program_guard(main, paddle.static.Program()), paddle.utils.unique_name.guard():
        record(paddle, paddle.static.data("x", [None, 8]))
        arguments = {**kwargs, "dest_type": getattr(paddle, kwargs.get("dest_type", "float16"))}
        names = amp.cast_model_to_fp16(main, amp.AutoMixedPrecisionLists(**lists), **arguments)
    tensor = paddle.base.core.VarDesc.VarType.LOD_TENSOR
    return {"main": operators(main), "variables": variables(main, tensor), "names": sorted(names)}


def _wide(paddle: Any) -> Any:
    a = paddle.static.nn.fc(paddle.static.data("x", [4, 8]), 8, activation="relu")
    product = paddle.matmul(a, paddle.nn.functional.softmax(a), transpose_y=True)
    return paddle.mean(paddle.tanh(product + product))


BF16: dict[str, dict[str, Any]] = {
    "usual": {},
    "custom": {
        "custom_bf16_list": {"elementwise_add", "tanh"}, "custom_fp32_list": {"relu"}, "custom_fp32_varnames": {"fc_0.w_0"},
    },
}  # fmt: skip


def bf16_decorated(paddle: Any, name: str) -> dict[str, Any]:
    """A network minimized in bfloat16: operators and variables."""
    main = paddle.static.Program()
    bf16 = paddle.static.amp.bf16
    with paddle.static.program_guard(main, paddle.static.Program()), paddle.utils.unique_name.guard():
        loss = _wide(paddle)
        bf16.decorate_bf16(paddle.optimizer.SGD(0.1), bf16.AutoMixedPrecisionListsBF16(**BF16[name])).minimize(loss)
    return {"main": operators(main), "variables": variables(main, paddle.base.core.VarDesc.VarType.LOD_TENSOR)}


@contextmanager
def everything_supported(paddle: Any) -> Iterator[None]:
    """Inside, no operator counts as one that the device has not in low precision."""
    lists = paddle.static.amp.fp16_lists
    former = lists._get_sys_unsupported_list
    lists._get_sys_unsupported_list = lambda dtype: ("GPU", set(), former(dtype)[2])
    try:
        yield
    finally:
        lists._get_sys_unsupported_list = former


def record_2() -> dict[str, Any]:
    """What the cases give under Paddle 2.6."""
    import paddle

    paddle.enable_static()
    with everything_supported(paddle):
        made = {f"decorated/{name}": decorated(paddle, name) for name in DECORATED}
        made.update((f"cast/{name}", cast(paddle, name)) for name in CAST)
    made["cpu"] = decorated(paddle, "mlp")
    made.update((f"bf16/{name}", bf16_decorated(paddle, name)) for name in BF16)
    return made


# ---- Paddle 1.8
def _fluid_net(fluid: Any, kind: str) -> Any:
    layers = fluid.layers
    y = fluid.data("y", [None, 1], "int64")
    if kind == "mlp":
        out = layers.fc(layers.softmax(layers.fc(fluid.data("x", [None, 8]), 16, act="relu")), 4)
    elif kind == "conv":
        hidden = layers.batch_norm(layers.conv2d(fluid.data("x", [None, 3, 8, 8]), 4, 3), act="relu")
        out = layers.fc(layers.layer_norm(layers.pool2d(hidden, 2)), 4)
    else:
        x = fluid.data("x", [None, 8])
        wide = layers.cast(layers.fc(x, 4), "float32")
        ones = layers.fill_constant([4], "float32", 1.0)
        total = layers.elementwise_add(wide, ones)
        layers.cast(total, "float64")
        layers.relu(x)
        layers.elementwise_add(ones, ones)
        out = layers.elementwise_add(layers.cast(layers.softmax(wide), "float32"), layers.relu(total))
    return layers.mean(layers.softmax_with_cross_entropy(out, y))


# name: network, optimizer, arguments of AutoMixedPrecisionLists, arguments of decorate
FLUID: dict[str, tuple[str, Callable[[Any], Any], dict[str, Any], dict[str, Any]]] = {
    "mlp": ("mlp", lambda fluid: fluid.optimizer.SGD(0.1), {}, {}),
    "fixed": ("mlp", lambda fluid: fluid.optimizer.SGD(0.1), {}, {"use_dynamic_loss_scaling": False, "init_loss_scaling": 8.0}),
    "adam": ("conv", lambda fluid: fluid.optimizer.Adam(0.1), {}, {}),
    "named": (
        "conv",
        lambda fluid: fluid.optimizer.Momentum(0.1, 0.9, regularization=fluid.regularizer.L2Decay(0.1)),
        {"custom_black_varnames": {"conv2d_0.w_0"}},
        {"use_dynamic_loss_scaling": False},
    ),
    "white": ("conv", lambda fluid: fluid.optimizer.SGD(0.1), {"custom_white_list": {"layer_norm", "cast"}}, {}),
    "casts": ("casts", lambda fluid: fluid.optimizer.SGD(0.1), {}, {"use_dynamic_loss_scaling": False}),
}


def fluid_decorated(fluid: Any, name: str) -> dict[str, Any]:
    """A network minimized by a decorated optimizer of Paddle 1.8: operators and variables of both Programs."""
    kind, optimizer, lists, kwargs = FLUID[name]
    mixed = fluid.contrib.mixed_precision
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        loss = _fluid_net(fluid, kind)
        wrapped = mixed.decorate(optimizer(fluid), amp_lists=mixed.AutoMixedPrecisionLists(**lists), **kwargs)
        wrapped.minimize(loss)
    tensor = fluid.core.VarDesc.VarType.LOD_TENSOR
    return {"main": operators(main), "startup": operators(startup), "variables": variables(main, tensor)}


def record_1() -> dict[str, Any]:
    """What the cases give under Paddle 1.8."""
    import paddle.fluid as fluid
    import paddle.fluid.contrib.mixed_precision  # noqa: F401

    return {name: fluid_decorated(fluid, name) for name in FLUID}


def recordings(version: str) -> dict[str, Any]:
    """The files recorded from a wheel."""
    return {"amp_programs_1.json.gz": record_1} if version == "1.8.5" else {"amp_programs_2.json.gz": record_2}
