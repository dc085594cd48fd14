"""Short pieces of code for the decoders of `fluid.contrib.decoder` of Paddle 1.8."""

from __future__ import annotations

_CELL = """
from paddle.fluid.contrib.decoder import beam_search_decoder as decoders
main.random_seed = startup.random_seed = 90

def texts(lengths, seed):
    words = np.random.RandomState(seed).randint(0, 20, (sum(lengths), 1))
    return fluid.create_lod_tensor(words, [lengths], fluid.CPUPlace())

source = data("source", [None, 1], "int64", lod_level=1)
rows = layers.embedding(source, [20, 6], param_attr="table")
context = layers.sequence_pool(layers.fc(rows, 5, act="tanh"), "sum")
cell = decoders.StateCell({"x": None}, {"h": decoders.InitState(context, need_reorder=True)}, "h")

@cell.state_updater
def update(cell):
    cell.set_state("h", layers.fc([cell.get_state("h"), cell.get_input("x")], 5, act="tanh"))
"""
_SEARCH = """
ids, scores = (data(name, [None, 1], kind, lod_level=2) for name, kind in (("ids", "int64"), ("scores", "float32")))
"""
_FOUND = """
exe.run(startup)
levels = [[1, 1], [1, 1]]
feed = {"ids": np.zeros((2, 1), "int64"), "scores": np.ones((2, 1), "float32")}
feed = {name: fluid.create_lod_tensor(value, levels, fluid.CPUPlace()) for name, value in feed.items()}
feed["source"] = texts([4, 2], 0)
values = exe.run(main, feed=feed, fetch_list=list(decoder()), return_numpy=False)
answer = [[np.array(v), v.lod()] for v in values] + [decoder.type, [[op.type for op in b.ops] for b in main.blocks]]
answer.append(sorted(p.name for p in main.all_parameters()))
"""

CASES = {
    "a_decoder_that_learns": f"""{_CELL}
target, following = (data(n, [None, 1], "int64", lod_level=1) for n in ("target", "following"))
decoder, rows = decoders.TrainingDecoder(cell), layers.embedding(target, [20, 6], param_attr="table")
with decoder.block():
    decoder.state_cell.compute_state({{"x": decoder.step_input(rows)}})
    chances = layers.fc(decoder.state_cell.get_state("h"), 20, act="softmax")
    decoder.state_cell.update_states()
    decoder.output(chances)
loss = layers.mean(layers.cross_entropy(decoder(), following))
fluid.optimizer.Adagrad(0.1).minimize(loss)
exe.run(startup)
answer = [decoder.type, type(decoder.dynamic_rnn).__name__, sorted(p.name for p in main.all_parameters())]
for seed in range(3):
    feed = {{"source": texts([4, 2], seed), "target": texts([3, 2], seed + 5), "following": texts([3, 2], seed + 9)}}
    answer.append(exe.run(main, feed=feed, fetch_list=[loss])[0])
""",
    **{
        f"a_search_with_{name}": f"""{_CELL}{_SEARCH}
decoder = decoders.BeamSearchDecoder(cell, ids, scores, 20, 6, topk_size=8, {options})
decoder.decode()
{_FOUND}"""
        for name, options in {
            "two_beams": "max_len=5, beam_size=2", "one_beam": "max_len=8, beam_size=1, sparse_emb=False",
            "another_end": "max_len=6, beam_size=2, end_id=9",
        }.items()
    },
    "a_search_that_is_written_by_hand": f"""{_CELL}{_SEARCH}
decoder = decoders.BeamSearchDecoder(cell, ids, scores, 20, 6, max_len=4, beam_size=2)
with decoder.block():
    words, sums = decoder.read_array(init=ids, is_ids=True), decoder.read_array(init=scores, is_scores=True)
    inside = decoder.state_cell
    inside.set_state("h", layers.sequence_expand(inside.get_state("h"), sums))
    inside.compute_state({{"x": layers.embedding(words, [20, 6], param_attr="table")}})
    best, places = layers.topk(layers.fc(layers.lod_reset(inside.out_state(), sums), 20, act="softmax"), 6)
    best = layers.elementwise_add(layers.log(best), layers.reshape(sums, [-1]), axis=0)
    chosen, best = layers.beam_search(words, sums, places, best, 2, end_id=7, level=0)
    with layers.Switch() as switch:
        with switch.case(layers.is_empty(chosen)):
            decoder.early_stop()
        with switch.default():
            inside.update_states()
            decoder.update_array(words, chosen)
            decoder.update_array(sums, best)
{_FOUND}""",
    **{
        f"{name}_of_a_decoder": f"{_CELL}{_SEARCH}\n{code}"
        for name, code in {
            "no_beginning": "decoders.InitState(shape=[-1, 3])",
            "a_number_as_state": "decoders.StateCell({'x': None}, {'h': 3}, 'h')",
            "no_output": "decoders.StateCell({'x': None}, {'h': decoders.InitState(context)}, 'q')",
            "an_input_not_given": "cell.get_input('x')",
            "an_unknown_state": "cell.get_state('q')",
            "an_unknown_input": "cell.compute_state({'q': context})",
            "a_step_outside": "decoders.TrainingDecoder(cell).step_input(context)",
            "an_output_too_early": "decoders.TrainingDecoder(cell)()",
            "a_cell_for_two": "decoders.TrainingDecoder(cell)\ndecoders.BeamSearchDecoder(cell, ids, scores, 20, 6)",
            "an_array_outside": "decoders.BeamSearchDecoder(cell, ids, scores, 20, 6).read_array(ids)",
            "a_search_too_early": "decoders.BeamSearchDecoder(cell, ids, scores, 20, 6)()",
            "an_update_of_itself": "update(cell)",
            "another_input": "decoders.BeamSearchDecoder(cell, ids, scores, 20, 6, {'q': context}).decode()",
        }.items()
    },
    "the_monitor_of_fetches": """
import time
seen = []

class Handler(fluid.executor.FetchHandler):
    def handler(self, res_dict):
        seen.append([[key, value is not None and value.tolist()] for key, value in res_dict.items()])

var = layers.create_global_var([2], 3.0, "float32", persistable=True)
exe.run(startup)
monitor = fluid.executor.FetchHandlerMonitor(fluid.global_scope(), Handler({"v": var}, period_secs=1))
monitor.start()
time.sleep(1.5)
monitor.stop()
answer = seen[:1]
""",
}  # fmt: skip
