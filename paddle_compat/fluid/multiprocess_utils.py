"""`paddle.fluid.multiprocess_utils`: the module of `paddle.io`."""

from paddle_compat._missing import missing
from paddle_compat.io.multiprocess_utils import (
    CleanupFuncRegistrar as CleanupFuncRegistrar,
)
from paddle_compat.io.multiprocess_utils import (
    _cleanup as _cleanup,
)
from paddle_compat.io.multiprocess_utils import (
    _cleanup_mmap as _cleanup_mmap,
)
from paddle_compat.io.multiprocess_utils import (
    _clear_multiprocess_queue_set as _clear_multiprocess_queue_set,
)
from paddle_compat.io.multiprocess_utils import (
    _set_SIGCHLD_handler as _set_SIGCHLD_handler,
)
from paddle_compat.io.multiprocess_utils import (
    multiprocess_queue_set as multiprocess_queue_set,
)

__all__: list[str] = []

__getattr__ = missing(__name__)
