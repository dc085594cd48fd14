"""`paddle.fluid.dataset`: datasets of files, which `Executor.train_from_dataset` trains on."""

from paddle_compat._missing import missing
from paddle_compat.base.dataset import (
    BoxPSDataset as BoxPSDataset,
)
from paddle_compat.base.dataset import (
    DatasetBase as DatasetBase,
)
from paddle_compat.base.dataset import DatasetFactory, InMemoryDataset, QueueDataset
from paddle_compat.base.dataset import (
    FileInstantDataset as FileInstantDataset,
)

__all__ = ["DatasetFactory", "InMemoryDataset", "QueueDataset"]

__getattr__ = missing(__name__)
