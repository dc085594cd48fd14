"""What Paddle's recurrent operators keep for their gradients: activated gates and states, step by step, longest sequence first.

Nothing here needs them; a user may fetch them. They follow from what the operators were given and gave back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch

from paddle_compat.core.lod import LoD
from paddle_compat.ops._lod import need_lod, take
from paddle_compat.ops._recurrence import Activation, Steps, gru_weights

Tensor = torch.Tensor
Find = Callable[[str, str, str], Activation]  # an activation by name, argument, operator


class LstmParts(NamedTuple):
    """Gates (candidate, input, forget, output), activated cells and hidden states of all steps."""

    gates: Tensor
    cell: Tensor
    hidden: Tensor


def lstm_parts(
    find: Find, input: Tensor, h0: Tensor | None, c0: Tensor | None, weight: Tensor, bias: Tensor, out: Tensor, cell: Tensor,
    *, use_peepholes: bool = True, is_reverse: bool = False, gate_activation: str = "sigmoid", cell_activation: str = "tanh",
    candidate_activation: str = "tanh", input_lod: LoD | None = None, **_: Any,
) -> LstmParts:  # fmt: skip
    """What `lstm` and `lstmp` keep; `out` is what recurs."""
    steps = Steps(need_lod(input_lod, "Input", "lstm"), is_reverse)
    act, outer, inner = (
        find(kind, argument, "lstm")
        for kind, argument in (
            (gate_activation, "gate_activation"), (cell_activation, "cell_activation"), (candidate_activation, "candidate_activation"),
        )
    )  # fmt: skip
    size, flat = cell.shape[1], bias.reshape(-1)
    cells = take(cell, steps.rows)
    former, before = (
        steps.former(None if first is None else take(first, steps.order), x) for first, x in ((h0, take(out, steps.rows)), (c0, cells))
    )
    gates = take(input, steps.rows) + flat[: 4 * size] + former @ weight
    candidate, admit, keep, emit = gates.chunk(4, 1)
    if use_peepholes:
        into, forget, outof = flat[4 * size :].split(size)
        admit, keep, emit = admit + before * into, keep + before * forget, emit + cells * outof
    emit = act(emit)
    seen = outer(cells)
    return LstmParts(torch.cat([inner(candidate), act(admit), act(keep), emit], 1), seen, emit * seen)


class GruParts(NamedTuple):
    """Gates (update, reset, candidate), reset former states and states of all steps."""

    gates: Tensor
    kept: Tensor
    hidden: Tensor


def gru_parts(
    find: Find, input: Tensor, h0: Tensor | None, weight: Tensor, bias: Tensor | None, hidden: Tensor, *, activation: str = "tanh",
    gate_activation: str = "sigmoid", is_reverse: bool = False, input_lod: LoD | None = None, **_: Any,
) -> GruParts:  # fmt: skip
    """What `gru` keeps."""
    steps = Steps(need_lod(input_lod, "Input", "gru"), is_reverse)
    act, gate_act = find(activation, "activation", "gru"), find(gate_activation, "gate_activation", "gru")
    states, size = take(hidden, steps.rows), hidden.shape[1]
    former = steps.former(None if h0 is None else take(h0, steps.order), states)
    gates = take(input, steps.rows)
    if bias is not None:
        gates = gates + bias.reshape(-1)
    for_gates, for_candidate = gru_weights(weight)
    both = gate_act(gates[:, : 2 * size] + former @ for_gates)
    kept = both[:, size:] * former
    return GruParts(torch.cat([both, act(gates[:, 2 * size :] + kept @ for_candidate)], 1), kept, states)
