"""How an eager script of Paddle 2.x is run and summed up: under the wheel when references are recorded, and under ours."""

from __future__ import annotations

import contextlib
import io
from typing import Any, Callable, Dict, List

import numpy as np
import paddle
from training import summary


def floats(step: int, *shape: int) -> Any:
    """Numbers from -1 to 1 that depend on the step alone."""
    return paddle.to_tensor(np.random.RandomState(2000 + step).uniform(-1, 1, shape).astype("float32"))


def numbers(step: int, *shape: int, high: int) -> Any:
    """Whole numbers that depend on the step alone."""
    return paddle.to_tensor(np.random.RandomState(1000 + step).randint(0, high, shape).astype("int64"))


class EagerModel:
    """An eager training script in its parts.

    Args:
        make: builds layers and optimizers, and returns the layers and a function `step -> losses`.
        steps: how many steps the references hold.
        seed: what `paddle.seed` gets; chosen so that no activation lies near a kink.
        loose: parts of names of parameters that are not compared, because rounding moves them.
        exact: whether the script draws numbers in its steps that have to be the wheel's.
    """

    def __init__(self, make: Callable[[], Any], steps: int = 20, seed: int = 90, loose: Any = (), exact: bool = False) -> None:
        self.make, self.steps, self.seed, self.loose, self.exact = make, steps, seed, tuple(loose), exact

    def run(self) -> Dict[str, Any]:
        """Train; gives the losses of every step, and the parameters before and after."""
        paddle.disable_static()
        np.random.seed(1)
        paddle.seed(self.seed)
        with paddle.utils.unique_name.guard(), contextlib.redirect_stdout(io.StringIO()):
            layers, step = self.make()
            first = parameters(layers)
            losses: List[List[float]] = []
            for index in range(self.steps):
                losses.append([float(loss) for loss in step(index)])
            return {"losses": losses, "initial": first, "params": parameters(layers)}


def parameters(layers: List[Any]) -> Dict[str, Any]:
    """The state of some layers in a few numbers for each tensor, and the names of parameters."""
    found = {"%d.%s" % (place, name): value for place, layer in enumerate(layers) for name, value in layer.state_dict().items()}
    named = {id(value) for layer in layers for value in layer.parameters()}
    return {key: dict(summary(value.numpy()), name=value.name if id(value) in named else "") for key, value in found.items()}


def trained_by(optimizer: Any, loss_of: Callable[[int], Any], scheduler: Any = None) -> Callable[[int], List[Any]]:
    """The usual step: forward, backward, update."""

    def step(index: int) -> List[Any]:
        loss = loss_of(index)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        if scheduler is not None:
            scheduler.step()
        return [loss]

    return step
