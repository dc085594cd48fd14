"""Functions that return, call and raise, as Paddle's unit tests of `to_static` have them.

The line before a function says what it is called with. `free` there: only what it gives by default is recorded, as the wheel refuses
it, or does something else with it than eager mode, where `full_graph=True` is given. jit_functions.py sets `paddle` and `F`.
"""

# mypy: ignore-errors
# ruff: noqa: B007, C417, E731, F841

import functools

import numpy as np
from jit_inputs import T

paddle = F = None


# case: [X] free
def ret_none(x):
    return


# case: [X]
def ret_nothing(x):
    y = x + 1


# case: [X]
def ret_const(x):
    return 1, 2.5, "a", None, True, [x], {"a": x}, (1, (x,))


# case: [X]
def ret_many(x):
    return x, [x + 1, (x + 2, {"a": x + 3})]


# case: [P],[NEG]
def ret_different_length(x):
    if x.mean() > 0:
        return x
    else:
        return x, x


# case: [P],[NEG]
def ret_const_branch(x):
    if x.mean() > 0:
        return 1
    else:
        return 2


# case: [P],[NEG] free
def ret_none_branch(x):
    if x.mean() > 0:
        return None
    return x


# case: [P],[NEG]
def ret_in_while(x):
    while x.mean() < 10:
        x = x + 3
        if x.mean() > 5:
            return x
        x = x + 1
    return x * 100


# case: [P],[NEG]
def ret_in_nested_loops(x):
    for i in range(3):
        for j in range(3):
            x = x + 1
            if x.mean() > 4:
                return x * i
    return x - 1


# case: [X]
def ret_inner_func(x):
    def add(a, b):
        if a.mean() > 100:
            return b
        return a + b

    def twice(f, v):
        return f(v, v)

    return twice(add, x)


# case: [X]
def ret_dict_list(x):
    return {"l": [x, x + 1], "t": (x,), "n": None, "s": "txt", "i": 3}


# case: [X]
def ret_lambda(x):
    f = lambda a: a * 2
    return f(x)


# case: [X]
def ret_input_itself(x):
    return x


# case: [X]
def ret_same_twice(x):
    y = x + 1
    return y, y


# case: [X]
def ret_shape(x):
    return x.shape


def helper(x, k=2, *a, **kw):
    if x.mean() > 0:
        return x * k
    return x * k + (a[0] if a else 0) + kw.get("z", 0)


class Op:
    def __init__(self, k):
        self.k = k

    def __call__(self, x):
        if x.sum() > 0:
            return x + self.k
        return x - self.k

    @staticmethod
    def st(x):
        return x * 2 if x.mean() > 0 else x * 3

    @classmethod
    def cl(cls, x):
        return cls.st(x)

    @property
    def prop(self):
        return self.k


op = Op(3)


# case: [P],[NEG]
def calls(x):
    return helper(x), helper(x, 3, 1.0, z=2), helper(*[x], k=5), op(x), Op.st(x), Op.cl(x), op.cl(x), op.prop


# case: [P],[NEG]
def call_partial(x):
    f = functools.partial(helper, k=7)
    return (
        f(x),
        functools.reduce(lambda a, b: a + b, [x, x, x]),
        list(map(lambda v: v + 1, [x, x * 2]))[1],
        sum([x, x]),
        max(1, 2),
        sorted([2, 1]),
    )


# case: [P],[NEG]
def call_recursive(x, n=3):
    if n == 0:
        return x
    if x.mean() > 0:
        return call_recursive(x - 1, n - 1)
    return call_recursive(x + 2, n - 1)


def decor(f):
    @functools.wraps(f)
    def inner(*a, **k):
        return f(*a, **k) + 1

    return inner


@decor
def decorated(x):
    if x.mean() > 0:
        return x * 2
    return x * 4


# case: [P],[NEG]
def call_decorated(x):
    return decorated(x)


def gen(n):
    for i in range(n):
        yield i


# case: [X]
def call_gen(x):
    for i in gen(3):
        x = x + i
    return x


# case: [X]
def call_np(x):
    a = np.ones([3, 4], "float32") * np.float32(2)
    return x + T(a), x * 2 ** np.log2(4)


# case: [X]
def call_global(x):
    global _g
    _g = 5
    return x + _g


# case: [X]
def call_super_nested(x):
    def outer():
        k = 2

        def inner(v):
            nonlocal k
            k = k + 1
            return v * k

        return inner

    f = outer()
    f(x)
    return f(x)


# case: [P],[NEG]
def assert_t(x):
    assert x.mean() > 0
    return x


# case: [P],[NEG]
def assert_msg(x):
    assert x.mean() > 0, "neg mean"
    assert x.shape[0] == 3, "shape"
    return x * 2


# case: [X]
def assert_py(x):
    assert 1 > 2, "py"
    return x


# case: [X]
def raises(x):
    raise RuntimeError("boo")


# case: [P],[NEG]
def try_except(x):
    try:
        y = x + 1
        if y.mean() > 0:
            y = y * 2
        z = int("3")
    except ValueError:
        y = x
    finally:
        y = y + 1
    return y * z


