"""Headers as people write them, and what each column is then taken for."""

import pytest

from scoring.model.estimates import Direction
from scoring.reading.catalogue import FIELDS
from scoring.reading.headers import direction_of, meaning_of, normalised, split_unit

LOWER, HIGHER = Direction.LOWER, Direction.HIGHER


@pytest.mark.parametrize(
    ("scale", "header"),
    [
        (1.0, "duration_s"),
        (1.0, "Duration (s)"),
        (1.0, "Duración (s)"),
        (1.0, "Duration, s"),
        (1.0, "wall_time_seconds"),
        (1.0, "run_s"),
        (1.0, "run (s)"),
        (60.0, "Duration (min)"),
        (60.0, "train_time(min)"),
        (60.0, "Train time (min.)"),
        (60.0, "Time in minutes"),
        (60.0, "tiempo [minutos]"),
        (3600.0, "train time [h]"),
        (3600.0, "duración en horas"),
        (3600.0, "Tiempo de entrenamiento (h)"),
        (1e-3, "runtime_ms"),
        (1e-3, "elapsed (ms)"),
        (1e-6, "elapsed (us)"),
        (1e-6, "elapsed (\u00b5s)"),
        (1e-6, "elapsed (\u03bcs)"),
        (86400.0, "wall clock (days)"),
    ],
)
def test_duration_with_its_unit(scale: float, header: str) -> None:
    meaning = meaning_of(header)
    assert (meaning.field, meaning.scale, meaning.unit_known) == ("duration", scale, True)


@pytest.mark.parametrize(
    "header", ["time", "Tiempo", "wall_clock", "elapsed", "duration (weeks)", "time (s/step)", "train_runtime"]
)
def test_duration_without_a_known_unit(header: str) -> None:
    meaning = meaning_of(header)
    assert (meaning.field, meaning.unit_known) == ("duration", False)


@pytest.mark.parametrize(
    ("currency", "header"),
    [
        ("USD", "$/h"),
        ("USD", "USD/hr"),
        ("USD", "price_usd_per_hour"),
        ("USD", "Price ($/hr)"),
        ("USD", "price per hour (USD)"),
        ("USD", "Price ($ per instance-hour)"),
        ("USD", "cost ($/h)"),
        ("EUR", "€/h"),
        ("EUR", "Precio (€/h)"),
        ("EUR", "precio (€ / hora)"),
        ("EUR", "Coste por hora (€)"),
        ("GBP", "£/hour"),
        (None, "price/hr"),
        (None, "price per instance hour"),
        (None, "precio_hora"),
        (None, "hourly cost"),
        (None, "Tarifa"),
    ],
)
def test_price_per_hour(currency: str | None, header: str) -> None:
    meaning = meaning_of(header)
    assert (meaning.field, meaning.currency) == ("price", currency)


@pytest.mark.parametrize(
    ("currency", "header"),
    [
        ("USD", "cost_usd"),
        ("USD", "Cost ($)"),
        ("USD", "Total cost ($)"),
        ("USD", "Cost ($/run)"),
        ("EUR", "Coste total (€)"),
        ("EUR", "cost (€ por ejecución)"),
        (None, "cost"),
        (None, "gasto"),
    ],
)
def test_cost(currency: str | None, header: str) -> None:
    meaning = meaning_of(header)
    assert (meaning.field, meaning.currency) == ("cost", currency)


@pytest.mark.parametrize(
    "header",
    [
        "price ($/month)",
        "price (per month)", "price/month", "monthly price", "price ($/1M tokens)", "price ($/GPU-h)",
        "cost (USD per 1M tokens)", "cost per 1M tokens", "tokens/$", "price per day",
    ],
)  # fmt: skip
def test_other_money_is_not_taken_for_a_price_per_hour_or_a_cost(header: str) -> None:
    assert meaning_of(header).field == "other"


