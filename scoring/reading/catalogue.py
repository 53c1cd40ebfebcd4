"""The catalogue of names: what columns, units, metrics and currencies are called, in English and Spanish."""

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
    "host": (
        "host", "hostname", "host_name", "node_name", "node_id", "instance_id", "machine_id", "server", "servidor",
    ),
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
    "item": (
        "item", "item_id", "doc_id", "question_id", "example_id", "sample_id", "prompt_id", "id_pregunta",
    ),
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
MAGNITUDES = {"k": 1e3, "thousand": 1e3, "thousands": 1e3, "miles": 1e3, "m": 1e6, "million": 1e6, "millions": 1e6,
              "millones": 1e6, "b": 1e9, "billion": 1e9, "bn": 1e9}  # fmt: skip
MONEY_WORDS = frozenset({
    "", "per", "por", "h", "hr", "hrs", "hour", "hora", "instance", "node", "machine", "instancia", "nodo", "maquina",
    "run", "job", "ejecucion", "corrida", "trabajo", "on", "demand", "ondemand", "list", "lista", "spot", "ex", "excl",
    "incl", "vat", "iva", "sin", "con", "net", "neto", "total", "approx", "aprox", "estimated", "us",
    "eu", "ap", "east", "west", "north", "south", "central", "public", "publico", "catalogo", "quote", "oferta",
})  # fmt: skip
"""Words in the brackets of a money column that change nothing of its amount, beside its currency."""
CURRENCY_NAMES = {"$": "USD", "usd": "USD", "us$": "USD", "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR",
             "£": "GBP", "gbp": "GBP", "dollars": "USD", "¥": "JPY", "yen": "JPY",
             **{code: code.upper() for code in CODES}}  # fmt: skip
