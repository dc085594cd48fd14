"""`paddle.optimizer`: what updates parameters from their gradients, and `lr`, the schedules of learning rates."""

from __future__ import annotations

from paddle_compat._lazy import modules
from paddle_compat._missing import missing
from paddle_compat.optimizer import lr
from paddle_compat.optimizer._adam import Adam, Adamax, AdamW, Lamb
from paddle_compat.optimizer._adaptive import Adadelta, Adagrad, RMSProp
from paddle_compat.optimizer._momentum import SGD, Momentum
from paddle_compat.optimizer._paddle3 import ASGD, NAdam, RAdam, Rprop
from paddle_compat.optimizer.lbfgs import LBFGS
from paddle_compat.optimizer.optimizer import Optimizer

__all__ = [
    "ASGD", "LBFGS", "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "Lamb", "Momentum", "NAdam", "Optimizer", "RAdam", "RMSProp",
    "Rprop", "SGD",
]  # fmt: skip

__getattr__ = missing(__name__)

modules(__name__, {"asgd": ("ASGD",), "nadam": ("NAdam",), "radam": ("RAdam",), "rprop": ("Rprop",)})
