"""How the outputs and the gradients of frequent operators lie in Paddle 3.3.1, for inputs that lie in several ways.

Runs in 2 processes, and in 4 for a 2 x 2 mesh, under a wheel and here: python dist_operator_cases.py FOLDER, which gets RANK.json.
Beside FOLDER, "end": some questions end the wheel, which is started anew until none is left; "all": 4 processes answer everything.
"""

import json
import os
import sys
import warnings

import numpy as np
import paddle
import paddle.distributed as dist
import paddle.nn.functional as F
from paddle.distributed.auto_parallel.api import dtensor_from_local

ENDS, ALL = "end" in sys.argv[2:], "all" in sys.argv[2:]
A, B, R, P = "S0", "S1", "R", "P"  # of one mesh dimension; "S1" of a vector is "S0"


def array(*shape):
    """Numbers that differ."""
    count = int(np.prod(shape))
    return (np.sin(np.arange(count) * 1.7) * 0.9).reshape(shape).astype("float32")


M, N, V, C, W4 = array(4, 8), array(8, 6), array(8), array(2, 4, 8), array(4, 2, 6, 8)
IDS, TABLE = np.array([[1, 0, 5], [7, 2, 2]]), array(8, 4)
CLASSES = np.array([[1], [0], [5], [7]])
ONE = [[A], [B], [R], [P]]
THREE = [["S0"], ["S1"], ["S2"], ["R"], ["P"]]
TWO = [[A, R], [B, R], [R, A], [R, B], [A, A], [B, B], [A, B], [B, A], [P, R], [P, P], [R, R]]

