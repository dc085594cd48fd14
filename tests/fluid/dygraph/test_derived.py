"""What a script of Paddle 1.8 derives from fluid's optimizers and layers, in eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from paddle_compat import fluid


def trained(make: Callable[[Any], Any]) -> list[list[float]]:
    """A layer's weight after three steps."""
    with fluid.dygraph.guard():
        layer = fluid.dygraph.Linear(2, 2, fluid.initializer.Constant(0.5), fluid.initializer.Constant(0.0))
        optimizer = make(layer.parameters())
        for _ in range(3):
            loss = fluid.layers.reduce_mean(layer(fluid.dygraph.to_variable(np.float32([[1, 2]]))) ** 2)
            loss.backward()
            optimizer.minimize(loss)
            layer.clear_gradients()
        return layer.weight.numpy().tolist()


def own_momentum() -> type:
    """As libraries write one: accumulators of their own, and the operator appended to the block."""

    class Momentum(fluid.optimizer.Optimizer):
        type = "momentum"

        def _create_accumulators(self, block: Any, parameters: Any) -> None:
            assert isinstance(block, fluid.framework.Block)
            for parameter in parameters:
                self._add_accumulator("speed", parameter)

        def _append_optimize_op(self, block: Any, param_and_grad: Any) -> Any:
            speed, (parameter, grad) = self._get_accumulator("speed", param_and_grad[0]), param_and_grad
            rate = self._create_param_lr(param_and_grad)
            return block.append_op(
                type="momentum",
                inputs={"Param": parameter, "Grad": grad, "Velocity": speed, "LearningRate": rate},
                outputs={"ParamOut": parameter, "VelocityOut": speed},
                attrs={"mu": 0.9, "use_nesterov": False},
                stop_gradient=True,
            )

    return Momentum


def test_an_optimizer_of_its_own() -> None:
    theirs = trained(lambda parameters: fluid.optimizer.Momentum(0.1, 0.9, parameter_list=parameters))
    np.testing.assert_allclose(trained(lambda parameters: own_momentum()(0.1, parameter_list=parameters)), theirs, rtol=1e-6)
    # 1.8.5's numbers
    np.testing.assert_allclose(theirs, [[0.0365, 0.0365], [-0.427, -0.427]], rtol=1e-5)


@pytest.mark.parametrize("name", ["SGD", "Adam", "Adamax", "Adagrad", "RMSProp", "Ftrl"])
def test_one_that_leaves_the_update_to_its_base(name: str) -> None:
    blocks = []
    base = getattr(fluid.optimizer, name)

    class Watching(base):  # type: ignore[misc, valid-type]
        def _append_optimize_op(self, block: Any, param_and_grad: Any) -> Any:
            blocks.append(block)
            return super()._append_optimize_op(block, param_and_grad)

    ours, theirs = (trained(lambda parameters, kind=kind: kind(0.1, parameter_list=parameters)) for kind in (Watching, base))
    np.testing.assert_allclose(ours, theirs, rtol=1e-6)
    assert len(blocks) == 6 and all(isinstance(block, fluid.framework.Block) for block in blocks)


def test_a_layer_that_makes_its_parameters() -> None:
    shapes = []

    class Linear(fluid.dygraph.Linear):
        def create_parameter(self, shape: Any, **settings: Any) -> Any:
            shapes.append(shape)
            return super().create_parameter(shape, **settings)

    with fluid.dygraph.guard():
        assert Linear(2, 3)(fluid.dygraph.to_variable(np.ones((1, 2), "float32"))).shape == [1, 3]
    assert shapes == [[2, 3], [3]]
