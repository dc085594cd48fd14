"""Pieces of code that switch the remembering of operators on and off."""

CASES = {
    "no_grad_takes_nothing": """
@paddle.no_grad
def f(): return 1
answer = f()
""",
    "no_grad_takes_no_number": "answer = paddle.no_grad(3)",
    "no_grad_decorates": """
x = X()
@paddle.no_grad()
def f(v, *, scale=3):
    "Says so."
    return v * scale
answer = [f(x), f(x, scale=2), f.__name__, f.__doc__, f.__wrapped__(x).stop_gradient]
""",
    "no_grad_is_a_context": """
x = X()
with paddle.no_grad() as nothing:
    y = x * 2
answer = [y, y.is_leaf, nothing, (x * 2).stop_gradient]
""",
    "no_grad_decorates_a_generator": """
import inspect
x = X()
@paddle.no_grad()
def f():
    yield (x * 2).stop_gradient
    got = yield paddle.is_grad_enabled()
    try:
        yield got
    except ValueError:
        yield "caught", paddle.is_grad_enabled()
g = f()
answer = [next(g), next(g), g.send(7), g.throw(ValueError()), list(g), paddle.is_grad_enabled(), inspect.isgeneratorfunction(f)]
""",
    "no_grad_decorates_a_recursion": """
@paddle.no_grad()
def f(n): return [paddle.is_grad_enabled(), *(f(n - 1) if n else [])]
answer = f(2)
""",
    "contexts_in_contexts": """
answer = []
with paddle.no_grad():
    answer.append(paddle.is_grad_enabled())
    with paddle.enable_grad() as nothing:
        answer += [paddle.is_grad_enabled(), nothing, (X() * 2).stop_gradient]
        with paddle.set_grad_enabled(False):
            answer.append(paddle.is_grad_enabled())
        answer.append(paddle.is_grad_enabled())
    answer.append(paddle.is_grad_enabled())
answer.append(paddle.is_grad_enabled())
""",
    "set_grad_enabled_at_once": """
first = paddle.set_grad_enabled(False)
answer = [paddle.is_grad_enabled(), (X() * 2).stop_gradient]
second = paddle.set_grad_enabled(True)
answer += [paddle.is_grad_enabled(), (X() * 2).stop_gradient]
""",
    "set_grad_enabled_decorates": """
@paddle.set_grad_enabled(False)
def f(): return paddle.is_grad_enabled()
answer = [paddle.is_grad_enabled(), f(), paddle.is_grad_enabled(), f(), paddle.is_grad_enabled()]
""",
    "set_grad_enabled_takes_numbers": """
answer = []
for value in (1, 0, None, True):
    kept = paddle.set_grad_enabled(value)
    answer.append(paddle.is_grad_enabled())
""",
    "set_grad_enabled_takes_no_words": "paddle.set_grad_enabled('x')",
    "is_grad_enabled_takes_nothing": "paddle.is_grad_enabled(1)",
    "enable_grad_decorates": """
@paddle.enable_grad()
def f(): return paddle.is_grad_enabled()
with paddle.no_grad():
    answer = [f(), paddle.is_grad_enabled()]
""",
    "decorators_want_functions": "paddle.no_grad()(3)",
    "decorated_classes_are_made_under_it": """
class C:
    def __init__(self): self.enabled = paddle.is_grad_enabled()
made = paddle.no_grad()(C)()
answer = [made.enabled, paddle.is_grad_enabled()]
""",
    "an_exception_restores": """
try:
    with paddle.no_grad():
        raise KeyError("x")
except KeyError:
    pass
answer = paddle.is_grad_enabled()
""",
    "threads_have_their_own": """
import threading
answer = []
with paddle.no_grad():
    thread = threading.Thread(target=lambda: answer.append(paddle.is_grad_enabled()))
    thread.start()
    thread.join()
""",
    "new_tensors_keep_what_they_are_told": """
with paddle.no_grad():
    x = X()
    y, w = x * 2, paddle.create_parameter([2], "float32")
answer = [x.stop_gradient, y.stop_gradient, w.stop_gradient]
""",
    "static_mode": """
paddle.enable_static()
answer = [paddle.is_grad_enabled()]
with paddle.no_grad():
    answer.append(paddle.is_grad_enabled())
with paddle.enable_grad():
    answer.append(paddle.is_grad_enabled())
@paddle.no_grad()
def f(v): return v + 1
answer.append(f(1))
""",
    "frozen_after_it_was_read": """
x = X()
y, z = x * x, x * 3
x.stop_gradient = True
back(y + x * 5)
first = x.grad.tolist()
back(z)
answer = [first, x.grad.numpy(), x.stop_gradient, (x * 2).stop_gradient]
""",
    "frozen_thawed_and_frozen": """
x = X()
y = x * x
for stop in (True, False, True, True):
    x.stop_gradient = stop
back(y)
answer = x.grad.numpy()
""",
    "frozen_and_thawed": """
x = X()
y = x * x
x.stop_gradient = True
x.stop_gradient = False
back(y)
answer = x.grad.numpy()
""",
    "frozen_with_a_hook": """
x = X()
x.register_hook(lambda g: g * 10)
y = x * x
x.stop_gradient = True
back(y)
answer = x.grad.numpy()
""",
    "frozen_gradient_as_a_value": """
x = X()
y = x * x
x.stop_gradient = True
answer = [paddle.grad(y, x, retain_graph=True)[0], paddle.grad(y * 2, x, allow_unused=True)[0], x.grad, x.stop_gradient]
""",
    "frozen_before_it_is_read": """
x, w = X(), X()
w.stop_gradient = True
y = x * w
answer = [paddle.grad(y, [x, w], allow_unused=True, retain_graph=True), w.stop_gradient]
paddle.grad(y, w)
""",
    "frozen_parameters_are_not_updated": """
net = paddle.nn.Linear(2, 1, weight_attr=paddle.nn.initializer.Constant(1.0))
sgd = paddle.optimizer.SGD(0.1, parameters=net.parameters())
loss = net(paddle.ones([1, 2])).sum()
net.weight.trainable = False
back(loss)
sgd.step()
answer = [net.weight.grad, net.weight.numpy(), net.bias.numpy()]
""",
    "windows_have_no_gradient": """
import paddle.nn.functional as F
def windows(x):
    return [
        x.reshape([3, 2]), x.reshape([0, -1]), x.flatten(), x.unsqueeze(0).squeeze(), x.unsqueeze([0, 1]), x.transpose([1, 0]), x.t(), x.T,
        paddle.moveaxis(x, 0, 1), x[0], x[0:1], x[0, 1:], x[None], *paddle.unbind(x), *paddle.split(x, 3, 1), x.expand([2, 2, 3]),
        paddle.slice(x, [0], [0], [1]), paddle.strided_slice(x, [0], [0], [2], [2]), x.view([3, 2]), paddle.as_strided(x, [2, 2], [1, 1]),
        x.diagonal(), *x, paddle.atleast_3d(x), paddle.unflatten(x, 1, [3, 1]), paddle.prod(x[0, 0]), F.dropout(x, 0.5, training=False),
    ]
x = X([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
answer = []
for value in (x, x * 2, paddle.create_parameter([2, 3], "float32")):
    with paddle.no_grad():
        made = windows(value)
    answer += [[part.stop_gradient, part.is_leaf, (part * 2).stop_gradient] for part in made]
""",
    "windows_are_written_without_gradient": """
x = X([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
y = x * 2
with paddle.no_grad():
    x[0].add_(x[1])
    x[1][1] = 5.0
    whole = x.reshape([-1])
    whole[2] = 9.0
    whole.scale_(2.0)
    y.unsqueeze(0).exp_()
    part = y[0]
part[0] = 7.0
y.exp_()
y.sum().backward()
answer = [x, x.is_leaf, x.inplace_version, whole, whole.inplace_version, y, part, x.grad]
""",
    "another_shape_without_gradient_keeps_the_history": """
x = X([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
y = x * 2
with paddle.no_grad():
    y.reshape_([-1])
z = (y * y).sum()
z.backward()
answer = [y, y.is_leaf, x.grad.numpy().ravel()]
""",
    "results_of_recorded_functions_have_no_gradient": """
x = X([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
answer = []
for function in (lambda t: t * 2, lambda t: t.reshape([-1]), lambda t: (t.reshape([-1]), t * 2), lambda t: t[0], lambda t: t):
    recorded = paddle.jit.to_static(function)
    with paddle.no_grad():
        made = recorded(x)
    answer.append([part.stop_gradient for part in (made if isinstance(made, (list, tuple)) else [made])])
    made = recorded(x)
    answer.append([part.stop_gradient for part in (made if isinstance(made, (list, tuple)) else [made])])
""",
}
