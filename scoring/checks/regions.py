"""Approved regions and confirmed capacity: policy comes before price."""

from collections.abc import Collection

from scoring.checks.scene import Scene
from scoring.model.problem import Problem
from scoring.problems import error, info, question, warning


def check(scene: Scene) -> list[Problem]:
    """`region-not-approved`, `capacity-expired` (errors), `region-unknown`, `region-incomplete`,
    `capacity-not-confirmed` and `capacity-price-unknown` (questions)."""
    return _approved(scene) + _capacity(scene) + _priced_elsewhere(scene)


def _approved(scene: Scene) -> list[Problem]:
    approved = scene.settings.approved_regions
    if not approved:
        return []
    problems: list[Problem] = []
    incumbent, candidate = scene.arms.both
    capacity = scene.settings.capacity.region
    regions = {capacity} if capacity else candidate.values("region")
    allowed = ", ".join(approved)
    if not regions:
        problems.append(question("region-unknown", arm=candidate.name, expected=allowed))
    elif not capacity and (untold := sum(c.run.region is None for c in candidate.runs)):
        where = {"arm": candidate.name, "expected": allowed, "found": str(untold), "total": len(candidate.runs)}
        problems.append(question("region-incomplete", **where))
    if elsewhere := _outside(regions, approved):
        details = {"arm": candidate.name, "found": elsewhere, "expected": allowed}
        priced, unpriced = _listed(scene)
        listed = {"offered": _offered(scene), "priced": priced or "none", "unpriced": unpriced or "none"}
        problems.append(error("region-not-approved", **details, **listed))
    if own := _outside(incumbent.values("region"), approved):
        problems.append(warning("incumbent-region-not-approved", arm=incumbent.name, found=own, expected=allowed))
    return problems


def _outside(regions: Collection[str], approved: Collection[str]) -> str:
    """The regions that are not approved, whatever the case of their names."""
    allowed = {region.casefold() for region in approved}
    return ", ".join(sorted(region for region in regions if region.casefold() not in allowed))


def _offered(scene: Scene) -> str:
    """Approved regions in which the price book lists the candidate's instance type, with the price or without."""
    instance_type = scene.arms.candidate.one("instance_type")
    if instance_type is None:
        return ""
    approved = {region.casefold() for region in scene.settings.approved_regions}
    rows = [r for r in scene.prices.find(instance_type, None) if r.region and r.region.casefold() in approved]
    return ", ".join(f"{r.region} ({r.on_demand_price or 'no public price'})" for r in rows)


def _listed(scene: Scene) -> tuple[str, str]:
    """Approved regions with a list price of the candidate's instance type in the price book, and those without."""
    instance_type = scene.arms.candidate.one("instance_type")
    rows = scene.prices.find(instance_type, None) if instance_type else ()
    priced = {r.region.casefold() for r in rows if r.region and r.on_demand_price is not None}
    approved = scene.settings.approved_regions
    with_price = [region for region in approved if region.casefold() in priced]
    return ", ".join(with_price), ", ".join(region for region in approved if region not in with_price)


def _capacity(scene: Scene) -> list[Problem]:
    capacity, arm = scene.settings.capacity, scene.arms.candidate.name
    if capacity.confirmed_until is not None and capacity.confirmed_until < scene.today:
        found = capacity.confirmed_until.isoformat()
        return [error("capacity-expired", found=found, expected=f"after {scene.today}", arm=arm)]
    if missing := capacity.unsaid:
        return [question("capacity-not-confirmed", arm=arm, expected=", ".join(missing))]
    if capacity.confirmed_until is None:
        return []
    return [info("capacity-confirmed", found=capacity.confirmed_until.isoformat(), by=capacity.confirmed_by or "")]


def _priced_elsewhere(scene: Scene) -> list[Problem]:
    """Capacity in another region than the pilot's has another price, which only the settings can tell."""
    candidate, region = scene.arms.candidate, scene.settings.capacity.region
    ran = candidate.values("region")
    names = (candidate.name, candidate.one("instance_type"), candidate.one("accelerator"))
    configured = {name.casefold() for name in scene.settings.prices}
    if region is None or not ran or region in ran or any(n and n.casefold() in configured for n in names):
        return []
    details = {"arm": candidate.name, "found": ", ".join(sorted(ran)), "expected": region}
    return [question("capacity-price-unknown", **details)]
