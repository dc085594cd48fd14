"""Training an embedding with sparse gradients, in both spellings; runs under the real wheels and under paddle_compat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:  # Python 3.7 cannot subscript it
    from collections.abc import Callable

STEPS = 4
IDS = np.array([[1, 2, 1], [3, 1, 5]], dtype="int64")  # repeated ids, and rows of the table that are never used


def fluid_optimizers(fluid: Any) -> dict[str, Callable[[], Any]]:
    """Optimizers in the 1.8 spelling, by name."""
    make, clip, decay = fluid.optimizer, fluid.clip, fluid.regularizer
    return {
        "sgd clipped by value": lambda: make.SGD(0.1, grad_clip=clip.GradientClipByValue(0.5)),
        "sgd clipped by norm": lambda: make.SGD(0.1, grad_clip=clip.GradientClipByNorm(0.5)),
        "sgd clipped by global norm": lambda: make.SGD(0.1, grad_clip=clip.GradientClipByGlobalNorm(0.5)),
        "sgd with L2": lambda: make.SGD(0.1, regularization=decay.L2Decay(0.1)),
        "momentum": lambda: make.Momentum(0.1, 0.9),
        "momentum with L1": lambda: make.Momentum(0.1, 0.9, regularization=decay.L1Decay(0.1)),
        "adagrad": lambda: make.Adagrad(0.1),
        "adam": lambda: make.Adam(0.1),
        "lazy adam": lambda: make.Adam(0.1, lazy_mode=True),
        "rmsprop": lambda: make.RMSProp(0.1, momentum=0.5, centered=True),
        "lamb": lambda: make.Lamb(0.1),
    }


def static_optimizers(paddle: Any) -> dict[str, Callable[[], Any]]:
    """Optimizers in the 2.x spelling, by name."""
    make, clip, decay = paddle.optimizer, paddle.nn, paddle.regularizer
    return {
        "sgd clipped by norm": lambda: make.SGD(0.1, grad_clip=clip.ClipGradByNorm(0.5)),
        "sgd clipped by global norm": lambda: make.SGD(0.1, grad_clip=clip.ClipGradByGlobalNorm(0.5)),
        "sgd with L2": lambda: make.SGD(0.1, weight_decay=0.1),
        "momentum": lambda: make.Momentum(0.1, 0.9),
        "momentum with L2": lambda: make.Momentum(0.1, 0.9, weight_decay=0.1, rescale_grad=0.5),
        "momentum with L1": lambda: make.Momentum(0.1, 0.9, weight_decay=decay.L1Decay(0.1)),
        "adagrad": lambda: make.Adagrad(0.1),
        "adam": lambda: make.Adam(0.1),
        "lazy adam": lambda: make.Adam(0.1, lazy_mode=True),
        "rmsprop": lambda: make.RMSProp(0.1, momentum=0.5, centered=True),
        "lamb": lambda: make.Lamb(0.1),
    }


def fluid_loss(fluid: Any) -> Any:
    """The network in the 1.8 spelling."""
    ids = fluid.data("ids", [None, 3], "int64")
    looked_up = fluid.embedding(ids, (8, 2), is_sparse=True)
    return fluid.layers.mean(fluid.layers.fc(fluid.layers.reduce_sum(looked_up, dim=1), 1))


def static_loss(paddle: Any) -> Any:
    """The network in the 2.x spelling."""
    ids = paddle.static.data("ids", [None, 3], "int64")
    looked_up = paddle.static.nn.embedding(ids, (8, 2), is_sparse=True)
    return paddle.mean(paddle.static.nn.fc(paddle.sum(looked_up, axis=1), 1))


def trained(paddle: Any, first_age: bool) -> dict[str, dict[str, Any]]:
    """Losses and table after some steps of every optimizer.

    Args:
        first_age: in the 1.8 spelling.
    """
    if first_age:
        front, makers, guard = paddle.fluid, fluid_optimizers(paddle.fluid), paddle.fluid.unique_name.guard
    else:
        paddle.enable_static()
        front, makers, guard = paddle.static, static_optimizers(paddle), paddle.utils.unique_name.guard
    results = {}
    for name, make in makers.items():
        main, startup, scope = front.Program(), front.Program(), front.Scope()
        with front.program_guard(main, startup), guard(), front.scope_guard(scope):
            if first_age:
                main.random_seed = startup.random_seed = 5
                loss = fluid_loss(front)
            else:
                paddle.seed(5)
                loss = static_loss(paddle)
            make().minimize(loss)
            executor = front.Executor(paddle.fluid.CPUPlace() if first_age else paddle.CPUPlace())
            executor.run(startup)
            losses = [executor.run(main, feed={"ids": IDS}, fetch_list=[loss])[0] for _ in range(STEPS)]
            table = np.array(scope.find_var("embedding_0.w_0").get_tensor())
        results[name] = {"losses": [float(np.reshape(value, ())) for value in losses], "table": table.tolist()}
    return results
