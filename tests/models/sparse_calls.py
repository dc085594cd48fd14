"""What `paddle.sparse` and the methods of sparse Tensors are asked, in a wheel and in ours; see snippets.py."""

from __future__ import annotations

START = """
S, T = paddle.sparse, paddle.to_tensor
def leaf(x, sg=False):
    x = x.detach()
    x.stop_gradient = sg
    return x
def coo(rows=((0, 1, 2), (1, 2, 0)), values=(1.0, -2.0, 3.0), shape=(3, 4), sg=False, **more):
    return leaf(S.sparse_coo_tensor([list(r) for r in rows], list(values), list(shape), **more), sg)
def csr(crows=(0, 2, 3, 5), cols=(1, 3, 2, 0, 1), values=(1.0, 2.0, 3.0, -4.0, 5.0), shape=(3, 4), sg=False, **more):
    return leaf(S.sparse_csr_tensor(list(crows), list(cols), list(values), list(shape), **more), sg)
def dense(*shape, sg=False, seed=0, dtype='float32'):
    return T(np.random.RandomState(seed).uniform(-1, 1, shape).astype(dtype), stop_gradient=sg)
def holes(*shape, seed=0, sg=False, share=0.5, dtype='float32'):
    r = np.random.RandomState(seed)
    return T((r.uniform(-1, 1, shape) * (r.uniform(0, 1, shape) < share)).astype(dtype), stop_gradient=sg)
def weight(x):
    return paddle.cos(paddle.arange(x.numel(), dtype='float32').reshape(x.shape)).astype(x.dtype)
def grads(out, *xs):
    if out.is_dense():
        (out * weight(out)).sum().backward()
    else:
        out.backward(out.detach())
    return [out, *[x.grad for x in xs]]
BATCH = leaf(S.sparse_csr_tensor([0, 1, 3, 0, 2, 2], [0, 0, 1, 1, 2], [1.0, 2.0, 3.0, 4.0, 5.0], [2, 2, 3]))
CUBE = coo(((0, 1, 1), (0, 0, 1), (1, 0, 2)), shape=(2, 2, 3))
ROWS = coo(((0, 1, 1), (2, 1, 0)), ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0)), (2, 3, 2))
"""


def named(*calls: str) -> dict[str, str]:
    """Cases that are one expression, or lines that end in one."""
    found = {}
    for call in calls:
        lines = call.split("; ")
        found[call] = "\n".join([START, *lines[:-1], f"answer = {lines[-1]}\n"])
    return found


UNARY = (
    "sin", "tan", "asin", "atan", "sinh", "asinh", "atanh", "tanh", "square", "sqrt", "log1p", "abs", "neg", "expm1", "deg2rad", "rad2deg",
)  # fmt: skip
ACTIVE = ("nn.functional.relu", "nn.functional.relu6", "nn.functional.leaky_relu")
LEARNED = {"coo": "values=(0.25, -0.5, 0.75)", "csr": "values=(0.25, -0.5, 0.75, 0.1, 0.3)"}
COO, CSR = "S.sparse_coo_tensor", "S.sparse_csr_tensor"

