"""`paddle.distributed.fleet.utils.fs`: files and folders under one interface, wherever they are."""

from __future__ import annotations

import os
import shutil

from paddle_compat._missing import missing
from paddle_compat.distributed.fleet.utils._file_system import (
    FS,
    ExecuteError,
    FSFileExistsError,
    FSFileNotExistsError,
    FSShellCmdAborted,
    FSTimeOut,
)
from paddle_compat.distributed.fleet.utils._hdfs import HDFSClient


class LocalFS(FS):
    """The files and folders of this machine.

    Example:
        >>> import os, tempfile
        >>> from paddle_compat.distributed.fleet.utils import LocalFS
        >>> client, top = LocalFS(), tempfile.mkdtemp()
        >>> folder, file = os.path.join(top, "a"), os.path.join(top, "b")
        >>> client.mkdirs(folder); client.touch(file)
        >>> client.ls_dir(top), client.list_dirs(top)
        ((['a'], ['b']), ['a'])
        >>> client.is_dir(folder), client.is_file(file), client.is_exist(file), client.need_upload_download()
        (True, True, True, False)
        >>> client.rename(file, file + "c"); client.mv(file + "c", file)
        >>> client.delete(file); client.is_exist(file)
        False
        >>> for call in (client.cat, client.upload, client.download, client.upload_dir):
        ...     try:
        ...         call(*[file, file][: 1 if call == client.cat else 2])
        ...     except NotImplementedError as error:
        ...         last = str(error)
        >>> last
        '`LocalFS.upload_dir` is not there: this kind of file system has no use for it.'

    Follows Paddle 2.6.
    """

    def ls_dir(self, fs_path: str) -> tuple[list[str], list[str]]:
        """What is in a folder.

        Args:
            fs_path (str): the folder.
        Returns:
            tuple: the names of the folders, and of the files; nothing where there is no such folder.
        """
        names = os.listdir(fs_path) if self.is_exist(fs_path) else []
        folders = [name for name in names if os.path.isdir(os.path.join(fs_path, name))]
        return folders, [name for name in names if name not in folders]

    def list_dirs(self, fs_path: str) -> list[str]:
        """The folders in a folder.

        Args:
            fs_path (str): the folder.
        Returns:
            list: names.
        """
        return self.ls_dir(fs_path)[0]

    def mkdirs(self, fs_path: str) -> None:
        """Make a folder, and those that it is in.

        Args:
            fs_path (str): the folder.
        Raises:
            AssertionError: a file has that name.
        """
        if os.path.isfile(fs_path):
            raise AssertionError(f"{fs_path} is already a file")
        os.makedirs(fs_path, exist_ok=True)

    def rename(self, fs_src_path: str, fs_dst_path: str) -> None:
        """Give a file or folder another name.

        Args:
            fs_src_path (str): its name.
            fs_dst_path (str): its new one.
        """
        os.rename(fs_src_path, fs_dst_path)

    def mv(self, src_path: str, dst_path: str, overwrite: bool = False, test_exists: bool = False) -> None:
        """Give a file or folder another name, which nothing may have.

        Args:
            src_path (str): its name.
            dst_path (str): its new one.
            overwrite (bool): what has that name is deleted first.
            test_exists (bool): kept; it is looked for anyway.
        Raises:
            FSFileNotExistsError: there is none.
            FSFileExistsError: the new name is taken.
        """
        if not self.is_exist(src_path):
            raise FSFileNotExistsError
        taken = self.is_exist(dst_path)
        if taken and not overwrite:
            raise FSFileExistsError
        if taken:
            self.delete(dst_path)
        self.rename(src_path, dst_path)

    def delete(self, fs_path: str) -> None:
        """Delete a file, or a folder with all that is in it; nothing where there is none.

        Args:
            fs_path (str): its name.
        """
        if os.path.isfile(fs_path):
            os.remove(fs_path)
        elif self.is_exist(fs_path):
            shutil.rmtree(fs_path)

    def is_file(self, fs_path: str) -> bool:
        """Whether a file has that name.

        Args:
            fs_path (str): the name.
        Returns:
            bool: it does.
        """
        return os.path.isfile(fs_path)

    def is_dir(self, fs_path: str) -> bool:
        """Whether a folder has that name.

        Args:
            fs_path (str): the name.
        Returns:
            bool: it does.
        """
        return os.path.isdir(fs_path)

    def is_exist(self, fs_path: str) -> bool:
        """Whether something has that name.

        Args:
            fs_path (str): the name.
        Returns:
            bool: it does.
        """
        return os.path.exists(fs_path)

    def touch(self, fs_path: str, exist_ok: bool = True) -> None:
        """Make an empty file where there is none.

        Args:
            fs_path (str): its name.
            exist_ok (bool): whether it may be there.
        Raises:
            FSFileExistsError: it is there and may not.
        """
        if self.is_exist(fs_path):
            if not exist_ok:
                raise FSFileExistsError
            return
        with open(fs_path, "a", encoding="utf-8"):
            pass

    def need_upload_download(self) -> bool:
        """Whether files have to be fetched before they are read.

        Returns:
            bool: False.
        """
        return False


__all__ = [
    "FS", "ExecuteError", "FSFileExistsError", "FSFileNotExistsError", "FSShellCmdAborted", "FSTimeOut", "HDFSClient", "LocalFS",
]  # fmt: skip

__getattr__ = missing(__name__)
