"""`paddle.distributed.fs_wrapper`: file systems that checkpoints lie on."""

from __future__ import annotations

import os
import shutil
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, failed_assertion
from paddle_compat.distributed.fleet.utils._hdfs import Hadoop, Listed


class FS:
    """A file system: what one of the user's has to have; here nothing does anything.

    Example:
        >>> from paddle_compat.distributed.fs_wrapper import FS
        >>> fs = FS()
        >>> fs.list_dirs("a"), fs.ls_dir("a"), fs.stat("a"), fs.need_upload_download()
        (None, None, None, None)
        >>> fs.mkdir("a"); fs.mv("a", "b"); fs.rm("b"); fs.rmr("b"); fs.delete("b"); fs.upload("a", "b"); fs.download("a", "b")

    Follows Paddle 1.8.
    """

    def list_dirs(self, fs_path: str) -> Any:
        """The folders in a folder.

        Args:
            fs_path (str): the folder.
        Returns:
            list: their names.
        """

    def ls_dir(self, fs_path: str) -> Any:
        """All that is in a folder.

        Args:
            fs_path (str): the folder.
        Returns:
            list: names.
        """

    def stat(self, fs_path: str) -> Any:
        """Whether there is such a file or folder.

        Args:
            fs_path (str): its path.
        Returns:
            bool.
        """

    def upload(self, local_path: str, fs_path: str) -> None:
        """Copy a file or folder to the file system.

        Args:
            local_path (str): here.
            fs_path (str): there.
        """

    def download(self, fs_path: str, local_path: str) -> None:
        """Copy a file or folder from the file system.

        Args:
            fs_path (str): there.
            local_path (str): here.
        """

    def mkdir(self, fs_path: str) -> None:
        """Make a folder, and those above it.

        Args:
            fs_path (str): the folder.
        """

    def mv(self, fs_src_path: str, fs_dst_path: str) -> None:
        """Give a file or folder another name.

        Args:
            fs_src_path (str): the old one.
            fs_dst_path (str): the new one.
        """

    def rmr(self, fs_path: str) -> None:
        """Remove a folder with all that is in it.

        Args:
            fs_path (str): the folder.
        """

    def rm(self, fs_path: str) -> None:
        """Remove a file.

        Args:
            fs_path (str): the file.
        """

    def delete(self, fs_path: str) -> None:
        """Remove a file or a folder, if it is there.

        Args:
            fs_path (str): its path.
        """

    def need_upload_download(self) -> Any:
        """Whether files have to be copied to work with them.

        Returns:
            bool.
        """


class LocalFS(FS):
    """This machine's files.

    Example:
        >>> import tempfile
        >>> from paddle_compat.distributed.fs_wrapper import LocalFS
        >>> fs, folder = LocalFS(), tempfile.mkdtemp()
        >>> fs.mkdir(folder + "/a"); fs.mv(folder + "/a", folder + "/b"); open(folder + "/c", "w").close()
        >>> fs.list_dirs(folder), sorted(fs.ls_dir(folder)), fs.stat(folder + "/b"), fs.need_upload_download()
        (['b'], ['b', 'c'], True, False)
        >>> fs.rm(folder + "/c"); fs.rmr(folder + "/b"); fs.delete(folder); fs.stat(folder)
        False
        >>> for copy in (fs.upload, fs.download):
        ...     try:
        ...         copy("a", "b")
        ...     except NotImplementedError:
        ...         print("no copies")
        no copies
        no copies

    Follows Paddle 1.8.
    """

    def list_dirs(self, fs_path: str) -> list[str]:
        """The folders in a folder.

        Args:
            fs_path (str): the folder.
        Returns:
            list: their names; none where there is no such folder.
        Raises:
            NotADirectoryError: it is a file.
        """
        return [name for name in self.ls_dir(fs_path) if os.path.isdir(os.path.join(fs_path, name))] if self.stat(fs_path) else []

    def ls_dir(self, fs_path: str) -> list[str]:
        """All that is in a folder.

        Args:
            fs_path (str): the folder.
        Returns:
            list: names.
        Raises:
            FileNotFoundError: there is no such folder.
            NotADirectoryError: it is a file.
        """
        return os.listdir(fs_path)

    def stat(self, fs_path: str) -> bool:
        """Whether there is such a file or folder.

        Args:
            fs_path (str): its path.
        Returns:
            bool.
        """
        return os.path.exists(fs_path)

    def mkdir(self, fs_path: str) -> None:
        """Make a folder, and those above it.

        Args:
            fs_path (str): the folder.
        Raises:
            AssertionError: it is a file.
        """
        if os.path.isfile(fs_path):
            raise failed_assertion("fs_path", "a folder's path", f"{fs_path!r}, a file", "LocalFS.mkdir")
        os.makedirs(fs_path, exist_ok=True)

    def mv(self, fs_src_path: str, fs_dst_path: str) -> None:
        """Give a file or folder another name.

        Args:
            fs_src_path (str): the old one.
            fs_dst_path (str): the new one.
        """
        os.rename(fs_src_path, fs_dst_path)

    def rm(self, fs_path: str) -> None:
        """Remove a file.

        Args:
            fs_path (str): the file.
        """
        os.remove(fs_path)

    def rmr(self, fs_path: str) -> None:
        """Remove a folder with all that is in it.

        Args:
            fs_path (str): the folder.
        """
        shutil.rmtree(fs_path)

    def delete(self, fs_path: str) -> None:
        """Remove a file or a folder, if it is there.

        Args:
            fs_path (str): its path.
        """
        if self.stat(fs_path):
            (self.rmr if os.path.isdir(fs_path) else self.rm)(fs_path)

    def need_upload_download(self) -> bool:
        """Whether files have to be copied to work with them.

        Returns:
            bool: False.
        """
        return False

    def upload(self, local_path: str, fs_path: str) -> None:
        """Nothing that this machine's files need.

        Args:
            local_path (str): here.
            fs_path (str): there.
        Raises:
            UnsupportedError: always.
        """
        raise UnsupportedError("LocalFS.upload", instead="the path itself, which is a local one")

    def download(self, fs_path: str, local_path: str) -> None:
        """Nothing that this machine's files need.

        Args:
            fs_path (str): there.
            local_path (str): here.
        Raises:
            UnsupportedError: always.
        """
        raise UnsupportedError("LocalFS.download", instead="the path itself, which is a local one")


