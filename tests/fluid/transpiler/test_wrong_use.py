"""Wrong use of DistributeTranspiler: exceptions of Paddle 1.8.5's types that name what is wrong, and what it takes without a word."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import paddle_compat as paddle
from paddle_compat import fluid

SERVERS = "127.0.0.1:6174,127.0.0.1:6175"


@pytest.fixture(autouse=True)
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    yield
    paddle.disable_static()


def transpiled(trainer: Any = 0, settings: dict[str, Any] | None = None, **arguments: Any) -> fluid.DistributeTranspiler:
    """A transpiler that has seen a small Program."""
    main, start, config = fluid.Program(), fluid.Program(), fluid.DistributeTranspilerConfig()
    for name, value in (settings or {}).items():
        setattr(config, name, value)
    with fluid.unique_name.guard(), fluid.program_guard(main, start):
        loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 13]), 1))
        fluid.optimizer.SGD(0.1).minimize(loss)
    made = fluid.DistributeTranspiler(config)
    made.transpile(trainer, **{"program": main, "pservers": SERVERS, "trainers": 2, "startup_program": start, **arguments})
    return made


@pytest.mark.parametrize(
    ("call", "kind", "said"),
    [
        (lambda: transpiled(pservers=SERVERS.split(",")), AttributeError, r"`pservers`.*Received: \["),
        (lambda: transpiled(pservers="127.0.0.1:1,127.0.0.1:1"), ValueError, "`pservers`.*different endpoints"),
        (lambda: transpiled(pservers=""), ValueError, "`pservers`.*host:port"),
        (lambda: transpiled(trainers=0), ValueError, "`trainers`.*1 or more.*Received: 0"),
        (lambda: transpiled(trainers="2"), TypeError, "`trainers`.*a number.*'2'"),
        (lambda: transpiled("0"), TypeError, "`trainer_id`.*a number.*Received: '0'"),
        (lambda: transpiled(program=3), AttributeError, "`program`.*a Program.*Received: 3"),
        (lambda: transpiled(program=fluid.CompiledProgram(fluid.Program())), AttributeError, "`program`.*a Program"),
        (lambda: transpiled(startup_program=3), AttributeError, "`startup_program`.*a Program.*Received: 3"),
        (lambda: transpiled(settings={"split_method": "RoundRobin"}), AttributeError, "`config.split_method`.*PSDispatcher"),
        (lambda: transpiled(settings={"split_method": int}), AssertionError, "`config.split_method`.*PSDispatcher"),
        (lambda: transpiled(settings={"min_block_size": 10}), AssertionError, "`config.min_block_size`.*8192.*Received: 10"),
        (lambda: transpiled(settings={"min_block_size": None}), TypeError, "`config.min_block_size`.*a number"),
        (lambda: transpiled(settings={"sync_mode": None}), ValueError, "sync_mode can't be None"),
        (lambda: transpiled(settings={"runtime_split_send_recv": True}), ValueError, "Set sync_mode to False first"),
        (lambda: fluid.DistributeTranspiler(3), AttributeError, "`config`.*a DistributeTranspilerConfig.*Received: 3"),
        (lambda: fluid.DistributeTranspiler().get_trainer_program(), AttributeError, "Call `transpile` first"),
        (lambda: fluid.DistributeTranspiler().get_pserver_programs("a:1"), AttributeError, "Call `transpile` first"),
        (lambda: transpiled().get_pserver_program("127.0.0.1:1"), KeyError, "`endpoint`.*6174.*Received: '127.0.0.1:1'"),
        (lambda: transpiled().get_startup_program("127.0.0.1:1", fluid.Program()), KeyError, "`endpoint`.*6174"),
        (lambda: transpiled().get_startup_program("127.0.0.1:6174", 3), AttributeError, "`pserver_program`.*Received: 3"),
        (lambda: transpiled(2).get_trainer_program(), ValueError, "`trainer_id`.*one below 2.*Received: 2"),
    ],
)
def test_wrong_use_is_named(call: Callable[[], Any], kind: type[Exception], said: str) -> None:
    with pytest.raises(kind, match=said):
        call()


@pytest.mark.parametrize("settings", [{"mode": "unknown"}, {"mode": None}])
def test_an_unknown_mode_is_that_of_servers(settings: dict[str, Any]) -> None:
    assert "send" in [op.type for op in transpiled(settings=settings).get_trainer_program().global_block().ops]


def test_a_server_may_say_any_number() -> None:
    assert transpiled(7).get_pserver_program("127.0.0.1:6174").global_block().ops[-1].type == "listen_and_serv"


def test_what_sync_mode_is_counts_by_its_truth() -> None:
    kinds = [[op.type for op in transpiled(sync_mode=said).get_trainer_program().global_block().ops] for said in ("no", None)]
    assert ["send_barrier" in kind for kind in kinds] == [True, False]
