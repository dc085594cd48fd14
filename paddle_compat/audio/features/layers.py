"""Layers that make spectra of sounds."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.audio.functional.functional import compute_fbank_matrix, create_dct, power_to_db
from paddle_compat.audio.functional.window import get_window
from paddle_compat.core.errors import failed_assertion
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.signal import stft

# the top-level functions (`paddle.matmul`, ...), which load when they are first called
paddle: Any = import_module("paddle_compat")


class Spectrogram(Layer):
    """How strong each frequency is in the frames of sounds.

    Args:
        n_fft (int): samples of a frame.
        hop_length (int): from frame to frame; None: n_fft // 4.
        win_length (int): samples of the window; None: n_fft.
        window (str): the window's name, or a tuple, as `get_window` takes it.
        power (float): the power of the amplitude: 1.0 amplitudes, 2.0 energies.
        center (bool): whether frames are centred around their samples, with the sound filled up on both sides.
        pad_mode (str): how it is filled up: "reflect" or "constant".
        dtype (str): the data type of the window and the sounds.

    Raises:
        AssertionError: power is not above 0.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.audio.features.Spectrogram(n_fft=16, hop_length=8)
        >>> layer(paddle.ones([1, 32])).shape
        [1, 9, 5]

    Follows Paddle 2.6.
    """

    def __init__(
        self, n_fft: int = 512, hop_length: int | None = 512, win_length: int | None = None, window: Any = "hann", power: float = 1.0,
        center: bool = True, pad_mode: str = "reflect", dtype: str = "float32",
    ) -> None:  # fmt: skip
        super().__init__()
        if power <= 0:
            raise failed_assertion("power", "a number above 0", power, "Spectrogram")
        self.power = power
        win_length = n_fft if win_length is None else win_length
        self.register_buffer("fft_window", get_window(window, win_length, fftbins=True, dtype=dtype))
        self._frames: dict[str, Any] = {"n_fft": n_fft, "hop_length": hop_length, "win_length": win_length}
        self._frames.update(center=center, pad_mode=pad_mode)

    def forward(self, x: Any) -> Any:
        """The spectra of sounds.

        Args:
            x (Tensor): [N, samples].
        Returns:
            Tensor: [N, n_fft // 2 + 1, frames].
        """
        return paddle.pow(paddle.abs(stft(x, window=self.fft_window, **self._frames)), self.power)


class MelSpectrogram(Layer):
    """How strong sounds are in bands that lie evenly on the mel scale.

    Args:
        sr (int): samples a second.
        n_fft (int): samples of a frame.
        hop_length (int): from frame to frame; None: n_fft // 4.
        win_length (int): samples of the window; None: n_fft.
        window (str): the window's name, or a tuple, as `get_window` takes it.
        power (float): the power of the amplitude.
        center (bool): whether frames are centred around their samples.
        pad_mode (str): how sounds are filled up: "reflect" or "constant".
        n_mels (int): how many bands.
        f_min (float): the lowest frequency, in hertz.
        f_max (float): the highest; None: half of sr.
        htk (bool): whether the scale is that of HTK; else it is Slaney's.
        norm (str|float): how bands are weighted, as `compute_fbank_matrix` takes it.
        dtype (str): the data type.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.audio.features.MelSpectrogram(sr=8000, n_fft=16, hop_length=8, n_mels=4)
        >>> layer(paddle.ones([1, 32])).shape
        [1, 4, 5]

    Follows Paddle 2.6.
    """

    def __init__(
        self, sr: int = 22050, n_fft: int = 2048, hop_length: int | None = 512, win_length: int | None = None, window: Any = "hann",
        power: float = 2.0, center: bool = True, pad_mode: str = "reflect", n_mels: int = 64, f_min: float = 50.0,
        f_max: float | None = None, htk: bool = False, norm: str | float | None = "slaney", dtype: str = "float32",
    ) -> None:  # fmt: skip
        super().__init__()
        self._spectrogram = Spectrogram(
            n_fft=n_fft, hop_length=hop_length, win_length=win_length, window=window, power=power, center=center, pad_mode=pad_mode,
            dtype=dtype,
        )  # fmt: skip
        self.n_mels, self.f_min, self.f_max = n_mels, f_min, f_max
        self.htk, self.norm = htk, norm
        if f_max is None:
            f_max = sr // 2
        self.register_buffer(
            "fbank_matrix",
            compute_fbank_matrix(sr=sr, n_fft=n_fft, n_mels=n_mels, f_min=f_min, f_max=f_max, htk=htk, norm=norm, dtype=dtype),
        )

    def forward(self, x: Any) -> Any:
        """The bands of sounds.

        Args:
            x (Tensor): [N, samples].
        Returns:
            Tensor: [N, n_mels, frames].
        """
        return paddle.matmul(self.fbank_matrix, self._spectrogram(x))


class LogMelSpectrogram(Layer):
    """How strong sounds are in bands that lie evenly on the mel scale, in decibels.

    Args:
        sr (int): samples a second.
        n_fft (int): samples of a frame.
        hop_length (int): from frame to frame; None: n_fft // 4.
        win_length (int): samples of the window; None: n_fft.
        window (str): the window's name, or a tuple, as `get_window` takes it.
        power (float): the power of the amplitude.
        center (bool): whether frames are centred around their samples.
        pad_mode (str): how sounds are filled up: "reflect" or "constant".
        n_mels (int): how many bands.
        f_min (float): the lowest frequency, in hertz.
        f_max (float): the highest; None: half of sr.
        htk (bool): whether the scale is that of HTK; else it is Slaney's.
        norm (str|float): how bands are weighted, as `compute_fbank_matrix` takes it.
        ref_value (float): the power of 0 decibels.
        amin (float): what smaller powers are taken for.
        top_db (float): how far below the largest one decibels may lie; None: anywhere.
        dtype (str): the data type.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.audio.features.LogMelSpectrogram(sr=8000, n_fft=16, n_mels=4)
        >>> layer(paddle.ones([1, 32])).shape
        [1, 4, 9]

    Follows Paddle 2.6.
    """

    def __init__(
        self, sr: int = 22050, n_fft: int = 512, hop_length: int | None = None, win_length: int | None = None, window: Any = "hann",
        power: float = 2.0, center: bool = True, pad_mode: str = "reflect", n_mels: int = 64, f_min: float = 50.0,
        f_max: float | None = None, htk: bool = False, norm: str | float | None = "slaney", ref_value: float = 1.0, amin: float = 1e-10,
        top_db: float | None = None, dtype: str = "float32",
    ) -> None:  # fmt: skip
        super().__init__()
        self._melspectrogram = MelSpectrogram(
            sr=sr, n_fft=n_fft, hop_length=hop_length, win_length=win_length, window=window, power=power, center=center,
            pad_mode=pad_mode, n_mels=n_mels, f_min=f_min, f_max=f_max, htk=htk, norm=norm, dtype=dtype,
        )  # fmt: skip
        self.ref_value, self.amin, self.top_db = ref_value, amin, top_db

    def forward(self, x: Any) -> Any:
        """The bands of sounds, in decibels.

        Args:
            x (Tensor): [N, samples].
        Returns:
            Tensor: [N, n_mels, frames].
        """
        return power_to_db(self._melspectrogram(x), ref_value=self.ref_value, amin=self.amin, top_db=self.top_db)


class MFCC(Layer):
    """Cosine transforms of the decibels of mel bands.

    Args:
        sr (int): samples a second.
        n_mfcc (int): how many coefficients.
        n_fft (int): samples of a frame.
        hop_length (int): from frame to frame; None: n_fft // 4.
        win_length (int): samples of the window; None: n_fft.
        window (str): the window's name, or a tuple, as `get_window` takes it.
        power (float): the power of the amplitude.
        center (bool): whether frames are centred around their samples.
        pad_mode (str): how sounds are filled up: "reflect" or "constant".
        n_mels (int): how many bands.
        f_min (float): the lowest frequency, in hertz.
        f_max (float): the highest; None: half of sr.
        htk (bool): whether the scale is that of HTK; else it is Slaney's.
        norm (str|float): how bands are weighted, as `compute_fbank_matrix` takes it.
        ref_value (float): the power of 0 decibels.
        amin (float): what smaller powers are taken for.
        top_db (float): how far below the largest one decibels may lie; None: anywhere.
        dtype (str): the data type.

    Raises:
        AssertionError: there are more coefficients than bands.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.audio.features.MFCC(sr=8000, n_mfcc=2, n_fft=16, n_mels=4)
        >>> layer(paddle.ones([1, 32])).shape
        [1, 2, 9]

    Follows Paddle 2.6.
    """

    def __init__(
        self, sr: int = 22050, n_mfcc: int = 40, n_fft: int = 512, hop_length: int | None = None, win_length: int | None = None,
        window: Any = "hann", power: float = 2.0, center: bool = True, pad_mode: str = "reflect", n_mels: int = 64, f_min: float = 50.0,
        f_max: float | None = None, htk: bool = False, norm: str | float | None = "slaney", ref_value: float = 1.0, amin: float = 1e-10,
        top_db: float | None = None, dtype: str = "float32",
    ) -> None:  # fmt: skip
        super().__init__()
        if n_mfcc > n_mels:
            raise failed_assertion("n_mfcc", f"at most n_mels ({n_mels})", n_mfcc, "MFCC")
        self._log_melspectrogram = LogMelSpectrogram(
            sr=sr, n_fft=n_fft, hop_length=hop_length, win_length=win_length, window=window, power=power, center=center,
            pad_mode=pad_mode, n_mels=n_mels, f_min=f_min, f_max=f_max, htk=htk, norm=norm, ref_value=ref_value, amin=amin,
            top_db=top_db, dtype=dtype,
        )  # fmt: skip
        self.register_buffer("dct_matrix", create_dct(n_mfcc=n_mfcc, n_mels=n_mels, dtype=dtype))

    def forward(self, x: Any) -> Any:
        """The coefficients of sounds.

        Args:
            x (Tensor): [N, samples].
        Returns:
            Tensor: [N, n_mfcc, frames].
        """
        bands = self._log_melspectrogram(x)
        return paddle.matmul(bands.transpose((0, 2, 1)), self.dct_matrix).transpose((0, 2, 1))


__all__ = ["LogMelSpectrogram", "MFCC", "MelSpectrogram", "Spectrogram"]

__getattr__ = missing(__name__)
