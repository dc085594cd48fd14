"""Questions about FleetUtil, for a wheel and for us."""

from __future__ import annotations

import contextlib
import io
import os
from typing import Any

import numpy as np

INTERVALS: list[tuple[Any, ...]] = [
    ("{20190720..20190722}", "{0..2}", 20, 2, False), ("{20190720..20190721}", "{0..2}", 30, 2, True),
    ("{20190720..20190721}", "{0..1}", 60, 1, True), ("{20190720..20190721}", "{0..1}", 5, 4, True),
    ("20190720", "{0..1}", 60, 1, True), ("{20190720..20190721}", "{0..1}", 7, 1, True), ("{20190720..20190721}", "{0..23}", 35, 3, False),
]  # fmt: skip


def answers(util: Any, scope: Any, program: Any, place: Any, folder: str) -> dict[str, Any]:
    """Every question's answer; the fleet has been told that this is its first worker."""

    def printed(call: Any) -> list[Any]:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            answer = call()
        return [answer, out.getvalue()]

    def put(name: str, value: Any, dtype: str = "int64") -> None:
        scope.var(name).get_tensor().set(np.array(value, dtype), place)

    def zeroed(name: str, dtype: str) -> Any:
        util.set_zero(name, scope, place, dtype)
        value = np.array(scope.find_var(name).get_tensor())
        return [value.tolist(), str(value.dtype)]

    for name, value in (("pos", [[0, 2, 1, 0]]), ("neg", [[3, 0, 1, 0]]), ("none", [[0, 0, 0, 0]]), ("whole", [[1, 2]])):
        put(name, value)
    put("real", [[0.5], [2.0]], "float32")
    path = os.path.join(folder, "main")
    with open(path, "wb") as file:
        file.write(program.desc.serialize_to_string())
    return {
        "intervals": [util.get_online_pass_interval(*each) for each in INTERVALS],
        "print": printed(lambda: util.rank0_print("said once")),
        "auc": [util.get_global_auc(scope, *names) for names in (("pos", "neg"), ("none", "none"), ("neg", "pos"))],
        "no buckets": printed(lambda: util.get_global_auc(scope, "x", "neg")),
        "printed auc": printed(lambda: util.print_global_auc(scope, "pos", "neg", "pre")),
        "zero": [zeroed("whole", "int64"), zeroed("real", "float32")],
        "text": util.program_type_trans(folder, "main", False),
        "lists": [util.parse_program_proto(path, False, folder), sorted(os.listdir(folder))],
    }
