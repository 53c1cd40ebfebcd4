"""A stand-in for AWS on loopback: answers of the services' own protocols, built from fixtures by botocore's models."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs
from xml.sax.saxutils import escape


class Api:
    """Records by list key, and the plan that rates belong to.

    `refused` are operations that are denied, `asked` the operations and their arguments.
    """

    def __init__(self, records: dict[str, Any], page: int = 1) -> None:
        self.records, self.page = records, page
        self.refused: set[str] = set()
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.url = ""


def _xml(value: Any, shape: Any) -> str:
    if shape.type_name == "structure":
        members = ((shape.members[name], name, below) for name, below in value.items())
        return "".join(f"<{_name(s, n)}>{_xml(v, s)}</{_name(s, n)}>" for s, n, v in members)
    if shape.type_name == "list":
        return "".join(f"<item>{_xml(item, shape.member)}</item>" for item in value)
    return escape(str(value).lower() if isinstance(value, bool) else str(value))


def _name(shape: Any, name: str) -> str:
    return str(shape.serialization.get("name", name))


class _Handler(BaseHTTPRequestHandler):
    api: Api

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        if self.path == "/":
            self._ec2({name: values[0] for name, values in parse_qs(body).items()})
        else:
            self._savings_plans(self.path.strip("/"), json.loads(body or "{}"))

    def _slice(self, key: str, token: str | None) -> tuple[list[dict[str, Any]], str | None]:
        at = int(token or 0)
        records = self.api.records.get(key, [])
        after = at + self.api.page
        return records[at:after], str(after) if after < len(records) else None

    def _ec2(self, form: dict[str, str]) -> None:
        import botocore.session

        operation = form["Action"]
        self.api.asked.append((operation, form))
        if operation in self.api.refused:
            denied = "<Response><Errors><Error><Code>UnauthorizedOperation</Code><Message>secret detail</Message>"
            self._send(403, f"{denied}</Error></Errors><RequestID>1</RequestID></Response>", "text/xml")
            return
        shape = botocore.session.get_session().get_service_model("ec2").operation_model(operation).output_shape
        key = next(name for name, below in shape.members.items() if below.type_name == "list")
        pages = "NextToken" in shape.members
        records, token = self._slice(key, form.get("NextToken")) if pages else (self.api.records.get(key, []), None)
        document = {key: records, **({"NextToken": token} if token else {})}
        self._send(200, f"<{operation}Response>{_xml(document, shape)}</{operation}Response>", "text/xml")

    def _savings_plans(self, operation: str, arguments: dict[str, Any]) -> None:
        self.api.asked.append((operation, arguments))
        key = "savingsPlans" if operation == "DescribeSavingsPlans" else "searchResults"
        records, token = self._slice(key, arguments.get("nextToken"))
        if arguments.get("savingsPlanId", self.api.records["savingsPlanId"]) != self.api.records["savingsPlanId"]:
            records, token = [], None
        named = {k: v for k, v in arguments.items() if k == "savingsPlanId"}
        document = {key: records, **named, **({"nextToken": token} if token else {})}
        self._send(200, json.dumps(document), "application/json")

    def _send(self, status: int, body: str, kind: str) -> None:
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def serving(api: Api) -> Iterator[Api]:
    """The stand-in, listening until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"api": api}))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    api.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield api
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
