"""The day and the pass that an InMemoryDataset is read for, as jobs that train on one day after another say them."""

from __future__ import annotations

from paddle_compat.core.errors import type_error


class PassesOverDays:
    """What Paddle keeps of them: on a CPU nothing hangs on it."""

    trainer_num = -1
    pass_id = 0

    def set_date(self, date: str) -> None:
        """Say which day the samples are of.

        Args:
            date (str): year, month and day, such as "20211111".
        Raises:
            ValueError: that is no number.
        """
        for part in (date[:4], date[4:6], date[6:]):
            int(part)

    def set_pass_id(self, pass_id: int) -> None:
        """Say which pass over the samples begins.

        Args:
            pass_id (int): the number of the pass.
        Raises:
            TypeError: that is no int.
        """
        if not isinstance(pass_id, int):
            raise type_error("pass_id", "an int", pass_id, "InMemoryDataset.set_pass_id")
        self.pass_id = pass_id

    def get_pass_id(self) -> int:
        """Which pass was said last; 0 before.

        Returns:
            int.
        """
        return self.pass_id

    def _set_trainer_num(self, trainer_num: int) -> None:
        self.trainer_num = trainer_num
