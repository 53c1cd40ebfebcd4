"""Two contracts of one name, or that promise the same hours: one purchase written twice would be paid twice."""

from collections.abc import Iterator, Sequence

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

    An error where the rates are the same too, else a warning: purchases at two prices may well be two. Contracts that
    a vendor's output lists are left out, since there each purchase has an id of the vendor's.
    """
    seen: dict[object, Contract] = {}
    for contract in contracts:
        if any(key.split(".")[0] == IMPORTED for key in contract.other):
            continue
        first = seen.setdefault(_promise(contract), contract)
        if first.id != contract.id:
            told = error if first.rate == contract.rate else warning
            place = {"file": contract.source.file, "row": contract.source.row, "column": "id", "found": contract.id}
            yield told("contract-hours-twice", **place, id=first.id, expected=_place(first))


def _promise(contract: Contract) -> object:
    covers, provider = contract.covers, (contract.provider or "").casefold()
    named = (covers.regions, covers.zones, covers.instance_types, covers.families)
    where = tuple(frozenset(name.casefold() for name in names) for names in named)
    commitment = tuple(contract.commitment.model_dump().values())
    dates = contract.starts_on, contract.ends_on
    cloud = (covers.cloud or "").casefold()
    return provider, contract.kind, cloud, where, covers.size_flexible, dates, commitment, contract.currency


def _place(contract: Contract) -> str:
    return f"{contract.source.file}, line {contract.source.row}"
