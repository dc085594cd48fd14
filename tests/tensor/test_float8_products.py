"""paddle.linalg.fp8_fp8_half_gemm_fused, whose kernel Paddle has for GPUs only: against float32 products of what 8 bits keep."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_compat as paddle


@pytest.mark.parametrize("kind", ["float8_e4m3fn", "float8_e5m2"])
@pytest.mark.parametrize(("act", "after"), [("identity", lambda x: x), ("relu", lambda x: np.maximum(x, 0))])
def test_products(kind: str, act: str, after: object) -> None:
    rng = np.random.default_rng(0)
    x, y = (paddle.to_tensor(rng.standard_normal(shape).astype("float32")).astype(kind) for shape in ((2, 3, 4), (2, 5, 4)))
    bias = rng.standard_normal(5).astype("float32")
    out = paddle.linalg.fp8_fp8_half_gemm_fused(x, y, False, True, paddle.to_tensor(bias), 0.5, "bfloat16", act)
    assert out.dtype == paddle.bfloat16 and out.shape == [2, 3, 5]
    exact = after(x.astype("float32").numpy() @ y.astype("float32").numpy().swapaxes(1, 2) * 0.5 + bias)  # type: ignore[operator]
    np.testing.assert_allclose(out.astype("float32").numpy(), exact, rtol=8e-3, atol=1e-6)


def test_wrong_use() -> None:
    x = paddle.ones([2, 2]).astype("float8_e4m3fn")
    with pytest.raises((TypeError, ValueError), match="x"):
        paddle.linalg.fp8_fp8_half_gemm_fused(paddle.ones([2, 2]), x)
    with pytest.raises(ValueError, match=r"`act`.*Received: .*tanh"):
        paddle.linalg.fp8_fp8_half_gemm_fused(x, x, act="tanh")
    with pytest.raises(ValueError, match=r"`output_dtype`.*float32"):
        paddle.linalg.fp8_fp8_half_gemm_fused(x, x, output_dtype="float32")
