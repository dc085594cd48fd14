"""`paddle.fluid.optimizer`: what updates parameters from their gradients, as Paddle 1.8 does it."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.fluid._averages import (
    ExponentialMovingAverage,
    LookaheadOptimizer,
    ModelAverage,
    RecomputeOptimizer,
)
from paddle_compat.fluid._compressed import DGCMomentumOptimizer
from paddle_compat.fluid._optimizer_base import Optimizer as Optimizer  # a base for scripts, not in __all__
from paddle_compat.fluid._optimizers import (
    AdadeltaOptimizer,
    AdagradOptimizer,
    AdamaxOptimizer,
    AdamOptimizer,
    DecayedAdagradOptimizer,
    DpsgdOptimizer,
    FtrlOptimizer,
    LambOptimizer,
    LarsMomentumOptimizer,
    MomentumOptimizer,
    RMSPropOptimizer,
    SGDOptimizer,
)
from paddle_compat.fluid._pipeline import PipelineOptimizer
from paddle_compat.fluid.dygraph.learning_rate_scheduler import LearningRateDecay, _LearningRateEpochDecay  # noqa: F401

SGD = SGDOptimizer
Momentum = MomentumOptimizer
Adagrad = AdagradOptimizer
Adam = AdamOptimizer
Adamax = AdamaxOptimizer
Dpsgd = DpsgdOptimizer
DecayedAdagrad = DecayedAdagradOptimizer
Adadelta = AdadeltaOptimizer
RMSProp = RMSPropOptimizer
Ftrl = FtrlOptimizer
LarsMomentum = LarsMomentumOptimizer
Lamb = LambOptimizer

__all__ = [
    "Adadelta", "AdadeltaOptimizer", "Adagrad", "AdagradOptimizer", "Adam", "AdamOptimizer", "Adamax",
    "AdamaxOptimizer", "DGCMomentumOptimizer", "DecayedAdagrad", "DecayedAdagradOptimizer", "Dpsgd", "DpsgdOptimizer",
    "ExponentialMovingAverage", "Ftrl", "FtrlOptimizer", "LambOptimizer", "LarsMomentum", "LarsMomentumOptimizer",
    "LookaheadOptimizer", "ModelAverage", "Momentum", "MomentumOptimizer", "PipelineOptimizer", "RMSPropOptimizer", "RecomputeOptimizer",
    "SGD", "SGDOptimizer",
]  # fmt: skip

__getattr__ = missing(__name__)
