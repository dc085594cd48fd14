"""Tensors without dimensions, wrong arguments and Python's types as data types, in eager mode: results, or what is raised."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from eager_answers import elements, kind

WHEELS = ("2.6.2",)
# x: no dimensions; i: an index of none; v: [2]; m: [2, 2]
CALLS: tuple[str, ...] = (
    "paddle.diag(x)", "paddle.diag(x, 1)", "paddle.diag(i)", "paddle.diag(paddle.ones([2, 2, 2]))",
    "paddle.split(x, 1)", "paddle.split(x, [1])", "paddle.chunk(x, 1)", "paddle.concat([x, x])", "paddle.concat([x, v])",
    "paddle.concat(x)", "paddle.stack([x, x])", "paddle.trace(x)", "paddle.trace(v)", "paddle.diagonal(v)", "paddle.nonzero(x)",
    "paddle.nonzero(x, as_tuple=True)", "paddle.where(paddle.to_tensor(True))", "paddle.index_select(m, i)",
    "paddle.index_select(x, paddle.to_tensor([0]))", "paddle.index_select(x, i)", "paddle.dot(x, x)", "paddle.dot(x, v)",
    "paddle.dot(m, v)", "paddle.dot(m, m)", "m.reshape([4])", "m.reshape('a')",
    "m.reshape(None)", "m.transpose(1)", "m.transpose([0, 2])", "m.transpose([-1, 0])", "x.transpose([])",
    "paddle.ones([2], dtype=float)", "paddle.zeros([2], dtype=int)", "m.astype(float)", "m.astype('float')", "m.astype(bool)",
    "paddle.cast(m, float)", "paddle.full([2], 1, dtype=float)", "paddle.zeros_like(m, dtype=float)", "paddle.sum(m, dtype=float)",
    "paddle.cumsum(m, dtype=float)", "paddle.eye(2, dtype=float)", "paddle.to_tensor([1], dtype=float)",
    "paddle.to_tensor([1], dtype=int)", "paddle.to_tensor([1], dtype='double')", "paddle.to_tensor([1], dtype=np.float64)",
    "m.astype('f4')", "m.astype('<i8')", "m.cast('single')", "m.astype('?')", "m.astype('u1')", "m.astype('F')",
    "m.astype('bogus')", "m.astype('f4,f4')", "paddle.zeros([2], 'f8')",
    "paddle.arange(3, dtype='long')", "paddle.sum(m, dtype='d')", "paddle.full([2], 1, 'i4')",
    "paddle.to_tensor([1], dtype='f4')", "paddle.empty([2], dtype='f4')", "paddle.create_parameter([2], 'f4')",
    "nn.Linear(2, 2).astype('f4')", "paddle.set_default_dtype('f4')", "paddle.set_default_dtype('double')",
    "paddle.empty([2], dtype=float)", "x[0]", "m[5]", "m[0, 0, 0]", "v[-3]", "x[None]", "x[...]", "x[()]",
    "paddle.cumsum(m, axis=3)", "paddle.flip(m, [2])", "paddle.gather(v, paddle.to_tensor([5]))", "paddle.gather(x, i)",
    "paddle.gather_nd(v, i)", "paddle.matmul(x, v)", "paddle.matmul(x, x)", "paddle.norm(x)",
    "paddle.sum(m, axis=2)", "paddle.mean(m, axis=5)", "paddle.max(x, axis=1)", "paddle.sort(x)", "paddle.topk(v, 3)",
    "paddle.take_along_axis(x, i, 0)", "paddle.squeeze(x, 0)", "paddle.tile(x, [2, 2])", "paddle.expand(v, [3])",
    "paddle.flatten(x)", "paddle.unbind(x)", "paddle.repeat_interleave(x, 2)", "paddle.slice(m, [3], [0], [1])",
    "nn.PixelShuffle(2, data_format='NCWH')", "nn.BatchNorm(2, is_test=True)(m.unsqueeze(0))[0].sum() < 0.1",
    "paddle.to_tensor([p.stop_gradient for p in nn.LSTMCell(4, 3, bias_ih_attr=False).parameters()])",
    "nn.GRUCell(2, 2, weight_hh_attr=False).weight_hh",
    "nn.functional.cross_entropy(m, i, soft_label=True)", "nn.functional.cross_entropy(m, i.expand([2, 1]), soft_label=True)",
    "nn.functional.cross_entropy(m, v.expand([3, 2]), soft_label=True)", "nn.functional.cross_entropy(m, paddle.to_tensor([0, -100]))",
    "nn.functional.cross_entropy(m, paddle.to_tensor([-100, -100]))", "nn.functional.cross_entropy(m, paddle.to_tensor([-1, 1]), None, -1)",
    "nn.functional.cross_entropy(m, paddle.to_tensor([0, -100]), v)", "paddle.mean(m, [0, 2])", "paddle.max(m, [0, -3])",
    "paddle.mean(m, 1.5)", "paddle.prod(m, [0.5])", "paddle.nanmedian(m, [0, 0])", "paddle.sum(m, np.int64(1))", "paddle.sum(m, range(2))",
    "paddle.reshape(m, [1.0, 4])", "paddle.expand(m, [2.0, 2])", "paddle.slice(m, [0], [0], [1.0])", "paddle.slice(m, [0, 1], [0], [1])",
    "paddle.crop(m, [2])", "paddle.crop(m, [2, 2], [0, 1.5])", "paddle.tile(m, [2.5])", "paddle.zeros([2.0])", "paddle.stack(m)",
    "paddle.scatter(m, v, m)", "paddle.scatter_nd_add(m, m, v)", "paddle.gather_nd(m, m)", "paddle.repeat_interleave(m, 0)",
    "paddle.repeat_interleave(m, v, 0)", "paddle.unique_consecutive(m, return_inverse='a')", "paddle.topk(m, 'a')",
    "paddle.moveaxis(m, 'a', 0)", "paddle.transpose(m, 'a')", "paddle.unsqueeze(m, np.int64(1))", "paddle.broadcast_tensors([])",
    "nn.functional.prelu(m, m)", "nn.functional.pairwise_distance(m, m, p='a')", "nn.functional.dropout(m, axis=[])",
    "nn.functional.dice_loss(m, m[:, :1])", "nn.functional.unfold(m.reshape([1, 1, 2, 2]), [1, 1, 1])",
    "nn.functional.pad(m.reshape([1, 1, 2, 2]), [1, 1, 1, 1], data_format='NCDHW')",
    "nn.functional.max_unpool2d(m.reshape([1, 1, 2, 2]), paddle.zeros([1, 1, 2, 2], 'int32'), 2, output_size=[2, 2])",
    "nn.functional.max_unpool2d(m.reshape([1, 1, 2, 2]), paddle.zeros([1, 1, 1, 2], 'int32'), 2)",
    "nn.functional.max_unpool1d(m.reshape([1, 2, 2]), paddle.zeros([1, 2, 2], 'int32'), 2, output_size=[2])",
    "nn.RNNCellBase().state_shape", "nn.RNNCellBase().state_dtype", "nn.Transformer(4, 2, 1, 1, 8, weight_attr=[None] * 4)",
    "paddle.to_tensor([p.dtype == paddle.float32 for p in nn.Linear(2, 2).float16().parameters()])",
    "paddle.diff(m, axis=5)", "paddle.trapezoid(m, axis=4)", "paddle.cumulative_trapezoid(m, axis=4)", "paddle.increment(v)",
    "paddle.erfinv(v * 2 - 3)", "paddle.erfinv(paddle.to_tensor([3.0, -1.5, float('nan'), 0.5]))", "paddle.deg2rad(m > 2)",
    "paddle.scale(m > 2, 0.5, 0.7)", "paddle.linalg.cov(m, fweights=v - 2)", "paddle.linalg.qr(m, 'x')", "paddle.assign(m, 1)",
    "paddle.randperm(0)", "paddle.prod(1)", "paddle.logsumexp(1)", "paddle.quantile(m, 0.5, [])",
    "m[..., ...]", "m[paddle.to_tensor([0, 1], 'uint8')]", "m[paddle.to_tensor([0, 1], 'int16')]",
    "nn.functional.conv1d(m.unsqueeze(0), m.reshape([1, 2, 2]), padding=-1)",
    "nn.functional.conv1d(m.unsqueeze(0), m.reshape([1, 2, 2]), dilation=0)",
    "nn.functional.conv2d(m.reshape([1, 1, 2, 2]), m.reshape([1, 1, 2, 2]), padding=-1)",
    "nn.functional.conv2d_transpose(m.reshape([1, 1, 2, 2]), m.reshape([1, 1, 2, 2]), stride=2, output_padding=2)",
    "nn.functional.conv1d_transpose(m.unsqueeze(0), m.reshape([2, 1, 2]), output_padding=1)",
    "nn.functional.max_pool2d(paddle.arange(9.0).reshape([1, 1, 3, 3]), 2, padding='SAME', return_mask=True)",
    "nn.functional.max_pool1d(paddle.arange(3.0).reshape([1, 1, 3]), 2, padding='VALID', return_mask=True)",
    "nn.functional.avg_pool3d(paddle.arange(18.0).reshape([1, 1, 2, 3, 3]), 3, padding=1)",
    "nn.functional.avg_pool3d(paddle.arange(18.0).reshape([1, 1, 2, 3, 3]), 3, padding=1, exclusive=False)",
    "nn.functional.adaptive_avg_pool1d(m.unsqueeze(0), 2.5)", "nn.functional.gelu(None)", "nn.functional.softmax(None)",
    "nn.functional.maxout(m.reshape([1, 4, 1, 1]), 1)", "nn.functional.layer_norm(m, [2, 2])", "nn.functional.layer_norm(v, 2)",
    "nn.functional.layer_norm(m, 2.0)", "nn.functional.batch_norm(paddle.ones([1] * 6), x.reshape([1]), x.reshape([1]), training=True)",
    "nn.functional.pad(paddle.arange(6.0).reshape([1, 1, 2, 3]), [7, 0, 3, 3], mode='circular')",
    "nn.functional.smooth_l1_loss(m, v)", "nn.functional.smooth_l1_loss(m, m * 2, 'none', 0.0)",
    "nn.functional.smooth_l1_loss(m, m * 2, 'none', -1.0)", "nn.functional.kl_div(m, v)", "nn.functional.kl_div(m, m.astype('int64'))",
    "nn.functional.square_error_cost(m, m.astype('float64') * 2)", "nn.functional.nll_loss(m, i.expand([2]), ignore_index=0)",
    "nn.functional.nll_loss(m, i.expand([2]), v, 0)", "nn.functional.nll_loss(m, i.expand([2]), v * 0)",
    "nn.functional.nll_loss(m, i.expand([2]).astype('int32'))", "nn.functional.nll_loss(m, v)",
    "nn.functional.nll_loss(m[:0], paddle.zeros([0], 'int64'))",
    "nn.functional.interpolate(m.astype('int32').reshape([1, 1, 2, 2]), [3, 5])",
    "nn.functional.interpolate(m.astype('int64').reshape([1, 2, 2, 1]) * 10**15, scale_factor=1.5, data_format='NHWC')",
    "nn.functional.interpolate((m * 60).astype('uint8').reshape([1, 1, 2, 2]), [3, 3], mode='bilinear')",
    "nn.functional.interpolate(m.reshape([1, 1, 2, 2]), 3, mode='area')",
    "nn.functional.interpolate(m.reshape([1, 1, 2, 2]), [1, 3], mode='area', align_corners=True)",
    "nn.functional.interpolate(m.unsqueeze(0), [3, 3], mode='area')", "nn.functional.interpolate(m, [3], mode='area')",
    "paddle.to_tensor([nn.Linear(2, 2, paddle.ParamAttr(trainable=on, need_clip=1)).weight.stop_gradient for on in (0, 1)])",
    *(
        f"nn.functional.batch_norm(paddle.arange(3.0).reshape({shape}), paddle.zeros([3]), paddle.ones([3]), "
        f"*[paddle.ones([3]) * 2] * 2, {more})"
        for shape, more in (("[1, 3]", "True"), ("[1, 3, 1, 1]", "True"), ("[1, 1, 1, 3]", "True, data_format='NHWC'"), ("[1, 3]", "False"))
    ),
)  # fmt: skip


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """One file for all calls."""

    def all_calls() -> dict[str, Any]:
        import paddle

        paddle.disable_static()

        return {call: answer(paddle, call) for call in CALLS}

    return {f"eager_corners_{version}.json": all_calls}


def answer(paddle: Any, call: str) -> Any:
    """Shape, data type and elements of each result, or what is raised."""
    names = {
        "paddle": paddle,
        "np": np,
        "nn": paddle.nn,
        "x": paddle.to_tensor(3.0),
        "i": paddle.to_tensor(0),
        "v": paddle.to_tensor([1.0, 2.0]),
        "m": paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]),
    }
    try:
        found = eval(call, names)
    except Exception as error:
        return {"raises": kind(error)}
    several = found if isinstance(found, (list, tuple)) else [found]
    return [[list(t.shape), str(t.dtype).split(".")[-1], elements(t.numpy())] for t in several]
