"""What `paddle.audio` is asked, in a wheel and in ours; see snippets.py."""

from __future__ import annotations

SIGNAL = "signal = paddle.to_tensor(np.random.RandomState(0).uniform(-1, 1, (2, 200)).astype('float32'), stop_gradient=False)\n"
WINDOWS = (
    "'hamming'", "'hann'", "'blackman'", "'bohman'", "'cosine'", "'triang'", "'tukey'", "('tukey', 0.3)", "('tukey', 0)", "('tukey', 1.0)",
    "('gaussian', 7)", "('gaussian', 1.5)", "'exponential'", "('exponential', None, 2.0)", "('exponential', 0.2)", "('taylor')",
    "('general_gaussian', 1.5, 2)", "('general_hamming', 0.6)", "('general_cosine', [0.3, 0.5, 0.2])", "'taylor'", "('taylor', 5, 20)",
    "('taylor', 3, 25, False)", "('hamming',)", "['hann']", "'gaussian'", "'nothing'", "('hann', 3)", "8.6", "None", "'_hann'",
    "'general_hamming'", "('hann', False)",
)  # fmt: skip
NEW_WINDOWS = ("'kaiser'", "('kaiser', 8.6)", "('kaiser', 14)", "'bartlett'", "'nuttall'")


def changed(call: str) -> str:
    """A layer's answer and the gradients that reach the signal."""
    return f"""{SIGNAL}
layer = paddle.audio.features.{call}
out = layer(signal)
(out * paddle.cos(paddle.arange(out.numel(), dtype=out.dtype).reshape(out.shape))).sum().backward()
answer = [out, signal.grad, [[name, b.shape, str(b.dtype)[-3:].replace('P', 't')] for name, b in layer.named_buffers()]]
"""


def window(kind: str) -> dict[str, str]:
    """A window of several lengths, periodic or not, in both data types."""
    call = f"answer = paddle.audio.functional.get_window({kind}, "
    return {
        f"window {kind}": f"{call}12)",
        f"window {kind} symmetric": f"{call}11, fftbins=False)",
        f"window {kind} short": f"answer = [paddle.audio.functional.get_window({kind}, n) for n in (1, 2, 3)]",
        f"window {kind} float32": f"{call}9, dtype='float32')",
    }


