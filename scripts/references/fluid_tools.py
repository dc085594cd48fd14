# ruff: noqa: E501 - a call is a line
"""What `fluid.metrics`, `fluid.average`, `fluid.DataFeeder` and their kin answer under Paddle 1.8.5.

fluid_tools.json: {case: `out` after the code has run, as plain values; {"raises": type} where it raises}.
"""

from __future__ import annotations

from typing import Any, Callable, Dict

import numpy as np

WHEELS = ("1.8.5",)

_DATA = "x = fluid.data('x', [None, 2], 'float32'); y = fluid.data('y', [None, 1], 'int64'); s = fluid.data('s', [None, 1], 'int64', lod_level=1); d = fluid.data('d', [None, 1], 'float32', lod_level=2); "

CASES = {
    "accuracy": "m = fluid.metrics.Accuracy(); m.update(0.5, 4); m.update(value=0.8, weight=6); out = [m.eval(), str(m)]; m.reset(); m.update(np.array([0.25]), np.array([2])); out.append(m.eval())",
    "accuracy/empty": "fluid.metrics.Accuracy().eval()",
    "accuracy/text": "fluid.metrics.Accuracy().update('a', 1)",
    "accuracy/negative": "fluid.metrics.Accuracy().update(0.5, -1)",
    "accuracy/name": "out = str(fluid.metrics.Accuracy('mine'))",
    "precision": "m = fluid.metrics.Precision(); m.update(np.array([[0.1], [0.7], [0.8], [0.9], [0.2]]), np.array([[0], [1], [1], [0], [1]])); out = [m.eval(), m.tp, m.fp]; m.update(np.array([[0.6]]), np.array([[1]])); out.append(m.eval())",
    "precision/empty": "out = fluid.metrics.Precision().eval()",
    "precision/list": "fluid.metrics.Precision().update([0.1], np.array([0]))",
    "recall": "m = fluid.metrics.Recall(); m.update(np.array([[0.1], [0.7], [0.8], [0.9], [0.2]]), np.array([[0], [1], [1], [0], [1]])); out = [m.eval(), m.tp, m.fn]; m.reset(); out.append(m.eval())",
    "composite": "m = fluid.metrics.CompositeMetric(); m.add_metric(fluid.metrics.Precision()); m.add_metric(fluid.metrics.Recall()); m.update(np.array([[0.1], [0.7], [0.8]]), np.array([[0], [1], [0]])); out = m.eval()",
    "composite/wrong": "fluid.metrics.CompositeMetric().add_metric(3)",
    "chunk": "m = fluid.metrics.ChunkEvaluator(); m.update(10, 9, 8); m.update(np.array([3]), np.array([4]), np.array([1])); out = [list(m.eval()), m.num_infer_chunks]",
    "chunk/empty": "out = list(fluid.metrics.ChunkEvaluator().eval())",
    "chunk/wrong": "fluid.metrics.ChunkEvaluator().update('a', 1, 1)",
    "edit_distance": "m = fluid.metrics.EditDistance('d'); m.update(np.array([[0.0], [2.0], [1.0]]), 3); m.update(np.array([[0.0]]), np.array([1])); out = list(m.eval())",
    "edit_distance/empty": "fluid.metrics.EditDistance('d').eval()",
    "auc": "m = fluid.metrics.Auc('auc', num_thresholds=20); p = np.random.RandomState(0).uniform(0, 1, (40, 1)); m.update(np.concatenate([1 - p, p], 1), np.random.RandomState(1).randint(0, 2, (40, 1))); out = [m.eval()]; m.update(np.array([[0.2, 0.8]]), np.array([[1]])); out.append(m.eval()); m.reset(); out.append(m.eval())",
    "auc/default": "m = fluid.metrics.Auc(name='a'); p = np.random.RandomState(2).uniform(0, 1, (30, 1)); m.update(preds=np.concatenate([1 - p, p], 1), labels=(p > 0.4).astype('int64')); out = m.eval()",
    "config": "m = fluid.metrics.Precision(); c = m.get_config(); out = sorted(c)",
    "base": "out = [fluid.metrics.MetricBase('n')._name, str(fluid.metrics.MetricBase('n')), str(fluid.metrics.MetricBase(None))]",
    "base/eval": "fluid.metrics.MetricBase('n').eval()",
    "average": "a = fluid.average.WeightedAverage(); a.add(value=2.0, weight=1); a.add(value=4.0, weight=3); out = [a.eval()]; a.reset(); a.add(np.array([1.0, 2.0]), 2); a.add(np.array([3.0, 5.0]), 1); out.append(a.eval())",
    "average/empty": "fluid.average.WeightedAverage().eval()",
    "average/wrong": "fluid.average.WeightedAverage().add('a', 1)",
    "feeder": _DATA + "f = fluid.DataFeeder([x, y], fluid.CPUPlace()); r = f.feed([([1.0, 2.0], [3]), ([4.0, 5.0], [6])]); out = {k: [np.array(v).tolist(), str(np.array(v).dtype), v.lod()] for k, v in r.items()}",
    "feeder/flat": _DATA + "f = fluid.DataFeeder(feed_list=['x', 'y'], place=fluid.CPUPlace(), program=fluid.default_main_program()); r = f.feed([(np.array([1, 2]), 3), (np.array([4, 5]), 6)]); out = {k: [np.array(v).tolist(), str(np.array(v).dtype), v.lod()] for k, v in r.items()}",
    "feeder/sequences": _DATA + "f = fluid.DataFeeder([s, y], fluid.CPUPlace()); r = f.feed([([1, 2, 3], 1), ([4], 0)]); out = {k: [np.array(v).tolist(), str(np.array(v).dtype), v.lod()] for k, v in r.items()}",
    "feeder/nested": _DATA + "f = fluid.DataFeeder([d], fluid.CPUPlace()); r = f.feed([([[1.0, 2.0], [3.0]],), ([[4.0]],)]); out = {k: [np.array(v).tolist(), str(np.array(v).dtype), v.lod()] for k, v in r.items()}",
    "feeder/count": _DATA + "fluid.DataFeeder([x, y], fluid.CPUPlace()).feed([([1.0, 2.0],)])",
    "feeder/shape": _DATA + "fluid.DataFeeder([x], fluid.CPUPlace()).feed([([1.0, 2.0, 3.0],)])",
    "feeder/image": "x = fluid.data('x', [None, 1, 2, 2], 'float32'); r = fluid.DataFeeder([x], fluid.CPUPlace()).feed([(np.arange(4.0),), (np.arange(4.0),)]); out = [np.array(r['x']).tolist(), list(r['x'].shape())]",
    "feeder/layers": "x = fluid.layers.data('x', [1, 2, 2]); y = fluid.layers.data('y', [1], dtype='int64'); r = fluid.DataFeeder([x, y], fluid.CPUPlace()).feed([(np.arange(4.0), 1), (np.arange(4.0), 2)]); out = [list(r['x'].shape()), list(r['y'].shape())]",
    "feeder/unknown": "x = fluid.data('x', [None, None, 2], 'float32'); r = fluid.DataFeeder([x], fluid.CPUPlace()).feed([(np.ones((3, 2)),)]); out = list(r['x'].shape())",
    "feeder/wrong": "fluid.DataFeeder([3], fluid.CPUPlace())",
    "feeder/parallel": _DATA + "f = fluid.DataFeeder([x], fluid.CPUPlace()); r = f.feed_parallel([[([1.0, 2.0],)], [([3.0, 4.0],), ([5.0, 6.0],)]], num_places=2); out = [np.array(part['x']).tolist() for part in r]",
    "feeder/parallel_count": _DATA + "f = fluid.DataFeeder([x], fluid.CPUPlace()); out = list(f.feed_parallel([[([1.0, 2.0],)]], num_places=2))",
    "feeder/decorate": _DATA + "f = fluid.DataFeeder([x], fluid.CPUPlace()); r = f.decorate_reader(lambda: iter([[([1.0, 2.0],)], [([3.0, 4.0],)]]), multi_devices=False); out = [np.array(part['x']).tolist() for part in r()]",
    "feeder/decorate_many": _DATA + "f = fluid.DataFeeder([x], fluid.CPUPlace()); r = f.decorate_reader(lambda: iter([[([float(i), 2.0],)] for i in range(5)]), multi_devices=True, num_places=2); out = [[np.array(p['x']).tolist() for p in parts] for parts in r()]",
    "feeder/decorate_rest": _DATA + "f = fluid.DataFeeder([x], fluid.CPUPlace()); r = f.decorate_reader(lambda: iter([[([float(i), 2.0],)] for i in range(3)]), multi_devices=True, num_places=2, drop_last=False); out = list(r())",
}  # fmt: skip


def plain(value: Any) -> Any:
    """A value as JSON keeps it."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def answer(fluid: Any, code: str) -> Any:
    """What a case gives."""
    names: Dict[str, Any] = {"fluid": fluid, "np": np, "out": None}
    with fluid.unique_name.guard(), fluid.program_guard(fluid.Program(), fluid.Program()):
        try:
            exec(code, names)
        except Exception as error:  # which one is what is recorded
            return {"raises": next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins")}
    return plain(names["out"])


def answers() -> Dict[str, Any]:
    """Every case."""
    import paddle.fluid as fluid

    return {case: answer(fluid, code) for case, code in CASES.items()}


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """One file."""
    return {"fluid_tools.json": answers}
