"""How an eager script of Paddle 1.8 is run and summed up: under the wheel when references are recorded, and under ours."""

from __future__ import annotations

import contextlib
import io
from typing import Any, Callable, Dict, List

import numpy as np
from training import summary


def numbers(step: int, *shape: int, high: int) -> Any:
    """Whole numbers that depend on the step alone."""
    import paddle.fluid as fluid

    return fluid.dygraph.to_variable(np.random.RandomState(1000 + step).randint(0, high, shape).astype("int64"))


class EagerModel:
    """An eager training script in its parts.

    Args:
        make: builds layers and optimizers, and returns the layers and a function `step -> losses`.
        steps: how many steps the references hold.
        seed: of the default Program; chosen so that no activation lies near a kink.
        loose: parts of names of parameters that are not compared, because rounding moves them.
    """

    def __init__(self, make: Callable[[], Any], steps: int = 20, seed: int = 90, loose: Any = ()) -> None:
        self.make, self.steps, self.seed, self.loose = make, steps, seed, tuple(loose)

    def run(self, fluid: Any) -> Dict[str, Any]:
        """Train; gives the losses of every step, and the parameters before and after."""
        np.random.seed(1)
        with fluid.dygraph.guard(), contextlib.redirect_stdout(io.StringIO()):
            fluid.default_main_program().random_seed = fluid.default_startup_program().random_seed = self.seed
            layers, step = self.make()
            first = parameters(layers)
            losses: List[List[float]] = []
            for index in range(self.steps):
                losses.append([float(loss.numpy().reshape(-1)[0]) for loss in step(index)])
            return {"losses": losses, "initial": first, "params": parameters(layers)}


def parameters(layers: List[Any]) -> Dict[str, Any]:
    """All parameters of some layers in a few numbers each, by the names that the layers give them."""
    return {
        "%d.%s" % (place, name): dict(summary(value.numpy()), name=value.name)
        for place, layer in enumerate(layers)
        for name, value in layer.state_dict().items()
    }
