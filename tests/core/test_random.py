"""Engines, generators and what is drawn from them."""

from __future__ import annotations

import copy
import json
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import paddle_compat as paddle
from paddle_compat.core import distributions, random
from paddle_compat.core.engines import MT19937_64, Engine, Minstd
from paddle_compat.core.program import Program

REFERENCES = Path(__file__).resolve().parents[1] / "references"
ENGINES = [Minstd(3), MT19937_64(3), MT19937_64(3, sequence=True)]


def test_engines_give_the_words_that_the_standard_asks_for() -> None:
    assert int(Minstd(1).take(10000)[-1]) == 399268537
    assert int(Minstd(1, multiplier=16807).take(10000)[-1]) == 1043618065
    assert int(MT19937_64().take(10000)[-1]) == 9981545732273789042


def test_minstd_takes_seeds_like_the_standard() -> None:
    assert Minstd(0).take(3).tolist() == Minstd(1).take(3).tolist() == Minstd(2**31 - 1).take(3).tolist()
    assert Minstd(2**31).take(3).tolist() == Minstd(1).take(3).tolist()


@pytest.mark.parametrize("engine", ENGINES, ids=["minstd", "mt", "mt-sequence"])
def test_the_row_does_not_depend_on_how_it_is_read(engine: Engine) -> None:
    start = engine.state
    whole = engine.take(70001)
    engine.state = start
    counts = [1, 0, 310, 311, 312, 1, 20000, 33333]
    parts = [engine.take(count) for count in counts]
    middle = engine.state
    parts.append(engine.take(len(whole) - sum(counts)))
    np.testing.assert_array_equal(np.concatenate(parts), whole)
    engine.state = middle
    np.testing.assert_array_equal(engine.take(500), whole[sum(counts) :][:500])


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda engine: pickle.loads(pickle.dumps(engine))])
def test_copies_go_on_by_themselves(copied: Callable[[Engine], Engine]) -> None:
    for engine in (Minstd(3), MT19937_64(3)):
        engine.take(50)
        other = copied(engine)
        words = engine.take(50000)
        assert (other.take(50000) == words).all() and (engine.take(9) == other.take(9)).all()


def test_seeds_of_the_generator() -> None:
    words = json.loads((REFERENCES / "random_seeds_2.6.2.json").read_text())["words"]
    assert words
    for seed, *following in words:
        generator = random.seed(seed)
        assert generator.initial_seed() == seed
        assert [generator.random() for _ in following] == following


def test_a_state_brings_back_both_rows() -> None:
    generator = random.Generator(torch.device("cpu"), 7)
    generator.random()
    state = generator.get_state()
    assert state.current_seed() == 7
    expected = generator.random(), torch.rand(3, generator=generator.torch)
    generator.manual_seed(8)
    generator.set_state(state)
    assert generator.random() == expected[0]
    assert torch.equal(torch.rand(3, generator=generator.torch), expected[1])
    assert generator.initial_seed() == 7


def test_generators_that_nobody_seeded_differ() -> None:
    cpu = torch.device("cpu")
    assert random.Generator(cpu).random() != random.Generator(cpu).random()
    generator = random.Generator(cpu, 1)
    assert generator.seed() == generator.initial_seed() != 1


def test_seeding_again_repeats_what_torch_draws() -> None:
    random.seed(21)
    first = torch.rand(4), torch.rand(4, generator=random.torch_generator(torch.device("cpu")))
    random.seed(21)
    assert torch.equal(torch.rand(4), first[0])
    assert torch.equal(torch.rand(4, generator=random.torch_generator(torch.device("cpu"))), first[1])
    own = [torch.rand(4, generator=random.torch_generator(torch.device("cpu"), -5)) for _ in range(2)]
    assert torch.equal(*own)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "7", None])
def test_seeds_that_are_none(seed: object) -> None:
    with pytest.raises(TypeError, match="`seed`.*from 0 to 2\\*\\*64 - 1"):
        random.Generator(torch.device("cpu")).manual_seed(seed)  # type: ignore[arg-type]


def test_a_state_of_something_else() -> None:
    with pytest.raises(TypeError, match="`state`.*GeneratorState"):
        random.default_generator().set_state(b"")  # type: ignore[arg-type]


def test_long_rows_join_without_a_seam() -> None:
    """What is made block by block equals what an engine draws number by number."""
    count = 40001
    for engine in (Minstd(5), MT19937_64(5)):
        start = engine.state
        whole = distributions.uniform(engine, count, -1.0, 2.0)
        engine.state = start
        parts = [distributions.uniform(engine, part, -1.0, 2.0) for part in (1, 17, count - 18)]
        np.testing.assert_array_equal(np.concatenate(parts), whole)
        engine.state = start
        normal = distributions.normal(engine, count + 1, 0.0, 1.0)
        engine.state = start
        parts = [distributions.normal(engine, part, 0.0, 1.0) for part in (2, 30000, count + 1 - 30002)]
        np.testing.assert_array_equal(np.concatenate(parts), normal)


def test_an_odd_count_drops_the_second_half_of_the_last_pair() -> None:
    engine, other = MT19937_64(5), MT19937_64(5)
    np.testing.assert_array_equal(distributions.normal(engine, 7, 0, 1), distributions.normal(other, 8, 0, 1)[:7])
    np.testing.assert_array_equal(engine.take(3), other.take(3))


def test_whole_numbers_wider_than_the_engine() -> None:
    drawn = distributions.integers(Minstd(3), 500, -(2**40), 2**40)
    assert drawn.min() >= -(2**40) and drawn.max() < 2**40
    assert drawn.min() < -(2**39) and drawn.max() > 2**39
    span = Minstd.highest - Minstd.lowest + 1
    np.testing.assert_array_equal(distributions.integers(Minstd(3), 5, 0, span), Minstd(3).take(5) - np.uint64(1))