CASES = {
    "relu": (F.relu, [M], ONE),
    "exp": (paddle.exp, [M], ONE),
    "cast": (lambda x: x.astype("float64"), [M], ONE),
    "scale": (lambda x: x * 2.0, [M], ONE),
    "shifted": (lambda x: x + 1.0, [M], ONE),
    "add": (paddle.add, [M, M], TWO),
    "add row": (paddle.add, [M, V], [[A, R], [B, R], [R, R], [R, A], [B, A], [P, R], [A, A]]),
    "subtract": (paddle.subtract, [M, M], [[A, R], [A, A], [P, P]]),
    "multiply": (paddle.multiply, [M, M], TWO),
    "divide": (paddle.divide, [M, M + 3], [[A, R], [B, B], [P, R]]),
    "maximum": (paddle.maximum, [M, M[::-1].copy()], [[A, R], [B, B], [P, R]]),
    "add_n": (lambda x, y: paddle.add_n([x, y]), [M, M], [[A, A], [A, R], [P, P], [B, B]]),
    "matmul": (paddle.matmul, [M, N], TWO),
    "matmul of batches": (paddle.matmul, [C, array(2, 8, 3)], [["S0", "S0"], ["S0", R], ["S1", R], [R, "S2"], ["S2", "S1"], [R, "S1"]]),
    "matmul of a batch": (paddle.matmul, [C, N], [["S0", R], ["S1", R], ["S2", "S0"], [R, "S1"], ["S0", "S1"], [R, "S0"]]),
    "matmul transposed": (lambda x, y: paddle.matmul(x, y, transpose_y=True), [M, array(6, 8)], [[A, R], [B, B], [R, A], [R, B]]),
    "linear": (F.linear, [M, N, array(6)], [[A, R, R], [R, B, A], [R, B, R], [B, A, R], [R, A, R], [R, R, R]]),
    "matmul of more rows": (paddle.matmul, [array(8, 4), array(4, 6)], [[A, B], [A, A]]),
    "matmul of as many": (paddle.matmul, [array(6, 4), array(4, 6)], [[A, B]]),
    "bmm": (paddle.bmm, [C, array(2, 8, 3)], [["S0", "S0"], ["S2", "S1"], [R, "S2"]]),
    "mean": (paddle.mean, [M], ONE),
    "sum": (paddle.sum, [M], ONE),
    "sum over rows": (lambda x: x.sum(0), [M], ONE),
    "sum over columns": (lambda x: x.sum(1), [M], ONE),
    "sum kept": (lambda x: x.sum(1, keepdim=True), [M], ONE),
    "mean over rows": (lambda x: x.mean(0), [M], ONE),
    "max": (lambda x: x.max(), [M], ONE),
    "max over rows": (lambda x: x.max(0), [M], ONE),
    "min over columns": (lambda x: x.min(1), [M], ONE),
    "softmax": (lambda x: F.softmax(x, -1), [M], ONE),
    "softmax over rows": (lambda x: F.softmax(x, 0), [M], ONE),
    "log_softmax": (lambda x: F.log_softmax(x, -1), [M], ONE),
    "layer_norm": (lambda x, w, b: F.layer_norm(x, [8], w, b), [C, V, V], [["S0", R, R], ["S1", R, R], ["S2", R, R], [R, R, R]]),
    "embedding": (F.embedding, [IDS, TABLE], [[A, R], [R, A], [R, B], [B, R], [R, R]]),
    "cross entropy": (
        lambda x, y: F.softmax_with_cross_entropy(x, y), [M, CLASSES], [[A, A], [A, R], [R, R], [B, R]],
    ),
    "transpose": (lambda x: x.transpose([1, 0]), [M], ONE),
    "transpose of three": (lambda x: x.transpose([1, 0, 2]), [C], THREE),
    "reshape split": (lambda x: x.reshape([4, 2, 4]), [M], ONE),
    "reshape joined": (lambda x: x.reshape([8, 8]), [C], THREE),
    "flatten": (lambda x: x.flatten(), [M], ONE),
    "unsqueeze": (lambda x: x.unsqueeze(1), [M], ONE),
    "squeeze": (lambda x: x.squeeze(1), [array(4, 1, 8)], THREE),
    "split over columns": (lambda x: paddle.split(x, 2, 1)[0], [M], ONE),
    "split over rows": (lambda x: paddle.split(x, 2, 0)[0], [M], ONE),
    "concat over rows": (lambda x, y: paddle.concat([x, y], 0), [M, M], [[B, B], [B, R], [R, R], [P, P]]),
    "concat over columns": (lambda x, y: paddle.concat([x, y], 1), [M, M], [[A, A], [A, R], [R, A]]),
    "stack": (lambda x, y: paddle.stack([x, y], 0), [M, M], [[A, A], [A, R], [B, B], [P, P]]),
    "slice": (lambda x: x[1:3], [M], [[B], [R], [A]]),
    "slice of columns": (lambda x: x[:, 1:3], [M], [[A], [R], [B]]),
    "gather": (lambda x: paddle.gather(x, paddle.to_tensor([0, 2])), [M], [[B], [R], [A]]),
    "expand": (lambda x: x.expand([3, 4, 8]), [M], ONE),
    "expand_as": (paddle.expand_as, [array(1, 8), M], [[R, A], [R, B]]),
    "tile": (lambda x: x.tile([2, 1]), [M], [[B], [R]]),
    "where": (lambda x, y: paddle.where(x > y, x, y), [M, M[::-1].copy()], [[A, A], [A, R], [B, R]]),
    "clip": (lambda x: x.clip(-0.5, 0.5), [M], ONE),
    "pow": (lambda x: x.pow(2.0), [M], ONE),
    "cumsum": (lambda x: x.cumsum(0), [M], [[B], [R]]),
    "argmax": (lambda x: x.argmax(1), [M], [[A], [R]]),
    "topk": (lambda x: x.topk(2, 1)[0], [M], [[A], [R]]),
    "tril": (paddle.tril, [C], THREE),
    "one_hot": (lambda x: F.one_hot(x, 8), [IDS], [[A], [B], [R]]),
    "conv2d": (F.conv2d, [W4, array(4, 2, 3, 3)], [["S0", R], [R, R]]),
    "max_pool2d": (lambda x: F.max_pool2d(x, 2), [W4], [["S0"], [R]]),
    "dropout in inference": (lambda x: F.dropout(x, 0.5, training=False), [M], ONE),
    "max_pool2d of channels": (lambda x: F.max_pool2d(x, 2), [W4], [["S1"]]),
    "conv2d of channels": (F.conv2d, [W4, array(4, 2, 3, 3)], [[R, "S0"], ["S1", "S1"]]),
    "embedding of padding": (lambda i, w: F.embedding(i, w, padding_idx=2), [IDS, TABLE], [[R, A], [A, R]]),
    "cross entropy of one number": (F.cross_entropy, [M, CLASSES], [[A, A], [B, R]]),
    "nll_loss": (lambda x, y: F.nll_loss(x, y.flatten()), [M, CLASSES], [[A, A], [R, R]]),
    "l1_loss": (F.l1_loss, [M, M + 1], [[A, A]]),
    "smooth_l1_loss": (F.smooth_l1_loss, [M, M + 1], [[A, A]]),
    "kl_div": (F.kl_div, [M, M * M], [[A, A]]),
    "logits": (lambda x, y: F.binary_cross_entropy_with_logits(x, y), [M, M * M], [[A, A]]),
    "batch norm": (
        lambda x, w: F.batch_norm(x, paddle.zeros([2]), paddle.ones([2]), w, paddle.zeros([2]), training=True), [W4, array(2)],
        [["S0", R]],
    ),
    "interpolate": (lambda x: F.interpolate(x, scale_factor=2), [W4], [["S0"]]),
    "index_select": (lambda x: paddle.index_select(x, paddle.to_tensor([0, 2]), 1), [M], [[A], [R]]),
    "take_along_axis": (lambda x, i: paddle.take_along_axis(x, i, 1), [M, CLASSES], [[A, A]]),
    "gather_nd": (paddle.gather_nd, [V, CLASSES], [[R, A], [R, R]]),
    "scatter": (lambda x: paddle.scatter(x, paddle.to_tensor([0, 2]), paddle.ones([2, 8])), [M], [[B], [R]]),
    "norm": (lambda x: paddle.linalg.norm(x, axis=1), [M], [[A], [R]]),
    "stack last": (lambda x, y: paddle.stack([x, y], -1), [M, M], [[A, A]]),
    "roll": (lambda x: x.roll(1, 1), [M], [[A]]),
    "scaled attention": (lambda x: F.scaled_dot_product_attention(x, x, x), [W4], [["S0"], ["S1"], ["S2"], [R]]),
    "gelu": (F.gelu, [M], ONE),
    "silu": (F.silu, [M], ONE),
    "sigmoid": (F.sigmoid, [M], ONE),
    "assigned": (paddle.assign, [M], ONE),
    "square error": (F.square_error_cost, [M, M + 1], [[A, A], [A, R], [P, R]]),
    "mse_loss": (F.mse_loss, [M, M + 1], [[A, A], [A, R], [B, B]]),
    "attention": (
        lambda q, k, v: paddle.matmul(F.softmax(paddle.matmul(q, k, transpose_y=True)), v), [W4, W4, W4],
        [["S0"] * 3, ["S1"] * 3, [R] * 3],
    ),
    "first row": (lambda x: x[0], [M], ONE),
    "in place": (lambda x, y: x.detach().clone().add_(y), [M, M], [[A, A], [R, A], [A, R]]),
    "zeros_like": (paddle.zeros_like, [M], ONE),
    "greater": (lambda x: x > 0.0, [M], ONE),
}
PLANE = {  # on a 2 x 2 mesh
    "relu": (F.relu, [M], [[(A, B)], [(B, A)], [(A, R)], [(R, P)], [(A, P)]]),
    "matmul": (paddle.matmul, [M, N], [[(A, R), (R, B)], [(A, B), (R, A)], [(A, R), (A, B)], [(R, R), (R, B)], [(A, R), (R, R)]]),
    "add row": (paddle.add, [M, V], [[(A, B), (R, A)], [(A, R), (R, R)], [(A, P), (R, R)]]),
    "sum": (paddle.sum, [M], [[(A, B)], [(R, B)]]),
    "mean over rows": (lambda x: x.mean(0), [M], [[(A, B)], [(B, A)]]),
    "softmax": (lambda x: F.softmax(x, -1), [M], [[(A, R)], [(A, B)]]),
    "layer_norm": (lambda x, w, b: F.layer_norm(x, [8], w, b), [C, V, V], [[("S0", "S1"), (R, R), (R, R)]]),
    "embedding": (F.embedding, [IDS, TABLE], [[(A, R), (R, A)], [(A, R), (R, B)]]),
    "reshape split": (lambda x: x.reshape([4, 2, 4]), [M], [[(A, B)], [(R, B)]]),
    "transpose": (lambda x: x.transpose([1, 0]), [M], [[(A, B)]]),
}


