"""An issue's signatures on the ledger branch: one JSON file an issue, one line a signature, none ever removed."""

import json
from typing import Self

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.github.index import BrokenIndex
from scoring.model.signing import Signature

SCHEMA = "steelyard/sign-offs"
VERSION = 1


def path_of(issue: int) -> str:
    """Where they lie: beside the decisions' folders, since an entry's folder holds its own files alone."""
    return f"sign-offs/issue-{issue}.json"


class SignOffs(BaseModel):
    """In the order of signing, each comment once."""

    model_config = ConfigDict(frozen=True)

    signatures: tuple[Signature, ...] = ()

    @classmethod
    def read(cls, data: bytes) -> Self:
        """From the file. Raises BrokenIndex for what this version does not write, so that nothing of it is lost."""
        try:
            values = json.loads(data)
        except (ValueError, RecursionError) as failure:
            raise BrokenIndex(f"sign-offs: no JSON ({str(failure)[-60:]})") from None
        if not isinstance(values, dict) or values.get("schema") != SCHEMA or values.get("version") != VERSION:
            raise BrokenIndex(f"not `{SCHEMA}` of version {VERSION}")
        try:
            return cls.model_validate({"signatures": values.get("signatures")})
        except ValidationError as failure:
            where = ".".join(str(part) for part in failure.errors()[0]["loc"])
            raise BrokenIndex(f"{where[:80]}: {failure.errors()[0]['type']}") from None

    def at(self, place: str) -> Signature | None:
        """The signature of one comment."""
        return next((s for s in self.signatures if s.place == place), None)

    def with_signature(self, signature: Signature) -> "SignOffs":
        """With one more; what a comment has signed stays as it is."""
        if self.at(signature.place):
            return self
        return SignOffs(signatures=tuple(sorted([*self.signatures, signature], key=lambda s: s.order)))

    def written(self) -> bytes:
        """The file: the same signatures give the same bytes."""
        lines = [
            json.dumps(s.model_dump(mode="json", exclude_none=True), ensure_ascii=False, sort_keys=True)
            for s in self.signatures
        ]
        inner = ",\n".join(f"  {line}" for line in lines)
        listed = f"[\n{inner}\n]" if lines else "[]"
        return f'{{"schema": "{SCHEMA}", "version": {VERSION}, "signatures": {listed}}}\n'.encode()
