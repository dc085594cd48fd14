"""Cases of the metric operators."""

from __future__ import annotations

from typing import Any

import numpy as np
from nn_cases import case, integers, normal, uniform

STATES = {"StatPosOut": "StatPos", "StatNegOut": "StatNeg"}


def auc(slide_steps: int, size: tuple, **inputs: Any) -> Any:
    """An area under the curve after some earlier batches."""
    state = {"StatPos": integers(*size, high=3), "StatNeg": integers(*size, high=3, seed=1)}
    if slide_steps:  # the last number counts the batches; the block before it is the sum of the others
        for array in state.values():
            bins = (array.size - 1) // (slide_steps + 1)
            array[-1 - bins : -1] = array[: -1 - bins].reshape(slide_steps, bins).sum(0)
            array[-1] = 4
    full = dict({"Predict": uniform(9, 2), "Label": integers(9, 1, high=2)}, **dict(state, **inputs))
    attrs = {"num_thresholds": 7, "slide_steps": slide_steps, "curve": "ROC"}
    return case("auc", full, attrs, outputs=("AUC", "StatPosOut", "StatNegOut"), inplace=STATES)


def fresh(case_: Any) -> Any:
    """The same without earlier batches."""
    for slot in ("StatPos", "StatNeg"):
        case_["inputs"][slot] = np.zeros_like(case_["inputs"][slot])
    return case_


CASES: dict[str, Any] = {
    "accuracy": case(
        "accuracy", {"Out": normal(7, 2), "Indices": integers(7, 2, high=4), "Label": integers(7, 1, high=4)}, {}
    ),
    "auc": auc(0, (1, 8)),
    "auc_fresh": fresh(auc(0, (1, 8))),
    "auc_sliding": auc(3, (33,)),
    "auc_one_class": fresh(auc(0, (1, 8), Label=np.ones((9, 1), "int64"))),
    "mean_iou": case(
        "mean_iou",
        {"Predictions": integers(4, 5, high=3, dtype="int32"), "Labels": integers(4, 5, high=3, seed=1, dtype="int32")},
        {"num_classes": 4},
        wheels=("1.8.5",),
    ),
    "precision_recall": case(
        "precision_recall",
        {
            "MaxProbs": uniform(6, 1),
            "Indices": integers(6, 1, high=3, dtype="int32"),
            "Labels": integers(6, 1, high=3, seed=1, dtype="int32"),
            "Weights": uniform(6, 1, seed=1),
            "StatesInfo": uniform(3, 4, high=5.0),
        },
        {"class_number": 3},
    ),
    "positive_negative_pair": case(
        "positive_negative_pair",
        {"Score": normal(8, 1), "Label": integers(8, 1, high=3).astype("float32"), "QueryID": integers(8, 1, high=2)},
        {"column": -1},
        outputs=("PositivePair", "NegativePair", "NeutralPair"),
    ),
}
