"""The porting map as Markdown: hours and blockers first, then what was found, with what to do about it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from bot.render.locales import in_language, locale
from bot.render.messages import catalogue
from bot.render.safe_text import literal
from scoring.model.portability import EffortClass, Finding, HourRange, Place, Portability, Support

MOST_ROWS, MOST_PLACES, MOST_FOLDERS, MOST_KERNELS, MOST_NEW = 60, 3, 15, 20, 50
LIBRARY = "library-"
ORDER = {effort: number for number, effort in enumerate(EffortClass)}


@in_language(lambda found, language, *_, **__: language)
def render_portability(found: Portability, language: str, new: Sequence[Finding] | None = None) -> str:
    """`new` are the hard-coded device uses beyond a baseline, None where there is none."""
    say = catalogue(language, "portability")
    parts = [f"### {say('title', target=say(f'target.{found.target}'))}"]
    if found.stopped_by:
        parts.append(say(f"stopped.{found.stopped_by}"))
    if new is not None:
        parts.append(render_new(new, language).rstrip())
    parts += [_hours(found, language), _device(found, language)]
    if found.kernels:
        parts.append(_kernels(found.kernels, found.kernels_cut, language))
    if found.findings:
        parts += [_classes(found, language), _findings(found.findings, language), _folders(found, language)]
    else:
        parts.append(say("nothing"))
    if found.findings_cut:
        parts.append(say("cut", count=_number(found.findings_cut)))
    kinds = [say("files", count=_number(n), kind=say(f"kind.{k}")) for k, n in sorted(found.files.items())]
    parts.append(say("read", files=", ".join(kinds) or "0", day=locale().day(found.target_checked_on)))
    return "\n\n".join(parts) + "\n"


@in_language(lambda new, language: language)
def render_new(new: Sequence[Finding], language: str) -> str:
    """The hard-coded device uses beyond a baseline, each with what to do."""
    say = catalogue(language, "portability")
    if not new:
        return say("new.none") + "\n"
    lines = [
        say("new.line", place=place_of(one, language), found=found_text(one, language), fix=fix_of(one.entry, language))
        for one in new[:MOST_NEW]
    ]
    if len(new) > MOST_NEW:
        lines.append(say("more", count=_number(len(new) - MOST_NEW)))
    title = f"**{say('new.title', count=_number(len(new)))}**"
    return "\n".join([title, "", *(f"- {line}" for line in lines)]) + "\n"


def place_of(finding: Finding, language: str) -> str:
    """`folder/file.py:12`, or with the cell of a notebook."""
    cell = "" if finding.cell is None else f" ({catalogue(language, 'portability')('cell', cell=finding.cell)})"
    return literal(finding.file if finding.line is None else f"{finding.file}:{finding.line}") + cell


def title_of(entry: str, language: str) -> str:
    """What an entry is called."""
    return catalogue(language, "portability")(f"entry.{LIBRARY[:-1] if entry.startswith(LIBRARY) else entry}")


def fix_of(entry: str, language: str) -> str:
    """What to do about an entry; of a library what replaces it, or that nothing is known to."""
    from scoring.portability.catalogue import catalogue as of_entries

    say = catalogue(language, "portability")
    if entry.startswith(LIBRARY):
        return say(f"replacement.{of_entries().libraries[entry.removeprefix(LIBRARY)].replacement}")
    return say(f"fix.{entry}")


def hours(one: HourRange) -> str:
    """`1.5–8`."""
    low, high = (locale().written(f"{value:,.1f}".removesuffix(".0")) for value in (one.low, one.high))
    return low if low == high else f"{low}–{high}"


def found_text(finding: Finding, language: str) -> str:
    """What was found there, as it was written; of a file that was not read the reason."""
    if finding.entry == "unread-file":
        return catalogue(language, "portability")(f"reason.{finding.found}")
    return literal(finding.found, 60)


def _number(count: int) -> str:
    return locale().written(f"{count:,}")


def _hours(found: Portability, language: str) -> str:
    low, high = (locale().written(f"{v:,.1f}".removesuffix(".0")) for v in (found.hours.low, found.hours.high))
    source = found.hours_source
    from scoring.model.portability import DEFAULT_SOURCE

    told = catalogue(language, "portability")("source") if source == DEFAULT_SOURCE else literal(source)
    return catalogue(language, "portability")("hours", low=low, high=high, source=told)


def _device(found: Portability, language: str) -> str:
    say, device = catalogue(language, "portability"), found.device
    if not device.places:
        return say("device.none")
    if device.one_choke_point:
        return say("device.one", choice=", ".join(map(literal, device.choices)) or "–")
    return say("device.several", places=_number(device.places), count=_number(len(device.choices)))


def _kernels(kernels: Sequence[str], cut: int, language: str) -> str:
    say = catalogue(language, "portability")
    told, count = [literal(kernel) for kernel in kernels[:MOST_KERNELS]], len(kernels) + cut
    if count > MOST_KERNELS:
        told.append(say("more", count=_number(count - MOST_KERNELS)))
    return say("kernels", count=_number(count), kernels=", ".join(told))


def _classes(found: Portability, language: str) -> str:
    say = catalogue(language, "portability")
    rows = []
    for effort, one in sorted(found.efforts.items(), key=lambda item: ORDER[item[0]]):
        counts = (_number(n) for n in (one.findings, one.guarded, one.units))
        rows.append([say(f"class.{effort}"), *counts, hours(one.hours)])
    return _table([say(f"head.{h}") for h in ("class", "findings", "guarded", "units", "hours")], rows)


def _findings(findings: Sequence[Finding], language: str) -> str:
    """A row for each entry, class and kind of code."""
    say = catalogue(language, "portability")
    groups: defaultdict[tuple[int, str, str, Place, Support], list[Finding]] = defaultdict(list)
    for one in findings:
        name = literal(one.found) if one.entry.startswith(LIBRARY) else ""
        if one.entry == "unread-file":
            name = f"({found_text(one, language)})"
        groups[ORDER[one.effort], one.entry, name, one.place, one.support].append(one)
    rows = []
    by_weight = sorted(groups.items(), key=lambda item: (item[0][3] != Place.SOURCE, item[0][0], -len(item[1])))
    for (_, entry, name, place, support), group in by_weight[:MOST_ROWS]:
        title = title_of(entry, language) + (f" {name}" if name else "")
        title += "" if place is Place.SOURCE else f" ({say(f'place.{place}')})"
        places = [place_of(one, language) for one in group[:MOST_PLACES]]
        if len(group) > MOST_PLACES:
            places.append(say("more", count=_number(len(group) - MOST_PLACES)))
        told = [say(f"class.{group[0].effort}"), title, _number(len(group)), ", ".join(places)]
        rows.append([*told, say(f"support.{support}"), fix_of(entry, language)])
    table = _table([say(f"head.{h}") for h in ("class", "found", "count", "places", "support", "fix")], rows)
    return table + _more(len(by_weight) - MOST_ROWS, "more-rows", language)


def _folders(found: Portability, language: str) -> str:
    say = catalogue(language, "portability")
    heaviest = sorted(found.folders, key=lambda f: [-f.counts.get(effort, 0) for effort in EffortClass])
    rows = [
        [literal(f.folder or "."), say(f"place.{f.place}"), *(_number(f.counts.get(e, 0)) for e in EffortClass)]
        for f in heaviest[:MOST_FOLDERS]
    ]
    heads = [say("head.folder"), say("head.place"), *(say(f"class.{effort}") for effort in EffortClass)]
    return _table(heads, rows) + _more(len(heaviest) - MOST_FOLDERS, "more-folders", language)


def _more(count: int, code: str, language: str) -> str:
    return f"\n\n{catalogue(language, 'portability')(code, count=_number(count))}" if count > 0 else ""


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    heads = list(heads)
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
