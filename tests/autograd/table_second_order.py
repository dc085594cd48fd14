"""Gradients of gradients through common operators, and where gradients are a matter of choice."""


def penalty(expression: str, shape: str = "(3, 4)", made: str = "") -> str:
    """The gradient of a gradient's squares with respect to input and weight, as a gradient penalty has it."""
    return f"""
F = paddle.nn.functional
x = X(np.sin(A{shape} * 3) * 2)
w = X(np.cos(A{shape} * 5))
{made}
y = {expression}
g = paddle.grad((y * y).sum(), x, create_graph=True)[0]
back((g * g).sum())
answer = [g.numpy(), x.grad.numpy(), w.grad.numpy() if w.grad is not None else None]
"""


def at(expression: str, values: str, then: str = "y") -> str:
    """The gradient at chosen values."""
    return f"""
F = paddle.nn.functional
x = X({values})
y = {expression}
back(({then}).sum())
answer = [y.numpy(), x.grad.numpy(), str(x.grad.dtype)]
"""


SECOND = {
    "matmul": "paddle.matmul(x, w, transpose_y=True)", "multiply": "x * w * x", "divide": "x / (w + 3)", "add": "(x + w) * x",
    "subtract": "(x - w) * x",
    "tanh": "paddle.tanh(x * w)", "sigmoid": "F.sigmoid(x * w)", "relu": "F.relu(x * w) * x", "leaky_relu": "F.leaky_relu(x * w) * x",
    "log": "paddle.log(x * x + 1) * w",
    "sqrt": "paddle.sqrt(x * x + 1) * w", "square": "paddle.square(x) * w", "rsqrt": "paddle.rsqrt(x * x + 1) * w",
    "pow": "(x * x + 1) ** 1.5 * w",
    "sin": "paddle.sin(x * w)", "cos": "paddle.cos(x * w)", "silu": "F.silu(x * w)",
    "elu": "F.elu(x * w)", "softplus": "F.softplus(x * w)", "abs": "paddle.abs(x * w) * x", "mean": "(x * x * w).mean(1)",
    "sum": "(x * x * w).sum(0)",
    "reshape": "(x * w * x).reshape([4, 3])", "transpose": "(x * w * x).transpose([1, 0])",
    "concat": "paddle.concat([x * w, x * x], 1)", "split": "paddle.split(x * w * x, 2, 1)[1]",
    "slice": "(x * w * x)[1:, :2]", "unsqueeze": "(x * w * x).unsqueeze(1)", "expand": "(x * x * w).sum(1, keepdim=True).expand([3, 4])",
    "tile": "paddle.tile(x * x * w, [2, 1])",
    "clip": "paddle.clip(x * w, -0.5, 0.5) * x",
    "cast": "(x * w).astype('float64') * x.astype('float64')", "scale": "paddle.scale(x * x * w, 3.0, 1.0)", "t": "paddle.t(x * w) @ x",
    "pad": "F.pad(x * x * w, [1, 1, 0, 0])",
    "linear": "F.linear(x, w.t()) ** 2", "mse": "F.mse_loss(x * x, w)",
    "squeeze": "(x * w * x).unsqueeze(0).squeeze(0)",
}  # fmt: skip
IMAGES = "(1, 2, 4, 4)"
CHOICES = {
    "relu_at_0": ("F.relu(x)", "[-1.0, 0.0, 2.0]"), "abs_at_0": ("paddle.abs(x)", "[-1.0, 0.0, 2.0]"),
    "clip_at_its_bounds": ("paddle.clip(x, -1.0, 2.0)", "[-2.0, -1.0, 0.0, 2.0, 3.0]"),
    "max_of_equals": ("paddle.max(x)", "[1.0, 3.0, 3.0]"), "amax_of_equals": ("paddle.amax(x)", "[1.0, 3.0, 3.0]"),
    "min_of_equals": ("paddle.min(x)", "[1.0, 1.0, 3.0]"),
    "amin_of_equals": ("paddle.amin(x)", "[1.0, 1.0, 3.0]"), "max_along_a_row": ("paddle.max(x, 1)", "[[3.0, 3.0], [1.0, 2.0]]"),
    "maximum_of_equals": ("paddle.maximum(x, x * 1)", "[1.0, 2.0]"),
    "maximum_with_an_equal": ("paddle.maximum(x, paddle.to_tensor([1.0, 1.0, 3.0]))", "[1.0, 2.0, 0.0]"),
    "minimum_with_an_equal": ("paddle.minimum(x, paddle.to_tensor([1.0, 1.0, 3.0]))", "[1.0, 2.0, 0.0]"),
    "fmax_with_an_equal": ("paddle.fmax(x, paddle.to_tensor([1.0, 1.0, 3.0]))", "[1.0, 2.0, 0.0]"),
    "topk_of_equals": ("paddle.topk(x, 2)[0]", "[3.0, 1.0, 3.0, 3.0]"),
    "sort_of_equals": ("paddle.sort(x) * paddle.to_tensor([1.0, 2.0, 3.0])", "[3.0, 1.0, 3.0]"),
    "norm_at_0": ("paddle.norm(x)", "[0.0, 0.0]"),
    "norm_1_at_0": ("paddle.norm(x, 1)", "[0.0, 2.0]"), "sqrt_at_0": ("paddle.sqrt(x)", "[0.0, 4.0]"),
    "pow_at_0": ("x ** 2", "[0.0, 4.0]"), "sign": ("paddle.sign(x)", "[0.0, -4.0]"),
    "where_hides_nan": ("paddle.where(x > 0, paddle.sqrt(x), x)", "[4.0, -1.0]"),
    "where_hides_log": ("paddle.where(x > 0, paddle.log(x), x)", "[4.0, 0.0]"),
    "relu6_at_its_bounds": ("F.relu6(x)", "[0.0, 3.0, 6.0, 7.0]"), "hardtanh_at_its_bounds": ("F.hardtanh(x)", "[-1.0, 0.5, 1.0]"),
    "leaky_relu_at_0": ("F.leaky_relu(x)", "[-1.0, 0.0, 1.0]"),
    "elu_at_0": ("F.elu(x, 2.0)", "[-1.0, 0.0, 1.0]"), "hardsigmoid_at_its_bounds": ("F.hardsigmoid(x)", "[-3.0, 0.0, 3.0]"),
    "hardswish_at_its_bounds": ("F.hardswish(x)", "[-3.0, 0.0, 3.0]"),
    "floor": ("paddle.floor(x)", "[1.5, 2.0]"), "round": ("paddle.round(x)", "[1.5, 2.0]"),
    "cumprod": ("paddle.cumprod(x, 0)", "[1.0, 2.0, 3.0]"), "logsumexp": ("paddle.logsumexp(x)", "[1.0, 2.0, 1000.0]"),
    "softshrink_at_its_bounds": ("F.softshrink(x)", "[-0.5, 0.5, 1.0]"), "median": ("paddle.median(x)", "[1.0, 3.0, 2.0, 2.0]"),
    "max_pool_of_equals": ("F.max_pool2d(x.reshape([1, 1, 2, 2]), 2)", "[1.0, 1.0, 0.0, 1.0]"),
    "broadcasting": ("x * paddle.ones([3, 2])", "[1.0, 2.0]"),
    "broadcasting_a_column": ("x.reshape([2, 1]) + paddle.zeros([2, 3])", "[1.0, 2.0]"),
    "to_float64": ("x.astype('float64') * 2", "[1.0, 2.0]"),
    "std_of_equals": ("paddle.std(x)", "[1.0, 2.0, 4.0]"), "var": ("paddle.var(x)", "[1.0, 2.0, 4.0]"),
    "dist_at_0": ("paddle.dist(x, x * 1)", "[1.0, 2.0]"),
    "cosine_at_0": ("F.cosine_similarity(x.reshape([1, 2]), paddle.ones([1, 2]))", "[0.0, 0.0]"),
    "acos_inside": ("paddle.acos(x)", "[0.5, 0.0]"), "index_twice": ("x[[0, 0, 1]] * 2", "[1.0, 2.0]"),
    "scatter": ("paddle.scatter(x, paddle.to_tensor([0]), paddle.to_tensor([5.0]))", "[1.0, 2.0]"),
    "kthvalue": ("paddle.kthvalue(x, 2)[0]", "[3.0, 1.0, 2.0]"), "mode": ("paddle.mode(x)[0]", "[3.0, 1.0, 3.0]"),
    "nan_to_num": ("paddle.nan_to_num(x)", "[np.nan, 1.0]"), "trace": ("paddle.trace(x)", "[[1.0, 2.0], [3.0, 4.0]]"),
    "log_at_0": ("paddle.log(x)", "[0.0, 1.0]"),
}  # fmt: skip
OTHERS = {
    "conv2d": penalty("F.conv2d(x, w, padding=1)", IMAGES),
    "batch_norm": penalty("bn(x * w)", "(3, 4)", "bn = paddle.nn.BatchNorm1D(4)"),
    "instance_norm": penalty("F.instance_norm(x * w)", IMAGES),
    "avg_pool2d": penalty("F.avg_pool2d(x * x * w, 2)", IMAGES),
    "network": """
paddle.seed(7)
net = paddle.nn.Sequential(paddle.nn.Linear(4, 8), paddle.nn.Tanh(), paddle.nn.Linear(8, 1))
for n, p in enumerate(net.parameters()):
    p.set_value(np.sin(np.arange(p.size, dtype="float32") + n).reshape(p.shape) / 2)
x = X(A(5, 4) / 3)
g = paddle.grad(net(x), x, create_graph=True)[0]
loss = ((g.norm(2, 1) - 1) ** 2).mean()
back(loss)
answer = [loss.numpy()] + [p.grad.numpy() if p.grad is not None else None for p in net.parameters()]
""",
    "third_order": "x = X([0.3, 0.7])\ny = paddle.tanh(x)\nfor n in range(3):\n    y = paddle.grad(y, x, create_graph=True)[0]\nanswer = y",
    "hooks": """
seen = []
x = X()
y = x * x
y.register_hook(lambda g: seen.append(g.numpy()) or g * 2)
g = paddle.grad(y * y, x, create_graph=True)[0]
back(g)
answer = [seen, g.numpy(), x.grad.numpy()]
""",
    "hook_of_a_leaf": """
seen = []
x = X()
x.register_hook(lambda g: seen.append(g.numpy()) or g * 3)
y = x * x
g = paddle.grad(y, x)
back(x * x)
answer = [seen, g, x.grad.numpy()]
""",
    "accumulated": "x = X()\nfor n in range(3):\n    back(x * x)\nanswer = x.grad.numpy()",
    "accumulated_over_two_losses": "x = X()\ny = x * x\nback([y.sum(), (y * 2).sum()])\nanswer = x.grad.numpy()",
    "shared": "x = X()\ny = x * 2\nback(y * y + paddle.tanh(y) * x)\nanswer = x.grad.numpy()",
    "retained": "x = X()\ny = x * x\ny.backward(retain_graph=True)\ny.backward(retain_graph=True)\ny.backward()\nanswer = x.grad.numpy()",
    "detached": "x = X()\ny = x * x\nz = y.detach() * x + y\nback(z)\nanswer = [z.stop_gradient, x.grad.numpy()]",
    "stopped": "x = X()\ny = x * x\ny.stop_gradient = True\nz = y * x\nback(z)\nanswer = x.grad.numpy()",
    "seed": "x = X()\ny = x * x\ny.backward(X([3.0, 4.0]))\nanswer = x.grad.numpy()",
    "freed_shared_part": "x = X()\ny = paddle.tanh(x)\nback((y * 2).sum())\nback((y * 3).sum())",
}  # fmt: skip
ONWARD = {  # what the gradient with respect to x leads to: in Paddle to all that products were made from
    "multiply": "x * y", "divide": "x / y", "matmul": "paddle.matmul(x, y)", "add": "x + y", "scale": "x * 2 + y",
    "three": "x * y * z", "sum": "(y + z) * x", "of_sum": "(x + z) * y", "bias": "(paddle.matmul(x, y) + z) * w",
    "mean": "x.mean() * y", "transpose": "x.t() * y", "cast": "x.astype('float64') * y.astype('float64')", "slice": "x[0] * y[1]",
    "relu": "F.relu(x) + y", "relu_of_product": "F.relu(x * y)", "relu_times": "F.relu(x) * y", "relu_of_sum": "F.relu(x + z) * y",
    "leaky_relu": "F.leaky_relu(x + z) * y", "abs": "paddle.abs(x + z) * y", "square": "x * x + y",
    "pieces": "paddle.split(x * y, 2)[0] + z", "same": "x * x.detach() + y",
    "constant": "x * y.detach() + z", "constant_first": "y.detach() * x", "by_constant": "x / y.detach()",
    "half": "x / 2 + y", "negative": "-x + y",
}  # fmt: skip


