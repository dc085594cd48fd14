"""`paddle.onnx`: networks as ONNX models."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.onnx.export import export

__all__ = ["export"]

__getattr__ = missing(__name__)
