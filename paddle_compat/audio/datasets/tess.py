"""Words spoken in seven moods."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from paddle_compat._missing import missing
from paddle_compat.audio.datasets.dataset import AudioClassificationDataset
from paddle_compat.core.errors import failed_assertion
from paddle_compat.dataset.common import DATA_HOME
from paddle_compat.utils.download import get_path_from_url


class _MetaInfo(NamedTuple):
    """What a file's name says."""

    speaker: str
    word: str
    emotion: str


class TESS(AudioClassificationDataset):
    """2800 words, spoken by two actresses in seven moods.

    Args:
        mode (str): "train" for all parts but one; else that one.
        n_folds (int): into how many parts the files are dealt.
        split (int): which part is the one, 1 to n_folds.
        feat_type (str): "raw" for the sounds themselves, or "melspectrogram", "mfcc", "logmelspectrogram", "spectrogram".
        archive (dict): "url" and "md5" of the archive; None: those of its authors' one.
        kwargs: what the layer in `paddle.audio.features` takes, but for `sr`.

    Raises:
        AssertionError: n_folds or split is no such number.
        RuntimeError: the archive is not there and cannot be downloaded, or feat_type is another.

    Example:
        >>> import paddle_compat as paddle
        >>> words = paddle.audio.datasets.TESS(mode="dev", feat_type="mfcc", n_mfcc=40)  # doctest: +SKIP
        >>> features, mood = words[0]  # doctest: +SKIP

    Follows Paddle 2.6.
    """

    archive = {
        "url": "https://bj.bcebos.com/paddleaudio/datasets/TESS_Toronto_emotional_speech_set.zip",
        "md5": "1465311b24d1de704c4c63e4ccc470c7",
    }
    label_list = ["angry", "disgust", "fear", "happy", "neutral", "ps", "sad"]  # ps: a pleasant surprise
    meta_info = _MetaInfo
    audio_path = "TESS_Toronto_emotional_speech_set"

    def __init__(
        self, mode: str = "train", n_folds: int = 5, split: int = 1, feat_type: str = "raw", archive: dict[str, str] | None = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        if not isinstance(n_folds, int) or n_folds < 1:
            raise failed_assertion("n_folds", "an integer from 1", n_folds, "TESS")
        if split not in range(1, n_folds + 1):
            raise failed_assertion("split", f"an integer from 1 to {n_folds}", split, "TESS")
        if archive is not None:
            self.archive = archive
        files, labels = self._get_data(mode, n_folds, split)
        super().__init__(files=files, labels=labels, feat_type=feat_type, **kwargs)

    def _get_meta_info(self, files: list[str]) -> list[_MetaInfo]:
        return [self.meta_info(*os.path.basename(file).removesuffix(".wav").split("_")) for file in files]

    def _get_data(self, mode: str, n_folds: int, split: int) -> tuple[list[str], list[int]]:
        folder = os.path.join(DATA_HOME, self.audio_path)
        if not os.path.isdir(folder):
            get_path_from_url(self.archive["url"], DATA_HOME, self.archive["md5"], decompress=True)
        # in the order of the folder, as in the wheel: it decides which file is in which part
        files = [os.path.join(root, name) for root, _, names in os.walk(folder) for name in names if name.endswith(".wav")]
        chosen = [
            (file, self.label_list.index(word.emotion))
            for i, (file, word) in enumerate(zip(files, self._get_meta_info(files)))
            if (i % n_folds + 1 != split) == (mode == "train")
        ]
        return [file for file, _ in chosen], [label for _, label in chosen]


__all__ = ["TESS"]

__getattr__ = missing(__name__)
