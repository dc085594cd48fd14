"""`paddle.distributed.flex_checkpoint.dcp.metadata`: what `paddle.distributed.checkpoint.metadata` has."""

from paddle_compat._missing import missing
from paddle_compat.distributed.checkpoint.metadata import LocalTensorIndex, LocalTensorMetadata, Metadata

__all__ = ["LocalTensorIndex", "LocalTensorMetadata", "Metadata"]
__getattr__ = missing(__name__)
