# ruff: noqa: E501 - a case is a line
"""What saving, loading and cutting out of Programs, parameters and objects give under Paddle 2.6.2.

file_cases.json: {case: `out` after the code has run, as plain values; {"raises": types} where it raises}. Each case runs in a folder of its own.
"""

from __future__ import annotations

import io
import json
import os
import tempfile
from typing import Any, Callable

import numpy as np

WHEELS = ("2.6.2",)

CASES: dict[str, str] = {
    "async": "paddle.async_save({'a':paddle.ones([2])},'a'); paddle.clear_async_save_task_queue(); out=paddle.load('a')",
    "deserialize": "m,s,e,x,y,l=build(); b=static.serialize_program([x],[y],program=m); q=static.serialize_persistables([x],[y],e,program=m); p=static.deserialize_program(b); a=persist(p); wipe(p); static.deserialize_persistables(p,q,e); out=[same(a,persist(p)),sorted(a)]",
    "deserialize/bad": "paddle.enable_static(); static.deserialize_program(b'hello')",
    "deserialize/str": "paddle.enable_static(); static.deserialize_program('hello')",
    "infer/bad kw": "m,s,e,x,y,l=build(); static.save_inference_model('d/inf',[x],[y],e,program=m); static.load_inference_model('d/inf',e,foo=1)",
    "infer/cond": "paddle.enable_static(); x=static.data('x',[1,2]); w=static.nn.fc(x,2)\nh=static.nn.cond(paddle.sum(x)>0, lambda: w+1, lambda: w-1); e=static.Executor(); e.run(static.default_startup_program())\nstatic.save_inference_model('d/inf',[x],[h],e); p,f,t=static.load_inference_model('d/inf',e); r=e.run(p,feed={'x':np.ones((1,2),'float32')},fetch_list=t)[0]; out=[f,p.num_blocks,np.allclose(r, e.run(static.default_main_program(),feed={'x':np.ones((1,2),'float32')},fetch_list=[h])[0]),[o.type for o in p.global_block().ops]]",
    "infer/dir as prefix": "m,s,e,x,y,l=build(); static.save_inference_model('d/',[x],[y],e,program=m)",
    "infer/feed unused": "m,s,e,x,y,l=build()\nwith static.program_guard(m,s): z=static.data('z',[None,2])\nstatic.save_inference_model('d/inf',[x,z],[y],e,program=m); p,f,t=static.load_inference_model('d/inf',e); out=f",
    "infer/fetch str": "m,s,e,x,y,l=build(); static.save_inference_model('d/inf',[x],['y'],e,program=m)",
    "infer/missing": "m,s,e,x,y,l=build(); static.load_inference_model('d/inf',e)",
    "infer/missing params": "m,s,e,x,y,l=build(); static.save_inference_model('d/inf',[x],[y],e,program=m); os.remove('d/inf.pdiparams'); static.load_inference_model('d/inf',e)",
    "infer/names": "m,s,e,x,y,l=build(); static.save_inference_model('d/inf',[x],[y],e,program=m); p,f,t=static.load_inference_model('d',e,model_filename='inf.pdmodel',params_filename='inf.pdiparams'); out=[f,[v.name for v in t]]",
    "infer/names2": "m,s,e,x,y,l=build(); static.save_inference_model('d/inf',[x],[y],e,program=m); p,f,t=static.load_inference_model('d',e,model_filename='inf',params_filename='inf'); out=[f,[v.name for v in t]]",
    "infer/not list": "m,s,e,x,y,l=build(); static.save_inference_model('d/inf',x,y,e,program=m); out=ls()",
    "infer/nothing to save": "paddle.enable_static(); x=static.data('x',[None,2]); y=x+1; e=static.Executor()\nstatic.save_inference_model('d/inf',[x],[y],e); p,f,t=static.load_inference_model('d/inf',e); out=[ls(),f,e.run(p,feed={'x':np.ones((1,2),'float32')},fetch_list=t)]",
    "infer/only model": "m,s,e,x,y,l=build(); static.save_inference_model('d/inf',[x],[y],e,program=m); p,f,t=static.load_inference_model('d/inf',e,model_filename='inf.pdmodel'); out=[f,[v.name for v in t]]",
    "infer/params as bytes": "m,s,e,x,y,l=build(); b=static.serialize_program([x],[y],program=m); q=static.serialize_persistables([x],[y],e,program=m); p,f,t=static.load_inference_model(None,e,model_filename=b,params_filename=q); out=[f,[v.shape for v in t]]",
    "infer/prefix": "m,s,e,x,y,l=build(); static.save_inference_model('d/inf',[x],[y],e,program=m); p,f,t=static.load_inference_model('d/inf',e); out=[ls(),f,[v.name for v in t],[o.type for o in p.global_block().ops],e.run(p,feed={'x':np.ones((1,3),'float32')},fetch_list=t)[0].shape]",
    "infer/program type": "m,s,e,x,y,l=build(); static.save_inference_model('d/inf',[x],[y],e,program=3)",
    "infer/str": "m,s,e,x,y,l=build(); static.save_inference_model('d/inf','x',[y],e,program=m)",
    "infer/tuple": "m,s,e,x,y,l=build(); static.save_inference_model('d/inf',(x,),(y,),e,program=m); out=ls()",
    "infer/while": "paddle.enable_static(); x=static.data('x',[1,2]); i=paddle.zeros([1],'int64'); n=paddle.full([1],3,'int64')\nw=static.nn.fc(x,2)\ni2,h=static.nn.while_loop(lambda i,h:i<n, lambda i,h:[i+1,h+w],[i,x]); e=static.Executor(); e.run(static.default_startup_program())\nstatic.save_inference_model('d/inf',[x],[h],e); p,f,t=static.load_inference_model('d/inf',e); r=e.run(p,feed={'x':np.ones((1,2),'float32')},fetch_list=t)[0]; out=[f,p.num_blocks,np.allclose(r, e.run(static.default_main_program(),feed={'x':np.ones((1,2),'float32')},fetch_list=[h])[0])]",
    "load/cfg": "paddle.save(1,'a'); paddle.load('a',foo=1)",
    "load/cfg kinds": "paddle.save(1,'a'); out=[]\nfor k in (dict(return_numpy=1),dict(return_numpy='x'),dict(keep_name_table=1),dict(model_filename=3),dict(params_filename=3)):\n  try: out.append(paddle.load('a',**k))\n  except Exception as ex: out.append(type(ex).__name__)",
    "load/folder, a file lacks": "m,s,e,x,y,l=build(); static.io.save_vars(e,'d',m,predicate=lambda v: v.persistable); wipe(m); os.remove('d/fc_0.w_0'); static.load(m,'d',e); out={k:bool(v.any()) for k,v in persist(m).items() if 'moment' not in k}",
    "load/folder, a foreign variable listed": "m,s,e,x,y,l=build(); static.io.save_vars(e,'d',m,predicate=lambda v: v.persistable); wipe(m); p2=static.Program()\nwith static.program_guard(p2): v=static.create_global_var([1],0.,'float32',True,name='zz')\nstatic.load(m,'d',e,var_list=[v]); out={k:bool(v.any()) for k,v in persist(m).items() if 'moment' not in k}",
    "load/folder, a listed file lacks": "m,s,e,x,y,l=build(); static.io.save_vars(e,'d',m,predicate=lambda v: v.persistable); wipe(m); os.remove('d/fc_0.w_0'); static.load(m,'d',e,var_list=m.all_parameters()); out={k:bool(v.any()) for k,v in persist(m).items() if 'moment' not in k}",
    "load/folder, another file": "m,s,e,x,y,l=build(); static.io.save_vars(e,'d',m,predicate=lambda v: v.persistable); wipe(m); open('d/junk','w').write('x'); static.load(m,'d',e); out={k:bool(v.any()) for k,v in persist(m).items() if 'moment' not in k}",
    "load/folder, another folder": "m,s,e,x,y,l=build(); static.io.save_vars(e,'d',m,predicate=lambda v: v.persistable); wipe(m); os.mkdir('d/sub'); open('d/sub/junk','w').write('x'); static.load(m,'d',e); out={k:bool(v.any()) for k,v in persist(m).items() if 'moment' not in k}",
    "load/folder, nothing listed": "m,s,e,x,y,l=build(); static.io.save_vars(e,'d',m,predicate=lambda v: v.persistable); wipe(m); static.load(m,'d/',e,var_list=[]); out={k:bool(v.any()) for k,v in persist(m).items() if 'moment' not in k}",
    "load/inference prefix": "m,s,e,x,y,l=build(); static.save_inference_model('d/inf',[x],[y],e,program=m); paddle.disable_static(); r=paddle.load('d/inf'); out={k:type(v).__name__ for k,v in r.items()}",
    "load/jit pdiparams": "net=nn.Linear(2,3); net=paddle.jit.to_static(net,input_spec=[static.InputSpec([None,2])]); paddle.jit.save(net,'d/j'); r=paddle.load('d/j.pdiparams'); out=r",
    "load/jit prefix": "net=nn.Linear(2,3); net=paddle.jit.to_static(net,input_spec=[static.InputSpec([None,2])]); paddle.jit.save(net,'d/j'); r=paddle.load('d/j'); out={k:type(v).__name__ for k,v in r.items()}; out=[out,ls()]",
    "load/jit prefix numpy": "net=nn.Linear(2,3); net=paddle.jit.to_static(net,input_spec=[static.InputSpec([None,2])]); paddle.jit.save(net,'d/j'); r=paddle.load('d/j',return_numpy=True); out={k:type(v).__name__ for k,v in r.items()}; n2=nn.Linear(2,3); n2.set_state_dict(r); out=[out,np.array_equal(n2.weight.numpy(),net.weight.numpy())]",
    "load/none": "paddle.load('nope')",
    "load/opened": "paddle.save({'a':1},'a'); out=paddle.load(open('a','rb'))",
    "load/prefix": "paddle.save({'a':paddle.ones([1])},'x.pdparams'); paddle.load('x')",
    "load/vars dir": "m,s,e,x,y,l=build(False); static.io.save_vars(e,'d',m,vars=m.all_parameters()); paddle.disable_static(); out={k:type(v).__name__ for k,v in paddle.load('d').items()}",
    "load/vars one file": "m,s,e,x,y,l=build(False); static.io.save_vars(e,'d',m,vars=m.all_parameters()); paddle.disable_static(); out=paddle.load('d/fc_0.b_0')",
    "normalize/errs": "m,s,e,x,y,l=build(); out=[]\nfor a in (('m',[x],[y]),(m,'x',[y]),(m,[x],'y'),(m,[x],[x]),(m,[],[y]),(m,[y],[y]),(m,[y],[x])):\n    try: static.normalize_program(*a); out.append('fine')\n    except Exception as ex: out.append(type(ex).__name__)",
    "normalize/skip": "m,s,e,x,y,l=build(False); p=static.normalize_program(m,[x],[y],skip_prune_program=True); out=[o.type for o in p.global_block().ops]",
    "normalize/twice": "m,s,e,x,y,l=build(); p=static.normalize_program(m,[x],[y]); out=[[o.type for o in p.global_block().ops],[o.type for o in m.global_block().ops][-3:]]",
    "opt/lr": "l=nn.Linear(2,2); sch=paddle.optimizer.lr.StepDecay(0.1,2); o=paddle.optimizer.SGD(sch,parameters=l.parameters()); sch.step(); paddle.save(o.state_dict(),'a.pdopt'); r=paddle.load('a.pdopt'); out=r; paddle.save(sch.state_dict(),'b'); out=[out,paddle.load('b')]",
    "opt/state": "l=nn.Linear(2,2); o=paddle.optimizer.Adam(parameters=l.parameters()); l(paddle.ones([1,2])).sum().backward(); o.step(); paddle.save(o.state_dict(),'a.pdopt'); r=paddle.load('a.pdopt'); out=[sorted(r),{k:type(v).__name__ for k,v in r.items()}]; o2=paddle.optimizer.Adam(parameters=l.parameters()); o2.set_state_dict(r); out.append(sorted(o2.state_dict()))",
    "preds": "m,s,e,x,y,l=build(); out=[[v.name,static.io.is_parameter(v),static.io.is_persistable(v),static.io.is_belong_to_optimizer(v)] for v in m.list_vars() if v.persistable]",
    "prune/assign": "def go(feeds,fetch):\n  p=static.normalize_program(static.default_main_program(),feeds,fetch); return [o.type for o in p.global_block().ops]\npaddle.enable_static()\nx=static.data('x',[1,2]); w=static.nn.fc(x,2); paddle.assign(w,x); y=x*2.; out=go([x],[y])",
    "prune/assign direct": "def go(feeds,fetch):\n  p=static.normalize_program(static.default_main_program(),feeds,fetch); return [o.type for o in p.global_block().ops]\npaddle.enable_static()\nx=static.data('x',[1,2]); w=static.nn.fc(x,2); paddle.assign(w,x); out=go([x],[x])",
    "prune/assign mid": "def go(feeds,fetch):\n  p=static.normalize_program(static.default_main_program(),feeds,fetch); return [o.type for o in p.global_block().ops]\npaddle.enable_static()\nx=static.data('x',[1,2]); h=x*1.; w=static.nn.fc(h,2); paddle.assign(w,h); y=h*2.; out=go([h],[y])",
    "prune/cond": "def go(feeds,fetch):\n  p=static.normalize_program(static.default_main_program(),feeds,fetch); return [o.type for o in p.global_block().ops]\npaddle.enable_static()\nx=static.data('x',[1,2]); w=static.nn.fc(x,2); h=static.nn.cond(paddle.sum(x)>0, lambda: w+1, lambda: paddle.assign(w,x)); y=x*2.; out=go([x],[y])",
    "prune/overwritten mid": "def go(feeds,fetch):\n  p=static.normalize_program(static.default_main_program(),feeds,fetch); return [o.type for o in p.global_block().ops]\npaddle.enable_static()\nx=static.data('x',[1,2]); h=x*1.; w=static.nn.fc(h,2); y=h*2.; out=go([h],[y])",
    "prune/prune": "def go(feeds,fetch):\n  p=static.normalize_program(static.default_main_program(),feeds,fetch); return [o.type for o in p.global_block().ops]\npaddle.enable_static()\nx=static.data('x',[1,2]); w=static.nn.fc(x,2); paddle.assign(w,x); y=x*2.; p=static.default_main_program()._prune_with_input(['x'],[y]); out=[o.type for o in p.global_block().ops]",
    "prune/while": "def go(feeds,fetch):\n  p=static.normalize_program(static.default_main_program(),feeds,fetch); return [o.type for o in p.global_block().ops]\npaddle.enable_static()\nx=static.data('x',[1,2]); i=paddle.zeros([1],'int64'); n=paddle.full([1],3,'int64'); w=static.nn.fc(x,2); i2,h=static.nn.while_loop(lambda i,h:i<n, lambda i,h:[i+1,h+w],[i,x]); y=h*2.; out=go([x],[y])",
    "prune/while two feeds": "def go(feeds,fetch):\n  p=static.normalize_program(static.default_main_program(),feeds,fetch); return [o.type for o in p.global_block().ops]\npaddle.enable_static()\nx=static.data('x',[1,2]); i=static.data('i',[1],'int64'); n=paddle.full([1],3,'int64'); w=static.nn.fc(x,2); i2,h=static.nn.while_loop(lambda i,h:i<n, lambda i,h:[i+1,h+w],[i,x]); y=h*2.; out=go([x,i],[y])",
    "prune/while unrelated": "def go(feeds,fetch):\n  p=static.normalize_program(static.default_main_program(),feeds,fetch); return [o.type for o in p.global_block().ops]\npaddle.enable_static()\nx=static.data('x',[1,2]); q=static.data('q',[1,2]); i=paddle.zeros([1],'int64'); n=paddle.full([1],3,'int64'); w=static.nn.fc(x,2); i2,h=static.nn.while_loop(lambda i,h:i<n, lambda i,h:[i+1,h+w],[i,q]); y=x*2.; out=go([x],[y])",
    "save/Path": "import pathlib; paddle.save({'a':1},pathlib.Path('a')); out=paddle.load('a')",
    "save/binary dict": "paddle.save({'a':paddle.ones([2])},'a',use_binary_format=True)",
    "save/binary int": "paddle.save(paddle.ones([2]),'a',use_binary_format=1)",
    "save/binary tensor": "t=paddle.to_tensor([1.,2.]); paddle.save(t,'a',use_binary_format=True); r=paddle.load('a'); out=[r,paddle.load('a',return_numpy=True)]; b=BytesIO(); paddle.save(t,b,use_binary_format=True); b.seek(0); out.append(paddle.load(b))",
    "save/cfg": "paddle.save(1,'a',foo=1)",
    "save/dir": "os.mkdir('d'); paddle.save({'a':1},'d')",
    "save/dir/": "paddle.save({'a':1},'d/')",
    "save/dtypes": "out=[]\nfor d in ('float16','bfloat16','float32','float64','int8','uint8','int16','int32','int64','bool','complex64','complex128'):\n  t=paddle.ones([2]).astype(d) if d!='complex128' else paddle.ones([2],'float64').astype(d)\n  paddle.save(t,'a'); r=paddle.load('a'); n=paddle.load('a',return_numpy=True); out.append([str(r.dtype),str(n.dtype),r.shape,r.stop_gradient,r.persistable, type(r).__name__])\n  paddle.save(t,'a',use_binary_format=True); r=paddle.load('a'); out.append([str(r.dtype)])",
    "save/layer": "paddle.save(nn.Linear(1,1),'a')",
    "save/layer in dict": "paddle.save({'a':nn.Linear(1,1)},'a')",
    "save/layer in list": "paddle.save([nn.Linear(1,1)],'a')",
    "save/lod eager": "t=base.core.LoDTensor(); t.set(np.arange(6,dtype='float32').reshape(3,2),paddle.CPUPlace())\npaddle.save(t,'a'); out=[paddle.load('a'),paddle.load('a',return_numpy=True)]; paddle.save({'a':t,'b':3},'a'); out+=[paddle.load('a')]; paddle.save([t,t],'a'); out+=[paddle.load('a')]\npaddle.save(t,'b',use_binary_format=True); out+=[paddle.load('b')]",
    "save/nested": "v={'epoch':3,'m':{'a':paddle.ones([2]),'l':[paddle.zeros([1]),(paddle.ones([1]),'x')]},'n':np.ones(2)}; paddle.save(v,'a'); out=[paddle.load('a'),paddle.load('a',return_numpy=True)]",
    "save/parameter": "l=nn.Linear(2,2); paddle.save(l.weight,'a'); r=paddle.load('a'); out=[type(r).__name__,r.stop_gradient,r.persistable,r.name==l.weight.name]; paddle.save(l.state_dict(),'a'); r=paddle.load('a'); out+=[[type(v).__name__,v.stop_gradient,v.persistable,v.name] for v in r.values()]; r=paddle.load('a',keep_name_table=True); out.append(list(r)); r=paddle.load('a',return_numpy=True,keep_name_table=True); out.append({k:type(v).__name__ for k,v in r.items()})",
    "save/pickle_protocol": "paddle.save({'a':paddle.ones([2])},'a',pickle_protocol=2); out=paddle.load('a')",
    "save/program": "m,s,e,x,y,l=build(); paddle.save(m,'d/m.pdmodel'); p=paddle.load('d/m.pdmodel'); out=[type(p).__name__,[o.type for o in p.global_block().ops]==[o.type for o in m.global_block().ops]]",
    "save/program bytes": "m,s,e,x,y,l=build(); b=BytesIO(); paddle.save(m,b); b.seek(0); p=paddle.load(b); out=type(p).__name__",
    "save/protocols": "out=[]\nfor p in (0,1,2,3,4,5,'2',2.0,True):\n  try: paddle.save({'a':paddle.ones([2])},'a',protocol=p); out.append(paddle.load('a'))\n  except Exception as ex: out.append(type(ex).__name__)",
    "save/set_state arrays": "m,s,e,x,y,l=build(); m.set_state_dict({'fc_0.w_0': np.zeros((3,4),'float32')}); out=persist(m)['fc_0.w_0']",
    "save/set_state cond": "m,s,e,x,y,l=build(); sd=m.state_dict(); paddle.save(sd,'a'); r=paddle.load('a',return_numpy=True); out=[type(v).__name__ for v in r.values()]; m.set_state_dict(r)",
    "save/set_state extra": "m,s,e,x,y,l=build(); d=m.state_dict(); d['foo']=d['fc_0.w_0']; m.set_state_dict(d); out=1",
    "save/set_state notdict": "m,s,e,x,y,l=build(); m.set_state_dict([1])",
    "save/set_state shape": "m,s,e,x,y,l=build(); m.set_state_dict({'fc_0.w_0': np.zeros((3,5),'float32')}); out=persist(m)['fc_0.w_0'].shape",
    "save/static state": "m,s,e,x,y,l=build(); sd=m.state_dict(); out=[sorted(sd),sorted(m.state_dict('param')),sorted(m.state_dict('opt')),hasattr(list(sd.values())[0], 'lod')]; paddle.save(sd,'d/a'); r=paddle.load('d/a'); out.append([hasattr(v, 'lod') for v in r.values()]); wipe(m); m.set_state_dict(r); out.append({k:bool(v.any()) for k,v in persist(m).items()})",
    "save/static state modes": "m,s,e,x,y,l=build(); m.state_dict('foo')",
    "save/static state scope": "m,s,e,x,y,l=build(); m.state_dict('all', 3)",
    "serialize/errs": "m,s,e,x,y,l=build(); out=[]\nfor a in (('x',[y]),([x],'y'),([x],[3]),([3],[y])):\n    for f in (static.serialize_program, lambda a,b,**k: static.serialize_persistables(a,b,e,**k)):\n        try: f(*a,program=m); out.append('fine')\n        except Exception as ex: out.append(type(ex).__name__)",
    "state/load": "m,s,e,x,y,l=build(); static.save(m,'d/model'); st=static.load_program_state('d/model'); out=[sorted(st), {k:type(v).__name__ for k,v in st.items()}]; wipe(m); static.set_program_state(m, st); out.append(same(st, persist(m)))",
    "state/none": "m,s,e,x,y,l=build(); static.load_program_state('d/nope')",
    "state/opt": "m,s,e,x,y,l=build(); static.save(m,'d/model'); st=static.load_program_state('d/model.pdopt'); out=sorted(st)",
    "state/pd": "m,s,e,x,y,l=build(); static.save(m,'d/model'); st=static.load_program_state('d/model.pdparams'); out=sorted(st)",
    "state/pdmodel": "m,s,e,x,y,l=build(); static.save(m,'d/model'); st=static.load_program_state('d/model.pdmodel'); out=sorted(st)",
    "state/set dtype": "m,s,e,x,y,l=build(); d=persist(m); d['fc_0.w_0']=d['fc_0.w_0'].astype('float64'); static.set_program_state(m, d)",
    "state/set extra": "m,s,e,x,y,l=build(); static.set_program_state(m, {'a': np.ones(2), **persist(m)}); out=1",
    "state/set missing": "m,s,e,x,y,l=build(); d=persist(m); d.pop('fc_0.w_0'); static.set_program_state(m, d); out=1",
    "state/set shape": "m,s,e,x,y,l=build(); d=persist(m); d['fc_0.w_0']=np.ones((2,2),'float32'); static.set_program_state(m, d)",
    "state/var_list": "m,s,e,x,y,l=build(); static.save(m,'d/model'); st=static.load_program_state('d/model', m.all_parameters()[:1]); out=sorted(st)",
    "static.load/ after prune": "m,s,e,x,y,l=build(adam=False); static.save(m,'d/model')\nwith paddle.utils.unique_name.guard():\n    m2,s2,e2,x2,y2,l2=build(adam=True)\nstatic.load(m2,'d/model',e2); out=1",
    "static.load/missing": "m,s,e,x,y,l=build(); static.load(m,'d/model',e)",
    "static.load/no opt": "m,s,e,x,y,l=build(); static.save(m,'d/model'); os.remove('d/model.pdopt'); static.load(m,'d/model',e)",
    "static.load/shape": "m,s,e,x,y,l=build(); static.save(m,'d/model'); d=paddle.load('d/model.pdparams', return_numpy=True); d['fc_0.w_0']=np.zeros((5,4),'float32'); paddle.save(d,'d/model.pdparams'); static.load(m,'d/model',e)",
    "static.load/var_list": "m,s,e,x,y,l=build(); a=persist(m); static.save(m,'d/model'); wipe(m); static.load(m,'d/model',e, var_list=m.all_parameters()[:2]); out=[same(a,persist(m)), {k:bool(v.any()) for k,v in persist(m).items()}]",
    "static.load/var_list names": "m,s,e,x,y,l=build(); a=persist(m); static.save(m,'d/model'); wipe(m); static.load(m,'d/model',e, ['fc_0.w_0']); out=[same(a,persist(m))]",
    "static.save/bad path": "m,s,e,x,y,l=build(); static.save(m,'d/')",
    "static.save/load": "m,s,e,x,y,l=build(); a=persist(m); static.save(m,'d/model'); wipe(m); static.load(m,'d/model',e); out=[same(a,persist(m)), ls()]",
    "static.save/noexe": "m,s,e,x,y,l=build(); a=persist(m); static.save(m,'d/model'); wipe(m); static.load(m,'d/model'); out=[same(a,persist(m)), ls()]",
    "static.save/old kw": "m,s,e,x,y,l=build(); static.save(m,'d/m', pickle_protocol=3); out=ls()",
    "static.save/old kw2": "m,s,e,x,y,l=build(); static.save(m,'d/m', foo=3); out=ls()",
    "static.save/protocols": "m,s,e,x,y,l=build(); a=persist(m); out=[]\nfor p in (2,3,4):\n    static.save(m,'d/m%d'%p, protocol=p); wipe(m); static.load(m,'d/m%d'%p); out.append(same(a,persist(m)))\nfor p in (1,5,2.5,True,'2'):\n    try: static.save(m,'d/m', protocol=p); out.append('fine')\n    except Exception as ex: out.append(type(ex).__name__)",
    "to_file": "static.save_to_file('f', b'abc'); out=static.load_from_file('f')",
    "to_file/none": "static.load_from_file('nope')",
    "to_file/str": "static.save_to_file('f', 'abc')",
    "vars/files": "m,s,e,x,y,l=build(); a=persist(m); static.io.save_vars(e,'d',m,predicate=lambda v: v.persistable); out=ls(); wipe(m); static.io.load_vars(e,'d',m,predicate=lambda v:v.persistable); out=[out,same(a,persist(m))]; st=static.load_program_state('d'); out.append(sorted(st)); out.append(same(st,a))",
    "vars/names": "m,s,e,x,y,l=build(); static.io.save_vars(e,'d',m,vars=m.all_parameters()[:1]); out=ls()",
    "vars/none memory": "m,s,e,x,y,l=build(); r=static.io.save_vars(e,None,m,vars=m.all_parameters()); out=type(r).__name__, len(r)",
    "vars/one": "m,s,e,x,y,l=build(); a=persist(m); static.io.save_vars(e,'d',m,predicate=lambda v: v.persistable,filename='all'); out=ls(); wipe(m); static.io.load_vars(e,'d',m,predicate=lambda v:v.persistable,filename='all'); out=[out,same(a,persist(m))]; st=static.load_program_state('d/all', [v for v in m.list_vars() if v.persistable]); out.append(sorted(st)); out.append(same(st,a))",
    "vars/one no list": "m,s,e,x,y,l=build(); static.io.save_vars(e,'d',m,predicate=lambda v: v.persistable,filename='all'); static.load_program_state('d/all')",
    "vars/shape check": "m,s,e,x,y,l=build(False); static.io.save_vars(e,'d',m,vars=m.all_parameters())\nwith paddle.utils.unique_name.guard():\n    m2=static.Program(); s2=static.Program()\n    with static.program_guard(m2,s2):\n        static.nn.fc(static.data('x',[None,5]),4)\ne.run(s2); static.io.load_vars(e,'d',m2,vars=m2.all_parameters())",
    "vars/state dir junk": "m,s,e,x,y,l=build(); static.io.save_vars(e,'d',m,vars=m.all_parameters()); open('d/junk','w').write('hello'); out=sorted(static.load_program_state('d'))",
    "vars/state dir list": "m,s,e,x,y,l=build(); static.io.save_vars(e,'d',m,predicate=lambda v: v.persistable); out=sorted(static.load_program_state('d', m.all_parameters()))",
    "vars/state dir list missing": "m,s,e,x,y,l=build(); static.io.save_vars(e,'d',m,vars=m.all_parameters()); os.remove('d/fc_0.w_0'); out=sorted(static.load_program_state('d', m.all_parameters()))",
    "vars/state partial list": "m,s,e,x,y,l=build(); static.io.save_vars(e,'d',m,predicate=lambda v: v.persistable,filename='all'); static.load_program_state('d/all', m.all_parameters()[:1])",
    "vars/static.load dir": "m,s,e,x,y,l=build(); a=persist(m); static.io.save_vars(e,'d',m,predicate=lambda v: v.persistable); wipe(m); static.load(m,'d',e); out=same(a,persist(m))",
    "vars/static.load dir var_list": "m,s,e,x,y,l=build(); a=persist(m); static.io.save_vars(e,'d',m,predicate=lambda v: v.persistable); wipe(m); static.load(m,'d',e, var_list=m.all_parameters()); out={k:bool(v.any()) for k,v in persist(m).items()}",
    "vars/static.load noexe": "m,s,e,x,y,l=build(); static.io.save_vars(e,'d',m,predicate=lambda v: v.persistable); static.load(m,'d')",
    "vars/static.load one": "m,s,e,x,y,l=build(); a=persist(m); static.io.save_vars(e,'d',m,predicate=lambda v: v.persistable,filename='all'); wipe(m); static.load(m,'d/all',e,var_list=[v for v in m.list_vars() if v.persistable]); out=same(a,persist(m))",
    "vars/static.load one no list": "m,s,e,x,y,l=build(); static.io.save_vars(e,'d',m,predicate=lambda v: v.persistable,filename='all'); static.load(m,'d/all',e)",
}  # fmt: skip


