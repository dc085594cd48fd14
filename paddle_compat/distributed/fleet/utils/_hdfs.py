"""The files of a Hadoop file system, by its own command."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from paddle_compat._missing import missing
from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.distributed.fleet.base.util_factory import shard
from paddle_compat.distributed.fleet.utils._file_system import FS, ExecuteError, FSFileExistsError, FSFileNotExistsError, FSTimeOut

# what another try does not change
_FOR_GOOD = re.compile(r"No such file|File exists|[Ii]s a directory|[Nn]ot a directory|Permission denied|Unknown command|not found")


class Listed(NamedTuple):
    """A line of `hadoop fs -ls`."""

    path: str
    folder: bool
    size: int
    time: str


class Hadoop:
    """`hadoop fs`, which is tried again while the file system cannot be reached.

    Args:
        home: where Hadoop is; variables of the environment in it are replaced. None: the command is on the PATH.
        configs: what goes to it as `-D`.
        time_out: after how many milliseconds to give up.
        sleep_inter: how many milliseconds to wait before another try.
    """

    def __init__(self, home: str | None, configs: Mapping[str, str] | None, time_out: int, sleep_inter: int) -> None:
        self.program = "hadoop" if home is None else os.path.join(os.path.expandvars(home), "bin", "hadoop")
        self.words = [self.program, "fs", *(f"-D{key}={value}" for key, value in (configs or {}).items())]
        self.time_out, self.sleep_inter = time_out / 1000, sleep_inter / 1000

    def __call__(self, *words: str) -> str:
        """What the command prints.

        Args:
            words: the command and its arguments.
        Raises:
            ExecuteError: it fails for good.
            FSTimeOut: it failed until the time was over.
        """
        return self._done(words).stdout

    def test(self, flag: str, path: str) -> bool:
        """Whether `-test` says yes.

        Args:
            flag: "-e" or "-d".
            path: of what.
        """
        return self._done(("-test", flag, path)).returncode == 0

    def listed(self, path: str, command: str = "-ls") -> list[Listed]:
        """What is in a folder.

        Args:
            path: the folder.
            command: "-ls", or "-lsr" for all below it.
        """
        found = []
        for line in self(command, path).splitlines():
            parts = line.split(None, 7)
            if len(parts) == 8:
                found.append(Listed(parts[7], parts[0].startswith("d"), int(parts[4]), f"{parts[5]} {parts[6]}"))
        return found

    def _done(self, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
        end = time.monotonic() + self.time_out
        while True:
            line = " ".join(words)
            try:
                left = max(end - time.monotonic(), 0.001)
                done = subprocess.run([*self.words, *words], capture_output=True, text=True, errors="replace", timeout=left)
            except FileNotFoundError:
                raise ExecuteError(f"There is no command {self.program}. Expected a hadoop_home with bin/hadoop in it.") from None
            except subprocess.TimeoutExpired:
                raise FSTimeOut(f"hadoop fs {line}: no answer in {self.time_out} seconds") from None
            said_no = words[0] == "-test" and done.returncode == 1 and not re.search("^-?test: ", done.stderr, re.MULTILINE)
            if done.returncode == 0 or said_no:
                return done
            if _FOR_GOOD.search(done.stderr):
                raise ExecuteError(f"hadoop fs {line}: exit status {done.returncode}: {done.stderr.strip()}")
            if time.monotonic() + self.sleep_inter >= end:
                raise FSTimeOut(f"hadoop fs {line}: exit status {done.returncode} for {self.time_out} seconds: {done.stderr.strip()}")
            time.sleep(self.sleep_inter)


class HDFSClient(FS):
    """The files of a Hadoop file system, by the command `hadoop fs`.

    A command that fails because the file system cannot be reached is tried again until `time_out`.

    Args:
        hadoop_home (str): where Hadoop is; the command is `bin/hadoop` in it.
        configs (dict|None): `fs.default.name`, `hadoop.job.ugi` and the like.
        time_out (int): after how many milliseconds to give up.
        sleep_inter (int): how many milliseconds to wait before trying again.

    Example:
        >>> import os, tempfile
        >>> from paddle_compat.distributed.fleet.utils import HDFSClient
        >>> home = tempfile.mkdtemp()  # in place of Hadoop's folder, for this example: a command that says yes to everything
        >>> os.mkdir(home + "/bin"); os.close(os.open(home + "/bin/hadoop", os.O_CREAT | os.O_WRONLY, 0o755))
        >>> with open(home + "/bin/hadoop", "w") as file:
        ...     _ = file.write("#!/bin/sh\\n")
        >>> client = HDFSClient(home, {"fs.default.name": "hdfs://host:54310", "hadoop.job.ugi": "user,password"})
        >>> client.is_exist("d"), client.is_dir("d"), client.is_file("d"), client.need_upload_download()
        (True, True, False, True)
        >>> client.ls_dir("d"), client.list_dirs("d"), client.list_files_info(["d"]), client.cat("d")
        (([], []), [], [], '')
        >>> client.mkdirs("d"); client.touch("f"); client.mv("a", "b", test_exists=False); client.rename("b", "c"); client.delete("d")
        >>> client.upload(home, "d"); client.upload_dir(home, "d"); client.download("d", home + "/here")

    Follows Paddle 2.6.
    """

    def __init__(self, hadoop_home: str, configs: Any, time_out: int = 5 * 60 * 1000, sleep_inter: int = 1000) -> None:
        self._hadoop = Hadoop(hadoop_home, configs, time_out, sleep_inter)

    def is_exist(self, fs_path: str) -> bool:
        """Whether something has that name."""
        return self._hadoop.test("-e", fs_path)

    def is_dir(self, fs_path: str) -> bool:
        """Whether a folder has that name."""
        return self._hadoop.test("-d", fs_path)

    def is_file(self, fs_path: str) -> bool:
        """Whether a file has that name."""
        return self.is_exist(fs_path) and not self.is_dir(fs_path)

    def ls_dir(self, fs_path: str) -> tuple[list[str], list[str]]:
        """The names of the folders in a folder, and of the files; nothing where there is no such folder."""
        found = self._hadoop.listed(fs_path) if self.is_exist(fs_path) else []
        folders, files = ([os.path.basename(each.path) for each in found if each.folder is folder] for folder in (True, False))
        return folders, files

    def list_dirs(self, fs_path: str) -> list[str]:
        """The folders in a folder; none where there is no such folder."""
        return self.ls_dir(fs_path)[0]

    def list_files_info(self, path_list: Sequence[str]) -> list[dict[str, Any]]:
        """The paths and the sizes of what is in folders.

        Args:
            path_list (list): folders or files.
        Returns:
            list: a dict with `path` and `size` for each file and folder.
        """
        return [{"path": each.path, "size": each.size} for path in path_list for each in self._hadoop.listed(path)]

    def mkdirs(self, fs_path: str) -> None:
        """Make a folder, and those that it is in; nothing where something has that name."""
        if not self.is_exist(fs_path):
            self._hadoop("-mkdir", "-p", fs_path)

    def rename(self, fs_src_path: str, fs_dst_path: str) -> None:
        """Give a file or folder another name."""
        self._hadoop("-mv", fs_src_path, fs_dst_path)

    def mv(self, fs_src_path: str, fs_dst_path: str, overwrite: bool = False, test_exists: bool = True) -> None:
        """Give a file or folder another name.

        Raises:
            FSFileNotExistsError: there is none.
            FSFileExistsError: the new name is taken.
        """
        if test_exists and not self.is_exist(fs_src_path):
            raise FSFileNotExistsError(f"{fs_src_path} is not there")
        if overwrite:
            self.delete(fs_dst_path)
        elif test_exists and self.is_exist(fs_dst_path):
            raise FSFileExistsError(f"{fs_dst_path} is there already")
        self.rename(fs_src_path, fs_dst_path)

    def delete(self, fs_path: str) -> None:
        """Delete a file, or a folder with all that is in it; nothing where there is none."""
        if self.is_exist(fs_path):
            self._hadoop("-rm", "-r", fs_path)

    def touch(self, fs_path: str, exist_ok: bool = True) -> None:
        """Make an empty file where there is none.

        Raises:
            FSFileExistsError: it is there and may not.
        """
        if not self.is_exist(fs_path):
            self._hadoop("-touchz", fs_path)
        elif not exist_ok:
            raise FSFileExistsError(f"{fs_path} is there already")

    def need_upload_download(self) -> bool:
        """Files have to be fetched before they are read: True."""
        return True

    def cat(self, fs_path: str | None = None) -> str:
        """What is in a file, without the end of its last line; nothing where there is none."""
        return self._hadoop("-cat", fs_path).rstrip("\n") if fs_path is not None and self.is_file(fs_path) else ""

    def upload(self, local_path: str, fs_path: str, multi_processes: int = 5, overwrite: bool = False) -> None:
        """Copy a file there, or what is in a folder.

        Args:
            local_path (str): the file or folder of this machine.
            fs_path (str): the file, or the folder for what is in it.
            multi_processes (int): how many commands copy a folder's contents side by side.
            overwrite (bool): what has that name is replaced by a folder with the copies in it.
        Raises:
            FSFileNotExistsError: there is no such file here.
            FSFileExistsError: there is such a file there.
        """
        if not os.path.exists(local_path):
            raise FSFileNotExistsError(f"{local_path} is not there")
        if overwrite and self.is_exist(fs_path):
            self.delete(fs_path)
            self.mkdirs(fs_path)  # Paddle's client makes a folder of what it replaces, also for a file
        if os.path.isdir(local_path):
            self.mkdirs(fs_path)
            inside = [os.path.join(local_path, name) for name in sorted(os.listdir(local_path))]
            self._side_by_side(inside, multi_processes, lambda part: self._hadoop("-put", *part, fs_path))
        elif self.is_file(fs_path):
            raise FSFileExistsError(f"{fs_path} is there already")
        else:
            self._hadoop("-put", local_path, fs_path)

    def upload_dir(self, local_dir: str, dest_dir: str, overwrite: bool = False) -> None:
        """Copy a folder into a folder there, which is made if it is not there.

        Args:
            local_dir (str): the folder of this machine.
            dest_dir (str): the folder to copy it into.
            overwrite (bool): a folder of its name that is there is deleted first.
        Raises:
            FSFileNotExistsError: there is no such folder here.
        """
        if not os.path.exists(local_dir):
            raise FSFileNotExistsError(f"{local_dir} is not there")
        local_dir, dest_dir = local_dir.rstrip("/"), dest_dir.rstrip("/")
        if overwrite:
            self.delete(f"{dest_dir}/{os.path.basename(local_dir)}")
        self.mkdirs(dest_dir)
        self._hadoop("-put", local_dir, dest_dir)

    def download(self, fs_path: str, local_path: str, multi_processes: int = 5, overwrite: bool = False) -> None:
        """Copy a file, or what is in a folder, to this machine.

        Args:
            fs_path (str): the file or folder.
            local_path (str): the file here, or the folder for what is in it.
            multi_processes (int): how many commands copy a folder's contents side by side.
            overwrite (bool): what has that name here is deleted first.
        Raises:
            FSFileNotExistsError: there is none.
            FSFileExistsError: there is such a file here.
        """
        if not self.is_exist(fs_path):
            raise FSFileNotExistsError(f"{fs_path} is not there")
        if overwrite and os.path.exists(local_path):
            (shutil.rmtree if os.path.isdir(local_path) else os.remove)(local_path)
        if os.path.isfile(local_path):
            raise FSFileExistsError(f"{local_path} is there already")
        if self.is_dir(fs_path):
            os.makedirs(local_path, exist_ok=True)
            inside = [each.path for each in self._hadoop.listed(fs_path)]
            self._side_by_side(inside, multi_processes, lambda part: self._hadoop("-get", *part, local_path))
        else:
            self._hadoop("-get", fs_path, local_path)

    def _side_by_side(self, files: list[str], processes: int, copy: Any) -> None:
        if processes < 1:
            raise InvalidArgumentError(f"Invalid argument `multi_processes` of `HDFSClient`. Expected 1 or more. Received: {processes}")
        parts = [part for i in range(processes) if (part := self._split_files(files, i, processes))]
        with ThreadPoolExecutor(processes) as pool:
            list(pool.map(copy, parts))

    def _split_files(self, files: Sequence[str], trainer_id: int, trainers: int) -> list[str]:
        return shard(list(files), trainer_id, trainers)


__all__ = ["HDFSClient"]
__getattr__ = missing(__name__)
