"""AWS itself, asked through boto3: what is committed, read-only, by its own outputs, which the engine reads as files.

Credentials are boto3's own affair: they are neither read nor shown here.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from scoring.model.problem import Problem
from scoring.problems import error, warning
from scoring.reading.posted import PostedFile

EC2_CALLS = (
    ("describe_reserved_instances", "ReservedInstances"),
    ("describe_capacity_reservations", "CapacityReservations"),
    ("describe_capacity_blocks", "CapacityBlocks"),
)
PLANS, RATES = "describe_savings_plans", "describe_savings_plan_rates"
PLANS_REGION = "us-east-1"
"""The service of savings plans is one for all regions and answers here."""
MAX_PAGES = 500
ATTEMPTS = 4
TIMEOUT_S = 20


def describe(
    regions: Sequence[str], profile: str | None = None, types: Sequence[str] = ()
) -> tuple[list[PostedFile], list[Problem]]:
    """The outputs of each region and of the savings plans as files; a call that fails is told, and the rest is read.

    Rates of a plan are asked for the instance types that are named; without any they are left out.
    """
    try:
        import boto3
        from botocore.exceptions import BotoCoreError, ClientError
    except ImportError:
        return [], [error("aws-not-installed", expected="pip install 'steelyard[aws]'")]
    if not regions:
        return [], [error("aws-without-regions", expected="--regions eu-west-1,us-east-1")]
    asking = _Asking((BotoCoreError, ClientError))
    try:
        session = boto3.Session(profile_name=profile)
        for region in regions:
            asking.region(_client(session, "ec2", region), region)
        asking.plans(_client(session, "savingsplans", PLANS_REGION), regions, types)
    except (BotoCoreError, ClientError, ValueError) as failure:
        asking.problems.append(error("aws-call-failed", found=_why(failure)))
    if not asking.files:
        asking.problems.append(error("aws-nothing-read", expected="ec2:Describe…, savingsplans:Describe…"))
    return asking.files, asking.problems


def _client(session: Any, service: str, region: str) -> Any:
    from botocore.config import Config

    config = Config(retries={"max_attempts": ATTEMPTS}, connect_timeout=TIMEOUT_S, read_timeout=TIMEOUT_S)
    return session.client(service, region_name=region, config=config)


class _Asking:
    """Calls one after the other; their outputs as files, and those that failed as problems."""

    def __init__(self, failures: tuple[type[Exception], ...]) -> None:
        self.files: list[PostedFile] = []
        self.problems: list[Problem] = []
        self._failures = failures

    def region(self, client: Any, region: str) -> None:
        """What is committed in a region."""
        for method, key in EC2_CALLS:
            self._ask(f"{method}.{region}", client, method, key, {}, {"Region": region})

    def plans(self, client: Any, regions: Sequence[str], types: Sequence[str]) -> None:
        """The savings plans, and of those in force the rates of some types."""
        plans = self._ask(PLANS, client, PLANS, "savingsPlans", {}, {})
        for plan in plans if types else ():
            if plan.get("state") == "active":
                name = plan["savingsPlanId"]
                wanted = _rates_wanted(name, regions, types)
                self._ask(f"{RATES}.{name}", client, RATES, "searchResults", wanted, {"savingsPlanId": name})

    def _ask(
        self, name: str, client: Any, method: str, key: str, arguments: dict[str, Any], beside: dict[str, str]
    ) -> list[dict[str, Any]]:
        try:
            records = [record for page in _pages(client, method, arguments) for record in page.get(key, [])]
        except self._failures as failure:
            self.problems.append(warning("aws-call-failed", found=f"{name}: {_why(failure)}"))
            return []
        text = json.dumps({key: records, **beside}, default=_text)
        self.files.append(PostedFile.from_bytes(f"{name}.json", text.encode()))
        return records


def _rates_wanted(plan: str, regions: Sequence[str], types: Sequence[str]) -> dict[str, Any]:
    named = {"region": list(regions), "instanceType": list(types), "productDescription": ["Linux/UNIX"]}
    filters = [{"name": name, "values": values} for name, values in (named | {"tenancy": ["shared"]}).items()]
    return {"savingsPlanId": plan, "filters": filters}


def _pages(client: Any, method: str, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
    token_name = "NextToken" if client.meta.service_model.service_name == "ec2" else "nextToken"
    token: str | None = None
    for _ in range(MAX_PAGES):
        page: dict[str, Any] = getattr(client, method)(**arguments, **({token_name: token} if token else {}))
        yield page
        token = page.get(token_name)
        if not token:
            return


def _text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _why(failure: Exception) -> str:
    """The code of a refusal, or the kind of failure: a message may hold what is nobody else's business."""
    response = getattr(failure, "response", None)
    code = response.get("Error", {}).get("Code") if isinstance(response, dict) else None
    return str(code or type(failure).__name__)[:100]
