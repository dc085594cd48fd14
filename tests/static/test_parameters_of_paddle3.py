"""Under PADDLE_COMPAT_VERSION=3.3.1: parameters that are assigned to, the order they come in, data said twice, and counted look-ups."""

from __future__ import annotations

from processes import Runner

SCRIPT = """
import numpy as np
import paddle
paddle.enable_static()
static, F = paddle.static, paddle.nn.functional
start = paddle.nn.initializer.Constant(2.0)
feed = {"x": np.arange(8, dtype="float32").reshape(2, 4) / 10, "ids": np.array([1, 1, 1, 2])}

def ran(build, runs=2):
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup), static.scope_guard(static.Scope()):
        fetched = build(static.data("x", [2, 4]), paddle.create_parameter([3, 4], "float32", default_initializer=start))
        exe = static.Executor()
        exe.run(startup)
        for _ in range(runs):
            found = [v.astype("float64") for v in exe.run(main, feed=dict(feed), fetch_list=fetched)]
    print(*(v.round(3).tolist() if v.size < 5 else v[:, 1].round(3).tolist() for v in found))

def assigned(x, w):
    before = w * 3
    w[0] = x[0]
    return [w, w * 2, before]

def trained(x, w):
    w[0] = x[0]
    loss = (w * w).sum()
    paddle.optimizer.SGD(0.1).minimize(loss)
    return [w, loss]

def set_apart(x, w):
    part = static.setitem(w, (slice(None), 1), paddle.full([3], 5.0))
    loss = (part * part).sum()
    paddle.optimizer.SGD(0.1).minimize(loss)
    return [loss, part, w]

def gradient(x, w):
    x.stop_gradient = False
    static.setitem(w, 0, x[0] * 3)
    loss = (w * w).sum()
    of_x, of_w = static.gradients(loss, [x, w])
    assert of_x is None
    return [loss, of_w]

def counted(x, w):
    ids = static.data("ids", [4], "int64")
    found = F.embedding(ids, w, padding_idx=2, scale_grad_by_freq=True) + F.embedding(ids, w, scale_grad_by_freq=True)
    return [found, *static.gradients(found.sum(), w)]

for build in (assigned, trained, set_apart, gradient, counted):
    ran(build)

x = static.data("x", [2, 4])
loss = (static.nn.fc(static.nn.fc(x, 3), 5) + static.data("x", [-1, 4]).sum() + static.data("x", [8])[0]).mean()
block = static.default_main_program().global_block()
shapes = lambda found: [list(v.shape) for v in found]
print(shapes(block.all_parameters()))
copy = static.default_main_program().clone()
print(shapes(copy.global_block().all_parameters()))
paddle.optimizer.SGD(0.1).minimize(loss)
print(shapes(v for v in static.default_main_program().list_vars() if v.persistable))
print([(list(p.shape), None if g is None else list(g.shape)) for p, g in static.append_backward(loss * 2)])
"""
# as Paddle 3.3.1 printed it
FOUND = """\
[0.1, 2.0, 2.0] [0.2, 4.0, 4.0] [0.3, 6.0, 6.0]
[0.08, 1.28, 1.28] 20.62
98.04 [5.0, 5.0, 5.0] [5.0, 5.0, 5.0]
33.26 [0.6, 4.0, 4.0]
[4.0, 4.0, 4.0, 2.0] [0.0, 2.0, 1.0]
[[5], [3, 5], [3], [4, 3]]
[[5], [3, 5], [3], [4, 3]]
[[], [5], [3, 5], [3], [4, 3]]
[([], None), ([5], [5]), ([3, 5], [3, 5]), ([3], [3]), ([4, 3], [4, 3])]
"""


def test_parameters(full: Runner) -> None:
    full.env["PADDLE_COMPAT_VERSION"] = "3.3.1"
    full.write({"script.py": SCRIPT})
    assert full.output("-m", "paddle_compat", "script.py").splitlines() == FOUND.splitlines()
