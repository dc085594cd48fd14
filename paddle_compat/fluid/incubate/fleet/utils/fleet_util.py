"""`paddle.fluid.incubate.fleet.utils.fleet_util`: what scripts of 1.8 do around training by many processes."""

from __future__ import annotations

import logging
import os
import re
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.base.log_helper import get_logger
from paddle_compat.core.errors import invalid_argument, missing_member
from paddle_compat.core.place import CPUPlace
from paddle_compat.core.program import Program
from paddle_compat.core.scope import Scope, global_scope
from paddle_compat.distributed.fleet import metrics
from paddle_compat.distributed.fleet._fleet import fleet as _fleet_of_2
from paddle_compat.distributed.fleet.base import _meeting
from paddle_compat.fluid.incubate.fleet.collective import fleet as _fleet_of_1
from paddle_compat.fluid.incubate.fleet.utils import utils

_logger = get_logger(__name__.replace("paddle_compat", "paddle", 1), logging.INFO, fmt="%(asctime)s-%(levelname)s: %(message)s")
_HOURS = re.compile(r"\{(\d+)\.\.(\d+)\}|(\d+)")


class _Everybody:
    """Workers that sum what they give; `fleet.metrics` asks it."""

    def all_reduce(self, value: Any, mode: str) -> Any:
        return _meeting.reduced(value, mode)


