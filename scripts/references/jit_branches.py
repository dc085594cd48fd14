"""Functions with branches, as Paddle's unit tests of `to_static` have them.

The line before a function says what it is called with. `free` there: only what it gives by default is recorded, as the wheel refuses
it, or does something else with it than eager mode, where `full_graph=True` is given. jit_functions.py sets `paddle` and `F`.
"""

# mypy: ignore-errors
# ruff: noqa: E731, F841

import numpy as np
from jit_inputs import T

paddle = F = None


# case: [X],[NEG],[P]
def if_two_vars(x):
    if paddle.mean(x).item() > 5:
        x = x - 1
        y = x
    else:
        x = x + 1
        y = x * 2
    return x, y


# case: [P],[NEG]
def if_new_var_both(x):
    if x.mean() > 0:
        r = paddle.sum(x, axis=0)
    else:
        r = paddle.max(x, axis=0)
    return r


# case: [P],[NEG]
def if_nested(x):
    a = x.mean()
    bs = x.shape[0]
    if a > 0.1:
        y = x + 1
        if bs > 2:
            y = y * 2
            if y.max() > 3:
                z = y - 10
            else:
                z = y
            y = z
        else:
            y = y * 3
    else:
        y = x - 1
        tmp = x * 2
        if tmp.min() < -2:
            y = y + tmp
    return y


# case: [P, None],[P, Y],[NEG, None]
def if_with_none(x, y=None):
    if y is None:
        z = x * 2
    elif y is not None and x.mean() > 0:
        z = x + y
    else:
        z = x
    return z


# case: [P],[NEG]
def if_and_or_not(x):
    b = x.shape[0]
    if x.mean() > 0 and b > 1 and not x.sum() < -3:
        return x + 1
    if (x.sum() > 100 or b == 3) and x.min() < 0:
        return x * 2
    else:
        return x * 3


# case: [P],[NEG]
def if_one_element(x):
    if x.sum():
        x = x + 1
    if paddle.zeros([1]):
        x = x + 100
    if not paddle.zeros([1], "int32"):
        x = x + 0.5
    return x


# case: [P],[NEG]
def if_else_if_chain(x):
    m = x.mean()
    if m < -2:
        r = 0
    elif m < -0.5:
        r = 1
    elif m < 0.5:
        r = 2
    else:
        r = 3
    return r, x * r


# case: [P],[NEG]
def tern_nested(x):
    a = x if x.mean() > 0 else (x * 2 if x.sum() < -100 else x * 3)
    b = 1 if x.mean() > 0 else 2
    return a, b


# case: [P],[NEG]
def if_return_tuple(x):
    if x.mean() > 0:
        return x, x + 1
    return x - 1, x * 2


# case: [P],[NEG] free
def if_return_none_some(x):
    if x.mean() > 0:
        return x


# case: [P],[NEG] free
def if_changes_py(x):
    n, s, name = 1, 0.5, "a"
    if x.mean() > 0:
        n = 2
    else:
        s = 1.5
    return x * n * s, n, s


# case: [P],[NEG]
def if_dict_get(x):
    d = {"a": x, "b": x + 1}
    if x.mean() > 0:
        y = d["a"]
    else:
        y = d.get("b")
    return y


# case: [P],[NEG] free
def if_list_append(x):
    l = []
    if x.mean() > 0:
        l.append(x)
        l.append(x + 1)
    else:
        l.append(x * 2)
        l.append(x * 3)
    return l[0] + l[1]


# case: [P],[NEG]
def if_tensor_equal(x):
    if paddle.to_tensor(2) == 2 and (x == x).all():
        return x.sum()
    return x


# case: [P],[NEG]
def if_numpy_inside(x):
    w = np.ones([4], "float32")
    if np.sum(w) > 3:
        x = x + T(w)
    return x


# case: [P],[NEG]
def if_in_for(x):
    for i in range(4):
        if x.mean() > i * 0.3:
            x = x - 0.3
        elif i == 2:
            continue
        else:
            x = x + 1
    return x


# case: [P],[NEG]
def if_lambda(x):
    f = lambda v: v + 1 if v.mean() > 0 else v - 1
    g = lambda v, k=3: v * k
    return f(g(x))


# case: [P],[NEG]
def if_inplace_and_aug(x):
    y = x * 1
    if x.mean() > 0:
        y += 1
        y *= x
    else:
        y -= 2
        y /= 3
    return y


# case: [P, True],[P, False],[NEG, True]
def if_bool_arg(x, flag):
    if flag and x.mean() > 0:
        return x + 1
    elif not flag:
        return x - 1
    else:
        return x


# case: [P],[NEG]
def if_same_name_of_argument_attr(x):
    class Holder:
        pass

    h = Holder()
    h.v = x
    if x.mean() > 0:
        h.v = x + 1
    else:
        h.v = x - 1
    return h.v


# case: [P],[NEG]
def if_undefined_then_defined(x):
    if x.mean() > 0:
        a = x + 1
    else:
        a = x
        b = x - 1
        a = a + b
    return a


# case: [X],[NEG]
def if_any_all(x):
    if paddle.any(x > 0):
        x = x + 1
    if paddle.all(x < 0):
        x = x - 1
    return x


# case: [P],[NEG]
def if_isnan(x):
    if paddle.isnan(x).any() or paddle.isinf(x).any():
        raise ValueError("bad")
    return x * 2


# case: [P],[NEG]
def if_shape_compare(x):
    if x.shape[0] == 3 and len(x.shape) == 2:
        y = paddle.reshape(x, [x.shape[1], -1])
    else:
        y = x
    if y.shape == [4, 3]:
        y = y + 1
    return y


# case: [P],[NEG]
def if_double_return_in_else(x):
    if x.mean() > 0:
        y = x + 1
    else:
        if x.min() < -100:
            return x * 7
        y = x - 1
        return y * 2
    return y


# case: [P],[NEG]
def if_list_grows_in_one(x):
    a = [x]
    if x.sum() > 0:
        a.append(x * 2)
    return a[-1], len(a)


# case: [P],[NEG]
def if_list_grows_unequally(x):
    a = []
    b = [x * 3]
    if x[0, 0] > 0:
        a.append(x)
        b.append(x + 1)
    else:
        a.append(x + 10)
        a.append(x * 5)
        b.append(x - 1)
    a.append(x + 100)
    last = a.pop()
    return last, b[0], b[1], a[0], len(a)


# case: [P],[NEG]
def if_continue_before_append(x):
    a = []
    for row in x:
        if row.sum() > 0:
            continue
        a.append(row)
    return len(a)


# case: [P]
def if_none_before(x):
    y = None
    if x.mean() > 0:
        y = x * 2
    return y


# case: [P]
def if_none_in_the_other_branch(x):
    if x.mean() > 0:
        y = x * 2
    else:
        y = None
    return x, y


# case: [NEG]
def if_none_in_the_first_branch(x):
    if x.mean() > 0:
        y = None
    else:
        y = x * 2
    return y * 3
