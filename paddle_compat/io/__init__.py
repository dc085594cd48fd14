"""`paddle.io`: datasets, samplers, and the loader that makes batches of them."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "dataloader.batch_sampler": ("BatchSampler", "DistributedBatchSampler"),
        "dataloader.dataset": (
            "ChainDataset", "ComposeDataset", "ConcatDataset", "Dataset", "IterableDataset", "Subset", "TensorDataset", "random_split",
        ),
        "dataloader.sampler": ("RandomSampler", "Sampler", "SequenceSampler", "SubsetRandomSampler", "WeightedRandomSampler"),
        "dataloader.worker": ("get_worker_info",),
        "reader": ("DataLoader",),
    },
)  # fmt: skip
