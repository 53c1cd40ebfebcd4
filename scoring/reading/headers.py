"""What a column's header means, and in which unit, by the catalogue of names."""

import re
import unicodedata
from dataclasses import dataclass, replace

from scoring.model.estimates import Direction
from scoring.reading.catalogue import (
    CONDITIONS,
    CURRENCY_NAMES,
    ENGLISH,
    FIELDS,
    HIGHER,
    LATENCY,
    LOWER,
    MAGNITUDES,
    MONEY_WORDS,
    QUANTILES,
    RENAMED,
    THROUGHPUT,
    TIME_UNITS,
    WORK,
)
from scoring.reading.spreads import Kind, spread_column, without_spread

CLOCKS = ("mm:ss", "m:ss", "hh:mm", "h:mm", "min:s", "min:sec", "hh:mm:ss")
MANY_LETTERS = 3
"""A column called `hours` is a duration; one called `h` may be anything."""
LONGEST_HEADER = 200
"""A longer text is no name; it also keeps the patterns below from working on a megabyte."""
_BY_NAME = {name: field for field, names in FIELDS.items() for name in names}
_RATE = re.compile(
    r"(?:(?:output|generation|total)_)?(?:throughput_)?([a-z_]+?)_?(?:/|_per_|_por_|p)_?"
    r"(s|sec|second|segundo|min|h|hr|hour|hora)\Z"
)
_HOURLY = re.compile(
    r"(?:/|\bper\b|\bpor\b)\s*(?:(?:instance|node|machine|instancia|nodo|m[aá]quina)[\s_-]*)?(?:h|hrs?|hour|hora)(?=\Z|[\s,;])"
)
_PER_RUN = re.compile(r"(?:/|\bper\b|\bpor\b)\s*(?:run|job|ejecuci[oó]n|corrida|trabajo)(?=\Z|[\s,;])")
_PER = re.compile(r"/|\bper\b|\bpor\b|\bmonthly\b|\bmensual\b")


_MEAN = re.compile(r"(?:^|_)(?:mean|avg|average|media|promedio)(?=$|_)")
AVERAGED = ("duration", "cost", "throughput", "price", "warmup", "initialisation")
"""What a column of means may hold, beside qualities and latencies."""
_SPREAD = re.compile(
    r"(?:sd|std|stddev|stdev|desv)_(.+)|(.+)_(?:sd|std|stddev|stdev|desv)(?:_(ms|us|ns|s|sec|min|h|hr|usd|eur))?\Z"
)


@dataclass(frozen=True)
class Meaning:
    """What a column means. `scale` turns its numbers into the base unit; `unit_known` False: the header names none.

    `field` is a field of `FIELDS` or one of work, throughput, latency, quality, condition, spread, other; `name` the
    metric, unit, condition or (for `spread`) the column whose standard deviation it is. `spread` is what the header
    says of its ±, or of what a column of spreads holds.
    """

    field: str
    name: str = ""
    scale: float = 1.0
    unit_known: bool = True
    currency: str | None = None
    direction: Direction | None = None
    percent: bool = False
    clock: str | None = None
    names_hour: bool = True
    spread: Kind = ""


def normalised(text: str) -> str:
    """Lower case, no accents, words joined by underscores."""
    decomposed = unicodedata.normalize("NFKD", text)
    bare = "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()
    return re.sub(r"_+", "_", re.sub(r"[^\w$€£/%@.]+", "_", bare)).strip("_")


def split_unit(header: str) -> tuple[str, str | None]:
    """A header's name and the unit in its brackets, after its comma, `in` or slash: `Duration (min)`, `price/hr`."""
    text = " ".join(header.split())
    match = re.match(r"(.*?)\s*[\[(]([^\])]*)[\])]\s*(.*)\Z", text)
    if match:
        return normalised(f"{match[1]} {match[3]}"), match[2].strip(" .").casefold()
    match = re.match(r"(.+?)(?:,\s*|\s+(?:in|en)\s+)(\S+)\Z", text, re.IGNORECASE)
    if match and match[2].casefold() in (*TIME_UNITS, *CURRENCY_NAMES, "%"):
        return normalised(match[1]), match[2].casefold()
    return normalised(text), None