def onward(expression: str) -> str:
    """What the gradient of x leads to, in a list, as gradients of a pass, and for x alone."""
    return f"""
F = paddle.nn.functional
def made():
    x, y, z, w = (X(A(2, 2) * n + n) for n in (1, 2, 3, 4))
    return [x, y, z, w], paddle.grad(({expression}).sum(), x, create_graph=True)[0]
places, g = made()
answer = [g, paddle.grad(g.sum(), places, allow_unused=True)]
places, g = made()
back((g * g).sum())
answer.append([place.grad for place in places])
places, g = made()
try:
    answer += paddle.grad(g, places[0])
except ValueError:
    answer.append("none")
"""


OF_SEVERAL = """
x, y, z = (X(A(2, 2) * n + n) for n in (1, 2, 3))
gx, gy = paddle.grad((x * y + y * z).sum(), [x, y], create_graph=True)
answer = [paddle.grad(g, [x, y, z], retain_graph=True, allow_unused=True) for g in (gx, gy)]
m = x * 1.5
g = paddle.grad((m * y).sum(), m, create_graph=True)[0]
answer.append(paddle.grad(g, [x, m, y], allow_unused=True))
g = paddle.grad((x * y).sum(), x, create_graph=True)[0]
answer.append(paddle.grad(g, x, create_graph=True)[0])
"""
DECAYED = """
x, y = X(A(2, 2)), X(A(2, 2) * 2)
momentum = paddle.optimizer.Momentum(0.1, parameters=[x, y], weight_decay=0.1)
paddle.grad((x * y).sum(), x, create_graph=True)[0].sum().backward()
momentum.step()
answer = [x, y]
"""
CASES = {
    **{f"onward {name}": onward(expression) for name, expression in ONWARD.items()},
    "onward of several": OF_SEVERAL, "onward decayed": DECAYED,
    **{f"second {name}": penalty(expression) for name, expression in SECOND.items()},
    **{name: at(*choice) for name, choice in CHOICES.items()},
    **OTHERS,
}  # fmt: skip
