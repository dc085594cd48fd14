"""Assignments to parts of Tensors: what they leave, and the gradients through them."""

from table_getitem import HELPERS

# index, value; B is the shape that the index names, S a scalar Tensor, V a Tensor with a gradient
X345 = [
    ("0", "V(4, 5)"), ("0", "V(5)"), ("0", "V(1)"), ("0", "S(2.0)"), ("0", "7"), ("0", "7.5"), ("0", "True"), ("0", "N(4, 5)"),
    ("0", "N(5)"), ("0", "N(1, 5)"), ("0", "N(4, 1)"), ("-1", "V(4, 5)"),
    ("0", "V(1, 4, 5)"), ("0", "V(4)"), ("0", "V(3, 4, 5)"), ("0", "N(3, 4, 5)"), ("0", "[1, 2]"), ("0", "'a'"), ("0", "None"),
    ("0", "np.float32(2)"), ("0", "np.int64(2)"), ("0", "(1, 2)"),
    ("3", "1.0"), ("-4", "1.0"), ("0, 0, 0, 0", "1.0"), ("0, 1, 2", "3.0"), ("0, 1, 2", "V(1)"), ("0, 1", "V(5)"), ("1, ..., 2", "V(4)"),
    ("...", "2.0"), ("...", "V(3, 4, 5)"), ("...", "V(5)"), ("()", "2.0"),
    (":", "V(3, 4, 5)"), (":", "1.5"), (":", "V(4, 5)"), (":", "N(5)"), ("1:", "V(2, 4, 5)"), ("1:", "V(4, 5)"), ("1:", "V(1, 4, 5)"),
    ("0:0", "1.0"), ("::2", "V(2, 4, 5)"), ("::-1", "V(3, 4, 5)"), ("::-1", "3.0"),
    ("::-2", "V(2, 4, 5)"), ("2:0:-1", "V(2, 4, 5)"), (":, ::-1", "N(3, 4, 5)"), ("..., ::-1", "V(5)"), ("::-1, 1, ::2", "V(3, 3)"),
    (":, 1:3", "V(3, 2, 5)"), (":, 1:3", "V(2, 5)"), (":, :, 1", "V(3, 4)"), (":, 0", "V(3, 5)"),
    ("None, 0", "V(1, 4, 5)"), ("0, None", "V(1, 4, 5)"), ("None", "V(1, 3, 4, 5)"), ("True", "2.0"), ("False", "2.0"),
    ("P(0)", "V(4, 5)"), ("P(1):P(3)", "V(2, 4, 5)"), ("P(2), P(1)", "V(5)"), (":, P(1)", "3.0"),
    ("[0, 2]", "V(2, 4, 5)"), ("[0, 2]", "V(4, 5)"), ("[0, 2]", "V(1)"), ("[0, 2]", "4.0"), ("[0, 2]", "N(4, 5)"), ("[0, 0]", "4.0"),
    ("[2, 0]", "V(2, 4, 5)"), ("[0, 1], [1, 2]", "V(2, 5)"), ("[0, 1], [1, 2]", "5.0"), ("[0, 1], [1, 2], [3, 4]", "V(2)"),
    ("[0, 2], 1", "V(2, 5)"), ("1, [0, 2]", "V(2, 5)"), (":, [0, 2]", "V(3, 2, 5)"), (":, [0, 2]", "2.0"),
    ("[0, 2], :, [1, 3]", "V(2, 4)"), ("[0, 2], 1:3", "V(2, 2, 5)"), ("1:, [0, 2]", "V(2, 2, 5)"), ("..., [0, 2]", "V(3, 4, 2)"),
    ("[[0, 1], [2, 0]]", "1.0"),
    ("I([0, 2])", "V(2, 4, 5)"), ("I([0, 2])", "4.0"), ("I([0, 2], 'int32')", "4.0"), ("I([0, 1]), I([1, 2])", "V(2, 5)"),
    ("I([0, 1]), ..., I([1, 2])", "V(2, 4)"), ("F([0, 2])", "V(2, 4, 5)"), ("F([0, 1]), F([1, 2])", "3.0"),
    ("[0, 2]", "V(3, 4, 5)"), ("I([[0, 1], [2, 0]])", "V(2, 2, 4, 5)"),
    ("M(3)", "2.0"), ("M(3)", "V(2, 4, 5)"), ("M(3)", "V(4, 5)"), ("M(3)", "V(1)"), ("M(3)", "N(5)"), ("M(3, 4)", "2.0"),
    ("M(3, 4)", "V(5)"), ("M(3, 4)", "V(8, 5)"), ("M(3, 4, 5)", "2.0"), ("M(3, 4, 5)", "V(1)"), ("x > 7", "0.0"), ("x > 7", "V(1)"),
    ("x > 100", "0.0"),
    (":, M(4)", "2.0"), (":, M(4)", "V(3, 3, 5)"), ("M(4)", "2.0"), ("[True, False, True]", "2.0"),
    ("[True, False, True]", "V(2, 4, 5)"), ("F([True, False, True])", "2.0"), ("(x > 7).numpy()", "2.0"), ("M(3), 1", "V(2, 5)"),
    ("1, M(4)", "V(3, 5)"), ("paddle.to_tensor(True)", "2.0"),
    ("0", "x[1] * 2"), ("0:2", "x[1:] + 0"), ("[0, 1]", "x[[1, 2]] * 3"), ("0", "paddle.ones([4, 5], 'int64')"),
    ("0", "paddle.ones([4, 5], 'float64')"), ("0", "paddle.ones([5], 'bool')"), ("0", "np.ones([4, 5], 'int64')"),
    ("0", "np.ones([4, 5])"), ("[0, 1]", "np.ones([4, 5])"), ("M(3)", "np.ones([4, 5])"),
    ("[0, 1]", "paddle.ones([4, 5], 'int64')"), ("M(3, 4, 5)", "np.array(3)"), ("'a'", "1.0"), ("1.0", "1.0"), ("1.5, 2", "1.0"),
    ("[1.0]", "1.0"),
]  # fmt: skip

