"""Sounds of the environment, of fifty kinds."""

from __future__ import annotations

import csv
import os
from typing import Any, NamedTuple

from paddle_compat._missing import missing
from paddle_compat.audio.datasets.dataset import AudioClassificationDataset
from paddle_compat.core.errors import failed_assertion
from paddle_compat.dataset.common import DATA_HOME
from paddle_compat.utils.download import get_path_from_url

_KINDS = """Dog;Rooster;Pig;Cow;Frog;Cat;Hen;Insects (flying);Sheep;Crow;Rain;Sea waves;Crackling fire;Crickets;Chirping birds;Water drops
Wind;Pouring water;Toilet flush;Thunderstorm;Crying baby;Sneezing;Clapping;Breathing;Coughing;Footsteps;Laughing;Brushing teeth;Snoring
Drinking, sipping;Door knock;Mouse click;Keyboard typing;Door, wood creaks;Can opening;Washing machine;Vacuum cleaner;Clock alarm;Clock tick
Glass breaking;Helicopter;Chainsaw;Siren;Car horn;Engine;Train;Church bells;Airplane;Fireworks;Hand saw"""


class _MetaInfo(NamedTuple):
    """A line of the list of sounds."""

    filename: str
    fold: str
    target: str
    category: str
    esc10: str
    src_file: str
    take: str


class ESC50(AudioClassificationDataset):
    """2000 sounds of the environment, of fifty kinds, in five parts.

    Args:
        mode (str): "train" for four of the parts; else the one that is left.
        split (int): which one that is, 1 to 5.
        feat_type (str): "raw" for the sounds themselves, or "melspectrogram", "mfcc", "logmelspectrogram", "spectrogram".
        archive (dict): "url" and "md5" of the archive; None: those of its authors' one.
        kwargs: what the layer in `paddle.audio.features` takes, but for `sr`.

    Raises:
        AssertionError: there is no such split.
        RuntimeError: the archive is not there and cannot be downloaded, or feat_type is another.

    Example:
        >>> import paddle_compat as paddle
        >>> sounds = paddle.audio.datasets.ESC50(mode="dev", feat_type="mfcc", n_mfcc=40)  # doctest: +SKIP
        >>> features, label = sounds[0]  # doctest: +SKIP

    Follows Paddle 2.6.
    """

    archive = {"url": "https://paddleaudio.bj.bcebos.com/datasets/ESC-50-master.zip", "md5": "7771e4b9d86d0945acce719c7a59305a"}
    label_list = _KINDS.replace("\n", ";").split(";")
    meta = os.path.join("ESC-50-master", "meta", "esc50.csv")
    meta_info = _MetaInfo
    audio_path = os.path.join("ESC-50-master", "audio")

    def __init__(
        self, mode: str = "train", split: int = 1, feat_type: str = "raw", archive: dict[str, str] | None = None, **kwargs: Any
    ) -> None:
        if split not in range(1, 6):
            raise failed_assertion("split", "an integer from 1 to 5", split, "ESC50")
        if archive is not None:
            self.archive = archive
        files, labels = self._get_data(mode, split)
        super().__init__(files=files, labels=labels, feat_type=feat_type, **kwargs)

    def _get_meta_info(self) -> list[_MetaInfo]:
        with open(os.path.join(DATA_HOME, self.meta), encoding="utf-8", newline="") as file:
            return [self.meta_info(*line) for line in list(csv.reader(file))[1:]]

    def _get_data(self, mode: str, split: int) -> tuple[list[str], list[int]]:
        folder = os.path.join(DATA_HOME, self.audio_path)
        if not os.path.isdir(folder) or not os.path.isfile(os.path.join(DATA_HOME, self.meta)):
            get_path_from_url(self.archive["url"], DATA_HOME, self.archive["md5"], decompress=True)
        chosen = [sound for sound in self._get_meta_info() if (int(sound.fold) != split) == (mode == "train")]
        return [os.path.join(folder, sound.filename) for sound in chosen], [int(sound.target) for sound in chosen]


__all__ = ["ESC50"]

__getattr__ = missing(__name__)