# case: [X] free
def try_catch_error(x):
    try:
        y = paddle.matmul(x, x)
    except ValueError:
        y = x * 2
    return y


# case: [X]
def with_no_grad(x):
    with paddle.no_grad():
        y = x * 2
    return y + x


# case: [X]
def delete_names(x):
    y = x + 1
    z = y * 2
    del y
    return z


# case: [X]
def string_ops(x, mode="sum"):
    if mode == "sum":
        return x.sum()
    elif mode in ("mean", "avg"):
        return x.mean()
    return x


# case: [X, {'a': Y, 'b': [P, 2]}]
def nested_in(x, d):
    return x + d["a"] + d["b"][0] * d["b"][1]


# case: [X, [Y, P]],[X, (Y, P)]
def list_in(x, l):
    s = x
    for v in l:
        s = s + v
    return s


# case: [X]
def starred(x, *rest, **kw):
    return x + len(rest) + len(kw)


# case: [X]
def inplace_api(x):
    y = x * 1
    y.add_(x)
    y.scale_(2.0)
    paddle.nn.functional.relu_(y)
    y.exp_()
    y.clip_(0, 5)
    y.reshape_([4, 3])
    y.zero_()
    return y


# case: [X]
def loops_cache(x):
    out = []
    for name in ["relu", "tanh", "sigmoid"]:
        out.append(getattr(F, name)(x))
    return paddle.add_n(out)


# case: [X]
def unused(x, y=3, z=None):
    return x * 1


# case: [X]
def class_inside(x):
    class Scaled:
        def __init__(self, by):
            self.by = by

        def of(self, y):
            if y.sum() > 0:
                z = y * self.by
            else:
                z = y - self.by
            return z

    return Scaled(2).of(x)


# case: [X]
def hooked(x):
    y = x * 3
    z = y + x
    y.register_hook(lambda grad: grad + 1)
    z.register_hook(lambda grad: grad * 5)
    return (z * y).sum()


# case: [X] free
def pylayer(x):
    class Scaled(paddle.autograd.PyLayer):
        @staticmethod
        def forward(ctx, v, by=2):
            if v.sum() > 0:
                y = paddle.square(v) * by
            else:
                y = v - by
            ctx.by = by
            ctx.save_for_backward(v, y)
            return y

        @staticmethod
        def backward(ctx, dy):
            v, y = ctx.saved_tensor()
            return dy * (y + ctx.by) * v

    return Scaled.apply(x + 1, by=3) * 2


# case: [X],[X] free
def writes_rows_of_what_it_is_given(x):
    y = x.detach()
    y[0] = 5
    return y


# case: [I],[I] free
def writes_into_what_it_is_given(x):
    x[0] = 5
    x.add_(x + 1)
    return x, x + 1


# case: [X]
def text_of_shapes(x):
    return f"{x.shape}", "%s" % x.ndim, x * 2


# case: [I] free
def text_of_values(x):
    return f"{x}".count("["), str(x).count(","), x


# case: [P],[NEG] free
def number_or_tensor(x):
    if x.sum() > 0:
        return 1
    return x.sum()


# case: [P],[NEG] free
def one_number_or_another(x):
    n = 0
    if x.sum() > 0:
        n = 5
    return x, n


# case: [X] free
def gradients_begin_on_the_way(x):
    y = x.detach()
    y.stop_gradient = False
    z = y * y
    return y, z


# case: [X] free
def asks_for_the_mode(x):
    return x + 1 if paddle.in_dynamic_mode() else x - 1


# case: [X] free
def asks_whether_gradients_flow(x):
    with paddle.no_grad():
        inside = paddle.is_grad_enabled()
    return x, inside, paddle.is_grad_enabled()


# case: [X, iter([1, 2])] free
def takes_from_an_iterator(x, numbers):
    return x + next(numbers)


# case: [P] free
def chosen_operands(x):
    return x.sum() and 5, x.min() and x.max()


# case: [P] free
def range_by_tensor(x):
    return range(int(x.max()) + 1)


# case: [P] free
def asks_for_attributes(x):
    return x + 1 if hasattr(x, "grad") and hasattr(x, "shape") and not hasattr(x, "nothing") else x


# case: [X]
def gradient_that_is_a_number(x):
    y = x * x
    return (paddle.grad(y.sum(), x)[0] * y).sum()


# case: [X]
def gradient_that_is_returned(x):
    y = x * x
    return paddle.grad([y.sum()], [x], create_graph=False, retain_graph=True)[0]


# case: [X] free
def gradient_of_a_gradient(x):
    y = x * x * x
    once = paddle.grad(y.sum(), x, create_graph=True)[0]
    return paddle.grad(once.sum(), x)[0] + y


# case: [X] free
def gradient_that_is_not_there(x):
    y = x * x
    return paddle.grad([y.sum()], [x, paddle.ones([2])])


# case: [P],[NEG] free
def no_grad_before_a_branch(x):
    with paddle.no_grad():
        y = x * x
    if x.sum() > 1:
        return y * x
    return y + x


def _either(v):
    if v.sum() > 1:
        return v - 1
    return v * 0.5


# case: [P],[NEG] free
def no_grad_around_a_function(x):
    with paddle.no_grad():
        a = _either(x * x)
    return a + x
