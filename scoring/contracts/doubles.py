"""Two contracts of one name, or that promise the same hours: one purchase written twice would be paid twice."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Self

from scoring.contracts.entry import IMPORTED
from scoring.model.contract import Contract
from scoring.model.problem import Problem
from scoring.problems import error, warning


def named_twice(contracts: Sequence[Contract]) -> Iterator[Problem]:
    """`contract-id-twice` for each contract of several books whose id an earlier one has."""
    seen: set[str] = set()
    for contract in contracts:
        if contract.id in seen:
            place = {"file": contract.source.file, "row": contract.source.row, "column": "id"}
            yield error("contract-id-twice", **place, found=contract.id, expected="an id of its own")
        seen.add(contract.id)


def claimed_twice(contracts: Sequence[Contract]) -> Iterator[Problem]:
    """`contract-hours-twice` for each contract whose promise an earlier one has made under another id.

    An error where the rates are the same too, else a warning: purchases at two prices may well be two. Of other days
    or a wider coverage `contract-hours-overlap`, a warning where rate, first or last day are the same: it may be one
    purchase written twice, and it may be two. Contracts that a vendor's output lists are left out, since there each
    purchase has an id of the vendor's.
    """
    alike: dict[object, list[_Claim]] = {}
    for contract in contracts:
        if any(key.split(".")[0] == IMPORTED for key in contract.other):
            continue
        claim = _Claim.of(contract)
        earlier = alike.setdefault((contract.kind, contract.commitment, contract.currency), [])
        same = next((other for other in earlier if other.is_same(claim)), None)
        near = same or next((other for other in earlier if other.overlaps(claim)), None)
        if near is not None:
            first, is_error = near.contract, same is not None and near.contract.rate == contract.rate
            place = {"file": contract.source.file, "row": contract.source.row, "column": "id", "found": contract.id}
            code = "contract-hours-overlap" if same is None else "contract-hours-twice"
            yield (error if is_error else warning)(code, **place, id=first.id, expected=_place(first))
        earlier.append(claim)


@dataclass(frozen=True)
class _Claim:
    """What of a contract says which hours it promises, names without their case; `told` are rates and days."""

    contract: Contract
    names: tuple[frozenset[str], ...]
    told: tuple[object, date, date]

    @classmethod
    def of(cls, contract: Contract) -> Self:
        covers = contract.covers
        one = ((name,) if name else () for name in (contract.provider, covers.cloud))
        named = (*one, covers.regions, covers.zones, covers.instance_types, covers.families)
        names = tuple(frozenset(name.casefold() for name in names) for names in named)
        told = (contract.rate, contract.covered_rates), contract.starts_on, contract.ends_on
        return cls(contract, names, told)

    def is_same(self, other: Self) -> bool:
        """The same coverage on the same days."""
        flexible = self.contract.covers.size_flexible == other.contract.covers.size_flexible
        return self.names == other.names and flexible and self.told[1:] == other.told[1:]

    def overlaps(self, other: Self) -> bool:
        """Days and coverage that both have, and a rate, a first or a last day that is the same; no name is any."""
        if not all(not a or not b or a & b for a, b in zip(self.names, other.names, strict=True)):
            return False
        (rate, first, last), (other_rate, other_first, other_last) = self.told, other.told
        both = first <= other_last and other_first <= last
        return both and (rate == other_rate or first == other_first or last == other_last)


def _place(contract: Contract) -> str:
    return f"{contract.source.file}, line {contract.source.row}"
