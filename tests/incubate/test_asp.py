"""Pruning of networks that are used in Programs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.incubate import asp
from paddle_compat.incubate.asp.asp import ASPHelper
from paddle_compat.nn import functional as F

# The losses of Paddle 2.6.2, where zeros are kept and where they are not.
LOSSES = {True: [3.1686888, 2.6885757, 1.4956105], False: [3.1686888, 2.6236784, 1.5111216]}


class Net(paddle.nn.Layer):
    """A convolution and two linear layers."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = paddle.nn.Conv2D(4, 4, 3, padding=2)
        self.first = paddle.nn.Linear(4 * 10 * 10, 32)
        self.last = paddle.nn.Linear(32, 12)

    def forward(self, image: Any) -> Any:
        """The network."""
        return self.last(self.first(paddle.flatten(self.conv(image), start_axis=1)))


def recorded(mixed: bool) -> tuple[Any, Any, Any, Any]:
    """The Programs of a training step, the network and the loss."""
    paddle.enable_static()
    paddle.seed(3)
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
        image, label = paddle.static.data("image", [None, 4, 8, 8]), paddle.static.data("label", [None, 1])
        net = Net()
        loss = paddle.mean(F.square_error_cost(net(image), label))
        optimizer: Any = paddle.optimizer.SGD(0.01)
        optimizer = paddle.static.amp.decorate(optimizer) if mixed else optimizer
        asp.decorate(optimizer).minimize(loss, startup)
    return main, startup, net, loss


@pytest.mark.parametrize("by", ["layer", "program"])
@pytest.mark.parametrize("with_mask", [True, False])
def test_a_network_of_a_program_is_pruned(by: str, with_mask: bool) -> None:
    main, startup, net, loss = recorded(mixed=False)
    executor, data = paddle.static.Executor(), np.random.RandomState(0)
    with paddle.static.scope_guard(paddle.static.Scope()):
        executor.run(startup)
        masks = asp.prune_model(net if by == "layer" else main, mask_algo="mask_1d", with_mask=with_mask)
        assert {name: mask.shape for name, mask in masks.items()} == {
            "conv2d_0.w_0": (4, 4, 3, 3), "linear_0.w_0": (400, 32), "linear_1.w_0": (32, 12)
        }  # fmt: skip
        for expected in LOSSES[with_mask]:
            feed = {"image": data.randn(3, 4, 8, 8).astype("f"), "label": data.randn(3, 1).astype("f")}
            assert executor.run(main, feed=feed, fetch_list=[loss])[0] == pytest.approx(expected, rel=1e-4)
        scope: Any = paddle.static.global_scope()
        density = {name: asp.calculate_density(np.array(scope.find_var(name).get_tensor())) for name in masks}
    assert all((share == 0.5) == with_mask for share in density.values())


def test_an_optimizer_of_mixed_precision_keeps_zeros() -> None:
    main, *_ = recorded(mixed=True)
    kinds = [operator.type for operator in main.global_block().ops]
    assert kinds[-11:] == ["check_finite_and_unscale", "update_loss_scaling", *["sgd"] * 6, *["elementwise_mul"] * 3]
    names = [param.name for param in ASPHelper._get_not_ASP_relevant_vars(main)]
    assert names == [param.name for param in main.all_parameters() if not param.name.endswith(".asp_mask")] and len(names) == 6