@pytest.mark.parametrize("engine", ENGINES[:2], ids=["minstd", "mt"])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 1000])
def test_permutations_are_permutations(engine: Engine, count: int) -> None:
    assert sorted(distributions.permutation(engine, count).tolist()) == list(range(count))
    assert sorted(distributions.permutation_by_rand(9, count).tolist()) == list(range(count))


@pytest.mark.parametrize("count", [2, 3, 50, 20_000, 150_000])
def test_elements_change_places_together_as_one_after_another(count: int) -> None:
    picks = (np.random.RandomState(4).rand(count - 1) * np.arange(2, count + 1)).astype(np.int64)
    found = distributions._swapped_together(count, picks)
    assert found.tolist() == distributions._swapped(count, picks.tolist()).tolist()


def test_rejected_words_move_the_rest_up() -> None:
    """Spans just above half the engine's range reject every other word."""
    span = 2**30 + 2
    one_by_one = Minstd(4)
    expected = [int(distributions.integers(one_by_one, 1, 0, span)[0]) for _ in range(200)]
    engine = Minstd(4)
    assert distributions.below(engine, np.full(200, span, np.uint64)).tolist() == expected
    assert engine.take(1) == one_by_one.take(1)


@pytest.mark.parametrize("name", ["minstd", "mt19937_64"])
@pytest.mark.parametrize("draw", [distributions.uniform, distributions.normal])
def test_a_million_numbers_are_drawn_by_whole_arrays(name: random.EngineName, draw: Callable[..., Any]) -> None:
    """Calls are counted, as how long they take is for benchmarks/random_numbers.py."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    engine = random.engine_for(3, name)
    former = sys.getprofile()
    sys.setprofile(count)
    try:
        drawn = draw(engine, 1_000_000, 0.0, 1.0)
    finally:
        sys.setprofile(former)
    assert drawn.shape == (1_000_000,)
    assert 0 < calls < 2_000


def test_the_global_seed_is_that_of_programs_made_later() -> None:
    former, program = Program(), Program()
    try:
        program.global_seed(7)
        later = Program()
        assert (former.random_seed, program.random_seed, later.random_seed, later.clone().random_seed) == (0, 7, 7, 7)
        program.random_seed = 3
        assert Program().random_seed == 7
    finally:
        program.global_seed(0)
    assert program.random_seed == Program().random_seed == 0


def test_words_that_are_handed_back_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = (1, 64, 65, 300, 2, 1200, 7)
    quick = MT19937_64(7, sequence=True)
    numbers = [distributions.normal(quick, count, 0.5, 2.0).tolist() for count in counts]
    state = quick.state.tolist()
    monkeypatch.setattr(MT19937_64, "at_hand", 0)
    slow = MT19937_64(7, sequence=True)
    assert numbers == [distributions.normal(slow, count, 0.5, 2.0).tolist() for count in counts]
    assert state == slow.state.tolist()


class _NoWindow(MT19937_64):
    """Which makes every number when it is drawn."""

    def window(self, count: int, make: Any, step: int = 1) -> tuple[Any, int]:
        return None, 0


def test_few_numbers_are_those_of_many(monkeypatch: pytest.MonkeyPatch) -> None:
    choose, engines = np.random.RandomState(0), (MT19937_64(7, sequence=True), _NoWindow(7, sequence=True))
    draws: list[Callable[[Any, int, Any], Any]] = [
        lambda engine, count, kind: distributions.normal(engine, count, 0.5, 2.0, kind),
        lambda engine, count, kind: distributions.normal(engine, count, 0.0, 1.0, kind),
        lambda engine, count, kind: distributions.uniform(engine, count, -1.0, 1.0, kind),
        lambda engine, count, kind: distributions.integers(engine, count, 0, 9),
        lambda engine, count, kind: distributions.permutation(engine, count),
        distributions.canonical,
    ]
    for turn in range(1500):
        draw, kind = draws[choose.randint(len(draws))], (np.float32, np.float64)[choose.randint(2)]
        count = 30000 if turn % 500 == 0 else int(choose.choice([1, 2, 3, 5, 16, 31, 100, 128, 129, 700]))
        drawn = draw(engines[0], count, kind)
        with monkeypatch.context() as patch:
            patch.setattr(distributions, "_FEW", 0)
            expected = draw(engines[1], count, kind)
        assert drawn.dtype == expected.dtype and drawn.tolist() == expected.tolist()
        assert (engines[0].state == engines[1].state).all()


@pytest.mark.parametrize("size", [8, 100_000])
def test_states_are_of_what_drops_too(size: int) -> None:
    """Paddle has one row for everything; a state of a tracker makes what a process drops its own."""
    functional, x = paddle.nn.functional, paddle.ones([size])
    state = paddle.get_rng_state()
    first = functional.dropout(x, 0.5)
    paddle.set_rng_state(state)
    assert functional.dropout(x, 0.5).tolist() == first.tolist()
    tracker = paddle.distributed.fleet.meta_parallel.RNGStatesTracker()
    dropped = []
    for seed in (1, 2):
        tracker.reset()
        tracker.add("own", 5)
        paddle.seed(seed)
        with tracker.rng_state("own"):
            dropped.append(functional.dropout(x, 0.5).tolist())
        dropped.append(functional.dropout(x, 0.5).tolist())
    assert dropped[0] == dropped[2] and len({str(each) for each in dropped}) == 3
    paddle.seed(2)
    assert functional.dropout(x, 0.5).tolist() == dropped[3]
