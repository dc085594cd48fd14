"""`python -m paddle.distributed.launch`: starts the processes of a job over torchrun's elastic agent. See docs/distributed.md."""

from paddle_compat._missing import missing

__getattr__ = missing(__name__)
