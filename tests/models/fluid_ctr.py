"""Click-through rate in `paddle.fluid`: wide and deep over 26 sparse slots."""

from __future__ import annotations

from typing import Any

import datasets
import paddle.fluid as fluid
from fluid_training import optimizer_model


def wide_deep(optimizer: Any, shared: bool = False) -> list[Any]:
    """Embeddings with sparse gradients beside dense features.

    Args:
        optimizer: made before the network, as scripts do.
        shared: one table for all slots instead of one table for each.
    """
    dense = fluid.data(name="dense", shape=[None, datasets.DENSE], dtype="float32")
    slots = [fluid.data(name=f"C{i}", shape=[None, 1], dtype="int64") for i in range(datasets.SLOTS)]
    label = fluid.data(name="click", shape=[None, 1], dtype="int64")

    def embedding(ids: Any, width: int, name: str) -> Any:
        return fluid.layers.embedding(
            input=ids,
            is_sparse=True,
            is_distributed=False,
            size=[datasets.SLOT_ROWS, width],
            param_attr=fluid.ParamAttr(name=name, initializer=fluid.initializer.Uniform(-0.1, 0.1)),
        )

    deep = [embedding(ids, 4, "emb" if shared else f"emb_{i}") for i, ids in enumerate(slots)]
    wide = [embedding(ids, 1, "wide" if shared else f"wide_{i}") for i, ids in enumerate(slots)]
    hidden = fluid.layers.concat(deep + [dense], axis=1)
    for size in (32, 16):
        hidden = fluid.layers.fc(
            input=hidden,
            size=size,
            act="relu",
            param_attr=fluid.ParamAttr(initializer=fluid.initializer.Normal(scale=hidden.shape[1] ** -0.5)),
        )
    both = fluid.layers.concat([hidden, fluid.layers.sums(wide)], axis=1)
    predict = fluid.layers.fc(input=both, size=2, act="softmax")
    avg_cost = fluid.layers.reduce_mean(fluid.layers.cross_entropy(input=predict, label=label))
    auc_var, batch_auc_var, auc_states = fluid.layers.auc(input=predict, label=label, num_thresholds=255, slide_steps=4)
    optimizer.minimize(avg_cost)
    return [avg_cost, auc_var, batch_auc_var]


def shared_table(optimizer: Any) -> list[Any]:
    """The same with one table that all slots look up in: the sparse gradients are summed."""
    return wide_deep(optimizer, shared=True)


MODELS = {
    "wide_deep_sgd": optimizer_model(wide_deep, lambda: fluid.optimizer.SGD(0.1), batch=datasets.clicks),
    "wide_deep_lazy_adam": optimizer_model(
        wide_deep, lambda: fluid.optimizer.Adam(learning_rate=0.01, lazy_mode=True), batch=datasets.clicks
    ),
    "wide_deep_adam": optimizer_model(shared_table, lambda: fluid.optimizer.Adam(0.01), batch=datasets.clicks),
    "wide_deep_adagrad": optimizer_model(shared_table, lambda: fluid.optimizer.Adagrad(0.05), batch=datasets.clicks),
}