F = "paddle.audio.functional"
CASES = {
    **{name: code for kind in WINDOWS for name, code in window(kind).items()},
    **{
        call: f"F = paddle.audio.functional\nT = paddle.to_tensor\nanswer = {call}"
        for call in (
            "[F.hz_to_mel(f) for f in (0.0, 60, 999.0, 1000.0, 4400.5, 22050)]", "[F.hz_to_mel(f, htk=True) for f in (0.0, 60, 4400.5)]",
            "F.hz_to_mel(T([0.0, 60.0, 1000.0, 8000.0]))", "F.hz_to_mel(T([0.0, 60.0, 1000.0, 8000.0]), True)", "F.hz_to_mel(T(440.0))",
            "F.hz_to_mel(T([[60.0, 3000.0]], dtype='float64'))", "F.hz_to_mel(np.array([60.0, 3000.0]))", "F.hz_to_mel('a')",
            "F.hz_to_mel(T([60, 3000]))", "F.hz_to_mel(None)", "F.hz_to_mel(T([60.0], dtype='float64'), True)",
            "[F.mel_to_hz(f) for f in (0.0, 3, 14.9, 15.0, 40.5)]", "[F.mel_to_hz(f, htk=True) for f in (0.0, 60, 2400.5)]",
            "F.mel_to_hz(T([0.0, 3.0, 15.0, 40.0]))", "F.mel_to_hz(T([0.0, 3.0, 15.0, 400.0]), True)", "F.mel_to_hz(T(44.0))",
            "F.mel_to_hz(T([[3.0, 30.0]], dtype='float64'))", "F.mel_to_hz('a')", "F.mel_to_hz(T([3, 30]))",
            "F.mel_frequencies(8)", "F.mel_frequencies(n_mels=6, f_min=50.0, f_max=4000.0, htk=True, dtype='float64')",
            "F.mel_frequencies().shape", "F.mel_frequencies(5, dtype='int32')",
            "F.fft_frequencies(8000, 16)", "F.fft_frequencies(sr=44100, n_fft=9, dtype='float64')", "F.fft_frequencies(8000, 0)",
            "F.compute_fbank_matrix(8000, 32, 5)", "F.compute_fbank_matrix(8000, 32, n_mels=5, htk=True, f_min=100.0, f_max=3000.0)",
            "F.compute_fbank_matrix(8000, 32, 5, norm=None)", "F.compute_fbank_matrix(8000, 32, 5, norm=2.0)",
            "F.compute_fbank_matrix(8000, 32, 5, norm=1)", "F.compute_fbank_matrix(8000, 32, 5, norm='x')",
            "F.compute_fbank_matrix(8000, 32, 5, dtype='float64')", "F.compute_fbank_matrix(8000, 16, 20)",
            "F.compute_fbank_matrix(sr=22050, n_fft=512).shape",
            "F.power_to_db(T([1.0, 0.5, 1e-12, 300.0]))", "F.power_to_db(T([1.0, 0.5, 1e-12, 300.0]), top_db=None)",
            "F.power_to_db(T([1.0, 0.5, 1e-12, 300.0]), ref_value=5.0, amin=1e-3, top_db=20)", "F.power_to_db(T([1.0]), amin=0)",
            "F.power_to_db(T([1.0]), ref_value=0)", "F.power_to_db(T([1.0]), top_db=-1)", "F.power_to_db(T([1.0], dtype='float64'))",
            "F.power_to_db(T([1, 3]))", "F.power_to_db(T([1.0, 3.0]), top_db=0)", "F.power_to_db(T([1.0, 3.0]), ref_value=-1.0)",
            "F.power_to_db(3.0)",
            "F.create_dct(4, 6)", "F.create_dct(n_mfcc=4, n_mels=6, norm=None, dtype='float64')", "F.create_dct(7, 3)",
            "F.create_dct(4, 6, norm='x')",
            "F.get_window('hann', 0)", "F.get_window('hann', -3)", "F.get_window('hann', 4.5)",
            "F.get_window(window=('gaussian', 2), win_length=6, fftbins=True, dtype='float64')",
        )
    },
    **{
        f"gradient {call}": f"x = paddle.to_tensor([0.5, 60.0, 3000.0], stop_gradient=False)\nF = {F}\n"
        f"y = F.{call}\n(y * y).sum().backward()\nanswer = [y, x.grad]"
        for call in (
            "hz_to_mel(x)", "hz_to_mel(x, True)", "mel_to_hz(x / 100)", "mel_to_hz(x, True)", "power_to_db(x)",
            "power_to_db(x, top_db=20.0)",
        )
    },
    **{
        f"layer {call}": changed(call)
        for call in (
            "Spectrogram(n_fft=32, hop_length=10)", "Spectrogram(n_fft=32)", "Spectrogram(n_fft=32, hop_length=None, power=2.0)",
            "Spectrogram(32, 10, 20, 'hamming', 1.0, False)", "Spectrogram(n_fft=32, hop_length=16, window=('gaussian', 5), power=1.5)",
            "Spectrogram(n_fft=32, hop_length=16, pad_mode='constant')", "Spectrogram(n_fft=32, hop_length=16, pad_mode='edge')",
            "Spectrogram(n_fft=32, power=0)", "Spectrogram(n_fft=32, power=-1.0)", "Spectrogram(n_fft=32, win_length=40)",
            "Spectrogram(n_fft=500)", "Spectrogram(n_fft=32, dtype='float64')", "Spectrogram(n_fft=32, window='x')", "Spectrogram(0)",
            "MelSpectrogram(sr=8000, n_fft=32, hop_length=16, n_mels=5)", "MelSpectrogram(8000, 32, None, n_mels=4, htk=True, norm=2.0)",
            "MelSpectrogram(sr=8000, n_fft=32, hop_length=16, n_mels=5, f_min=100.0, f_max=3000.0, power=1.0, norm=None)",
            "MelSpectrogram(sr=8000, n_fft=32, dtype='float64', n_mels=5)",
            "LogMelSpectrogram(sr=8000, n_fft=32, hop_length=16, n_mels=5)",
            "LogMelSpectrogram(sr=8000, n_fft=32, hop_length=16, n_mels=5, top_db=10.0, ref_value=2.0, amin=1e-4)",
            "MFCC(sr=8000, n_mfcc=3, n_fft=32, hop_length=16, n_mels=5)", "MFCC(sr=8000, n_mfcc=9, n_fft=32, n_mels=5)",
            "MFCC(sr=8000, n_mfcc=3, n_fft=32, hop_length=16, n_mels=5, top_db=20.0, htk=True)",
        )
    },
    "layer rank 1": f"{SIGNAL}f = paddle.audio.features\nanswer = [f.Spectrogram(16)(signal[0]), f.MFCC(8000, 2, 16, n_mels=3)(signal[0])]",
    "layer rank 3": f"{SIGNAL}answer = paddle.audio.features.Spectrogram(16)(signal.unsqueeze(0))",
    "layer texts": "f = paddle.audio.features\nl = f.MFCC(8000, 2, 16, n_mels=3)\nanswer = [repr(l), list(l.state_dict()), l.full_name(), "
    "[n for n, _ in l.named_sublayers()], [[b.persistable, b.stop_gradient] for b in l.buffers()], list(l.named_parameters())]",
    "layer attributes": "f = paddle.audio.features\nl = f.LogMelSpectrogram(8000, 16, n_mels=3)\nm = l._melspectrogram\n"
    "s = m._spectrogram\n"
    "answer = [l.ref_value, l.amin, l.top_db, m.n_mels, m.f_min, m.f_max, m.htk, m.norm, s.power, m.fbank_matrix, s.fft_window]",
    "training": """
paddle.seed(0)
net = paddle.nn.Sequential(paddle.audio.features.LogMelSpectrogram(8000, 32, n_mels=4), paddle.nn.Flatten(), paddle.nn.Linear(4 * 26, 2))
x = paddle.to_tensor(np.random.RandomState(0).uniform(-1, 1, (4, 200)).astype('float32'))
for p in net.parameters():
    p.set_value(paddle.full(p.shape, 0.01))
optimizer, answer = paddle.optimizer.SGD(0.0001, net.parameters()), []
for _ in range(3):
    loss = paddle.nn.functional.cross_entropy(net(x), paddle.to_tensor([0, 1, 1, 0]))
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
    answer.append(float(loss))
""",
}  # fmt: skip
CASES_OF_3 = {name: code for kind in NEW_WINDOWS for name, code in window(kind).items()}

