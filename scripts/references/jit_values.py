"""Functions of casts, lists, dicts, slices and shapes, as Paddle's unit tests of `to_static` have them.

The line before a function says what it is called with. `free` there: only what it gives by default is recorded, as the wheel refuses
it, or does something else with it than eager mode, where `full_graph=True` is given. jit_functions.py sets `paddle` and `F`.
"""

# mypy: ignore-errors
# ruff: noqa: F841

import numpy as np

paddle = F = None


# case: [np.array([3.7],'float64')]
def cast_mixed(x):
    a = int(x)
    b = float(a)
    c = bool(b)
    return a, b, c


# case: [X]
def len_t(x):
    return len(x)


# case: [X]
def len_l(x):
    l = [x, x]
    l.append(x)
    return len(l), len({"a": 1}), len("abc"), len((1, 2)), len(x.shape)


# case: [X]
def len_expr(x):
    y = x[1:]
    return paddle.ones([len(y)]) * len(y)


# case: [X]
def print_t(x):
    print(x.shape)
    print("n", 1)
    print(x.mean() * 0)
    print(f"{1}")
    return x


# case: [P, 0],[P, 3],[NEG, '']
def logic_py(x, n):
    a = n and x
    b = n or 5
    c = None or x
    d = x is None or n
    return b, c


# case: [X]
def compare_chain(x):
    m = x.mean()
    if -100 < m < 100:
        x = x + 1
    if 0 <= 3 < x.shape[0]:
        x = x * 0
    return x, 1 < 2 < 3


# case: [X] free
def isinst(x):
    a = isinstance(x, paddle.Tensor)
    b = isinstance([x], list)
    c = isinstance(x, (list, tuple))
    d = isinstance(x, (int, paddle.Tensor))
    return a, b, c, d


# case: [X]
def type_is(x):
    if type(x) is list:
        return x[0]
    if hasattr(x, "shape") and callable(x.mean):
        return x * 2
    return x


# case: [X]
def list_ops(x):
    l = [x]
    l.append(x + 1)
    l.insert(0, x - 1)
    l.extend([x * 2, x * 3])
    p = l.pop()
    q = l.pop(0)
    l.reverse()
    l[0] = x * 9
    return l, p, q


# case: [X, np.array(4)]
def list_in_while(x, n):
    l = [x]
    i = paddle.to_tensor(0)
    while i < n:
        l.append(x + i)
        i += 1
    return l[0], l[3], len(l)


# case: [X, np.array(4)] free
def list_pop_while(x, n):
    l = []
    i = paddle.to_tensor(0)
    while i < n:
        l.append(x + i)
        i += 1
    a = l.pop()
    b = l.pop(0)
    return a, b


# case: [X]
def list_mul(x):
    l = [x] * 3
    l = l + [x * 2]
    a, *b = l
    return a, b, l[1:3], l[-1]


# case: [X]
def dict_ops(x):
    d = {"a": x}
    d["b"] = x + 1
    d.update(c=x * 2)
    p = d.pop("a")
    g = d.get("z", None)
    return p, d, g, sorted(d.keys()), "b" in d


# case: [X]
def dict_nested(x):
    d = {"a": {"b": [x, (x + 1, {"c": x * 2})]}}
    return d["a"]["b"][1][1]["c"], d


# case: [P],[NEG]
def dict_branch(x):
    d = {"k": x}
    if x.mean() > 0:
        d["k"] = d["k"] + 1
    else:
        d["k"] = d["k"] * 2
    return d["k"]


# case: [X]
def dict_default(x):
    from collections import OrderedDict, namedtuple

    Pt = namedtuple("Pt", "a b")
    p = Pt(x, x + 1)
    o = OrderedDict(z=x, y=x * 2)
    return p.a, p[1], list(o.keys()), o["y"]


# case: [X]
def tuple_ops(x):
    t = (x, x + 1)
    a, b = t
    (c, d), e = (a, b), a
    return c, d, e, t + (x,), t[1:]


# case: [X]
def slices(x):
    return x[0], x[-1], x[1:, :2], x[..., 1], x[:, None], x[::2], x[[0, 2]], x[x > 0], x[:, -1:]


# case: [X, np.array(1), np.array(3)]
def slice_tensor(x, i, j):
    return x[i], x[i:j], x[:, i:j], x[0, i], x[: j - 1], x[i:]


# case: [X]
def slice_loop(x):
    r = []
    i = paddle.to_tensor(0)
    s = paddle.zeros([4])
    while i < 3:
        s = s + x[i]
        i += 1
    for k in range(3):
        r.append(x[k, 1:])
    return s, r


# case: [X]
def setitem_aug(x):
    y = x.clone()
    y[0] += 1
    y[1] *= 2
    y[:, 1:3] -= 3
    return y


# case: [P],[NEG]
def setitem_branch(x):
    y = x.clone()
    if x.mean() > 0:
        y[0] = 10.0
    else:
        y[1:] = x[1:] * 2
    return y