def meaning_of(header: str) -> Meaning:
    """What a header means; `other` for a name that the catalogue does not know."""
    if len(header) > LONGEST_HEADER:
        return Meaning("other", normalised(header[:LONGEST_HEADER]))
    bare, kind = without_spread(header)
    if kind and bare:
        return replace(meaning_of(bare), spread=kind)
    name, unit = split_unit(header)
    for reading in (_exact, _price, _throughput, _latency, _timed, _work, _quality, _condition, _spread):
        found = reading(name, unit)
        if found is not None:
            return found
    bare = _MEAN.sub("", name).strip("_")
    of_mean = meaning_of(f"{bare} ({unit})" if unit else bare) if bare and bare != name else None
    return of_mean if of_mean is not None and of_mean.field in AVERAGED else Meaning("other", name)


def _exact(name: str, unit: str | None) -> Meaning | None:
    field = _BY_NAME.get(name)
    if field in (None, "duration", "warmup", "initialisation", "price", "cost"):
        return None
    assert field is not None  # noqa: S101 - narrowed above
    return None if unit and field in ("run", "n", "block") and unit in TIME_UNITS else Meaning(field)


BARE_PRICES = ("price", "precio", "rate", "tarifa")


def _price(name: str, unit: str | None) -> Meaning | None:
    if _per_something_else(unit or ""):
        return None
    currency = currency_in(unit or "") or currency_in(name)
    understood = all(
        w in MONEY_WORDS or w in CURRENCY_NAMES or w.isdigit() for w in re.split(r"[_/\s,;.-]+", normalised(unit or ""))
    )
    bare = re.sub(r"(^|[_/])(us\$|usd|eur|euros?|gbp|[$€£])(?=$|[_/])", r"\1", name).strip("_")
    bare = re.sub(r"(?<=[_/])(instance|node|machine|instancia|nodo)_(?=(h|hr|hour|hora)\Z)", "", bare)
    hourly = bool(re.search(r"(/|per_|por_|_)(h|hr|hour|hora)\Z", bare)) or bool(_HOURLY.search(unit or ""))
    base = re.sub(r"(_?/|_?per_|_?por_|_)(h|hr|hour|hora)\Z", "", bare).strip("_/")
    if bare in FIELDS["price"] or base in FIELDS["price"] or (hourly and base in ("", *FIELDS["cost"])):
        if not hourly and bare not in FIELDS["price"]:
            return None
        names_hour = hourly or bare not in BARE_PRICES
        return Meaning("price", unit_known=understood, currency=currency, names_hour=names_hour)
    if bare in FIELDS["cost"]:
        return Meaning("cost", unit_known=understood, currency=currency)
    return None


def _per_something_else(unit: str) -> bool:
    """A price a month, a token or a device is neither one of an instance-hour nor the cost of a run."""
    return bool(_PER.search(unit)) and not _HOURLY.search(unit) and not _PER_RUN.search(unit)


def currency_in(text: str) -> str | None:
    """The code of a currency that a text names by its sign, code or name."""
    parts = re.split(r"[_/\s,;]", text)
    return next((CURRENCY_NAMES[p] for p in parts if p in CURRENCY_NAMES), None)


def _timed(name: str, unit: str | None) -> Meaning | None:
    base, suffix = _suffix_unit(name)
    for field in ("duration", "warmup", "initialisation"):
        names = (*FIELDS[field], "run") if field == "duration" else FIELDS[field]
        if unit in TIME_UNITS and name in names:
            return Meaning(field, scale=TIME_UNITS[unit])
        if unit in CLOCKS and name in names:
            return Meaning(field, clock=unit)
        if suffix and base in names:
            return Meaning(field, scale=TIME_UNITS[suffix])
        if name in FIELDS[field]:
            return Meaning(field, unit_known=False)
    if len(name) > MANY_LETTERS and name in TIME_UNITS and unit is None:
        return Meaning("duration", scale=TIME_UNITS[name])
    return None


def _suffix_unit(name: str) -> tuple[str, str | None]:
    base, _, suffix = name.rpartition("_")
    return (base, suffix) if base and suffix in TIME_UNITS else (name, None)


