"""The MLP and the click model as scripts for Paddle 1.8: `paddle.fluid`.

    python -m paddle_compat benchmarks/workloads/paddle_fluid.py mlp

Paddle 1.8's own wheel runs it too, on Python 3.7.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import harness
import paddle
import paddle.fluid as fluid
from harness import CTR, MLP, SLOTS
from paddle.fluid import ParamAttr, layers


def fc(x: Any, size: int, name: str, act: str | None = None) -> Any:
    """A dense layer."""
    weight, bias = ParamAttr(name=name + ".weight"), ParamAttr(name=name + ".bias")
    return layers.fc(x, size, act=act, param_attr=weight, bias_attr=bias)


def mlp() -> Any:
    """Loss of the MLP of the Fleet example."""
    x = fluid.data("x", [None, MLP["features"]], "float32")
    y = fluid.data("y", [None, 1], "int64")
    for i in (1, 2):
        x = fc(x, MLP["hidden"], f"hidden{i}", "tanh")
    return layers.mean(layers.cross_entropy(fc(x, MLP["classes"], "out", "softmax"), y))


def ctr() -> Any:
    """Loss of a wide and deep click model: 26 slots look up one table with sparse gradients."""
    dense = fluid.data("dense", [None, CTR["dense"]], "float32")
    ids = [fluid.data(slot, [None, 1], "int64") for slot in SLOTS]
    click = fluid.data("click", [None, 1], "float32")
    size, attr = [CTR["rows"], CTR["columns"]], ParamAttr(name="table.weight")
    rows = [layers.embedding(i, size, is_sparse=True, param_attr=attr) for i in ids]
    x = layers.concat(rows + [dense], axis=1)
    for i, width in enumerate(CTR["hidden"]):
        x = fc(x, width, f"deep.{i}", "relu")
    logit = layers.elementwise_add(fc(x, 1, "out"), fc(dense, 1, "wide"))
    return layers.mean(layers.sigmoid_cross_entropy_with_logits(logit, click))


TRAINED: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "mlp": (mlp, lambda: fluid.optimizer.SGD(0.1)),
    "ctr_sgd": (ctr, lambda: fluid.optimizer.SGD(0.05)),
    "ctr_adam": (ctr, lambda: fluid.optimizer.Adam(1e-3, lazy_mode=True)),
}


def make(workload: str) -> Callable[[harness.Batch], Any]:
    """One step of a workload, in a Scope of its own."""
    exe, scope = fluid.Executor(fluid.CPUPlace()), fluid.Scope()
    main, startup = fluid.Program(), fluid.Program()
    network, optimizer = TRAINED[workload]
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        loss = network()
        optimizer().minimize(loss)
    exe.run(startup, scope=scope)
    for param in main.all_parameters():
        value = harness.start_value(param.name, tuple(param.shape))
        scope.find_var(param.name).get_tensor().set(value, fluid.CPUPlace())
    return lambda batch: exe.run(main, feed=batch, fetch_list=[loss], scope=scope)[0]


if __name__ == "__main__":
    harness.main(paddle.__version__, make, [*TRAINED])
