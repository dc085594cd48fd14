"""DC-ASGD: what servers remember to correct gradients that come late, by how far a parameter has moved since the trainer got it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import torch

from paddle_compat.core.operator import Operator

_TRAINER = "@TRAINER_ID@"


class LateGradients:
    """The parameters as each trainer got them last.

    Args:
        listener: a server's `listen_and_serv`, whose blocks ask for them with `ref_by_trainer_id`.
        parameters: as they are now.
    """

    def __init__(self, listener: Operator, parameters: Mapping[str, torch.Tensor]) -> None:
        self.parameters = parameters
        askers = [op for block in listener.attrs["optimize_blocks"] for op in block.ops if op.type == "ref_by_trainer_id"]
        self.places = {op.input("X")[0].removesuffix(".trainer_0_bak"): op.input("X") for op in askers}
        self.former: dict[tuple[int, str], torch.Tensor] = {}

    def note(self, trainer: int, names: Iterable[str]) -> None:
        """A trainer gets parameters."""
        for name in self.places.keys() & set(names):
            self.former[trainer, name] = self.parameters[name].detach().clone()

    def feed(self, trainer: int) -> dict[str, torch.Tensor]:
        """What blocks read when a trainer's gradients have come; it got nothing: the parameters have not moved for it."""
        if not self.places:
            return {}
        found = {_TRAINER: torch.tensor([trainer])}
        for name, places in self.places.items():
            value = self.former.get((trainer, name), self.parameters[name])
            found.update(dict.fromkeys(places, value))
        return found