def _throughput(name: str, unit: str | None) -> Meaning | None:
    if "rtfx" in name.split("_") or name in ("audio_hours_per_hour", "rtf_x", "real_time_factor_x"):
        return Meaning("throughput", "audio_hour", scale=1 / 3600)
    for text in (unit or "", name):
        match = _RATE.match(normalised(text))
        if match and match[1] in THROUGHPUT:
            what = "output_token" if "output" in name and THROUGHPUT[match[1]] == "token" else THROUGHPUT[match[1]]
            return Meaning("throughput", what, scale=1 / TIME_UNITS[match[2]] if match[2] in TIME_UNITS else 1.0)
    if name in ("tps", "qps", "rps"):
        return Meaning("throughput", {"t": "token", "q": "request", "r": "request"}[name[0]])
    return Meaning("throughput", "", unit_known=False) if name in ("throughput", "rendimiento") else None


def _latency(name: str, unit: str | None) -> Meaning | None:
    base, suffix = _suffix_unit(name)
    base = base.replace("-", "_")
    quantile = next((q for q in QUANTILES if re.search(rf"(^|_){q}($|_)", base)), None)
    kind = re.sub(rf"(^|_){quantile}($|_)", "_", base).strip("_") if quantile else base
    if kind not in LATENCY:
        return None
    scale_unit = unit if unit in TIME_UNITS else suffix
    metric = f"{LATENCY[kind]}_{QUANTILES[quantile] if quantile else 'mean'}"
    return Meaning("latency", metric, TIME_UNITS.get(scale_unit or "", 1.0), unit_known=scale_unit is not None)


def _work(name: str, unit: str | None) -> Meaning | None:
    base, _, suffix = name.rpartition("_")
    if suffix in MAGNITUDES and base in WORK:
        return Meaning("work", WORK[base], scale=MAGNITUDES[suffix])
    if name in ("audio", "audio_duration", "duracion_audio") and unit in TIME_UNITS:
        return Meaning("work", "audio_hour", scale=TIME_UNITS[unit] / 3600)
    if name.startswith("audio_") and name.removeprefix("audio_") in TIME_UNITS:
        return Meaning("work", "audio_hour", scale=TIME_UNITS[name.removeprefix("audio_")] / 3600)
    if name in WORK:
        return Meaning("work", WORK[name], scale=MAGNITUDES.get(unit or "", 1.0))
    return None


def direction_of(metric: str) -> Direction | None:
    """Which way a quality metric is better, by its name alone; None for a name that is not known."""
    words = re.split(r"[_\s.,/-]+", normalised(metric))
    if any(word in LOWER for word in words):
        return Direction.LOWER
    joined = normalised(metric)
    if any(word in HIGHER for word in words) or joined in HIGHER:
        return Direction.HIGHER
    return None


def _quality(name: str, unit: str | None) -> Meaning | None:
    if re.search(r"(^|_)(sd|std|stddev|stdev|stderr|se|sem|ci95|standard_error|error_estandar)($|_)", name):
        return None
    base = name.removesuffix("_%").removesuffix("_pct").removesuffix("_percent").strip("_%")
    base = _MEAN.sub("", base).strip("_") or base
    direction = direction_of(base)
    if direction is None:
        return None
    metric = ENGLISH.get(base, base)
    return Meaning("quality", metric, direction=direction, percent=unit == "%" or base != name)


def _condition(name: str, unit: str | None) -> Meaning | None:
    if name == "precision" and unit == "%":
        return Meaning("quality", name, direction=Direction.HIGHER, percent=True)
    return Meaning("condition", RENAMED.get(name, name)) if name in CONDITIONS else None


def _spread(name: str, unit: str | None) -> Meaning | None:
    """A standard deviation beside its mean: `sd_duration_s`, `time std (min)`, `wer_sd`."""
    error = spread_column(name)
    if error is not None:
        kind, of = error
        found = meaning_of(f"{of} ({unit})" if unit else of)
        known = found.field not in ("other", "spread")
        return replace(_spread_of(found), spread=kind) if known else None
    match = _SPREAD.match(name)
    if match is None:
        return None
    of = match[1] or "_".join(part for part in match.group(2, 3) if part)
    return _spread_of(meaning_of(f"{of} ({unit})" if unit else of))


def _spread_of(of_meaning: Meaning) -> Meaning:
    return Meaning("spread", f"{of_meaning.field}:{of_meaning.name}", of_meaning.scale, percent=of_meaning.percent)
