"""`paddle.distributed.flex_checkpoint.dcp`: state of dist tensors in files, which other meshes can load."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(__name__, {"load_state_dict": (), "metadata": (), "save_state_dict": (), "utils": ()})
