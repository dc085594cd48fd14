"""Cases of the loss operators."""

from __future__ import annotations

from typing import Any

import numpy as np
from nn_cases import case, integers, normal, uniform

OLD, NEW = ("1.8.5",), ("2.6.2",)


def softmax(*shape: int, seed: int = 0) -> Any:
    """Rows of probabilities."""
    raw = np.exp(normal(*shape, seed=seed))
    return (raw / raw.sum(-1, keepdims=True)).astype("float32")


def coins(*shape: int, seed: int = 0) -> Any:
    """Zeros and ones as floats."""
    return integers(*shape, high=2, seed=seed).astype("float32")


X, P, HARD = normal(6, 5), softmax(6, 5), integers(6, 1, high=5, seed=1)
SOFT = softmax(6, 5, seed=2)
DEEP, DEEP_HARD = normal(2, 4, 3), integers(2, 1, 3, high=4, seed=1)
IGNORED = np.where(np.arange(6)[:, None] % 3 == 1, -100, HARD)
ONE, TWO = normal(6, 1), normal(6, 1, seed=1)
BOX, BOX2 = normal(4, 6), normal(4, 6, seed=1) * 0.7
LOGITS, TARGET = normal(4, 3), coins(4, 3, seed=1)
COMMON = {"numeric_stable_mode": True}


def swce(x: Any, label: Any, **attrs: Any) -> Any:
    """softmax_with_cross_entropy; the gradient comes into the loss."""
    full = dict({"soft_label": False, "ignore_index": -100, "axis": -1, "numeric_stable_mode": True}, **attrs)
    return case("softmax_with_cross_entropy", {"Logits": x, "Label": label}, full, ("Logits",), upstream=["Loss"])


def nll(x: Any, label: Any, weight: Any = None, **attrs: Any) -> Any:
    """nll_loss; the gradient comes into Out."""
    inputs = {"X": x, "Label": label}
    if weight is not None:
        inputs["Weight"] = weight
    full = dict({"ignore_index": -100, "reduction": "mean"}, **attrs)
    return case("nll_loss", inputs, full, ("X",), upstream=["Out"])


