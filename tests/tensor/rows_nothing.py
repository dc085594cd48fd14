"""Calls with tensors that have no elements, in the words of rows_corners.py; most of them 2.6.2 refuses, or it forgets their gradients."""

from __future__ import annotations

# fmt: off
ROWS = [
    *(f"D(lambda x: paddle.abs(paddle.fft.{name}(x)), f(0,4))" for name in ("fft", "rfft")),
    *(
        f"D(lambda x: F.{kind}_pool{n}d(x, 2), f({batch}{', 4' * n}))"
        for kind in ("max", "avg", "adaptive_max", "adaptive_avg") for n in (1, 2, 3) for batch in ("0, 3", "2, 0")
    ),
    *(f"D(lambda x: F.{kind}_pool2d(x, 3, stride=2, padding=1, ceil_mode=True), f(2,0,5,6))" for kind in ("max", "avg")),
    "D(lambda x: F.max_pool2d(x, 2, return_mask=True)[0], f(0,3,4,4)), D(lambda x: F.max_pool2d(x, 2, return_mask=True)[0], f(2,0,4,4))",
    "D(lambda x: F.lp_pool2d(x, 2., 2), f(2,0,4,4))",
    "D(lambda x: F.pixel_shuffle(x, 2), f(0,4,2,2)), D(lambda x: F.pixel_shuffle(x, 2, 'NHWC'), f(0,2,2,4))",
    "D(lambda x: F.pixel_unshuffle(x, 2), f(0,1,4,4)), D(lambda x: F.channel_shuffle(x, 2), f(0,4,2,2))",
    "D(lambda x: F.affine_grid(x, [0,3,4,5]), f(0,2,3))",
    "D(lambda x, w, b: F.batch_norm(x, paddle.ones([3]), paddle.ones([3]), w, b, training=True), f(0,3,2,2), f(3), f(3))",
    "D(lambda x, w, b: F.batch_norm(x, paddle.ones([3]), paddle.ones([3]), w, b, training=True), f(0,3), f(3), f(3))",
    "m,v=paddle.ones([3]), paddle.ones([3]) * 2; F.batch_norm(C(f(0,3,2,2)), m, v, C(f(3)), C(f(3)), training=True), m, v",
    "b=paddle.nn.BatchNorm2D(3); b(C(f(0,3,2,2))), b._mean, b._variance",
    "D(lambda x: F.group_norm(x, 2), f(0,4,2,2)), D(lambda x, w, b: F.group_norm(x, 2, 1e-5, w, b), f(0,4,2,2), f(4), f(4))",
    "D(lambda x: F.instance_norm(x), f(0,3,4)), D(lambda x: F.instance_norm(x), f(0,3,4,2))",
    "D(lambda x, w, b: F.layer_norm(x, [3], w, b), f(0,3), f(3), f(3))",
    "D(lambda x: F.unfold(x, 2), f(0,3,4,4)), D(lambda x: F.unfold(x, 2, 2, 1), f(2,0,4,5))",
    *(
        f"D(lambda x: F.interpolate(x, size=[2,3], mode='{mode}'), f({batch},4,4))"
        for mode in ("nearest", "bilinear") for batch in ("0,3", "2,0")
    ),
    *(f"D(lambda x, w: F.conv{n}d(x, w), f(0,3{', 5' * n}), f(4,3{', 3' * n}))" for n in (1, 2, 3)),
    "paddle.multinomial(paddle.rand([0,3]), 1), paddle.multinomial(paddle.rand([0,3]), 2, True)",
    "paddle.multinomial(paddle.rand([2,0]), 1)",
    "paddle.increment(C(f(0,3))), paddle.increment(C(i(2,0)), 3)",
    "paddle.increment(C(f(2)))",
    "[paddle.linalg.norm(C(f(0,3)), p) for p in ('fro', float('inf'), 1)]",
    "[list(paddle.linalg.matrix_rank(C(f(*s))).shape) for s in ((0,0), (0,3,3), (2,0,0), (3,0))]",
    "D(lambda x: paddle.vision.ops.roi_align(x, paddle.zeros([0,4]), C([0], 'int32'), 2), f(1,3,8,8))",
    "D(lambda x: paddle.cumsum(x, 0), f(0,3)), D(lambda x: paddle.sum(x, 0), f(0,3)), D(lambda x: paddle.mean(x, 1), f(0,3))",
    "D(lambda x, y: paddle.matmul(x, y), f(0,3), f(3,2)), D(lambda x, y: paddle.matmul(x, y), f(2,0), f(0,3))",
    "D(lambda x: F.softmax(x), f(0,3)), D(lambda x: F.log_softmax(x), f(2,0)), D(lambda x: F.gelu(x), f(0,3))",
    *(f"D(lambda x: paddle.linalg.pinv(x), f({shape}))" for shape in ("0,3", "3,0", "0,0", "2,0,3")),
    *(
        f"[paddle.linalg.cond(C(f({shape})), p) for p in {norms}]"
        for shape, norms in (
            ("0,3", "(None, 2, -2)"), ("2,3,0", "(None, -2)"), ("0,0", "('fro', 1, -1, 'nuc', float('inf'))"), ("2,0,0", "('fro', 1)"),
        )
    ),
    "[paddle.allclose(C(f(*a)), C(f(*b))) for a, b in (((0,3), (1,3)), ((1,3), (0,3)), ((0,), (3,)))]",
    "F.conv2d_transpose(C(f(2,4,0,5)), C(f(4,6,3,3)), C(f(6))), F.conv2d_transpose(C(f(2,4,0,5)), C(f(4,3,3,3)), groups=2)",
    "F.conv1d_transpose(C(f(2,4,0)), C(f(4,6,3))), F.conv3d_transpose(C(f(2,4,0,5,5)), C(f(4,6,3,3,3)))",
    "D(lambda x: F.pad(x, [1,1,1,1]), f(0,3,2,2)), D(lambda x: paddle.tile(x, [2,2]), f(0,3)), D(lambda x: paddle.flip(x, 0), f(0,3))",
]
