"""`paddle.fluid.trainer_desc`: what trains from a dataset, as Paddle describes it."""

from paddle_compat._missing import missing
from paddle_compat.base.trainer_desc import DistMultiTrainer, MultiTrainer, TrainerDesc

__all__ = ["DistMultiTrainer", "MultiTrainer", "TrainerDesc"]

__getattr__ = missing(__name__)
