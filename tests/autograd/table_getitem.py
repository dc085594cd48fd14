"""Index expressions: what part of a Tensor each one names, and the gradient through it."""

# in these, x is the Tensor; M, I, F and P make masks, integer Tensors, arrays and parts that are Tensors
X345 = [
    # integers
    "0", "2", "-1", "-3", "3", "-4", "0, 1", "0, 1, 2", "-1, -1, -1", "0, 4", "0, 0, 5", "0, 0, 0, 0", "1, -5", "np.int64(1)",
    "np.int32(-1), 2", "True", "False", "None", "None, None", "0, None", "None, 0", "..., 0", "0, ...", "...", "..., None", "None, ...",
    "0, ..., 1", "0, 1, ..., 2", "0, 1, 2, ...", "()", "1.0", "'a'", "1.5, 2", "2**40",
    # slices
    ":", "1:", ":2", "-2:", ":-1", "0:10", "5:", "-10:2", "0:0", "::2", "1::2", "::-1", "::-2", "2:0:-1", "-1:-4:-1", "5:0:-2",
    "1:2, 2:3", ":, 1:3", ":, ::-1", "..., ::-1", "::-1, ::-1, ::-1", "::-1, 1, ::2", "0, ::-2", ":, 0", ":, -1", ":, :, 2", ":, 1:3, 0",
    "1, :, ::2",
    "0:2, ..., 1:3", "None, 1:2", ":, None", ":, None, 1", "::0", ":, ::0", "1.0:2", "'a':2", ":, :, :, :", "0:2, 5:9",
    "np.int64(0):np.int64(2)", "slice(1, 3)", "slice(None, None, -1)", "slice(0, 2), slice(1, 3)",
    # Tensors in slices and as integers
    "P(1):P(3)", "P(1):", ":P(2)", "P(0):P(3):P(2)", "P(2), P(1)", "P(-1)", "P(1):3, P(2)", ":, P(1)", "P([1])", "P([1]):P([3])",
    "P(0), 1:", "0, P(0)", "..., P(2)",
    "P(True)", "P(3)", "P(-4)", "P([1], 'int32')", "P(1, 'int32')", "P(1.0)",
    # lists, arrays and integer Tensors
    "[0]", "[0, 2]", "[2, 0, 2]", "[[0, 1], [2, 0]]", "[]", "[0, 1], [1, 2]", "[0, 1], [1, 2], [0, 4]", "[0, 2], 1", "1, [0, 2]",
    "[0, 2], :, [1, 3]", ":, [0, 2]", ":, [0, 2], [1, 3]", ":, [0, 2], 1", "[0, 2], ..., [1, 3]", "..., [0, 2]", "[0, 2], 1:3",
    "1:, [0, 2]",
    "1:, [0, 2], ::2", "[[0], [2]], [0, 3]", "[0], [1, 2]", "[0, 1], [0, 1, 2]", "[3]", "[0, -4]", ":, [4]", "[0, 2], None",
    "0, [0, 2], [1, 3]", "[0, 2], 0, [1, 3]", "0, :, [0, 2]", "[0, 2], ::-1", "::-1, [0, 2]", "[0, 2], ::-1, [1, 3]", "::-2, [0, 2], 1:",
    "[1.0, 2.0]", "['a']", "[0, 'a']", "(0, 2)", "((0, 1), (1, 2))", "([0, 1], [1, 2])", "[(0, 1), (1, 2)]", "[slice(0, 2)]", "[None]",
    "[[0, 1], [1]]",
    "I([0, 2])", "I([2, 0, 2])", "I([[0, 1], [2, 0]])", "I([0, 2], 'int32')", "I([0, 1]), I([1, 2])", "I([0, 1]), [1, 2]",
    "I([0, 1]), 1", "1, I([0, 1])", "I([0, 1]), 1:",
    "1:, I([0, 1])", "I([0, 1]), ..., I([0, 1])", "I([[0], [1]]), I([0, 1])", "I([[0], [1]]), :, I([0, 1])", "I([0, 1]), P(1)",
    "[P(0), P(2)]", "[P(0), 2]", "I([3])", "I([-4])", "I([])",
    "I([0, 1], 'float32')", "[I([0, 1])]", "I([0, 1]), None",
    "F([0, 2])", "F([0, 2], 'int32')", "F([[0, 1], [2, 0]])", "F([0, 1]), F([1, 2])", "F([0, 1], 'float32')", "F(1)", "F(1), 2",
    ":, F([0, 2])", "F([])", "[F(0), F(1)]", "range(2)", "F([0, 1]), I([1, 2])",
    # masks
    "M(3)", "M(4)", "M(3, 4)", "M(3, 4, 5)", "M(3, 5)", ":, M(4)", "..., M(5)", "M(3), 1", "M(3), 1:", "1, M(4)", "1:, M(4)",
    "M(3), [0, 1]", "[0, 1], M(4)", "M(3), M(4)", "M(3), :, M(5)",
    "M(3, 4), [0, 1]", "M(3), ...", "M(3), None", "[True, False, True]", "[True, False]", "[False, False, False]",
    "[[True, False, True, False]] * 3", ":, [True, False, True, False]", "[True, True, False], [0, 1]",
    "[True, 1, 0]", "[True]", "F([True, False, True])", "F([False, False, False])", ":, F([True, False, True, True])",
    "F([True, False])", "x > 7", "x > 100", "(x > 7).numpy()", "paddle.to_tensor(True)", "paddle.to_tensor(False)",
    "paddle.to_tensor([True])",
    "True, 0", "0, True", "True, ..., 0", "[0, 1], True", "True, [0, 1]", "None, True", "False, 0", "1:, False",
]  # fmt: skip
OTHERS = {
    "(7)": [
        "0", "-1", "1:3", "::2", "::-1", "[1, 3]", "I([1, 3])", "M(7)", "x > 1", "None", "..., None", "5:1:-1", "6::-3", "::7", "::-7",
        "I([[1], [2]])", "7", "...", ":, 0", "P(3)", "P(2):P(5)", "P([2, 3])",
    ],
    "(1)": ["0", "[0]", "-1", "[0, 0, 0]", "True", "M(1)", ":", "1", "None"],
    "()": ["None", "...", "()", "0", ":", "None, None", "..., None"],  # by a truth value or a list: the wheel crashes
    "(0, 3)": ["0", ":", "1:", ":, 0", ":, 1:", "[]", "::-1", "..., 0", "None", "I([])", "x > 1", "M(0)", ":, [0, 2]"],
    "(3, 0)": ["0", ":, 0", "[0, 2]", "1:", "M(3)", "::-1", ":, ::-1"],
    "(2, 3, 4, 5)": [
        "0, 1, 2, 3", "1, ..., 2", ":, 1, :, 2", "[0, 1], :, [1, 2]", "[0, 1], :, [1, 2], :", ":, [0, 1], :, [1, 2]",
        ":, [0, 1], [1, 2]", ":, [0, 1], [1, 2], 0", ":, 0, [1, 2]", ":, 0, :, [1, 2]", "[0, 1], 1, :, [2, 3]", "[[0], [1]], :, [0, 2]",
        "::-1, :, [0, 1], ::2", "..., [0, 1], [1, 2]", "[0, 1], ..., [1, 2]", ":, M(3)", ":, M(3), :, [0, 1]", ":, M(3), 0",
        ":, M(3, 4), [0, 1]", "I([0, 1]), :, I([1, 2])", "1:, I([[0, 1]]), 1:3", "[0], [1], [2], [3]",
        "I([1]), :, ::-1, P(2)", "0, M(3), :, 1", "::2, ::-1, ::2, ::-2",
    ],
}  # fmt: skip

