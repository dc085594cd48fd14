"""What trainers merge and receive beside their steps, what servers keep for those that come late, and what fails, without a network."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

import paddle_compat as paddle
from paddle_compat import fluid
from paddle_compat.core.errors import NotFoundError, PreconditionNotMetError, UnavailableError
from paddle_compat.core.job import Servers
from paddle_compat.engine import trainer
from paddle_compat.engine.changed_rows import ChangedRows, Seen
from paddle_compat.engine.communicator import Communicator, Kind, Settings, settings_of
from paddle_compat.engine.geo import GeoCommunicator
from paddle_compat.engine.merged_steps import MergedSteps
from paddle_compat.engine.serving import server_of
from paddle_compat.engine.trainer import Parts
from paddle_compat.fluid.transpiler.geo_sgd_transpiler import GeoSgdTranspiler

SERVER = "127.0.0.1:6174"


@pytest.fixture(autouse=True)
def static_mode(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(trainer, "_trainer", None)
    paddle.enable_static()
    yield
    paddle.disable_static()


def rows(ids: list[int], value: float) -> torch.Tensor:
    return torch.sparse_coo_tensor(torch.tensor([ids]), torch.full((len(ids), 2), value), (5, 2))


@pytest.mark.parametrize(("adds", "dense", "row"), [(True, 6.0, 5.0), (False, 2.0, 2.5)])
def test_gradients_of_steps_are_summed_or_averaged(adds: bool, dense: float, row: float) -> None:
    steps = [
        {"w": torch.tensor([1.0]), "t": rows([0, 3], 1.0)},
        {"w": torch.tensor([2.0])},
        {"w": torch.tensor([3.0]), "t": rows([3], 4.0)},
    ]
    merged = MergedSteps()
    for step in steps:
        merged.add(step)
    found = merged.gradients(lambda name: adds)
    assert found["t"]._indices()[0].tolist() == [0, 3]
    assert found["w"].tolist() == [dense] and found["t"].to_dense()[3].tolist() == [row, row] and steps[0]["w"].tolist() == [1.0]


def test_flags_say_when_to_send() -> None:
    flags = {"communicator_max_merge_var_num": "20", "communicator_send_wait_times": "3", "communicator_is_sgd_optimizer": "0"}
    assert settings_of(flags) == Settings(merged=20, pause=0.03, adds=False)


class Network:
    """What a communicator's trainer calls: it takes what it is sent, and answers with how many steps that was."""

    def __init__(self) -> None:
        self.calls: list[float] = []
        self.fails = False

    def deliver(self, step: dict[str, torch.Tensor], wanted: Any, endpoints: Any = ()) -> dict[str, torch.Tensor]:
        if self.fails:
            raise UnavailableError("nobody is there")
        self.calls.append(step["g"].item())
        return {"w": torch.tensor([float(len(self.calls))])} if list(wanted) else {}

    def pull(self, wanted: Any) -> dict[str, torch.Tensor]:
        return {"w": torch.tensor([float(len(self.calls))])}


def communicator(network: Network, monkeypatch: pytest.MonkeyPatch, **said: Any) -> Communicator:
    program = fluid.Program()
    program._servers = Servers((SERVER,), 1, 0)
    w = program.global_block().create_var(name="w", shape=[1], dtype="float32", persistable=True)
    program.global_block().append_op("recv", {"X": []}, {"Out": [w]}, {"epmap": [SERVER], "recv_varnames": ["w"]})
    made = Communicator(program, Kind.ASYNC, Settings(**said), fluid.Scope())
    for name in ("deliver", "pull"):
        monkeypatch.setattr(made.trainer, name, getattr(network, name))
    monkeypatch.setattr(made.trainer, "_transport", network)
    made._trainer = None
    made.start()
    return made


def test_steps_go_on_while_gradients_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    network = Network()
    beside = communicator(network, monkeypatch, merged=3, queue=3, pause=60.0, independent=False)
    for value in range(1, 7):
        beside.put({"g": torch.tensor([float(value)])})
    beside.recv()
    assert network.calls == [6.0, 15.0] and beside.scope.var("w").tensor.value.item() == 2.0
    beside.put({"g": torch.tensor([7.0])})
    beside.stop()  # which waits for no more
    assert network.calls == [6.0, 15.0, 7.0] and not beside.is_running() and beside.scope.var("w").tensor.value.item() == 3.0


def test_who_ran_nothing_ends_without_servers() -> None:
    program = fluid.Program()
    program._servers = Servers((SERVER,), 1, 0)
    beside = Communicator(program, Kind.ASYNC, Settings(), fluid.Scope())
    beside.start()
    assert beside.is_running()
    beside.stop()  # at once: nobody serves
    assert not beside.is_running() and trainer._trainer is not None and not trainer._trainer.has_joined


@pytest.mark.parametrize(("after", "seen"), [(0, [1.0, 2.0, 3.0, 4.0]), (1, [None, 2.0, 2.0, 4.0]), (2, [None, None, 3.0, 3.0])])
def test_parameters_come_once_more_steps_were_sent(after: int, seen: list[float | None], monkeypatch: pytest.MonkeyPatch) -> None:
    """As in 1.8.5, whose losses of one trainer that takes a step a second are those of parameters that are so old."""
    beside = communicator(Network(), monkeypatch, receives_after=after)
    found = []
    for _ in seen:
        beside.put({"g": torch.tensor([1.0])})
        with beside.changed:
            assert beside.changed.wait_for(lambda: not beside.queue and not beside._busy, 30)
        beside.take_up(beside.scope)
        value = beside.scope.var("w").tensor.value
        found.append(None if value is None else value.item())
    beside.stop()
    assert found == seen


