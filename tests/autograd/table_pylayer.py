"""Pieces of code with functions that have gradients of their own, and with hooks for what is saved."""

TANH = """
from paddle.autograd import PyLayer, PyLayerContext

class Tanh(PyLayer):
    @staticmethod
    def forward(ctx, x, factor=3):
        ctx.factor = factor
        y = paddle.tanh(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, dy):
        y, = ctx.saved_tensor()
        return dy * (1 - y * y) * ctx.factor

def layer(forward, backward):
    class Made(PyLayer):
        pass
    Made.forward, Made.backward = staticmethod(forward), staticmethod(backward)
    return Made.apply
"""


def two(backward: str, stop: bool = False) -> str:
    """Two inputs, two outputs, a backward function of the outputs' gradients a and b."""
    return f"""
f = layer(lambda ctx, x, y: (x * 2, y * 3), lambda ctx, a, b: {backward})
x, y = X(), X(stop={stop})
o = f(x, y)
back(o[0] + o[1])
answer = [type(o).__name__, [v.stop_gradient for v in o], [v.grad if v.grad is None else v.grad.numpy() for v in (x, y)]]
"""


def one(forward: str, backward: str = "a", use: str = "o") -> str:
    """One input that an operator made."""
    return f"""
f = layer(lambda ctx, x: {forward}, lambda ctx, *a: {backward})
base = X()
x = base * 1
o = f(x)
back({use})
answer = [o, base.grad if base.grad is None else base.grad.numpy(), o is x]
"""


def saving(forward: str, backward: str, after: str = "") -> str:
    """A forward and a backward function of several lines."""
    return f"""
seen = []
def forward(ctx, x):
    {forward}
def backward(ctx, a):
    {backward}
base = X()
x = base * 1
o = layer(forward, backward)(x)
{after}
back(o)
answer = [seen, base.grad.numpy()]
"""


