"""Layers whose tables of classes are read by rows, nce and hsigmoid, with parameter servers against one process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from servers_at_home import alone, at_home

import paddle_compat as paddle
from paddle_compat import fluid

CLASSES = 2500
layers = fluid.layers


def sampled(x: Any, y: Any, sparse: bool) -> Any:
    """Noise-contrastive estimation; a seed makes samples repeat. 1.8.5 has no Programs of servers for a sparse one."""
    return layers.nce(x, y, CLASSES, num_neg_samples=5, seed=7, sampler="log_uniform", is_sparse=sparse)


def tree(x: Any, y: Any, sparse: bool) -> Any:
    return layers.hsigmoid(x, y, CLASSES, is_sparse=sparse)


LAYERS: dict[str, Callable[[Any, Any, bool], Any]] = {"nce": sampled, "hsigmoid": tree}


@pytest.fixture(autouse=True)
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    yield
    paddle.disable_static()


@pytest.mark.parametrize("sparse", [True, False])
@pytest.mark.parametrize("name", LAYERS)
def test_they_train_as_in_one_process(name: str, sparse: bool) -> None:
    def network() -> Any:
        word, y = layers.data("word", [1], dtype="int64"), layers.data("next", [1], dtype="int64")
        x = layers.fc(layers.embedding(word, [CLASSES, 8], is_sparse=sparse), 8)
        loss = layers.mean(LAYERS[name](x, y, sparse))
        fluid.optimizer.SGD(0.5).minimize(loss)
        return loss

    numbers = np.random.RandomState(0)
    feeds = [{key: numbers.randint(0, CLASSES, (12, 1)) for key in ("word", "next")} for _ in range(10)]
    here = alone(network, feeds)
    with at_home(network, endpoints=["127.0.0.1:6174"]) as home:
        there = [home.run(feed)[0].item() for feed in feeds]
    np.testing.assert_allclose(there, here, rtol=1e-5)
