"""`paddle.distributed.fleet.dataset`: datasets of files with the settings of Paddle 2."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.base import dataset as _dataset
from paddle_compat.base.dataset import BoxPSDataset as BoxPSDataset
from paddle_compat.base.dataset import FileInstantDataset as FileInstantDataset
from paddle_compat.core.errors import UnsupportedError


class DatasetBase(_dataset.DatasetBase):
    """Files of MultiSlot text, which threads read through a shell command; make a `QueueDataset` or an `InMemoryDataset`.

    Example:
        >>> import paddle_compat as paddle
        >>> dataset = paddle.distributed.fleet.DatasetBase()
        >>> dataset.init(batch_size=2, thread_num=2, pipe_command="cat")
        >>> dataset.set_filelist(["a.txt"])

    Follows Paddle 2.6.
    """

    def init(
        self,
        batch_size: int = 1,
        thread_num: int = 1,
        use_var: Sequence[Any] = (),
        pipe_command: str = "cat",
        input_type: int = 0,
        fs_name: str = "",
        fs_ugi: str = "",
        download_cmd: str = "cat",
    ) -> None:
        """Say how files are read.

        Args:
            batch_size (int): samples of a batch.
            thread_num (int): threads that read.
            use_var (list): the Variables that a line has values for, in order.
            pipe_command (str): the shell command that each file goes through.
            input_type (int): 0: a line is a sample; 1: a line is a batch (see `set_input_type`).
            fs_name, fs_ugi (str): the remote file system's address, and user and password.
            download_cmd (str): what writes a remote file to its standard output.
        Raises:
            ValueError: a number or a variable is not as it must be.
            UnsupportedError: another input_type.
        """
        self.set_batch_size(batch_size)
        self.set_thread(thread_num)
        self.set_use_var(list(use_var))
        self.set_pipe_command(pipe_command)
        self.set_input_type(input_type)
        self.set_hdfs_config(fs_name, fs_ugi)
        self.set_download_cmd(download_cmd)

    _set_pipe_command = _dataset.DatasetBase.set_pipe_command
    _set_batch_size = _dataset.DatasetBase.set_batch_size
    _set_thread = _dataset.DatasetBase.set_thread
    _set_input_type = _dataset.DatasetBase.set_input_type
    _set_use_var = _dataset.DatasetBase.set_use_var
    _set_hdfs_config = _dataset.DatasetBase.set_hdfs_config
    _set_download_cmd = _dataset.DatasetBase.set_download_cmd
    _desc = _dataset.DatasetBase.desc


class QueueDataset(DatasetBase, _dataset.QueueDataset):
    """Files that are read while a Program trains on them; thread i of n reads every n-th file, in order.

    Example:
        >>> import paddle_compat as paddle
        >>> dataset = paddle.distributed.QueueDataset()
        >>> dataset.init(batch_size=512, thread_num=4, pipe_command="cat")

    Follows Paddle 2.6.
    """

    def init(self, **kwargs: Any) -> None:  # type: ignore[override]  # as in Paddle
        """Say how files are read.

        Args:
            kwargs: those of `DatasetBase.init`.
        """
        super().init(**kwargs)


class InMemoryDataset(DatasetBase, _dataset.InMemoryDataset):
    """Files that are read into memory, where their samples can be shuffled; thread i of n trains on the i-th part of them.

    Example:
        >>> import paddle_compat as paddle
        >>> dataset = paddle.distributed.InMemoryDataset()
        >>> dataset.init(batch_size=512, thread_num=4, pipe_command="cat", queue_num=4)
        >>> dataset.update_settings(batch_size=256)
        >>> dataset._init_distributed_settings(fea_eval=True, candidate_size=100)

    Follows Paddle 2.6.
    """

    def init(self, **kwargs: Any) -> None:  # type: ignore[override]  # as in Paddle
        """Say how files are read.

        Args:
            kwargs: those of `DatasetBase.init`, `data_feed_type` and `queue_num`; others are passed over.
        """
        names = ("batch_size", "thread_num", "use_var", "pipe_command", "input_type", "fs_name", "fs_ugi", "download_cmd")
        super().init(**{name: kwargs[name] for name in names if name in kwargs})
        self.set_feed_type(kwargs.get("data_feed_type", "MultiSlotInMemoryDataFeed"))
        if kwargs.get("queue_num", -1) > 0:
            self.set_queue_num(kwargs["queue_num"])

    def _init_distributed_settings(self, **kwargs: Any) -> None:
        """Say how trainers share the samples.

        Args:
            kwargs: `parse_ins_id`, `parse_content`, `fleet_send_batch_size`, `fleet_send_sleep_seconds`, `fea_eval` with `candidate_size`,
                `merge_size`; others are passed over.
        Raises:
            UnsupportedError: merge_size is above 0.
        """
        for name in ("parse_ins_id", "parse_content", "fleet_send_batch_size", "fleet_send_sleep_seconds"):
            if name in kwargs:
                getattr(self, f"set_{name}")(kwargs[name])
        if kwargs.get("merge_size", -1) > 0:
            raise UnsupportedError("InMemoryDataset", f"merge_size={kwargs['merge_size']}", "samples that are one line each")
        if kwargs.get("fea_eval"):
            self.set_fea_eval(kwargs.get("candidate_size", 10000), True)

    def update_settings(self, **kwargs: Any) -> None:
        """Change what `init` and `_init_distributed_settings` said.

        Args:
            kwargs: theirs; others are passed over.
        """
        for name, setter in _SETTERS.items():
            if name in kwargs:
                getattr(self, setter)(kwargs[name])
        if "fs_name" in kwargs and "fs_ugi" in kwargs:
            self.set_hdfs_config(kwargs["fs_name"], kwargs["fs_ugi"])
        self._init_distributed_settings(**kwargs)

    def set_date(self, date: str) -> None:
        """Say which day the samples are of: for tables on GPUs, of no effect otherwise.

        Args:
            date (str): year, month and day, as "20211111".
        Raises:
            ValueError: it is none.

        Example:
            >>> from paddle_compat.distributed import InMemoryDataset
            >>> InMemoryDataset().set_date("20211111")
        """
        _ = int(date[:4]), int(date[4:6]), int(date[6:])

    _set_feed_type = _dataset.InMemoryDataset.set_feed_type
    _set_queue_num = _dataset.InMemoryDataset.set_queue_num
    _set_parse_ins_id = _dataset.InMemoryDataset.set_parse_ins_id
    _set_parse_content = _dataset.InMemoryDataset.set_parse_content
    _set_fleet_send_batch_size = _dataset.InMemoryDataset.set_fleet_send_batch_size
    _set_fleet_send_sleep_seconds = _dataset.InMemoryDataset.set_fleet_send_sleep_seconds
    _set_fea_eval = _dataset.InMemoryDataset.set_fea_eval


_SETTERS = {
    "pipe_command": "set_pipe_command", "batch_size": "set_batch_size", "thread_num": "set_thread", "use_var": "set_use_var",
    "input_type": "set_input_type", "download_cmd": "set_download_cmd", "data_feed_type": "set_feed_type", "queue_num": "set_queue_num",
}  # fmt: skip


__all__: list[str] = []

__getattr__ = missing(__name__)
