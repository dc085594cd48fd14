"""`paddle_compat.migrate`: the way from Paddle to PyTorch, a piece at a time. Real Paddle has none of this.

Tensors and torch tensors, Layers and torch modules stand for each other, with one memory and one gradient, so that either side trains what
the other side made; and what has arrived is written out as a program of torch's own, which needs this package no more.
"""

from paddle_compat.migrate._bridge import LayerModule, ModuleLayer, as_layer, as_module, from_torch, to_torch
from paddle_compat.migrate._compare import compare
from paddle_compat.migrate._eject import eject
from paddle_compat.migrate._scan import Finding, scan

__all__ = ["Finding", "LayerModule", "ModuleLayer", "as_layer", "as_module", "compare", "eject", "from_torch", "scan", "to_torch"]
