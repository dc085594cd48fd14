"""What layers hand out as their state, and take back."""

from __future__ import annotations

import collections
import warnings
from typing import Any

import numpy as np

from paddle_compat.nn.layer._casts import Casts


def _cut_off(value: Any) -> Any:
    """A parameter's or buffer's memory without its part in gradients."""
    apart = value.detach()
    apart.persistable = value.persistable
    return apart


class States(Casts):
    """What a layer has to give and take state dicts."""

    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    _non_persistable_buffer_names_set: set[str]
    _state_dict_hooks: dict[int, Any]

    def state_dict(
        self, destination: Any = None, include_sublayers: bool | str = True, structured_name_prefix: str | bool = "", use_hook: bool = True,
        keep_vars: bool | None = None, *, prefix: str | None = None, include_non_persistable_buffer: bool = False,
    ) -> Any:  # fmt: skip
        """Parameters and persistable buffers by their dotted names.

        Paddle 3 takes torch's ``state_dict(destination, prefix, keep_vars)``, too.

        Args:
            destination: a dict whose entries come first; a layer without sublayers fills it. None: a new one.
            include_sublayers: those of sublayers too.
            structured_name_prefix: goes before every name.
            use_hook: let registered hooks see it.
            keep_vars: since Paddle 3; False for tensors on the same memory that take no part in gradients, torch's default.
            prefix: since Paddle 3; torch's name for `structured_name_prefix`.
            include_non_persistable_buffer: since Paddle 3; the other buffers, too.
        Returns:
            An ordered dict of name and tensor.

        Example:
            >>> import paddle_compat as paddle
            >>> {name: value.shape for name, value in paddle.nn.Linear(2, 3).state_dict().items()}
            {'weight': [2, 3], 'bias': [3]}
            >>> list(paddle.nn.Linear(2, 3).state_dict(prefix="fc."))
            ['fc.weight', 'fc.bias']
        """
        if isinstance(include_sublayers, str):
            prefix, keep_vars = include_sublayers, bool(structured_name_prefix or keep_vars)
            include_sublayers = True
        if prefix is not None:
            structured_name_prefix, keep_vars = prefix, bool(keep_vars)
        kept = keep_vars is not False
        return self._state_dict_impl(destination, include_sublayers, structured_name_prefix, include_non_persistable_buffer, use_hook, kept)

    def to_static_state_dict(
        self, destination: Any = None, include_sublayers: bool = True, structured_name_prefix: str = "", use_hook: bool = True,
        keep_vars: bool = True,
    ) -> Any:  # fmt: skip
        """As `state_dict`, with buffers that are not persistable too.

        Args:
            destination: a dict whose entries come first; a layer without sublayers fills it. None: a new one.
            include_sublayers: those of sublayers too.
            structured_name_prefix: goes before every name.
            use_hook: let registered hooks see it.
            keep_vars: since Paddle 3; False for tensors on the same memory that take no part in gradients.
        Returns:
            An ordered dict of name and tensor.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.Layer()
            >>> net.register_buffer("scratch", paddle.zeros([1]), persistable=False)
            >>> list(net.state_dict()), list(net.to_static_state_dict())
            ([], ['scratch'])
        """
        return self._state_dict_impl(destination, include_sublayers, structured_name_prefix, True, use_hook, keep_vars)

    def _state_dict_impl(
        self, destination: Any = None, include_sublayers: bool = True, structured_name_prefix: Any = "",
        include_non_persistable_buffer: bool = False, use_hook: bool = True, keep_vars: bool = True,
    ) -> Any:  # fmt: skip
        if destination is None:
            destination = collections.OrderedDict()
        for name, value in self._parameters.items():
            if value is not None:
                destination[structured_name_prefix + name] = value if keep_vars else _cut_off(value)
        for name, value in self._buffers.items():
            if value is not None and (include_non_persistable_buffer or name not in self._non_persistable_buffer_names_set):
                destination[structured_name_prefix + name] = value if keep_vars else _cut_off(value)
        if include_sublayers and self._sub_layers:
            destination = destination.copy()  # a sublayer's hooks see what is there, and what they return comes beside it, as in Paddle
            for name, layer in self._sub_layers.items():
                if layer is not None:
                    prefix = f"{structured_name_prefix}{name}."
                    destination.update(
                        layer._state_dict_impl(destination, include_sublayers, prefix, include_non_persistable_buffer, use_hook, keep_vars)
                    )
        if use_hook:
            for hook in self._state_dict_hooks.values():
                changed = hook(destination)
                if changed is not None:
                    destination = changed
        return destination

    def sharded_state_dict(self, structured_name_prefix: str = "") -> dict[str, Any]:
        """The state with where each Tensor lies in the whole: here, all of it.

        Args:
            structured_name_prefix: stands in front of each name.
        Returns:
            The `ShardedWeight`s of `state_dict` by name.

        Example:
            >>> import paddle_compat as paddle
            >>> list(paddle.nn.Linear(2, 3).sharded_state_dict("fc."))
            ['fc.weight', 'fc.bias']
        """
        from paddle_compat.distributed.flex_checkpoint.dcp.sharded_weight import build_sharded_state_dict

        return build_sharded_state_dict(self.state_dict(), None, structured_name_prefix)

    def set_state_dict(self, state_dict: Any, use_structured_name: bool = True) -> tuple[list[str], list[str]]:
        """Set parameters and buffers from a state dict.

        Args:
            state_dict: name -> tensor or array.
            use_structured_name: the names are dotted ones, else those of the parameters.
        Returns:
            Names that are missing in the state dict, and names in it that the layer does not have.
        Raises:
            AttributeError: a value is neither tensor, array nor list.

        Example:
            >>> import paddle_compat as paddle
            >>> net = paddle.nn.Linear(2, 1)
            >>> net.set_state_dict({"weight": paddle.ones([2, 1]), "gamma": paddle.ones([1])})
            (['bias'], ['gamma'])
            >>> net.weight.tolist()
            [[1.0], [1.0]]
        """
        own = self._state_dict_impl(use_hook=False)  # all that the layer has, whatever a `state_dict` of its own leaves out
        fitting, missing = [], []
        used: set[str] = set()
        for key, target in own.items():
            name = key if use_structured_name else target.name
            source = state_dict.get(name)
            if source is None:
                warnings.warn(f"Skip loading for {key}. {name} is not found in the provided dict.", stacklevel=2)
                missing.append(name)
                continue
            shape = list(np.shape(source) if isinstance(source, (list, tuple)) else source.shape)
            if shape != list(target.shape):
                warnings.warn(
                    f"Skip loading for {key}. {key} receives a shape {shape}, but the expected shape is {list(target.shape)}.", stacklevel=2
                )
                missing.append(name)
                continue
            used.add(name)
            fitting.append((target, source))
        for target, source in fitting:
            target.set_value(source)
        return missing, [name for name in state_dict if name not in used]

    set_dict = set_state_dict
    load_dict = set_state_dict
