"""`paddle.base.trainer_desc`: what trains from a dataset, as Paddle describes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.distributed.fleet.base._messages import Message


class TrainerDesc:
    """A description of what `train_from_dataset` does; nothing here acts on it.

    Example:
        >>> from paddle_compat.base.trainer_desc import TrainerDesc
        >>> trainer = TrainerDesc()
        >>> trainer._set_thread(3); trainer._set_debug(True); trainer._set_fetch_var_and_info([], [], 7)
        >>> print(trainer)
        thread_num: 3
        debug: true
        fetch_config {
          print_period: 7
        }

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self) -> None:
        self.proto_desc = Message("TrainerDesc")
        self._set_thread(2)
        self._fleet_desc: Any = None
        self._device_worker: Any = None
        self._program: Any = None
        self._infer = False

    def _set_fetch_var_and_info(self, fetch_vars: Sequence[Any], fetch_info: Sequence[str], print_period: int) -> None:
        config = self.proto_desc.fetch_config
        config.extend("fetch_var_names", [var.name for var in fetch_vars])
        config.extend("fetch_var_str_format", fetch_info)
        config.print_period = print_period

    def _set_debug(self, debug: bool) -> None:
        self.proto_desc.debug = debug

    def _set_thread(self, thread_num: int) -> None:
        self.proto_desc.thread_num = thread_num

    def _set_device_worker(self, device_worker: Any) -> None:
        self._device_worker = device_worker

    def _set_infer(self, infer: bool) -> None:
        self._infer = infer

    def _set_fleet_desc(self, fleet_desc: Any) -> None:
        self._fleet_desc = fleet_desc

    def _set_program(self, program: Any) -> None:
        self._program = program

    def _gen_trainer_desc(self) -> None:
        """Nothing: subclasses write themselves down."""

    def __str__(self) -> str:
        return str(self.proto_desc)


class MultiTrainer(TrainerDesc):
    """The description of several threads that train on parameters that they share.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.device_worker import Hogwild
        >>> from paddle_compat.base.trainer_desc import MultiTrainer
        >>> trainer, worker = MultiTrainer(), Hogwild()
        >>> worker._set_program(paddle.static.Program())
        >>> trainer._set_device_worker(worker)
        >>> trainer._gen_trainer_desc()
        >>> print(trainer)
        class_name: "MultiTrainer"
        device_worker_name: "HogwildWorker"
        thread_num: 2

    Follows Paddle 1.8 and 2.6.
    """

    def _gen_trainer_desc(self) -> None:
        self.proto_desc.class_name = type(self).__name__
        self._device_worker._set_infer(self._infer)
        self._device_worker._gen_worker_desc(self.proto_desc)


class DistMultiTrainer(MultiTrainer):
    """The description of several threads whose parameters a job's servers hold.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.base.device_worker import Hogwild
        >>> from paddle_compat.base.trainer_desc import DistMultiTrainer
        >>> trainer, worker = DistMultiTrainer(), Hogwild()
        >>> worker._set_program(paddle.static.Program())
        >>> trainer._set_device_worker(worker)
        >>> trainer._gen_trainer_desc()
        >>> print(str(trainer).splitlines()[0])
        class_name: "DistMultiTrainer"

    Follows Paddle 1.8 and 2.6.
    """


__all__ = ["DistMultiTrainer", "MultiTrainer", "TrainerDesc"]

__getattr__ = missing(__name__)
