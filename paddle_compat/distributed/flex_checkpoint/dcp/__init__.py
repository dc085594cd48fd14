"""`paddle.distributed.flex_checkpoint.dcp`: state of dist tensors in files, which other meshes can load."""

from paddle_compat._lazy import lazy

_FILES = ("load_state_dict", "metadata", "save_state_dict", "sharded_weight", "utils")
__getattr__, __dir__, __all__ = lazy(__name__, dict.fromkeys(_FILES, ()))
