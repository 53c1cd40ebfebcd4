"""Looks as an issue remembers them: hidden lines that read back, and edits that add up."""

import pytest

from bot.github.looks import MOST_HIDDEN, MadeLook, hidden, made, merged, told
from scoring.model.looks import EarlierLook

EARLY, LATE = "2026-12-02T06:46:24Z", "2026-12-03T06:46:24Z"


def look(runs: int, at: str = EARLY, key: str = "ab12") -> MadeLook:
    return MadeLook(at=at, comparison=key, runs_incumbent=runs, runs_candidate=runs + 1, planned=30)


def test_hidden_lines_read_back_wherever_they_stand() -> None:
    looks = (look(3), look(5, key="cd34"))
    text = f"{hidden(looks)}### EXTEND\n\nmore\n"
    assert told(text) == told(text.replace("\n", "\r\n")) == looks
    assert text.splitlines()[2] == "### EXTEND"


def test_a_reply_has_room_for_few_of_many() -> None:
    assert len(told(hidden(look(3, key=f"{n:x}") for n in range(50)))) == MOST_HIDDEN


@pytest.mark.parametrize("text", ["", "### STAY", "text <!-- steelyard:look v1 at=2026 key=ab runs=3,3 of=30 -->",
                                  "<!-- steelyard:look v1 at=2026 key=ab runs=0,3 of=30 -->"])  # fmt: skip
def test_other_text_tells_none(text: str) -> None:
    assert told(text) == ()


def test_a_repetition_adds_nothing_and_an_edit_does() -> None:
    assert merged([look(3)], [look(3)]) == (look(3),)
    assert merged([look(3)], [look(4, LATE)]) == (look(3), look(4, LATE))
    assert merged([look(4, LATE)], [look(3)]) == (look(3), look(4, LATE))


def test_a_look_goes_to_the_engine_without_its_time() -> None:
    earlier = EarlierLook(comparison="ab12", runs_incumbent=3, runs_candidate=4, planned=30)
    assert made([earlier], EARLY) == (look(3),)
    assert look(3).as_earlier() == earlier
    assert made([EarlierLook(runs_incumbent=3, runs_candidate=4)], EARLY) == ()
