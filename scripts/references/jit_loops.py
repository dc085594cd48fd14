"""Functions with loops, as Paddle's unit tests of `to_static` have them.

The line before a function says what it is called with. `free` there: only what it gives by default is recorded, as the wheel refuses
it, or does something else with it than eager mode, where `full_graph=True` is given. jit_functions.py sets `paddle` and `F`.
"""

# mypy: ignore-errors
# ruff: noqa: B007

paddle = F = None


# case: [X]
def while_simple(x):
    i = paddle.zeros([1], "int64")
    while i < 5:
        x = x + 1
        i = i + 1
    return x, i


# case: [X]
def while_py_tensor(x):
    i = 0
    while paddle.to_tensor(i) < 4:
        x = x * 1.1
        i += 1
    return x


# case: [P]
def while_data(x):
    while x.sum() < 100:
        x = x * 2
    return x


# case: [P] free
def while_true_break(x):
    while True:
        x = x + 1
        if x.mean() > 4:
            break
    return x


# case: [P]
def while_py_break(x):
    i = 0
    while i < 10:
        i += 1
        if i == 5:
            break
        if i % 2:
            continue
        x = x + i
    return x, i


# case: [P]
def while_nested(x):
    i = paddle.to_tensor(0)
    total = paddle.zeros([1])
    while i < 3:
        j = paddle.to_tensor(0)
        while j < 4:
            total = total + x.mean() * j
            j = j + 1
        i = i + 1
    return total


# case: [P, 3],[P, np.array(4)]
def for_range_arg(x, n):
    y = paddle.zeros_like(x)
    for i in range(n):
        y = y + x * i
    return y


# case: [X, np.array([3],'int32')]
def for_range_tensor1(x, n):
    for i in range(n):
        x = x + 1
    return x, i


# case: [X, np.array(8)]
def for_range_step(x, n):
    s = paddle.zeros([1], "int64")
    for i in range(1, n, 2):
        s += i
    for j in range(n, 0, -3):
        s += j
    return s


# case: [X]
def for_iter_tensor(x):
    s = paddle.zeros([4])
    for row in x:
        s = s + row * 2
    return s, row


# case: [X]
def for_enumerate_tensor(x):
    s = paddle.zeros([4])
    for i, row in enumerate(x):
        s = s + row * i
    return s


# case: [X]
def for_enumerate_start(x):
    s = paddle.zeros([4])
    for i, row in enumerate(x, 2):
        s = s + row * i
    return s


# case: [X] free
def for_tensor_numpy(x):
    s = paddle.zeros([1])
    for v in x.numpy().reshape(-1):
        s = s + v
    return s


# case: [X, Y]
def for_zip(x, y):
    s = 0
    for a, b in zip(x, y):
        s = s + a * b
    return s


# case: [X, Y]
def for_enum_zip(x, y):
    s = paddle.zeros([4])
    for i, (a, b) in enumerate(zip(x, y)):
        s = s + a * b * i
    return s


# case: [X]
def for_list(x):
    l = [x, x + 1, x + 2]
    s = 0
    for i, v in enumerate(l):
        s = s + v * i
    for v in l:
        s = s + v
    return s


# case: [X]
def for_dict(x):
    d = {"a": x, "b": x * 2}
    s = 0
    for k, v in d.items():
        s = s + v
    for k in d:
        s = s + d[k]
    for v in d.values():
        s = s - v * 0.5
    return s


# case: [P, np.array(6)]
def for_break_tensor(x, n):
    for i in range(n):
        if i > 3:
            break
        x = x + i
    return x


# case: [P, np.array(6)]
def for_continue_tensor(x, n):
    for i in range(n):
        if i % 2 == 0:
            continue
        x = x + i
    return x


# case: [P] free
def for_break_py(x):
    for i in range(10):
        if x.sum() > 60:
            break
        x = x + 1
    return x


# case: [P, np.array(5)]
def for_return(x, n):
    for i in range(n):
        x = x + 1
        if x.mean() > 3:
            return x * 10
    return x


# case: [P] free
def for_else(x):
    for i in range(3):
        x = x + 1
    else:
        x = x * 2
    return x


# case: [P, np.array(3)]
def for_list_append(x, n):
    l = []
    for i in range(n):
        l.append(x * i)
    return l[0] + l[2]


