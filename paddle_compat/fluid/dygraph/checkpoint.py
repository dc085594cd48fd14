"""`paddle.fluid.dygraph.checkpoint`: state dicts in files."""

from __future__ import annotations

import os
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.errors import PreconditionNotMetError, failed_assertion
from paddle_compat.core.pickles import load_pickle, save_pickle
from paddle_compat.core.tensor import EagerParamBase, Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.dygraph import _eager

_NAMES = "StructuredToParameterName@@"  # the key under which a file says what the parameters are called


def save_dygraph(state_dict: dict[str, Any], model_path: str) -> None:
    """Write a state dict: ``<model_path>.pdparams`` if it begins with a parameter, else ``<model_path>.pdopt``.

    Args:
        state_dict (dict): what `Layer.state_dict` or an optimizer's `state_dict` returned.
        model_path (str): folder and first part of the file's name; the folder is made.
    Raises:
        AssertionError: there is nothing to save, or no file name.

    Example:
        >>> import tempfile, os, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard(), tempfile.TemporaryDirectory() as folder:
        ...     fluid.save_dygraph(fluid.dygraph.Linear(2, 3).state_dict(), os.path.join(folder, "net"))
        ...     os.listdir(folder)
        ['net.pdparams']

    Follows Paddle 1.8.
    """
    if not os.path.basename(model_path):
        raise failed_assertion("model_path", "a folder and a file name", model_path, "save_dygraph")
    if not len(state_dict):
        raise failed_assertion("state_dict", "something to save", state_dict, "save_dygraph")
    asked = [*state_dict.values()][: 1 if _eager.first_age() else None]  # Paddle 1.8 looks at the first one alone
    suffix = ".pdparams" if any(isinstance(value, EagerParamBase) for value in asked) else ".pdopt"
    named = {key: value for key, value in state_dict.items() if isinstance(value, (Tensor, Variable))}
    plain = {key: value.numpy() if key in named else value for key, value in state_dict.items()}
    plain[_NAMES] = {key: value.name for key, value in named.items()}
    folder = os.path.dirname(model_path)
    if folder:
        os.makedirs(folder, exist_ok=True)
    save_pickle(plain, model_path + suffix, protocol=2)


def load_dygraph(model_path: str, keep_name_table: bool = False) -> tuple[Any, Any]:
    """Read what `save_dygraph` or `fluid.save` wrote.

    Args:
        model_path (str): folder and first part of the files' names.
        keep_name_table (bool): leave the table of the parameters' names in.
    Returns:
        tuple: the dict of ``.pdparams``, and that of ``.pdopt`` (None if there is no such file).
    Raises:
        AssertionError: eager mode is off.
        PreconditionNotMetError: there is no such file.

    Example:
        >>> import tempfile, os, paddle_compat.fluid as fluid
        >>> with fluid.dygraph.guard(), tempfile.TemporaryDirectory() as folder:
        ...     fluid.save_dygraph(fluid.dygraph.Linear(2, 3).state_dict(), os.path.join(folder, "net"))
        ...     parameters, state = fluid.load_dygraph(os.path.join(folder, "net"))
        ...     list(parameters), state
        (['weight', 'bias'], None)

    Follows Paddle 1.8.
    """
    if mode._static is not False:
        raise failed_assertion("model_path", "eager mode, inside fluid.dygraph.guard()", "static mode", "load_dygraph")
    prefix = model_path
    for suffix in (".pdparams", ".pdopt"):
        prefix = prefix.removesuffix(suffix)
    if not os.path.exists(prefix + ".pdparams"):
        raise PreconditionNotMetError(f"There is no parameter file. Expected `{prefix}.pdparams`. Received: model_path={model_path!r}")
    parameters = load_pickle(prefix + ".pdparams")
    if not keep_name_table and isinstance(parameters, dict):
        parameters.pop(_NAMES, None)
    return parameters, load_pickle(prefix + ".pdopt") if os.path.exists(prefix + ".pdopt") else None


__all__ = ["load_dygraph", "save_dygraph"]

__getattr__ = missing(__name__)
