"""Collective calls of two and of four processes: as Paddle 2.6.2 has them, by arithmetic where its gloo lacks them, and when they fail."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import experts
import job_of_four
import job_of_two
import mismatches
import numpy as np
import pytest
import torch
from collectives import PIECES
from jobs import free_ports, run_job, run_together
from processes import ROOT

HERE = Path(__file__).resolve().parent
WHEEL = json.loads((ROOT / "tests/references/collectives.json").read_text())
PATH = os.pathsep.join(map(str, (ROOT, ROOT / "tests/models")))
DIED = 7  # how the process ends that dies on purpose


def found(folder: Path, count: int, said: list[tuple[int, str]]) -> list[dict[str, Any]]:
    """What each process of a job wrote."""
    assert all((folder / str(rank)).exists() for rank in range(count)), said
    return [json.loads((folder / str(rank)).read_text()) for rank in range(count)]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """A job that is told what torchrun's agent says, which holds a store."""
    store = torch.distributed.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
    folder = tmp_path_factory.mktemp("two")
    words = ["-m", "paddle_compat", str(HERE / "job_of_two.py"), f"{folder}/"]
    shared = {"WORLD_SIZE": "2", "MASTER_ADDR": store.host, "MASTER_PORT": str(store.port), "TORCHELASTIC_USE_AGENT_STORE": "True"}
    shared |= {"PYTHONPATH": PATH, "MEET": f"127.0.0.1:{free_ports(1)[0]}"}
    said = run_together([words] * 2, [{**shared, "RANK": str(rank)} for rank in range(2)], folder)
    assert [status for status, _ in said] == [1, 1], said  # by a call at the end that nobody waited for
    return [{**each, "said": text} for each, (_, text) in zip(found(folder, 2, said), said)]


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    folder = tmp_path_factory.mktemp("four")
    said = run_job(HERE / "job_of_four.py", 4, arguments=[f"{folder}/"], folder=folder, PYTHONPATH=PATH)
    assert [status for status, _ in said] == [0, 0, 0, DIED], said
    return found(folder, 4, said)


# The wheel asks a number for its members, or for a list what a Tensor has.
BY_CHANCE = "AttributeError"
# It looks at the list before the Tensor.
OTHER_KIND = {"gather/list": "AssertionError"}


@pytest.mark.parametrize("piece", PIECES)
def test_as_the_wheel(two: list[dict[str, Any]], piece: str) -> None:
    for rank in range(2):
        ours, theirs = dict(two[rank][piece]), WHEEL[piece][rank]
        text = ours.pop("text", "")
        if "raises" not in theirs:
            assert ours == theirs, text
        elif theirs["raises"][0] in (BY_CHANCE, OTHER_KIND.get(piece)):
            assert "TypeError" in ours["raises"]
        else:
            assert theirs["raises"][0] in ours["raises"], text


def values(answer: dict[str, Any]) -> Any:
    """The values of an answer."""
    return plain(answer.get("out", answer))


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return value["values"]
    return [plain(each) for each in value] if isinstance(value, list) else value


def given(kind: str, rank: int) -> np.ndarray:
    """What a process gives in the pieces that go over data types."""
    name = "float32" if kind == "bfloat16" else kind
    return np.array([10 * rank, 1, 2, 3]).astype(name)


def listed(array: np.ndarray) -> Any:
    return (np.stack([array.real, array.imag], -1) if array.dtype.kind == "c" else array).tolist()


@pytest.mark.parametrize("kind", job_of_two.TYPES)
def test_parts_of_every_type(two: list[dict[str, Any]], kind: str) -> None:
    own = [given(kind, rank) for rank in range(2)]
    for rank in range(2):
        parts = [each[2 * rank : 2 * rank + 2] for each in own]
        assert values(two[rank][f"more/alltoall/{kind}"]) == [listed(part) for part in parts]
        assert values(two[rank][f"more/alltoall_single/{kind}"]) == listed(np.concatenate(parts))
        assert values(two[rank][f"more/reduce_scatter/{kind}"]) == listed(parts[0] + parts[1])
        type_ = two[rank][f"more/reduce_scatter/{kind}"]["out"]["type"]
        assert type_ == f"paddle.{kind}"


