"""FleetUtil: fleet_util_2.6.2.json, from the last wheel that has it (under Python 3, 1.8.5's fails in most of its methods)."""

from __future__ import annotations

import subprocess
import tempfile
from typing import Any, Callable

import fleet_util_cases

WHEELS = ("2.6.2",)


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The one file."""

    def record() -> Any:
        import paddle
        from paddle.incubate.distributed.fleet import role_maker
        from paddle.incubate.distributed.fleet.fleet_util import FleetUtil
        from paddle.incubate.distributed.fleet.parameter_server.distribute_transpiler import fleet

        paddle.enable_static()
        start = subprocess.Popen.__init__

        def by_bash(self: Any, *args: Any, **options: Any) -> None:  # the wheel lets the shell write out {0..23}
            start(self, *args, **options, **({"executable": "/bin/bash"} if options.get("shell") else {}))

        def alone(mine: Any, total: Any, mode: str = "sum") -> None:
            total[...] = mine

        subprocess.Popen.__init__ = by_bash  # type: ignore[method-assign]
        role = role_maker.UserDefinedRoleMaker(0, role_maker.Role.WORKER, 1, ["127.0.0.1:6001"])
        role._barrier_worker, role._all_reduce = (lambda: None), alone
        fleet._role_maker = role
        with tempfile.TemporaryDirectory() as folder:
            scope = paddle.base.core.Scope()
            return fleet_util_cases.answers(FleetUtil("transpiler"), scope, paddle.static.Program(), paddle.CPUPlace(), folder)

    return {"fleet_util_%s.json" % version: record}
