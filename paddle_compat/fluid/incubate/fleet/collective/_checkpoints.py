"""Checkpoints of a collective fleet: numbered folders with the persistable variables and how far the training was."""

from __future__ import annotations

import json
import os
import shutil
from typing import Any

from paddle_compat.core.program import Program
from paddle_compat.distributed.fs_wrapper import LocalFS
from paddle_compat.fluid import io
from paddle_compat.fluid.incubate.fleet.base.fleet_base import Fleet

_STATUS = "fleet_train_status"


class TrainStatus:
    """How far a training is.

    Args:
        epoch_no (int): the last epoch that is done; -1: none.

    Example:
        >>> from paddle_compat.fluid.incubate.fleet.collective import TrainStatus
        >>> TrainStatus().next(), TrainStatus(3).next(), TrainStatus(3) == TrainStatus(3)
        (0, 4, True)

    Follows Paddle 1.8.
    """

    def __init__(self, epoch_no: int = -1) -> None:
        self._epoch_no = epoch_no

    def next(self) -> int:
        """The epoch to go on with.

        Returns:
            int.
        """
        return self._epoch_no + 1

    def __eq__(self, t: object) -> bool:
        return isinstance(t, TrainStatus) and self._epoch_no == t._epoch_no

    def __ne__(self, t: object) -> bool:
        return not self == t

    __hash__ = None  # type: ignore[assignment]


class Checkpoints(Fleet):
    """The part of a fleet that saves and loads.

    Example:
        >>> import os, tempfile
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.incubate.fleet.collective import TrainStatus, fleet
        >>> main, start = fluid.Program(), fluid.Program()
        >>> with fluid.program_guard(main, start):
        ...     _ = fluid.layers.fc(fluid.data("x", [None, 2]), 1)
        >>> exe, folder = fluid.Executor(fluid.CPUPlace()), tempfile.mkdtemp()
        >>> _ = exe.run(start)
        >>> for epoch in range(3):
        ...     fleet.save_check_point(exe, folder, TrainStatus(epoch), main)
        >>> fleet.clean_redundant_check_points(folder, checkpoint_num=1)
        >>> os.listdir(folder), fleet.load_check_point(exe, folder, 0, main).next()
        (['__paddle_fleet_checkpoint__.2'], 3)

    Follows Paddle 1.8.
    """

    _origin_program: Program | None = None
    _checkoint_prefix = "__paddle_fleet_checkpoint__"
    _param_file_name = "_paddle_fleet_param__"

    def _numbers(self, root_path: str, fs: Any) -> list[int]:
        """The numbers of the checkpoints in a folder."""
        split = (name.rsplit(".", 1) for name in fs.list_dirs(root_path))
        return sorted(int(parts[1]) for parts in split if parts[0] == self._checkoint_prefix and parts[-1].isdigit())

    def _folder(self, path: str, number: int) -> str:
        return f"{path}/{self._checkoint_prefix}.{number}"

    def _get_last_checkpoint_no(self, root_path: str, fs: Any) -> int:
        return max(self._numbers(root_path, fs), default=-1)

    def _save_train_status(self, path: str, train_status: TrainStatus) -> None:
        with open(os.path.join(path, _STATUS), "w") as file:
            json.dump({"epoch_no": train_status._epoch_no}, file)

    def _load_train_status(self, path: str) -> TrainStatus:
        found = os.path.join(path, _STATUS)
        if not os.path.isfile(found):
            return TrainStatus()
        with open(found) as file:
            return TrainStatus(json.load(file).get("epoch_no", -1))

    def clean_redundant_check_points(self, root_path: str, fs: Any = LocalFS(), checkpoint_num: int = 1) -> None:  # noqa: B008
        """Remove the oldest checkpoints.

        Args:
            root_path (str): the folder that they are in.
            fs (FS): the file system.
            checkpoint_num (int): how many stay, at least one.
        """
        for number in self._numbers(root_path, fs)[: -max(checkpoint_num, 1)]:
            fs.rmr(self._folder(root_path, number))

    def save_check_point(
        self,
        executor: Any,
        path: str,
        train_status: TrainStatus,
        main_program: Program | None = None,
        fs: Any = LocalFS(),  # noqa: B008
        local_cache_path: str = ".cache",
        remain_all_checkpoint: bool = True,
    ) -> None:
        """Save a checkpoint; a reader never meets half of one.

        Args:
            executor (Executor): any.
            path (str): the folder for checkpoints.
            train_status (TrainStatus): how far the training is.
            main_program (Program): whose variables; None: what was minimized.
            fs (FS): the file system.
            local_cache_path (str): where files wait that are copied to another file system.
            remain_all_checkpoint (bool): False: the earlier ones go.
        """
        program = self._origin_program if main_program is None else main_program
        fs.mkdir(path)
        target = self._folder(path, self._get_last_checkpoint_no(path, fs) + 1)
        unfinished, away = target + ".tmp", fs.need_upload_download()
        fs.delete(unfinished)
        local = f"{local_cache_path}/{os.path.basename(target)}.saved_cache" if away else unfinished
        shutil.rmtree(local, ignore_errors=True)
        os.makedirs(local)
        io.save_persistables(executor, local, program, self._param_file_name)
        self._save_train_status(local, train_status)
        if away:
            fs.upload(local, unfinished)
        fs.mv(unfinished, target)
        if not remain_all_checkpoint:
            self.clean_redundant_check_points(path, fs=fs)

    def load_check_point(
        self,
        executor: Any,
        path: str,
        trainer_id: int,
        main_program: Program | None = None,
        fs: Any = LocalFS(),  # noqa: B008
        local_cache_path: str = ".cache",
        ignore_empty: bool = True,
    ) -> TrainStatus | None:
        """Load the last checkpoint.

        Args:
            executor (Executor): any.
            path (str): the folder for checkpoints.
            trainer_id (int): of this process, so that processes of one machine do not copy to the same place.
            main_program (Program): whose variables; None: what was minimized.
            fs (FS): the file system.
            local_cache_path (str): where files are copied to from another file system.
            ignore_empty (bool): False: there has to be one.
        Returns:
            TrainStatus: how far the training was; None where there is no checkpoint.
        Raises:
            AssertionError: there is none, and there has to be.
        """
        number = self._get_last_checkpoint_no(path, fs)
        if number < 0:
            if not ignore_empty:
                raise AssertionError(f"Can't find checkpoint. Expected one in {path}. Received: none")
            return None
        folder = self._folder(path, number)
        if fs.need_upload_download():
            local = f"{local_cache_path}/{os.path.basename(folder)}.load_cache.{trainer_id}"
            shutil.rmtree(local, ignore_errors=True)
            os.makedirs(local_cache_path, exist_ok=True)
            fs.download(folder, local)
            folder = local
        program = self._origin_program if main_program is None else main_program
        io.load_persistables(executor, folder, program, self._param_file_name)
        return self._load_train_status(folder)