MADE = named(
    "coo()", "csr()", "coo(sg=True)", "csr(sg=True)", "csr(dtype='float64')",
    *(f"{COO}({given})" for given in (
        "[[0, 1], [1, 1]], [1.0, 2.0], [2, 3], stop_gradient=False", "[[0, 1, 2], [1, 2, 0]], [1, 2, 3]",
        "[[0, 1, 2], [1, 2, 0]], [1.0, 2.0, 3.0], dtype='float64'",
        "[[0, 1]], [[1.0, 2.0], [3.0, 4.0]], [3, 2]", "[[0, 1]], [[1.0, 2.0], [3.0, 4.0]]",
        "T([[0, 1], [1, 1]]), T([1.0, 2.0]), (2, 3), stop_gradient=False",
        "T([[0, 1], [1, 1]], dtype='int32'), T([1.0, 2.0]), [2, 3]", "np.array([[0, 1], [1, 1]]), np.array([1.0, 2.0]), [2, 3]",
        "[[0, 1], [1, 1]], [1.0, 2.0], [2, 3], place=paddle.CPUPlace()",
        "[[0, 1], [1, 1]], [1.0, 2.0], [2, 3], 'int32'", "[[0.5, 1], [1, 1]], [1.0, 2.0], [2, 3]", "[0, 1], [1.0, 2.0], [2, 3]",
        "[[0, 1], [1, 1]], [1.0, 2.0, 3.0], [2, 3]", "[[0, 1], [1, 5]], [1.0, 2.0], [2, 3]",
        "[[0, 1], [1, 1]], [1.0, 2.0], [2]", "[[0, 1], [1, 1]], [1.0, 2.0], 'x'", "[[0, -1], [1, 1]], [1.0, 2.0], [2, 3]", "None, [1.0]",
        "[[0, 1], [1, 1]], 3.0, [2, 3]", "[[]], [], [3]", "[[0, 1], [1, 1]], [1.0, 2.0], [2, 3], dtype='x'",
    )),
    *(f"{CSR}({given})" for given in (
        "[0, 2, 3], [0, 1, 2], [1, 2, 3], [2, 3]", "T([0, 2, 3]), T([0, 1, 2]), T([1.0, 2.0, 3.0]), (2, 3), stop_gradient=False",
        "[0, 1, 3, 0, 0, 1], [1, 0, 2, 1], [1.0, 2.0, 3.0, 4.0], [2, 2, 3]", "[0, 2, 3], [0, 1, 2], [1.0, 2.0], [2, 3]",
        "[0, 2], [0, 1, 2], [1.0, 2.0, 3.0], [2, 3]", "[0, 2, 3], [0, 1, 2], [1.0, 2.0, 3.0], [3]",
        "[0, 2, 3], [0, 1, 2], [1.0, 2.0, 3.0], [2, 2, 2, 2]", "[0.0, 2, 3], [0, 1, 2], [1.0, 2.0, 3.0], [2, 3]",
        "[1, 2, 3], [0, 1, 2], [1.0, 2.0, 3.0], [2, 3]",
        "[[0, 2, 3]], [0, 1, 2], [1.0, 2.0, 3.0], [2, 3]",
        "np.array([0, 2, 3], 'int32'), np.array([0, 1, 2], 'int32'), np.array([1.0, 2.0, 3.0]), [2, 3]",
        "[0, 2, 3], [0, 1, 2], [[1.0], [2.0], [3.0]], [2, 3]",
    )),
    f"x = {COO}([[0, 1], [1, 1]], [1.0, 2.0], [2, 3], stop_gradient=False); [x.is_leaf, x.to_dense().sum().backward(), x.grad]",
    f"x = {CSR}([0, 1, 2], [1, 1], [1.0, 2.0], [2, 3], stop_gradient=False); y = S.sin(x); y.backward(y.detach()); [x.is_leaf, x.grad]",
    f"v = dense(2); x = {COO}([[0, 1]], v, [3], stop_gradient=False); x.to_dense().sum().backward(); [x.grad, v.grad]",
    f"v = T([1.0, 2.0]); x = {COO}([[0, 1]], v, [3]); v[0] = 5.0; x",
)  # fmt: skip
ATTRIBUTES = named(
    *(f"x = {kind}; [{what}]" for kind in ("coo()", "csr()", "T([[1.0, 0.0]])", "ROWS") for what in (
        "x.shape, x.ndim, str(x.dtype)[-4:], x.stop_gradient, x.is_leaf, str(x.place)",
        "x.is_sparse(), x.is_sparse_coo(), x.is_sparse_csr(), x.is_dense(), x.is_selected_rows()", "x.persistable, x.grad", "x.nnz()",
        "x.indices(), x.indices().stop_gradient", "x.values(), x.values().stop_gradient", "x.crows()", "x.cols()", "x.rows()",
        "x.to_dense()", "x.coalesce()", "x.size", "x.numel()", "len(x)", "float(x)", "x.item()", "bool(x)",
        "x.detach(), x.detach().stop_gradient",
        "x.dim()", "x.rank()", "x.is_same_shape(T(np.ones([3, 4])))", "x.is_same_shape(coo())", "x.cpu()", "x.contiguous()",
        "x.is_contiguous()", "x.element_size()", "x._is_initialized()", "x.layout", "x.inplace_version", "x.type == T(1.0).type",
        "paddle.is_tensor(x), isinstance(x, paddle.Tensor)", "x.is_floating_point(), paddle.is_floating_point(x)", "x.is_complex()",
        "x.clear_grad()", "x.gradient()", "x.retain_grads()", "x.backward(), x.grad", "x.is_same_shape(3)",
    )),
    *(f"x = {kind}; [{what}]" for kind in ("coo()", "csr()") for what in (
        "x.to_sparse_csr()" if kind == "coo()" else "x.to_sparse_coo(2)", "x.to_sparse_coo()", "x[0]", "x + x", "x - x", "x * x", "x * 2.0",
        "x + 1.0", "-x", "x.sum()", "x.mean()", "x.astype('float32')", "x.sqrt()", "x.square()", "paddle.add(x, x)", "paddle.sum(x)",
        "paddle.cast(x, 'int32')", "paddle.concat([x, x])", "paddle.shape(x)", "[v for v in x]", "dense(3, 4) + x",
        "paddle.multiply(dense(3, 4), x)",
    )),
    "x = coo(); [paddle.grad(x.to_dense().sum(), x)]",
    "x = coo(); h = []; t = x.register_hook(lambda g: h.append(g)); S.sin(x).backward(); [h, x.grad, t.remove()]",
    "x = coo(); t = x.register_hook(lambda g: S.multiply(g, 2.0)); S.sin(x).backward(); x.grad",
)  # fmt: skip
PRINTED = named(
    *(f"x = {kind}; [repr(x), str(x)]" for kind in (
        "coo()", "csr()", "coo(sg=True)", "coo(((0, 1),), ((1.0, 2.0), (3.0, 4.0)), (3, 2))", "coo(values=(1, 2, 3), dtype='int64')",
        f"{COO}([list(range(50))] * 2, [0.5 * v for v in range(50)], [60, 60])", "coo(values=(1e-7, 200.0, 3.123456))",
        "csr(dtype='float64')",
        f"{COO}([list(range(1200))] * 2, [0.5 * v for v in range(1200)], [1200, 1200])", "dense(2, 3).to_sparse_coo(2)", "BATCH",
        "S.sin(coo())", "coo() if paddle.set_printoptions(precision=2) is None else 0",
        "S.sin(coo()) if paddle.set_printoptions(precision=8) is None else 0",
    )),
)  # fmt: skip
CONVERTED = named(
    *(f"x = {x}; grads(x.{call}, x)" for x, call in (
        ("holes(3, 4)", "to_sparse_coo(2)"), ("holes(3, 4)", "to_sparse_csr()"), ("holes(3, 4, 2)", "to_sparse_coo(2)"),
        ("holes(3, 4, 2)", "to_sparse_coo(1)"), ("holes(2, 3, 4)", "to_sparse_csr()"), ("holes(3, 4, 2)", "to_sparse_coo(3)"),
        ("coo()", "to_dense()"),
        ("coo()", "to_sparse_csr()"), ("ROWS", "to_dense()"), ("CUBE", "to_dense()"), ("CUBE", "to_sparse_csr()"),
        ("coo(((0, 0, 1), (1, 1, 0)))", "coalesce()"),
        ("coo(((2, 0, 2), (1, 2, 1)), ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0)), (3, 4, 2))", "coalesce()"),
    )),
    "x = holes(3, 4); x.to_sparse_coo(5)", "x = holes(3, 4); x.to_sparse_coo(0)", "holes(3).to_sparse_csr()", "holes(3).to_sparse_coo(1)",
    "holes(2, 2, 2, 2).to_sparse_csr()", "T([[0, 3], [4, 0]]).to_sparse_coo(2)", "T([[0, 3], [4, 0]]).to_sparse_csr()",
    "T([[0.0, 0.0]]).to_sparse_coo(2)",
    "T([[0.0, float('nan')]]).to_sparse_coo(2)", "[csr().to_sparse_coo(2), BATCH.to_sparse_coo(3), csr().to_dense(), BATCH.to_dense()]",
    "coo(((0, 0, 1), (1, 1, 0))).to_dense()", "coo(((0, 0, 1), (1, 1, 0))).to_sparse_csr()", "coo(((2, 0, 1), (1, 2, 0))).coalesce()",
    "S.coalesce(csr())",
    "S.coalesce(dense(2, 2))", "S.coalesce(coo(((0, 0, 1), (1, 1, 0)), values=(1, 2, 3), dtype='int64'))",
    "x = coo(); y = x.to_dense(); y.backward(); x.grad", "x = coo(); y = S.sin(x); y.backward(); [x.grad, y.grad]",
    "x = coo(); y = S.square(x); z = S.sin(y); z.backward(z); x.grad",
    "x = coo(); y = S.sin(x); y.values().sum().backward(); x.grad", "x = coo(); x.values().sum().backward(); x.grad",
    "x = coo(); y = S.sin(x); y.backward(dense(3, 4)); x.grad", "x = coo(); a = S.sin(x).backward(); b = S.sin(x).backward(); x.grad",
    "x = coo(); paddle.autograd.backward([S.sin(x)]); x.grad", "x = coo(); paddle.grad([S.sin(x).to_dense().sum()], [x])",
    "x = coo(); y = S.sin(x); paddle.grad([y], [x], [y.detach()])", "x = coo(sg=True); S.sin(x).stop_gradient",
    "x = coo(); y = S.sin(x); [y.stop_gradient, y.is_leaf, x.is_leaf]",
    "x = coo();\nwith paddle.no_grad():\n    y = S.sin(x); y.stop_gradient",
    "x = coo(); x.stop_gradient = True; [x.stop_gradient, S.sin(x).stop_gradient]", "import copy; copy.deepcopy(coo())",
    "x = coo(); y = S.square(x); y.retain_grads(); z = S.sin(y); z.backward(); [y.grad, x.grad]",
    "S.is_same_shape(coo(), csr())", "S.is_same_shape(coo(), dense(3, 4))", "S.is_same_shape(dense(3, 4), dense(3, 3))",
    "S.is_same_shape(coo(), 3)", "S.is_same_shape(3, coo())",
)  # fmt: skip
SLICES = ("[0], [1], [3]", "[0, 1], [0, 1], [2, 3]", "[1], [-2], [4]", "[1], [0], [100]", "[-1], [1], [3]", "[0], [1], [-1]")
ONE = named(
    *(f"x = {kind}({LEARNED[kind]}); grads(S.{f}(x), x)" for f in (*UNARY, *ACTIVE) for kind in LEARNED),
    *(f"S.{f}(dense(2, 2))" for f in ("sin", "neg", "isnan", "deg2rad", "nn.functional.relu", "nn.functional.softmax")),
    *(f"S.{f}(coo(dtype='float64', {LEARNED['coo']}))" for f in UNARY),
    "S.sin(3.0)", "S.sin(None)", "S.sin('x')", "S.sin(coo(), 'name')", "S.deg2rad(coo(values=(1, 2, 3), dtype='int64', sg=True))",
    *(f"x = {kind}(); grads(S.{call}, x)" for kind in ("coo", "csr") for call in (
        "pow(x, 2)", "pow(x, 3.0)", "pow(x, -1)", "pow(x, 0)", "cast(x, value_dtype='float64')", "cast(x, 'int32', 'float64')",
        "nn.functional.leaky_relu(x, 0.3)", "transpose(x, [1, 0])", "transpose(x, perm=[0, 1])", "transpose(x, [1, 2])",
        "reshape(x, [4, 3])", "reshape(x, [2, -1])", "reshape(x, (12,))",
        "reshape(x, [2, 2, 3])", "reshape(x, [5, 3])", "reshape(x, [0, 4])", "reshape(x, [-1, 3])", "sum(x)", "sum(x, 0)", "sum(x, axis=1)",
        "sum(x, [0, 1])", "sum(x, axis=0, dtype='float64')", "sum(x, dtype='float64')", "sum(x, 0, keepdim=True)", "sum(x, keepdim=True)",
        "sum(x, 5)",
        "slice(x, [3], [0], [1])", "slice(x, [0, 1], [1], [2])", "isnan(x)", "nn.functional.softmax(x)",
        "nn.functional.softmax(x, axis=-1)", "nn.functional.softmax(x, axis=0)", "nn.functional.softmax(x, axis=1)",
    )),
    *(f"x = {kind}(); out = S.slice(x, {where}); [out, *[each.to_dense().numpy() for each in grads(out, x)]]" for kind in ("coo",
    "csr") for where in SLICES),
    "x = CUBE; out = S.slice(x, [0, 2], [0, 1], [2, 3]); [out, *[each.to_dense().numpy() for each in grads(out, x)]]",
    "S.sum(csr(), -1, keepdim=True)", "S.sum(csr(), -1)", "S.sum(S.sparse_coo_tensor([[0, 2]], [1.0, 2.0], [3]), 0).to_dense()",
    "x = coo(); grads(S.sum(x, -1), x)",
    "S.isnan(coo(values=(float('nan'), 1.0, float('inf'))))", "S.isnan(csr(values=(float('nan'), 1.0, 2.0, 3.0, 4.0)))",
    "S.pow(coo(), 'x')", "S.pow(coo(), T(2.0))", "S.cast(coo(), value_dtype='x')", "S.sum(coo(values=(1, 2, 3), dtype='int32', sg=True))",
    "S.sum(coo(values=(1, 2, 3), dtype='int32', sg=True), 0)",
    *(f"S.{call}" for call in ("sum(dense(2, 2))", "slice(dense(2, 2), [0], [0], [1])", "transpose(dense(2, 2), [1, 0])",
    "reshape(dense(2, 2), [4])", "cast(dense(2, 2), value_dtype='float64')", "pow(dense(2, 2), 2)")),
    "S.reshape(coo(), 'x')", "S.transpose(coo(), 1)", "S.cast(coo(values=(1.7, -2.7, 0.0)), value_dtype='int32')",
    *(f"x = {x}; grads(S.{call}, x)" for x, call in (
        ("CUBE", "transpose(x, [2, 0, 1])"), ("CUBE", "reshape(x, [4, 3])"), ("CUBE", "sum(x, [0, 2])"), ("CUBE", "sum(x, 1)"),
        ("CUBE", "nn.functional.softmax(x)"), ("ROWS", "sum(x, 2)"), ("ROWS", "sum(x, 0)"), ("ROWS", "sum(x)"),
        ("ROWS", "nn.functional.softmax(x)"), ("ROWS", "reshape(x, [3, 2, 2])"), ("ROWS", "sin(x)"),
        ("BATCH", "nn.functional.softmax(x)"), ("BATCH", "transpose(x, [0, 2, 1])"), ("BATCH", "transpose(x, [1, 0, 2])"),
        ("BATCH", "sum(x, -1)"), ("BATCH", "sum(x)"), ("BATCH", "reshape(x, [4, 3])"),
    )),
)  # fmt: skip
APART = "x = coo(); y = coo(((0, 1, 2), (1, 1, 0)), (4.0, 5.0, 6.0))"
ROWS_APART = "x = csr(); y = csr((0, 1, 3, 4), (1, 1, 2, 0), (4.0, 5.0, 6.0, 7.0))"
WHOLE = "x = coo(values=(6, -7, 8), dtype='int64', sg=True); y = coo(((0, 1, 2), (1, 1, 0)), (2, 3, 3), dtype='int64', sg=True)"
BOTH = ("add", "subtract", "multiply", "divide")
TWO = named(
    *(f"{two}; {'S.subtract(x, y)' if f == 'subtract' else f'grads(S.{f}(x, y), x, y)'}" for f in BOTH for two in (APART, ROWS_APART)),
    *(f"{WHOLE}; S.{f}(x, y)" for f in BOTH),
    *(f"x = coo(); y = coo(values=(4.0, 5.0, 6.0)); grads(S.{f}(x, y), x, y)" for f in BOTH),
    *(f"x = csr(); y = csr(values=(4.0, 5.0, 6.0, 7.0, 8.0)); grads(S.{f}(x, y), x, y)" for f in BOTH),
    *(f"S.{f}(coo(), {y})" for f in BOTH for y in ("dense(3, 4)", "csr()", "2.0", "3", "coo(shape=(3, 5))", "coo(dtype='float64')",
    "dense(3, 1)", "None", "T(2.0)")), *(f"S.{f}(dense(3, 4), {y})" for f in ("add", "multiply") for y in ("coo()", "dense(3, 4)")),
    "S.add(csr(), dense(3, 4))", "S.multiply(csr(), 2.0)", "S.divide(csr(), 2.0)", "x = coo(); grads(S.divide(x, 2.0), x)",
    "x = coo(); grads(S.multiply(x, 2.0), x)", "x = coo(((0, 0, 1), (1, 1, 0))); S.add(x, x)",
    "y = coo(((0, 1), (1, 1)), ((5.0, 6.0), (7.0, 8.0)), (2, 3, 2)); [S.add(ROWS.coalesce(), y), S.multiply(ROWS.coalesce(), y)]",
    "S.matmul(coo(), csr())", "S.matmul(dense(2, 3), coo())",
    "S.matmul(dense(2, 3), dense(3, 2))", "S.matmul(coo(), dense(3, 2))", "S.matmul(coo(), 3.0)",
    "S.masked_matmul(coo(), dense(4, 4), csr())", "S.masked_matmul(dense(3, 5), dense(5, 4), dense(3, 4))", "S.mv(coo(), dense(3))",
    "S.mv(coo(), dense(4, 1))", "S.mv(dense(3, 4), dense(4))", "S.addmm(dense(3, 2), dense(3, 4), dense(4, 2))",
    "S.pca_lowrank(coo(), q=9)", "S.pca_lowrank(coo(), niter=-1)",
)  # fmt: skip

