"""Rows for paddle_compat/tensor/manipulation.py."""

ROWS = [
    "paddle.reshape(x, [3, 2])", "paddle.reshape(x, [-1])", "paddle.reshape(t, [0, -1])", "paddle.reshape(h, [-1, 1])", "paddle.reshape(h, [3, -1])",
    "paddle.reshape(g, [0, 12])", "paddle.reshape(x, (6,))", "paddle.reshape(x, [n1, 3])", "paddle.reshape(x, k)", "paddle.reshape(x, shape=[1, 6], name='r')",
    "paddle.flatten(t)", "paddle.flatten(t, 1)", "paddle.flatten(t, 0, 1)", "paddle.flatten(g, 1, -1)", "paddle.flatten(s)",
    "paddle.squeeze(o)", "paddle.squeeze(o, 0)", "paddle.squeeze(o, [0, 2])", "paddle.squeeze(o, -1)", "paddle.unsqueeze(x, 0)", "paddle.unsqueeze(x, [0, 2])",
    "paddle.unsqueeze(x, -1)", "paddle.unsqueeze(h, 1)", "paddle.unsqueeze(x, n1)", "paddle.transpose(x, [1, 0])", "paddle.transpose(t, perm=[2, 0, 1])",
    "paddle.transpose(g, [1, 0, 2])", "paddle.moveaxis(t, 0, -1)", "paddle.moveaxis(t, [0, 1], [1, 2])",
    "paddle.concat([x, y])", "paddle.concat([x, y], axis=1)", "paddle.concat((x, y), -1)", "paddle.concat([h, x])", "paddle.concat([x, y], n1)", "paddle.concat([x, d])",
    "paddle.concat(x)", "paddle.concat([i, i], 1)", "paddle.stack([x, y])", "paddle.stack([x, y], axis=-1)", "paddle.stack([x, y], 1)",
    "paddle.split(x, 3, axis=1)", "paddle.split(x, [1, 2], 1)", "paddle.split(x, [1, -1], axis=-1)", "paddle.split(t, 2)", "paddle.split(x, 2, n1)", "paddle.split(g, 2, axis=2)",
    "paddle.split(x, [n1, 1], 1)", "paddle.chunk(x, 3, axis=1)", "paddle.vsplit(x, 2)", "paddle.unbind(x)", "paddle.unbind(x, axis=1)", "paddle.unstack(x)", "paddle.unstack(x, 1)",
    "paddle.unstack(x, axis=1, num=3)", "paddle.expand(v, [2, 3])", "paddle.expand(o, [-1, 3, 4])", "paddle.expand(v, k)", "paddle.expand(v, [n1, 3])", "paddle.expand(h, [2, -1, 3])",
    "paddle.expand_as(v, x)", "paddle.expand_as(v, h)", "paddle.broadcast_to(v, [2, 3])", "paddle.broadcast_tensors([x, v])", "paddle.tile(x, [2, 1])", "paddle.tile(x, (2,))",
    "paddle.tile(x, k)", "paddle.tile(h, [n1, 1])", "paddle.tile(x, 2)", "paddle.gather(x, k)", "paddle.gather(x, k, axis=1)", "paddle.gather(x, k, n1)", "paddle.gather(h, k)",
    "paddle.gather_nd(t, ks)", "paddle.gather_nd(x, rows)", "paddle.scatter(x, k, y)", "paddle.scatter(x, k, y, overwrite=False)", "paddle.scatter_nd_add(x, rows, y)",
    "paddle.scatter_nd(rows, y, [4, 3])", "paddle.slice(x, [0, 1], [0, 1], [1, 3])", "paddle.slice(x, axes=[1], starts=[-2], ends=[100])", "paddle.slice(h, [0], [0], [1])",
    "paddle.slice(x, [1], [n1], [3])", "paddle.slice(x, [1], n1, n1)", "paddle.strided_slice(x, [1], [0], [3], [2])", "paddle.strided_slice(x, [0, 1], [1, 2], [-3, 0], [-1, -1])",
    "paddle.strided_slice(x, [1], [n1], [3], [1])", "paddle.flip(x, 0)", "paddle.flip(x, [0, 1])", "paddle.flip(x, [-1])", "paddle.reverse(x, 1)", "paddle.roll(x, 1)", "paddle.roll(x, 1, 0)", "paddle.roll(x, [1, 2], [0, 1])",
    "paddle.roll(x, n1, 0)", "paddle.rot90(x)", "paddle.rot90(x, 2)", "paddle.rot90(x, -1, [0, 1])", "paddle.rot90(x, 0)", "paddle.unique(i)", "paddle.unique(i, return_index=True, return_inverse=True, return_counts=True)",
    "paddle.unique(i, axis=0)", "paddle.unique_consecutive(i)", "paddle.unique_consecutive(i, return_inverse=True, return_counts=True, axis=1)", "paddle.repeat_interleave(x, 2)", "paddle.repeat_interleave(x, 2, 1)",
    "paddle.repeat_interleave(x, k, 0)", "paddle.take_along_axis(x, ks, 0)", "paddle.take_along_axis(x, k.reshape([2, 1]), 1)", "paddle.put_along_axis(x, ks, y, 0)", "paddle.put_along_axis(x, ks, 2.0, 0)",
    "paddle.put_along_axis(x, ks, y, 0, 'add')", "paddle.index_add(x, k, 0, y)", "paddle.index_put(x, (k, k), one)", "paddle.index_put(x, (k,), v, True)", "paddle.index_fill(x, k, 0, 2.0)", "paddle.masked_fill(x, b, 2.0)", "paddle.masked_fill(x, b, one)",
    "paddle.shard_index(rows, 20, 2, 0)", "paddle.crop(x, [1, 2], [0, 1])", "paddle.crop(x, [1, -1])", "paddle.crop(x, k, [0, 0])", "paddle.as_complex(pairs)", "paddle.as_real(c)", "paddle.atleast_1d(s)",
    "paddle.atleast_2d(v, s)", "paddle.atleast_3d(x)", "paddle.tensordot(x, y)", "paddle.tensordot(t, u, [[0, 1], [0, 1]])", "paddle.tensordot(t, u, 1)", "paddle.tensordot(x, m, 1)", "paddle.unflatten(x, 1, [3, 1])",
    "paddle.unflatten(t, -1, [2, -1])", "paddle.diagonal_scatter(m, v)", "paddle.select_scatter(x, v, 0, 1)", "paddle.cast(x, 'int64')", "paddle.cast(x, paddle.float64)", "paddle.cast(i, 'bool')", "paddle.t(x)", "paddle.t(v)",
    "paddle.reshape(x, [4, 4])", "paddle.reshape(x, 'a')", "paddle.transpose(x, [0])", "paddle.concat([x, 3])", "paddle.stack([])", "paddle.split(x, 0)", "paddle.squeeze(3)", "paddle.tile(b, [2, 2])", "paddle.gather(x, x)", "paddle.flatten(x, 2, 1)",
    "paddle.expand(x, [1, 3])", "paddle.unsqueeze('a', 0)",
]  # fmt: skip

# Paddle goes through the elements of a tensor here, for no use
OTHERWISE = ("paddle.expand(v, k)",)
# Paddle's eager mode refuses a lone tensor, and takes a permutation that is too short
DIFFERENT = ("paddle.concat(x)", "paddle.transpose(x, [0])")