MORE = """
def V(*shape): return X(A(*shape) * 10)
def N(*shape): return A(*shape) * 10
def S(value): return X(value)
"""


def code(index: str, value: str) -> str:
    """An assignment to what an operator made, and the gradients of both."""
    return f"""{HELPERS}{MORE}
base = X(A(3, 4, 5))
x = base * 2
v = {value}
x[{index}] = v
w = np.arange(1, 61, dtype="float32").reshape(3, 4, 5)
back((x * paddle.to_tensor(w)).sum())
answer = [x, x.is_leaf, base.grad.numpy(), v.grad.numpy() if hasattr(v, "stop_gradient") and v.is_leaf and v.grad is not None else None]
"""


TYPES = {
    f"{dtype}[{index}] = {value}": f"{HELPERS}\nx = paddle.zeros([3, 4], '{dtype}')\nx[{index}] = {value}\nanswer = x"
    for dtype in ("int32", "int64", "float64", "bool", "uint8", "int8", "int16", "float16", "bfloat16")
    for index, value in [
        ("1", "1"), ("1", "True"), ("1", "1.75"), ("1", "np.array([3], 'int64')"), ("1", "paddle.to_tensor([2.5], 'float32')"),
        (":, [0, 2]", "1"), ("x == 0", "1"), ("M(3)", "2.5"),
        ("1, 2", "paddle.to_tensor(3, dtype='int64')"), ("..., ::-1", "np.arange(4, dtype='float32')"),
    ]
    if dtype not in ("uint8", "int8", "int16", "float16", "bfloat16") or index not in ("x == 0", "M(3)") and value[:2] != "np"
    if (dtype, index) != ("bool", "x == 0")
}  # fmt: skip

