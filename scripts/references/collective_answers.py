"""What collective operators of Paddle 2.6.2 give two CPU processes that meet by gloo.

collective_answers_2.6.2.json: {question: [what rank 0 gets, what rank 1 gets]}. The wheel for the CPU knows no others.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from typing import Any, Callable, Dict, List, Tuple

import numpy as np

WHEELS = ("2.6.2",)

_OF = {"ring_id": 0, "use_calc_stream": True}
# question: (operator, inputs of a rank, attributes of a rank, the ranks whose answer counts)
QUESTIONS: Dict[str, Tuple[str, Callable[[int], Dict[str, Any]], Callable[[int], Dict[str, Any]], Tuple[int, ...]]] = {}


def numbers(rank: int, kind: str = "float32") -> Any:
    """What a rank gives."""
    return (np.arange(8).reshape(4, 2) * (1 - 3 * rank) + 3 * rank).astype(kind)


def _question(
    name: str, type_: str, attrs: Callable[[int], Dict[str, Any]], kind: str = "float32", ranks: Tuple[int, ...] = (0, 1)
) -> None:
    QUESTIONS[name] = (type_, lambda rank: {"X": numbers(rank, kind)}, attrs, ranks)


for _kind in ("sum", "max", "min", "prod"):
    for _dtype in ("float32", "int64", "float64", "int32"):
        _question("c_allreduce_%s %s" % (_kind, _dtype), "c_allreduce_" + _kind, lambda rank: _OF, _dtype)
    for _root in (0, 1):
        _question("c_reduce_%s %d" % (_kind, _root), "c_reduce_" + _kind, lambda rank, root=_root: dict(_OF, root_id=root), ranks=(_root,))
_question("c_allgather", "c_allgather", lambda rank: dict(_OF, nranks=2))
_question("c_allgather int64", "c_allgather", lambda rank: dict(_OF, nranks=2), "int64")
_question("mp_allreduce_sum", "mp_allreduce_sum", lambda rank: _OF)
for _ids in ([[0, 3, 4, 7]], [5], [[[1], [6]]]):
    QUESTIONS["c_embedding %s" % _ids] = (
        "c_embedding", lambda rank, ids=_ids: {"W": numbers(rank), "Ids": np.array(ids)}, lambda rank: {"start_index": 4 * rank}, (0, 1)
    )  # fmt: skip


def ask(paddle: Any, rank: int, question: str) -> Any:
    """What a rank gets, as plain values."""
    type_, inputs, attrs, ranks = QUESTIONS[question]
    program = paddle.static.Program()
    block = program.global_block()
    given = inputs(rank)
    for slot, value in given.items():
        block.create_var(name=slot + "_in", shape=value.shape, dtype=str(value.dtype))
    first = next(iter(given.values()))
    out = block.create_var(name="out", dtype=str(first.dtype))
    block.append_op(type=type_, inputs={slot: [slot + "_in"] for slot in given}, outputs={"Out": [out]}, attrs=attrs(rank))
    feed = {slot + "_in": value for slot, value in given.items()}
    (found,) = paddle.static.Executor(paddle.CPUPlace()).run(program, feed=feed, fetch_list=["out"])
    return found.tolist() if rank in ranks else None


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    def record() -> Dict[str, List[Any]]:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        children = [
            subprocess.Popen([sys.executable, __file__, str(rank), str(port)], stdout=subprocess.PIPE, universal_newlines=True)
            for rank in (0, 1)
        ]
        answers = [json.loads(child.communicate(timeout=120)[0].splitlines()[-1]) for child in children]
        return {question: [answer[question] for answer in answers] for question in QUESTIONS}

    return {"collective_answers_2.6.2.json": record}


if __name__ == "__main__":
    import paddle

    _rank = int(sys.argv[1])
    paddle.distributed.gloo_init_parallel_env(_rank, 2, "127.0.0.1:" + sys.argv[2])
    paddle.enable_static()
    print(json.dumps({question: ask(paddle, _rank, question) for question in QUESTIONS}), flush=True)
    paddle.distributed.gloo_release()
