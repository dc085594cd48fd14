"""Whole beam searches over two sentences: what each step chooses, and the sentences read off at the end."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

WHEELS = ("1.8.5",)
SENTENCES, BEAMS, WORDS, END = 2, 2, 5, 0


def search(seed: int, steps: int) -> dict[str, Any]:
    """One search with made-up probabilities.

    Returns:
        steps: what each step chose, the words it started with included, [ids, scores, LoD].
        candidates: what each step chose from, [ids, scores].
        sentences: ids, scores, LoD, and the shape and LoD level found while recording.
    """
    import paddle.fluid as fluid

    layers = fluid.layers
    draw = np.random.RandomState(seed)
    lengths = [[1] * SENTENCES] * 2
    place = fluid.CPUPlace()
    first = {"ids": np.full((SENTENCES, 1), 1, "int64"), "totals": np.zeros((SENTENCES, 1), "float32")}
    feed = {name: fluid.create_lod_tensor(value, lengths, place) for name, value in first.items()}
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        ids = fluid.data("ids", [None, 1], "int64", lod_level=2)
        totals = fluid.data("totals", [None, 1], "float32", lod_level=2)
        zero = layers.fill_constant([1], "int64", 0)
        arrays = [layers.array_write(value, zero) for value in (ids, totals)]
        fetch = [ids, totals]
        for step in range(steps):
            name = f"chances_{step}"
            feed[name] = np.log(draw.dirichlet(np.ones(WORDS), SENTENCES * BEAMS)).astype("float32")
            chances = fluid.data(name, [None, WORDS], "float32")
            count = layers.slice(layers.shape(totals), [0], [0], [1])
            scores = layers.elementwise_add(layers.gather(chances, layers.range(0, count, 1, "int32")), totals, axis=0)
            scores = layers.lod_reset(scores, totals)
            best, words = layers.topk(scores, 4)
            ids, totals = layers.beam_search(ids, totals, words, best, BEAMS, END)
            place_in = layers.fill_constant([1], "int64", step + 1)
            for value, array in zip((ids, totals), arrays):
                layers.array_write(value, place_in, array)
            fetch += [scores, words, best, ids, totals]
        sentences, marks = layers.beam_search_decode(arrays[0], arrays[1], BEAMS, END)
        program = fluid.default_main_program()
    values = fluid.Executor(place).run(
        program, feed=feed, fetch_list=[*fetch, sentences, marks], return_numpy=False, scope=fluid.core.Scope()
    )
    plain = [np.array(value).tolist() for value in values]
    lods = [value.lod() for value in values]
    later = [slice(2 + 5 * i, 7 + 5 * i) for i in range(steps)]
    return {
        "steps": [
            [plain[0], plain[1], lods[0]],
            *([*plain[s][3:], lods[s][3]] for s in later),
        ],
        "candidates": [plain[s][1:3] for s in later],
        "sentences": [plain[-2], plain[-1], lods[-2], list(sentences.shape), sentences.lod_level],
    }


def searches() -> dict[str, Any]:
    """Searches in which sentences end early, late and never."""
    return {f"seed {seed}": search(seed, 2 + seed % 4) for seed in (0, 1, 2, 3, 4, 6, 7, 10, 11, 14, 19, 23)}


def recordings(version: str) -> dict[str, Any]:
    """The data file."""
    return {"ops_seq_beams.json": partial(searches)}
