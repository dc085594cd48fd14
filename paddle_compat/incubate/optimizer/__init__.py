"""`paddle.incubate.optimizer`: optimizers around other optimizers."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.incubate.optimizer.gradient_merge import GradientMergeOptimizer
from paddle_compat.incubate.optimizer.lars_momentum import LarsMomentumOptimizer
from paddle_compat.incubate.optimizer.lbfgs import LBFGS
from paddle_compat.incubate.optimizer.lookahead import LookAhead
from paddle_compat.incubate.optimizer.modelaverage import ModelAverage
from paddle_compat.incubate.optimizer.pipeline import PipelineOptimizer
from paddle_compat.incubate.optimizer.recompute import RecomputeOptimizer

__all__ = ["LBFGS"]

__getattr__ = missing(__name__)
