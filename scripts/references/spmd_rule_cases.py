"""How tensors lie that go into operators and come out of them: the rules of `core.get_phi_spmd_rule`."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

WHEELS = ("2.6.2", "3.3.1")
MESH = [[0, 1, 2], [3, 4, 5]]
SINCE_3 = ("add_n", "argmax", "argsort", "cumsum", "expand_as", "gather_nd", "greater_than", "logsumexp", "mean_all", "nonzero", "one_hot",
           "p_norm", "roll", "strided_slice", "swiglu", "tile", "topk", "unbind")  # fmt: skip
# rule: [shapes of inputs], [shapes of outputs], attributes; a list of shapes for an operator's list
X, Y = [6, 12, 18], [12, 18]
CASES: dict[str, list[tuple[list[Any], list[Any], list[Any]]]] = {
    **{name: [([X], [X], [])] for name in ("relu", "scale", "exp", "dropout", "clip")},
    **{name: [([X, Y], [X], []), ([[6, 1, 18], [12, 1]], [X], []), ([X, X], [X], [])] for name in ("add", "multiply", "fmax", "not_equal")},
    "greater_than": [([X, Y], [X], [])],
    "swiglu": [([X, X], [X], [])],
    "where": [([X, X, X], [X], []), ([X, Y, X], [X], [])],
    "matmul": [
        ([[6, 12], [12, 18]], [[6, 18]], [False, False]),
        ([[12, 6], [12, 18]], [[6, 18]], [True, False]),
        ([[6, 12], [18, 12]], [[6, 18]], [False, True]),
        ([[24, 6, 12], [24, 12, 18]], [[24, 6, 18]], [False, False]),
        ([[30, 24, 6, 12], [12, 18]], [[30, 24, 6, 18]], [False, False]),
        ([[24, 6, 12], [30, 24, 12, 18]], [[30, 24, 6, 18]], [False, False]),
    ],
    "embedding": [([[6, 12], [24, 18]], [[6, 12, 18]], [-1, False]), ([[6, 12], [24, 18]], [[6, 12, 18]], [3, False])],
    "softmax": [([X], [X], [axis]) for axis in (-1, 0, 1)],
    "log_softmax": [([X], [X], [-1])],
    "cross_entropy_with_softmax": [
        ([X, [6, 12, 1]], [X, [6, 12, 1]], [False, True, True, -100, -1]),
        ([X, [6, 1, 18]], [X, [6, 1, 18]], [False, True, True, -100, 1]),
        ([X, X], [X, [6, 12, 1]], [True, True, True, -100, -1]),
    ],
    "layer_norm": [([X, [18], [18]], [X, [6, 12], [6, 12]], [1e-5, 2]), ([X, [216], [216]], [X, [6], [6]], [1e-5, 1])],
    **{
        name: [([X], [[12, 18]], [[0], False]), ([X], [[6, 1, 18]], [[1], True]), ([X], [[6]], [[1, 2], False])]
        for name in ("sum", "max", "all", "prod")
    },
    "logsumexp": [([X], [[12, 18]], [[0], False, False])],
    "p_norm": [([X], [[6, 18]], [2.0, 1, 1e-12, False, False])],
    "reshape": [
        ([[6, 12, 48, 24]], [[1, 72, 48, 4, 6]], [[1, 72, 48, 4, 6]]),
        ([[6, 12, 48, 24]], [[72, 48, 24]], [[72, -1, 24]]),
        ([[6, 12]], [[12, 6]], [[12, 6]]),
        ([[6, 6, 18]], [[6, 108]], [[0, 108]]),
    ],
    "flatten": [([[6, 12, 18, 24]], [[6, 216, 24]], [1, 2]), ([[6, 12, 18]], [[1296]], [0, -1])],
    "squeeze": [([[1, 6, 1, 12]], [[6, 1, 12]], [[0]]), ([[6, 12]], [[6, 12]], [[0]])],
    "unsqueeze": [([[6, 12]], [[6, 1, 12]], [[1]]), ([[6, 12]], [[1, 1, 6, 12]], [[0, 1]]), ([[6, 12]], [[6, 12, 1]], [[-1]])],
    "transpose": [([X], [[12, 6, 18]], [[1, 0, 2]]), ([X], [[18, 6, 12]], [[-1, 0, 1]])],
    "split_with_num": [([X], [[6, 6, 18], [6, 6, 18]], [2, 1])],
    "split": [([X], [[2, 12, 18], [4, 12, 18]], [[2, 4], 0])],
    "slice": [([X], [[2, 12, 18]], [[0], [2], [4], [1], [0]])],
    "triu": [([X], [X], [0])],
    "default_data_parallel": [([[6, 12], [6]], [[6, 12, 18]], [])],
    "replicated": [([[6, 12], [6]], [[6, 12, 18]], [])],
    "add_n": [([[X, X]], [X], [])],
    "argmax": [([X], [[6, 18]], [1, False, False, 3]), ([X], [[6, 1, 18]], [1, True, False, 3])],
    "argsort": [([X], [X, X], [-1, True, False])],
    "topk": [([X], [X, X], [4, 0, True, True])],
    "cumsum": [([X], [X], [1, False, False, False]), ([X], [[1296]], [1, True, False, False])],
    "expand_as": [([[12, 18], X], [X], [X]), ([[1, 18], Y], [Y], [Y])],
    "gather_nd": [([X, [24, 6, 2]], [[24, 6, 18]], [])],
    "mean_all": [([X], [[]], [])],
    "nonzero": [([Y], [[24, 2]], [])],
    "one_hot": [([Y], [[12, 18, 10]], [10])],
    "roll": [([X], [X], [[1], [1]])],
    "strided_slice": [([X], [[2, 12, 18]], [[0], [1], [5], [2]])],
    "tile": [([X], [[12, 12, 18]], [[2, 1, 1]]), ([Y], [[6, 12, 18]], [[6, 1, 1]])],
    "unbind": [([[6, 12, 2]], [[6, 12], [6, 12]], [2])],
}
FORWARD_ONLY = ("add_n", "argmax", "argsort", "expand_as", "logsumexp", "mean_all", "nonzero", "roll", "strided_slice",
                "topk", "unbind")  # fmt: skip
TIMES = 6
MAPPINGS = random.Random(5)


def lying(shape: list[int]) -> list[int]:
    """What cuts each dimension, drawn: dimensions of one are left whole, and no dimension of the mesh cuts two."""
    mapping = [-1] * len(shape)
    for by in (0, 1):
        place = MAPPINGS.randrange(len(shape) + 1) if shape else 0
        if place < len(shape) and shape[place] != 1 and mapping[place] == -1:
            mapping[place] = by
    return mapping


def laid(shape: list[Any]) -> Any:
    """A tensor of that shape, or several."""
    return [laid(one) for one in shape] if shape and isinstance(shape[0], list) else {"shape": shape, "lies": lying(shape)}


def asked() -> list[tuple[str, str, list[Any]]]:
    """Rules, directions and arguments, drawn in this order: a rule that is added goes to the end."""
    MAPPINGS.seed(5)
    found = []
    for name, cases in CASES.items():
        for inputs, outputs, attributes in cases:
            for _ in range(TIMES):
                tensors = [laid(shape) for shape in inputs]
                many = name in ("default_data_parallel", "replicated")
                results: list[Any] = [laid(outputs)] if many or name.startswith("split") else [laid(shape) for shape in outputs]
                found.append((name, "forward", [tensors, results[0]] if many else [*tensors, *attributes]))
                if name not in FORWARD_ONLY:
                    found.append((name, "backward", [tensors, results[0]] if many else [*tensors, *results, *attributes]))
    return found


def answers(core: Any, mesh: Any, since_3: bool) -> list[Any]:
    """What each rule of core gives: [dims_mapping, partial dimensions] of inputs and outputs, or the error's kind."""

    def made(argument: Any) -> Any:
        if isinstance(argument, list) and argument and isinstance(argument[0], dict):
            return [made(one) for one in argument]
        if not isinstance(argument, dict):
            return argument
        lies = core.TensorDistAttr()
        lies.process_mesh, lies.dims_mapping = mesh, argument["lies"]
        return core.DistTensorSpec(argument["shape"], lies)

    def shown(found: Any) -> Any:
        if isinstance(found, (list, tuple)):
            return [shown(one) for one in found]
        return [list(found.dims_mapping), sorted(found._partial_dims())]

    given = []
    for name, direction, arguments in asked():
        if name in SINCE_3 and not since_3:
            given.append(None)
            continue
        rule = core.get_phi_spmd_rule(name)
        try:
            given.append(shown(getattr(rule, f"infer_{direction}")(*map(made, arguments))))
        except Exception as error:
            kinds = (kind.__name__ for kind in (NotImplementedError, ValueError, RuntimeError) if isinstance(error, kind))
            given.append(type(error).__name__ if type(error).__name__ == "UnsupportedError" else next(kinds))
    return given


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The answers."""

    def recorded() -> list[Any]:
        from paddle.base import core
        from paddle.distributed import ProcessMesh

        return answers(core, ProcessMesh(MESH), version.startswith("3"))

    return {f"spmd_rules_{version}.json.gz": recorded}