def test_the_training_thread_hears_what_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    network = Network()
    beside = communicator(network, monkeypatch)
    with pytest.raises(PreconditionNotMetError, match="one communicator at a time"):
        Communicator(beside.program, Kind.ASYNC, Settings(), fluid.Scope()).start()
    network.fails = True
    beside.put({"g": torch.ones(1)})
    with pytest.raises(UnavailableError, match="nobody is there"):
        beside.recv()
    with pytest.raises(UnavailableError, match="nobody is there"):
        beside.stop()
    assert not beside.is_running()
    beside.start()  # anew
    network.fails = False
    beside.put({"g": torch.ones(1)})
    beside.stop()
    assert network.calls == [1.0]


def test_servers_tell_which_rows_changed() -> None:
    table = torch.arange(10.0).reshape(5, 2)
    changed = ChangedRows({"t": table})
    first = changed.since({"t": Seen()})["t"]
    assert first.ids.tolist() == []
    changed.note("t", torch.tensor([1, 3]))
    second = changed.since({"t": first.seen})["t"]
    assert second.ids.tolist() == [1, 3] and second.values.tolist() == [[2.0, 3.0], [6.0, 7.0]]
    assert changed.since({"t": first.seen})["t"].ids.tolist() == [1, 3]  # an answer that got lost is given again
    changed.note("t", torch.tensor([3]))
    assert changed.since({"t": second.seen})["t"].ids.tolist() == [3]
    assert ChangedRows({"t": table}).since({"t": second.seen})["t"].ids.tolist() == [0, 1, 2, 3, 4]  # of a server that was started again
    with pytest.raises(NotFoundError, match="no table 'u'"):
        changed.since({"u": Seen()})


def transpile(made: Any, dc: bool = False) -> tuple[Any, Any]:
    main, startup = fluid.Program(), fluid.Program()
    with fluid.unique_name.guard(), fluid.program_guard(main, startup):
        start = fluid.ParamAttr(name="w", initializer=fluid.initializer.Constant(1.0))
        loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 2]), 1, param_attr=start, bias_attr=False))
        fluid.optimizer.SGD(0.5).minimize(loss)
        made.config.enable_dc_asgd = dc
        made.transpile(0, pservers=SERVER, trainers=2, sync_mode=False)
    return made, startup


def test_late_gradients_are_corrected() -> None:
    """A gradient gains its square times how far the parameter moved since the trainer got it."""
    made, _ = transpile(fluid.DistributeTranspiler(), dc=True)
    main, begin = made.get_pserver_programs(SERVER)
    with fluid.scope_guard(fluid.Scope()):
        fluid.Executor(fluid.CPUPlace()).run(begin)
        server = server_of(main, main.global_block().ops[-1], fluid.global_scope())
    now, own = np.ones((2, 1)), {}
    for number in (0, 1):
        own[number] = np.array(server.answer("pull", ["w"], number)["w"])
    for count, (number, gradient) in enumerate([(0, 1.0), (1, 2.0), (1, -1.0), (0, 0.5)]):
        grad = np.full((2, 1), gradient)
        now = now - 0.5 * (grad + grad * grad * (now - own[number]))
        sent = (number, count + 1, 0, {"w@GRAD": torch.full((2, 1), gradient)}, ["w"])
        own[number] = server.answer("push", *sent).future.wait()[1]["w"].clone().numpy()
        np.testing.assert_allclose(own[number], now, rtol=1e-6)


def test_geo_sgd_needs_its_communicator() -> None:
    made, startup = transpile(GeoSgdTranspiler())
    startup.global_block().ops = startup.global_block().ops[-1:]
    with fluid.scope_guard(fluid.Scope()), pytest.raises(PreconditionNotMetError, match="Geo-SGD needs a communicator"):
        fluid.Executor(fluid.CPUPlace()).run(startup)
    communicator = Communicator(made.get_trainer_program(), Kind.HALF_ASYNC, Settings(), fluid.Scope())
    communicator.start()
    with fluid.scope_guard(fluid.Scope()), pytest.raises(PreconditionNotMetError, match="mode GEO .*Received: HALF_ASYNC"):
        fluid.Executor(fluid.CPUPlace()).run(startup)
    communicator.stop()


def test_steps_of_geo_sgd_count_without_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    program, startup, sent = fluid.Program(), fluid.Program(), []
    for each in (program, startup):
        each._servers = Servers((SERVER,), 2, 0)
    with fluid.program_guard(program, startup):
        w = fluid.layers.create_global_var([1], 5.0, "float32", persistable=True, name="w")
        fluid.layers.increment(w)
    other, scope, network = program.clone(for_test=True), fluid.Scope(), Network()

    def deliver(step: dict[str, torch.Tensor], wanted: Any) -> dict[str, torch.Tensor]:
        sent.append({name: gain.item() for name, gain in step.items()})
        return {"w": torch.tensor([20.0])}

    made = GeoCommunicator(program, Settings(push_steps=2), scope, [Parts("w", ("w",), (SERVER,), (1,))], set(), 2)
    for name, does in {"deliver": deliver, "pull": network.pull, "changes": lambda tables, seen: {}}.items():
        monkeypatch.setattr(made.trainer, name, does)
    made._trainer = None
    made.start()
    exe = fluid.Executor(fluid.CPUPlace())
    with fluid.scope_guard(scope):
        made.note_start()
        exe.run(startup)
        exe.run(other)  # no step of it, though it counts here
        for _ in range(3):
            exe.run(program)
        made.stop()
    # 5 became 8; the third step made 9 of it, or the servers' 20 and what was not sent 22.5
    assert [list(each.values()) for each in sent] == [[1.5], [1.25]]