class BDFS(FS):
    """The files of a Hadoop file system, by the command `hadoop fs`, which is on the PATH.

    Args:
        hdfs_name (str): the file system, as `hdfs://host:54310`.
        hdfs_ugi (str): user and password, with a comma between.
        time_out (int): after how many milliseconds to give up.
        sleep_inter (int): how many milliseconds to wait before trying again.

    Example:
        >>> import os, tempfile
        >>> from paddle_compat.distributed.fs_wrapper import BDFS
        >>> home = tempfile.mkdtemp()  # in place of Hadoop's folder, for this example: a command that says yes to everything
        >>> os.mkdir(home + "/bin"); os.close(os.open(home + "/bin/hadoop", os.O_CREAT | os.O_WRONLY, 0o755))
        >>> with open(home + "/bin/hadoop", "w") as file:
        ...     _ = file.write("#!/bin/sh\\n")
        >>> path = os.environ["PATH"]
        >>> os.environ["PATH"] = f"{home}/bin:{path}"
        >>> fs = BDFS("hdfs://host:54310", "user,password")
        >>> fs.stat("d"), fs.is_dir("d"), fs.list_dirs("d"), fs.ls_dir("d"), fs.need_upload_download()
        (True, True, [], [], True)
        >>> fs.mkdir("d"); fs.mv("a", "b"); fs.rm("b"); fs.rmr("d"); fs.delete("d")
        >>> fs.upload(home, "d"); fs.download("d", home + "/here")
        >>> os.environ["PATH"] = path

    Follows Paddle 1.8.
    """

    def __init__(self, hdfs_name: str, hdfs_ugi: str, time_out: int = 20 * 60 * 1000, sleep_inter: int = 1000) -> None:
        configs = {"fs.default.name": hdfs_name, "hadoop.job.ugi": hdfs_ugi}
        self._hadoop = Hadoop(None, configs, time_out, sleep_inter)

    def list_dirs(self, fs_path: str) -> list[str]:
        """The folders in a folder.

        Args:
            fs_path (str): the folder.
        Returns:
            list: their names; none where there is no such folder.
        """
        return [os.path.basename(each.path) for each in self._listed(fs_path) if each.folder]

    def ls_dir(self, fs_path: str) -> list[str]:
        """All that is in a folder.

        Args:
            fs_path (str): the folder.
        Returns:
            list: names; none where there is no such folder.
        """
        return [os.path.basename(each.path) for each in self._listed(fs_path)]

    def _listed(self, fs_path: str) -> list[Listed]:
        return self._hadoop.listed(fs_path) if self.is_dir(fs_path) else []

    def is_dir(self, fs_path: str) -> bool:
        """Whether a folder has that name.

        Args:
            fs_path (str): the name.
        Returns:
            bool.
        """
        return self._hadoop.test("-d", fs_path)

    def stat(self, fs_path: str) -> bool:
        """Whether there is such a file or folder.

        Args:
            fs_path (str): its path.
        Returns:
            bool.
        """
        return self._hadoop.test("-e", fs_path)

    def mkdir(self, fs_path: str) -> None:
        """Make a folder, and those above it.

        Args:
            fs_path (str): the folder.
        """
        if not self.stat(fs_path):
            self._hadoop("-mkdir", "-p", fs_path)

    def mv(self, fs_src_path: str, fs_dst_path: str) -> None:
        """Give a file or folder another name.

        Args:
            fs_src_path (str): the old one.
            fs_dst_path (str): the new one.
        """
        self._hadoop("-mv", fs_src_path, fs_dst_path)

    def rm(self, fs_path: str) -> None:
        """Remove a file.

        Args:
            fs_path (str): the file.
        """
        self._hadoop("-rm", fs_path)

    def rmr(self, fs_path: str) -> None:
        """Remove a folder with all that is in it.

        Args:
            fs_path (str): the folder.
        """
        self._hadoop("-rm", "-r", fs_path)

    def delete(self, fs_path: str) -> None:
        """Remove a file or a folder, if it is there.

        Args:
            fs_path (str): its path.
        """
        if self.stat(fs_path):
            self.rmr(fs_path)

    def need_upload_download(self) -> bool:
        """Whether files have to be copied to work with them.

        Returns:
            bool: True.
        """
        return True

    def upload(self, local_path: str, fs_path: str) -> None:
        """Copy a file or a folder of this machine there.

        Args:
            local_path (str): here.
            fs_path (str): there.
        """
        self._hadoop("-put", local_path, fs_path)

    def download(self, fs_path: str, local_path: str) -> None:
        """Copy a file or a folder to this machine.

        Args:
            fs_path (str): there.
            local_path (str): here.
        """
        self._hadoop("-get", fs_path, local_path)


__getattr__ = missing(__name__)