CLOUD = """
r = np.random.RandomState(3)
def cloud(*shape, channels=2, count=6, sg=False, dtype='float32'):
    cells = r.permutation(int(np.prod(shape)))[:count]
    places = np.array(sorted(zip(*np.unravel_index(cells, shape)))).T
    return leaf(S.sparse_coo_tensor(places, r.uniform(-1, 1, (count, channels)).astype(dtype), [*shape, channels]), sg)
def set_all(layer):
    for i, p in enumerate(layer.parameters()):
        p.set_value(np.random.RandomState(i).uniform(-1, 1, p.shape).astype('float32'))
    return layer
F = S.nn.functional
def convolved(function, x, w, *more, **settings):
    return grads(function(x, w, *more, **settings), x, w, *more[:1])
def told(layer):
    return [[[name, p.shape] for name, p in layer.named_parameters()], repr(layer), layer.full_name()[:-2]]
def learnt(x, layer):
    set_all(layer)
    return grads(layer(x), x, *layer.parameters())
"""


def clouds(*calls: str) -> dict[str, str]:
    """Cases over points in space."""
    return {call: "\n".join([START, CLOUD, *call.split("; ")[:-1], f"answer = {call.split('; ')[-1]}\n"]) for call in calls}


SETTINGS = (
    "", ", dense(3)", ", dense(3), stride=2", ", dense(3), 1, 1", ", stride=[1, 2, 1], padding=[1, 0, 1]", ", dilation=2, padding=1",
    ", padding='SAME'", ", padding='VALID'", ", padding=[1, 0, 0, 1, 1, 1]", ", groups=2", ", data_format='NCDHW'",
)  # fmt: skip
SPACE = clouds(
    *(f"convolved(F.conv3d, cloud(1, 3, 4, 3), dense(2, 2, 2, 2, 3){more})" for more in SETTINGS),
    *(
        f"convolved(F.subm_conv3d, cloud(1, 3, 4, 3), dense(3, 3, 3, 2, 3){more})"
        for more in ("", ", dense(3)", ", dense(3), 1, 1", ", stride=2", ", key='k'", ", padding='SAME'")
    ),
    *(
        f"convolved(F.conv2d, cloud(2, 4, 5), dense(2, 2, 2, 3){more})"
        for more in ("", ", dense(3)", ", dense(3), stride=2", ", dense(3), 1, 1", ", dilation=2")
    ),
    *(f"convolved(F.subm_conv2d, cloud(2, 4, 5), dense(3, 3, 2, 3){more})" for more in ("", ", dense(3), 1, 1", ", key='k'")),
    "F.conv3d(cloud(3, 4, 3), dense(2, 2, 2, 2, 3))", "F.conv3d(dense(1, 3, 4, 3, 2), dense(2, 2, 2, 2, 3))",
    "F.conv3d(cloud(1, 3, 4, 3, dtype='float64'), dense(2, 2, 2, 2, 3, dtype='float64'))",
    *(f"x = cloud(1, 4, 4, 3); grads(F.max_pool3d(x, {more}), x)" for more in (
        "2", "2, 1", "2, stride=2", "[2, 2, 1], [1, 2, 1], 0", "3, 2, 1", "2, 2, ceil_mode=True", "2, data_format='NCDHW'", "(1, 2, 3)",
    )),
    "F.max_pool3d(dense(1, 3, 3, 3, 2), 2)",
    *(f"told(S.nn.{call})" for call in (
        "Conv3D(2, 3, 2)", "Conv3D(2, 3, (1, 2, 3), stride=2, padding=1, dilation=2, bias_attr=False)", "SubmConv3D(2, 3, 3)",
        "SubmConv3D(2, 3, 3, key='a')", "Conv2D(2, 3, 2)", "SubmConv2D(2, 3, 3)", "BatchNorm(4)", "SyncBatchNorm(4)", "ReLU()", "ReLU6()",
        "LeakyReLU(0.3)", "Softmax()", "MaxPool3D(2)", "MaxPool3D(2, 1, 1, ceil_mode=True)", "Conv3D(2, 3, 2, groups=2)",
        "Conv3D(2, 3, 2, padding_mode='reflect')", "Conv3D(2, 3, 2, data_format='NCDHW')", "Conv3D(3, 3, 2, padding='SAME')",
        "BatchNorm(4, data_format='NCDHW')", "BatchNorm(4, weight_attr=False, bias_attr=False)", "ReLU(name='x')",
        "MaxPool3D(2, return_mask=True)",
    )),
    *(f"paddle.seed(5); [p for p in S.nn.{call}.parameters()]" for call in (
        "Conv3D(2, 3, 2)", "SubmConv3D(2, 3, 3)", "Conv2D(2, 3, 2)", "SubmConv2D(2, 3, 3)", "BatchNorm(2)",
    )),
    *(f"learnt(cloud(1, 3, 4, 3), S.nn.{call})" for call in (
        "Conv3D(2, 3, 2)", "Conv3D(2, 3, 2, 2, 1)", "SubmConv3D(2, 3, 3)", "SubmConv3D(2, 3, 3, padding=1, key='b')", "MaxPool3D(2)",
        "ReLU()", "ReLU6()", "LeakyReLU(0.3)", "BatchNorm(2)", "BatchNorm(2, momentum=0.5, epsilon=0.1)",
        "BatchNorm(2, use_global_stats=True)",
    )),
    *(f"learnt(cloud(2, 4, 5), S.nn.{call})" for call in ("Conv2D(2, 3, 2)", "SubmConv2D(2, 3, 3)", "BatchNorm(2, data_format='NHWC')")),
    "S.nn.Softmax()(csr())", "l = S.nn.BatchNorm(2); l(cloud(1, 3, 4, 3)); [l._mean.numpy(), l._variance.numpy(), sorted(l.state_dict())]",
    "l = S.nn.BatchNorm(2); l.eval(); l(cloud(1, 3, 4, 3))", "S.nn.BatchNorm(2)(dense(2, 2))", "S.nn.BatchNorm(3)(cloud(1, 3, 4, 3))",
    *(f"S.nn.BatchNorm(2, data_format='{layout}')(cloud(1, 3, 4, 3)).shape" for layout in ("NDHWC", "NHWC", "NCDHW", "NCHW", "NC")),
    "l, x = S.nn.BatchNorm(2), cloud(1, 3, 4, 3); l(x); l.eval(); [l(x), l._mean.numpy(), l(x), l._mean.numpy()]",
    "l, x = S.nn.BatchNorm(2), cloud(1, 3, 4, 3); l.eval(); l(x); l.train(); [l(x), l._mean.numpy(), l(x), l._mean.numpy()]",
    """class Block(paddle.nn.Layer):
    def __init__(self, width):
        super().__init__()
        n = S.nn
        self.body = paddle.nn.Sequential(
            n.SubmConv3D(width, width, 3, key='a'), n.BatchNorm(width, momentum=0.99, epsilon=1e-3), n.ReLU(),
            n.SubmConv3D(width, width, 3), n.BatchNorm(width),
        )
    def forward(self, x):
        return S.nn.ReLU()(S.add(self.body(x), x))
class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.stem = paddle.nn.Sequential(S.nn.Conv3D(2, 4, 3, padding=1, bias_attr=False), S.nn.BatchNorm(4), S.nn.ReLU())
        self.blocks = paddle.nn.Sequential(Block(4), S.nn.MaxPool3D(2, 2))
        self.fc = paddle.nn.Linear(4 * 2 * 3 * 2, 3)
    def forward(self, x):
        return self.fc(self.blocks(self.stem(x)).to_dense().transpose([0, 4, 1, 2, 3]).flatten(1))
paddle.seed(7)
net, answer = Net(), []
o = paddle.optimizer.AdamW(1e-2, parameters=net.parameters(), grad_clip=paddle.nn.ClipGradByGlobalNorm(1.0))
for _ in range(3):
    loss = paddle.nn.functional.cross_entropy(net(cloud(2, 4, 6, 5, count=60)), T([0, 2]))
    loss.backward()
    o.step()
    o.clear_grad()
    answer.append(float(loss))
net.eval(); [answer, net(cloud(2, 4, 6, 5, count=60)).numpy(), [[n, p.shape] for n, p in net.named_parameters()]]""",
    "S.nn.ReLU()(dense(2, 2))", "told(S.nn.SyncBatchNorm.convert_sync_batchnorm("
    "paddle.nn.Sequential(S.nn.Conv3D(2, 3, 2), S.nn.ReLU(), S.nn.BatchNorm(3))))",
    "n = S.nn; m = paddle.nn.Sequential(n.SubmConv3D(2, 4, 3, bias_attr=False), n.BatchNorm(4), n.ReLU(), n.Conv3D(4, 2, 2), n.ReLU(), "
    "n.MaxPool3D(2, 1)); learnt(cloud(1, 4, 5, 4, count=20), m)",
    """n = S.nn; m = set_all(paddle.nn.Sequential(n.SubmConv3D(2, 4, 3, padding=1), n.ReLU(), n.Conv3D(4, 1, 2)))
o, x, a = paddle.optimizer.Adam(0.01, parameters=m.parameters()), cloud(1, 4, 5, 4, count=20), []
for _ in range(3):
    l = m(x).to_dense().square().mean()
    l.backward()
    o.step()
    o.clear_grad()
    a.append(l.item()); a""",
)  # fmt: skip

