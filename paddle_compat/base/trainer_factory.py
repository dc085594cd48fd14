"""`paddle.base.trainer_factory`: descriptions of trainers by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.base.device_worker import DeviceWorkerFactory
from paddle_compat.base.trainer_desc import MultiTrainer, TrainerDesc
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.static.fetch_handler import FetchHandler as FetchHandler
from paddle_compat.static.fetch_handler import FetchHandlerMonitor


class TrainerFactory:
    """Makes the description of a trainer.

    Example:
        >>> from paddle_compat.base.trainer_factory import TrainerFactory
        >>> type(TrainerFactory()._create_trainer()).__name__
        'MultiTrainer'

    Follows Paddle 1.8 and 2.6.
    """

    def _create_trainer(self, opt_info: Mapping[str, Any] | None = None) -> TrainerDesc:
        names = opt_info or {"trainer": "MultiTrainer", "device_worker": "Hogwild"}
        if names["trainer"] in ("DistMultiTrainer", "PipelineTrainer") or names["device_worker"] in (
            "DownpourSGD",
            "DownpourSGDOPT",
            "Section",
        ):
            raise UnsupportedError("TrainerFactory", f"{names['trainer']} with {names['device_worker']}", "MultiTrainer with Hogwild")
        trainer = {"MultiTrainer": MultiTrainer}[names["trainer"]]()
        trainer._set_device_worker(DeviceWorkerFactory()._create_device_worker(names["device_worker"]))
        return trainer


__all__ = ["FetchHandlerMonitor", "TrainerFactory"]

__getattr__ = missing(__name__)
