"""Twenty eager steps of every optimizer, the same under the wheel and under ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

STEPS = 20
RANDOM = np.random.RandomState(0)
START = {"w": RANDOM.randn(4, 3), "b": RANDOM.randn(3), "unused": RANDOM.randn(3)}
GRADS = [{"w": RANDOM.randn(4, 3), "b": RANDOM.randn(3)} for _ in range(STEPS)]
Case = dict[str, Any]  # "make": parameters -> optimizer; and keywords of `train`


def cases(paddle: Any) -> dict[str, Case]:
    """The cases by name."""
    opt, nn, lr = paddle.optimizer, paddle.nn, paddle.optimizer.lr
    l1, l2 = paddle.regularizer.L1Decay, paddle.regularizer.L2Decay
    lars = paddle.incubate.optimizer.LarsMomentumOptimizer

    def groups(kind: Any, first: dict[str, Any], second: dict[str, Any], **kwargs: Any) -> Callable[[Any], Any]:
        return lambda p: kind(0.1, parameters=[{"params": p[:1], **first}, {"params": p[1:], **second}], **kwargs)

    table: dict[str, Callable[[Any], Any]] = {
        "SGD": lambda p: opt.SGD(0.1, p),
        "SGD decayed": lambda p: opt.SGD(0.1, p, weight_decay=0.1),
        "SGD decayed by L1": lambda p: opt.SGD(0.1, p, weight_decay=l1(0.1)),
        "SGD clipped by value": lambda p: opt.SGD(0.1, p, grad_clip=nn.ClipGradByValue(0.5)),
        "SGD clipped by norm": lambda p: opt.SGD(0.1, p, grad_clip=nn.ClipGradByNorm(1.0)),
        "SGD clipped together": lambda p: opt.SGD(0.1, p, grad_clip=nn.ClipGradByGlobalNorm(1.0)),
        "SGD clipped perhaps": lambda p: opt.SGD(0.1, p, grad_clip=nn.ClipGradByGlobalNorm(3.0, auto_skip_clip=True)),
        "Momentum": lambda p: opt.Momentum(0.1, 0.9, p),
        "Momentum of Nesterov": lambda p: opt.Momentum(0.1, 0.8, p, use_nesterov=True, weight_decay=0.01),
        "Momentum decayed by L1": lambda p: opt.Momentum(0.1, 0.8, p, weight_decay=l1(0.01)),
        "Adam": lambda p: opt.Adam(0.1, parameters=p),
        "Adam clipped and decayed": lambda p: opt.Adam(0.1, parameters=p, weight_decay=0.1, grad_clip=nn.ClipGradByGlobalNorm(1.0)),
        "AdamW": lambda p: opt.AdamW(0.1, parameters=p, weight_decay=0.2, apply_decay_param_fun=lambda name: name.startswith("w")),
        "Adagrad": lambda p: opt.Adagrad(0.1, parameters=p, initial_accumulator_value=0.1, weight_decay=0.1),
        "Adadelta": lambda p: opt.Adadelta(1.0, parameters=p),
        "Adamax": lambda p: opt.Adamax(0.1, parameters=p),
        "RMSProp": lambda p: opt.RMSProp(0.1, parameters=p),
        "RMSProp centered": lambda p: opt.RMSProp(0.1, parameters=p, centered=True, momentum=0.5, epsilon=0.01),
        "Lamb": lambda p: opt.Lamb(0.1, parameters=p),
        "Lamb without a decay": lambda p: opt.Lamb(0.1, parameters=p, exclude_from_weight_decay_fn=lambda q: q.name.startswith("b")),
        "Lars": lambda p: lars(0.1, 0.9, parameter_list=p),
        "Adam scheduled": lambda p: opt.Adam(lr.NoamDecay(64, 10), parameters=p),
        "SGD scheduled": lambda p: opt.SGD(lr.StepDecay(0.5, 3), p),
        "SGD in groups": groups(opt.SGD, {"learning_rate": 0.5}, {"weight_decay": 0.1, "grad_clip": nn.ClipGradByNorm(0.5)}),
        "Momentum in groups": groups(opt.Momentum, {"learning_rate": 0.5, "momentum": 0.1}, {"use_nesterov": True}, weight_decay=0.2),
        "Adam in groups": groups(opt.Adam, {"learning_rate": 0.5, "beta1": 0.5}, {"weight_decay": 0.1}),
        "AdamW in groups": groups(opt.AdamW, {"learning_rate": 0.5, "weight_decay": 0.5}, {"beta1": 0.5}, weight_decay=0.2),
        "Lamb in groups": groups(opt.Lamb, {"learning_rate": 0.5, "lamb_weight_decay": 0.5}, {"beta1": 0.5}),
        "Adagrad in groups": groups(opt.Adagrad, {"learning_rate": 0.5, "epsilon": 0.5}, {"weight_decay": 0.1}),
        "RMSProp in groups": groups(opt.RMSProp, {"learning_rate": 0.5, "rho": 0.5}, {"weight_decay": 0.1}),
        "Adadelta in groups": groups(opt.Adadelta, {"learning_rate": 0.5, "rho": 0.5}, {"weight_decay": 0.1}),
        "Adamax in groups": groups(opt.Adamax, {"learning_rate": 0.5, "beta1": 0.5}, {"weight_decay": 0.1}),
    }
    found: dict[str, Case] = {name: {"make": make} for name, make in table.items()}
    for name in ("SGD", "Momentum", "Adam", "AdamW", "SGD clipped together"):
        make = table[name]
        found[f"{name}: regularizer"] = {"make": make, "regularizer": l1(0.05)}
        found[f"{name}: other regularizer"] = {"make": make, "regularizer": l2(0.05)}
        found[f"{name}: own rate"] = {"make": make, "rate": 0.3}
        found[f"{name}: without clip"] = {"make": make, "need_clip": False}
        found[f"{name}: frozen at times"] = {"make": make, "frozen": (0, 5, 6, 7)}
        found[f"{name}: gradient at times"] = {"make": make, "absent": (0, 3, 4)}
    for name in ("SGD", "Momentum", "Adam", "AdamW", "Adagrad", "RMSProp", "Lamb", "Adamax", "Adadelta"):
        if name != "Lamb":
            found[f"{name}: float64"] = {"make": table[name], "dtype": "float64"}
    return found


def train(
    paddle: Any,
    make: Callable[[Any], Any],
    tag: str,
    dtype: str = "float32",
    regularizer: Any = None,
    rate: float = 1.0,
    need_clip: bool = True,
    frozen: tuple[int, ...] = (),
    absent: tuple[int, ...] = (),
) -> dict[str, Any]:
    """The parameters and the state after all steps.

    Args:
        tag: makes the parameters' names new.
        regularizer, rate, need_clip: of the first parameter.
        frozen: steps in which the second one stops gradients.
        absent: steps in whose loss the second one does not appear.
    """
    params = []
    for name, value in START.items():
        attr = paddle.ParamAttr(
            name=name + tag,
            regularizer=regularizer if name == "w" else None,
            learning_rate=rate if name == "w" else 1.0,
            need_clip=need_clip or name != "w",
        )
        param = paddle.create_parameter(list(value.shape), dtype, attr=attr)
        param.set_value(value.astype(dtype))
        params.append(param)
    w, b = params[:2]
    optimizer = make(params)
    for step in range(STEPS):
        b.stop_gradient = step in frozen
        grads = {name: paddle.to_tensor(value.astype(dtype)) for name, value in GRADS[step].items()}
        loss = (w * grads["w"]).sum()
        if step not in absent:
            loss = loss + (b * grads["b"]).sum()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        if not isinstance(optimizer._learning_rate, float):
            optimizer._learning_rate.step()
    state = optimizer.state_dict()
    tensors = {name.replace(tag, ""): value.numpy().tolist() for name, value in state.items() if hasattr(value, "numpy")}
    return {
        "ends": [param.numpy().tolist() for param in params],
        "rate": optimizer.get_lr(),
        "state": tensors,
        "scheduler": state.get("LR_Scheduler"),
    }


def searches(paddle: Any) -> dict[str, Any]:
    """Steps of LBFGS: losses, how often the objective was evaluated so far, and where it is."""

    def valley(x: Any) -> Any:
        return (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2

    def bowl(x: Any) -> Any:
        return (x * x * paddle.to_tensor(np.array([1.0, 10.0], "float64"))).sum()

    table: dict[str, tuple[Any, dict[str, Any]]] = {
        "valley": (valley, {}),
        "valley searched": (valley, {"line_search_fn": "strong_wolfe"}),
        "valley with a short memory": (valley, {"line_search_fn": "strong_wolfe", "max_iter": 5, "history_size": 2}),
        "valley in short steps": (valley, {"learning_rate": 0.1, "max_iter": 4}),
        "valley with few evaluations": (valley, {"line_search_fn": "strong_wolfe", "max_eval": 3}),
        "valley, easily content": (valley, {"learning_rate": 0.5, "tolerance_grad": 1.0}),
        "bowl": (bowl, {"max_iter": 5}),
        "bowl searched": (bowl, {"max_iter": 4, "line_search_fn": "strong_wolfe"}),
    }
    found = {}
    for name, (objective, arguments) in table.items():
        x = paddle.create_parameter([2], "float64")
        x.set_value(np.array([-1.2, 1.0]))
        optimizer = paddle.optimizer.LBFGS(parameters=[x], **arguments)
        count = [0]

        def closure(objective: Any = objective, x: Any = x, optimizer: Any = optimizer, count: list[int] = count) -> Any:
            count[0] += 1
            optimizer.clear_grad()
            loss = objective(x)
            loss.backward()
            return loss

        found[name] = [[float(optimizer.step(closure)), count[0], x.numpy().tolist()] for _ in range(3)]
    return found
