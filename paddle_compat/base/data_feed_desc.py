"""`paddle.base.data_feed_desc`: the description of how MultiSlot files are read, from a file of protobuf's text."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.distributed.fleet.base._messages import Message
from paddle_compat.distributed.fleet.base._prototxt import read


class DataFeedDesc:
    """A description that a file holds, to change and to print.

    Args:
        proto_file (str): the file.
    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it holds no description.

    Example:
        >>> import tempfile, paddle_compat.fluid as fluid
        >>> with tempfile.NamedTemporaryFile("w") as file:
        ...     print('multi_slot_desc { slots { name: "words" type: "uint64" } }', file=file, flush=True)
        ...     feed = fluid.DataFeedDesc(file.name)
        >>> feed.set_batch_size(128)
        >>> feed.set_dense_slots(["words"]); feed.set_use_slots(["words"])
        >>> print(feed.desc())
        batch_size: 128
        multi_slot_desc {
          slots {
            name: "words"
            type: "uint64"
            is_dense: true
            is_used: true
          }
        }
        pipe_command: "cat"

    Follows Paddle 1.8 and 2.6.
    """

    def __init__(self, proto_file: str) -> None:
        self.proto_desc = Message("DataFeedDesc")
        self.proto_desc.pipe_command = "cat"
        with open(proto_file, encoding="utf-8") as file:
            read(file.read(), self.proto_desc)

    def set_batch_size(self, batch_size: int) -> None:
        """Say how many samples a batch has.

        Args:
            batch_size (int): the number.
        """
        self.proto_desc.batch_size = batch_size

    def set_dense_slots(self, dense_slots_name: list[str]) -> None:
        """Say which slots have as many values in each sample.

        Args:
            dense_slots_name (list): their names.
        Raises:
            KeyError: there is no such slot.
        """
        for name in dense_slots_name:
            self._slot(name).is_dense = True

    def set_use_slots(self, use_slots_name: list[str]) -> None:
        """Say which slots a Program is fed.

        Args:
            use_slots_name (list): their names.
        Raises:
            KeyError: there is no such slot.
        """
        for name in use_slots_name:
            self._slot(name).is_used = True

    def _slot(self, name: str) -> Any:
        return {slot.name: slot for slot in self.proto_desc.multi_slot_desc.slots}[name]

    def desc(self) -> str:
        """The description.

        Returns:
            str: protobuf's text.
        """
        return str(self.proto_desc)


__all__ = ["DataFeedDesc"]

__getattr__ = missing(__name__)
