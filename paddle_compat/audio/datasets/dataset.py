"""Sounds in files, and of which kind each is."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.audio.backends.wave_backend import load
from paddle_compat.audio.features.layers import MFCC, LogMelSpectrogram, MelSpectrogram, Spectrogram
from paddle_compat.io.dataloader.dataset import Dataset

feat_funcs: dict[str, Any] = {
    "raw": None, "melspectrogram": MelSpectrogram, "mfcc": MFCC, "logmelspectrogram": LogMelSpectrogram, "spectrogram": Spectrogram,
}  # fmt: skip


class AudioClassificationDataset(Dataset):
    """Sounds, or their spectra, and of which kind each is.

    Args:
        files (list): WAV files.
        labels (list): an int for each.
        feat_type (str): "raw" for the sounds themselves, or "melspectrogram", "mfcc", "logmelspectrogram", "spectrogram".
        sample_rate (int): is replaced by that of each file.
        kwargs: what the layer in `paddle.audio.features` takes, but for `sr`.

    Raises:
        RuntimeError: feat_type is another.

    Example:
        >>> import os, tempfile
        >>> import paddle_compat as paddle
        >>> from paddle_compat.audio.datasets.dataset import AudioClassificationDataset
        >>> path = os.path.join(tempfile.mkdtemp(), "sound.wav")
        >>> paddle.audio.save(path, paddle.zeros([1, 64]), 8000)
        >>> sounds = AudioClassificationDataset([path], [3], "mfcc", n_fft=16, n_mels=4, n_mfcc=2)
        >>> features, label = sounds[0]
        >>> features.shape, label
        ([2, 17], 3)

    Follows Paddle 2.6.
    """

    def __init__(self, files: list[str], labels: list[int], feat_type: str = "raw", sample_rate: int | None = None, **kwargs: Any) -> None:
        super().__init__()
        if feat_type not in feat_funcs:
            raise RuntimeError(f"Unknown feat_type: {feat_type}, it must be one in {list(feat_funcs)}")
        self.files, self.labels = files, labels
        self.feat_type, self.sample_rate = feat_type, sample_rate
        self.feat_config = kwargs

    def __getitem__(self, idx: int) -> tuple[Any, int]:
        sound, self.sample_rate = load(self.files[idx])
        if sound.shape[0] == 1:
            sound = sound.squeeze(0)
        make = feat_funcs[self.feat_type]
        if make is not None:
            rate = {} if make is Spectrogram else {"sr": self.sample_rate}
            sound = make(**rate, **self.feat_config)(sound.unsqueeze(0)).squeeze(0)
        return sound, self.labels[idx]

    def __len__(self) -> int:
        return len(self.files)


__all__ = ["AudioClassificationDataset"]

__getattr__ = missing(__name__)
