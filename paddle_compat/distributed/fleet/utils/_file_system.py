"""What every file system answers, and how it fails."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.errors import UnimplementedError


class ExecuteError(Exception):
    """A command of a file system failed.

    Example:
        >>> from paddle_compat.distributed.fleet.utils import fs
        >>> issubclass(fs.ExecuteError, Exception)
        True

    Follows Paddle 2.6.
    """


class FSFileExistsError(Exception):
    """A file is there already.

    Example:
        >>> from paddle_compat.distributed.fleet.utils import fs
        >>> issubclass(fs.FSFileExistsError, Exception)
        True

    Follows Paddle 2.6.
    """


class FSFileNotExistsError(Exception):
    """A file is not there.

    Example:
        >>> from paddle_compat.distributed.fleet.utils import fs
        >>> issubclass(fs.FSFileNotExistsError, Exception)
        True

    Follows Paddle 2.6.
    """


class FSTimeOut(Exception):
    """A file system does not answer.

    Example:
        >>> from paddle_compat.distributed.fleet.utils import fs
        >>> issubclass(fs.FSTimeOut, Exception)
        True

    Follows Paddle 2.6.
    """


class FSShellCmdAborted(ExecuteError):
    """A command of a file system was stopped.

    Example:
        >>> from paddle_compat.distributed.fleet.utils import fs
        >>> issubclass(fs.FSShellCmdAborted, fs.ExecuteError)
        True

    Follows Paddle 2.6.
    """


class FS:
    """A file system: what `LocalFS` and `HDFSClient` answer, and what one of the user's has to.

    Example:
        >>> from paddle_compat.distributed.fleet.utils import fs
        >>> isinstance(fs.LocalFS(), fs.FS)
        True
        >>> class Nothing(fs.FS):
        ...     def is_exist(self, fs_path):
        ...         return False
        >>> Nothing().is_exist("a")
        False
        >>> nothing = Nothing()
        >>> for call in (
        ...     lambda: nothing.ls_dir("a"), lambda: nothing.list_dirs("a"), lambda: nothing.is_file("a"), lambda: nothing.is_dir("a"),
        ...     lambda: nothing.mkdirs("a"), lambda: nothing.rename("a", "b"), lambda: nothing.mv("a", "b"), lambda: nothing.delete("a"),
        ...     lambda: nothing.touch("a"), lambda: nothing.cat("a"), lambda: nothing.need_upload_download(),
        ...     lambda: nothing.upload("a", "b"), lambda: nothing.upload_dir("a", "b"), lambda: nothing.download("a", "b"),
        ... ):
        ...     try:
        ...         call()
        ...     except NotImplementedError as error:
        ...         last = str(error)
        >>> last
        '`Nothing.download` is not there: this kind of file system has no use for it.'

    Follows Paddle 2.6.
    """

    def _absent(self, name: str) -> Any:
        raise UnimplementedError(f"`{type(self).__name__}.{name}` is not there: this kind of file system has no use for it.")

    def ls_dir(self, fs_path: str) -> Any:
        """What is in a folder.

        Args:
            fs_path (str): the folder.
        Returns:
            tuple: the names of the folders, and of the files.
        """
        return self._absent("ls_dir")

    def list_dirs(self, fs_path: str) -> Any:
        """The folders in a folder.

        Args:
            fs_path (str): the folder.
        Returns:
            list: names.
        """
        return self._absent("list_dirs")

    def is_file(self, fs_path: str) -> Any:
        """Whether a file has that name.

        Args:
            fs_path (str): the name.
        Returns:
            bool.
        """
        return self._absent("is_file")

    def is_dir(self, fs_path: str) -> Any:
        """Whether a folder has that name.

        Args:
            fs_path (str): the name.
        Returns:
            bool.
        """
        return self._absent("is_dir")

    def is_exist(self, fs_path: str) -> Any:
        """Whether something has that name.

        Args:
            fs_path (str): the name.
        Returns:
            bool.
        """
        return self._absent("is_exist")

    def mkdirs(self, fs_path: str) -> None:
        """Make a folder, and those that it is in.

        Args:
            fs_path (str): the folder.
        """
        self._absent("mkdirs")

    def rename(self, fs_src_path: str, fs_dst_path: str) -> None:
        """Give a file or folder another name.

        Args:
            fs_src_path (str): its name.
            fs_dst_path (str): its new one.
        """
        self._absent("rename")

    def mv(self, fs_src_path: str, fs_dst_path: str, overwrite: bool = False, test_exists: bool = False) -> None:
        """Give a file or folder another name.

        Args:
            fs_src_path (str): its name.
            fs_dst_path (str): its new one.
            overwrite (bool): what has that name is deleted first.
            test_exists (bool): look first whether the one is there and the other is not.
        """
        self._absent("mv")

    def delete(self, fs_path: str) -> None:
        """Delete a file, or a folder with all that is in it.

        Args:
            fs_path (str): its name.
        """
        self._absent("delete")

    def touch(self, fs_path: str, exist_ok: bool = True) -> None:
        """Make an empty file where there is none.

        Args:
            fs_path (str): its name.
            exist_ok (bool): whether it may be there.
        """
        self._absent("touch")

    def need_upload_download(self) -> Any:
        """Whether files have to be fetched before they are read.

        Returns:
            bool.
        """
        return self._absent("need_upload_download")

    def cat(self, fs_path: str | None = None) -> Any:
        """What is in a file.

        Args:
            fs_path (str|None): the file.
        Returns:
            str.
        """
        return self._absent("cat")

    def upload(self, local_path: str, fs_path: str) -> None:
        """Copy a file or folder of this machine into the file system.

        Args:
            local_path (str): its name here.
            fs_path (str): its name there.
        """
        self._absent("upload")

    def upload_dir(self, local_dir: str, dest_dir: str) -> None:
        """Copy a folder of this machine into a folder of the file system.

        Args:
            local_dir (str): the one here.
            dest_dir (str): the one there.
        """
        self._absent("upload_dir")

    def download(self, fs_path: str, local_path: str) -> None:
        """Copy a file or folder of the file system to this machine.

        Args:
            fs_path (str): its name there.
            local_path (str): its name here.
        """
        self._absent("download")