@pytest.mark.parametrize("kind", ["int16", "complex64", "complex128"])
def test_types_that_only_ours_takes(two: list[dict[str, Any]], kind: str) -> None:
    first, second = (np.array([1 + rank, 0, 5]).astype(kind) for rank in range(2))
    for rank in range(2):
        answer = {name.removeprefix("more/"): each for name, each in two[rank].items()}
        assert values(answer[f"all_gather/{kind}"]) == [listed(first), listed(second)]
        assert values(answer[f"broadcast/{kind}"]) == listed(second)
        assert values(answer[f"send/{kind}"]) == listed(first)
        assert values(answer[f"all_reduce/SUM/{kind}"]) == listed(first + second)
        largest = answer[f"all_reduce/MAX/{kind}"]
        assert "ValueError" in largest["raises"] if kind.startswith("complex") else values(largest) == [2, 0, 5]


# By hand: (process 0's, process 1's), or the one of both.
MORE = {
    "all_reduce/AVG": [1.5],
    "all_reduce/AVG of integers": "ValueError",
    "all_reduce/turned": [[3.0, 7.0], [5.0, 9.0], [11.0, 13.0]],
    "all_reduce/column": [3.0, 7.0],
    "all_reduce/none": [],
    "all_reduce/calc": [3.0],
    "all_reduce/rows": "ValueError",
    "all_gather/none": [[], []],
    "all_gather/other type": "ValueError",
    "broadcast/none": [],
    "broadcast/turned": [[2.0, 4.0], [3.0, 5.0], [6.0, 7.0]],
    "reduce/kept": ([3.0], [2.0]),
    "reduce_scatter/tensor": ([2.0, 4.0], [6.0, 9.0]),
    "reduce_scatter/MAX": ([1.0, 2.0], [3.0, 0.0]),
    "reduce_scatter/wait": [2.0, 4.0],
    "reduce_scatter/short": "ValueError",
    "reduce_scatter/shape": "ValueError",
    "alltoall/given": ([[1.0, 2.0], [2.0, 3.0]], [[3.0, 4.0], [4.0, 5.0]]),
    "alltoall/uneven": ([[1.0], [4.0]], [[2.0, 3.0], [5.0, 6.0]]),
    "alltoall/tensor": ([[0.0], [1.0], [10.0], [11.0]], [[2.0], [3.0], [12.0], [13.0]]),
    "alltoall/of 3": ([[1.0], [2.0]], [[2.0], [3.0]]),
    "alltoall/short": "ValueError",
    "alltoall_single/sizes": ([[0.0, 1.0], [10.0, 11.0]], [[2.0, 3.0], [4.0, 5.0], [12.0, 13.0], [14.0, 15.0]]),
    "alltoall_single/odd": "ValueError",
    "alltoall_single/wrong sizes": "ValueError",
    "scatter/short": "ValueError",
    "scatter/shape": "ValueError",
    "scatter/nothing": "TypeError",
    "gather/nothing": "AssertionError",
    "send/to itself": "ValueError",
    "recv/from itself": "ValueError",
    "sync_params_buffers": ([[4.0], [3.0], [0.0]],) * 2,
    "_broadcast_parameters": ([[[2.0]]],) * 2,
    "batch": ([2.0], [1.0]),
    "batch/turned": ([2.0], [1.0]),
    "let go": ([[1.0], [2.0, 0.0], [1.0]], [[1.0], [2.0, 0.0], [6.0]]),  # of which nobody has the tasks
    "scatter/itself": ([2.0, 5.0], [20.0, 50.0]),
    "alltoall_single/itself": ([1.0, 11.0], [2.0, 12.0]),
    "objects/tensor": [[1.0], [2.0]],  # 2.6 cannot pickle Tensors, 3.3 can
    "objects/scatter short": "ValueError",
    "objects/outside": ([None, None, [0]], [None, None, [1]]),
    "groups/5": "ValueError",
    "groups/twice": "ValueError",
    "groups/texts": "ValueError",
    "wait": [None, None],
    "wait/number": "TypeError",
    "gloo": None,
}


@pytest.mark.parametrize("piece", MORE)
def test_what_the_wheels_gloo_lacks(two: list[dict[str, Any]], piece: str) -> None:
    expected = MORE[piece] if isinstance(MORE[piece], tuple) else (MORE[piece],) * 2
    for rank in range(2):
        answer = two[rank][f"more/{piece}"]
        if isinstance(expected[rank], str):
            assert expected[rank] in answer.get("raises", ()), answer
        else:
            assert values(answer) == expected[rank], answer


