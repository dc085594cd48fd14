"""Short pieces of Paddle 3 code and what they answer, in the wheel and in ours; see test_paddle3_pieces.py.

Each piece runs in eager mode from the same seed and leaves an `answer`: numbers, texts, Tensors, lists of these. What raises has its
exception's classes for an answer.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from paddle3_pieces_gradients import CASES as GRADIENTS
from paddle3_pieces_names import CASES as NAMES
from paddle3_pieces_scripts import CASES as SCRIPTS

CASES = {**NAMES, **SCRIPTS, **GRADIENTS}


def plain(value: Any) -> Any:
    """The JSON spelling of an answer."""
    if isinstance(value, dict):
        return [[plain(key), plain(each)] for key, each in value.items()]
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if hasattr(value, "stop_gradient"):
        value = value.astype("float32") if "float16" in str(value.dtype) or "float8" in str(value.dtype) else value
        return [str(value.dtype), list(value.shape), plain(value.numpy())]
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist())
    return value if value is None or isinstance(value, (bool, int, float, str)) and value == value else str(value)


def answer(name: str) -> Any:
    """What a piece of code answers, or the classes of what it raises."""
    import paddle

    paddle.seed(7)
    np.random.seed(7)
    names: dict[str, Any] = {"paddle": paddle, "np": np, "nn": paddle.nn, "F": paddle.nn.functional, "__name__": "piece"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(CASES[name], name, "exec"), names)
        except Exception as error:
            return {"raises": [kind.__name__ for kind in type(error).__mro__]}
        return plain(names["answer"])
