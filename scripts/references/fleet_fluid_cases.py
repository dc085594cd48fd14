"""What the role makers of 1.8 answer: about an environment, and about what the user gives."""

from __future__ import annotations

from typing import Any

from fleet_cases import SERVERS, TWO, changed, environment

WHEELS = ("1.8.5",)

# environment -> whether it is one of a collective job
ENVIRONMENTS = {
    "two": (True, TWO),
    "no number of workers": (True, changed(TWO, "PADDLE_TRAINERS_NUM")),
    "a worker's number that is a letter": (True, changed(TWO, PADDLE_TRAINER_ID="a")),
    "no trainer": (True, changed(TWO, PADDLE_TRAINING_ROLE="PSERVER")),
    "trainer": (False, SERVERS),
    "server": (False, changed(SERVERS, TRAINING_ROLE="PSERVER", PADDLE_PORT="7002")),
    "server that is not in the list": (False, changed(SERVERS, TRAINING_ROLE="PSERVER", PADDLE_PORT="9")),
    "no list of servers": (False, changed(SERVERS, "PADDLE_PSERVERS_IP_PORT_LIST")),
    "no TRAINING_ROLE": (False, changed(SERVERS, "TRAINING_ROLE")),
    "wrong TRAINING_ROLE": (False, changed(SERVERS, TRAINING_ROLE="DRIVER")),
    "no PADDLE_TRAINERS_NUM": (False, changed(SERVERS, "PADDLE_TRAINERS_NUM")),
    "no PADDLE_TRAINER_ID": (False, changed(SERVERS, "PADDLE_TRAINER_ID")),
    "server without a port": (False, changed(SERVERS, "PADDLE_PORT", TRAINING_ROLE="PSERVER")),
    "server without a host": (False, changed(SERVERS, "POD_IP", TRAINING_ROLE="PSERVER")),
}
WORKER, SERVER = 1, 2
USERS = {
    "nothing": {},
    "worker": {"current_id": 0, "role": WORKER, "worker_num": 2, "server_endpoints": ["127.0.0.1:1"]},
    "server": {"current_id": 1, "role": SERVER, "worker_num": 2, "server_endpoints": ["a:1", "b:1"]},
    "worker beyond the others": {"current_id": 3, "role": WORKER, "worker_num": 2, "server_endpoints": ["a:1"]},
    "server beyond the others": {"current_id": 2, "role": SERVER, "worker_num": 2, "server_endpoints": ["a:1"]},
    "number below 0": {"current_id": -1, "role": WORKER, "worker_num": 2, "server_endpoints": ["a:1"]},
    "number as a text": {"current_id": "0", "role": WORKER, "worker_num": 2, "server_endpoints": ["a:1"]},
    "a role that is none": {"current_id": 0, "role": 3, "worker_num": 2, "server_endpoints": ["a:1"]},
    "no workers": {"current_id": 0, "role": WORKER, "worker_num": 0, "server_endpoints": ["a:1"]},
    "workers as a text": {"current_id": 0, "role": WORKER, "worker_num": "2", "server_endpoints": ["a:1"]},
    "servers as a text": {"current_id": 0, "role": WORKER, "worker_num": 2, "server_endpoints": "a:1"},
    "no servers": {"current_id": 0, "role": WORKER, "worker_num": 2, "server_endpoints": []},
    "a server twice": {"current_id": 0, "role": WORKER, "worker_num": 2, "server_endpoints": ["a:1", "a:1"]},
    "a server that is a number": {"current_id": 0, "role": WORKER, "worker_num": 2, "server_endpoints": [1]},
}
COLLECTIVE = {
    "nothing": {},
    "worker": {"current_id": 1, "worker_endpoints": ["a:1", "b:1"]},
    "no workers": {"current_id": 0, "worker_endpoints": []},
    "number as a text": {"current_id": "0", "worker_endpoints": ["a:1"]},
    "number below 0": {"current_id": -1, "worker_endpoints": ["a:1"]},
    "workers as a text": {"current_id": 0, "worker_endpoints": "a"},
    "a worker twice": {"current_id": 0, "worker_endpoints": ["a:1", "a:1"]},
    "worker beyond the others": {"current_id": 5, "worker_endpoints": ["a:1"]},
}
QUESTIONS = (
    "is_worker", "is_server", "is_first_worker", "worker_num", "worker_index", "server_index", "get_pserver_endpoints",
    "get_trainer_endpoints", "to_string",
)  # fmt: skip
KINDS = ("TypeError", "ValueError", "KeyError", "AssertionError", "NotImplementedError")


def answer(call: Any) -> Any:
    try:
        return call()
    except Exception as error:
        return {"raises": next(kind.__name__ for kind in type(error).__mro__ if kind.__name__ in KINDS)}


def answers(role_maker: Any) -> dict[str, Any]:
    """Everything that the role makers of a module say; where a question raises, the role in one line is no answer."""
    found: dict[str, Any] = {}

    def ask(name: str, make: Any) -> None:
        role = answer(make)
        if isinstance(role, dict):
            found[name] = role
            return
        begun = answer(role.generate_role)
        said = {question: answer(getattr(role, question)) for question in QUESTIONS} if begun is None else {}
        found[name] = {"generate_role": begun, **said}

    for name, (collective, values) in ENVIRONMENTS.items():
        with environment(values):
            ask("environment: " + name, lambda collective=collective: role_maker.PaddleCloudRoleMaker(is_collective=collective))
    for name, given in USERS.items():
        ask("user: " + name, lambda given=given: role_maker.UserDefinedRoleMaker(**given))
    for name, given in COLLECTIVE.items():
        ask("collective user: " + name, lambda given=given: role_maker.UserDefinedCollectiveRoleMaker(**given))
    return found


def recordings(version: str) -> dict[str, Any]:
    def record() -> dict[str, Any]:
        from paddle.fluid.incubate.fleet.base import role_maker

        return answers(role_maker)

    return {"fleet_fluid_1.8.5.json": record}
