"""The words of a claim in English and Spanish, as patterns over text without accents and capitals."""

import re
import unicodedata

_MARKS = str.maketrans({
    "×": "x", "−": "-", "–": "-", "—": "-", "\u2010": "-", "\u2011": "-", "’": "'", "\u2018": "'",
    "“": '"', "”": '"', "«": '"', "»": '"', "\u00a0": " ", "\u202f": " ",
})  # fmt: skip
MONEY = r"(?:[$€£]|(?:dollars?|usd|euros?|eur|pounds?|gbp|pesos?|dolar|dolares|money|dinero|bucks?)\b)"
_TIME_UNIT = r"(?:seconds?|secs?|s|minutes?|mins?|hours?|hrs?|h|days?|segundos?|minutos?|horas?|dias?)\b"


_COMPARED = ((re.compile(r"≠|!="), " not "), (re.compile(r"≤|<=|=<|<(?=\s*\d)"), " at most "),
             (re.compile(r"≥|>=|(?<![-=])>(?=\s*\d)"), " at least "))  # fmt: skip


def normalised(text: str) -> str:
    """Lower case, without accents, with plain marks and signs of comparison as words, one space between words."""
    for sign, word in _COMPARED:
        text = sign.sub(word, text)
    plain = unicodedata.normalize("NFKD", text.translate(_MARKS).casefold())
    bare = "".join(c for c in plain if not unicodedata.combining(c)).translate(_MARKS)
    return " ".join(bare.replace("-per-", " per ").split())


def _any(*words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(words)})\b")


