"""Under PADDLE_COMPAT_VERSION=3.3.1 a clip by the global norm writes over gradients, as 3.3.1's does; 2.6.2's and others do not."""

from __future__ import annotations

import pytest
from processes import Runner

SCRIPT = """
import paddle
from paddle.nn import ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue

def parameter(value):
    return paddle.create_parameter([2], "float32", default_initializer=paddle.nn.initializer.Constant(value))

for clip in (ClipGradByGlobalNorm(0.1), ClipGradByGlobalNorm(100.0), ClipGradByNorm(0.1), ClipGradByValue(0.05)):
    for kind in (paddle.optimizer.SGD, paddle.optimizer.AdamW):
        a, b, c = parameter(4.0), parameter(3.0), parameter(1.0)
        b.need_clip = False
        (a * b * c).sum().backward()
        held = a.grad
        kind(0.5, parameters=[a, b, c], grad_clip=clip).step()
        print(*(f"{v[0].item():.4f}" for v in (a.grad, b.grad, c.grad, held, a, b, c)), end=";")
print()
a = parameter(4.0)
a.sum().backward()
((_, clipped),) = ClipGradByGlobalNorm(0.1)([(a, a.grad)])
print(f"{clipped[0].item():.4f} {a.grad[0].item():.4f}", a.grad.is_leaf)
"""
OTHERS = (  # of the bound that nothing reaches, of each norm and of each value
    "3.0000 4.0000 12.0000 3.0000 2.5000 1.0000 -5.0000;3.0000 4.0000 12.0000 3.0000 3.4800 2.4850 0.4950;"
    "3.0000 4.0000 12.0000 3.0000 3.9646 1.0000 0.9646;3.0000 4.0000 12.0000 3.0000 3.4800 2.4850 0.4950;"
    "3.0000 4.0000 12.0000 3.0000 3.9750 1.0000 0.9750;3.0000 4.0000 12.0000 3.0000 3.4800 2.4850 0.4950;"
)
PRINTED = {  # by the wheels: gradients, a gradient held before the step, parameters; the clip called by itself
    "2.6.2": [
        "3.0000 4.0000 12.0000 3.0000 3.9914 1.0000 0.9657;3.0000 4.0000 12.0000 3.0000 3.4800 2.4850 0.4950;" + OTHERS,
        "0.0707 1.0000 True",
    ],
    "3.3.1": [
        "0.0171 4.0000 0.0686 0.0171 3.9914 1.0000 0.9657;0.0171 4.0000 0.0686 0.0171 3.4800 2.4850 0.4950;" + OTHERS,
        "0.0707 0.0707 True",
    ],
}


@pytest.mark.parametrize("version", PRINTED)
def test_gradients_after_a_clip(version: str, full: Runner) -> None:
    full.env["PADDLE_COMPAT_VERSION"] = version
    full.write({"script.py": SCRIPT})
    assert full.output("-m", "paddle_compat", "script.py").splitlines() == PRINTED[version]
