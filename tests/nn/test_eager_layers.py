"""`nn.Layer` in eager mode: every member, rule of assignment, hook and state dict, as the wheel answers."""

from __future__ import annotations

import pytest
from eager_replay import recorded, replay

# These wait for members of Tensor.
WAITING = {
    "a_hook_of_a_list_result", "gradients_cleared", "gradients_of_frozen_parts", "setting_numpy_states",
    "setting_states_of_other_types", "converted_layers_train", "copying", "copying_a_parameter",
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name in recorded("eager_layers") if name not in WAITING])
def test_layer(name: str) -> None:
    replay("eager_layer_cases", "eager_layers", name)
