"""Weights of which some of every few are zero, `paddle.incubate.asp`; eager_asp_2.6.2.json.gz is {case: answer}."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from eager_answers import Case, answer, refused

WHEELS = ("2.6.2",)
CASES: dict[str, Case] = {}


def case(function: Case) -> Case:
    """Note a case under its name; masks are remembered for the default Program, so each has its own."""

    def alone(paddle: Any) -> Any:
        with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
            return function(paddle)

    CASES[function.__name__] = alone
    return function


@case
def masks(paddle: Any) -> Any:
    from paddle.incubate.asp import utils  # type: ignore[import-not-found]

    draw, found = np.random.RandomState(2), []
    for shape in ((8,), (3, 8), (5, 7), (2, 4, 8), (6, 4, 3, 3), (5, 6, 2, 2)):
        weight = draw.randn(*shape).astype("float32")
        for kind in utils.MaskAlgo:
            mask = utils.create_mask(weight, kind, 2, 4)
            check = utils.CheckMethod.get_checking_method(kind)
            found.append([kind.name, check.name, mask.astype(int), str(mask.dtype), utils.check_sparsity(weight * mask, check, 2, 4)])
    for n, m, columns in ((1, 2, 6), (1, 3, 9), (3, 4, 8)):
        weight = draw.randn(4 if m != 3 else 3, columns)
        found.append([f(weight, n, m).astype(int) for f in (utils.get_mask_1d, utils.get_mask_2d_greedy, utils.get_mask_2d_best)])
    return found


@case
def checks(paddle: Any) -> Any:
    from paddle.incubate import asp
    from paddle.incubate.asp import utils

    x = np.array([[1.0, 5, -7, 2, 0.5], [9, 0, 3, -4, 1], [2, 2, 2, 2, 2], [-1, 8, 8, -3, 0]], "float32")
    one = [utils.check_mask_1d(a, 2, 4) for a in (x, x * 0, np.array([[0, 1, 3, 0]]), np.array([[0, 1, 3, 1, 0]]))]
    two = [utils.check_mask_2d(a, 2, 4) for a in (x, x * 0, np.eye(4), utils.get_mask_1d(x, 2, 4), utils.get_mask_2d_best(x, 2, 4))]
    wrong = [
        refused(lambda: utils.create_mask(x, "no")), refused(lambda: utils.check_sparsity(x, "no")),
        refused(lambda: utils.create_mask(np.ones((1, 2, 2, 4, 4)))),
    ]  # fmt: skip
    return [one, two, wrong, asp.calculate_density(x), len(utils._compute_valid_2d_patterns(2, 4))]


def network(paddle: Any) -> Any:
    """Some layers."""
    nn = paddle.nn

    class Net(nn.Layer):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.conv, self.small = nn.Conv2D(4, 8, 3), nn.Conv2D(3, 4, 1)
            self.first, self.second, self.table = nn.Linear(8, 10), nn.Linear(10, 12), nn.Embedding(4, 8)

        def forward(self, x: Any) -> Any:
            return self.second(paddle.tanh(self.first(paddle.mean(self.conv(self.small(x)), axis=[2, 3]))))

    return Net()


def densities(paddle: Any, net: Any) -> list[Any]:
    """What shares of parameters are not zero."""
    return [[n, p.name, paddle.incubate.asp.calculate_density(p.numpy()), p.stop_gradient] for n, p in net.named_parameters()]


@case
def pruned_networks(paddle: Any) -> Any:
    asp, found = paddle.incubate.asp, []
    for algorithm in ("mask_1d", "mask_2d_greedy", "mask_2d_best"):
        net = network(paddle)
        optimizer = asp.decorate(paddle.optimizer.Momentum(0.1, parameters=net.parameters()))
        made = asp.prune_model(net, mask_algo=algorithm)
        found.append([sorted(made), [mask.sum() for _, mask in sorted(made.items())], densities(paddle, net)])
        x = paddle.to_tensor(np.random.RandomState(0).randn(2, 3, 6, 6).astype("float32"))
        for step in range(3):
            loss = (net(x) ** 2).mean()
            loss.backward()
            optimizer.minimize(loss) if step == 2 else optimizer.step()
            optimizer.clear_grad()
            found.append(float(loss))
        found.append([densities(paddle, net), [p.sum() for p in net.parameters()], optimizer.get_lr(), type(optimizer).__name__])
    return found


@case
def left_as_they_are(paddle: Any) -> Any:
    asp, net = paddle.incubate.asp, network(paddle)
    undecorated = refused(lambda: asp.prune_model(net))
    asp.decorate(paddle.optimizer.SGD(0.1, parameters=net.parameters()))
    asp.set_excluded_layers([net.first.full_name()])
    asp.set_excluded_layers(param_names=[net.conv.weight.name])
    found = [sorted(asp.prune_model(net)), densities(paddle, net)]
    asp.reset_excluded_layers()
    found += [sorted(asp.prune_model(net, with_mask=False, n=1, m=2)), densities(paddle, net)]
    wrong = [
        refused(lambda: asp.prune_model(net, mask_algo="no")), refused(lambda: asp.prune_model(3)),
        refused(lambda: asp.prune_model(net, n=5, m=4)),
    ]  # fmt: skip
    return [undecorated, found, wrong]


@case
def states(paddle: Any) -> Any:
    asp, net = paddle.incubate.asp, paddle.nn.Linear(8, 8)
    optimizer = asp.decorate(paddle.optimizer.Adam(0.1, parameters=net.parameters()))
    asp.prune_model(net)
    net(paddle.ones([1, 8])).sum().backward()
    optimizer.step()
    state = optimizer.state_dict()
    mask = net.weight.name + ".asp_mask"
    before = [mask in state, state[mask].name, state[mask].sum(), state[mask].stop_gradient]
    state[mask] = paddle.zeros([8, 8])
    optimizer.set_state_dict(state)
    optimizer.set_lr(0.5)
    return [before, optimizer.state_dict()[mask].sum(), optimizer.get_lr()]


@case
def further_layers(paddle: Any) -> Any:
    asp, called = paddle.incubate.asp, []

    def prune(weight: Any, m: int, n: int, kind: Any, name: str) -> Any:
        called.append([list(weight.shape), m, n, kind.name, name])
        return weight * 0, weight * 0

    asp.add_supported_layer(paddle.nn.Embedding, prune)
    asp.add_supported_layer("named_by_hand")
    asp.add_supported_layer(paddle.nn.Bilinear(2, 2, 2))
    net = network(paddle)
    asp.decorate(paddle.optimizer.SGD(0.1, parameters=net.parameters()))
    asp.prune_model(net)
    helper, program = asp.ASPHelper, paddle.static.default_main_program()
    names = (
        "linear_0.w_0 linear.w_0 linear_0.b_0 my_fc.w_0 my_fc_0.w_0 fc_3.w_12 conv2d_transpose_0.w_0 conv2d_0.weight w_0 linear_w_0 "
        "linear_0.w_0.asp_mask fc linear_0.w_0_deepcopy_3 named_by_hand.w_0 named_by_hand_1.w_0 named_by_hand_1.b_0 bilinear_2.w_0"
    ).split()
    known = [helper._is_supported_layer(program, name) for name in names]
    asp.set_excluded_layers(["linear_1", "fc_3"])
    known += [helper._is_supported_layer(program, name) for name in (*names, "linear_10.w_0")]
    asp.reset_excluded_layers(program)
    from paddle.incubate.asp.supported_layer_list import supported_layers_and_prune_func_map as table  # type: ignore[import-not-found]

    for name in ("embedding", "named_by_hand", "bilinear"):
        del table[name]
    return [called, densities(paddle, net), known, helper._get_mask_name("x")]


@case
def programs(paddle: Any) -> Any:
    asp, static = paddle.incubate.asp, paddle.static
    paddle.enable_static()
    try:
        main, startup = static.Program(), static.Program()
        main.random_seed = startup.random_seed = 3
        with static.program_guard(main, startup), static.scope_guard(static.Scope()):
            image, label = static.data("img", [None, 4, 8, 8]), static.data("lab", [None, 1], "int64")
            hidden = static.nn.fc(static.nn.conv2d(image, 8, 3, act="relu"), 32, activation="relu", name="own")
            loss = paddle.mean(paddle.nn.functional.cross_entropy(static.nn.fc(hidden, 10), label))
            asp.decorate(paddle.optimizer.SGD(0.1)).minimize(loss, startup)
            operators = [op.type for op in main.global_block().ops], [op.type for op in startup.global_block().ops]
            masking = [[op.input_arg_names, op.output_arg_names, op.attr("op_role")] for op in main.global_block().ops[-2:]]
            run = static.Executor()
            run.run(startup)
            asp.set_excluded_layers(["own"], main)
            made = asp.prune_model(main)
            draw = np.random.RandomState(0)
            feed = {"img": draw.randn(6, 4, 8, 8).astype("float32"), "lab": np.arange(6).reshape(6, 1)}
            losses = [run.run(main, feed=feed, fetch_list=[loss])[0] for _ in range(3)]
            scope = static.global_scope()
            left = [[p.name, asp.calculate_density(np.array(scope.find_var(p.name).get_tensor()))] for p in main.all_parameters()]
    finally:
        paddle.disable_static()
    return [operators, masking, sorted(made), [np.asarray(v) for v in losses], sorted(left)]


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The one file."""
    return {f"eager_asp_{version}.json.gz": record}


def record() -> dict[str, Any]:
    """What the wheel answers."""
    import paddle

    return {name: answer(paddle, function) for name, function in CASES.items()}
