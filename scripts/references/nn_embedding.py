"""Cases of the look-up operators."""

from __future__ import annotations

from typing import Any

import numpy as np
from nn_cases import case, integers, normal

W, IDS = normal(7, 3), integers(4, 5, high=7)


def lookup(ids: Any, type_: str = "lookup_table_v2", **attrs: Any) -> Any:
    """A look-up in a table of 7 rows."""
    return case(type_, {"W": W, "Ids": ids}, dict({"padding_idx": -1}, **attrs), ("W",))


CASES: dict[str, Any] = {
    "lookup_table": lookup(IDS.reshape(20, 1), "lookup_table"),
    "lookup_table_deep": lookup(IDS[:, :, None], "lookup_table"),
    "lookup_table_padding": lookup(IDS.reshape(20, 1), "lookup_table", padding_idx=2),
    "lookup_table_v2": lookup(IDS),
    "lookup_table_v2_flat": lookup(IDS.reshape(20)),
    "lookup_table_v2_padding": lookup(IDS, padding_idx=2),
    "lookup_table_v2_int32": dict(lookup(IDS.astype("int32")), wheels=("2.6.2",)),
    "cvm": case("cvm", {"X": abs(normal(4, 6)), "CVM": abs(normal(4, 2))}, {"use_cvm": True}, ("X",)),
    "cvm_off": case("cvm", {"X": abs(normal(4, 6)), "CVM": abs(normal(4, 2))}, {"use_cvm": False}, ("X",)),
    "bilinear_tensor_product": case(
        "bilinear_tensor_product",
        {"X": normal(4, 3), "Y": normal(4, 5), "Weight": normal(2, 3, 5), "Bias": normal(1, 2)},
        {},
        ("X", "Y", "Weight", "Bias"),
    ),
    "fsp": case("fsp", {"X": normal(2, 3, 4, 5), "Y": normal(2, 2, 4, 5)}, {}, ("X", "Y")),
    "add_position_encoding": case("add_position_encoding", {"X": normal(2, 5, 6)}, {"alpha": 0.7, "beta": 1.3}, ("X",)),
    "hierarchical_sigmoid": case(
        "hierarchical_sigmoid",
        {"X": normal(4, 3), "W": normal(5, 3, seed=1), "Label": integers(4, 1, high=6), "Bias": normal(5, 1, seed=2)},
        {"num_classes": 6},
        ("X", "W", "Bias"),
        ("Out",),
    ),
    "hierarchical_sigmoid_custom": case(
        "hierarchical_sigmoid",
        {
            "X": normal(2, 3),
            "W": normal(5, 3, seed=1),
            "Label": integers(2, 1, high=6),
            "PathTable": np.array([[0, 2, -1, -1], [0, 1, 4, 3]]),
            "PathCode": np.array([[0, 1, -1, -1], [1, 0, 1, 1]]),
        },
        {"num_classes": 6},
        ("X", "W"),
        ("Out",),
    ),
}
