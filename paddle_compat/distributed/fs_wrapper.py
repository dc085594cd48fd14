"""`paddle.distributed.fs_wrapper`: file systems that checkpoints lie on."""

from __future__ import annotations

import os
import shutil

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError


class FS:
    """A file system: what `LocalFS` has, and what one of the user's has to have.

    Example:
        >>> from paddle_compat.distributed.fs_wrapper import FS, LocalFS
        >>> isinstance(LocalFS(), FS)
        True

    Follows Paddle 1.8.
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
        """
        return [name for name in self.ls_dir(fs_path) if os.path.isdir(os.path.join(fs_path, name))]

    def ls_dir(self, fs_path: str) -> list[str]:
        """All that is in a folder.

        Args:
            fs_path (str): the folder.
        Returns:
            list: names; none where there is no such folder.
        """
        return os.listdir(fs_path) if os.path.isdir(fs_path) else []

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
        """
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


__getattr__ = missing(__name__)