CASES: dict[str, Any] = {
    "softmax_with_cross_entropy": swce(X, HARD),
    "softmax_with_cross_entropy_ignore": swce(X, IGNORED),
    "softmax_with_cross_entropy_ignore2": swce(X, HARD, ignore_index=2),
    "softmax_with_cross_entropy_soft": swce(X, SOFT, soft_label=True),
    "softmax_with_cross_entropy_axis": swce(DEEP, DEEP_HARD, axis=1),
    "softmax_with_cross_entropy_soft_axis": swce(DEEP, np.abs(normal(2, 4, 3, seed=1)), soft_label=True, axis=1),
    "softmax_with_cross_entropy_unstable": swce(X, HARD, numeric_stable_mode=False),
    "softmax_with_cross_entropy_no_softmax": dict(swce(P, HARD, use_softmax=False), wheels=NEW),
    "softmax_with_cross_entropy_no_softmax_soft": dict(swce(P, SOFT, use_softmax=False, soft_label=True), wheels=NEW),
    "cross_entropy": case("cross_entropy", {"X": P, "Label": HARD}, {"soft_label": False, "ignore_index": 3}, ("X",)),
    "cross_entropy_soft": case("cross_entropy", {"X": P, "Label": SOFT}, {"soft_label": True}, ("X",)),
    "cross_entropy_zero": case("cross_entropy", {"X": np.where(P > 0.25, P, 0).astype("float32"), "Label": HARD}, {"soft_label": False}),
    "cross_entropy_deep": case("cross_entropy", {"X": softmax(2, 3, 5), "Label": integers(2, 3, 1, high=5)}, {}, ("X",)),
    "cross_entropy2": case("cross_entropy2", {"X": P, "Label": HARD}, {"ignore_index": 3}, ("X",), ("Y", "MatchX"), upstream=["Y"]),
    "cross_entropy2_deep": case(
        "cross_entropy2",
        {"X": softmax(2, 3, 5), "Label": integers(2, 3, 1, high=5)},
        {},
        ("X",),
        ("Y", "MatchX"),
        upstream=["Y"],
    ),
    "bce_loss": case("bce_loss", {"X": uniform(4, 3, low=0.05, high=0.95), "Label": TARGET}, grads=("X",)),
    "sigmoid_cross_entropy_with_logits": case("sigmoid_cross_entropy_with_logits", {"X": LOGITS, "Label": TARGET}, grads=("X",)),
    "sigmoid_cross_entropy_with_logits_ignore": case(
        "sigmoid_cross_entropy_with_logits",
        {"X": LOGITS, "Label": np.where(normal(4, 3, seed=5) > 0.5, -1, TARGET).astype("float32")},
        {"ignore_index": -1, "normalize": True},
        ("X",),
    ),
    "sigmoid_cross_entropy_with_logits_pos_weight": case(
        "sigmoid_cross_entropy_with_logits",
        {"X": LOGITS, "Label": TARGET, "pos_weight": uniform(4, 3, low=0.5, high=3.0)},
        {},
        ("X",),
        wheels=NEW,
    ),
    "huber_loss": case("huber_loss", {"X": ONE, "Y": TWO}, {"delta": 0.8}, ("X", "Y"), upstream=["Out"]),
    "smooth_l1_loss": case("smooth_l1_loss", {"X": BOX, "Y": BOX2}, {"sigma": 1.5}, ("X", "Y"), upstream=["Out"], wheels=OLD),
    "smooth_l1_loss_weights": case(
        "smooth_l1_loss",
        {"X": BOX, "Y": BOX2, "InsideWeight": uniform(4, 6), "OutsideWeight": uniform(4, 6, seed=1)},
        {"sigma": 1.0},
        ("X", "Y"),
        upstream=["Out"],
        wheels=OLD,
    ),
    "log_loss": case("log_loss", {"Predicted": uniform(6, 1), "Labels": coins(6, 1, seed=1)}, {"epsilon": 1e-4}, ("Predicted",)),
    "hinge_loss": case("hinge_loss", {"Logits": ONE, "Labels": coins(6, 1, seed=1)}, {}, ("Logits",)),
    "rank_loss": case("rank_loss", {"Label": coins(6, 1, seed=2), "Left": ONE, "Right": TWO}, {}, ("Left", "Right")),
    "margin_rank_loss": case(
        "margin_rank_loss",
        {"Label": coins(6, 1, seed=2) * 2 - 1, "X1": ONE, "X2": TWO},
        {"margin": 0.1},
        ("X1", "X2"),
        upstream=["Out"],
        wheels=OLD,
    ),
    "modified_huber_loss": case("modified_huber_loss", {"X": ONE * 2, "Y": coins(6, 1, seed=2)}, {}, ("X",), upstream=["Out"], wheels=OLD),
    "bpr_loss": case("bpr_loss", {"X": X, "Label": HARD}, {}, ("X",)),
    "teacher_student_sigmoid_loss": case(
        "teacher_student_sigmoid_loss",
        {"X": normal(8, 1), "Label": np.array([[-2], [-1], [0.3], [1.4], [-2], [-1], [0.9], [1.1]], "float32")},
        {"soft_max_up_bound": 15.0, "soft_max_lower_bound": -15.0},
        ("X",),
    ),
    "sigmoid_focal_loss": case(
        "sigmoid_focal_loss",
        {"X": X, "Label": integers(6, 1, high=6, seed=1, dtype="int32"), "FgNum": np.array([3], "int32")},
        {"gamma": 2.0, "alpha": 0.25},
        ("X",),
        wheels=OLD,
    ),
    "label_smooth": case("label_smooth", {"X": SOFT}, {"epsilon": 0.1}, ("X",)),
    "label_smooth_prior": case("label_smooth", {"X": SOFT, "PriorDist": softmax(1, 5, seed=4)}, {"epsilon": 0.2}, ("X",)),
    "center_loss": case(
        "center_loss",
        {
            "X": X,
            "Label": np.array([[0], [2], [2], [1], [0], [2]], "int64"),
            "Centers": normal(4, 5, seed=3),
            "CenterUpdateRate": np.array([0.3], "float32"),
        },
        {"cluster_num": 4, "need_update": True},
        ("X",),
        upstream=["Loss"],
        wheels=OLD,
        inplace={"CentersOut": "Centers"},
    ),
    "cos_sim": case("cos_sim", {"X": X, "Y": normal(6, 5, seed=1)}, {}, ("X", "Y"), upstream=["Out"], wheels=OLD),
    "cos_sim_row": case("cos_sim", {"X": X, "Y": normal(1, 5, seed=1)}, {}, ("X", "Y"), upstream=["Out"], wheels=OLD),
    "warprnnt": case(
        "warprnnt",
        {
            "input": normal(2, 4, 3, 5),
            "label": np.array([[1, 2], [3, 1]], "int32"),
            "input_lengths": np.array([4, 3], "int32"),
            "label_lengths": np.array([2, 1], "int32"),
        },
        {"blank": 0, "fastemit_lambda": 0.01},
        ("input",),
        upstream=["loss"],
        wheels=NEW,
    ),
    "nll_loss_none": nll(np.log(P), HARD[:, 0], reduction="none"),
    "nll_loss_mean": nll(np.log(P), HARD[:, 0]),
    "nll_loss_sum": nll(np.log(P), HARD[:, 0], uniform(5), reduction="sum"),
    "nll_loss_weighted": nll(np.log(P), HARD[:, 0], uniform(5), ignore_index=1),
    "nll_loss_deep": nll(normal(2, 4, 3, 2), integers(2, 3, 2, high=4), uniform(4)),
    "nll_loss_deep_none": nll(normal(2, 4, 3, 2), integers(2, 3, 2, high=4), reduction="none"),
}
CASES.update(
    {
        "kldiv_loss_" + reduction: case(
            "kldiv_loss",
            {"X": np.log(P), "Target": np.where(SOFT > 0.1, SOFT, 0).astype("float32")},
            {"reduction": reduction},
            ("X",),
        )
        for reduction in ("mean", "sum", "batchmean", "none")
    }
)
