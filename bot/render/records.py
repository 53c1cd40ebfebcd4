"""`records.md`: the draft entry for the records of processing, as Markdown for the data-protection officer."""

from collections.abc import Sequence

from bot.render import figures
from bot.render.locales import in_language
from bot.render.messages import Messages, catalogue
from bot.render.safe_text import literal
from scoring.model.decision import Decision
from scoring.model.records import Missing, ProcessingPlace, ProcessingRecord, RecordsSetting

ALWAYS = ("controller", "contact")
WHERE_APPLICABLE = ("joint_controller", "representative", "data_protection_officer")
THEN = ("purpose", "data_subjects", "data", "artefacts", "recipients", "transfers", "retention", "security")
FACTS = ("provider", "region", "country")
LONGEST = 1000


@in_language(lambda decision, *_, **__: decision.settings.language)
def render_records(decision: Decision, issue: str | None = None) -> str | None:
    """The drafts of a posting's comparisons in one document; None where no decision in it has one.

    `issue` names the thread of the decision, such as `owner/name#12`.
    """
    drafted = [d for d in (decision, *decision.others) if d.records is not None]
    if not drafted:
        return None
    words = catalogue(decision.settings.language, "records")
    parts = [words("title"), words("draft")]
    for number, one in enumerate(drafted, start=1):
        if len(drafted) > 1:
            named = literal(one.workload) if one.workload else words("nameless")
            parts.append(words("entry-of-several", number=number, count=len(drafted), workload=named))
        parts += _parts(one, words, issue)
    return "\n\n".join(parts) + "\n"


def _parts(decision: Decision, words: Messages, issue: str | None) -> list[str]:
    record = decision.records
    assert record is not None  # noqa: S101 - only decisions with a draft come here
    return [
        _about(decision, words, issue),
        _entry(record, words),
        words("places"),
        _places(record, words),
        words("transfers"),
        _transfers(record, words),
        words("missing"),
        "\n".join(_missing(item, words) for item in record.missing) or words("missing-none"),
        *_sources(record, words),
    ]


def _about(decision: Decision, words: Messages, issue: str | None) -> str:
    verdict, on = decision.verdict, figures.day(decision.decided_on)
    said = catalogue(decision.settings.language, "comment")
    word = said(f"word.{verdict.word}") if verdict.word else "–"
    moves = figures.day(verdict.on) if verdict.on else None
    fields = {"word": word, "on": on, "moves": moves, "candidate": literal(decision.candidate or "")}
    lines = [words("decision-moves" if moves else "decision", **fields)]
    if decision.workload:
        lines.append(words("workload", workload=literal(decision.workload)))
    if issue:
        lines.append(words("issue", issue=literal(issue)))
    return "  \n".join([*lines, words("files")])


def _entry(record: ProcessingRecord, words: Messages) -> str:
    needed = {item.code for item in record.missing}
    rows = [words("head"), words("rule")]
    for name in (*ALWAYS, *WHERE_APPLICABLE, *THEN):
        entry = _configured(record.configured, name) or words(_empty(name, name in needed))
        rows.append(words("row", letter=words(f"letter.{name}"), what=words(f"what.{name}"), entry=entry))
    return "\n".join(rows)


def _empty(name: str, is_missing: bool) -> str:
    if name in WHERE_APPLICABLE:
        return "where-applicable"
    return "missing-entry" if is_missing else "no-transfers"


def _configured(configured: RecordsSetting, name: str) -> str:
    value = getattr(configured, name)
    texts: Sequence[str] = value if isinstance(value, tuple) else (value or "",)
    return ", ".join(literal(text, LONGEST) for text in texts if text)


def _places(record: ProcessingRecord, words: Messages) -> str:
    rows = [words("places-head"), words("places-rule")]
    for place in record.places:
        eea = {True: "eea-yes", False: "eea-no", None: "eea-unknown"}[place.in_eea]
        cells = [literal(place.arm), words(f"use.{place.use.value}"), _known(place.provider, words)]
        cells += [literal(place.instance_type) if place.instance_type else "–", _known(place.region, words)]
        rows.append(f"| {' | '.join([*cells, _country(place, words), words(eea)])} |")
    return "\n".join(rows)


def _known(text: str | None, words: Messages) -> str:
    return literal(text) if text else words("unknown")


def _country(place: ProcessingPlace, words: Messages) -> str:
    if place.country is None:
        return words("unknown")
    return words("configured", country=place.country) if place.is_country_configured else place.country


def _transfers(record: ProcessingRecord, words: Messages) -> str:
    lines = [
        words("transfer", arm=literal(p.arm), region=_known(p.region, words), country=p.country)
        for p in record.transfers
    ]
    is_open = any(place.in_eea is None for place in record.places)
    return "\n".join(lines) or words("transfer-open" if is_open else "transfer-none")


def _missing(item: Missing, words: Messages) -> str:
    if item.code in FACTS:
        return words(f"missing-{item.code}", subject=literal(item.subject or ""))
    return words("missing-field", what=words(f"what.{item.code}"), field=item.code)


def _sources(record: ProcessingRecord, words: Messages) -> list[str]:
    if not record.sources:
        return []
    lines = [words("source", page=source.page, on=figures.day(source.seen_on)) for source in record.sources]
    return [words("sources"), "\n".join(lines)]
