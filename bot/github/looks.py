"""Looks as an issue remembers them: in the ledger's index, and as hidden lines of the replies where there is none."""

import re
from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict, Field

from scoring.model.looks import EarlierLook

MOST = 200
"""Of one command that was edited again and again."""
MOST_HIDDEN = 10
"""In a reply, whose room is limited; the ledger has them all."""
_HIDDEN = re.compile(
    r"^<!-- steelyard:look v1 at=([0-9TZ:.+-]{1,40}) key=([0-9a-f]{1,64}) "
    r"runs=([1-9][0-9]{0,8}),([1-9][0-9]{0,8}) of=([1-9][0-9]{0,8}) -->$",
    re.MULTILINE,
)


class MadeLook(BaseModel):
    """An answer's look at one comparison; `at` is when its command was written so, as GitHub says it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    at: str = Field(max_length=40)
    comparison: str = Field(pattern=r"^[0-9a-f]{1,64}$")
    runs_incumbent: int = Field(ge=1)
    runs_candidate: int = Field(ge=1)
    planned: int | None = Field(default=None, ge=1)

    def as_earlier(self) -> EarlierLook:
        """As the engine takes it."""
        return EarlierLook.model_validate(self.model_dump(exclude={"at"}))


def made(looks: Iterable[EarlierLook], at: str) -> tuple[MadeLook, ...]:
    """An answer's looks with the time of its command."""
    return tuple(MadeLook.model_validate({"at": at, **look.model_dump()}) for look in looks if look.comparison)


def merged(known: Iterable[MadeLook], looks: Iterable[MadeLook]) -> tuple[MadeLook, ...]:
    """What a command has looked at so far: an edit adds to it, a repetition does not."""
    new = tuple(looks)
    times = {look.at for look in new}
    kept = [look for look in known if look.at not in times]
    return tuple(sorted([*kept, *new], key=lambda look: look.at))[-MOST:]


def hidden(looks: Iterable[MadeLook]) -> str:
    """Lines that GitHub does not show, for the end of a reply; empty without looks."""
    return "".join(
        f"<!-- steelyard:look v1 at={look.at} key={look.comparison} "
        f"runs={look.runs_incumbent},{look.runs_candidate} of={look.planned} -->\n"
        for look in tuple(looks)[:MOST_HIDDEN]
    )


def told(text: str) -> tuple[MadeLook, ...]:
    """The looks that a reply of ours tells in hidden lines."""
    return tuple(
        MadeLook(at=at, comparison=key, runs_incumbent=int(a), runs_candidate=int(b), planned=int(of))
        for at, key, a, b, of in _HIDDEN.findall(text.replace("\r\n", "\n"))
    )
