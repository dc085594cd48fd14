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
}
