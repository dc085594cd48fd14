"""Who is gone, who left because of another one, and what those do that make no collective call."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator

import pytest

from paddle_compat.engine import peers as peers_
from paddle_compat.engine.peers import Peers


@pytest.fixture
def peers() -> Iterator[list[Peers]]:
    """Four processes that know each other."""
    found = [Peers(rank) for rank in range(4)]
    for each in found:
        each.connect([peer.address for peer in found])
    yield found
    for each in found:
        each.close()


def test_nobody_is_gone(peers: list[Peers]) -> None:
    assert [each.gone(0) for each in peers] == [{}] * 4
    assert [each.size for each in peers] == [4] * 4


def test_one_that_dies_is_gone_and_one_that_leaves_says_why(peers: list[Peers]) -> None:
    peers[3].close()
    assert peers[0].gone() == {3: ""}
    peers[1].leave("ValueError: no more")
    assert peers[0].gone() == {1: "ValueError: no more", 3: ""}


def test_one_that_ends_is_gone_when_it_has(peers: list[Peers]) -> None:
    peers[0].gone(0)
    peers[1].leave("ValueError: no more", ends=True)
    line = peers[0].lines[1]
    line.read()
    assert not line.ended and line.reason == "ValueError: no more"
    assert peers[0].gone(0) == {1: "ValueError: no more"}  # if its end takes too long


def test_those_who_leave_because_of_another_one_are_not_taken_for_it(peers: list[Peers]) -> None:
    peers[3].close()
    peers[2].tell(lost=peers[2].gone())
    peers[0].tell(lost=[3])
    peers[0].leave("UnavailableError: process 3 is gone")
    assert peers[1].gone() == {3: ""}
    peers[2].leave()
    assert peers[1].gone() == {3: ""}


def test_one_that_others_miss_is_named_though_it_lives(peers: list[Peers]) -> None:
    peers[0].tell(lost=[2])
    assert peers[1].gone() == {2: ""}
    assert peers[2].gone(0) == {0: ""}  # to itself, the other one is


def test_what_the_others_do(peers: list[Peers], monkeypatch: pytest.MonkeyPatch) -> None:
    peers[1].inside.add(threading.get_ident())
    monkeypatch.setattr(peers_, "_ANSWER", 0.3)
    monkeypatch.setattr(peers[3], "_reply", lambda caller: True)  # as if it were stopped
    found = peers[0].elsewhere(range(4))
    assert list(found) == [2, 3] and found[3] == "does not answer"
    place = re.escape(__file__) + r":\d+"
    assert re.fullmatch(f"makes no collective call, at {place}", found[2])
    (said,) = peers[0].elsewhere([0, 1]).values()
    assert re.fullmatch(f"waits in another call, at {place}", said)