HELPERS = """
def I(values, dtype="int64"): return paddle.to_tensor(np.array(values, dtype))
def F(values, dtype=None):
    a = np.array(values)
    return a.astype(dtype or (a.dtype if a.size else "int64"))
def P(value, dtype=None): return paddle.to_tensor(value, dtype=dtype)
def M(*shape): return paddle.to_tensor(np.arange(int(np.prod(shape))).reshape(shape) % 3 != 1)
"""


def code(shape: str, index: str) -> str:
    """What names a part, weighs it and takes the gradient."""
    return f"""{HELPERS}
x = X(A{shape})
y = x[{index}]
w = np.arange(1, y.size + 1, dtype="float32").reshape(y.shape)
g = paddle.grad(y, x, paddle.to_tensor(w)) if y.size else None
answer = [y, g]
"""


TYPE = HELPERS + "\nx = paddle.to_tensor({values}, dtype='{dtype}')\nanswer = x[{index}]"
TYPES = {
    f"{dtype}[{index}]": TYPE.format(values="A(3, 4) * 4 > 5" if dtype == "bool" else "A(3, 4) * 4", dtype=dtype, index=index)
    for dtype in ("int32", "int64", "float64", "bool", "uint8", "int8", "int16", "float16", "bfloat16", "complex64")
    for index in ("1", "1, 2", "::-1", "None", ":, [0, 2]", "I([0, 2])", "M(3)", "M(3, 4)")
    if index in ("1", "1, 2", "::-1", "None") or dtype not in ("float16", "bfloat16")  # the wheel has no kernels for these
}

CASES = {
    **{f"x[{index}]": code("(3, 4, 5)", index) for index in X345},
    **{f"{shape}[{index}]": code(shape, index) for shape, indices in OTHERS.items() for index in indices},
    **TYPES,
    "iteration": "x = X(A(3, 2))\nanswer = [list(x), [len(x), sum(v for v in x)], [g for g in paddle.grad(sum(v * v for v in x), x)]]",
    "iteration_of_a_number": "answer = list(X(3.0))",
    "length_of_a_number": "answer = len(X(3.0))",
    "unpacking": "a, (b, c) = X(A(2, 2))\nanswer = [a, b, c]",
    "enumerating": "answer = [[i, v.numpy()] for i, v in enumerate(X(A(3)))]",
    "zip": "answer = [a * b for a, b in zip(X(A(3)), X(A(3)))]",
    "reversed": "answer = list(reversed(X(A(3))))",
    "contains": "x = X(A(3))\nanswer = [0.5 in x, 9.0 in x]",
    "a_part_is_a_copy": "x = X(A(3, 2), stop=True)\ny = x[0]\ny[0] = 9.0\nz = x[:]\nx[1] = 7.0\nanswer = [x, y, z, x[...].numpy()]",
    "several_parts": "x = X(A(3, 4))\ny = x[0] * x[:, 1:2].sum() + x[1] * x[-1]\nanswer = paddle.grad(y, x)",
    "second_order": """
x = X(A(3, 4))
y = (x[1:] ** 3)[:, 1:]
g = paddle.grad(y, x, create_graph=True)[0]
answer = paddle.grad(g[2] * 2, x)
""",
    "whole": """
x = X(A(3, 4))
answer = [[y, y.is_leaf, y.name == x.name, paddle.grad(y * 2, x)] for y in (x[:], x[...], x[()])]
answer += [x[0].is_leaf, x[0:1].is_leaf, x[None].is_leaf]
""",
}