def answer(paddle: Any, code: str) -> Any:
    """What a case gives."""
    static = paddle.static
    cpu = paddle.CPUPlace()

    def persist(main: Any) -> dict[str, Any]:
        return {v.name: np.array(static.global_scope().find_var(v.name).get_tensor()) for v in _kept(main)}

    def wipe(main: Any) -> None:
        for v in _kept(main):
            tensor = static.global_scope().find_var(v.name).get_tensor()
            tensor.set(np.zeros_like(np.array(tensor)), cpu)

    def build(adam: bool = True) -> Any:
        paddle.enable_static()
        paddle.utils.unique_name.switch()
        main, startup = static.Program(), static.Program()
        with static.program_guard(main, startup):
            x = static.data("x", [None, 3])
            y = static.nn.fc(static.nn.fc(x, 4, activation="relu"), 2)
            loss = paddle.mean(y)
            if adam:
                paddle.optimizer.Adam(0.1).minimize(loss)
        exe = static.Executor(cpu)
        exe.run(startup)
        exe.run(main, feed={"x": np.ones((2, 3), "float32")}, fetch_list=[loss])
        return main, startup, exe, x, y, loss

    def same(a: Any, b: Any) -> bool:
        return sorted(a) == sorted(b) and all(np.array_equal(a[k], b[k]) for k in a)

    def ls(folder: str = ".") -> list[str]:
        return sorted(os.path.relpath(os.path.join(root, f), folder) for root, _, files in os.walk(folder) for f in files)

    names: dict[str, Any] = {
        "paddle": paddle, "np": np, "os": os, "nn": paddle.nn, "static": static, "base": paddle.base, "BytesIO": io.BytesIO,
        "build": build, "persist": persist, "wipe": wipe, "same": same, "ls": ls, "out": None,
    }  # fmt: skip
    before = os.getcwd()
    paddle.disable_static()
    paddle.seed(3)
    with tempfile.TemporaryDirectory() as folder, paddle.utils.unique_name.guard(), static.scope_guard(static.Scope()):
        os.chdir(folder)
        try:
            with static.program_guard(static.Program(), static.Program()):
                exec(code, names)
        except Exception as error:
            return {"raises": [kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins"]}
        finally:
            os.chdir(before)
            paddle.disable_static()
    return json.loads(json.dumps(_plain(paddle, names["out"])))


def _kept(main: Any) -> list[Any]:
    return [v for v in main.list_vars() if v.persistable and v.name not in ("feed", "fetch")]


def _plain(paddle: Any, value: Any) -> Any:
    """A value as JSON can hold it: what decides is kind, data type, shape and elements."""
    if isinstance(value, dict):
        return {str(key): _plain(paddle, item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(paddle, item) for item in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return [type(value).__name__, str(value.dtype), list(value.shape), np.asarray(value, "float64").round(5).tolist()]
    if isinstance(value, paddle.Tensor):
        return ["Tensor", value.stop_gradient, _plain(paddle, value.numpy())]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if type(value).__name__ in ("LoDTensor", "DenseTensor", "Tensor"):
        return ["LoDTensor", _plain(paddle, np.array(value))]
    return type(value).__name__


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The one file."""

    def answers() -> Any:
        import paddle

        return {case: answer(paddle, code) for case, code in CASES.items()}

    return {"file_cases.json": answers}