# case: [X]
def setitem_sum(x):
    y = x * 2
    y[0, 0] = y[1, 1] + x.sum()
    z = y.sum()
    return z


# case: [X] free
def shapes(x):
    b, c = x.shape
    y = paddle.reshape(x, [c, b])
    z = x.reshape((x.shape[0] * x.shape[1],))
    w = paddle.zeros(x.shape)
    s = paddle.shape(x)
    return y, z, w, s, s[0], x.shape[-1], x.ndim, x.size


# case: [X]
def shape_loop(x):
    for i in range(x.shape[0]):
        x = x + i
    n = x.shape
    while n[0] > 3:
        x = x * 0
    for d in x.shape:
        x = x + d
    return x


# case: [X]
def shape_expand(x):
    y = paddle.expand(x.unsqueeze(0), [2] + x.shape)
    z = paddle.full([x.shape[0], 2], 3.0)
    w = paddle.tile(x, [1, x.shape[0]])
    return y, z, w, paddle.full(shape=paddle.shape(x), fill_value=1.0)


# case: [X] free
def numel(x):
    return paddle.numel(x), x.numel(), x.size, paddle.rank(x), x.dim()


# case: [X]
def methods(x):
    y = x.astype("float64").cast("float32").detach().clone()
    return (
        y.sum(),
        y.max(0),
        y.argmax(1),
        y.T,
        y.t(),
        y.transpose([1, 0]),
        y.flatten(),
        y.abs().sqrt().exp().log(),
        y.unsqueeze(0).squeeze(0),
        y.dtype == paddle.float32,
        y.matmul(y.T),
        y.dim(),
        y.norm(),
        y.pow(2),
        y.clip(-1, 1),
    )


# case: [X]
def to_tensors(x):
    a = paddle.to_tensor(1.0)
    b = paddle.to_tensor([1, 2])
    c = paddle.to_tensor([[1.5]], dtype="float64")
    d = paddle.to_tensor(np.arange(3))
    e = paddle.to_tensor(x)
    g = paddle.to_tensor(True)
    h = paddle.to_tensor([x.sum(), x.mean()])
    return a, b, c, d, e, g, h


# case: [X]
def to_tensor_var(x):
    y = paddle.to_tensor([1, 2, 3], dtype="int32", stop_gradient=False)
    z = paddle.to_tensor(x.shape)
    w = paddle.assign(np.array([1.0, 2.0]))
    u = paddle.assign([1, 2])
    return y, z, w, u


# case: [X]
def item_num(x):
    return x[0, 0].item(), x.mean().item() + 1


# case: [X]
def numpy_call(x):
    return paddle.to_tensor(x.numpy() * 2)


# case: [X]
def format_call(x):
    s = "a {} b".format(x.shape)
    t = f"{x.shape[0]}-{len(x)}"
    u = "%d" % x.shape[1]
    return s, t, u


# case: [X]
def assigned_rows(x):
    y = paddle.zeros([3, 4])
    for i in range(3):
        y[i] = x[i] * i
    return y


# case: [X], [NEG]
def assigned_in_a_branch(x):
    y = x
    if x.mean() > -1:
        y = paddle.zeros([3, 4])
        y[:, 1:3] = x[:, :2]
    return y * 1


# case: [X]
def part_of_what_stops(x):
    y = x * 2
    y.stop_gradient = True
    return y[0] + x


# case: [X > 0]
def bools(x):
    return x.astype("int32") + 1, paddle.where(x, paddle.ones([3, 4]), paddle.zeros([3, 4])), paddle.logical_not(x)


# case: [X]
def array_written_in_while(x):
    turns = paddle.full([1], 3, "int32")
    a = []
    i = 0
    while i < turns:
        a.append(x)
        i += 1
    i = 0
    while i < turns - 1:
        a[i] = x + 2
        i += 1
    a[2] = x * 3
    return a[0:3][0], a[2], paddle.concat(a)


# case: [X]
def type_of(x):
    y = [x, 1]
    if type(y[0]) is paddle.Tensor and type(y) is list and issubclass(type(x), paddle.Tensor):
        return x + 1, type(x).__name__ == "Tensor", type(1) in (int, float)
    return x


# case: [X] free
def kind_of_parts(x):
    return [v * 2 if type(v) in (paddle.Tensor,) else v for v in (x, 3, "a")]


# case: [X] free
def is_the_list_that_a_loop_made(x):
    made = []
    i = paddle.to_tensor(0)
    while i < 3:
        made.append(x * i)
        i += 1
    what = 1 if isinstance(made, paddle.Tensor) else 2 if type(made) is list else 3
    return what, paddle.stack(made) if isinstance(made, (list, tuple)) else 0, hasattr(made, "append"), hasattr(made, "shape")


# case: [X] free
def is_a_number_that_a_loop_made(x):
    n = 0
    i = paddle.to_tensor(0)
    while i < 3:
        n = n + 1
        i = i + 1
    return x * n, isinstance(n, int), type(n) is int, isinstance(i, (int, float)), hasattr(n, "shape")
