"""Under PADDLE_COMPAT_VERSION=3.3.1 functions whose results Paddle 3 changed, from one and the same call, give those."""

from __future__ import annotations

import pytest
from processes import Runner

SCRIPT = """
import paddle
x = paddle.to_tensor([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
ints = paddle.to_tensor([1, 2, 3], dtype="int32")

def shown(value):
    return f"{str(value.dtype)[7:]}{list(value.shape)}"

def results(x, ints):
    return [
        *paddle.where(x > 0), *paddle.nonzero(ints, as_tuple=True), paddle.shape(x), paddle.linalg.matrix_rank(x),
        paddle.quantile(x, 0.25), paddle.nanquantile(x, [0.5, 0.1], axis=1), paddle.full([2], True), paddle.full([1], 1),
        paddle.cumsum(ints), paddle.cumsum(ints, 0, dtype="int32"),
    ]

numbers = ints.numpy().copy()
eager = results(x, ints)
print(*map(shown, eager))
print(*map(shown, [ints.cumsum_(), paddle.unflatten(x, 1, paddle.to_tensor([3, 1])), paddle.empty_like(x)]))
paddle.enable_static()
fed = [paddle.static.data("x", [-1, 3]), paddle.static.data("ints", [-1], "int32")]
found = paddle.static.Executor().run(feed={"x": x.numpy(), "ints": numbers}, fetch_list=results(*fed))
print(*(a.dtype for a, b in zip(found, eager) if a.dtype != b.numpy().dtype or abs(a * 1.0 - b.numpy()).max() > 1e-6))
"""
RESULTS = {  # what the wheels print
    "2.6.2": "int64[3, 1] int64[3, 1] int64[3, 1] int32[2] int32[] float64[] float64[2, 2] float32[2] float32[1] int32[3] int32[3]",
    "3.0.0": "int64[3, 1] int64[3, 1] int64[3, 1] int64[2] int32[] float32[] float32[2, 2] bool[2] float32[1] int32[3] int32[3]",
    "3.3.1": "int64[3] int64[3] int64[3] int64[2] int64[] float32[] float32[2, 2] bool[2] float32[1] int64[3] int32[3]",
}


@pytest.mark.parametrize("version", RESULTS)
def test_results(version: str, full: Runner) -> None:
    full.env["PADDLE_COMPAT_VERSION"] = version
    full.write({"script.py": SCRIPT})
    assert full.output("-m", "paddle_compat", "script.py").splitlines() == [RESULTS[version], "int32[3] float32[2, 3, 1] float32[2, 3]", ""]
