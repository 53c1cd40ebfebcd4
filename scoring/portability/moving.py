"""What a porting map means for a decision: the cost of moving, and the kernels that block it."""

from collections.abc import Iterable
from decimal import Decimal

from scoring.model.portability import Portability, PortabilitySetting
from scoring.model.problem import Problem
from scoring.model.settings import Settings
from scoring.portability.targets import target_named
from scoring.problems import error, info, warning

SHOWN_KERNELS = 10


def priced_by(found: Portability, settings: Settings) -> tuple[Settings, list[Problem]]:
    """The settings with the middle of the map's hours at the hourly rate as cost of moving, and what that rests on.

    An explicit `migration_cost` wins; without a rate hours are told and not priced.
    """
    rate = (settings.portability or PortabilitySetting()).hourly_rate
    hours = f"{found.hours.low:g}–{found.hours.high:g}"
    told = {"found": hours, "target": found.target}
    if _is_given(settings):
        return settings, [info("portability-cost-given", **told, expected=f"{settings.migration_cost:,}")]
    if rate is None:
        return settings, [warning("portability-not-priced", **told, expected="portability.hourly_rate")]
    middle = Decimal(repr(round((found.hours.low + found.hours.high) / 2, 2)))
    cost = (middle * rate).quantize(Decimal("0.01"))
    problem = info("portability-priced", **told, expected=f"{cost:,} {settings.currency}", rate=f"{rate:,}")
    return settings.model_copy(update={"migration_cost": cost}), [problem]


def sets_cost(settings: Settings) -> bool:
    """Whether the map gives the cost of moving: there is a rate, and no cost that was given."""
    return (settings.portability or PortabilitySetting()).hourly_rate is not None and not _is_given(settings)


def _is_given(settings: Settings) -> bool:
    return "migration_cost" in settings.model_fields_set


def blocked_by(found: Portability | None, settings: Settings, machines: Iterable[str]) -> list[Problem]:
    """An error that names the kernels which have to be rewritten first, but those that the settings call settled.

    A map for others than the candidate's `machines` is refused: neither its hours nor its kernels are of this move.
    """
    if found is None:
        return []
    others = sorted({name for name in machines if target_named(name) not in (None, found.target)})
    if others and found.target != "generic":
        meant = target_named(others[0])
        return [error("portability-other-target", found=others[0], target=found.target, expected=meant)]
    settled = (settings.portability or PortabilitySetting()).kernels_settled
    kernels = [kernel for kernel in found.kernels if not is_settled(kernel, settled)]
    count = len(kernels) + found.kernels_cut
    if not count:
        return []
    shown = ", ".join(kernels[:SHOWN_KERNELS]) + (", …" if count > SHOWN_KERNELS else "")
    return [error("portability-blocked", found=shown, count=count, target=found.target)]


def is_settled(kernel: str, settled: Iterable[str]) -> bool:
    """Whether `name (file)` is named by either; a file of several kernels also by all of their names."""
    known = set(settled)
    if any(kernel.startswith(f"{one} (") or kernel.endswith(f"({one})") for one in known):
        return True
    return known.issuperset(kernel.partition(" (")[0].split(", "))