# case: [P, np.array(3)]
def for_list_stack(x, n):
    l = []
    for i in range(n):
        l.append(x + i)
    return paddle.stack(l)


# case: [P]
def for_list_concat_py(x):
    l = []
    for i in range(3):
        l.append(x + i)
    return paddle.concat(l, axis=0), len(l)


# case: [P] free
def for_nested_break(x):
    s = paddle.zeros([1])
    for i in range(3):
        for j in range(4):
            if j > i:
                break
            s = s + x.mean() * j
        if s > 100:
            break
    return s


# case: [P]
def for_while_mixed(x):
    i = paddle.to_tensor(0)
    while i < 3:
        for j in range(2):
            if j == 1:
                continue
            x = x + j + i
        i += 1
    return x


# case: [P]
def comp_list(x):
    l = [x * i for i in range(3)]
    m = [v.sum() for v in l if v.shape[0] == 3]
    return l, paddle.stack(m)


# case: [P]
def comp_dict_set(x):
    d = {k: x * k for k in range(2)}
    return d[0] + d[1], sorted({1, 2})


# case: [P]
def for_tuple_targets(x):
    s = 0
    for (a, b), c in [((x, 1), 2), ((x + 1, 3), 4)]:
        s = s + a * b + c
    return s


# case: [P]
def for_attr_name(x):
    s = paddle.zeros([4])
    i = 0
    for i in range(x.shape[0]):
        s = s + x[i]
    return s, i


# case: [P, np.array([4],'int64')]
def loop_reassign_var(x, n):
    h = x
    for t in range(n):
        h = paddle.tanh(h)
        out = h * 2
    return out, h


# case: [P]
def while_and(x):
    i = paddle.to_tensor(0)
    while i < 10 and x.mean() < 4:
        x = x + 1
        i = i + 1
    return x, i


# case: [P]
def while_or_not(x):
    i = paddle.to_tensor(0)
    while not (i > 4 or x.mean() > 50):
        x = x * 2
        i = i + 1
    return x


# case: [P]
def while_undefined_outside(x):
    i = paddle.to_tensor(0)
    while i < 3:
        y = x * i
        i += 1
    return y


# case: [P] free
def while_bool_flag(x):
    stop = False
    i = 0
    while not stop:
        x = x + 1
        i += 1
        if x.mean() > 3:
            stop = True
    return x


# case: [P]
def while_list_state(x):
    st = [x, x + 1]
    i = paddle.to_tensor(0)
    while i < 2:
        st[0] = st[0] + st[1]
        i += 1
    return st


# case: [P]
def while_dict_state(x):
    st = {"h": x}
    i = paddle.to_tensor(0)
    while i < 2:
        st["h"] = st["h"] * 2
        i += 1
    return st["h"]


# case: [P]
def while_tuple_swap(x):
    a, b = x, x + 1
    i = paddle.to_tensor(0)
    while i < 3:
        a, b = b, a + b
        i += 1
    return a, b


# case: [X, np.array(4)]
def list_grown_and_popped(x, n):
    a = []
    b = [x + 1]
    a.append(x)
    for i in range(n):
        b.append(x + i)
    return a.pop(0), len(a), b.pop(1), len(b)


# case: [X] free
def while_returns_pair(x):
    i = paddle.zeros([1], "int64")
    while i < 10:
        i += 1
        if i > 5:
            x = x + 110
            return x, i
        x = x + 1
    return x, i


# case: [X] free
def shape_of_what_a_loop_made(x):
    made = []
    step = 0
    done = paddle.zeros([1], "bool")
    while step < 4 and not done:
        x = paddle.tanh(x + step)
        made.append(x)
        done = x.sum() > 1
        step += 1
    return paddle.stack(made, 0).shape, step


# case: [X]
def stacked_behind_all_dimensions(x):
    i = paddle.zeros([1], "int64")
    kept = []
    while i < 3:
        kept.append(x[:, 0] * 2)
        i += 1
    return paddle.stack(kept, 1)


# case: [X] free
def stacked_at_the_end(x):
    i = paddle.zeros([1], "int64")
    kept = []
    while i < 3:
        kept.append(x + 1)
        i += 1
    return paddle.stack(kept, -1).shape, paddle.stack(kept, -1)
