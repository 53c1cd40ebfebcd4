"""What a column is called, in English and Spanish, and in which unit: the catalogue behind every mapping."""

import re
import unicodedata
from dataclasses import dataclass

from scoring.model.estimates import Direction

CODES = (
    "usd", "eur", "gbp", "chf", "jpy", "cny", "inr", "cad", "aud", "nzd", "sek", "nok", "dkk", "pln", "czk", "mxn",
    "brl", "clp", "cop", "ars", "krw", "sgd", "hkd", "twd", "ils", "zar", "aed", "sar", "thb",
)  # fmt: skip
"""Currencies that are recognised by their code."""
TIME_UNITS = {
    "s": 1.0, "sec": 1.0, "secs": 1.0, "second": 1.0, "seconds": 1.0, "seg": 1.0, "segundos": 1.0,
    "ms": 1e-3, "msec": 1e-3, "millis": 1e-3, "milliseconds": 1e-3, "milisegundos": 1e-3,
    "us": 1e-6, "\u00b5s": 1e-6, "\u03bcs": 1e-6, "microseconds": 1e-6, "microsegundos": 1e-6,
    "ns": 1e-9, "nanoseconds": 1e-9,
    "min": 60.0, "mins": 60.0, "minute": 60.0, "minutes": 60.0, "minutos": 60.0, "minuto": 60.0,
    "h": 3600.0, "hr": 3600.0, "hrs": 3600.0, "hour": 3600.0, "hours": 3600.0, "hora": 3600.0, "horas": 3600.0,
    "d": 86400.0, "day": 86400.0, "days": 86400.0, "dias": 86400.0,
}  # fmt: skip
FIELDS: dict[str, tuple[str, ...]] = {
    "arm": ("arm", "brazo", "variant", "variante", "group", "grupo", "setup", "candidate"),
    "accelerator": (
        "accelerator", "acelerador", "device", "dispositivo", "hardware", "gpu_type", "chip", "vendor", "proveedor",
        "platform", "plataforma", "accelerator_type", "gpu", "system", "sistema",
    ),
    "instance_type": ("instance_type", "instance", "instancia", "tipo_de_instancia", "machine_type", "machine", "sku"),
    "instance_count": ("instance_count", "instances", "instancias", "nodes", "nodos", "node_count", "num_nodes"),
    "device_count": (
        "device_count", "devices", "gpus", "num_gpus", "n_gpus", "chips", "accelerators", "accelerator_count",
        "gpu_count",
    ),
    "region": ("region", "aws_region", "location", "zona", "zone", "az"),
    "workload": ("workload", "carga", "job", "task", "tarea", "trabajo", "model", "modelo", "benchmark"),
    "phase": ("phase", "fase", "stage", "etapa"),
    "run": ("run", "run_id", "ejecucion", "corrida", "repetition", "rep", "repeat", "repeticion", "trial", "iteration"),
    "n": ("n", "runs", "n_runs", "num_runs", "ejecuciones", "corridas", "repetitions", "samples_n", "count_runs"),
    "block": ("block", "bloque", "day", "dia", "pair", "par", "batch_day", "session"),
    "seed": ("seed", "semilla", "random_seed"),
    "started_at": ("started_at", "start", "start_time", "started", "inicio", "timestamp", "fecha", "date", "datetime"),
    "duration": (
        "duration", "duracion", "time", "tiempo", "train_time", "training_time", "runtime", "run_time", "wall_clock",
        "wall_time", "walltime", "wall", "elapsed", "elapsed_time", "train_runtime", "tiempo_de_entrenamiento",
        "tiempo_entrenamiento", "total_time", "time_to_target", "time_to_train", "ttt", "step_time_total",
    ),
    "warmup": ("warmup", "warm_up", "compile_time", "compilation_time", "compilation", "calentamiento"),
    "initialisation": ("initialisation", "initialization", "init", "init_time", "setup_time", "inicializacion"),
    "work_units": ("work_units", "work", "units", "trabajo_hecho", "unidades"),
    "unit": ("unit", "work_unit", "unidad"),
    "price": (
        "price", "precio", "price_per_hour", "hourly_price", "rate", "hourly_rate", "cost_per_hour", "hourly_cost",
        "precio_hora", "precio_por_hora", "tarifa", "coste_hora", "costo_hora", "instance_price", "on_demand_price",
    ),
    "pricing": ("pricing", "purchase_option", "market", "billing", "tipo_de_precio", "modalidad"),
    "cost": ("cost", "coste", "costo", "total_cost", "run_cost", "cost_per_run", "price_per_run",
             "coste_por_ejecucion", "costo_por_ejecucion", "coste_por_corrida", "costo_por_corrida", "spend", "gasto",
             "coste_total", "costo_total"),
    "currency": ("currency", "moneda", "divisa"),
    "quality_metric": ("quality_metric", "metric", "metrica", "metrica_de_calidad"),
    "quality_value": ("quality_value", "quality", "metric_value", "calidad", "valor"),
    "quality_stderr": ("quality_stderr", "stderr", "std_err", "standard_error"),
    "correct": ("correct", "num_correct", "n_correct", "aciertos"),
    "items": ("items", "num_items", "n_items", "total_items", "questions"),
    "status": ("status", "estado", "result", "resultado", "outcome", "state"),
    "attempted": ("requests_attempted", "num_prompts", "attempted", "total_requests"),
    "completed": ("requests_completed", "completed", "successful_requests", "completed_requests"),
    "failed_requests": ("failed_requests", "requests_failed", "num_errors"),
}  # fmt: skip
WORK: dict[str, str] = {
    "tokens": "token", "token": "token", "tok": "token", "toks": "token",
    "total_tokens": "token", "tokens_processed": "token", "num_tokens": "token",
    "output_tokens": "output_token", "total_output_tokens": "output_token", "tokens_de_salida": "output_token",
    "samples": "sample", "muestras": "sample", "examples": "sample", "images": "image", "imagenes": "image",
    "audio_hours": "audio_hour", "audio_hour": "audio_hour", "horas_de_audio": "audio_hour", "requests": "request",
    "peticiones": "request", "steps": "step", "pasos": "step", "epochs": "epoch", "epocas": "epoch",
    "sequences": "sequence", "documents": "document",
}  # fmt: skip
THROUGHPUT: dict[str, str] = {
    "tokens": "token", "token": "token", "tok": "token", "tk": "token", "t": "token", "toks": "token",
    "output_tokens": "output_token", "samples": "sample", "sample": "sample", "images": "image", "img": "image",
    "requests": "request", "request": "request", "req": "request", "reqs": "request", "steps": "step", "it": "step",
    "sequences": "sequence", "seq": "sequence", "muestras": "sample", "audio_hours": "audio_hour", "epochs": "epoch",
}  # fmt: skip
LOWER = (
    "loss",
    "perdida",
    "ppl",
    "perplexity",
    "perplejidad",
    "wer",
    "cer",
    "error",
    "mae",
    "mse",
    "rmse",
    "fid",
    "ter",
)
HIGHER = (
    "acc", "accuracy", "exactitud", "precision_score", "f1", "exact_match", "em", "bleu", "rouge", "chrf", "reward",
    "auc", "map", "recall", "score", "mmlu", "pass@1", "pass", "win_rate", "r2", "iou", "dice", "comet", "meteor",
    "mrr", "ndcg", "hit_rate", "puntuacion", "aciertos_pct", "gsm8k", "hellaswag", "humaneval", "psnr", "ssim",
)  # fmt: skip
ENGLISH = {"perdida": "loss", "exactitud": "accuracy", "perplejidad": "perplexity", "puntuacion": "score"}
LATENCY = {
    "ttft": "ttft", "time_to_first_token": "ttft", "first_token_latency": "ttft", "tpot": "tpot",
    "time_per_output_token": "tpot", "itl": "itl", "inter_token_latency": "itl", "e2e": "e2el", "e2el": "e2el",
    "latency": "e2el", "request_latency": "e2el", "end_to_end_latency": "e2el", "latencia": "e2el",
    "e2e_latency": "e2el",
}  # fmt: skip
QUANTILES = {
    "p50": "p50", "median": "p50", "mediana": "p50", "p90": "p90", "p95": "p95", "p99": "p99", "p999": "p99.9",
    "mean": "mean", "avg": "mean", "average": "mean", "media": "mean", "promedio": "mean",
}  # fmt: skip
CONDITIONS = frozenset({
    "precision", "dtype", "batch_size", "batch", "global_batch_size", "micro_batch_size", "sequence_length", "seq_len",
    "max_tokens", "concurrency", "max_concurrency", "request_rate", "tensor_parallel", "tensor_parallel_size", "tp",
    "pipeline_parallel", "pp", "dataset", "model_id", "model_name", "model_revision", "framework", "driver", "sdk",
    "software", "version", "software_version", "torch", "torch_version", "neuron_sdk", "cuda", "input_length",
    "output_length", "input_tokens", "prefix_caching", "quantization", "parallelism", "load_pattern", "input_type",
    "framework_version", "driver_version", "max_num_seqs", "tamano_de_lote", "precision_numerica",
})  # fmt: skip
RENAMED = {"input_type": "load_pattern", "tp": "tensor_parallel", "batch": "batch_size", "dtype": "precision"}
CLOCKS = ("mm:ss", "m:ss", "hh:mm", "h:mm", "min:s", "min:sec", "hh:mm:ss")
MANY_LETTERS = 3
"""A column called `hours` is a duration; one called `h` may be anything."""
LONGEST_HEADER = 200
"""A longer text is no name; it also keeps the patterns below from working on a megabyte."""
_MAGNITUDE = {"k": 1e3, "thousand": 1e3, "thousands": 1e3, "miles": 1e3, "m": 1e6, "million": 1e6, "millions": 1e6,
              "millones": 1e6, "b": 1e9, "billion": 1e9, "bn": 1e9}  # fmt: skip
