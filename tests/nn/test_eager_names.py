"""Every public class and function of `paddle.nn` has an eager case: what is added needs one."""

from __future__ import annotations

import inspect

from eager_replay import recorded

import paddle_compat as paddle

# The wheel has them for GPUs or several processes alone, or elsewhere (`paddle.diag_embed`).
ELSEWHERE = {"class_center_sample", "diag_embed", "margin_cross_entropy", "sparse_attention"}


def test_every_class() -> None:
    public = {name for name in paddle.nn.__all__ if inspect.isclass(getattr(paddle.nn, name))}
    assert public - set(recorded("eager_names")["classes"]) == set()


def test_every_function() -> None:
    assert set(paddle.nn.functional.__all__) - set(recorded("eager_names")["functions"]) - ELSEWHERE == set()
