"""Functions whose control flow depends on Tensors give as Programs what they give in eager mode."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle

T = paddle.to_tensor
X = T(np.array([[1.0, 2.0], [3.0, -4.0]], "float32"))
N = T(-X.numpy())
C = T([2.0, 3.0])


def if1(x):
    if x.mean() > 0:
        y = x + 1
    else:
        y = x - 1
    return y


def if2(x):
    y = x
    if x.sum() > 1:
        y = y * 2
    elif x.sum() < -1:
        y = y * 3
    else:
        y = y * 4
    return y


def if3(x, flag=True):
    if flag:
        if x.sum() > 0:
            return x
        return x * 2
    return None


def if4(x):
    if x.sum() > 0:
        return x
    elif x.sum() < -100:
        return x - 1
    x = x * 10
    if x.min() < -30:
        return x + 7
    return x * 5


def if5(x):
    a = 1
    if x.sum() > 0:
        a = 2
    return x * a


def if6(x):
    a = 1.5
    if x.sum() > 0:
        a = x
    return a + x


def if7(x):
    if x.sum() > 0:
        return x


def if8(x):
    d = {"a": x, "b": 2}
    if x.sum() > 0:
        d["a"] = x + 5
        d["b"] = 3
    return d["a"] * d["b"]


def if9(x):
    l = [x]
    if x.sum() > 0:
        l.append(x * 2)
    else:
        l.append(x * 3)
    return l[1], len(l)


def tern(x):
    return x + 1 if x.sum() > 0 else x - 1


def logic(x, y=None):
    if x.sum() > 0 and x.max() > 2 or not x.min() > -10:
        return x * 2
    if y is None or x.sum() > 0:
        return x * 3
    return x


def chain(x):
    if 0 < x.sum() < 3:
        return x + 1
    if -1 <= x.sum() <= 0:
        return x + 2
    return x + 3


def wh1(x):
    i = 0
    while x.sum() < 100:
        x = x * 2 + 1
        i += 1
    return x, i


def wh2(n):
    s = 0
    i = 0
    while i < n:
        s += i
        i += 1
    return s


def for1(x, n):
    s = 0
    for i in range(n):
        s = s + x * i
    return s


def for2(x):
    s = paddle.zeros([2])
    for row in x:
        s = s + row
    return s


def for3(x):
    s = paddle.zeros([2])
    for i, row in enumerate(x):
        s = s + row * i
    return s


def for4(x, y):
    s = 0
    for a, b in zip(x, y):
        s = s + a * b
    return s


def brk(x, n):
    s = paddle.zeros([1])
    for i in range(n):
        if s.sum() > 3:
            break
        s = s + i
    return s, i


def brk2(x):
    i = 0
    while True:
        i += 1
        x = x + 1
        if x.sum() > 10:
            break
    return x, i


def cont(x, n):
    s = paddle.zeros([1])
    for i in range(n):
        if i % 2 == 0:
            continue
        if s.sum() > 8:
            continue
        s = s + i
    return s


def retloop(x, n):
    for _i in range(n):
        x = x + 1
        if x.sum() > 10:
            return x * 100
    return x


def retwhile(x):
    while x.sum() < 50:
        x = x + 1
        if x.max() > 8:
            return x, "big"
    return x, "big"


def nested(x, n):
    s = paddle.zeros([1])
    for i in range(n):
        for j in range(i):
            if j > 2:
                break
            if (i + j) % 2:
                continue
            s = s + i * j
        else:
            s = s + 100
    return s


def lst(x, n):
    a = []
    for i in range(n):
        a.append(x + i)
    return paddle.concat(a), a[0], len(a)


def lst2(x, n):
    a = []
    for i in range(n):
        a.append(x + i)
    return paddle.stack(a, axis=0)


def lst3(x, n):
    a = []
    for i in range(n):
        a.append(x + i)
    return a


def asrt(x):
    assert x.sum() > 0, "must be positive"
    return x


def cast(x):
    a = int(x.sum())
    b = float(x.max())
    bool(x.min())
    return x * b + a


def closure(x):
    k = 3

    def inner(z):
        nonlocal k
        if z.sum() > 0:
            k = k + 1
        return z * k

    return inner(x), k


def helper(x):
    if x.sum() > 0:
        return x * 2
    return x * 3


def calls(x):
    return helper(x) + helper(-x)


def lam(x):
    def f(z):
        return z * 2 if z.sum() > 0 else z

    return f(x)


def setit(x):
    y = x * 1
    y[0] = 5.0
    if x.sum() > 0:
        y[1, 1] = 9.0
    return y


def shp(x):
    b, c = x.shape
    y = x.reshape([b * c])
    for i in range(x.shape[0]):
        y = y + i
    return y, x.size, len(x)


def comp(x):
    return [v * 2 for v in x], {k: x * k for k in (1, 2)}, sum(v for v in x)


def undef(x):
    if x.sum() > 0:
        z = x
    return z


def loopundef(x, n):
    i = 0
    while i < n:
        t = x * i
        i += 1
    return t


def concatloop(x, n):
    i = 0
    while i < n:
        x = paddle.concat([x, x[:1]], axis=0)
        i += 1
    return x


def whileand(x, n):
    i = paddle.zeros([1], "int64")
    while i < n and x.sum() < 20:
        x = x + 2
        i += 1
    return x, i


def tryx(x):
    try:
        if x.sum() > 0:
            return x
        y = x * 3
    finally:
        pass
    return y


def withx(x):
    with paddle.no_grad():
        if x.sum() > 0:
            y = x * 2
        else:
            y = x
    return y


def inplace(x):
    y = x + 0
    y.add_(paddle.ones([2, 2]))
    z = y
    paddle.assign(x, z)
    return y, z


C = T([2.0, 3.0])


def const(x):
    y = C * 2
    return x * C + y, C


def isin(x):
    if isinstance(x, paddle.Tensor):
        return x * 2
    return x


def kw(x, *args, a=1, **kws):
    for v in args:
        x = x + v
    return x * a + kws.get("b", 0)


def dellist(x, n):
    l = [x, x * 2, x * 3]
    l.pop(0)
    s = 0
    for v in l:
        s = s + v
    return s


def whnest(x):
    i = paddle.to_tensor(0)
    s = x * 0
    while i < 3:
        j = paddle.to_tensor(0)
        while j < i:
            s = s + x * j
            j += 1
        if i > 1:
            s = s + 1
        i += 1
    return s


def changes_a_dict(x, n):
    d = {"s": x * 0, "n": 0}
    i = paddle.zeros([1], "int64")
    while i < n:
        d["s"] = d["s"] + x
        i += 1
    return d["s"]


def recursive(x, n=3):
    if n == 0:
        return x
    return recursive(x * 2, n - 1)


def swaps(x):
    a, b = x, x + 1
    while a.sum() < 40:
        a, b = b, a + b
    return a, b


def leaves_nested_loops(x, n):
    for i in range(n):
        for j in range(3):
            if x.sum() > 20:
                return x, i
            x = x + j
    return x, -1


def loops_with_else(x):
    i = paddle.zeros([1], "int64")
    while i < 3:
        i += 1
        if x.sum() > 100:
            break
    else:
        x = x - 1
    return x


def takes_the_last_of_a_list(x, n):
    outs = [x]
    i = paddle.zeros([1], "int64")
    while i < n:
        outs.append(outs[-1] * 2)
        i += 1
    return outs[-1]


CASES: list[tuple[Any, list[list[Any]], bool]] = [
    (if1, [[X], [N], [X * 3]], False),
    (if2, [[X], [N], [X * 0]], False),
    (if3, [[X], [N], [X, False]], False),
    (if4, [[X], [N], [X - 100], [X * 0 - 0.1]], False),
    (if5, [[X], [N]], False),
    (if6, [[X], [N]], False),
    (if7, [[X], [N]], False),
    (if8, [[X], [N]], False),
    (if9, [[X], [N]], False),
    (tern, [[X], [N]], False),
    (logic, [[X], [N], [N, 3], [X * 0]], False),
    (chain, [[X], [N], [X * 0], [X * 8]], False),
    (wh1, [[X]], True),
    (wh2, [[T(5)], [5], [T([4])]], True),
    (for1, [[X, 3], [X, T(3)], [X, T(4)]], False),
    (for2, [[X]], False),
    (for3, [[X]], False),
    (for4, [[X, N]], False),
    (brk, [[X, 10], [X, T(10)], [X, 2]], True),
    (brk2, [[X]], True),
    (cont, [[X, 10], [X, T(10)]], False),
    (retloop, [[X, 3], [X, 10], [X, T(3)], [X, T(10)]], False),
    (retwhile, [[X], [X * 100]], False),
    (nested, [[X, 6], [X, T(6)]], False),
    (lst, [[X, 3], [X, T(3)]], True),
    (lst2, [[X, 3], [X, T(3)]], False),
    (lst3, [[X, 3], [X, T(3)]], False),
    (asrt, [[X]], False),
    (cast, [[X]], True),
    (closure, [[X], [N]], True),
    (calls, [[X], [N]], False),
    (lam, [[X], [N]], False),
    (setit, [[X], [N]], False),
    (shp, [[X]], False),
    (comp, [[X]], False),
    (undef, [[X]], False),
    (loopundef, [[X, T(3)], [X, 3]], False),
    (concatloop, [[X, T(3)], [X, 2]], False),
    (whileand, [[X, T([3])], [X, T([30])]], False),
    (tryx, [[X], [N]], False),
    (withx, [[X], [N]], False),
    (inplace, [[X]], False),
    (const, [[X]], False),
    (isin, [[X]], False),
    (kw, [[X], [X, N, N]], False),
    (dellist, [[X, 1]], False),
    (whnest, [[X]], False),
    (changes_a_dict, [[X, T([3])]], False),
    (recursive, [[X]], False),
    (swaps, [[X * 0 + 1]], False),
    (leaves_nested_loops, [[X, 4], [X, 2], [X, T(4)]], True),
    (loops_with_else, [[X], [X * 1000]], False),
    (takes_the_last_of_a_list, [[X, T([3])]], False),
]


def same(eager: Any, static: Any, loose: bool) -> bool:
    """Whether the two agree; `loose`: a number may have become a Tensor, and an int64 one of the shape [1]."""
    if isinstance(eager, (list, tuple)):
        return len(eager) == len(static) and all(same(a, b, loose) for a, b in zip(eager, static))
    if isinstance(eager, dict):
        return list(eager) == list(static) and all(same(eager[k], static[k], loose) for k in eager)
    if isinstance(eager, paddle.Tensor):
        form = eager.dtype == static.dtype and eager.shape == static.shape
        return (loose or form) and np.array_equal(eager.numpy().reshape(-1), static.numpy().reshape(-1))
    if isinstance(static, paddle.Tensor):
        return eager is not None and float(eager) == float(static)
    return bool(eager == static)


@pytest.mark.parametrize(("function", "calls", "loose"), CASES, ids=lambda value: getattr(value, "__name__", None))
def test_control_flow(function: Any, calls: list[list[Any]], loose: bool) -> None:
    static = paddle.jit.to_static(function, full_graph=True)
    for args in calls:
        try:
            expected = function(*args)
        except UnboundLocalError:
            static(*args)  # a value that says nothing, as in Paddle
            continue
        assert same(expected, static(*args), loose), (expected, static(*args))


class Holder:
    """An object that is no layer."""


def test_what_leaks_out_of_a_branch_runs_in_eager_mode() -> None:
    @paddle.jit.to_static
    def leaking(x: Any) -> Any:
        holder = Holder()
        holder.value = x
        if x.sum() > 0:
            vars(holder)["value"] = holder.value * 2  # out of sight of who reads the code
        return holder.value

    with pytest.warns(UserWarning, match="`leaking` cannot be recorded"):
        assert leaking(paddle.ones([2])).tolist() == [2.0, 2.0]
    assert leaking(-paddle.ones([2])).tolist() == [-1.0, -1.0]


def test_branches_and_loops_are_recorded_by_default() -> None:
    @paddle.jit.to_static
    def early(x: Any) -> Any:
        i = paddle.zeros([], "int64")
        while i < 3:
            if x.sum() > 3:
                return x
            y = x if x.sum() > 2 else x + 1
            x = y * 2
            i = i + 1
        return x + 1

    with warnings.catch_warnings():
        warnings.simplefilter("error")  # eager mode would take over with a warning
        assert early(paddle.ones([2])).tolist() == [4.0, 4.0]
    assert len(early.program_cache) == 1


def test_gradients_stop_in_front_of_branches_and_loops() -> None:
    def stopped(x: Any) -> Any:
        y = x * x
        y.stop_gradient = True
        i = paddle.zeros([], "int64")
        a = x
        while i < 2:
            if a.sum() > 0:
                a = a * y
            i = i + 1
        return a

    for function in (stopped, paddle.jit.to_static(stopped), paddle.jit.to_static(stopped, full_graph=True)):
        x = T([0.5, 1.0], stop_gradient=False)
        function(x).sum().backward()
        assert x.grad.tolist() == [0.0625, 1.0]  # y * y