CASES = {**MADE, **ATTRIBUTES, **PRINTED, **CONVERTED, **ONE, **TWO, **SPACE}
CASES_OF_3 = {
    **named(
        "S.sparse_coo_tensor([[0, 1], [1, 1]], [1+2j, 3.0], [2, 3])", "S.sparse_csr_tensor([0, 2, 3], [0, 1, 2], [1.0, 2.0, 3.0])",
        "coo().to_sparse_coo(2)", "csr().to_sparse_csr()",
        "[[x.sparse_dim(), x.dense_dim()] for x in (ROWS, csr(), dense(2, 3))]",
        "x = coo(); [x.is_coalesced(), S.sin(x).is_coalesced(), x.coalesce().is_coalesced(), holes(2, 2).to_sparse_coo(2).is_coalesced()]",
        "x = csr(); y = x.copy_(csr(values=(5.0, 6.0, 7.0, 8.0, 9.0)), True); [x, y]", "coo().to('cpu')",
        *(f"S.{f}(coo(values=(1, 2, 3), dtype='int64', sg=True))" for f in ("sin", "tan", "asin", "atan", "sinh", "asinh", "atanh", "tanh",
        "sqrt")), "S.slice(coo(), [0], [2], [1])", "S.slice(csr(), [0], [2], [1])",
        "x = dense(3, 4); m = coo(); grads(S.mask_as(x, m), x)", "x = dense(3, 4); m = csr(); grads(S.mask_as(x, m), x)",
        "x = dense(2, 3, 4); m = holes(2, 3, 4, sg=True).to_sparse_csr(); grads(S.mask_as(x, m), x)", "S.mask_as(coo(), coo())",
        "S.mask_as(dense(3, 5), coo())",
        "S.mask_as(dense(3, 4), dense(3, 4))",
        "x = dense(3, 4, 2); m = coo(((0, 1), (1, 0)), ((1.0, 2.0), (3.0, 4.0)), (3, 4, 2)); grads(S.mask_as(x, m), x)",
        "x = dense(3, 4); m = coo(((0, 0, 1), (1, 1, 0))); S.mask_as(x, m)",
    ),
}  # fmt: skip
