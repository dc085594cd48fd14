"""What a `DistributedStrategy` says of a job's tables: how its two dicts, of 2.6 and of PSLib, become messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from paddle_compat.distributed.fleet.base._messages import SCHEMA, Message, fields

_CLASSES = {"DownpourSparseTable": "MemorySparseTable", "DownpourSparseSSDTable": "SSDSparseTable"}
_ACCESSORS = {
    "DownpourSparseValueAccessor": "CtrCommonAccessor", "DownpourCtrAccessor": "CtrCommonAccessor",
    "DownpourCtrDoubleAccessor": "CtrDoubleAccessor", "DownpourUnitAccessor": "CtrCommonAccessor",
    "DownpourDoubleUnitAccessor": "CtrDoubleAccessor", "DownpourCtrDymfAccessor": "CtrDymfAccessor",
}  # fmt: skip
_ONE_RULE = ("DownpourCtrAccessor", "DownpourCtrDoubleAccessor")  # for the first number of a row and the others
# PSLib's name -> the field and what it is by default
_TABLE = {
    "sparse_shard_num": ("shard_num", 1000), "sparse_enable_cache": ("enable_sparse_table_cache", True),
    "sparse_cache_rate": ("sparse_table_cache_rate", 0.00055), "sparse_cache_file_num": ("sparse_table_cache_file_num", 16),
}  # fmt: skip
_COUNTS = {
    "sparse_nonclk_coeff": ("nonclk_coeff", 0.1), "sparse_click_coeff": ("click_coeff", 1),
    "sparse_base_threshold": ("base_threshold", 1.5),
    "sparse_delta_threshold": ("delta_threshold", 0.25), "sparse_delta_keep_days": ("delta_keep_days", 16),
    "sparse_show_click_decay_rate": ("show_click_decay_rate", 0.98), "sparse_delete_threshold": ("delete_threshold", 0.8),
    "sparse_delete_after_unseen_days": ("delete_after_unseen_days", 30), "sparse_ssd_unseenday_threshold": ("ssd_unseenday_threshold", 1),
    "sparse_load_filter_slots": ("load_filter_slots", ()), "sparse_save_filter_slots": ("save_filter_slots", ()),
}  # fmt: skip
# a rule's name -> the message's name of it, its part of the message, and what that holds by default
_ADAGRAD = {"learning_rate": 0.05, "initial_range": 1e-4, "initial_g2sum": 3}
_ADAM = {"learning_rate": 0.001, "initial_range": 1e-4, "beta1_decay_rate": 0.9, "beta2_decay_rate": 0.999, "ada_epsilon": 1e-8}
_RULES: dict[str, tuple[str, str, dict[str, float]]] = {
    "naive": ("SparseNaiveSGDRule", "naive", {"learning_rate": 0.05, "initial_range": 1e-4}),
    "adagrad": ("SparseAdaGradSGDRule", "adagrad", _ADAGRAD),
    "adagrad_v2": ("SparseAdaGradV2SGDRule", "adagrad", _ADAGRAD),
    "std_adagrad": ("StdAdaGradSGDRule", "adagrad", _ADAGRAD),
    "adam": ("SparseAdamSGDRule", "adam", _ADAM),
    "shared_adam": ("SparseSharedAdamSGDRule", "adam", _ADAM),
}
_OPTIMIZER = ("optimizer", "learning_rate", "weight_bounds", "initial_range", "initial_g2sum", "beta1_decay_rate", "beta2_decay_rate")
_KNOWN = {
    "sparse_table_class", "sparse_compress_in_save", "sparse_accessor_class", "sparse_fea_dim", "sparse_embedx_dim",
    "sparse_embedx_threshold", "sparse_converter", "sparse_deconverter", "sparse_ada_epsilon", "feature_learning_rate", "nodeid_slot",
    *_TABLE, *_COUNTS, *(f"{prefix}sparse_{name}" for prefix in ("", "embed_", "embedx_") for name in _OPTIMIZER),
}  # fmt: skip


def add_tables(tables: list[Message], configs: Mapping[str, Mapping[str, Any]]) -> None:
    """Put tables behind those that a strategy has, as `sparse_table_configs` says them: by `table_parameters.NAME.FIELD.FIELD`.

    Args:
        tables: the strategy's.
        configs: by a table's name its fields; others are passed over.
    Raises:
        TypeError, ValueError: a value that a field does not take.
    """
    for name, given in configs.items():
        table = Message("TableParameter")
        table.table_name = name
        _set(table, f"table_parameters.{name}", given)
        tables.append(table)


def _set(message: Message, name: str, given: Mapping[str, Any], index: int = 0) -> None:
    for field in fields(message._kind).values():
        path = f"{name}.{field.name}"
        if field.kind in SCHEMA:
            if not field.repeated:
                _set(getattr(message, field.name), path, given)
            for number in range(given.get(f"{path}.num", 0) if field.repeated else 0):
                made = Message(field.kind)
                _set(made, path, given, number)
                getattr(message, field.name).append(made)
        elif path in given:
            value = given[path]
            message.assign(field.name, value[index] if isinstance(value, list) and not field.repeated else value)


def describe_tables(tables: list[Message], configs: Mapping[str, Any]) -> None:
    """Put tables behind those that a strategy has, as `fleet_desc_configs` says them: by the names of PSLib.

    Args:
        tables: the strategy's.
        configs: by a table's name what is said of it, all else as PSLib has it by default; what is no dict is passed over.
    Raises:
        ValueError: a name or a class that there is not.
    """
    for name, given in configs.items():
        if name not in ("dense_table", "datanorm_table") and isinstance(given, dict):
            tables.append(_described(name, given, bool(configs.get("use_cvm", True))))


def _described(name: str, given: Mapping[str, Any], counts: bool) -> Message:
    for key in given:
        if key not in _KNOWN:
            raise ValueError(f"strategy key '{key}' not support")
    table = Message("TableParameter")
    kind = _one_of(given, "sparse_table_class", list(_CLASSES), "DownpourSparseTable")
    table.table_name, table.table_class = name, _CLASSES[kind]
    _take(table, _TABLE, given)
    found, kind = table.accessor, _one_of(given, "sparse_accessor_class", list(_ACCESSORS), "DownpourCtrAccessor")
    found.accessor_class = _ACCESSORS[kind] if counts else "SparseAccessor"
    found.embedx_dim = given.get("sparse_embedx_dim", 8)
    found.fea_dim = found.embedx_dim + 3
    found.embedx_threshold = given.get("sparse_embedx_threshold", 10)
    found.ctr_accessor_param.show_scale = kind != "DownpourUnitAccessor"
    _take(found.ctr_accessor_param, _COUNTS, given)
    names = {"converter": given.get("sparse_converter", ""), "deconverter": given.get("sparse_deconverter", "")}
    found.extend("table_accessor_save_param", [{"param": number, **names} for number in (1, 2)])
    for part in ("embed_", "embedx_"):
        _take_rule(getattr(found, f"{part}sgd_param"), given, "" if kind in _ONE_RULE else part)
    graph = {name: (name, default) for name, default in (("feature_learning_rate", 0.05), ("nodeid_slot", 9008))}
    _take(found.graph_sgd_param, graph, given)
    return table


def _one_of(given: Mapping[str, Any], key: str, known: Sequence[str], default: str) -> str:
    value = given.get(key, default)
    if value not in known:
        raise ValueError(f"support {key}: {known}, but actual {value}")
    return str(value)


def _take(message: Message, table: Mapping[str, tuple[str, Any]], given: Mapping[str, Any]) -> None:
    for key, (field, default) in table.items():
        message.assign(field, given.get(key, default))


def _take_rule(message: Message, given: Mapping[str, Any], prefix: str) -> None:
    chosen = given.get(f"{prefix}sparse_optimizer", "adagrad")
    if chosen not in _RULES:
        message.name = chosen
        return
    message.name, part, defaults = _RULES[chosen]
    held = getattr(message, part)
    for name, default in defaults.items():
        starts_at_zero = name == "initial_range" and prefix == "embed_" and part == "adagrad"
        # PSLib has one epsilon for both parts of a row
        key = "sparse_ada_epsilon" if name == "ada_epsilon" else f"{prefix}sparse_{name}"
        held.assign(name, 0 if starts_at_zero else given.get(key, default))
    held.extend("weight_bounds", given.get(f"{prefix}sparse_weight_bounds", [-10, 10]))