PIECES = {
    "tanh": "x = X()\ny = Tanh.apply(x)\nback(y)\nanswer = [y, y.is_leaf, x.grad.numpy()]",
    "keyword": "x = X()\nback(Tanh.apply(x, factor=5).sum())\nanswer = x.grad.numpy()",
    "no_gradient": "y = Tanh.apply(X(stop=True))\nanswer = [y, y.is_leaf]",
    "under_no_grad": "with paddle.no_grad():\n    y = Tanh.apply(X())\nanswer = [y, y.is_leaf]",
    "second_order": "x = X()\ng = paddle.grad(Tanh.apply(x), x, create_graph=True)[0]\nanswer = [g, paddle.grad(g, x)]",
    "twice_in_a_row": "x = X()\ny = Tanh.apply(x)\nback((Tanh.apply(y) + y * x).sum())\nanswer = x.grad.numpy()",
    "two": two("(a * 10, b * 20)"),
    "too_many": two("(a, b, b)"),
    "too_few": two("a"),
    "too_few_but_enough": two("a", True),
    "none": two("(a, None)"),
    "for_a_stopped_one": two("(a, b)", True),
    "none_for_a_stopped_one": two("(a, None)", True),
    "no_tensor": one("None"),
    "a_number": one("3"),
    "a_dict": one("{'a': x}"),
    "mixed": one("(x * 2, 3, None, 's')", "a[0]", "o[0]"),
    "a_list": one("[x * 2, x * 3]", "a[0] + a[1]", "o[0] + o[1]"),
    "the_input": one("x", "a[0] * 5"),
    "a_leaf": "f = layer(lambda ctx, x: x, lambda ctx, a: a)\nanswer = f(X())",
    "written_over": one("x.add_(X(stop=True))", "a[0] * 5"),
    "window": one("x.reshape([2, 1])", "a[0].reshape([2]) * 5"),
    "without_inputs": "f = layer(lambda ctx: X() * 2, lambda ctx, a: None)\nanswer = f()",
    "gradient_no_tensor": one("x * 2", "3.0"),
    "gradient_none": "f = layer(lambda ctx, x: x * 2, lambda ctx, a: None)\nx = X()\nback(f(x))\nanswer = x.grad",
    "gradients_empty": one("x * 2", "()"),
    "keywords_in_their_order": """
f = layer(lambda ctx, x, y=None: x * 2 + y, lambda ctx, a: (a * 7, a * 2))
x, y, z, w = X(), X(), X(), X()
back(f(y=y, x=x))
back(f(z, y=w))
answer = [v.grad.numpy() for v in (x, y, z, w)]
""",
    "no_backward": "class L(PyLayer):\n    @staticmethod\n    def forward(ctx, x): return x * 2\nanswer = L.apply(X())",
    "no_forward": "class L(PyLayer):\n    @staticmethod\n    def backward(ctx, x): return x * 2\nanswer = L.apply(X())",
    "plain_functions": """
class L(PyLayer):
    def forward(ctx, x): return x * 2
    def backward(ctx, a): return a * 3
x = X()
back(L.apply(x))
answer = x.grad.numpy()
""",
    "forward_raises": "def forward(ctx, x): raise KeyError('mine')\nlayer(forward, forward)(X())",
    "unused_output": """
seen = []
f = layer(lambda ctx, x, y: (x * 2, y * 3), lambda ctx, a, b: seen.append([a.numpy(), b.numpy()]) or (a, b))
x, y = X(), X()
back(f(x, y)[0])
answer = [seen, x.grad.numpy(), y.grad.numpy()]
""",
    "unused_output_is_none": """
seen = []
def forward(ctx, x, y):
    ctx.set_materialize_grads(False)
    return x * 2, y * 3
f = layer(forward, lambda ctx, a, b: seen.append([a.numpy(), b]) or (a, a))
x, y = X(), X()
back(f(x, y)[0])
answer = [seen, x.grad.numpy(), y.grad.numpy()]
""",
    "non_differentiable": """
def forward(ctx, x):
    y, z = x * 2, x > 1
    ctx.mark_non_differentiable(z)
    return y, z
seen = []
x = X()
y, z = layer(forward, lambda ctx, a, b: seen.append(b) or a)(x)
back(y.sum())
answer = [y, z, x.grad.numpy(), seen]
""",
    "context": saving(
        "seen.append([ctx.saved_tensor(), isinstance(ctx, PyLayerContext), type(ctx).__name__])\n"
        "    seen.append([paddle.is_grad_enabled(), x.stop_gradient])\n"
        "    ctx.save_for_backward(x)\n    ctx.save_for_backward(x * 5)\n    return x * 2",
        "seen.append([paddle.is_grad_enabled(), ctx.saved_tensor()[0].numpy()])\n    return a",
    ),
    "saves_other_things": saving(
        "ctx.save_for_backward(3, None, [x, x], x)\n    return x * 2",
        "n, nothing, pair, y = ctx.saved_tensor()\n    return a * n * pair[0] * y",
    ),
    "saved_is_overwritten": saving("ctx.save_for_backward(x)\n    return x * x", "return a * 2 * ctx.saved_tensor()[0]", "x[0] = 9.0"),
    "saves_nothing": saving("return x * 2", "seen.append(ctx.saved_tensor())\n    return a"),
    "gradient_of_itself_inside": saving(
        "ctx.save_for_backward(x)\n    return x * x",
        "x = ctx.saved_tensor()[0].detach()\n    x.stop_gradient = False\n    with paddle.enable_grad():\n        y = x * x\n"
        "    return paddle.grad(y, x, a)[0] * 10",
    ),
    "hooks": """
seen = []
x = X()
y = x * 1
y.register_hook(lambda g: seen.append(g.numpy()))
o = layer(lambda ctx, x: x * 2, lambda ctx, a: a * 3)(y)
o.register_hook(lambda g: seen.append(g.numpy()))
back(o.sum())
answer = [seen, x.grad.numpy()]
""",
    "static_mode": "paddle.enable_static()\nTanh.apply(paddle.static.data('v', [2]))",
    "saved_tensors_hooks": """
seen = []
def pack(t):
    seen.append(["pack", t.shape])
    return t.numpy()
def unpack(a):
    seen.append("unpack")
    return paddle.to_tensor(a)
x, w = X(), X()
with paddle.autograd.saved_tensors_hooks(pack, unpack):
    z = paddle.tanh(x * w)
back(z.sum())
answer = [seen, x.grad.numpy(), w.grad.numpy()]
""",
    "saved_tensors_hooks_of_a_layer": """
seen = []
x = X()
hooks = lambda t: seen.append("pack") or t.numpy(), lambda a: seen.append("unpack") or paddle.to_tensor(a)
with paddle.autograd.saved_tensors_hooks(*hooks):
    y = Tanh.apply(x)
back(y.sum())
answer = [seen, x.grad.numpy()]
""",
    "saved_tensors_hooks_twice": """
hooks = paddle.autograd.saved_tensors_hooks
with hooks(lambda t: t, lambda t: t), hooks(lambda t: t, lambda t: t):
    X() * X()
""",
    "saved_tensors_hooks_return_no_tensor": """
x = X()
with paddle.autograd.saved_tensors_hooks(lambda t: t, lambda t: 3):
    y = x * X()
back(y)
""",
    "gradients_of_leaves_say_what_the_backward_function_gave": """
found = []
x = X()
for _ in range(2):
    back(Tanh.apply(x).sum())
    found.append(x.grad.stop_gradient)
back((x * 2).sum())
found.append(x.grad.stop_gradient)
x = X()
back((x * 2).sum())
back(Tanh.apply(x).sum())
found.append(x.grad.stop_gradient)
x = X()
back(layer(lambda ctx, x: x * 2, lambda ctx, dy: dy)(x).sum())
found.append(x.grad.stop_gradient)
weight = paddle.nn.Linear(2, 2).weight
back(layer(lambda ctx, x, w: x @ w, lambda ctx, dy: (None, paddle.ones([2, 2])))(X([[1.0, 2.0]], True), weight).sum())
found.append(weight.grad.stop_gradient)
x = X()
back((layer(lambda ctx, x: x * 2, lambda ctx, dy: dy * 3)(x) + Tanh.apply(x)).sum())
answer = [found, x.grad]
""",
    "returning_an_input_counts_as_a_change": """
def forward(ctx, x, times):
    for _ in range(times):
        x.scale_(3)
    return x

answer = []
for times in range(3):
    x = X() / 3
    y = layer(forward, lambda ctx, dy: dy * 3)(x, times)
    answer.append([y is x, y.inplace_version, x])
""",
    "hooks_after_a_backward_pass_on_what_is_no_leaf": "(X() * 2)._register_backward_hook(lambda: None)",
    "hooks_after_a_backward_pass_on_what_stops_gradients": "X(stop=True)._register_backward_hook(lambda: None)",
    "hooks_that_change_gradients_in_place": """
def change(grad):
    with paddle.no_grad():
        grad.scale_(3.0)

answer = []
for loss in (lambda y: y.sum(), lambda y: (y * 2).sum(), lambda y: y.mean()):
    x = X()
    y = x * 2
    y.register_hook(change)
    back(loss(y))
    answer.append(x.grad)
""",
    "saved_tensors_hooks_unused": "with paddle.autograd.saved_tensors_hooks(3, 4):\n    pass\nanswer = 1",
}
CASES = {name: TANH + code for name, code in PIECES.items()}
