"""How often the pilot was looked at, and what that leaves for proof: one line of the method."""

from bot.render import figures
from bot.render.comment.voice import Voice
from scoring.model.looks import Look, Looks

SHOWN = 10


def looks_line(looks: Looks, voice: Voice) -> str:
    """What holds however often one looks, the share of doubt of this look, and the earlier looks."""
    fields = {
        "planned": looks.planned,
        "source": "" if looks.declared else voice("looks.default"),
        "runs": _runs(looks.now, voice),
        "alpha": figures.percent(looks.alpha),
        "earlier": _earlier(looks.earlier, voice),
    }
    if looks.level <= 0:
        return voice("looks.none-left", **fields)
    fields["level"] = figures.percent(looks.level, 3) + _beside_the_interval(looks, voice)
    if looks.now.fraction > 1:
        return voice("looks.beyond", **fields)
    if looks.theta_lower is None or looks.theta_upper is None:
        return voice("looks.level", **fields)
    bounds = figures.interval(looks.theta_lower, looks.theta_upper)
    return voice("looks.held", bounds=bounds, **fields)


def _beside_the_interval(looks: Looks, voice: Voice) -> str:
    """Whether this look may take more than the table's interval leaves on either side, so that the two may differ."""
    half = (1 - voice.confidence_level) / 2
    return voice("looks.more", half=figures.percent(half, 3)) if looks.level > half else ""


def _earlier(looks: tuple[Look, ...], voice: Voice) -> str:
    if not looks:
        return ""
    shown = ", ".join(_runs(look, voice) for look in looks[-SHOWN:])
    return voice("looks.earlier", runs=f"… {shown}" if len(looks) > SHOWN else shown)


def _runs(look: Look, voice: Voice) -> str:
    if look.runs_incumbent == look.runs_candidate:
        return str(look.runs_incumbent)
    return voice("looks.unequal", a=look.runs_incumbent, b=look.runs_candidate)
