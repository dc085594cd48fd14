"""`paddle.distributed.fleet.dataset`: datasets of files, which `Executor.train_from_dataset` trains on."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, _ = lazy(
    __name__, {"dataset": ("BoxPSDataset", "DatasetBase", "FileInstantDataset", "InMemoryDataset", "QueueDataset")}
)
__all__: list[str] = []
