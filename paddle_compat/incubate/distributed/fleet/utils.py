"""`paddle.incubate.distributed.fleet.utils`: Programs and models in files, and whether they load and run."""

from paddle_compat._missing import missing
from paddle_compat.incubate.distributed.fleet._program_files import (
    check_pruned_program_vars,
    load_program,
    load_program_binary,
    load_program_text,
    logger,
    program_type_trans,
    save_program,
)
from paddle_compat.incubate.distributed.fleet._saved_models import (
    append_load_op,
    append_save_op,
    check_not_expected_ops,
    check_saved_vars_try_dump,
    feed_fetch_type_list,
    feed_gen,
    load_var,
    not_expected_op_types,
    reader,
    save_var,
    try_load_model_vars,
)

__all__ = [
    "append_load_op",
    "append_save_op",
    "check_not_expected_ops",
    "check_pruned_program_vars",
    "check_saved_vars_try_dump",
    "feed_fetch_type_list",
    "feed_gen",
    "load_program",
    "load_program_binary",
    "load_program_text",
    "load_var",
    "logger",
    "not_expected_op_types",
    "program_type_trans",
    "reader",
    "save_program",
    "save_var",
    "try_load_model_vars",
]
__getattr__ = missing(__name__)
