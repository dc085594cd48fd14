"""Every public class and function of `paddle.nn` has an eager case: what is added needs one."""

from __future__ import annotations

import inspect

import eager_replay
import paddle3_nn_cases

import paddle_compat as paddle

# The wheel has them for GPUs or several processes alone, or elsewhere (`paddle.diag_embed`).
ELSEWHERE = {
    "class_center_sample", "diag_embed", "flash_attn_varlen_qkvpacked", "margin_cross_entropy", "moe_permute", "moe_unpermute", "rms_norm",
    "sparse_attention",
}  # fmt: skip
OF_PADDLE_3 = "".join(paddle3_nn_cases.CASES)


def test_every_class() -> None:
    public = {value.__name__ for value in (getattr(paddle.nn, name) for name in paddle.nn.__all__) if inspect.isclass(value)}
    missing = public - set(eager_replay.recorded("eager_names")["classes"]) - {"EagerParamBase"}  # `Parameter`, by its other name
    assert {name for name in missing if f"nn.{name}(" not in OF_PADDLE_3} == set()


def test_every_function() -> None:
    missing = set(paddle.nn.functional.__all__) - set(eager_replay.recorded("eager_names")["functions"]) - ELSEWHERE
    assert {name for name in missing if f"F.{name}(" not in OF_PADDLE_3} == set()