def placement(word):
    """The placement of a word."""
    if word == "R":
        return dist.Replicate()
    return dist.Partial() if word == "P" else dist.Shard(int(word[1:]))


def laid(value, mesh, words):
    """An input: partial ones are whole in the first process."""
    words = words if isinstance(words, tuple) else (words,)
    made = dist.shard_tensor(paddle.to_tensor(value), mesh, [dist.Replicate() if word == "P" else placement(word) for word in words])
    if "P" in words and dist.get_rank() in mesh.process_ids:
        parted = [name for name, word in zip(mesh.dim_names, words) if word == "P"]
        first = all(mesh.get_rank_by_dim_and_process_id(name, dist.get_rank()) == 0 for name in parted)
        piece = made._local_value() * (1.0 if first else 0.0)
        made = dtensor_from_local(piece, mesh, [placement(word) for word in words])
    made = made.detach()
    made.stop_gradient = value.dtype.kind != "f"
    return made


def shown(tensor):
    """How a tensor lies, and which piece is here."""
    if tensor is None:
        return None
    return ["plain"] if not tensor.is_dist() else [str(one) for one in tensor.placements] + [list(tensor._local_value().shape)]


def asked(function, inputs, layout, mesh):
    """How the output and the gradients lie; None: refused."""
    given = [laid(value, mesh, words) for value, words in zip(inputs, layout)]
    try:
        out = function(*given)
    except Exception:
        return {"out": "refused"}
    found = {"out": shown(out)}
    if not out.stop_gradient:
        try:
            out.backward()
            found["grads"] = [shown(value.grad) for value in given]
        except Exception:
            found["grads"] = "refused"
    return found


def kept(found, path):
    """Write what is known: before a question, too, as some end the wheel, which is started anew then."""
    with open(path, "w") as file:
        json.dump(found, file)


def main():
    warnings.simplefilter("ignore")
    dist.init_parallel_env()
    path = "%s/%d.json" % (sys.argv[1], dist.get_rank())
    found = {}
    if os.path.exists(path):
        with open(path) as file:
            found = json.load(file)
    tables = [(CASES, dist.ProcessMesh([0, 1], dim_names=["x"]))]
    if dist.get_world_size() == 4:
        tables = tables[:ALL] + [(PLANE, dist.ProcessMesh([[0, 1], [2, 3]], dim_names=["x", "y"]))]
    for table, mesh in tables:
        for name, (function, inputs, layouts) in table.items():
            for layout in layouts:
                words = " ".join("".join(each) for each in layout)
                key = name + ": " + words
                if key not in found:
                    if ENDS:
                        found[key] = {"out": "refused"}
                        kept(found, path)
                    found[key] = asked(function, inputs, layout, mesh)
    kept(found, path)


if __name__ == "__main__":
    main()
