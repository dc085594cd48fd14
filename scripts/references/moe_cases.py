"""What the mixture-of-experts layers of Paddle 2.6.2 give in one process, and how its Programs spell their operators.

The wheel for the CPU has no kernels that count and place rows: numpy does it in their place (`with_numpy`). Everything else is the
wheel's own.

moe_2.6.2.json: {case: {"y", "loss", "parameters", "x", "of_loss"}}; "x" is left out where the wheel's gradient is no derivative.
"""

from __future__ import annotations

import re
from typing import Any, Callable, Dict

import numpy as np

WHEELS = ("2.6.2",)

# case: (the layer's gate by the module's names, whether it trains)
CASES: Dict[str, Any] = {
    "naive 2": (lambda m: {"type": "naive", "top_k": 2}, True),
    "naive 1": (lambda m: {"type": "naive", "top_k": 1}, True),
    "no type": (lambda m: {"type": None, "top_k": 3}, True),
    "gshard": (lambda m: None, True),
    "gshard tested": (lambda m: {"type": "gshard", "top_k": 2}, False),
    "gshard small": (lambda m: m.GShardGate(4, 3, 1, random_routing=False, capacity=(0.3, 0.5)), True),
    "gshard small tested": (lambda m: m.GShardGate(4, 3, 1, random_routing=False, capacity=(0.3, 0.5)), False),
    "switch": (lambda m: {"type": "switch", "top_k": 1}, True),
    "switch tested": (lambda m: {"type": "switch", "top_k": 1}, False),
    "switch small": (lambda m: m.SwitchGate(4, 3, 1, switch_eps=0.2, capacity=(0.3, 0.5)), True),
}


def layer(paddle: Any, moe: Any, case: str) -> Any:
    """The layer of a case, with parameters of its own."""
    make, training = CASES[case]
    paddle.seed(7)
    experts = paddle.nn.LayerList([paddle.nn.Linear(4, 4) for _ in range(3)])
    made = moe.MoELayer(4, experts, gate=make(moe))
    numbers = np.random.RandomState(3)
    for parameter in made.parameters():
        parameter.set_value(numbers.randn(*parameter.shape).astype("float32"))
    if not training:
        made.eval()
    return made


def answers(paddle: Any, moe: Any, case: str) -> Dict[str, Any]:
    """What a layer gives, its gate's loss, and the gradients of both."""
    made = layer(paddle, moe, case)
    x = paddle.to_tensor(np.random.RandomState(0).randn(2, 5, 4).astype("float32"), stop_gradient=False)
    y = made(x * 1.0)  # the wheel reshapes its input in place
    (y * y).sum().backward()
    loss = made.gate.get_loss(clear=False)
    found = {
        "y": y.tolist(),
        "loss": None if loss is None else float(loss),
        "parameters": [None if p.grad is None else p.grad.tolist() for p in made.parameters()],
        "names": [re.sub("[0-9]+", "0", p.name) for p in made.gate.parameters()],
    }
    if made.top_k == 1:
        found["x"] = x.grad.tolist()
    if loss is not None:
        made.clear_gradients()
        made(x * 1.0)
        made.gate.get_loss().backward()
        found["of_loss"] = [p.grad.tolist() for p in made.gate.parameters()]
    return found


def numpy_kernels(tensor: Callable[[Any], Any]) -> Dict[str, Callable[..., Any]]:
    """What the operators are documented to do."""

    def number_count(numbers: Any, upper_range: int) -> Any:
        flat = numbers.numpy().ravel()
        return tensor([(flat == number).sum() for number in range(upper_range)])

    def assign_pos(x: Any, cum_count: Any) -> Any:
        flat = x.numpy().ravel()
        return tensor([place for place in np.argsort(flat, kind="stable") if flat[place] >= 0])

    def limit_by_capacity(expert_count: Any, capacity: Any, n_worker: int) -> Any:
        counts, left = expert_count.numpy().reshape(n_worker, -1).copy(), capacity.numpy().copy()
        for worker in range(n_worker):
            counts[worker] = np.minimum(counts[worker], left)
            left = left - counts[worker]
        return tensor(counts.reshape(-1))

    def prune_gate_by_capacity(gate_idx: Any, expert_count: Any, n_expert: int, n_worker: int) -> Any:
        flat, left = gate_idx.numpy().ravel().copy(), expert_count.numpy().copy()
        for place, expert in enumerate(flat):
            if expert >= 0:
                flat[place] = expert if left[expert] > 0 else -1
                left[expert] -= 1
        return tensor(flat.reshape(gate_idx.shape))

    def random_routing(topk_idx: Any, topk_value: Any, prob: Any, topk: int = 2) -> Any:
        index, value = topk_idx.numpy().copy(), topk_value.numpy()
        index[:, 1] = np.where(2 * value[:, 1] < prob.numpy(), -1, index[:, 1])
        return tensor(index)

    kernels = (number_count, assign_pos, limit_by_capacity, prune_gate_by_capacity, random_routing)
    return {"_" + kernel.__name__: kernel for kernel in kernels}


def with_numpy() -> Any:
    """The wheel's package, with numpy in place of what the CPU lacks."""
    import paddle
    from paddle.distributed.models.moe import utils as of_models
    from paddle.incubate.distributed.models import moe
    from paddle.incubate.distributed.models.moe import utils

    for name, kernel in numpy_kernels(lambda value: paddle.to_tensor(np.asarray(value, "int64"))).items():
        for module in (of_models, utils, moe.gate.gshard_gate, moe.gate.switch_gate, moe.moe_layer):
            if hasattr(module, name):
                setattr(module, name, kernel)
    return moe


def programs(paddle: Any, moe_utils: Any) -> Dict[str, Any]:
    """The operators of rows that travel, with their gradients."""
    paddle.enable_static()
    found = {}
    for name in ("global_scatter", "global_gather"):
        main = paddle.static.Program()
        with paddle.static.program_guard(main, paddle.static.Program()), paddle.utils.unique_name.guard():
            x, *counts = (paddle.static.data(*each) for each in (("x", [None, 2]), ("l", [4], "int64"), ("g", [4], "int64")))
            x.stop_gradient = False
            y = getattr(moe_utils, name)(x, *counts)
            paddle.static.append_backward(paddle.mean(y))
        found[name] = [list(y.shape)] + [
            [op.type, {k: op.input(k) for k in sorted(op.input_names)}, {k: op.output(k) for k in op.output_names},
             {k: op.attr(k) for k in ("ring_id", "use_calc_stream")}]
            for op in main.global_block().ops if op.type.startswith("global_")
        ]  # fmt: skip
    paddle.disable_static()
    return found


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    def record() -> Dict[str, Any]:
        import paddle
        from paddle.distributed.utils import moe_utils

        paddle.disable_static()
        moe = with_numpy()
        return {**{case: answers(paddle, moe, case) for case in CASES}, "programs": programs(paddle, moe_utils)}

    return {"moe_2.6.2.json": record}
