"""`paddle.io.dataloader`: what `paddle.io` is made of."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "batch_sampler": ("BatchSampler", "DistributedBatchSampler"),
        "dataset": (
            "ChainDataset", "ComposeDataset", "ConcatDataset", "Dataset", "IterableDataset", "Subset", "TensorDataset", "random_split",
        ),
        "sampler": ("RandomSampler", "Sampler", "SequenceSampler", "SubsetRandomSampler", "WeightedRandomSampler"),
        "worker": ("get_worker_info",),
    },
)  # fmt: skip
