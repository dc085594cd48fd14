"""`paddle.fluid.dataloader`: datasets and batch samplers of Paddle 1.8, and what 2.0 to 2.4 keep beside them."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "batch_sampler": ("BatchSampler",),
        "dataset": (
            "ChainDataset", "ComposeDataset", "ConcatDataset", "Dataset", "IterableDataset", "Subset", "TensorDataset", "random_split",
        ),
        "sampler": ("RandomSampler", "Sampler", "SequenceSampler", "SubsetRandomSampler", "WeightedRandomSampler"),
        "worker": ("get_worker_info",),
    },
)  # fmt: skip
