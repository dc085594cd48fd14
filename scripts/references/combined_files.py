# ruff: noqa: E501 - a call is a line
"""What the operators that save and load files do when scripts append them by hand, byte for byte.

combined_files_VERSION.json: {case: `out` after the code has run, as plain values; {"raises": type} where it raises}. The
code is read as in native_cases.py; files are written in a folder of their own.
"""

from __future__ import annotations

import tempfile
from typing import Any, Callable

import native_cases

WHEELS = ("1.8.5", "2.6.2")

_VARS = (
    "import os, tempfile\nfolder = tempfile.mkdtemp(); path = os.path.join(folder, 'inner', 'all'); s = core.Scope(); exe = base.Executor(base.CPUPlace()); P = base.CPUPlace()\n"
    "s.var('b').get_tensor().set(np.arange(6.0, dtype='float32').reshape(3, 2), P); s.var('b').get_tensor().set_lod([[0, 1, 3]]); s.var('a').get_tensor().set(np.array([7, 8], 'int64'), P); s.var('c').get_tensor().set(np.array([1.5, -2.25, 0.125], 'float64'), P)\n"
    "p = base.Program(); g = p.global_block(); b, a, c = (g.create_var(name=n, shape=sh, dtype=t, lod_level=l, persistable=True) for n, sh, t, l in (('b', [3, 2], 'float32', 1), ('a', [2], 'int64', 0), ('c', [3], 'float64', 0)))\n"
    "def raw(where):\n    return list(open(where, 'rb').read())\n"
    "def run(program, **k):\n    with base.scope_guard(s):\n        return exe.run(program, **k)\n"
    "Y = {'Y': [g.create_var(name='all', type=VarType.RAW, persistable=True)]}\n"
    "def saver(type='save_combine', **attrs):\n    many = type == 'save_combine'; g.append_op(type=type, inputs={'X': [b, a, c] if many else [b]}, outputs=Y if many else {}, attrs=dict(attrs, file_path=path)); run(p)\n"
)
_LOAD = (
    "def loader(names=('b', 'a', 'c'), type='load_combine', **attrs):\n"
    "    q = base.Program(); h = q.global_block(); outs = [h.create_var(name='new_' + n, shape=[1], dtype='float32', persistable=True) for n in names]\n"
    "    h.append_op(type=type, inputs={}, outputs={'Out': outs}, attrs=dict({'file_path': path}, **attrs)); run(q)\n"
    "    return [[np.array(t), str(np.array(t).dtype), t.lod()] for t in (s.find_var('new_' + n).get_tensor() for n in names)]\n"
)

CASES = {
    "save": _VARS + "saver('save'); out = raw(path)",
    "save/half": _VARS + "saver('save', save_as_fp16=True); out = raw(path)",
    "save/twice": _VARS + "saver('save'); saver('save', overwrite=False)",
    "save_combine": _VARS + "saver(); out = raw(path)",
    "save_combine/half": _VARS + "g.append_op(type='save_combine', inputs={'X': [b, b]}, outputs=Y, attrs={'file_path': path, 'save_as_fp16': True}); run(p); out = raw(path)",
    "save_combine/half of integers": _VARS + "saver(save_as_fp16=True); out = raw(path)",
    "save_combine/twice": _VARS + "saver(); saver(overwrite=False)",
    "save_combine/nothing": _VARS + "g.append_op(type='save_combine', inputs={'X': []}, outputs=Y, attrs={'file_path': path}); run(p)",
    "save_combine/computed": _VARS + "d = g.create_var(name='d', shape=[3, 2], dtype='float32'); g.append_op(type='scale', inputs={'X': [b]}, outputs={'Out': [d]}, attrs={'scale': 2.0}); g.append_op(type='save_combine', inputs={'X': [d, a]}, outputs=Y, attrs={'file_path': path}); run(p); out = raw(path)",
    "load": _VARS + _LOAD + "saver('save'); out = loader(['b'], 'load')",
    "load/half": _VARS + _LOAD + "saver('save'); out = loader(['b'], 'load', load_as_fp16=True)",
    "load/part": _VARS + _LOAD + "saver('save'); out = loader(['b'], 'load', seek=2, shape=[3])",
    "load/some": _VARS + _LOAD + "g.append_op(type='save', inputs={'X': [c]}, outputs={}, attrs={'file_path': path}); run(p); out = loader(['c'], 'load', seek=1, shape=[2])",
    "load/first": _VARS + _LOAD + "g.append_op(type='save', inputs={'X': [c]}, outputs={}, attrs={'file_path': path}); run(p); out = loader(['c'], 'load', seek=0, shape=[2])",
    "load/nowhere": _VARS + _LOAD + "loader(['b'], 'load')",
    "load_combine": _VARS + _LOAD + "saver(); out = loader()",
    "load_combine/half": _VARS + _LOAD + "g.append_op(type='save_combine', inputs={'X': [b, b]}, outputs=Y, attrs={'file_path': path}); run(p); out = loader(['u', 'v'], load_as_fp16=True)",
    "load_combine/fewer": _VARS + _LOAD + "saver(); loader(['b', 'a'])",
    "load_combine/more": _VARS + _LOAD + "saver(); loader(['b', 'a', 'c', 'd'])",
    "load_combine/nowhere": _VARS + _LOAD + "loader()",
    "load_combine/read on": _VARS + "saver(); q = base.Program(); h = q.global_block(); u, v, w, y = (h.create_var(name=n, dtype=t) for n, t in (('u', 'float32'), ('v', 'int64'), ('w', 'float64'), ('y', 'float32')))\n"
    "h.append_op(type='load_combine', inputs={}, outputs={'Out': [u, v, w]}, attrs={'file_path': path}); h.append_op(type='scale', inputs={'X': [u]}, outputs={'Out': [y]}, attrs={'scale': 3.0}); t, n = run(q, fetch_list=['y', 'v'], return_numpy=False); out = [np.array(t), t.lod(), np.array(n)]",
    "memory": _VARS + _LOAD + "saver(save_to_memory=True); raw = s.find_var('all').get_bytes(); out = [list(raw), os.path.exists(path), loader(file_path=raw, model_from_memory=True)]",
    "rows": _VARS + "r = s.var('r').get_selected_rows(); r.set_rows([4, 1]); r.set_height(6); r.get_tensor().set(np.arange(4.0, dtype='float32').reshape(2, 2), P); v = g.create_var(name='r', type=VarType.SELECTED_ROWS, persistable=True, shape=[6, 2], dtype='float32')\n"
    "g.append_op(type='save', inputs={'X': [v]}, outputs={}, attrs={'file_path': path}); run(p); q = base.Program(); n = q.global_block().create_var(name='new', type=VarType.SELECTED_ROWS, persistable=True)\n"
    "q.global_block().append_op(type='load', inputs={}, outputs={'Out': [n]}, attrs={'file_path': path}); run(q); f = s.find_var('new').get_selected_rows(); out = [raw(path), f.rows(), f.height(), np.array(f.get_tensor())]",
}  # fmt: skip


def cases(version: str) -> dict[str, str]:
    """What a wheel is asked."""
    return CASES


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """One file for each wheel."""

    def answers() -> Any:
        base, names = native_cases.spelling(version)
        with tempfile.TemporaryDirectory() as folder:
            tempfile.tempdir = folder
            return {case: native_cases.answer(base, code, names) for case, code in cases(version).items()}

    return {"combined_files_%s.json" % version: answers}
