"""The losses of `paddle.nn.functional`."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from nn_cases import integers, normal, uniform
from program_cases_functional import fixed

Case = Callable[[Any], Any]
X, Y, P = normal(4, 5), normal(4, 5, seed=1), uniform(4, 5, low=0.05, high=0.95)
SOFT = (np.exp(Y) / np.exp(Y).sum(1, keepdims=True)).astype("float32")
HARD, FLAT, COIN = integers(4, 1, high=5), integers(4, high=5), integers(4, 5, high=2).astype("float32")
SIGN = COIN * 2 - 1
REDUCTIONS = ("mean", "sum", "none")


def of(build: Any, *arrays: Any) -> Case:
    """Functions of fed variables with the same unknown batch; every output is fetched."""

    def case(paddle: Any) -> Any:
        feed = {"x%d" % i: a for i, a in enumerate(arrays)}
        batch = arrays[0].shape[0]
        shapes = {k: [None if a.shape[0] == batch else a.shape[0], *a.shape[1:]] for k, a in feed.items()}
        made = [paddle.static.data(k, shapes[k], str(a.dtype)) for k, a in feed.items()]
        out = build(paddle.nn.functional, *made)
        return feed, list(out) if isinstance(out, (list, tuple)) else [out]

    return case


def reduced(build: Any, *arrays: Any) -> Case:
    """A loss with each of its reductions."""
    return of(lambda F, *made: [build(F, r, *made) for r in REDUCTIONS], *arrays)


CASES: dict[str, Case] = {
    "binary_cross_entropy": reduced(lambda F, r, x, y: F.binary_cross_entropy(x, y, reduction=r), P, COIN),
    "binary_cross_entropy_weight": reduced(lambda F, r, x, y, w: F.binary_cross_entropy(x, y, w, r), P, COIN, uniform(5)),
    "binary_cross_entropy_with_logits": reduced(lambda F, r, x, y: F.binary_cross_entropy_with_logits(x, y, reduction=r), X, COIN),
    "binary_cross_entropy_with_logits_weights": reduced(
        lambda F, r, x, y, w, p: F.binary_cross_entropy_with_logits(x, y, w, r, p),
        X,
        COIN,
        uniform(5),
        uniform(5, high=3.0),
    ),
    "cosine_embedding_loss": reduced(lambda F, r, x, y, s: F.cosine_embedding_loss(x, y, s, 0.1, r), X, Y, np.array([1, -1, 1, -1])),
    "cross_entropy": reduced(lambda F, r, x, y: F.cross_entropy(x, y, reduction=r), X, HARD),
    "cross_entropy_flat": reduced(lambda F, r, x, y: F.cross_entropy(x, y, reduction=r), X, FLAT),
    "cross_entropy_ignore": reduced(lambda F, r, x, y: F.cross_entropy(x, y, ignore_index=2, reduction=r), X, FLAT),
    "cross_entropy_weight": reduced(lambda F, r, x, y, w: F.cross_entropy(x, y, w, reduction=r), X, HARD, uniform(5)),
    "cross_entropy_weight_ignore": of(lambda F, x, y, w: F.cross_entropy(x, y, w, ignore_index=2), X, FLAT, uniform(5)),
    "cross_entropy_soft": reduced(lambda F, r, x, y: F.cross_entropy(x, y, reduction=r, soft_label=True), X, SOFT),
    "cross_entropy_soft_weight": reduced(lambda F, r, x, y, w: F.cross_entropy(x, y, w, reduction=r, soft_label=True), X, SOFT, uniform(5)),
    "cross_entropy_smooth": of(lambda F, x, y: F.cross_entropy(x, y, label_smoothing=0.1), X, FLAT),
    "cross_entropy_smooth_ignore": reduced(
        lambda F, r, x, y: F.cross_entropy(x, y, ignore_index=2, reduction=r, label_smoothing=0.1), X, FLAT
    ),
    "cross_entropy_soft_ignore": reduced(lambda F, r, x, y: F.cross_entropy(x, y, ignore_index=0, reduction=r, soft_label=True), X, SOFT),
    "cross_entropy_axis": of(
        lambda F, x, y: [F.cross_entropy(x, y, axis=1), F.cross_entropy(x, y, axis=1, reduction="none")],
        normal(2, 5, 3),
        integers(2, 3, high=5),
    ),
    "cross_entropy_probabilities": of(lambda F, x, y: F.cross_entropy(x, y, use_softmax=False), SOFT, HARD),
    "dice_loss": of(lambda F, x, y: F.dice_loss(x, y), SOFT, HARD),
    "gaussian_nll_loss": reduced(lambda F, r, x, y, v: F.gaussian_nll_loss(x, y, v, True, reduction=r), X, Y, P),
    "hinge_embedding_loss": reduced(lambda F, r, x, y: F.hinge_embedding_loss(x, y, 0.8, r), X, SIGN),
    "hsigmoid_loss": of(lambda F, x, y, w, b: F.hsigmoid_loss(x, y, 6, w, b), X, integers(4, 1, high=6), normal(5, 5), normal(5, 1)),
    "kl_div": reduced(lambda F, r, x, y: F.kl_div(x, y, r), np.log(P), SOFT),
    "kl_div_batchmean": of(lambda F, x, y: F.kl_div(x, y, "batchmean"), np.log(P), SOFT),
    "l1_loss": reduced(lambda F, r, x, y: F.l1_loss(x, y, r), X, Y),
    "log_loss": of(lambda F, x, y: F.log_loss(x, y), uniform(4, 1), COIN[:, :1].copy()),
    "margin_ranking_loss": reduced(lambda F, r, x, y, s: F.margin_ranking_loss(x, y, s, 0.1, r), X, Y, SIGN),
    "margin_ranking_loss_plain": of(lambda F, x, y, s: F.margin_ranking_loss(x, y, s), X, Y, SIGN),
    "mse_loss": reduced(lambda F, r, x, y: F.mse_loss(x, y, r), X, Y),
    "multi_label_soft_margin_loss": reduced(lambda F, r, x, y: F.multi_label_soft_margin_loss(x, y, reduction=r), X, COIN),
    "multi_label_soft_margin_loss_weight": of(lambda F, x, y, w: F.multi_label_soft_margin_loss(x, y, w), X, COIN, uniform(4, 5)),
    "multi_margin_loss": reduced(lambda F, r, x, y: F.multi_margin_loss(x, y, reduction=r), X, FLAT),
    "multi_margin_loss_weight": of(lambda F, x, y, w: F.multi_margin_loss(x, y, 2, 0.8, w), X, FLAT, uniform(5)),
    "nll_loss": reduced(lambda F, r, x, y: F.nll_loss(x, y, reduction=r), np.log(SOFT), FLAT),
    "nll_loss_weight": of(lambda F, x, y, w: F.nll_loss(x, y, w, 2), np.log(SOFT), FLAT, uniform(5)),
    "nll_loss_deep": fixed(lambda F, x, y: [F.nll_loss(x, y), F.nll_loss(x, y, reduction="none")], normal(2, 5, 3), integers(2, 3, high=5)),
    "npair_loss": fixed(lambda F, x, y, z: F.npair_loss(x, y, z), X, Y, FLAT.astype("float32")),
    "poisson_nll_loss": reduced(lambda F, r, x, y: F.poisson_nll_loss(x, y, reduction=r), X, P),
    "poisson_nll_loss_full": fixed(lambda F, x, y: F.poisson_nll_loss(x, y, False, True), P, P * 5),
    "sigmoid_focal_loss": reduced(lambda F, r, x, y: F.sigmoid_focal_loss(x, y, reduction=r), X, COIN),
    "sigmoid_focal_loss_normalizer": of(lambda F, x, y, n: F.sigmoid_focal_loss(x, y, n), X, COIN, np.array([3.0], "float32")),
    "smooth_l1_loss": reduced(lambda F, r, x, y: F.smooth_l1_loss(x, y, r, 0.7), X, Y),
    "soft_margin_loss": reduced(lambda F, r, x, y: F.soft_margin_loss(x, y, r), X, SIGN),
    "softmax_with_cross_entropy": of(lambda F, x, y: F.softmax_with_cross_entropy(x, y, return_softmax=True), X, HARD),
    "square_error_cost": of(lambda F, x, y: F.square_error_cost(x, y), X, Y),
    "triplet_margin_loss": reduced(lambda F, r, x, y, z: F.triplet_margin_loss(x, y, z, reduction=r), X, Y, normal(4, 5, seed=2)),
    "triplet_margin_loss_swap": of(lambda F, x, y, z: F.triplet_margin_loss(x, y, z, 0.5, 1, swap=True), X, Y, normal(4, 5, seed=2)),
    "triplet_margin_with_distance_loss": reduced(
        lambda F, r, x, y, z: F.triplet_margin_with_distance_loss(x, y, z, reduction=r), X, Y, normal(4, 5, seed=2)
    ),
    "ctc_loss": fixed(
        lambda F, x, y, n, m: F.ctc_loss(x, y, n, m, reduction="sum"),
        normal(5, 2, 4),
        np.array([[1, 2], [3, 1]], "int32"),
        np.array([5, 4]),
        np.array([2, 1]),
    ),
    "rnnt_loss": fixed(
        lambda F, x, y, n, m: [F.rnnt_loss(x, y, n, m, reduction=r) for r in REDUCTIONS],
        normal(2, 4, 3, 5),
        np.array([[1, 2], [3, 1]], "int32"),
        np.array([4, 4], "int32"),
        np.array([2, 2], "int32"),
    ),
}
