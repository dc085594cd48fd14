"""Pieces that call the gradient operators of `paddle._C_ops` by position."""

_START = """
C, T = paddle._C_ops, paddle.to_tensor

def A(*shape, low=-2.0):
    return T(np.random.uniform(low, 2.0, shape).astype("float32"))

x, y, g, v = A(3, 4), A(3, 4), A(3, 4), A(4)
"""
_CALLS = {
    "arithmetic": """
        C.add_grad(x, v, g, -1), C.add_grad_(x, v, g * 1, -1), C.subtract_grad(x, v, g, -1),
        C.divide_grad(x, y, x / y, g, -1), C.atan2_grad(x, y, g),
        C.matmul_grad(x, A(4, 2), A(3, 2), False, False), C.matmul_grad(x, y, A(3, 3), False, True),
        C.addmm_grad(A(3, 2), x, A(4, 2), A(3, 2), 2.0, 0.5), C.where_grad(x > 0, x, y, g), C.cast_grad(x, g.astype("float64")),
    """,
    "kinks": """
        C.maximum_grad(x, y, g), C.clip_grad(x, g, -1.0, 1.0), C.relu_grad(x, g), C.leaky_relu_grad(x, g, 0.1),
        C.gelu_grad(x, g, True), C.silu_grad(x, x * F.sigmoid(x), g), C.sigmoid_grad(F.sigmoid(x), g), C.tanh_grad(paddle.tanh(x), g),
        C.softmax_grad(F.softmax(x), g, -1), C.log_softmax_grad(F.log_softmax(x), g, -1), C.swiglu_grad(x, y, g),
        C.swiglu_grad(A(3, 8), None, g)[0], C.rrelu_grad(x, y, g),
        C.dropout_grad((x > 0).astype("uint8"), g, 0.5, False, "upscale_in_train"),
    """,
    "shapes": """
        C.reshape_grad(x, A(2, 6)), C.flatten_grad(A(1, 3, 4), A(12)), C.squeeze_grad(A(3, 1, 4), g, [1]),
        C.unsqueeze_grad(x, A(3, 1, 4), [1]),
        C.transpose_grad(A(4, 3), [1, 0]), C.expand_grad(v, g, [3, 4]), C.tile_grad(v, g, [3, 1]), C.split_grad([A(3, 1), A(3, 3)], 1),
        C.split_with_num_grad([A(3, 2), A(3, 2)], 1), C.unbind_grad([v, v], 0), C.flip_grad(g, [1]), C.roll_grad(x, g, [1], [0]),
        C.tril_grad(g, 0), C.triu_grad(g, 1), C.pad_grad(x, A(5, 6), [1, 1, 1, 1], 0.0), C.slice_grad(x, v, [0], [1], [2], [1], [0]),
        C.strided_slice_grad(x, A(2, 4), [0], [0], [3], [2]), C.set_value_with_tensor_grad(v, g, [0], [1], [1], [0], [0], []),
    """,
    "places": """
        C.gather_grad(x, T([0, 2, 0]), A(3, 4), 0), C.gather_nd_grad(x, T([[0, 2], [0, 2]]), A(2)),
        C.index_select_grad(x, T([0, 2]), A(2, 4), 0),
        C.topk_grad(x, T([[0], [0], [1]]), A(3, 1), 1, 1, True, True), C.kthvalue_grad(x, T([2, 1, 0]), A(3), 2, 1, False),
        C.argsort_grad(paddle.argsort(x, 1), x, g, 1, False, False), C.index_sample_grad(x, T([[0, 1], [1, 1], [2, 0]]), A(3, 2)),
        C.take_along_axis_grad(x, T([[0], [1], [1]]), A(3, 1), 1), C.scatter_grad(T([0, 2]), A(2, 4), g, True),
        C.put_along_axis_grad(x, T([[0, 1, 2, 0]]), A(1, 4), x, g, 0, "assign", True), C.scatter_nd_add_grad(T([[0], [2]]), A(2, 4), g),
        C.masked_select_grad(x, T([[True, False, True, False]] * 3), A(6)), C.masked_fill_grad(x, x > 0, T(2.0), g),
        C.repeat_interleave_with_tensor_index_grad(x, T([1, 2, 1]), A(4, 4), 0, -1),
        C.embedding_grad(T([0, 1, 1]), A(4, 5), A(3, 5), 1, False),
        C.embedding_grad(T([0, 1]), A(4, 5), A(2, 5), -1, True).is_selected_rows(),
    """,
    "reductions": """
        C.sum_grad(x, A(3), [1], False, False), C.sum_grad(x, T(1.5), None, False, False), C.mean_grad(x, A(1, 4), 0, True, False),
        C.max_grad(x, paddle.max(x, 1), A(3), [1], False, False),
        C.prod_grad(x, paddle.prod(x, 1), A(3), [1], False, False), C.logsumexp_grad(x, paddle.logsumexp(x, 1), A(3), [1], False, False),
        C.cumsum_grad(x, g, 1, False, False, False), C.var_grad(x, A(3), [1], False, True, 1.0),
        C.p_norm_grad(x, x.norm(2, 1), A(3), 2.0, 1, 1e-12, False, False),
        C.std_grad(x, x.std(1), A(3), [1], False, True, 1.0), C.nansum_grad(x, A(3), [1], False, False), C.reduce_as_grad(x, v, A(4)),
    """,
    "layers": """
        C.layer_norm_grad(x, v, A(4), x.mean(1), x.var(1, False), g, 1e-5, 1), C.linear_v2_grad(x, A(4, 2), A(2), A(3, 2), False),
        C.cross_entropy_with_softmax_grad(T([[0], [3], [1]]), F.softmax(x), A(3, 1), False, True, True, -100, -1),
        C.conv2d_grad(A(1, 2, 4, 4), A(3, 2, 3, 3), A(1, 3, 2, 2), [1, 1], [0, 0], "EXPLICIT", [1, 1], 1, "NCHW"),
        paddle.as_real(C.fft_c2r_grad(A(3, 6), [1], "backward", False, 6)),
        C.bce_loss_grad(F.sigmoid(x), (y > 0).astype("float32"), g), C.pixel_shuffle_grad(A(1, 2, 4, 4), 2, "NCHW"),
        C.slogdet_v2_grad(T([[2.0, 1.0], [0.5, 3.0]]), T(1.0), T(1.0), T(0.0), T(1.5)),
        C.inverse_grad(T([[0.5, 0.25], [0.0, 1.0]]), A(2, 2)),
    """,
}
CASES = {f"gradient_operators_of_{name}": f"{_START}answer = [{calls}]" for name, calls in _CALLS.items()}
CASES["gradients_of_gradient_operators"] = """
C, x, y = paddle._C_ops, paddle.ones([2, 3]), paddle.full([3, 2], 2.0)
x.stop_gradient = False
to_x, to_y = C.matmul_grad(x, y, paddle.ones([2, 2]), False, False)
answer = [to_x.stop_gradient, to_y.stop_gradient, paddle.grad(to_y.sum(), x)]
g = paddle.ones([2, 3])
answer += [C.relu_grad_(x, g) is g, g.stop_gradient, C.matmul_grad(x.detach(), y, paddle.ones([2, 2]), False, False)[1].stop_gradient]
with paddle.no_grad():
    answer += [C.matmul_grad(x, y, paddle.ones([2, 2]), False, False)[1].stop_gradient]
"""
CASES["gradient_operators_without_their_tensors"] = """
paddle._C_ops.matmul_grad(paddle.ones([2, 2]), None, paddle.ones([2, 2]), False, False)
"""
CASES["a_gradient_taken_away"] = """
x, p = paddle.ones([2]), nn.Linear(2, 2).weight
x.stop_gradient = False
answer = []
for leaf in (x, p):
    (leaf * leaf).sum().backward()
    leaf.grad = None
    answer.append(leaf.grad)
    (leaf * 3).sum().backward()
    answer.append(leaf.grad.numpy())
    leaf.clear_gradient()
    leaf.grad = None
    answer.append(leaf.grad)
answer.append(paddle.ones([1]).grad)
z = paddle.ones([2]) * 2
z.grad = paddle.ones([2])
answer.append(z.grad)
"""
for _name, _value in (("none", "None"), ("one", "paddle.ones([2])")):
    CASES[f"{_name}_for_the_gradient_of_what_is_no_leaf"] = f"x = paddle.ones([2]); x.stop_gradient = False; y = x * 2; y.grad = {_value}"
CASES["a_gradient_copied_to_what_is_no_leaf"] = """
x = paddle.ones([2])
x.stop_gradient = False
y = x * 2
y._copy_gradient_from(paddle.full([2], 3.0))
answer = [y.grad]
"""
for _name, _value in (("tensor", "paddle.ones([2])"), ("parameter", "nn.Linear(2, 2).weight")):
    CASES[f"set_grad_ivar_of_a_{_name}"] = f"x = {_value}; x._set_grad_ivar(paddle.ones([2, 2])); answer = [x.grad]"
