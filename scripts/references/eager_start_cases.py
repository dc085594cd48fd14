"""How parameters start, `ParamAttr`, `nn.utils` and the gradient clips in eager mode; eager_starts_2.6.2.json is {case: answer}."""

# functions made in loops are called in the same turn

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from eager_answers import Case, answer, refused
from nn_cases import normal

WHEELS = ("2.6.2",)
SHAPES = ([4, 6], [5], [3, 2, 3, 3], [2, 3, 2])
CASES: dict[str, Case] = {}
INITIALIZERS: dict[str, Callable[[Any], Any]] = {
    "constant": lambda init: init.Constant(1.5),
    "uniform": lambda init: init.Uniform(-2.0, 3.0),
    "normal": lambda init: init.Normal(1.0, 2.0),
    "truncated_normal": lambda init: init.TruncatedNormal(1.0, 2.0),
    "xavier_uniform": lambda init: init.XavierUniform(),
    "xavier_uniform_fans": lambda init: init.XavierUniform(3.0, 5.0),
    "xavier_normal": lambda init: init.XavierNormal(),
    "kaiming_uniform": lambda init: init.KaimingUniform(),
    "kaiming_uniform_leaky": lambda init: init.KaimingUniform(negative_slope=0.2, nonlinearity="leaky_relu"),
    "kaiming_normal": lambda init: init.KaimingNormal(fan_in=7.0),
}


def case(function: Case) -> Case:
    """Note a case under its name."""
    CASES[function.__name__] = function
    return function


def started(make: Callable[[Any], Any]) -> Case:
    """An initializer on parameters of several shapes and both widths, drawing on in one row."""

    def run(paddle: Any) -> Any:
        start = make(paddle.nn.initializer)
        return [paddle.create_parameter(shape, kind, default_initializer=start) for kind in ("float32", "float64") for shape in SHAPES]

    return run


CASES.update({name: started(make) for name, make in INITIALIZERS.items()})


@case
def fixed_initializers(paddle: Any) -> Any:
    init = paddle.nn.initializer

    def made(shape: Any, start: Any) -> Any:
        return paddle.create_parameter(shape, "float32", default_initializer=start)

    return [
        made([2, 3], init.Assign(normal(2, 3))),
        made([3], init.Assign([1.0, 2.0, 3.0])),
        made([2], init.Assign(paddle.to_tensor([4.0, 5.0]))),
        made([2, 2, 4, 4], init.Bilinear()),
        made([4, 2, 3], init.Dirac()),
        made([4, 2, 3, 3], init.Dirac(groups=2)),
        refused(lambda: made([3], init.Dirac())),
        refused(lambda: made([2, 2], init.Bilinear())),
    ]


@case
def orthogonal(paddle: Any) -> Any:
    found = []
    for shape in ([4, 6], [6, 4], [2, 3, 2]):
        weight = paddle.create_parameter(shape, "float32", default_initializer=paddle.nn.initializer.Orthogonal(2.0)).numpy()
        rows = weight.reshape(shape[0], -1)
        small = rows @ rows.T if rows.shape[0] <= rows.shape[1] else rows.T @ rows
        found.append(np.round(small, 4) + 0.0)
    return [found, refused(lambda: paddle.create_parameter([3], "float32", default_initializer=paddle.nn.initializer.Orthogonal()))]


@case
def initializers_on_tensors(paddle: Any) -> Any:
    x, layer = paddle.zeros([2, 3]), paddle.nn.Linear(2, 3)
    paddle.nn.initializer.Constant(2.0)(x)
    paddle.nn.initializer.XavierNormal()(layer.weight)
    return [x, layer.weight, layer.weight.stop_gradient]


@case
def defaults_of_layers(paddle: Any) -> Any:
    nn = paddle.nn
    layers = [
        nn.Linear(4, 3), nn.Conv2D(2, 3, 3), nn.Conv1DTranspose(2, 3, 3), nn.Embedding(5, 3, padding_idx=1), nn.LayerNorm(4), nn.PReLU(3),
        nn.GRUCell(2, 3), nn.Bilinear(2, 3, 2), nn.BatchNorm1D(3), nn.SpectralNorm([2, 3]), nn.MultiHeadAttention(4, 2),
        nn.HSigmoidLoss(3, 4),
    ]  # fmt: skip
    return [[p.name, p, p.stop_gradient] for layer in layers for p in layer.parameters()]


@case
def global_initializers(paddle: Any) -> Any:
    init = paddle.nn.initializer
    init.set_global_initializer(init.Constant(0.5), init.Constant(0.25))
    try:
        given = paddle.nn.Linear(2, 2, weight_attr=init.Constant(9.0))
        layer = paddle.nn.Linear(2, 2)
        found = [layer.weight, layer.bias, given.weight, given.bias, paddle.nn.Embedding(2, 2).weight]
    finally:
        init.set_global_initializer(None)
    return [*found, paddle.nn.Linear(2, 2).bias]


@case
def gains(paddle: Any) -> Any:
    gain = paddle.nn.initializer.calculate_gain
    names = ("sigmoid", "linear", "conv1d", "conv2d", "conv3d", "conv1d_transpose", "tanh", "relu", "leaky_relu", "selu")
    return [[gain(n) for n in names], gain("leaky_relu", 0.3), refused(lambda: gain("gelu")), refused(lambda: gain(None))]


