"""`paddle.fluid.device_worker`: how a thread that trains from a dataset works, as Paddle describes it."""

from paddle_compat._missing import missing
from paddle_compat.base.device_worker import DeviceWorker, Hogwild
from paddle_compat.base.device_worker import DeviceWorkerFactory as DeviceWorkerFactory

__all__ = ["DeviceWorker", "Hogwild"]

__getattr__ = missing(__name__)
