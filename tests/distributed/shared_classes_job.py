"""One process of the job of `test_shared_classes.py`: classes that two processes share out unevenly, beside one process that has all."""

import json
import sys

import numpy as np
import paddle
import paddle.distributed as dist
from paddle.nn import functional as F

MARGINS = ((1.0, 0.5, 0.0, 64.0), (1.35, 0.0, 0.0, 64.0), (1.0, 0.0, 0.35, 64.0), (0.9, 0.4, 0.15, 10.0))
COUNTS = (3, 5)


def cosines():
    drawn = np.random.RandomState(0)
    x, w = drawn.rand(6, 4), drawn.rand(4, 8)
    return (x / np.linalg.norm(x, axis=1, keepdims=True)) @ (w / np.linalg.norm(w, axis=0, keepdims=True)), drawn.randint(0, 8, 6)


def loss(logits, label, margins, reduction, group):
    """The loss, the softmax and the gradient."""
    names = ("margin1", "margin2", "margin3", "scale")
    given = paddle.to_tensor(logits, stop_gradient=False)
    settings = dict(zip(names, margins), reduction=reduction, group=group, return_softmax=True)
    made, softmax = F.margin_cross_entropy(given, paddle.to_tensor(label), **settings)
    (made * (1.0 + paddle.arange(made.numel(), dtype="float64").reshape(made.shape))).sum().backward()
    return made.numpy(), softmax.numpy(), given.grad.numpy()


def losses(rank, everyone):
    """The largest difference from what one process has."""
    logits, label = cosines()
    own, largest = slice(COUNTS[0], None) if rank else slice(COUNTS[0]), 0.0
    for margins in MARGINS:
        for reduction in ("mean", "sum", None):
            whole = loss(logits, label, margins, reduction, False)
            for group in (None, everyone):
                made, softmax, grad = loss(logits[:, own], label, margins, reduction, group)
                pairs = ((made, whole[0]), (softmax, whole[1][:, own]), (grad, whole[2][:, own]))
                assert all(one.shape == other.shape for one, other in pairs)
                largest = max(largest, *(float(np.abs(one - other).max()) for one, other in pairs))
    return largest


def centers(rank, wanted):
    """How many classes each process gets, and what the labels' places among them are."""
    label, classes = np.array([1, 5, 13, 1, 19, 7, 0, 14]), (10, 12)
    places, found = F.class_center_sample(paddle.to_tensor(label), classes[rank], wanted)
    of_all = []
    dist.all_gather_object(of_all, found.tolist())
    assert all(len(set(own)) == len(own) and max(own) < count for own, count in zip(of_all, classes))
    numbers = [*of_all[0], *(10 + number for number in of_all[1])]
    return [[len(own) for own in of_all], [numbers[place] for place in places.tolist()] == label.tolist(), str(places.dtype)]


def said(call):
    try:
        return call()
    except Exception as error:
        return [each.__name__ for each in type(error).__mro__]


def main():
    dist.init_parallel_env()
    rank, everyone, one = dist.get_rank(), dist.new_group([0, 1]), dist.new_group([0])
    logits, label = (paddle.to_tensor(each) for each in cosines())
    found = {"losses": losses(rank, everyone), "centers": {wanted: centers(rank, wanted) for wanted in (2, 4, 7)}}
    found["outside"] = [F.margin_cross_entropy(logits, label, group=one), F.class_center_sample(label, 8, 2, group=one)]
    found["wrong"] = [
        said(lambda: F.margin_cross_entropy(logits, label, group=3)),
        said(lambda: F.class_center_sample(label, 8, 2, group=True)),
    ]
    with open(f"{sys.argv[1]}/{rank}", "w") as file:
        json.dump(found, file)


main()