@case
def attributes(paddle: Any) -> Any:
    attr = paddle.ParamAttr("w", paddle.nn.initializer.Constant(1.0), 0.5, paddle.regularizer.L1Decay(0.1), False, True, False)
    weight = paddle.nn.Linear(2, 2, weight_attr=attr, bias_attr=False).weight
    calls = [
        lambda: paddle.nn.Linear(2, 2, weight_attr=3),
        lambda: paddle.nn.Linear(2, 2, weight_attr=attr),
    ]
    fields = [
        weight.name,
        weight.trainable,
        weight.stop_gradient,
        weight.optimize_attr,
        weight.need_clip,
        type(weight.regularizer).__name__,
    ]
    return [fields, [refused(c) for c in calls], paddle.nn.Linear(2, 2, weight_attr="mine").weight.name]


# ---- nn.utils
@case
def vectors(paddle: Any) -> Any:
    utils, layer, other = paddle.nn.utils, paddle.nn.Linear(2, 3), paddle.nn.Linear(2, 3)
    vector = utils.parameters_to_vector(layer.parameters())
    out = utils.vector_to_parameters(vector, other.parameters())
    return [
        vector,
        out,
        other.weight,
        other.bias,
        vector.stop_gradient,
        refused(lambda: utils.vector_to_parameters(vector[:3], other.parameters())),
    ]


def with_gradients(paddle: Any) -> Any:
    """A layer that a backward pass has run through."""
    layer = paddle.nn.Linear(3, 2)
    paddle.autograd.backward([(layer(paddle.to_tensor(normal(4, 3))) ** 2).sum()])
    return layer


@case
def gradients_clipped_by_norm(paddle: Any) -> Any:
    found = []
    for kind in (2.0, 1.0, float("inf"), 0):
        layer = with_gradients(paddle)
        total = paddle.nn.utils.clip_grad_norm_(layer.parameters(), 0.7, kind)
        found.append([total, layer.weight.grad, layer.bias.grad])
    layer = with_gradients(paddle)
    one = paddle.nn.utils.clip_grad_norm_(layer.weight, 100.0)
    empty = paddle.nn.utils.clip_grad_norm_(paddle.nn.Linear(1, 1).parameters(), 1.0)
    wrong = [
        refused(lambda: paddle.nn.utils.clip_grad_norm_(layer.parameters(), 1.0, 7.5)),
        refused(lambda: paddle.nn.utils.clip_grad_norm_(3, 1.0)),
    ]
    return [found, one, layer.weight.grad, empty, wrong]


@case
def gradients_clipped_by_value(paddle: Any) -> Any:
    layer = with_gradients(paddle)
    out = paddle.nn.utils.clip_grad_value_(layer.parameters(), 0.5)
    return [out, layer.weight.grad, layer.bias.grad]


@case
def weights_split(paddle: Any) -> Any:
    nn, found = paddle.nn, []
    x = paddle.to_tensor(normal(2, 3))
    for dim in (0, 1, None, -1):
        layer = nn.utils.weight_norm(nn.Linear(3, 2), dim=dim)
        out = layer(x)
        paddle.autograd.backward([(out**2).sum()])
        found.append([[n for n, _ in layer.named_parameters()], out, layer.weight_g, layer.weight_v.grad, layer.weight_g.grad])
        nn.utils.remove_weight_norm(layer)
        found[-1] += [[n for n, _ in layer.named_parameters()], layer(x)]
    return found


@case
def weights_of_one_spectrum(paddle: Any) -> Any:
    nn = paddle.nn
    layer = nn.utils.spectral_norm(nn.Linear(3, 2), n_power_iterations=2)
    x = paddle.to_tensor(normal(2, 3))
    found = [layer(x) for _ in range(2)]
    layer.eval()
    found.append(layer(x))
    paddle.autograd.backward([(found[-1] ** 2).sum()])
    names = [[n for n, _ in layer.named_parameters()], [n for n, _ in layer.named_buffers()]]
    conv = nn.utils.spectral_norm(nn.Conv2DTranspose(2, 3, 2))
    return [
        found,
        names,
        layer.weight_orig.grad,
        conv(paddle.ones([1, 2, 3, 3])),
        refused(lambda: nn.utils.spectral_norm(nn.Linear(1, 1), n_power_iterations=0)),
    ]


# ---- clips
def clipped(make: Callable[[Any], Any]) -> Case:
    """What a clip gives for (parameter, gradient) pairs, one of them not to be clipped and one without gradient."""

    def run(paddle: Any) -> Any:
        attrs = [None, paddle.ParamAttr(need_clip=False), None]
        parameters = [paddle.create_parameter([2, 2], "float32", attr=attr) for attr in attrs]
        grads = [paddle.to_tensor(normal(2, 2)), paddle.to_tensor(normal(2, 2, seed=1)), None]
        clip = make(paddle.nn)
        return [str(clip), [g for _, g in clip(list(zip(parameters, grads)))], grads[0]]

    return run


CASES["clip_by_value"] = clipped(lambda nn: nn.ClipGradByValue(0.5))
CASES["clip_by_two_values"] = clipped(lambda nn: nn.ClipGradByValue(0.5, -0.1))
CASES["clip_by_norm"] = clipped(lambda nn: nn.ClipGradByNorm(0.5))
CASES["clip_by_global_norm"] = clipped(lambda nn: nn.ClipGradByGlobalNorm(0.5))
CASES["clip_by_large_global_norm"] = clipped(lambda nn: nn.ClipGradByGlobalNorm(50.0))


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The one file."""
    return {f"eager_starts_{version}.json.gz": record}


def record() -> dict[str, Any]:
    """What the wheel answers."""
    import paddle

    return {name: answer(paddle, function) for name, function in CASES.items()}
