"""What an InMemoryDataset says of samples that are to be merged by their names or by the page views that they belong to."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat.core.errors import UnsupportedError


class MergedViews:
    """The settings, as Paddle keeps them; samples that really are to be merged are refused."""

    parse_ins_id: bool
    parse_content: bool
    _skipped: int

    def __init__(self) -> None:
        super().__init__()
        self.merge_by_lineid = self.parse_logkey = self.enable_pv_merge = False
        self.merge_by_sid = True

    def set_merge_by_lineid(self, merge_size: int = 2) -> None:
        """Merge the samples of one name where trainers shuffle theirs globally; lines begin with `1 name` from now on.

        Args:
            merge_size (int): how many samples a name has.
        """
        self.merge_by_lineid = self.parse_ins_id = True
        self._skipped = 1 + self.parse_content

    def set_parse_logkey(self, parse_logkey: bool) -> None:
        """Say whether the names hold a search, a query and a rank; loading such lines is not supported.

        Args:
            parse_logkey (bool): whether they do.
        """
        self.parse_logkey = bool(parse_logkey)

    def set_merge_by_sid(self, merge_by_sid: bool) -> None:
        """Say by what page views are told apart.

        Args:
            merge_by_sid (bool): by searches.
        """
        self.merge_by_sid = bool(merge_by_sid)

    def set_enable_pv_merge(self, enable_pv_merge: bool) -> None:
        """Say whether the samples of a page view make one; loading them is not supported.

        Args:
            enable_pv_merge (bool): whether they do.
        """
        self.enable_pv_merge = bool(enable_pv_merge)

    def set_generate_unique_feasigns(self, generate_uni_feasigns: bool, shard_num: int) -> None:
        """Say whether the ids of all samples are to be told apart, for tables in the trainer's memory; nothing here does so.

        Args:
            generate_uni_feasigns (bool): whether they are.
            shard_num (int): how many parts the tables have.
        """
        self.gen_uni_feasigns, self.local_shard_num = generate_uni_feasigns, shard_num

    def set_current_phase(self, current_phase: int) -> None:
        """Say which phase of a training with page views this is; of no effect without them.

        Args:
            current_phase (int): 1: by page views, 0: by samples.
        """
        self._phase = current_phase

    def get_pv_data_size(self) -> np.int64:
        """How many page views there are.

        Returns:
            numpy.int64: 0.
        """
        return np.int64(0)

    def _refuse_views(self) -> None:
        """Nothing here reads page views."""
        for name in ("parse_logkey", "enable_pv_merge"):
            if getattr(self, name):
                raise UnsupportedError("InMemoryDataset", f"{name}=True", "samples without page views")

    def _refuse_merging(self, fleet: Any) -> None:
        """Nothing here merges samples, which trainers that shuffle together do."""
        if self.merge_by_lineid and fleet is not None and fleet.worker_num() > 1:
            raise UnsupportedError("InMemoryDataset", "merge_by_lineid=True", "lines that are merged before they are read")
