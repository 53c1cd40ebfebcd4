"""All rows, in the order of the table."""

from bot.calibrate.row import Row
from bot.calibrate.rows.blocked import BLOCKED, CONFOUNDED, PAIRED
from bot.calibrate.rows.credible import CREDIBLE
from bot.calibrate.rows.evsi import EVSI
from bot.calibrate.rows.latency import LATENCY
from bot.calibrate.rows.looks import LOOKS
from bot.calibrate.rows.non_inferiority import OTHER_ITEMS, RUNS, SAME_ITEMS
from bot.calibrate.rows.regret import REGRET, SAME_BUYERS
from bot.calibrate.rows.side_by_side import COVERAGE, FALSE_SWITCH
from bot.calibrate.rows.speed import ANALYSIS, QUANTILES
from bot.calibrate.rows.unpaired import ONE_ARM_SLOW, UNEQUAL, UNPAIRED

ROWS: tuple[Row, ...] = (
    UNPAIRED,
    UNEQUAL,
    PAIRED,
    BLOCKED,
    CONFOUNDED,
    LOOKS,
    RUNS,
    SAME_ITEMS,
    OTHER_ITEMS,
    LATENCY,
    CREDIBLE,
    EVSI,
    REGRET,
    ANALYSIS,
    QUANTILES,
    ONE_ARM_SLOW,
    FALSE_SWITCH,
    COVERAGE,
    SAME_BUYERS,
)