@pytest.mark.parametrize(
    ("unit", "scale", "header"),
    [
        ("token", 1.0, "tok/s"),
        ("token", 1.0, "tokens_per_second"),
        ("token", 1.0, "Throughput (tokens/s)"),
        ("token", 1 / 60, "tokens/min"),
        ("output_token", 1.0, "Output token throughput (tok/s)"),
        ("output_token", 1.0, "Output Token Throughput (t/s)"),
        ("sample", 1.0, "samples/s"),
        ("sample", 1.0, "throughput (samples/sec)"),
        ("image", 1.0, "img/s"),
        ("request", 1.0, "Requests per Second"),
        ("request", 1.0, "req/s"),
        ("request", 1.0, "rps"),
        ("step", 1.0, "it/s"),
        ("audio_hour", 1 / 3600, "audio hours per hour"),
        ("audio_hour", 1 / 3600, "RTFx"),
    ],
)
def test_throughput(unit: str, scale: float, header: str) -> None:
    meaning = meaning_of(header)
    assert (meaning.field, meaning.name, meaning.scale) == ("throughput", unit, pytest.approx(scale))
    assert meaning.unit_known


@pytest.mark.parametrize("header", ["throughput", "Rendimiento", "throughput (tok/s/GPU)"])
def test_throughput_of_an_unknown_thing(header: str) -> None:
    meaning = meaning_of(header)
    assert (meaning.field, meaning.unit_known) == ("throughput", False)


@pytest.mark.parametrize(
    ("name", "scale", "header"),
    [
        ("ttft_p99", 1e-3, "ttft_p99_ms"),
        ("ttft_p99", 1e-3, "p99 TTFT (ms)"),
        ("ttft_p50", 1.0, "TTFT p50 [s]"),
        ("ttft_p99", 1.0, "TTFT (s) p99"),
        ("ttft_mean", 1e-3, "Time-to-first-token (ms)"),
        ("itl_mean", 1e-3, "Inter Token Latency (ms)"),
        ("e2el_mean", 1.0, "Request Latency (s)"),
        ("ttft_mean", 1e-3, "mean_ttft_ms"),
        ("tpot_p50", 1e-3, "median TPOT (ms)"),
        ("e2el_p95", 1.0, "E2E p95 (s)"),
        ("e2el_mean", 1e-3, "latencia media (ms)"),
        ("e2el_mean", 1e-6, "latency (us)"),
    ],
)
def test_latency(name: str, scale: float, header: str) -> None:
    meaning = meaning_of(header)
    assert (meaning.field, meaning.name, meaning.scale, meaning.unit_known) == ("latency", name, scale, True)


@pytest.mark.parametrize("header", ["TTFT", "latency", "p99_itl", "latencia"])
def test_latency_without_unit(header: str) -> None:
    meaning = meaning_of(header)
    assert (meaning.field, meaning.unit_known) == ("latency", False)


@pytest.mark.parametrize(
    ("name", "direction", "percent", "header"),
    [
        ("loss", LOWER, False, "loss"),
        ("loss", LOWER, False, "Pérdida"),
        ("eval_loss", LOWER, False, "eval_loss"),
        ("ppl", LOWER, False, "ppl"),
        ("wer", LOWER, False, "WER"),
        ("wer", LOWER, True, "WER (%)"),
        ("wer", LOWER, True, "WER %"),
        ("cer", LOWER, False, "CER"),
        ("error_rate", LOWER, False, "error_rate"),
        ("accuracy", HIGHER, False, "Exactitud"),
        ("accuracy", HIGHER, True, "Accuracy (%)"),
        ("accuracy", HIGHER, True, "accuracy_pct"),
        ("acc", HIGHER, False, "acc"),
        ("f1", HIGHER, False, "F1"),
        ("exact_match", HIGHER, False, "exact_match"),
        ("bleu", HIGHER, False, "BLEU"),
        ("reward", HIGHER, False, "reward"),
    ],
)
def test_quality(name: str, direction: Direction, percent: bool, header: str) -> None:
    meaning = meaning_of(header)
    assert (meaning.field, meaning.name, meaning.direction) == ("quality", name, direction)
    assert meaning.percent is percent


@pytest.mark.parametrize(
    ("of", "scale", "header"),
    [
        ("duration:", 1.0, "sd_duration_s"),
        ("duration:", 1.0, "duration_sd_s"),
        ("duration:", 60.0, "time std (min)"),
        ("quality:wer", 1.0, "wer_sd"),
        ("cost:", 1.0, "cost_std_usd"),
        ("latency:ttft_mean", 1e-3, "std_ttft_ms"),
        ("latency:ttft_mean", 1e-3, "ttft_std_ms"),
        ("latency:ttft_p99", 1e-3, "ttft_p99_sd_ms"),
    ],
)
def test_standard_deviation_beside_its_mean(of: str, scale: float, header: str) -> None:
    meaning = meaning_of(header)
    assert (meaning.field, meaning.name, meaning.scale) == ("spread", of, scale)


