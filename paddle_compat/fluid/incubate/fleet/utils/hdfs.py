"""`paddle.fluid.incubate.fleet.utils.hdfs`: the files of a Hadoop file system, as 1.8 asks for them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.distributed.fleet.base.util_factory import shard
from paddle_compat.distributed.fleet.utils._file_system import ExecuteError, FSTimeOut
from paddle_compat.distributed.fleet.utils._hdfs import HDFSClient as _Client

_PATIENCE = 5 * 60 * 1000  # milliseconds


class HDFSClient:
    """The files of a Hadoop file system, by the command `hadoop fs`.

    Args:
        hadoop_home (str): where Hadoop is; the command is `bin/hadoop` in it.
        configs (dict): `fs.default.name`, `hadoop.job.ugi` and the like.

    Example:
        >>> import os, tempfile
        >>> from paddle_compat.fluid.incubate.fleet.utils.hdfs import HDFSClient
        >>> home = tempfile.mkdtemp()  # in place of Hadoop's folder, for this example: a command that says yes to everything
        >>> os.mkdir(home + "/bin"); os.close(os.open(home + "/bin/hadoop", os.O_CREAT | os.O_WRONLY, 0o755))
        >>> with open(home + "/bin/hadoop", "w") as file:
        ...     _ = file.write("#!/bin/sh\\n")
        >>> client = HDFSClient(home, {"fs.default.name": "hdfs://host:54310", "hadoop.job.ugi": "user,password"})
        >>> client.is_exist("d"), client.is_dir("d"), client.is_file("d"), client.ls("d"), client.lsr("d"), client.cat("d")
        (True, True, False, [], [], '')
        >>> client.delete("d"), client.rename("a", "b", overwrite=True), client.makedirs("d"), client.upload_dir("d", home)
        (True, True, None, True)
        >>> client.upload("d", home); client.download("d", home + "/here")
        []
        >>> client.make_local_dirs(home + "/new"); client.split_files(["a", "b", "c"], 0, 2)
        ['a', 'b']

    Follows Paddle 1.8.
    """

    def __init__(self, hadoop_home: str, configs: Mapping[str, str] | None) -> None:
        self._client = _Client(hadoop_home, configs, _PATIENCE)

    def is_exist(self, hdfs_path: str | None = None) -> bool:
        """Whether something has that name.

        Args:
            hdfs_path (str): the name.
        Returns:
            bool.
        """
        return self._client.is_exist(str(hdfs_path))

    def is_dir(self, hdfs_path: str | None = None) -> bool:
        """Whether a folder has that name.

        Args:
            hdfs_path (str): the name.
        Returns:
            bool.
        """
        return self._client.is_dir(str(hdfs_path))

    def is_file(self, hdfs_path: str | None = None) -> bool:
        """Whether a file has that name.

        Args:
            hdfs_path (str): the name.
        Returns:
            bool.
        """
        return self._client.is_file(str(hdfs_path))

    def cat(self, hdfs_path: str | None = None) -> str:
        """What is in a file, without the end of its last line; nothing where there is none.

        Args:
            hdfs_path (str): the file.
        Returns:
            str.
        """
        return self._client.cat(hdfs_path)

    def ls(self, hdfs_path: str) -> list[str]:
        """What is in a folder.

        Args:
            hdfs_path (str): the folder.
        Returns:
            list: the whole paths of its files and folders; none where there is no such folder.
        """
        return [each.path for each in self._listed(hdfs_path, "-ls")]

    def lsr(self, hdfs_path: str, excludes: Sequence[str] = []) -> list[str]:
        """The files in a folder and in those below it.

        Args:
            hdfs_path (str): the folder.
            excludes (list): names of files that are left out.
        Returns:
            list: whole paths, the oldest first; none where there is no such folder.
        """
        files = [each for each in self._listed(hdfs_path, "-lsr") if not each.folder]
        return [each.path for each in sorted(files, key=lambda each: each.time) if os.path.basename(each.path) not in excludes]

    def _listed(self, hdfs_path: str, command: str) -> Any:
        return self._client._hadoop.listed(hdfs_path, command) if self.is_exist(hdfs_path) else []

    def makedirs(self, hdfs_path: str) -> bool | None:
        """Make a folder, and those that it is in.

        Args:
            hdfs_path (str): the folder.
        Returns:
            bool: whether it could be made; None where it is there already.
        """
        return None if self.is_exist(hdfs_path) else self._succeeds(lambda: self._client.mkdirs(hdfs_path))

    def delete(self, hdfs_path: str) -> bool:
        """Delete a file, or a folder with all that is in it.

        Args:
            hdfs_path (str): its name.
        Returns:
            bool: whether nothing has that name any more.
        """
        return self._succeeds(lambda: self._client.delete(hdfs_path))

    def rename(self, hdfs_src_path: str, hdfs_dst_path: str, overwrite: bool = False) -> bool:
        """Give a file or folder another name.

        Args:
            hdfs_src_path (str): its name.
            hdfs_dst_path (str): its new one.
            overwrite (bool): what has that name is deleted first.
        Returns:
            bool: whether it has it now.
        """
        return self._succeeds(lambda: self._client.mv(hdfs_src_path, hdfs_dst_path, overwrite, test_exists=False))

    def upload(self, hdfs_path: str, local_path: str, multi_processes: int = 5, overwrite: bool = False, retry_times: int = 5) -> None:
        """Copy a file there, or what is in a folder.

        Args:
            hdfs_path (str): the file there, or the folder for what is in it.
            local_path (str): the file or folder of this machine.
            multi_processes (int): how many commands copy a folder's contents side by side.
            overwrite (bool): what has that name is replaced.
            retry_times (int): kept; tries end with the time.
        """
        self._client.upload(local_path, hdfs_path, multi_processes, overwrite)

    def upload_dir(self, dest_dir: str, local_dir: str, overwrite: bool = False) -> bool:
        """Copy a folder into a folder there.

        Args:
            dest_dir (str): the folder to copy it into.
            local_dir (str): the folder of this machine.
            overwrite (bool): a folder of its name that is there is deleted first.
        Returns:
            bool: whether it is there.
        """
        return self._succeeds(lambda: self._client.upload_dir(local_dir, dest_dir, overwrite))

    def download(
        self, hdfs_path: str, local_path: str, multi_processes: int = 5, overwrite: bool = False, retry_times: int = 5
    ) -> list[str]:
        """Copy a file, or what is in a folder, into a folder of this machine.

        Args:
            hdfs_path (str): the file or folder there.
            local_path (str): the folder here, which is made if it is not there.
            multi_processes (int): how many commands copy a folder's contents side by side.
            overwrite (bool): a file of that name here is deleted first.
            retry_times (int): kept; tries end with the time.
        Returns:
            list: the files that are here now.
        """
        self._client.download(hdfs_path, local_path, multi_processes, overwrite)
        if os.path.isfile(local_path):
            return [local_path]
        return sorted(os.path.join(folder, name) for folder, _, names in os.walk(local_path) for name in names)

    @staticmethod
    def make_local_dirs(local_path: str) -> None:
        """Make a folder of this machine, and those that it is in.

        Args:
            local_path (str): the folder.
        """
        os.makedirs(local_path, exist_ok=True)

    @staticmethod
    def split_files(files: list[str], trainer_id: int, trainers: int) -> list[str]:
        """The files of one trainer of several; the first ones have one more.

        Args:
            files (list): all of them.
            trainer_id (int): the trainer.
            trainers (int): how many there are.
        Returns:
            list.
        """
        return shard(files, trainer_id, trainers)

    @staticmethod
    def _succeeds(call: Any) -> bool:
        try:
            call()
        except (ExecuteError, FSTimeOut):
            return False
        return True


__all__ = ["HDFSClient"]
__getattr__ = missing(__name__)
