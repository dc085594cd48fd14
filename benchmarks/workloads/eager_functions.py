"""Single functions as a script for Paddle 2.6 in eager mode.

    python -m paddle_compat benchmarks/workloads/eager_functions.py round max_pool3d_gradient

Paddle 2.6's own wheel runs it too. One line of JSON for each function: the least and the median milliseconds of process CPU, and
the mean sizes of the result and of the gradient of its sum.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import harness
import numpy as np
import paddle
import paddle.nn.functional as F

random = np.random.RandomState(0)
SECONDS = 0.3
NODES, EDGES = 5000, 50000


def numbers(*shape: int, learns: bool = False) -> Any:
    """Numbers between -1 and 1."""
    return paddle.to_tensor((random.rand(*shape) * 2 - 1).astype("float32"), stop_gradient=not learns)


def whole(*shape: int, below: int) -> Any:
    """Whole numbers."""
    return paddle.to_tensor(random.randint(0, below, shape))


def of_matrix(function: Callable[[Any], Any], rows: int = 512, columns: int = 512) -> Callable[[], Any]:
    """A function of a matrix."""
    x = numbers(rows, columns)
    return lambda: function(x)


def of_flags(function: Callable[[Any], Any]) -> Callable[[], Any]:
    """A question to the columns of a matrix of flags."""
    flags = numbers(512, 512) > 0
    return lambda: function(flags).astype("float32")


def learning(function: Callable[[Any], Any], *shape: int) -> Callable[[], Any]:
    """A function, with the gradient of its sum."""
    x = numbers(*shape, learns=True)

    def step() -> Any:
        x.clear_grad()
        out = function(x)
        out.sum().backward()
        return out, x.grad

    return step


def pair(function: Callable[[Any, Any], Any]) -> Callable[[], Any]:
    """A function of two matrices."""
    x, y = numbers(512, 512), numbers(512, 512)
    return lambda: function(x, y)


def edges() -> tuple[Any, Any]:
    """Where the edges of a graph begin and end."""
    return whole(EDGES, below=NODES), whole(EDGES, below=NODES)


def sent() -> Callable[[], Any]:
    """Products of the numbers of both ends of all edges."""
    x, (begins, ends) = numbers(NODES, 16), edges()
    return lambda: paddle.geometric.send_uv(x, x, begins, ends, "mul")


def renumbered() -> Callable[[], Any]:
    """Half of the nodes, each with five neighbours."""
    nodes = paddle.to_tensor(random.permutation(NODES)[: NODES // 2])
    neighbors, counts = whole(5 * NODES // 2, below=NODES), paddle.full([NODES // 2], 5, "int32")
    return lambda: paddle.geometric.reindex_graph(nodes, neighbors, counts)[0].astype("float32")


def sampled() -> Callable[[], Any]:
    """Five neighbours of half of the nodes: how many there are."""
    row, ends = edges()
    pointers = paddle.to_tensor(np.searchsorted(np.sort(ends.numpy()), np.arange(NODES + 1)))
    nodes = paddle.to_tensor(random.permutation(NODES)[: NODES // 2])
    return lambda: paddle.geometric.sample_neighbors(row, pointers, nodes, 5)[1].astype("float32")


def apart(sequences: int, longest: int) -> Callable[[], Any]:
    """How far sequences of ids lie apart from others."""
    said, meant = whole(sequences, longest, below=20), whole(sequences, longest, below=20)
    heard, there = whole(sequences, below=longest), whole(sequences, below=longest)
    return lambda: F.loss.edit_distance(said, meant, False, None, heard, there)[0]


def decoded(sequences: int, longest: int, tags: int) -> Callable[[], Any]:
    """The scores of the likeliest tags of sequences."""
    scores, table, counts = numbers(sequences, longest, tags), numbers(tags, tags), whole(sequences, below=longest)
    return lambda: paddle.text.viterbi_decode(scores, table, counts + 1)[0]


def recurrent(kind: str) -> Callable[[], Any]:
    """A network in both directions over sequences of several lengths, with its gradient."""
    network, counts = getattr(paddle.nn, kind)(128, 128, direction="bidirect"), whole(32, below=46) + 5
    for number, parameter in enumerate(network.parameters()):
        parameter.set_value((np.random.RandomState(number).rand(*parameter.shape) * 0.2 - 0.1).astype("float32"))
    return learning(lambda x: network(x, sequence_length=counts)[0], 32, 50, 128)


def grouped() -> Callable[[], Any]:
    """A convolution in groups of four channels, with its gradient."""
    weight = numbers(128, 4, 3, 3)
    return learning(lambda x: F.conv2d(x, weight, padding=1, groups=32), 4, 128, 28, 28)


def chosen() -> Callable[[], Any]:
    """Row by row one of two matrices."""
    x, y, which = numbers(512, 512), numbers(512, 512), whole(512, 1, below=2).astype("int32")
    return lambda: paddle.multiplex([x, y], which)


FUNCTIONS: dict[str, Callable[[], Callable[[], Any]]] = {
    "round": lambda: of_matrix(paddle.round),
    "trunc": lambda: of_matrix(paddle.trunc),
    "tanh": lambda: of_matrix(paddle.tanh),
    "any": lambda: of_flags(lambda flags: paddle.any(flags, 1)),
    "all": lambda: of_flags(lambda flags: paddle.all(flags, 1)),
    "less_than": lambda: pair(paddle.less_than),
    "isnan": lambda: of_matrix(paddle.isnan),
    "heaviside": lambda: pair(paddle.heaviside),
    "fmax": lambda: pair(paddle.fmax),
    "argmax": lambda: of_matrix(lambda x: paddle.argmax(x, 1).astype("float32")),
    "argmax_of_pixels": lambda: (lambda x: lambda: paddle.argmax(x, 1).astype("float32"))(numbers(2, 21, 128, 128)),
    "histogram": lambda: of_matrix(lambda x: paddle.histogram(x, 100)),
    "kthvalue": lambda: of_matrix(lambda x: paddle.kthvalue(x, 3)[0]),
    "cumsum_of_columns": lambda: of_matrix(lambda x: paddle.cumsum(x, 0)),
    "linspace": lambda: lambda: paddle.linspace(0.0, 1.0, 300000),
    "multiplex": chosen,
    "maxout": lambda: (lambda x: lambda: F.maxout(x, 2))(numbers(4, 32, 56, 56)),
    "max_pool3d_gradient": lambda: learning(lambda x: F.max_pool3d(x, 2, 2), 2, 16, 8, 28, 28),
    "max_pool3d_overlapping_gradient": lambda: learning(lambda x: F.max_pool3d(x, 3, 2, 1), 2, 16, 8, 28, 28),
    "conv2d_groups_of_four": grouped,
    "send_uv": sent,
    "reindex_graph": renumbered,
    "sample_neighbors": sampled,
    "edit_distance": lambda: apart(64, 100),
    "viterbi_decode": lambda: decoded(64, 100, 40),
    "lstm_of_lengths": lambda: recurrent("LSTM"),
    "gru_of_lengths": lambda: recurrent("GRU"),
    "seed": lambda: lambda: (paddle.seed(1), paddle.rand([1]))[1],
    "rand_1024": lambda: lambda: paddle.rand([1024]),
    "rand": lambda: lambda: paddle.rand([512, 512]),
    "randn_1024": lambda: lambda: paddle.randn([1024]),
    "randn": lambda: lambda: paddle.randn([512, 512]),
    "randperm": lambda: lambda: paddle.randperm(100000),
    "multinomial": lambda: (lambda x: lambda: paddle.multinomial(x, 5))(numbers(512, 512).abs()),
    "poisson": lambda: (lambda x: lambda: paddle.poisson(x))(numbers(100, 200).abs() * 5),
}


def measure(name: str, steps: int) -> dict[str, Any]:
    """Figures of one function."""
    random.seed(0)
    step = FUNCTIONS[name]()
    figures, _ = harness.repeated(step, steps, SECONDS, 500)
    paddle.seed(1)  # what is drawn is the same after as many calls only
    value = step()
    found = value if isinstance(value, tuple) else (value,)
    sizes = [float(np.abs(each.numpy().astype("float64")).mean()) for each in found]
    return {**figures, "size": sizes[0], "grads": sizes[1:]}


if __name__ == "__main__":
    harness.operators(paddle.__version__, list(FUNCTIONS), measure, 5)
