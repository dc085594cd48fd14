"""Rows for the operators and methods of Variables and Tensors, under both Paddles."""

SYMBOLS = ("+", "-", "*", "/")
OTHERS = ("**", "//", "%")
COMPARE = ("==", "!=", "<", "<=", ">", ">=")

ROWS = [
    *[f"x {s} y" for s in SYMBOLS],
    *[f"x {s} 2.0" for s in SYMBOLS],
    *[f"x {s} 2" for s in SYMBOLS],
    *[f"2.0 {s} p" for s in SYMBOLS],
    *[f"i {s} 2" for s in ("+", "-", "*")],
    *[f"i {s} j" for s in ("+", "-", "*")],
    *[f"h {s} v" for s in SYMBOLS],
    *[f"h {s} x" for s in ("+", "*")],
    *[f"p {s} r" for s in ("**", "/")],
    *[f"p ** {s}" for s in ("2", "2.0", "0.5")],
    "2.0 ** x", "2 ** p",
    *[f"i {s} j" for s in ("//", "%")],
    *[f"x {s} y" for s in COMPARE],
    *[f"x {s} 0.5" for s in COMPARE],
    *[f"i {s} 3" for s in COMPARE],
    *[f"h {s} 0.5" for s in ("<", ">=")],
    "-x", "-i", "x + d", "i + q", "x + i", "x * True", "i + 1.0", "(x + y) * 2.0 - 1.0", "1.0 - x", "1 / p", "x - i",
    "x[0]", "x[1]", "x[-1]", "x[0, 1]", "x[:, 1]", "x[0:1]", "x[:, 1:3]", "x[:, -2:]", "x[1:2, 0]", "t[1, 0:2]",
    "h[0]", "h[0:1]", "h[:, 0]",
    "x[:, ::2]", "x.astype('int64')", "x.astype('float64')", "i.astype('float32')", "x.astype('float32')",
    "x[0] + x[1]", "g[:, 0, :]", "g[:, -1]",
    "t[:, :, 0:2]", "t[0][1]", "x[:]",
]  # fmt: skip

ROWS_2 = [
    "i / j", "i / 2", "x // y", "x % y", "p // 0.3", "p % 0.3", "i ** 2", "x @ m", "h @ m", "v @ w", "i // 2",
    "i % 2", "2.0 // p", "i + 1.5", "i * 2.5", "2.5 - i", "b == b2",
    "b & b2", "b | b2", "b ^ b2", "~b", "i & j", "i | j", "i ^ j", "~i", "b + b2", "q / q2", "d * x", "i < 2.5",
    "x[...]", "x[..., 0]", "x[None]", "x[:, None]", "x[0, ...]", "x[None, 0]", "x[::-1]", "x[:, ::-1]", "x[k]",
    "x[[0, 1]]", "x[[0, 1], [1, 2]]", "x[b]", "x[x > 0]", "x[:, k]", "x[0:1, [0, 2]]", "t[k, :, k]",
    "t[:, k, k]", "x[k, 0]", "x[n1]", "x[k[0]]", "x[i > 3]", "x[[True, False]]", "x[:, [True, False, True]]",
    "x[n1 - 1:]", "x[0:n1]", "t[..., 0:2]", "t[0, ..., 1]", "x[np.array([0, 1])]",
    "x.T", "n.T", "t.T", "v.T", "x.clone()", "x.detach()", "x.sum()", "x.mean(1)", "x.max(axis=0)",
    "x.reshape([3, 2])", "x.transpose([1, 0])", "x.unsqueeze(0)", "x.matmul(m)", "x.abs()", "x.numel()",
    "x.dim()", "x.ndim", "x.size() if hasattr(x.size, '__call__') else 6", "x.cast('int64')", "x.flatten()",
    "x.squeeze()", "x.exp().log()", "x.argmax(-1)", "x.add(y)", "x.split(3, 1)", "x.topk(1)", "x.norm()", "x.std()",
    "x.gather(k)", "x.scale(2.0)", "x.clip(0.0, 1.0)", "x.equal(y)", "x.cumsum(0)", "x.tile([2, 1])",
    "x.expand([2, 2, 3])", "x.chunk(3, 1)", "x.unbind()", "x.where(x, y) if False else x.abs()",
    "x.is_floating_point()", "x.element_size()",
    "x.broadcast_to([2, 2, 3])", "x.concat([x, y]) if False else x", "x.inner(y)", "x.square().sum().sqrt()",
    "x.tanh()", "x.sigmoid()",
]  # fmt: skip
ROWS_1 = ["i / j", "i ** j", "x // y", "i + 1.0", "x[::-1]", "x[n1]", "x[n1 - 1]", "x[:, n1]", "x[0:n1]", "i / 2"]

# Paddle has no kernel for these, or asserts too much; nothing is lost by taking them
DIFFERENT = ("2.0 // p", "x[:, ::2]", "x // y", "b + b2")
