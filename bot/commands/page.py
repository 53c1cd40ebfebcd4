"""What the web page asks the bounded process: a decision without a thread, and how its columns were read."""

import json
from typing import TYPE_CHECKING

from bot.commands.compare import USAGE, decided
from bot.commands.interface import Scope, SlashCommand
from bot.dossier import Answer, Dossier

if TYPE_CHECKING:
    from scoring.model.decision import Decision

COLUMNS = "columns.json"
MOST_COLUMNS = 200


def try_out(dossier: Dossier) -> Answer:
    """As `/compare` without a thread, with one file more: the columns. Raises OSError for a file that is gone."""
    from bot.commands.evidence import checked, evidence_of
    from scoring.analysis import analyse

    given, refusal = checked(dossier, USAGE)
    if refusal is not None:
        return refusal
    decision = analyse(evidence_of(dossier, given.pairs), today=dossier.today)
    answer = decided(decision)
    return answer.model_copy(update={"files": {**answer.files, COLUMNS: _columns(decision)}, "dates": None})


def _columns(decision: "Decision") -> bytes:
    """File, column, what it was read as, unit and note, in the decision's language."""
    from bot.render.locales import speaking
    from bot.render.phrases import phrase

    with speaking(decision.settings.language):
        rows = [
            {
                "file": column.file,
                "column": column.column,
                "meaning": phrase("meaning", column.meaning).replace("_", " "),
                "unit": phrase("column-unit", column.unit or ""),
                "note": phrase("note", column.note or ""),
            }
            for column in decision.pilot.columns[:MOST_COLUMNS]
        ]
    return json.dumps(rows, ensure_ascii=False).encode()


TRY = SlashCommand(name="try", usage=USAGE, examples=(), scope=Scope.NOTHING, records=False, answer=try_out)
REGISTRY: dict[str, SlashCommand] = {TRY.name: TRY}
"""Asked by the page alone; no comment can give them."""