def test_static_mode(two: list[dict[str, Any]]) -> None:
    """The names: y summed, z the largest, b process 1's, g and l gathered and exchanged, s and r parts, m sent, d summed on process 0."""
    x = [np.arange(4.0) + 10 * rank for rank in range(2)]
    total = x[0] + x[1]
    for rank in range(2):
        half = slice(2 * rank, 2 * rank + 2)
        expected = [total, x[1], x[1], x[0], x[1], *(x, [total, total])[rank], x[1][half], total[half], x[0], *[total] * (rank == 0)]
        assert two[rank]["more/static"]["out"] == [each.tolist() for each in expected]


@pytest.mark.parametrize(
    "module", ["communication._functions", "communication._objects", "communication.stream._functions", "collective", "utils.moe_utils"]
)
def test_examples_that_meet(two: list[dict[str, Any]], module: str) -> None:
    for rank in range(2):
        count, report = two[rank][f"example/{module}"]["out"]
        assert count and not report, report


def test_who_has_left_meets_again(two: list[dict[str, Any]]) -> None:
    for rank in range(2):
        assert two[rank]["left"]["out"] is True
        assert values(two[rank]["again"]) == [3.0], two[rank]["again"]


def test_every_piece_of_two_is_looked_at(two: list[dict[str, Any]]) -> None:
    by_type = [name for name in job_of_two.MORE if name.rpartition("/")[2] in job_of_two.TYPES]
    assert set(job_of_two.MORE) == {*MORE, *by_type, "static", "mismatches"}


@pytest.mark.parametrize("call", mismatches.CALLS)
def test_calls_that_do_not_fit_together_fail_on_both(two: list[dict[str, Any]], call: str) -> None:
    texts = [two[rank]["more/mismatches"]["out"]["errors"][call] for rank in range(2)]
    assert texts[0] == texts[1]
    assert re.match(r"InvalidArgumentError: Expected .*Received: process 0 (calls|sends) .*; process 1 (calls|receives) ", texts[0]), texts


def test_whose_shapes_and_types_are_named(two: list[dict[str, Any]]) -> None:
    errors = two[0]["more/mismatches"]["out"]["errors"]
    for call, first, second in (
        ("all_reduce", "3 elements of float32 in shape [3]", "4 elements of float32 in shape [4]"),
        ("types", "3 elements of float32", "3 elements of int32"),
        ("calls", "calls broadcast", "calls all_reduce"),
        ("isend", "sends float32[1000]", "receives float32[10]"),
        ("types of messages", "sends float32[10]", "receives float64[10]"),
        ("alltoall", "sends [3, 4] and gets [3, 4]", "sends [3, 4] and gets [4, 4]"),
        ("nobody waits", "7 elements", "8 elements"),
        ("objects", "1 objects of process 0", "2 objects of process 0"),
    ):
        assert re.search(f"process 0 .*{re.escape(first)}.*process 1 .*{re.escape(second)}", errors[call]), errors[call]


def test_no_objects_at_all(two: list[dict[str, Any]]) -> None:
    for rank in range(2):
        assert "Expected one object at least" in two[rank]["more/mismatches"]["out"]["errors"]["no objects"]


def test_calls_that_do_not_wait(two: list[dict[str, Any]]) -> None:
    """Neither for the others; and they meet after calls that failed."""
    for rank in range(2):
        answer = plain(two[rank]["more/mismatches"]["out"]["sums"]), plain(two[rank]["more/mismatches"]["out"]["polled"])
        assert answer == ([[3.0 + 2 * i] * 2 for i in range(4)], [5.0] * 3)
        report = two[rank]["said"].splitlines()[-1]  # of the last call
        assert "InvalidArgumentError" in report and "process 1 calls all_reduce with 4 elements" in report


AT_THE_END = """
import atexit, logging.handlers, sys
import paddle_compat as paddle
atexit.register(print, "as registered", flush=True)
paddle.distributed.init_parallel_env()
paddle.distributed.all_reduce(paddle.ones([3 + paddle.distributed.get_rank()]), sync_op=False)
logging.getLogger().addHandler(logging.handlers.MemoryHandler(10, target=logging.StreamHandler(sys.stdout)))
logging.getLogger().warning("as logged")
"""


