"""What is otherwise than in the last review, as the comment says it."""

import pytest

from bot.render.review.comment import render_comment
from scoring.review.values import ReviewChange
from tests.quarter_sample import reviewed_sample


@pytest.mark.parametrize(
    ("change", "en", "es"),
    [
        (("decision-new", "#7", None, "BLOCKED"), "#7 was decided: BLOCKED.", "Se decidió #7: BLOQUEADO (BLOCKED)."),
        (("decision-new", "#7", None, "NONE"), "#7 was decided: no verdict.", "Se decidió #7: sin veredicto."),
        (("decision-new", "octo/train#7", None, "STAY"), "octo/train#7 was decided", "Se decidió octo/train#7"),
        (("decision-new", "@team #7", None, "STAY"), "<code>&#64;team &#35;7</code>", "<code>&#64;team &#35;7</code>"),
        (
            ("risk-gone", "asr", "not-carried-out", None),
            "`asr`: no longer so: not carried out.",
            "`asr`: ya no es así: no llevada a cabo.",
        ),
        (("utilisation", "c 2027Q1", "0.5000", "0.7500"), "used to 75 %, before: 50 %", "se usa al 75 %"),
    ],
)
def test_a_change_reads_as_a_sentence(change: tuple[str, str, str | None, str | None], en: str, es: str) -> None:
    told = ReviewChange(code=change[0], subject=change[1], before=change[2], after=change[3])
    review = reviewed_sample().model_copy(update={"previous": "2026Q4", "changes": (told,), "plan": None})
    for language, wanted in (("en", en), ("es", es)):
        assert wanted in render_comment(review.model_copy(update={"language": language}))
