"""`paddle.base.device_worker`: how a thread that trains from a dataset works, as Paddle describes it."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import PreconditionNotMetError, UnimplementedError


class DeviceWorker:
    """Writes a worker's part of a `TrainerDesc`; make a `Hogwild`.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.device_worker import DeviceWorker
        >>> worker = DeviceWorker()
        >>> worker._set_infer(True); worker._set_program(paddle.static.Program())

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self) -> None:
        self._program: Any = None
        self._infer: Any = None

    def _set_infer(self, infer: bool = False) -> None:
        self._infer = infer

    def _set_fleet_desc(self, fleet_desc: Any) -> None:
        self._fleet_desc = fleet_desc

    def _set_program(self, program: Any) -> None:
        self._program = program

    def _gen_worker_desc(self, trainer_desc: Any) -> None:
        raise UnimplementedError("DeviceWorker describes no worker. Expected Hogwild.")


class Hogwild(DeviceWorker):
    """A worker whose thread updates the parameters that all share.

    Example:
        >>> from paddle_compat.base.device_worker import Hogwild
        >>> worker = Hogwild()

    Follows Paddle 1.8 and 2.6.
    """

    def _gen_worker_desc(self, trainer_desc: Any) -> None:
        if self._program is None:
            raise PreconditionNotMetError("A worker has no Program. Expected a call of _set_program before. Received: none")
        trainer_desc.device_worker_name = "HogwildWorker"
        if self._infer:
            trainer_desc.hogwild_param.extend(
                "skip_ops", ["feed", "push_sparse", "push_sparse_v2", "push_dense", "distributed_push_sparse", "send"]
            )


class DeviceWorkerFactory:
    """Makes workers by name.

    Example:
        >>> from paddle_compat.base.device_worker import DeviceWorkerFactory
        >>> type(DeviceWorkerFactory()._create_device_worker("Hogwild")).__name__
        'Hogwild'

    Follows Paddle 1.8 and 2.6.
    """

    def _create_device_worker(self, worker_type: str) -> DeviceWorker:
        return {"DeviceWorker": DeviceWorker, "Hogwild": Hogwild}[worker_type[:1].upper() + worker_type[1:]]()


__all__ = ["DeviceWorker", "Hogwild"]

__getattr__ = missing(__name__)
