"""`paddle.fluid.dataloader.dataset`; Paddle 1.8 has `Dataset` only, 2.0 to 2.4 all of them."""

from paddle_compat._missing import missing
from paddle_compat.io.dataloader.dataset import (
    ChainDataset,
    ComposeDataset,
    ConcatDataset,
    Dataset,
    IterableDataset,
    Subset,
    TensorDataset,
    random_split,
)

__all__ = [
    "ChainDataset", "ComposeDataset", "ConcatDataset", "Dataset", "IterableDataset", "Subset", "TensorDataset", "random_split",
]  # fmt: skip

__getattr__ = missing(__name__)
