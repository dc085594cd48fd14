"""Pieces of code that call operators by position: `paddle._C_ops`, `paddle._legacy_C_ops`, `core.eager`."""

START = """
from paddle.base import core
C, L = paddle._C_ops, paddle._legacy_C_ops
x = X([[1.0, 2.0], [3.0, 4.0]], stop=True)
answer = """

CALLS = (
    "C.matmul(x, x, False, True)",
    "C.matmul(x, 1, False, False)",
    "C.relu_(x) is x",
    "L.relu_(x) is x",
    "L.matmul_v2(x, x, 'trans_x', True)",
    "L.matmul_v2(x, x, 'trans_x')",
    "L.matmul_v2(x, x, 'nope', 1)",
    "L.matmul_v2(1, x)",
    "L.reshape2(x, None, 'shape', [4])[0]",
    "L.reshape2(x, 'shape', [4])",
    "C.reshape(x, [4])",
    "C.split(x, [1, 1], 0)",
    "C.split_with_num(x, 2, 1)",
    "C.view_shape(x, [4])",
    "C.tensor_unfold(x[0], 0, 2, 1)",
    "C.assign_out_(x, x * 2)",
    "C.repeat_interleave_with_tensor_index(x, paddle.to_tensor([1, 2]), 0)",
    "C.logsumexp(x, [1], False, False)",
    "C.dropout(x, None, 0.0, False, 'upscale_in_train', 0, False)",
    "C.topk(x, 1, -1, True, True)",
    "C.sum(x, [0], None, False)",
    "C.sum(x, [], None, False)",
    "C.sum(x, [1], paddle.float64, True)",
    "C.mean(x, [], False)",
    "C.full([2], 1.0, paddle.float32, paddle.CPUPlace())",
    "C.full_like(x, 3, paddle.float32, paddle.CPUPlace())",
    "C.full_(x, [3], 2.0, paddle.int64, paddle.CPUPlace()) is x, x, x.inplace_version",
    "C.set_value_with_tensor(x, x[1], [0], [1], [1], [0], [0], []), x",
    "C.set_value_with_tensor_(x, x[1], [0], [1], [1], [0], [0], []) is x, x",
    "C.concat([x, x], 0)",
    "L.top_k_v2(x, 'k', 1)",
    "L.softmax_with_cross_entropy(x, paddle.to_tensor([[0], [1]]))",
    "C.add(x, 2)",
    "C.add(x, x)",
    "C.add_(x, x) is x",
    "C.cast(x, paddle.int32)",
    "C.transpose(x, [1, 0])",
    "C.scale(x, 2.0, 1.0, True)",
    "C.slice(x, [0], [0], [1], [1], [0])",
    "C.slice(x, [0], [0], [1], [1], [])",
    "C.expand(x[0], [2, 2])",
    "C.squeeze(x.unsqueeze(0), [0])",
    "C.unsqueeze(x, [0])",
    "C.cross_entropy_with_softmax(x, paddle.to_tensor([[0], [1]]), False, True, True, -100, -1)",
    "C.embedding(paddle.to_tensor([1, 0]), x, -1, False)",
    "C.where(x > 3, x, -x)",
    "C.argmax(x, 0, False, False, paddle.int64)",
    "C.gather(x, paddle.to_tensor([1]), 0)",
    "C.one_hot(paddle.to_tensor([1, 0]), 3)",
    "C.arange(paddle.to_tensor(0), paddle.to_tensor(5), paddle.to_tensor(2), paddle.int64, paddle.CPUPlace())",
    "C.tril(x, 0)",
    "C.softmax(x, -1)",
    "C.pool2d(x.reshape([1, 1, 2, 2]), [2, 2], [1, 1], [0, 0], False, True, 'NCHW', 'avg', False, False, 'EXPLICIT')",
    "C.conv2d(x.reshape([1, 1, 2, 2]), paddle.ones([1, 1, 2, 2]), [1, 1], [0, 0], 'EXPLICIT', [1, 1], 1, 'NCHW')",
    "C.layer_norm(x, None, None, 1e-5, 1)[0]",
    "C.sgd_(x.clone(), paddle.to_tensor(0.1), x, None, False)[0]",
    "core.eager.ops.matmul(x, x, False, False)",
    "core.eager.ops.legacy.relu(x)",
    "C.clip(x, 0.0, 1.0)",
    "C.pow(x, 2.0)",
    "C.cumsum(x, 0, False, False, False)",
    "C.max(x, [1], False)",
    "C.stack([x, x], 0)",
    "C.tile(x, [2, 1])",
    "C.flip(x, [0])",
    "C.add_n([x, x])",
    "C.strided_slice(x, [0], [0], [2], [2])",
    "C.p_norm(x, 2.0, 1, 1e-12, False, False)",
    "C.p_norm(x, 2.0, -1, 1e-12, False, True)",
    "C.unbind(x, 0)",
    "C.assign(x)",
    "C.equal(x, x)",
    "C.logical_and(x > 1, x > 2)",
    "C.all(x > 0, [], False)",
    "C.hardswish(x)",
    "C.leaky_relu(x, 0.1)",
    "C.gelu(x, False)",
    "C.elu(x, 1.0)",
    "C.swish(x)",
    "C.log_softmax(x, -1)",
    "C.bce_loss(x / 5, x / 5)",
    "C.kldiv_loss(x, x, 'mean')",
    "C.huber_loss(x, x, 1.0)[0]",
    "C.label_smooth(x, None, 0.1)",
    "C.nll_loss(x, paddle.to_tensor([0, 1]), None, -100, 'mean')",
    "C.pad(x, [0, 0, 1, 1], 0.0)",
    "C.gather_nd(x, paddle.to_tensor([[0, 1]]))",
    "C.scatter(x, paddle.to_tensor([0]), x[:1], True)",
    "C.kron(x, x)",
    "C.bmm(x.unsqueeze(0), x.unsqueeze(0))",
    "C.addmm(x, x, x, 1.0, 1.0)",
    "C.index_select(x, paddle.to_tensor([1]), 1)",
    "C.nonzero(x)",
    "C.argsort(x, -1, True)",
    "C.shape(x)",
    "L.sgd(x, paddle.to_tensor([0.1]), x, None, x, None)[0]",
    "L.reduce_sum(x, 'dim', [0])",
    "L.elementwise_add(x, x, 'axis', -1)",
    "L.scale(x, 'scale', 2.0)",
    "L.cast(x, 'in_dtype', x.dtype, 'out_dtype', paddle.int32)",
    "L.slice(x, None, None, None, None, 'axes', [0], 'starts', [0], 'ends', [1])",
)

