"""The exceptions of paddle_compat (see `core.errors` for the tree)."""

from paddle_compat.core.errors import *  # noqa: F403
