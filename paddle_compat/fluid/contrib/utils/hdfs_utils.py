"""`paddle.fluid.contrib.utils.hdfs_utils`: the files of a Hadoop file system, several at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.fluid.incubate.fleet.utils import hdfs


class HDFSClient(hdfs.HDFSClient):
    """The files of a Hadoop file system, by the command `hadoop fs`.

    Args:
        hadoop_home (str): where Hadoop is; the command is `bin/hadoop` in it.
        configs (dict): `fs.default.name`, `hadoop.job.ugi` and the like.

    Example:
        >>> import os, tempfile
        >>> from paddle_compat.fluid.contrib.utils import HDFSClient
        >>> home = tempfile.mkdtemp()  # in place of Hadoop's folder, for this example: a command that says yes to everything
        >>> os.mkdir(home + "/bin"); os.close(os.open(home + "/bin/hadoop", os.O_CREAT | os.O_WRONLY, 0o755))
        >>> with open(home + "/bin/hadoop", "w") as file:
        ...     _ = file.write("#!/bin/sh\\n")
        >>> client = HDFSClient(home, {"fs.default.name": "hdfs://host:54310", "hadoop.job.ugi": "user,password"})
        >>> client.lsr("d"), client.rename("a", "b"), client.upload("d", home), client.download("d", home + "/here")
        ([], True, False, True)

    Follows Paddle 1.8.
    """

    def __init__(self, hadoop_home: str, configs: Mapping[str, str]) -> None:
        super().__init__(hadoop_home, configs)

    def lsr(self, hdfs_path: str, only_file: bool = True, sort: bool = True) -> list[str]:  # type: ignore[override]
        """What is in a folder and in those below it.

        Args:
            hdfs_path (str): the folder.
            only_file (bool): folders are left out.
            sort (bool): the oldest come first, else what is listed first.
        Returns:
            list: whole paths; none where there is no such folder.
        """
        found = [each for each in self._listed(hdfs_path, "-lsr") if not (only_file and each.folder)]
        return [each.path for each in (sorted(found, key=lambda each: each.time) if sort else found)]

    def rename(self, hdfs_src_path: str, hdfs_dst_path: str, overwrite: bool = False) -> bool:
        """Give a file or folder another name.

        Args:
            hdfs_src_path (str): its name.
            hdfs_dst_path (str): its new one.
            overwrite (bool): kept; it is Hadoop that says whether it writes over what is there.
        Returns:
            bool: whether it has it now.
        """
        return self._succeeds(lambda: self._client._hadoop("-mv", hdfs_src_path, hdfs_dst_path))

    def upload(self, hdfs_path: str, local_path: str, overwrite: bool = False, retry_times: int = 5) -> bool:  # type: ignore[override]
        """Copy a file into a folder there, which is made if it is not there.

        Args:
            hdfs_path (str): the folder.
            local_path (str): the file of this machine.
            overwrite (bool): a file of its name in the folder is deleted first (Paddle 1.8 deletes the folder with all that is in it).
            retry_times (int): kept; tries end with the time.
        Returns:
            bool: whether it is there: not where there is one already, nor for a folder.
        Raises:
            AssertionError: there is no such file.
        """
        if not os.path.exists(local_path):
            raise failed_assertion("local_path", "a file", local_path, "HDFSClient.upload")
        if os.path.isdir(local_path):
            return False
        if not self.is_exist(hdfs_path):
            self.makedirs(hdfs_path)
        elif self.is_exist(there := f"{hdfs_path}/{os.path.basename(local_path)}"):
            if not overwrite:
                return False
            self.delete(there)
        return self._succeeds(lambda: self._client._hadoop("-put", local_path, hdfs_path))

    def download(self, hdfs_path: str, local_path: str, overwrite: bool = False, unzip: bool = False) -> bool:  # type: ignore[override]
        """Copy a file or folder into a folder of this machine, which is made if it is not there.

        Args:
            hdfs_path (str): the file or folder there.
            local_path (str): the folder here.
            overwrite (bool): what has that name here is replaced.
            unzip (bool): kept; archives stay as they are.
        Returns:
            bool: whether it is here: not where there is one already.
        """
        if not self.is_exist(hdfs_path):
            return False
        here = os.path.join(local_path, os.path.basename(hdfs_path))
        if os.path.exists(here) and not overwrite:
            return False
        if not os.path.exists(local_path):
            self.make_local_dirs(local_path)
        if os.path.isfile(here):
            os.remove(here)
        return self._succeeds(lambda: self._client._hadoop("-get", hdfs_path, local_path))


def multi_download(
    client: HDFSClient, hdfs_path: str, local_path: str, trainer_id: int, trainers: int, multi_processes: int = 5
) -> list[str]:
    """Copy a trainer's share of the files in a folder: every n-th of them.

    Args:
        client (HDFSClient): the client.
        hdfs_path (str): the folder there.
        local_path (str): the folder of this machine; those that the files are in are made in it.
        trainer_id (int): the trainer.
        trainers (int): how many there are.
        multi_processes (int): how many commands run side by side.
    Returns:
        list: the files that are here now.
    Raises:
        AssertionError: client is none.

    Example:
        >>> import tempfile
        >>> from paddle_compat.fluid.contrib.utils import HDFSClient, multi_download
        >>> class Here(HDFSClient):  # in place of a file system, for this example
        ...     def lsr(self, path): return ["/d/a", "/d/b", "/d/in/c"]
        ...     def download(self, path, local_path): return True
        >>> multi_download(Here(".", {}), "/d", "here", 0, 2)
        ['here/a', 'here/in/c']

    Follows Paddle 1.8.
    """
    _need_client(client, "multi_download")
    mine = client.lsr(hdfs_path)[trainer_id::trainers]
    places = [os.path.normpath(os.path.join(local_path, os.path.relpath(os.path.dirname(file), hdfs_path))) for file in mine]
    _side_by_side(multi_processes, client.download, zip(mine, places))
    return [os.path.join(place, os.path.basename(file)) for file, place in zip(mine, places)]


def multi_upload(
    client: HDFSClient, hdfs_path: str, local_path: str, multi_processes: int = 5, overwrite: bool = False, sync: bool = True
) -> None:
    """Copy a folder's files into a folder there, with the folders that they are in.

    Args:
        client (HDFSClient): the client.
        hdfs_path (str): the folder there.
        local_path (str): the folder of this machine.
        multi_processes (int): how many commands run side by side.
        overwrite (bool): as of `HDFSClient.upload`.
        sync (bool): kept; the copies are there when this returns.
    Raises:
        AssertionError: client is none.

    Example:
        >>> import os, tempfile
        >>> from paddle_compat.fluid.contrib.utils import HDFSClient, multi_upload
        >>> class Here(HDFSClient):  # in place of a file system, for this example
        ...     def upload(self, path, local_path, overwrite): print(path, os.path.basename(local_path))
        >>> folder = tempfile.mkdtemp(); open(folder + "/a", "w").close()
        >>> multi_upload(Here(".", {}), "/d", folder)
        /d/. a

    Follows Paddle 1.8.
    """
    _need_client(client, "multi_upload")
    files = sorted(os.path.join(folder, name) for folder, _, names in os.walk(local_path) for name in names)
    places = [os.path.join(hdfs_path, os.path.relpath(os.path.dirname(file), local_path)) for file in files]
    _side_by_side(multi_processes, lambda place, file: client.upload(place, file, overwrite), zip(places, files))


def _need_client(client: object, api: str) -> None:
    if not isinstance(client, HDFSClient):
        raise failed_assertion("client", "an HDFSClient", client, api)


def _side_by_side(processes: int, copy: Callable[[str, str], object], pairs: Iterable[tuple[str, str]]) -> None:
    with ThreadPoolExecutor(max(processes, 1)) as pool:
        list(pool.map(lambda pair: copy(*pair), pairs))


__all__ = ["HDFSClient", "multi_download", "multi_upload"]
__getattr__ = missing(__name__)