CASES = {call: START + call for call in CALLS} | {
    "gradients_through_operators_in_place": START
    + """[]
y = X([-1.0, 2.0])
z = C.relu_(C.scale(y, 2.0, 0.0, True))
z.sum().backward()
answer = [y.grad, z, z.inplace_version]
""",
    "a_leaf_in_place": START + "C.relu_(X([-1.0, 2.0]))",
    "passes_backwards": START
    + """[]
y = X([-1.0, 2.0])
core.eager.run_backward([(y * 3).sum()], [], False)
answer = [y.grad, core.eager.run_partial_grad([(y * 3).sum()], [y], [], False, False, True, False, [])]
""",
    "outputs_of_ones_own": START
    + """[]
mean, variance = paddle.zeros([2]), paddle.ones([2])
image = x.reshape([1, 2, 2, 1])
found = L.batch_norm(image, paddle.ones([2]), paddle.zeros([2]), mean, variance, None, mean, variance, "momentum", 0.5, "is_test", False)
answer = [found[0], mean, variance]
""",
    "names": START
    + """[]
answer = [C.matmul.__name__, hasattr(C, "nope"), hasattr(L, "nope"), hasattr(core.eager.ops, "matmul"), hasattr(L, "matmul_v2")]
""",
}

WRITES = (
    "add_(x)", "exp_()", "reshape_([4])", "unsqueeze_(0)", "scale_(2.0)", "zero_()", "fill_(1.0)", "clip_(0, 1)", "cast_('float64')",
    "transpose_([1, 0])", "flatten_()", "tanh_()", "tril_()",
)  # fmt: skip
CASES["changes_in_place_are_counted"] = (
    START
    + f"""[]
for call in {WRITES}:
    y = X([[4.0, 2.0], [3.0, 1.0]], stop=False) * 2
    for x in (X([[4.0, 2.0], [3.0, 1.0]], stop=True), y):
        eval("x." + call, dict(x=x))
        x.add_(x)
        answer.append(x.inplace_version)
"""
)