PER_MONEY = re.compile(rf"(?:\bper\b|/|\bfor (?:every|each)|\bpor(?: cada)?|\bcada|\bde cada)\s*(?:1 )?{MONEY}")
SAME_MONEY = _any(
    r"(?:same|equal) (?:money|budget|cost|price|spend)", r"mism[oa] (?:dinero|presupuesto|costo|coste|precio|gasto)",
)  # fmt: skip
PER_TIME = re.compile(rf"(?:\b(?:per|por|a) |/ ?)(?:each |every |cada )?{_TIME_UNIT}(?! (?:of|de) )")
HOUR_PRICE = re.compile(
    r"\b(?:hourly|per hour|an hour|por hora|la hora|per instance|por instancia|instance price|list price"
    r"|precio de (?:lista|la instancia))\b(?! (?:of|de) )|(?:/ ?(?:h|hr|hour|hora))\b"
)
COST = _any(
    r"costs?", r"costing", r"prices?", r"priced", r"bills?", r"spend(?:ing)?", r"tco", r"expenses?",
    r"cheap(?:er|est)?",
    r"expensive", r"pricier", r"dearer", r"costlier", r"costly", r"costos?", r"costes?", r"cuesta", r"costar[a]?",
    r"precios?", r"gastos?",
    r"facturas?", r"barat[oa]s?", r"car[oa]s?", r"abarata\w*", r"encarece\w*", rf"{MONEY} ?(?:per|por)",
)  # fmt: skip
MONEY_PER = re.compile(rf"{MONEY} ?(?:per\b|por\b|/)")
SAVING = _any(r"saves?", r"saving", r"savings", r"ahorr\w+", r"discount", r"descuento", r"off")
TIME = _any(
    r"(?<!real-)(?<!real )time", r"duration", r"tiempos?(?! real)", r"duracion", r"hours", r"horas", r"as long",
    r"longer(?= (?:than|to|on)\b| ?[.,;!]|\Z)", r"tard[ao]\w*", r"demor\w+",
)  # fmt: skip
SPEED = _any(
    r"fast(?:er)?", r"quicker", r"slow(?:er)?", r"speed(?:s|up|-up)?", r"throughput", r"rapid[oa]s?", r"veloz",
    r"veloces",
    r"lent[oa]s?", r"velocidad", r"caudal",
)  # fmt: skip
ASKED_EFFICIENCY = _any(
    r"(?:price|cost)[- /]?(?:to[- ])?perf(?:ormance)?", r"perf(?:ormance)?[- /]?(?:to[- ])?(?:price|cost)",
    r"cost[- ](?:effective(?:ness)?|efficien\w+)",
    r"(?:precio|costo|coste)[- /]?rendimiento", r"rendimiento[- /](?:precio|costo|coste)",
    r"(?:relacion )?calidad[- /]precio",
    r"rentab\w+", r"value for money", r"economical", r"economic[oa]s?",
)  # fmt: skip
OTHERS = (
    ("energy", _any(r"energy", r"watts?", r"(?<=/)w", r"(?<=/ )w", r"power", r"joules?", r"kwh", r"carbon", r"co2",
                    r"energia", r"potencia",
                    r"vatios?", r"emisiones")),
    ("latency", _any(r"latency", r"latencia", r"ttft", r"tpot", r"itl")),
    ("quality", _any(r"accura\w+", r"quality", r"wer", r"perplexity", r"loss", r"calidad", r"exactitud", r"perplejidad",
                     r"errors?", r"errores")),
    ("memory", _any(r"memory", r"memoria", r"vram", r"ram")),
)  # fmt: skip
ENERGY_BILL = re.compile(
    r"\b(?:energy|power|electricity) (?:costs?|bills?|prices?|spend\w*|expenses?)\b"
    r"|\bcheaper (?:energy|power|electricity)\b|\b(?:per|por|/) ?(?:kwh|joule|watts?|vatios?)\b"
    r"|\b(?:costos?|costes?|gastos?|facturas?|precios?) (?:de (?:la )?)?(?:energ\w+|electri\w+|luz)\b"
)
"""A cost that is not that of the work."""
HELD = _any(
    r"(?:at|with|for) (?:the )?(?:same|equal|similar|no loss of|no loss in) "
    r"(?:cost|price|quality|accuracy|latency|wer|power|speed|throughput)",
    r"without (?:any )?(?:loss of|losing|loss in) (?:quality|accuracy|speed)",
    r"(?:con|a) (?:la |el )?(?:misma?o?|igual) (?:calidad|exactitud|latencia|velocidad|costo|coste|precio)",
    r"sin (?:perder|perdida de) (?:calidad|exactitud|velocidad)",
)  # fmt: skip
"""What is said to stay as it is."""
CHEAPER = _any(
    r"cheaper", r"less (?:expensive|costly)", r"mas (?:barat[oa]s?|economic[oa]s?)",
    r"menos (?:car[oa]s?|costos[oa]s?)", r"as cheap", r"abarata\w*", r"mas en cuenta",
)  # fmt: skip
DEARER = _any(
    r"more (?:expensive|costly)", r"pricier", r"dearer", r"costlier", r"mas (?:car[oa]s?|costos[oa]s?)",
    r"encarece\w*", r"less cheap", r"menos barat[oa]s?",
)  # fmt: skip
FASTER = _any(
    r"faster", r"quicker", r"mas (?:rapid[oa]s?|veloz|veloces)", r"more quickly", r"speeds?[- ]?ups?", r"acelera\w*",
    r"menos lent[oa]s?", r"as fast",
)  # fmt: skip
SLOWER = _any(r"slower", r"mas lent[oa]s?", r"more slowly", r"menos rapid[oa]s?", r"less fast")
BETTER = _any(r"better", r"improv\w+", r"mejor(?:a|an|es|ar)?", r"gains?", r"ganancia")
UP = _any(
    r"more", r"higher", r"greater", r"increas\w+", r"boosts?", r"extra", r"additional", r"larger", r"rais\w+",
    r"rise[s]?", r"grow[s]?", r"longer",
    r"up(?! to)", r"mas", r"mayor(?:es)?", r"aument\w+", r"increment\w+", r"sube[n]?", r"superior(?:es)?", r"eleva\w*",
)  # fmt: skip
DOWN = _any(
    r"less", r"lower(?:s|ed)?", r"fewer", r"reduc\w+", r"cut(?:s|ting)?", r"decreas\w+", r"drop(?:s|ped)?", r"falls?",
    r"fell", r"cae[n]?", r"slash(?:es|ed)?",
    r"trims?", r"shaves?", r"shrinks?", r"below", r"down", r"menos", r"menor(?:es)?", r"baja[n]?", r"rebaja\w*",
    r"recort\w+", r"disminu\w+",
    r"inferior(?:es)?", r"shorter", r"smaller",
)  # fmt: skip
SAME = _any(r"same", r"equal", r"mism[oa]s?", r"igual(?:es)?")
TO = re.compile(r"(?<!up )\b(?:to|al|a una?|a la)\s*(?:only |just |about |solo )?\Z")
OF_AFTER = re.compile(r"\s*(?:of|as much|del?\b|de lo\b|the\b|as\b|el\b|la\b|lo\b)")
_JOIN = (
    r"(?:\s+(?:a|an|the|by|in|en|un|una|el|la|los|about|around|approximately|roughly|casi|aproximadamente))*"
    r"\s*[+~-]?\s*\Z"
)
UP_TO = re.compile(rf"\b(?:up to|as much as|as many as|hasta)(?:\s+(?:por|en))?{_JOIN}")
AT_MOST = re.compile(
    rf"\b(?:at most|no more than|not more than|never more than|nunca mas del?|a maximum of|maximum|max"
    rf"|(?<!no )(?<!not )(?<!never )less than|under|como maximo"
    rf"|como mucho"
    rf"|a lo sumo|no mas de|(?<!no )(?<!nunca )menos de(?:l| la)?|maximo)(?:\s+de)?{_JOIN}"
)
AT_LEAST = re.compile(
    rf"\b(?:at least|more than|over|no less than|not less than|never less than|nunca menos del?|a minimum of|minimum"
    rf"|al menos|por lo menos"
    rf"|mas de(?:l| la)?|como minimo|minimo|no menos de(?:l| la)?)(?:\s+de)?{_JOIN}"
)
AT_MOST_AFTER = re.compile(r"\b(?:or less|at most|max(?:imum)?|como maximo|a lo sumo|o menos)\b")
AT_LEAST_AFTER = re.compile(r"\b(?:or more|or better|at least|o mas|como minimo|al menos)\b")
ABOUT = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|approx\.?|nearly|almost|close to|some|unos?|unas?"
    r"|aproximadamente|alrededor del?|casi|cerca del?)\s*(?:un |el |a )?|~\s*)\Z"
)
NEGATED = re.compile(
    r"\b(?:not|never|isnt|doesnt|wont|no|nunca|tampoco)\b(?! (?:more|less|mas|menos|loss))|n't\b"
    r"|\b(?:cannot|neither|nor|hardly|barely|scarcely|nowhere near|far from|fails?|failed|lacks?|false|untrue"
    r"|impossible|unlikely|without being|ni|apenas|lejos de|sin ser|falso|imposible)\b"
)
THAN = re.compile(
    r"\b(?:than(?! (?:an? |un )?\d[\d.,]*\s*(?:%|x\b|percent|times|veces|por ciento))|compared (?:to|with)"
    r"|vs\.?|versus|relative to|against|frente al?|respecto (?:al?|de)|comparad[oa] con|que(?= (?:el|la|los"
    r"|las|un|una|en|con)\b)|que(?= \w*\d))\s+"
)
LEADING = re.compile(
    r"\A(?:compared (?:to|with)|relative to|against|versus|vs\.?|unlike|frente al?|respecto (?:al?|de)|comparad[oa] con"
    r"|a diferencia del?) ([^,]{1,80}), *"
)
"""What a statement begins with to say against what it compares."""
MOVED = re.compile(
    r"\b(?:from|replac\w+|swap\w*|de|reemplaz\w+|sustitu\w+|cambiar?(?:r de)?) (.{1,60}?) (?:to|with|by|for|a|por|con)"
    r" (.{1,60})"
)
SHARE_OF_OTHER = re.compile(
    r"\s*(?:(?:of|de) (?:all |the |our |its |los |las |nuestr[oa]s )?(?:runs?|cases?|customers?|clients?|users?"
    r"|workloads?|jobs?|teams?|models?|compan(?:y|ies)|casos?|clientes?|usuarios?|ejecuciones|modelos?|tareas?|empresas?|cargas?)"
    r"|(?:de )?(?:chance|probability|likelihood|confidence|utili[sz]ation|load|occupancy|uso|utilizacion|ocupacion"
    r"|probabilidad|confianza))\b"
)
"""What follows a per cent that is a share of something else than cost or time."""
PER_DEVICE = re.compile(
    r"(?:\b(?:per|por|each|cada)|/) ?(?:chip|gpu|accelerator|acelerador|device|dispositivo|card|tarjeta|core|nucleo"
    r"|node|nodo|instance|instancia|server|servidor)s?\b"
)
GENERIC = frozenset(
    "work performance perf throughput output outputs value compute training inference job jobs run runs model "
    "models task tasks "
    "rendimiento trabajo computo entrenamiento inferencia tarea tareas ejecucion ejecuciones ejecutar result "
    "results data "
    "resultados produccion it unit units unidad dollar workload carga finetuning fine-tuning serving".split()
)
UNITS = {
    "token": "token", "tokens": "token", "tok": "token", "mtok": "token", "mtoken": "token", "mtokens": "token",
    "audio": "audio_hour", "sample": "sample", "samples": "sample",
    "muestra": "sample",
    "muestras": "sample", "example": "sample", "examples": "sample", "image": "image", "images": "image",
    "imagen": "image",
    "imagenes": "image", "request": "request", "requests": "request", "peticion": "request", "peticiones": "request",
    "step": "step", "steps": "step", "paso": "step", "pasos": "step", "epoch": "epoch", "epochs": "epoch",
    "epoca": "epoch",
    "epocas": "epoch", "sequence": "sequence", "sequences": "sequence", "document": "document", "documents": "document",
}  # fmt: skip
ACCELERATORS = re.compile(
    r"\b(?:h20|h[128]00|gh200|gb[23]00|b[123]00|a800|a100|a10g?|l4|l40s?|v100|t4|mi\d{3}[xa]?|trn\d\w*|trainium ?\d?"
    r"|inf\d|inferentia ?\d?|gaudi ?\d?|tpu(?: ?v\d[ep]?)?|v\d[ep]|[pg]\d[a-z]*\.\w+)\b"
)
"""Names of machines: one that is none of the pilot's arms is of another comparison."""
