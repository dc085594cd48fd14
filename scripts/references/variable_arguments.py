"""Arguments of 2.6's functions that Variables give where numbers are usual: axes, sizes, probabilities.

variable_arguments_2.6.2.json: {call: what `static_scripts.outcome` says of it; the operators that it records are printed}.
"""

from __future__ import annotations

from typing import Any, Callable

import static_scripts
from child_process import asked

WHEELS = ("2.6.2",)

# I and J are of int64 and int32 and shape [1], I0 and J0 of shape []; K is a 3; G and G0 are floats; V, W and Z are fed.
CODE = """
a, images, small = x(4, 6), x(2, 3, 4, 4), x(2, 1, 3, 1)
I, J, I0, J0 = (paddle.full(*given) for given in (([1], 1, 'int64'), ([1], 1, 'int32'), ([], 1, 'int64'), ([], 1, 'int32')))
K, G, G0 = paddle.full([1], 3, 'int32'), paddle.full([1], 0.5), paddle.full([], 0.5)
V, W, Z, Y = d(np.array([0, 1])), d(np.array([2, 12], 'int32')), d(np.array([3, 4, 6], 'int32')), d(np.array([5, 6], 'int32'))
P, U, weight = d(np.array([1, 0, 2, 1], 'int32')), d(np.array([2, 3, 5, 4], 'int32')), x(3, 2, 3, 3)
theta = x(2, 2, 3)
before = len(main.global_block().ops)
made = {call}
out = list(made) if isinstance(made, (list, tuple)) else [made]
for op in main.global_block().ops[before:]:
    print(op.type, *(f'{{name}}={{op.attr_type(name)}}' for name in sorted(op.attr_names) if 'VAR' in str(op.attr_type(name))))
print([v.name for v in out])
if 'float' in str(out[0].dtype).lower() or 'FP32' in str(out[0].dtype):
    out += [g for g in S.gradients([out[0]], [a, images]) if g is not None]
"""

CALLS = """
paddle.sum(a, [I])
paddle.sum(a, [I0, 0], keepdim=True)
paddle.sum(a, V)
paddle.sum(a, I)
paddle.sum(images, [J, 2])
paddle.mean(a, [I])
paddle.mean(a, [I, -1])
paddle.mean(a, V, keepdim=True)
paddle.max(a, [J], keepdim=True)
paddle.min(images, [I, J0 * 2])
paddle.prod(a, [I])
paddle.var(a, [I])
paddle.std(a, [J])
paddle.count_nonzero(a, [I])
paddle.nansum(a, [I])
paddle.nanmean(a, [I])
paddle.amax(a, [I])
paddle.all(a > 0, [I])
paddle.logsumexp(a, [I])
paddle.argmax(a, I)
paddle.argmax(a, J0, keepdim=True)
paddle.argmin(a, I0, dtype='int32')
paddle.cumsum(a, I)
paddle.cumsum(a, J0)
paddle.cumprod(a, J0)
paddle.logcumsumexp(a, I)
paddle.squeeze(small, I)
paddle.squeeze(small, [J, 3])
paddle.squeeze(small, [I0])
paddle.unsqueeze(a, [J, 0])
paddle.unsqueeze(a, V)
paddle.eye(K)
paddle.eye(3, J)
paddle.eye(J, 3)
paddle.full_like(a, G)
paddle.full_like(a, I)
paddle.full([I, 2], 1.5)
paddle.full([I0, 2], I)
paddle.full(Y, 2)
paddle.full([2], J)
paddle.full([2], J, 'int32')
paddle.full([2], G0, 'float64')
paddle.zeros([I, 2])
paddle.uniform([2, 3], min=G, max=1.0)
paddle.uniform([2, 3], min=0.0, max=G0)
paddle.uniform([I, 2])
paddle.uniform(Y)
paddle.randn([I, 2])
paddle.normal(0.0, 1.0, [I0, 2])
paddle.randint(0, 5, [I, 2])
paddle.multinomial(paddle.full([2, 3], 0.2), J)
paddle.bincount(V, minlength=K)
paddle.expand(a, [I, 4, 6])
paddle.expand(a, [2, -1, -1])
paddle.expand(a, [I, -1, -1])
paddle.expand(a, Z)
paddle.broadcast_to(a, [I, 4, 6])
paddle.broadcast_to(a, Z)
paddle.tile(a, [I, 2])
paddle.reshape(a, W)
paddle.reshape(a, [I0, -1])
paddle.unflatten(a, 1, Y[:1])
paddle.crop(a, [J, 2], [0, J])
paddle.crop(a, [J, 2], [1, 1])
paddle.crop(a, paddle.full([2], 2, 'int32'), [0, 0])
paddle.split(a, [I, 3], 0)
paddle.split(a, [I, -1], 0)
paddle.split(a, 2, J)
paddle.gather(a, V, I)
paddle.strided_slice(a, [0], [J], [3], [1])
paddle.strided_slice(a, [0], [I], [3], [1])
paddle.strided_slice(a, [0], V[1:], [3], [1])
paddle.repeat_interleave(a, K[0], 0)
paddle.repeat_interleave(a, K, 0)
paddle.repeat_interleave(a, P, 0)
paddle.topk(a, J)
paddle.linspace(0.0, G, K)
paddle.stack([a, a], I)
paddle.flip(a, [J])
F.softmax(a, I)
F.leaky_relu(a, G0)
F.dropout(a, G0)
F.dropout(a, G, mode='downscale_in_infer')
F.dropout(a, G, training=False)
F.dropout(a, G0, mode='downscale_in_infer', training=False)
F.dropout(a, G0, axis=0)
F.dropout(a, G0, axis=[0, 1], mode='downscale_in_infer')
F.dropout(a, G, axis=1, training=False, mode='downscale_in_infer')
F.dropout2d(images, G0)
F.alpha_dropout(a, G0)
paddle.nn.Dropout(G0)(a)
F.pad(a, [1, 0, 2, 1], value=G)
F.pad(images, [1, 0, 2, 1], value=G)
F.pad(images, P)
F.pad(images, P, mode='replicate')
F.adaptive_avg_pool2d(images, [J, K])
F.adaptive_avg_pool2d(images, [K, None])
F.adaptive_avg_pool2d(images, [K, 2], data_format='NHWC')
F.adaptive_avg_pool2d(images, Y)
F.adaptive_avg_pool2d(images, J)
F.adaptive_max_pool2d(images, [J, J])
F.conv2d_transpose(images, weight, stride=3, output_size=[K * 4, 13])
F.conv2d_transpose(images, weight, output_size=Y)
F.interpolate(images, size=[J, 3])
F.interpolate(images, size=Y)
F.interpolate(images, size=Y, mode='bilinear')
F.interpolate(images, scale_factor=G0)
F.affine_grid(theta, U)
F.cosine_similarity(a, a, I)
F.one_hot(V, K)
F.sequence_mask(V, K)
paddle.mean(images, [J, 2, -1])
""".strip().splitlines()


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The one file."""
    return {f"variable_arguments_{version}.json": record}


def observe(paddle: Any, call: str) -> dict[str, Any]:
    """What a call records and computes."""
    return static_scripts.outcome(paddle, CODE.format(call=call))


def record() -> dict[str, Any]:
    """What every call gives under the wheel, those left out that crash it."""
    import paddle

    answers = {call: asked(lambda call=call: observe(paddle, call)) for call in CALLS}
    return {call: told[0] for call, told in answers.items() if told}
