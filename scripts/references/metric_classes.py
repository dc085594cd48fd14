# ruff: noqa: E501 - a call is a line
"""What the classes of `paddle.metric` answer under Paddle 2.6.2, in eager mode and as a part of Programs.

metric_classes.json: {case: `out` after the code has run, as plain values; {"raises": type} where it raises}.
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from fluid_tools import plain

WHEELS = ("2.6.2",)

_RANDOM = "r = np.random.RandomState(7); p = r.uniform(0, 1, (40, 1)); y = r.randint(0, 2, (40, 1)); "
_BARE = "\nclass Bare(M.Metric):\n    def reset(self): return super().reset()\n    def update(self, *args): return super().update(*args)\n    def accumulate(self): return super().accumulate()\n    def name(self): return super().name()\n"

CASES = {
    "base": "M.Metric()",
    **{f"base/{method}": _BARE + f"Bare().{method}()" for method in ("reset", "update", "accumulate", "name")},
    "base/compute": _BARE + "out = Bare().compute(1, 2)",
    "accuracy/names": "out = [M.Accuracy(topk, name).name() for topk in ((1,), (2,), (1, 3)) for name in (None, 'z')]",
    "accuracy/update": "m = M.Accuracy(); out = [m.update(np.array([[1.0], [0.0], [1.0]], 'float32')), m.accumulate(), m.update(np.array([[0.0]])), m.accumulate()]; m.reset(); out += [m.accumulate(), m.total, m.count]",
    "accuracy/many": "m = M.Accuracy((1, 2)); out = [m.update(np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])), m.update(np.array([[[0.0, 1.0]], [[1.0, 0.0]]])), m.accumulate(), m.total, m.count, m.maxk, m.topk]",
    "accuracy/number": "M.Accuracy(topk=2)",
    "accuracy/eager": "paddle.disable_static(); m = M.Accuracy((1, 2)); s = paddle.to_tensor(np.random.RandomState(0).rand(6, 4).astype('float32')); c = m.compute(s, paddle.to_tensor([[0], [1], [2], [3], [0], [1]])); out = [c.numpy(), m.update(c), m.accumulate()]; paddle.enable_static()",
    "precision": _RANDOM + "m = M.Precision(); m.update(p, y); out = [m.accumulate(), m.tp, m.fp, m.name()]; m.update(p.astype('float32'), 1 - y); out += [m.accumulate(), m.tp, m.fp]; m.reset(); out += [m.accumulate(), m.tp, m.fp]",
    "precision/halves": "m = M.Precision('p'); m.update(np.array([0.5, 1.5, 2.5, -0.5, 0.49]), np.array([1, 1, 1, 1, 0])); out = [m.tp, m.fp, m.name()]",
    "precision/list": "M.Precision().update([1.0], np.array([1]))",
    "precision/labels": "M.Precision().update(np.array([1.0]), [1])",
    "precision/columns": "M.Precision().update(np.array([[0.1, 0.9]]), np.array([[1]]))",
    "precision/more": "M.Precision('p', 1)",
    "recall": _RANDOM + "m = M.Recall(); m.update(p, y); out = [m.accumulate(), m.tp, m.fn, m.name()]; m.update(p[:, 0], 1 - y[:, 0]); out += [m.accumulate(), m.tp, m.fn]; m.reset(); out += [m.accumulate(), m.tp, m.fn]",
    "recall/halves": "m = M.Recall('r'); m.update(np.array([0.5, 1.5, 2.5, -0.5, 0.51]), np.array([1, 1, 1, 1, 1])); out = [m.tp, m.fn, m.name()]",
    "recall/list": "M.Recall().update([1.0], np.array([1]))",
    "recall/keyword": "M.Recall(k=2)",
    "auc": _RANDOM + "m = M.Auc(num_thresholds=20); m.update(np.concatenate([1 - p, p], 1), y); out = [m.accumulate(), m._stat_pos, m._stat_neg, m.name()]; m.update(np.concatenate([p, 1 - p], 1), (p < 0.3).astype('int64')); out.append(m.accumulate()); m.reset(); out += [m.accumulate(), m._stat_pos.sum()]",
    "auc/default": _RANDOM + "m = M.Auc(name='area'); m.update(np.concatenate([1 - p, p], 1).astype('float32'), y); out = [m.accumulate(), m.name(), len(m._stat_pos)]",
    "auc/curve": _RANDOM + "m = M.Auc(curve='PR'); m.update(np.concatenate([1 - p, p], 1), y); out = m.accumulate()",
    "auc/one class": "m = M.Auc(); m.update(np.array([[0.2, 0.8]]), np.array([[1]])); out = m.accumulate()",
    "auc/above": "M.Auc(num_thresholds=10).update(np.array([[0.0, 1.2]]), np.array([1]))",
    "auc/list": "M.Auc().update([[0.5, 0.5]], np.array([1]))",
    "auc/area": "out = M.Auc.trapezoid_area(1, 4, 3, 4)",
    **{
        f"program/{name}": f"m = M.Accuracy((1, 3)); x = paddle.static.data('x', [None, 5]); y = paddle.static.data('y', {shape}, '{dtype}'); c = m.compute(x, y); "
        f"ops = [[o.type, o.output_arg_names] for o in c.block.ops]; r = np.random.RandomState(3); s = r.rand(6, 5).astype('float32'); l = {labels}; "
        "(v,) = paddle.static.Executor().run(feed={'x': s, 'y': l}, fetch_list=[c]); out = [ops, list(c.shape), c.name, v, m.update(v), m.accumulate()]"
        for name, shape, dtype, labels in (
            ("column", "[None, 1]", "int64", "r.randint(0, 5, (6, 1))"),
            ("vector", "[None]", "int64", "r.randint(0, 5, 6)"),
            ("one-hot", "[None, 5]", "float32", "np.eye(5, dtype='float32')[r.randint(0, 5, 6)]"),
        )
    },
}  # fmt: skip


def answer(paddle: Any, code: str) -> Any:
    """What a case gives."""
    names: dict[str, Any] = {"paddle": paddle, "M": paddle.metric, "np": np, "out": None}
    paddle.enable_static()
    with paddle.utils.unique_name.guard(), paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        try:
            exec(code, names)
        except Exception as error:  # which one is what is recorded
            return {"raises": next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins")}
    return plain(names["out"])


def answers() -> dict[str, Any]:
    """Every case."""
    import paddle

    return {case: answer(paddle, code) for case, code in CASES.items()}


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """One file."""
    return {"metric_classes.json": answers}
