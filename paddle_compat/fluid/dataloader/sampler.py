"""`paddle.fluid.dataloader.sampler`, as Paddle 2.0 to 2.4 have it."""

from paddle_compat._missing import missing
from paddle_compat.io.dataloader.sampler import RandomSampler, Sampler, SequenceSampler, SubsetRandomSampler, WeightedRandomSampler

__all__ = ["RandomSampler", "Sampler", "SequenceSampler", "SubsetRandomSampler", "WeightedRandomSampler"]

__getattr__ = missing(__name__)
