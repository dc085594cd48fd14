"""What `paddle.DataParallel` of Paddle 2.6.2 gives two CPU processes that meet by gloo.

data_parallel_2.6.2.json: {question: [what rank 0 gets, what rank 1 gets]}.

Run as a script, it is one of the processes: it answers all questions into the file that its argument and its rank name.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import warnings
from typing import Any, Callable, Dict, List

import numpy as np

WHEELS = ("2.6.2",)


def net(paddle: Any) -> Any:
    """Three layers of one number each, the last of which is used on request, and a frozen parameter."""
    nn = paddle.nn

    class Net(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.a, self.b, self.spare = nn.Linear(1, 1), nn.Linear(1, 1), nn.Linear(1, 1)
            self.frozen = self.create_parameter([1])
            self.frozen.stop_gradient = True

        def forward(self, x: Any, spare: bool = False, inside: Any = None) -> Any:
            out = self.b(self.a(x))
            out = self.spare(out) if spare else out
            return out if inside is None else {"out": [out, inside]}

    made = Net()
    for parameter in made.parameters():
        parameter.set_value(paddle.ones_like(parameter))
    return made


def gradients(layer: Any) -> List[Any]:
    """Of each parameter; None where there is none."""
    return [None if p.grad is None else p.grad.numpy().ravel().tolist() for p in layer.parameters()]


def passes(paddle: Any, rank: int, ask: Callable[[str, Callable[[], Any]], None]) -> None:
    """What backward passes leave."""
    x = paddle.to_tensor(np.full((2, 1), rank + 1.0, "float32"))

    def question(name: str, steps: Callable[[Any, Any], Any], **settings: Any) -> None:
        layer = net(paddle)
        model = paddle.DataParallel(layer, **settings)

        def answer() -> Any:
            more = steps(model, layer)
            return gradients(layer) if more is None else [gradients(layer), more]

        ask(name, answer)

    def twice(model: Any, layer: Any) -> Any:
        out = model(x, True)
        out.mean().backward(retain_graph=True)
        first = gradients(layer)
        (out * out).mean().backward()
        return first

    def apart(model: Any, layer: Any) -> Any:
        with model.no_sync():
            model(x, True).mean().backward()
        own = gradients(layer)
        model(x, True).mean().backward()
        return own

    def cleared(model: Any, layer: Any) -> None:
        model(x, True).mean().backward()
        layer.clear_gradients()
        model(2 * x, True).mean().backward()

    def own(turn: Any, *layers: Any) -> Callable[[Any, Any], Any]:
        def steps(model: Any, layer: Any) -> None:
            with model.no_sync():
                model(x, turn).mean().backward()
            model(2 * x, *layers).mean().backward()

        return steps

    def frozen(model: Any, layer: Any) -> Any:
        layer.a.weight.stop_gradient = True
        model(x).mean().backward()
        still = gradients(layer)
        layer.a.weight.stop_gradient = False
        model(x).mean().backward()
        return still

    def asked(model: Any, layer: Any) -> Any:
        found = paddle.grad(model(x, True).mean(), [p for p in layer.parameters() if not p.stop_gradient])
        return [g.tolist() for g in found]

    question("a pass", lambda model, layer: model(x, True).mean().backward())
    question("an unused layer", lambda model, layer: model(x).mean().backward())
    question("an unused layer, looked for", lambda model, layer: model(x).mean().backward(), find_unused_parameters=True)
    question("used by rank 1", lambda model, layer: model(x, rank == 1).mean().backward(), find_unused_parameters=True)
    question("two passes", lambda model, layer: [model(x, True).mean().backward() for _ in range(2)] and None)
    question("two passes with a clearing between", cleared)
    question("twice through one graph", twice)
    question("two calls, one pass", lambda model, layer: (model(x, True).mean() + model(2 * x, True).mean()).backward())
    question("past the wrapper", lambda model, layer: layer(x, True).mean().backward())
    question("without synchronizing, then with", apart)
    unused = {"find_unused_parameters": True}
    question("used without synchronizing, then not", own(True), **unused)
    question("used by rank 1 without synchronizing, then not", own(rank == 1), **unused)
    question("frozen, then thawed", frozen, **unused)
    question("asked for by grad", asked)
    question("a dict", lambda model, layer: model(x, True, x)["out"][0].mean().backward(), find_unused_parameters=True)
    little = {"comm_buffer_size": 0.000001, "last_comm_buffer_size": 0.000001}
    question("little buffers", lambda model, layer: model(x, True).mean().backward(), **little)
    question("a group", lambda model, layer: model(x, True).mean().backward(), group=paddle.distributed.new_group([0, 1]))


def training(paddle: Any, rank: int, ask: Callable[[str, Callable[[], Any]], None]) -> None:
    """Losses of this rank while whole models train."""
    nn, rows = paddle.nn, np.random.RandomState(rank)

    def filled(layer: Any) -> Any:
        numbers = np.random.RandomState(7)
        for parameter in layer.parameters():
            parameter.set_value((numbers.rand(*parameter.shape) - 0.5).astype("float32") * (1.0 if rank == 0 else 3.0))
        return layer

    def losses(layer: Any, optimizer: Callable[[Any], Any], batch: Callable[[], Any], loss: Callable[[Any, Any], Any]) -> List[float]:
        model = paddle.DataParallel(filled(layer))
        updates = optimizer(model.parameters())
        found = []
        for _ in range(6):
            given, wanted = (paddle.to_tensor(each) for each in batch())
            value = loss(model(given), wanted)
            value.backward()
            updates.step()
            updates.clear_grad()
            found.append(float(value))
        return found

    def images() -> Any:
        return rows.rand(4, 1, 8, 8).astype("float32"), rows.randint(0, 3, [4])

    def words() -> Any:
        return rows.randint(0, 9, [4, 5]), rows.rand(4, 2).astype("float32")

    def dense() -> Any:  # a new one for each wrapper, as their hooks stay
        return nn.Sequential(nn.Flatten(), nn.Linear(64, 16), nn.Tanh(), nn.Linear(16, 3))

    conv = nn.Sequential(nn.Conv2D(1, 4, 3), nn.BatchNorm2D(4), nn.ReLU(), nn.Flatten(), nn.Linear(144, 3))
    rated = paddle.optimizer.lr.StepDecay(0.1, 2)
    ask("dense, Adam", lambda: losses(dense(), lambda p: paddle.optimizer.Adam(0.01, parameters=p), images, nn.CrossEntropyLoss()))
    ask("dense, Momentum", lambda: losses(dense(), lambda p: paddle.optimizer.Momentum(rated, parameters=p), images, nn.CrossEntropyLoss()))
    ask("convolutions", lambda: losses(conv, lambda p: paddle.optimizer.SGD(0.1, parameters=p), images, nn.CrossEntropyLoss()))
    ask("running statistics", lambda: [b.numpy().tolist() for b in conv.buffers()])
    for kept in (False, True):
        table = nn.Sequential(nn.Embedding(9, 4, sparse=kept), nn.Flatten(), nn.Linear(20, 2))
        ask("a table, %s" % kept, lambda t=table: losses(t, lambda p: paddle.optimizer.SGD(0.5, parameters=p), words, nn.MSELoss()))
    clip = {"grad_clip": nn.ClipGradByGlobalNorm(0.1)}
    ask("clipped", lambda: losses(dense(), lambda p: paddle.optimizer.SGD(0.5, parameters=p, **clip), images, nn.CrossEntropyLoss()))


def wrappers(paddle: Any, rank: int, ask: Callable[[str, Callable[[], Any]], None]) -> None:
    """What the wrapper is."""
    nn = paddle.nn

    def raised(name: str, call: Callable[[], Any]) -> None:
        def answer() -> str:
            try:
                call()
            except (AssertionError, AttributeError) as error:
                return "AssertionError" if isinstance(error, AssertionError) else "AttributeError"
            return "nothing"

        ask(name, answer)

    layer = net(paddle)
    model = paddle.DataParallel(layer)
    ask("names", lambda: [name for name, _ in model.named_parameters()])
    ask("sublayers", lambda: [name for name, _ in model.named_sublayers()])
    ask("state", lambda: list(model.state_dict()))
    ask("state, prefixed", lambda: sorted(model.state_dict(structured_name_prefix="p.")))
    ask("set", lambda: [model.set_state_dict(model.state_dict()), model.set_dict(model.state_dict()), model.load_dict(model.state_dict())])
    ask("scaled", lambda: model.scale_loss(paddle.to_tensor(2.0)).item())
    ask("applied", lambda: model.apply_collective_grads())
    ask("synchronizes", lambda: model.grad_need_sync)
    ask("text", lambda: repr(paddle.DataParallel(nn.Linear(1, 1))))
    ask("no gradients", lambda: _without(paddle, model))
    ask("mode", lambda: [model.eval() and None, layer.training, model.train() and None, layer.training])  # Paddle 3 returns the model
    statistics = nn.BatchNorm1D(1)
    statistics._mean.set_value(paddle.to_tensor([rank + 5.0]))
    wrapped = paddle.DataParallel(statistics)
    ask("buffers", lambda: statistics._mean.item())
    ask("running", lambda: [wrapped(paddle.to_tensor([[rank + 1.0], [2.0]])) is None, round(statistics._mean.item(), 5)])
    frozen = nn.Linear(1, 1)
    frozen.weight.stop_gradient = frozen.bias.stop_gradient = True
    raised("nothing to train", lambda: paddle.DataParallel(nn.ReLU()))
    raised("all frozen", lambda: paddle.DataParallel(frozen))
    raised("no group", lambda: paddle.DataParallel(nn.Linear(1, 1), group=3))
    raised("no layer", lambda: paddle.DataParallel(3))
    raised("no attribute", lambda: model.a)


SIZES = {  # elements and data types of Tensors, whose gradients are sparse, bytes, numbers
    "one limit": ([(100,), (200,), (100,), (50,)], [], [400]),
    "two limits": ([(50,), (200,), (100,), (50,)], [], [400, 800]),
    "two kinds": ([(50,), (50, "float64"), (100,), (50, "float64")], [], [400, 800]),
    "sparse ones": ([(50,), (50,), (50,)], [0, 2], [200]),
    "numbered": ([(50,), (50,), (50,), (50,)], [], [300], [3, 1, 0, 2]),
    "numbered, sparse": ([(50,), (50,), (50,)], [0], [1000], [2, 1, 0]),
    "the last limit": ([(50,)] * 5, [], [200, 400]),
    "nothing": ([], [], [10]),
}


def parts(paddle: Any, rank: int, ask: Callable[[str, Callable[[], Any]], None]) -> None:
    """What it is made of, as harnesses ask for it."""
    grouped = paddle.base.core.eager_assign_group_by_size
    for name, (tensors, sparse, limits, *numbers) in SIZES.items():
        given = [paddle.zeros([count], *kind) for count, *kind in tensors]
        marks = [i in sparse for i in range(len(given))]
        ask("grouped, " + name, lambda g=given, m=marks, s=limits, n=numbers: grouped(g, m, s, *n))
    layer = paddle.nn.BatchNorm1D(2)
    for value in [*layer.parameters(), *layer.buffers()]:
        value.set_value(paddle.full_like(value, rank + 1.0))
    paddle.distributed.parallel.sync_params_buffers(layer, paddle.distributed.new_group([0, 1]), src_rank=1)
    ask("given by rank 1", lambda: [value.tolist() for value in [*layer.parameters(), *layer.buffers()]])
    from paddle.distributed.spawn import _get_subprocess_env_list, _options_valid_check

    size = os.environ.pop("PADDLE_TRAINERS_NUM")  # who is in a job spawns none
    told = _get_subprocess_env_list(3, {"backend": "gloo"})
    os.environ["PADDLE_TRAINERS_NUM"] = size
    ask("told to those that are spawned", lambda: [sorted(each) for each in told])
    ask("their numbers", lambda: [[each["PADDLE_TRAINER_ID"], each["PADDLE_TRAINERS_NUM"]] for each in told])
    ask("their places", lambda: [each["PADDLE_TRAINER_ENDPOINTS"].split(",").index(each["PADDLE_CURRENT_ENDPOINT"]) for each in told])
    try:
        _options_valid_check({"error": 1})
    except ValueError:
        ask("no option", lambda: "ValueError")


def _without(paddle: Any, model: Any) -> bool:
    with paddle.no_grad():
        return bool(model(paddle.ones([1, 1])).stop_gradient)


def answers(paddle: Any, rank: int) -> Dict[str, Any]:
    """What this process gets."""
    found: Dict[str, Any] = {}

    def ask(name: str, question: Callable[[], Any]) -> None:
        found[name] = question()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            paddle.DataParallel(paddle.nn.Linear(1, 1))
        except AssertionError:
            found["before the processes have met"] = "AssertionError"
        paddle.distributed.init_parallel_env()
        for group in (passes, training, wrappers, parts):
            group(paddle, rank, ask)
    return found


def recorded(script: str = __file__) -> Dict[str, List[Any]]:
    """What both processes of such a script get."""
    doors = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
    endpoints = ["127.0.0.1:%d" % door.getsockname()[1] for door in doors]
    for door in doors:
        door.close()
    with tempfile.TemporaryDirectory() as folder:
        job = {"PADDLE_TRAINERS_NUM": "2", "PADDLE_TRAINER_ENDPOINTS": ",".join(endpoints), "PADDLE_DISTRI_BACKEND": "gloo"}
        each = [{"PADDLE_TRAINER_ID": str(rank), "PADDLE_CURRENT_ENDPOINT": endpoints[rank]} for rank in range(2)]
        command = [sys.executable, script, folder]
        started = [subprocess.Popen(command, env={**os.environ, **job, **own}) for own in each]
        for process in started:
            assert process.wait() == 0
        both = [json.load(open("%s/%d.json" % (folder, rank))) for rank in range(2)]
    return {name: [of_one[name] for of_one in both] for name in both[0]}


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """See scripts/record_references.py."""
    return {"data_parallel_%s.json" % version: recorded}


if __name__ == "__main__":
    import paddle as _paddle

    _rank = int(os.environ["PADDLE_TRAINER_ID"])
    with open("%s/%d.json" % (sys.argv[1], _rank), "w") as _file:
        json.dump(answers(_paddle, _rank), _file)