MONEY_WORDS = frozenset({
    "", "per", "por", "h", "hr", "hrs", "hour", "hora", "instance", "node", "machine", "instancia", "nodo", "maquina",
    "run", "job", "ejecucion", "corrida", "trabajo", "on", "demand", "ondemand", "list", "lista", "spot", "ex", "excl",
    "incl", "vat", "iva", "sin", "con", "net", "neto", "total", "approx", "aprox", "estimated", "us",
})  # fmt: skip
"""Words in the brackets of a money column that change nothing of its amount, beside its currency."""
_CURRENCY = {"$": "USD", "usd": "USD", "us$": "USD", "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR",
             "£": "GBP", "gbp": "GBP", "dollars": "USD", "¥": "JPY", "yen": "JPY",
             **{code: code.upper() for code in CODES}}  # fmt: skip
_BY_NAME = {name: field for field, names in FIELDS.items() for name in names}
_RATE = re.compile(
    r"(?:(?:output|generation|total)_)?(?:throughput_)?([a-z_]+?)_?(?:/|_per_|_por_|p)_?"
    r"(s|sec|second|segundo|min|h|hr|hour|hora)\Z"
)
_HOURLY = re.compile(
    r"(?:/|\bper\b|\bpor\b)\s*(?:(?:instance|node|machine|instancia|nodo|m[aá]quina)[\s_-]*)?(?:h|hrs?|hour|hora)\Z"
)
_PER_RUN = re.compile(r"(?:/|\bper\b|\bpor\b)\s*(?:run|job|ejecuci[oó]n|corrida|trabajo)\Z")
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
    metric, unit, condition or (for `spread`) the column whose standard deviation it is.
    """

    field: str
    name: str = ""
    scale: float = 1.0
    unit_known: bool = True
    currency: str | None = None
    direction: Direction | None = None
    percent: bool = False
    clock: str | None = None


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
    if match and match[2].casefold() in (*TIME_UNITS, *_CURRENCY, "%"):
        return normalised(match[1]), match[2].casefold()
    return normalised(text), None


def meaning_of(header: str) -> Meaning:
    """What a header means; `other` for a name that the catalogue does not know."""
    if len(header) > LONGEST_HEADER:
        return Meaning("other", normalised(header[:LONGEST_HEADER]))
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
UNKNOWN = "?"
"""Name of a money column whose brackets hold a unit that is not understood, such as cents or thousands."""


def _price(name: str, unit: str | None) -> Meaning | None:
    if _per_something_else(unit or ""):
        return None
    currency = currency_in(unit or "") or currency_in(name)
    understood = all(w in MONEY_WORDS or w in _CURRENCY for w in re.split(r"[_/\s,;.-]+", normalised(unit or "")))
    bare = re.sub(r"(^|[_/])(us\$|usd|eur|euros?|gbp|[$€£])(?=$|[_/])", r"\1", name).strip("_")
    bare = re.sub(r"(?<=[_/])(instance|node|machine|instancia|nodo)_(?=(h|hr|hour|hora)\Z)", "", bare)
    hourly = bool(re.search(r"(/|per_|por_|_)(h|hr|hour|hora)\Z", bare)) or bool(_HOURLY.search(unit or ""))
    base = re.sub(r"(_?/|_?per_|_?por_|_)(h|hr|hour|hora)\Z", "", bare).strip("_/")
    if bare in FIELDS["price"] or base in FIELDS["price"] or (hourly and base in ("", *FIELDS["cost"])):
        if not hourly and bare not in FIELDS["price"]:
            return None
        plain = hourly or bare not in BARE_PRICES
        return Meaning("price", "" if understood else UNKNOWN, unit_known=plain and understood, currency=currency)
    if bare in FIELDS["cost"]:
        return Meaning("cost", "" if understood else UNKNOWN, unit_known=understood, currency=currency)
    return None


def _per_something_else(unit: str) -> bool:
    """A price a month, a token or a device is neither one of an instance-hour nor the cost of a run."""
    return bool(_PER.search(unit)) and not _HOURLY.search(unit) and not _PER_RUN.search(unit)


def currency_in(text: str) -> str | None:
    """The code of a currency that a text names by its sign, code or name."""
    parts = re.split(r"[_/\s]", text)
    return next((_CURRENCY[p] for p in parts if p in _CURRENCY), None)


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
    if suffix in _MAGNITUDE and base in WORK:
        return Meaning("work", WORK[base], scale=_MAGNITUDE[suffix])
    if name in ("audio", "audio_duration", "duracion_audio") and unit in TIME_UNITS:
        return Meaning("work", "audio_hour", scale=TIME_UNITS[unit] / 3600)
    if name.startswith("audio_") and name.removeprefix("audio_") in TIME_UNITS:
        return Meaning("work", "audio_hour", scale=TIME_UNITS[name.removeprefix("audio_")] / 3600)
    if name in WORK:
        return Meaning("work", WORK[name], scale=_MAGNITUDE.get(unit or "", 1.0))
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
    if re.search(r"(^|_)(sd|std|stddev|stdev|stderr)($|_)", name):
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
    match = _SPREAD.match(name)
    if match is None:
        return None
    of = match[1] or "_".join(part for part in match.group(2, 3) if part)
    of_meaning = meaning_of(f"{of} ({unit})" if unit else of)
    return Meaning("spread", f"{of_meaning.field}:{of_meaning.name}", of_meaning.scale, percent=of_meaning.percent)