def test_a_script_of_plain_python_fails_by_what_it_did_not_wait_for(tmp_path: Path) -> None:
    places = [f"127.0.0.1:{port}" for port in free_ports(2)]
    own = [{"PADDLE_TRAINER_ID": str(r), "PADDLE_TRAINERS_NUM": "2", "PADDLE_TRAINER_ENDPOINTS": ",".join(places)} for r in range(2)]
    script = tmp_path / "script.py"
    script.write_text(AT_THE_END)
    for status, text in run_together([[str(script)]] * 2, own, tmp_path):
        assert status == 1 and "process 1 calls all_reduce with 4 elements" in text, text
        assert "as registered" in text and "as logged" in text


def pair(rank: int) -> list[int]:
    return [0, 2] if rank % 2 == 0 else [1, 3]


FOUR = {
    "members": lambda r: [r // 2, pair(r), True, -1, False, None, *((1, -1) if r % 2 == 0 else (-1, 1)), r // 2, -1],
    "sums": lambda r: [[float(sum(pair(r)) + 2)], [1.0 + r]],
    "gathered": lambda r: [[each] for each in pair(r)],
    "from one": lambda r: [pair(r)[1]],
    "from nobody": lambda r: "ValueError",
    "to one": lambda r: [float(sum(pair(r)) + 2) if r == pair(r)[1] else 1.0 + r],
    "scattered": lambda r: [(10 if r == pair(r)[0] else 20) + pair(r)[0]],
    "collected": lambda r: [[each] for each in pair(r)] if r == pair(r)[1] else [],
    "exchanged": lambda r: [[10 * each + r // 2] for each in pair(r)],
    "parts": lambda r: [sum(pair(r)) * (1 if r == pair(r)[0] else 10)],
    "objects": lambda r: [pair(r), ["xy"[r // 2] + str(pair(r)[0])]],
    "sent": lambda r: [pair(r)[0]],
    "ring": lambda r: [(r - 1) % 4],
    "many at once": lambda r: [[4.0 * i + 6.0] for i in range(20)],
    "together": lambda r: [0, 1, 2, 3],
    "static": lambda r: [float(sum(pair(r))), 2.0],
    "rings": lambda r: [[1.0 if r < 2 else 5.0], [2.0 if r % 2 == 0 else 4.0], [6.0]],
    "rings/some": lambda r: None if r == 2 else [4.0],
    "rings/outside": lambda r: [float(r)],
    "rings/not made": lambda r: "PreconditionNotMetError",
    "rings/of strangers": lambda r: "InvalidArgumentError",
    "rings/turned": lambda r: [[1.0 if r < 2 else 5.0], [1.0 if r < 2 else 3.0]],
    **dict.fromkeys((f"operators/{kind}" for kind in job_of_four.OPERATORS), lambda r: "ValueError"),
    "calls differ": lambda r: "ValueError" if r < 2 else None,
    "shapes differ": lambda r: "ValueError" if r < 2 else None,
    "nobody comes": lambda r: "RuntimeError" if r == 2 else None,
}


@pytest.mark.parametrize("piece", job_of_four.PIECES)
def test_groups_of_four(four: list[dict[str, Any]], piece: str) -> None:
    for rank in range(4):
        answer, expected = four[rank][piece], FOUR[piece](rank)
        if isinstance(expected, str):
            assert expected in answer.get("raises", ()), answer
        else:
            assert values(answer) == expected, answer


def test_who_has_met_in_fleet_init_is_a_group(four: list[dict[str, Any]]) -> None:
    for rank in range(4):
        assert values(four[rank]["after fleet.init"]) == [[6], True], four[rank]["after fleet.init"]


def test_different_calls_are_told_apart(four: list[dict[str, Any]]) -> None:
    for rank in range(2):
        assert "process 0 calls all_reduce with 1000" in four[rank]["shapes differ"]["text"]
        assert "process 1 calls all_reduce with 4000" in four[rank]["shapes differ"]["text"]
        assert "process 0 calls broadcast" in four[rank]["calls differ"]["text"]
    for kind in job_of_four.OPERATORS:
        said = [four[rank][f"operators/{kind}"]["text"] for rank in range(4)]
        sizes = [1 + rank if kind == "c_scatter" else 4 + 4 * rank for rank in range(4)]
        for text in said:
            assert all(f"process {rank} has {kind}, float32[{size}, 2]" in text for rank, size in enumerate(sizes)), text
    assert "process 2 was not made by all" in four[2]["nobody comes"]["text"]


def test_a_process_that_dies_is_named(four: list[dict[str, Any]]) -> None:
    for rank in range(3):
        assert "RuntimeError" in four[rank]["one dies"]["raises"]
        # perhaps behind others that ended for it
        assert re.search(r"Process [\d, ]*3 of 4 of this job is gone", four[rank]["one dies"]["text"]), four[rank]["one dies"]["text"]
    assert "one dies" not in four[3]


SENT, GOT = ([2, 0, 1, 2], [1, 3, 0, 1]), ([2, 0, 1, 3], [1, 2, 0, 1])  # rows for each expert, and from each process for each expert


def where(rank: int) -> list[tuple[int, int]]:
    """The process and the place there of each row that comes to a process, in order."""
    found = []
    for expert in (2 * rank, 2 * rank + 1):
        for process in range(2):
            begin = sum(SENT[process][:expert])
            found += [(process, begin + i) for i in range(SENT[process][expert])]
    return found


def test_rows_that_travel(two: list[dict[str, Any]]) -> None:
    x = [np.arange(10.0).reshape(5, 2) + 100 * rank for rank in range(2)]
    weights = np.zeros((2, 5))
    for rank in range(2):
        for number, (process, place) in enumerate(where(rank)):
            weights[process, place] = 1 + number
    for rank in range(2):
        answer = {name.removeprefix("experts/"): each for name, each in two[rank].items() if name.startswith("experts/")}
        came = [x[process][place].tolist() for process, place in where(rank)]
        assert values(answer["scattered"]) == [came, np.repeat(weights[rank][:, None], 2, 1).tolist()]
        assert values(answer["and back"]) == [(x[rank] ** 2).tolist(), (2 * x[rank]).tolist()] == answer["static"]["out"]
        back = np.zeros((5, 1))
        for other in range(2):
            for number, (process, place) in enumerate(where(other)):
                if process == rank:
                    back[place] = number + 10 * other
        assert values(answer["gathered"]) == back.tolist()
        assert values(answer["in a group"]) == came and answer["in a group"]["out"]["type"] == "paddle.float16"
        assert answer["no rows"]["out"]["shape"] == [0, 3]
        assert answer["of nobody"]["out"] is None and answer["of nobody"]["warns"]
        for wrong in ("wrong counts", "wrong rows"):
            assert "ValueError" in answer[wrong]["raises"] and "fit together" in answer[wrong]["text"]


@pytest.mark.parametrize("gate", ["naive", "gshard", "switch"])
def test_experts_of_two_processes(two: list[dict[str, Any]], gate: str) -> None:
    """As one process with all experts on both batches: an expert takes the first process's rows first."""
    whole = experts.layer(gate, range(4))
    if gate != "naive":
        whole.gate.capacity = [share / 2 for share in whole.gate.capacity]  # of twice as many rows
    wanted = experts.gradients(whole, np.concatenate([experts.batch(rank) for rank in range(2)]))
    both = [two[rank][f"experts/{gate}"]["out"] for rank in range(2)]
    close = {"rtol": 1e-5, "atol": 1e-5}
    for name in ("y", "x"):
        np.testing.assert_allclose(np.concatenate([each[name] for each in both]), wanted[name], **close)
    for ours, theirs in zip([each for one in both for each in one["experts"]], wanted["experts"], strict=True):
        assert [each is None for each in ours] == [each is None for each in theirs]
        for mine, real in zip(ours, theirs):
            if real is not None:
                np.testing.assert_allclose(mine, real, **close)
    for mine, other, real in zip(both[0]["gate"], both[1]["gate"], wanted["gate"], strict=True):
        np.testing.assert_allclose(np.add(mine, other), real, rtol=1e-5, atol=1e-4)
    assert sum(float(np.square(each).sum()) for one in both for each in one["clipped"]) == pytest.approx(1.0, rel=1e-4)