class FleetUtil:
    """What scripts do around training by many processes: say something once, sum figures, look at Programs.

    What needs the parameter servers of "pslib" (its models, donefiles and caches) raises by name.

    Args:
        mode (str): "pslib" or "transpiler"; here both are for the fleet that was told its role.
    Raises:
        ValueError: another mode.

    Example:
        >>> import os, tempfile
        >>> import numpy as np
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.incubate.fleet.collective import fleet
        >>> from paddle_compat.fluid.incubate.fleet.utils.fleet_util import FleetUtil
        >>> fleet.init()
        >>> util = FleetUtil("transpiler")
        >>> util.rank0_print("said once"); util.rank0_info("logged once"); util.rank0_error("logged once")
        said once
        >>> scope = fluid.Scope()
        >>> for name, counts in (("pos", [[0, 0, 2]]), ("neg", [[2, 0, 0]])):
        ...     scope.var(name).get_tensor().set(np.array(counts), fluid.CPUPlace())
        >>> util.get_global_auc(scope, "pos", "neg"); util.print_global_auc(scope, "pos", "neg", "all workers:")
        1.0
        all workers: global auc = 1.0
        >>> util.set_zero("pos", scope); np.array(scope.find_var("pos").get_tensor()).tolist()
        [[0, 0, 0]]
        >>> util.get_online_pass_interval("{20190720..20190721}", "{0..1}", 30, 2, False)
        [['0000', '0030'], ['0100', '0130']]
        >>> folder = tempfile.mkdtemp()
        >>> with open(folder + "/main", "wb") as file:
        ...     _ = file.write(fluid.Program().desc.serialize_to_string())
        >>> util.program_type_trans(folder, "main", is_text=False)
        'main.pbtxt'
        >>> util.draw_from_program(fluid.Program(), folder, "net"); util.draw_from_program_file(folder + "/main", False, folder, "same")
        >>> util.parse_program_proto(folder + "/main", False, folder); util.load_program(folder + "/main", False).num_blocks
        1
        >>> class config:
        ...     train_prog_path = pruned_prog_path = folder + "/main"
        ...     is_text_train_program = is_text_pruned_program = draw = False
        >>> util.check_two_programs(config)
        True
        >>> x, exe = fluid.layers.data("x", [2]), fluid.Executor(fluid.CPUPlace())
        >>> _ = fluid.io.save_inference_model(folder, ["x"], [fluid.layers.relu(x)], exe)
        >>> class feeds:
        ...     feeded_vars_names, feeded_vars_dims, feeded_vars_types, feeded_vars_filelist = ["x"], [2], ["float32"], None
        >>> class config:
        ...     dump_model_dir, dump_program_filename, is_text_dump_program = folder, "__model__", False
        ...     feed_config, batch_size, save_params_filename = feeds, 4, None
        ...     class fetch_config:
        ...         fetch_vars_names = None
        >>> util.check_vars_and_dump(config)[0].shape
        (4, 2)

    Follows Paddle 1.8.
    """

    __getattr__ = missing_member("fluid.incubate.fleet.utils.fleet_util.FleetUtil")

    def __init__(self, mode: str = "pslib") -> None:
        if mode not in ("pslib", "transpiler"):
            raise invalid_argument("mode", '"pslib" or "transpiler"', mode, "FleetUtil")

    @staticmethod
    def _first() -> bool:
        chosen = _fleet_of_1 if _fleet_of_1._role_maker is not None or _fleet_of_2._role_maker is None else _fleet_of_2
        return bool(chosen.worker_index() == 0)

    def rank0_print(self, s: str) -> None:
        """Print something on the first worker alone.

        Args:
            s (str): what.
        """
        if self._first():
            print(s, flush=True)

    def rank0_info(self, s: str) -> None:
        """Log something on the first worker alone.

        Args:
            s (str): what.
        """
        if self._first():
            _logger.info(s)

    def rank0_error(self, s: str) -> None:
        """Log an error on the first worker alone.

        Args:
            s (str): what.
        """
        if self._first():
            _logger.error(s)

    def set_zero(self, var_name: str, scope: Scope | None = None, place: Any = None, param_type: str = "int64") -> None:
        """Make a variable's elements 0.

        Args:
            var_name (str): the variable.
            scope (Scope): where it is; None: the global one.
            place (Place): where its new value lies; None: CPUPlace().
            param_type (str): its new data type.
        """
        tensor = (scope or global_scope()).var(var_name).get_tensor()
        tensor.set(np.zeros(tensor.shape(), param_type), place or CPUPlace())

    def get_global_auc(
        self, scope: Scope | None = None, stat_pos: str = "_generated_var_2", stat_neg: str = "_generated_var_3"
    ) -> float | None:
        """The area under the curve over all workers' samples.

        Args:
            scope (Scope): where the variables are; None: the global one.
            stat_pos (str): how many positive samples fell into each bucket, as `fluid.layers.auc` counts them.
            stat_neg (str): the negative ones.
        Returns:
            float: None, after a line that says so, where there are no such variables.
        """
        scope = scope or global_scope()
        if scope.find_var(stat_pos) is None or scope.find_var(stat_neg) is None:
            self.rank0_print("not found auc bucket")
            return None
        return metrics.auc(stat_pos, stat_neg, scope, _Everybody())

    def print_global_auc(
        self,
        scope: Scope | None = None,
        stat_pos: str = "_generated_var_2",
        stat_neg: str = "_generated_var_3",
        print_prefix: str = "",
    ) -> None:
        """Print the area under the curve over all workers' samples, on the first one.

        Args:
            scope (Scope): where the variables are; None: the global one.
            stat_pos (str): how many positive samples fell into each bucket.
            stat_neg (str): the negative ones.
            print_prefix (str): what stands in front.
        """
        self.rank0_print(f"{print_prefix} global auc = {self.get_global_auc(scope, stat_pos, stat_neg)}")

    def get_online_pass_interval(
        self, days: str, hours: str, split_interval: Any, split_per_pass: Any, is_data_hourly_placed: bool
    ) -> list[list[str]]:
        """Which parts of a day's data belong to each pass.

        Args:
            days (str): kept; every day has the same.
            hours (str): "{0..23}".
            split_interval (int): how many minutes are in a part.
            split_per_pass (int): how many parts are in a pass; parts that do not fill one are left out.
            is_data_hourly_placed (bool): the data of an hour lies together, so that parts have the hour's name alone.
        Returns:
            list: a list of names for each pass, each hour and minute.
        Raises:
            ValueError: `hours` says something else.
        """
        found = _HOURS.fullmatch(hours.strip())
        if found is None:
            raise invalid_argument("hours", "hours like {0..23}", hours, "FleetUtil.get_online_pass_interval")
        first, last = (int(found[3]),) * 2 if found[3] else (int(found[1]), int(found[2]))
        step, count = int(split_interval), int(split_per_pass)
        parts = (last - first + 1) * 60 // step
        minutes = range(first * 60, first * 60 + parts * step, step)
        names = [f"{at // 60:02d}" if is_data_hourly_placed else f"{at // 60:02d}{at % 60:02d}" for at in minutes]
        return [names[i : i + count] for i in range(0, len(names) - count + 1, count)]

    def load_program(self, model_filename: str, is_text: bool) -> Program:
        """Read a Program.

        Args:
            model_filename (str): the file.
            is_text (bool): the file holds a description as text.
        Returns:
            Program.
        """
        return utils.load_program(model_filename, is_text)

    def program_type_trans(self, prog_dir: str, prog_fn: str, is_text: bool) -> str:
        """Write a Program's file in the other form beside it.

        Args:
            prog_dir (str): the folder.
            prog_fn (str): the file's name.
            is_text (bool): that file holds text.
        Returns:
            str: the name of the new file.
        """
        return utils.program_type_trans(prog_dir, prog_fn, is_text)

    def draw_from_program(self, program: Program, output_dir: str, output_name: str) -> None:
        """Draw a Program's first block, in the language of Graphviz.

        Args:
            program (Program): the Program.
            output_dir (str): the folder.
            output_name (str): the file's name, without `.dot`.
        """
        utils.graphviz(program.global_block(), output_dir, output_name)

    def draw_from_program_file(self, model_filename: str, is_text: bool, output_dir: str, output_filename: str) -> None:
        """Draw the first block of a Program in a file.

        Args:
            model_filename (str): the file.
            is_text (bool): the file holds a description as text.
            output_dir (str): the folder.
            output_filename (str): the drawing's name, without `.dot`.
        """
        self.draw_from_program(self.load_program(model_filename, is_text), output_dir, output_filename)

    def parse_program_proto(self, prog_path: str, is_text: bool, output_dir: str) -> None:
        """Write what is in a Program's file to `vars_all.log`, `vars_persistable.log` and `ops.log`.

        Args:
            prog_path (str): the file.
            is_text (bool): the file holds a description as text.
            output_dir (str): the folder.
        """
        utils.parse_program(self.load_program(prog_path, is_text), output_dir)

    def check_vars_and_dump(self, config: Any) -> list[Any]:
        """Whether a model that was saved loads and runs.

        Args:
            config (object): with `dump_model_dir`, `dump_program_filename`, `is_text_dump_program`, `feed_config`, `fetch_config`,
                `batch_size` and `save_params_filename`, as `utils.check_saved_vars_try_dump` takes them.
        Returns:
            list: what was fetched.
        """
        return utils.check_saved_vars_try_dump(
            config.dump_model_dir,
            config.dump_program_filename,
            config.is_text_dump_program,
            config.feed_config,
            config.fetch_config,
            config.batch_size,
            config.save_params_filename,
        )

    def check_two_programs(self, config: Any) -> bool:
        """Whether the persistable variables of a pruned Program are those of the trained one.

        Args:
            config (object): with `train_prog_path`, `is_text_train_program`, `pruned_prog_path`, `is_text_pruned_program`, and `draw`:
                whether the pruned one is drawn beside its file, as `draw_out_name`.
        Returns:
            bool.
        """
        trained = self.load_program(config.train_prog_path, config.is_text_train_program)
        pruned = self.load_program(config.pruned_prog_path, config.is_text_pruned_program)
        if config.draw:
            self.draw_from_program(pruned, os.path.dirname(config.pruned_prog_path), config.draw_out_name)
        return utils.check_pruned_program_vars(trained, pruned)


__all__ = ["FleetUtil"]
__getattr__ = missing(__name__)