@pytest.mark.parametrize(
    ("field", "header"),
    [
        ("arm", "Brazo"),
        ("accelerator", "Acelerador"),
        ("accelerator", "GPU"),
        ("device_count", "gpus"),
        ("instance_type", "Tipo de instancia"),
        ("region", "Región"),
        ("run", "Ejecución"),
        ("run", "Run #"),
        ("n", "runs"),
        ("seed", "Semilla"),
        ("block", "Día"),
        ("started_at", "Fecha"),
        ("workload", "Carga"),
        ("phase", "Fase"),
        ("status", "Estado"),
        ("currency", "Moneda"),
        ("attempted", "num_prompts"),
        ("completed", "completed_requests"),
        ("warmup", "compile_time_s"),
        ("work", "Tokens (M)"),
        ("condition", "Batch size"),
        ("condition", "dtype"),
        ("other", "comments"),
        ("other", ""),
        ("other", "🙂"),
        ("other", "(" * 100_000),
        ("other", "a," * 100_000),
        ("other", "x" * 100_000),
    ],
)
def test_other_fields(field: str, header: str) -> None:
    assert meaning_of(header).field == field


@pytest.mark.parametrize(("name", "header"), [("precision", "dtype"), ("load_pattern", "Input type"), ("pp", "pp")])
def test_conditions_of_one_meaning_have_one_name(name: str, header: str) -> None:
    assert meaning_of(header).name == name


@pytest.mark.parametrize(
    ("scale", "header"), [(1.0, "tokens"), (1e6, "Tokens (M)"), (1e3, "tokens_k"), (1e9, "tokens (billion)")]
)
def test_work_in_thousands_and_millions(scale: float, header: str) -> None:
    meaning = meaning_of(header)
    assert (meaning.field, meaning.name, meaning.scale) == ("work", "token", scale)


@pytest.mark.parametrize("field", sorted(FIELDS))
def test_every_name_of_the_catalogue_means_its_field(field: str) -> None:
    assert {name: meaning_of(name).field for name in FIELDS[field]} == dict.fromkeys(FIELDS[field], field)


@pytest.mark.parametrize(
    ("want", "metric"),
    [(LOWER, "eval/loss"), (LOWER, "Word error rate"), (HIGHER, "acc,none"), (HIGHER, "pass@1"), (None, "zorp")],
)
def test_direction_by_name_alone(want: Direction | None, metric: str) -> None:
    assert direction_of(metric) is want


@pytest.mark.parametrize(
    ("want", "header"),
    [
        (("duration", "min"), "Duration (min)"),
        (("duration", "min"), "Duration [min]"),
        (("duration", "s"), "Duration, s"),
        (("price_hr", None), "price hr"),
        (("ttft_p99", "s"), "TTFT (s) p99"),
        (("duration", "min"), "  Duration\n(min) "),
    ],
)
def test_split_unit(want: tuple[str, str | None], header: str) -> None:
    assert split_unit(header) == want


def test_normalised() -> None:
    assert normalised("  Tamaño  de-Lote ") == "tamano_de_lote"


@pytest.mark.parametrize(
    ("field", "known", "currency", "header"),
    [
        ("price", True, "USD", "price (USD/h, list, us-east-1)"),
        ("price", True, "EUR", "Precio (€/h, IVA incl.)"),
        ("cost", True, "EUR", "Cost (€, IVA incl.)"),
        ("cost", True, "USD", "Cost (USD, 2026)"),
        ("cost", True, "CHF", "Coste (CHF)"),
        ("cost", False, None, "Cost (cents)"),
        ("cost", False, None, "Cost (k$)"),
        ("price", False, None, "price (cents/h)"),
        ("price", True, None, "price"),
        ("price", True, None, "price/hr"),
    ],
)
def test_money_headers(field: str, known: bool, currency: str | None, header: str) -> None:
    meaning = meaning_of(header)
    assert (meaning.field, meaning.unit_known, meaning.currency) == (field, known, currency)


@pytest.mark.parametrize(
    ("names_hour", "header"),
    [
        (False, "price"),
        (False, "Precio (€)"),
        (False, "rate"),
        (True, "price/hr"),
        (True, "hourly rate"),
        (True, "$/h"),
    ],
)
def test_whether_a_price_names_its_hour(names_hour: bool, header: str) -> None:
    assert meaning_of(header).names_hour is names_hour
