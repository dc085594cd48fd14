"""What `fluid.evaluator`, `fluid.metrics.DetectionMAP` and the operator behind it answer under Paddle 1.8.5, batch after batch.

fluid_evaluators.json: {case: names of the state, operators, results of every run, `eval`, and of a run after `reset`}.
"""

from __future__ import annotations

import warnings
from typing import Any, Callable, Dict

import numpy as np
from fluid_tools import plain

WHEELS = ("1.8.5",)

# category, score, box; of two images
FOUND = [
    [1, 0.9, 0.1, 0.1, 0.4, 0.4], [1, 0.6, 0.5, 0.5, 0.8, 0.9], [2, 0.7, 0.1, 0.5, 0.4, 0.9], [1, 0.8, 0.2, 0.2, 0.5, 0.5],
    [2, 0.3, 0.6, 0.1, 0.9, 0.4],
]  # fmt: skip
LABELS, DIFFICULT = [[1], [2], [1], [2]], [[0], [0], [1], [0]]
BOXES = [[0.1, 0.1, 0.45, 0.4], [0.1, 0.5, 0.4, 0.8], [0.2, 0.2, 0.5, 0.6], [0.6, 0.6, 0.9, 0.9]]
# boxes that reach beyond the image, a box found twice, a category that is not there, scores out of order, equal scores
OTHERS = [
    [1, 0.3, -0.5, -0.5, 0.4, 0.4], [1, 0.6, 0.5, 0.5, 1.8, 1.9], [1, 0.5, 0.0, 0.0, 0.4, 0.39], [2, 0.2, 0.5, 0.5, 0.9, 0.9],
    [2, 0.8, 0.5, 0.5, 0.9, 0.9], [3, 0.4, 0.0, 0.0, 0.2, 0.2], [2, 0.2, 0.1, 0.1, 0.2, 0.2],
]  # fmt: skip
THERE = [[1, 0, 0, 0, 0.4, 0.4], [2, 0, 0.5, 0.5, 0.9, 0.9], [2, 1, 0, 0.5, 0.4, 0.9]]


def lod(fluid: Any, rows: Any, lengths: Any, dtype: str = "float32") -> Any:
    """A LoDTensor."""
    return fluid.create_lod_tensor(np.array(rows, dtype), [lengths], fluid.CPUPlace())


def tags(fluid: Any) -> Any:
    """Two feeds of tags."""
    a, b = (fluid.layers.data(name, [1], dtype="int64", lod_level=1) for name in "ab")
    left = lod(fluid, [[0], [1], [2], [4], [0]], [3, 2], "int64")
    right = lod(fluid, [[0], [1], [4], [2], [0]], [3, 2], "int64")
    return a, b, {"a": left, "b": right}


def chunks(fluid: Any) -> Any:
    """Chunks of two kinds."""
    a, b, feed = tags(fluid)
    evaluator = fluid.evaluator.ChunkEvaluator(input=a, label=b, chunk_scheme="IOB", num_chunk_types=2)
    return evaluator, feed, [*evaluator.metrics, *evaluator.states]


def distances(fluid: Any) -> Any:
    """Sequences without one of the tags."""
    a, b, feed = tags(fluid)
    evaluator = fluid.evaluator.EditDistance(input=a, label=b, ignored_tokens=[4])
    return evaluator, feed, [*evaluator.metrics, *evaluator.states]


def precision(home: str, with_difficult: bool = True, **options: Any) -> Any:
    """A DetectionMAP."""

    def case(fluid: Any) -> Any:
        widths = {"found": 6, "label": 1, "box": 4, "difficult": 1}
        found, label, box, difficult = (fluid.layers.data(n, [w], lod_level=1) for n, w in widths.items())
        metric = getattr(fluid, home).DetectionMAP(found, label, box, difficult if with_difficult else None, 3, **options)
        feed = {"found": lod(fluid, FOUND, [3, 2])}
        feed.update((n, lod(fluid, v, [2, 2])) for n, v in (("label", LABELS), ("box", BOXES), ("difficult", DIFFICULT)))
        return metric, feed if with_difficult else {n: v for n, v in feed.items() if n != "difficult"}, list(metric.get_map_var())

    return case


def once(found: Any, there: Any, lengths: Any, **options: Any) -> Any:
    """The layer alone."""

    def case(fluid: Any) -> Any:
        x, y = fluid.layers.data("x", [6], lod_level=1), fluid.layers.data("y", [len(there[0])], lod_level=1)
        out = fluid.layers.detection.detection_map(x, y, **dict({"class_num": 4}, **options))
        op = [op for op in out.block.ops if op.type == "detection_map"][0]
        names = [op.output(slot)[0] for slot in ("AccumPosCount", "AccumTruePos", "AccumFalsePos")]
        return None, {"x": lod(fluid, found, lengths[0]), "y": lod(fluid, there, lengths[1])}, [out, *names]

    return case


CASES: Dict[str, Any] = {
    "chunks": chunks,
    "distances": distances,
    "map": precision("metrics"),
    "map/easy": precision("metrics", evaluate_difficult=False, ap_version="11point"),
    "map/plain": precision("metrics", False, overlap_threshold=0.3),
    "map/high": precision("metrics", overlap_threshold=0.9),
    "map/old": precision("evaluator"),
    "layer": once(OTHERS, THERE, ([7], [3])),
    "layer/easy": once(OTHERS, THERE, ([7], [3]), evaluate_difficult=False),
    "layer/points": once(OTHERS, THERE, ([7], [3]), ap_version="11point", overlap_threshold=0.5),
    "layer/background": once(OTHERS, THERE, ([7], [3]), background_label=2),
    "layer/background of one": once(OTHERS, THERE, ([7], [3]), background_label=1),
    "layer/no difficult": once(OTHERS, [row[:1] + row[2:] for row in THERE], ([7], [3])),
    "layer/images": once(OTHERS, THERE, ([0, 3, 4], [1, 1, 1])),
}


def answer(fluid: Any, build: Any) -> Any:
    """What a case gives."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.unique_name.guard(), fluid.program_guard(main, startup), fluid.scope_guard(fluid.Scope()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        metric, feed, fetch = build(fluid)
        executor = fluid.Executor(fluid.CPUPlace())
        executor.run(startup)

        def run() -> Any:
            results = executor.run(main, feed=feed, fetch_list=fetch, return_numpy=False)
            return [[np.array(result).tolist(), result.lod()] for result in results]

        states = getattr(metric, "states", [])
        if metric is not None:
            metric.reset(executor)
        found = {"states": [state.name for state in states], "runs": [run() for _ in range(2 if metric else 1)]}
        if build in (chunks, distances):
            found["eval"] = [np.asarray(value) for value in metric.eval(executor)]
            found["operators"] = [[op.type, op.input_arg_names, op.output_arg_names] for op in main.global_block().ops]
        if metric is not None:
            metric.reset(executor)
            found["reset"] = run()
    return plain(found)


def answers() -> Dict[str, Any]:
    """Every case."""
    import paddle.fluid as fluid

    return {case: answer(fluid, build) for case, build in CASES.items()}


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """One file."""
    return {"fluid_evaluators.json": answers}