CASES = {
    **{f"x[{index}] = {value}": code(index, value) for index, value in X345},
    **TYPES,
    "whoever_has_it_sees_it": """
x = X(A(3, 2), stop=True)
y, d, r, n = x, x.detach(), x.reshape([6]), x.numpy()
x[0] = 9.0
answer = [x, y is x, d, r, n]
""",
    "windows": "x = X(A(3, 2), stop=True)\ny = x[1:]\ny[0] = 9.0\nz = x.transpose([1, 0])\nz[0] = 5.0\nanswer = [x, y, z]",
    "copies": """
x = X(A(4, 2), stop=True)
made = [x.clone(), x.astype("float32"), x.cast("float32"), paddle.cast(x, "float32"), paddle.assign(x)]
made += [x.expand([4, 2]), x.broadcast_to([4, 2])]
made += [*x.split(2), *paddle.chunk(x, 2), paddle.concat([x]), x + 0, paddle.unstack(x)[0], paddle.broadcast_tensors([x, x])[0]]
made += [paddle.nn.functional.dropout(x, 0.5, training=False), paddle.crop(x, [2, 2], [0, 0]), x[[0, 1]], x[x > 0]]
made += [paddle.to_tensor(x), paddle.einsum("ij->ji", x)]
x[:] = 0.0
answer = made
""",
    "written_copies": """
x = X(A(4, 2), stop=True)
made = [x.astype("float32"), paddle.cast(x, "float32"), x.expand([4, 2]), x.expand([3, 4, 2]), x[0:1].broadcast_to([4, 2])]
made += [*x.split(2), *paddle.chunk(x, 2)]
made += [paddle.unstack(x)[0], paddle.broadcast_tensors([x, x])[0], paddle.nn.functional.dropout(x, 0.5, training=False)]
for part in made:
    part[0] = 99.0
answer = [x, made]
""",
    "leaf": "x = X()\nx[0] = 3.0\nanswer = x",
    "leaf_under_no_grad": "x = X()\nwith paddle.no_grad():\n    x[0] = 3.0\nanswer = [x, x.is_leaf]",
    "parameter": "p = paddle.create_parameter([2], 'float32')\np[0] = 1.0",
    "parameter_under_no_grad": """
p = paddle.create_parameter([2], 'float32')
with paddle.no_grad():
    p[0] = 1.0
    p[1] = 2.0
answer = p
""",
    "a_value_with_a_gradient": """
x, v = X(stop=True), X([3.0])
x[0] = v
back(x * 2)
answer = [x.stop_gradient, x.is_leaf, v.grad.numpy()]
""",
    "saved_before": "x = X()\ny = x * x\nz = y * y\ny[0] = 3.0\nback(z)",
    "saved_before_not_needed": "x = X()\ny = x * x\nz = y + y\ny[0] = 3.0\nback(z)\nanswer = x.grad.numpy()",
    "saved_leaf": "x, w = X(stop=True), X()\ny = x * w\nx[0] = 3.0\nback(y)",
    "accumulates": "x = X()\ny = x * 1\ny[0] += y[1] * 2\ny[1] *= 3\nback(y.sum())\nanswer = [y, x.grad.numpy()]",
    "a_clone_stays": "x = X()\ny = x * 2\nz = y.clone()\nw = z * z\ny[0] = 0.0\nback(y.sum() + w.sum())\nanswer = [z, x.grad.numpy()]",
    "turned_round_onto_itself": "x = X([1.0, 2.0, 3.0], stop=True)\nx[:] = x[::-1]\nanswer = x",
    "onto_its_neighbours": "x = X([1.0, 2.0, 3.0], stop=True)\nx[1:] = x[:-1]\nanswer = x",
    "swapped_rows": "x = X(A(2, 2), stop=True)\nx[0], x[1] = x[1].clone(), x[0].clone()\nanswer = x",
    "in_a_loop": """
x = paddle.zeros([3, 2])
w = X([2.0])
for i in range(3):
    x[i] = w * i
back((x * x).sum())
answer = [x, w.grad.numpy()]
""",
    "nested": "x = X(A(3, 4), stop=True)\nx[1][2] = 9.0\nx[2][1:3] = 8.0\nanswer = x",
    "nested_with_a_gradient": """
b = X(A(3, 4))
x = b * 1
v = X([5.0])
x[1, 2:3] = v
x[2] = x[1] * 2
back((x * x).sum())
answer = [x, b.grad.numpy(), v.grad.numpy()]
""",
    "identity": "x = X(stop=True)\ni, n = id(x), x.name\nx[0] = X([1.0])\nanswer = [id(x) == i, x.name == n]",
}