WAVE = """
import os, pathlib, tempfile, wave
folder = tempfile.mkdtemp()
path = os.path.join(folder, 'a.wav')
sound = paddle.to_tensor(np.sin(np.arange(20) / 3).reshape(2, 10).astype('float32'))
save, load, info = paddle.audio.save, paddle.audio.load, paddle.audio.info
def facts(path):
    i = info(path)
    return [i.sample_rate, i.num_samples, i.num_channels, i.bits_per_sample, i.encoding, type(i).__name__]
def raw(path):
    with wave.open(path) as f:
        return [list(f.getparams())[:4], list(f.readframes(100))]
def wav(width, channels=1, data=bytes(range(100, 124))):
    with wave.open(path, 'wb') as f:
        f.setnchannels(channels), f.setsampwidth(width), f.setframerate(8000)
        f.writeframes(data)
"""
WAVES = {
    f"wave {n}": WAVE + code
    for n, code in enumerate((
        "save(path, sound, 8000)\nanswer = [facts(path), raw(path), load(path)]",
        "save(path, sound, 8000, channels_first=True, encoding='PCM_S', bits_per_sample=16)\nanswer = raw(path)",
        "save(path, sound.t(), 8000, channels_first=False)\nanswer = [raw(path), load(path, channels_first=False)]",
        "save(path, sound, 8000)\nanswer = [load(path, 3), load(path, 3, 4)]",
        "save(path, sound, 8000)\nanswer = [load(path, num_frames=0), load(path, num_frames=100), load(path, 30)]",
        "save(path, sound, 8000)\nanswer = [load(path, normalize=False), load(path, normalize=False)[0].dtype == paddle.int16]",
        "save(path, sound, 8000)\nanswer = load(pathlib.Path(path))",
        "save(path, sound, 8000)\nanswer = facts(pathlib.Path(path))",
        "save(path, sound, 8000)\nwith open(path, 'rb') as f:\n    answer = load(f)",
        "save(path, sound, 8000)\nwith open(path, 'rb') as f:\n    answer = facts(f)",
        "save(pathlib.Path(path), sound, 8000)\nanswer = raw(path)",
        "answer = save(path, sound, 8000, bits_per_sample=8)", "answer = save(path, sound, 8000, bits_per_sample=32)",
        "answer = save(path, sound, 8000, bits_per_sample=None)\nanswer = raw(path)", "answer = save(path, sound, 8000, encoding='PCM_F')",
        "answer = save(path, sound, 8000, encoding='x', bits_per_sample=16)\nanswer = raw(path)",
        "save(path, sound[0], 8000)\nanswer = raw(path)", "save(path, sound.unsqueeze(0), 8000)\nanswer = raw(path)",
        "save(path, sound.numpy(), 8000)\nanswer = raw(path)", "save(path, (sound * 3), 8000)\nanswer = raw(path)",
        "save(path, (sound * 1000).astype('int16'), 8000)\nanswer = [raw(path), load(path)]",
        "save(path, (sound * 1000).astype('int32'), 8000)\nanswer = [raw(path)]",
        "save(path, sound.astype('float64'), 8000)\nanswer = raw(path)", "save(path, sound, 8000.5)\nanswer = raw(path)",
        "save(path, paddle.concat([sound] * 8), 8000)\nanswer = [raw(path)[0], facts(path)]",
        "wav(1)\nanswer = [facts(path), load(path)]", "wav(2)\nanswer = [facts(path), load(path)]",
        "wav(2, 3)\nanswer = [facts(path), load(path)]", "wav(3)\nanswer = [facts(path)]", "wav(3)\nanswer = load(path)",
        "wav(4)\nanswer = [facts(path), load(path)]", "wav(4)\nanswer = load(path, normalize=False)",
        "wav(1)\nanswer = load(path, normalize=False)",
        "wav(2, 2, b'')\nanswer = [facts(path), load(path)]", "answer = load(os.path.join(folder, 'missing.wav'))",
        "answer = info(os.path.join(folder, 'missing.wav'))", "open(path, 'w').write('nothing like that')\nanswer = load(path)",
        "open(path, 'w').write('nothing like that')\nanswer = info(path)",
        "b = paddle.audio.backends\nanswer = [b.list_available_backends(), b.get_current_backend(), b.set_backend('wave_backend')]",
        "paddle.audio.backends.set_backend('soundfile')\nanswer = 0", "paddle.audio.backends.set_backend(None)\nanswer = 0",
        "I = paddle.audio.backends.backend.AudioInfo(1, 2, 3, 4, 'x')\nanswer = [sorted(vars(I)), I.encoding]",
        "save(path, paddle.to_tensor([[0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 0.99999, 1e-5, -1e-5, 0.3]]), 8000)\nanswer = raw(path)",
    ))
}  # fmt: skip
CASES.update(WAVES)
