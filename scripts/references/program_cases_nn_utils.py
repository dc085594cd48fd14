"""`paddle.nn.utils` in static mode."""

from __future__ import annotations

from typing import Any, Callable

from nn_cases import normal

Case = Callable[[Any], Any]


def split(make: Any, array: Any, dim: Any, remove: bool = False, calls: int = 1) -> Case:
    """A layer whose weight is split, and perhaps put together again."""

    def case(paddle: Any) -> Any:
        layer = paddle.nn.utils.weight_norm(make(paddle.nn), dim=dim)
        names = [name for name, _ in layer.named_parameters()]
        if remove:
            names.append(paddle.nn.utils.remove_weight_norm(layer) is layer)
            names += [name for name, _ in layer.named_parameters()]
        x = paddle.static.data("x", [None, *array.shape[1:]])
        out = x
        for _ in range(calls):
            out = layer(out)
        loss = paddle.mean(out * out)
        weights = layer.parameters()
        return {"x": array}, [out, *paddle.static.gradients([loss], weights)], {"names": names}

    return case


FLAT, IMAGE = normal(2, 4), normal(2, 3, 4, 4)

CASES: dict[str, Case] = {
    "last": split(lambda nn: nn.Linear(4, 3), FLAT, 1),
    "first": split(lambda nn: nn.Linear(4, 3), FLAT, 0),
    "negative": split(lambda nn: nn.Linear(4, 4), FLAT, -1, calls=2),
    "last_but_one": split(lambda nn: nn.Linear(4, 4), FLAT, -2),
    "all": split(lambda nn: nn.Linear(4, 3), FLAT, None),
    "image_first": split(lambda nn: nn.Conv2D(3, 2, 3), IMAGE, 0),
    "image_middle": split(lambda nn: nn.Conv2D(3, 2, 3), IMAGE, 1),
    "image_last": split(lambda nn: nn.Conv2D(3, 2, 3), IMAGE, 3),
    "removed": split(lambda nn: nn.Linear(4, 3), FLAT, 1, remove=True),
}
