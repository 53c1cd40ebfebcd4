"""What really happened to an issue's decisions, on the ledger branch: one JSON file an issue, one line a comment."""

import json
from typing import Self

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.github.index import BrokenIndex
from scoring.review.given import Outcome

SCHEMA = "steelyard/outcomes"
VERSION = 1


def path_of(issue: int) -> str:
    """Where they lie: beside the decisions' folders."""
    return f"outcomes/issue-{issue}.json"


class Outcomes(BaseModel):
    """In the order of their comments; a comment that is edited says something else in its place."""

    model_config = ConfigDict(frozen=True)

    outcomes: tuple[Outcome, ...] = ()

    @classmethod
    def read(cls, data: bytes) -> Self:
        """From the file. Raises BrokenIndex for what this version does not write, so that nothing of it is lost."""
        try:
            values = json.loads(data)
        except (ValueError, RecursionError) as failure:
            raise BrokenIndex(f"outcomes: no JSON ({str(failure)[-60:]})") from None
        if not isinstance(values, dict) or values.get("schema") != SCHEMA or values.get("version") != VERSION:
            raise BrokenIndex(f"not `{SCHEMA}` of version {VERSION}")
        try:
            return cls.model_validate({"outcomes": values.get("outcomes")})
        except ValidationError as failure:
            where = ".".join(str(part) for part in failure.errors()[0]["loc"])
            raise BrokenIndex(f"{where[:80]}: {failure.errors()[0]['type']}") from None

    def with_outcome(self, outcome: Outcome) -> "Outcomes":
        """With this one in place of what the same comment said before."""
        others = (one for one in self.outcomes if one.place != outcome.place)
        return Outcomes(outcomes=tuple(sorted([*others, outcome], key=lambda o: (len(o.place or ""), o.place or ""))))

    def written(self) -> bytes:
        """The file: the same outcomes give the same bytes."""
        lines = [
            json.dumps(o.model_dump(mode="json", exclude_none=True), ensure_ascii=False, sort_keys=True)
            for o in self.outcomes
        ]
        inner = ",\n".join(f"  {line}" for line in lines)
        listed = f"[\n{inner}\n]" if lines else "[]"
        return f'{{"schema": "{SCHEMA}", "version": {VERSION}, "outcomes": {listed}}}\n'.encode()
