"""`paddle.io.dataloader.flat`: a batch as the list of its arrays and the form that they had, and back."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.io.dataloader.collate import restructured

FIELD_PREFIX = "_paddle_field_"


def _flatten_batch(batch: Any) -> tuple[list[Any], Any]:
    """The arrays and tensors of a batch, and its form, in which names stand for them."""
    found: list[Any] = []

    def name_of(leaf: Any) -> str:
        found.append(leaf)
        return f"{FIELD_PREFIX}{len(found) - 1}"

    form = restructured(batch, name_of)
    return found, form


def _restore_batch(flat_batch: list[Any], structure: Any) -> Any:
    """The batch of the arrays and the form that `_flatten_batch` gave."""
    if isinstance(structure, str) and structure.startswith(FIELD_PREFIX):
        return flat_batch[int(structure[len(FIELD_PREFIX) :])]
    if isinstance(structure, dict):
        return {key: _restore_batch(flat_batch, value) for key, value in structure.items()}
    return [_restore_batch(flat_batch, value) for value in structure] if isinstance(structure, list) else structure


__all__: list[str] = []

__getattr__ = missing(__name__)
