"""The draft entry for the records of processing (GDPR article 30): what is configured, and what a decision adds."""

from datetime import date
from enum import StrEnum
from typing import Annotated

from pydantic import BeforeValidator, Field, StringConstraints, WithJsonSchema

from scoring.model.base import Value

MOST_LISTED = 40
_LIST_OR_TEXT = {
    "anyOf": [{"type": "array", "items": {"type": "string"}, "maxItems": MOST_LISTED}, {"type": "string"}],
    "default": [],
}


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _as_iso(value: object) -> object:
    """ISO 3166-1 alpha-2, where EU institutions write EL and UK."""
    code = value.strip().upper() if isinstance(value, str) else value
    return {"EL": "GR", "UK": "GB"}.get(code, code) if isinstance(code, str) else code


Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=1000)]
Listed = Annotated[
    tuple[Text, ...], BeforeValidator(_as_list), Field(max_length=MOST_LISTED), WithJsonSchema(_LIST_OR_TEXT)
]
CountryCode = Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}$"), BeforeValidator(_as_iso)]


class RecordsSetting(Value):
    """What the team says of the processing; each field is what article 30(1) asks for, in the team's own words.

    `data` are categories of personal data, `artefacts` what else is moved (models, checkpoints). `transfers` are the
    safeguards for what leaves the EU and EEA. `countries` tells the country of a region that no provider's list has.
    """

    controller: Text | None = None
    contact: Text | None = None
    joint_controller: Text | None = None
    representative: Text | None = None
    data_protection_officer: Text | None = None
    purpose: Text | None = None
    data_subjects: Listed = ()
    data: Listed = ()
    artefacts: Listed = ()
    recipients: Listed = ()
    transfers: Text | None = None
    retention: Text | None = None
    security: Listed = ()
    countries: dict[str, CountryCode] = {}


class CountrySource(Value):
    """The page that says where regions lie, and when it was read."""

    page: str
    seen_on: date


class Use(StrEnum):
    """Why a place is in the record."""

    INCUMBENT = "incumbent"
    CANDIDATE = "candidate"
    CAPACITY = "capacity"


class ProcessingPlace(Value):
    """Where an arm processes: measured in the pilot (`incumbent`, `candidate`), or where its `capacity` is.

    What is not known is None. `in_eea`: whether the country is of the European Economic Area; False is a transfer.
    """

    use: Use
    arm: str
    provider: str | None = None
    instance_type: str | None = None
    region: str | None = None
    country: str | None = None
    in_eea: bool | None = None
    is_country_configured: bool = False


class Missing(Value):
    """What the entry needs and nobody has said: a field of `records:`, or a fact of an arm's place."""

    code: str
    subject: str | None = None


class ProcessingRecord(Value):
    """The draft of one decision, for the data-protection officer. Nothing in it is guessed: see `missing`."""

    configured: RecordsSetting = RecordsSetting()
    places: tuple[ProcessingPlace, ...]
    transfers: tuple[ProcessingPlace, ...] = ()
    missing: tuple[Missing, ...] = ()
    sources: tuple[CountrySource, ...] = ()
