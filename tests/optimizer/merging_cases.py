"""Operators, Programs and runs of optimizers that merge or compress gradients, written once for the wheels and for ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    Case = dict[str, Any]


def dgc_cases(base: Any) -> list[Case]:
    """What `dgc_momentum` and `dgc_clip_by_norm` do under `paddle.fluid` or `paddle.base`."""
    cases: list[Case] = []
    attrs: Case
    for begin in (0.0, 2.0, 3.0):
        for nesterov in (False, True):
            inputs = {"Param": [1.0, 2.0, 3.0], "Grad": [0.4, 0.8, -0.2], "Velocity": [0.1] * 3, "LearningRate": [0.5]}
            inputs.update(current_step=[2.0], nranks=[4.0])
            attrs = {"mu": 0.9, "use_nesterov": nesterov, "rampup_begin_step": begin}
            out = {"ParamOut": "Param", "VelocityOut": "Velocity", "Grad_out": "Grad"}
            cases.append({"type": "dgc_momentum", "inputs": inputs, "outputs": out, "attrs": attrs})
    for begin in (0.0, 2.0):  # where it does not clip, the wheels leave `Out` alone
        attrs = {"max_norm": 1.0, "rampup_begin_step": begin}
        inputs = {"X": [3.0, 4.0], "current_step": [2.0]}
        cases.append({"type": "dgc_clip_by_norm", "inputs": inputs, "outputs": {"Out": "clipped"}, "attrs": attrs})
    for case in cases:
        program = base.Program()
        with base.program_guard(program, base.Program()):
            block = program.global_block()
            made = {slot: block.create_var(name=slot, shape=[len(v)], dtype="float32") for slot, v in case["inputs"].items()}
            names = {name: made.get(name) or block.create_var(name=name) for name in case["outputs"].values()}
            block.append_op(
                type=case["type"],
                inputs={slot: [var] for slot, var in made.items()},
                outputs={slot: [names[name]] for slot, name in case["outputs"].items()},
                attrs=dict(case["attrs"]),  # which the wheel adds to
            )
        feed = {slot: np.array(v, "float32") for slot, v in case["inputs"].items()}
        found = base.Executor(base.CPUPlace()).run(program, feed=feed, fetch_list=list(case["outputs"].values()))
        case["found"] = dict(zip(case["outputs"], found))
    return cases


NUMBERS = ("scale", "value", "step", "bias_after_scale", "mu", "max_norm", "rampup_begin_step")


def described(program: Any) -> list[list[Any]]:
    """Block, type, inputs, outputs and role of each operator."""
    rows: list[list[Any]] = []
    for block in program.blocks:
        for op in block.ops:
            given = {slot: op.input(slot) for slot in sorted(op.input_names) if op.input(slot)}
            made = {slot: op.output(slot) for slot in sorted(op.output_names) if op.output(slot) and slot != "Scope"}
            for slots in (given, made):
                if op.type == "conditional_block":
                    slots.update({slot: sorted(names) for slot, names in slots.items()})
            attrs = {name: op.attr(name) for name in NUMBERS if name in op.attr_names}
            rows.append([block.idx, op.type, given, made, op.attr("op_role"), attrs])
    return rows


OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "sgd": lambda paddle: paddle.optimizer.SGD(0.1),
    "momentum": lambda paddle: paddle.optimizer.Momentum(0.1, 0.9, weight_decay=0.01),
    "adam": lambda paddle: paddle.optimizer.Adam(0.01, grad_clip=paddle.nn.ClipGradByGlobalNorm(0.05)),
    "decayed": lambda paddle: paddle.optimizer.SGD(0.1, weight_decay=paddle.regularizer.L1Decay(0.01)),
}


def network(paddle: Any) -> tuple[Any, Any]:
    """A loss, and a hidden layer to be computed again."""
    x = paddle.static.data("x", [None, 4])
    start = paddle.ParamAttr(initializer=paddle.nn.initializer.Assign(np.linspace(-0.5, 0.5, 12).reshape(4, 3).astype("float32")))
    hidden = paddle.static.nn.fc(x, 3, activation="tanh", weight_attr=start)
    out = paddle.static.nn.fc(hidden, 1, weight_attr=paddle.nn.initializer.Constant(0.3))
    return paddle.mean(paddle.square(out - 1.0)), hidden


def merged(paddle: Any, optimizer: str, k: int, avg: bool) -> Case:
    """Programs that merge gradients, and the losses and the parameter of 9 steps."""
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
        loss, _ = network(paddle)
        wrapped = paddle.incubate.optimizer.GradientMergeOptimizer(OPTIMIZERS[optimizer](paddle), k_steps=k, avg=avg)
        wrapped.minimize(loss)
    case: Case = {"main": described(main), "startup": described(startup), "losses": [], "weights": []}
    data = np.random.RandomState(0).rand(9, 2, 4).astype("float32")
    executor = paddle.static.Executor(paddle.CPUPlace())
    with paddle.static.scope_guard(paddle.static.Scope()):
        executor.run(startup)
        for batch in data:
            loss_value, weight = executor.run(main, feed={"x": batch}, fetch_list=[loss, "fc_0.w_0"])
            case["losses"].append(float(loss_value))
            case["weights"].append(weight)
    return case


MERGES: list[tuple[str, int, bool]] = [("sgd", 3, True), ("momentum", 2, False), ("adam", 2, True), ("decayed", 2, True)]
