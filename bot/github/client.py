"""One authenticated connection to GitHub's REST and GraphQL API, on PyGithub's requester.

PyGithub repeats a POST after a 502, which doubles comments (measured: three POSTs for one); here only reads are
repeated at once, and everything else is left to the job, which looks before it writes.
"""

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn, Protocol
from urllib.parse import parse_qs, urlsplit

import github
import requests
import urllib3
from github.Requester import Requester

from bot.github.errors import GitHubError, Invalid, Later, NotFound, Refused
from bot.github.refusals import raise_for

PUBLIC_API = "https://api.github.com"
API_VERSION = "2022-11-28"
PER_PAGE = 100
TIMEOUT_S = 30
READ_RETRIES = 2
RAW = "application/vnd.github.raw+json"
BLOCK = 1 << 16
DOWNLOAD_SECONDS = 300
TOO_LARGE = 413


class Watched(Protocol):
    """A credential that wants to hear whether GitHub took it."""

    def accepted(self) -> None:
        """A request with it was answered."""

    def refused(self) -> bool:
        """GitHub answered 401. Whether a fresh one may help."""


class Connection:
    """Requests as one identity. `path` begins with a slash and holds segments that are already quoted.

    Every method raises a GitHubError of the kind that says what the caller can do.
    """

    def __init__(
        self,
        auth: github.Auth.Auth | None,
        base_url: str = PUBLIC_API,
        *,
        pace: bool = True,
        credential: Watched | None = None,
        timeout_s: int = TIMEOUT_S,
        waits_once: bool = False,
    ) -> None:
        """`waits_once`: what gave no answer in `timeout_s` is not asked again."""
        self._credential = credential
        retry = urllib3.Retry(
            total=READ_RETRIES,
            connect=0 if waits_once else None,
            read=0 if waits_once else None,
            allowed_methods=("GET", "HEAD"),
            status_forcelist=(500, 502, 503, 504),
            backoff_factor=0.2,
            raise_on_status=False,
            respect_retry_after_header=False,
        )
        self.base_url = base_url.rstrip("/")
        self._requester: Requester = github.Github(
            auth=auth,
            base_url=self.base_url,
            timeout=timeout_s,
            retry=retry,
            per_page=PER_PAGE,
            user_agent="steelyard",
            seconds_between_requests=0.05 if pace else None,
            seconds_between_writes=1.0 if pace else None,
        ).requester

    def get(self, path: str, **parameters: object) -> Any:
        """The JSON answer."""
        return self._json("GET", path, parameters)

    def get_if_changed(self, path: str, etag: str | None, **parameters: object) -> tuple[str | None, Any]:
        """The answer with its ETag; the given one and None where GitHub says that nothing has changed (304)."""
        headers, answer = self._call("GET", path, parameters, None, etag)
        return (etag, None) if answer is None else (headers.get("etag"), answer)

    def pages(self, path: str, key: str | None = None, **parameters: object) -> Iterator[Any]:
        """Every item of a list of pages; `key` where the list stands inside an object."""
        page = 1
        while True:
            answer = self.get(path, **{"per_page": PER_PAGE, **parameters, "page": page})
            items = answer.get(key) if key and isinstance(answer, dict) else answer
            if not isinstance(items, list):
                raise Later(f"an answer without a list: {path[:80]}")
            yield from items
            if len(items) < PER_PAGE:
                return
            page += 1

    def linked(self, path: str, **parameters: object) -> Iterator[Any]:
        """Every item of a list that is paged by a cursor; of GitHub's next link the cursor alone is followed."""
        cursor: str | None = None
        seen: set[str] = set()
        while cursor is None or cursor not in seen:
            seen |= {cursor} if cursor else set()
            headers, items = self._call("GET", path, {"per_page": PER_PAGE, **parameters, "cursor": cursor}, None)
            yield from items
            cursor = _next_cursor(headers)
            if cursor is None:
                return

    def post(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """The JSON answer to a creation; some take no body at all."""
        return self._json("POST", path, body=body)

    def patch(self, path: str, body: Mapping[str, Any]) -> Any:
        """The JSON answer to a change."""
        return self._json("PATCH", path, body=body)

    def put(self, path: str, body: Mapping[str, Any]) -> Any:
        """The JSON answer to a replacement."""
        return self._json("PUT", path, body=body)

    def delete(self, path: str) -> None:
        """Remove; what is gone already counts as removed."""
        try:
            self._json("DELETE", path)
        except NotFound:
            return

    def graphql(self, query: str, variables: Mapping[str, Any]) -> Any:
        """The `data` of a GraphQL answer; errors in it raise Invalid."""
        url = self._requester.graphql_url
        _, answer = self._call("POST", url, None, {"query": query, "variables": dict(variables)})
        if not isinstance(answer, dict) or answer.get("errors"):
            raise Invalid("GraphQL refused the request", 200)
        return answer.get("data")

    def token(self) -> str | None:
        """The token that requests carry, made anew where it runs out; None without one. Raises GitHubError."""
        try:
            return getattr(self._requester.auth, "token", None)
        except github.GithubException as failure:
            raise_for(failure)
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as failure:
            raise Later(f"no token from {urlsplit(self.base_url).hostname}: {type(failure).__name__}") from None

    def download(self, path: str, into: Path, limit: int, **parameters: object) -> int:
        """The raw bytes of what `path` names, streamed to a file; their number.

        Raises GitHubError and leaves no file; Invalid with status 413 for more than `limit` bytes.
        """
        given = {k: str(v) for k, v in parameters.items() if v is not None}
        try:
            return self._streamed(f"{self.base_url}{path}", given, into, limit)
        except GitHubError:
            into.unlink(missing_ok=True)
            raise
        except (requests.RequestException, urllib3.exceptions.HTTPError, ConnectionError, TimeoutError) as failure:
            into.unlink(missing_ok=True)
            raise Later(f"no answer from {urlsplit(self.base_url).hostname}: {type(failure).__name__}") from None

    def _streamed(self, url: str, parameters: Mapping[str, str], into: Path, limit: int) -> int:
        headers = {"Accept": RAW, "Accept-Encoding": "identity", "X-GitHub-Api-Version": API_VERSION}
        headers["User-Agent"] = "steelyard"
        if self._requester.auth is not None:
            self._requester.auth.authentication(headers)
        ends = time.monotonic() + DOWNLOAD_SECONDS
        with requests.get(
            url, parameters, headers=headers, timeout=TIMEOUT_S, stream=True, allow_redirects=False, auth=_as_given
        ) as response:
            if response.status_code != 200:
                self._refuse(github.GithubException(response.status_code, None, dict(response.headers)))
            total = 0
            with into.open("wb") as out:
                while block := response.raw.read1(BLOCK, decode_content=False):
                    total += len(block)
                    if total > limit:
                        raise Invalid("more bytes than are read", TOO_LARGE)
                    if time.monotonic() > ends:
                        raise Later("the file comes too slowly")
                    out.write(block)
            return total

    def _refuse(self, failure: github.GithubException) -> NoReturn:
        if failure.status == 401 and self._credential is not None and self._credential.refused():
            raise Later("the token was refused; a fresh one is fetched", 401) from None
        raise_for(failure)

    def _json(
        self,
        verb: str,
        path: str,
        parameters: Mapping[str, object] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> Any:
        _, answer = self._call(verb, path, parameters, body)
        return answer

    def _call(
        self,
        verb: str,
        url: str,
        parameters: Mapping[str, object] | None,
        body: Mapping[str, Any] | None,
        etag: str | None = None,
    ) -> tuple[dict[str, Any], Any]:
        headers = {"X-GitHub-Api-Version": API_VERSION} | ({"If-None-Match": etag} if etag else {})
        given = {k: v for k, v in (parameters or {}).items() if v is not None}
        try:
            sent = None if body is None else dict(body)
            answer = self._requester.requestJsonAndCheck(verb, url, given or None, headers, sent)
        except github.GithubException as failure:
            self._refuse(failure)
        except RuntimeError as failure:
            raise Refused(f"{urlsplit(self.base_url).hostname} leads to another server: {failure}"[:300]) from None
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as failure:
            raise Later(f"no answer from {urlsplit(self.base_url).hostname}: {type(failure).__name__}") from None
        except ValueError as failure:
            raise Later(f"an answer that is no JSON: {type(failure).__name__}") from None
        if self._credential is not None:
            self._credential.accepted()
        if _is_no_json(verb, *answer) and not (etag and answer[1] is None):
            raise Later("an answer that is no JSON")
        return answer


def _is_no_json(verb: str, headers: Mapping[str, Any], answer: Any) -> bool:
    """PyGithub wraps a page of HTML into a value, and takes no answer at all for None."""
    if answer is None:
        return verb == "GET"
    return "json" not in str(headers.get("content-type", "json")).lower()


def _as_given(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """Keeps requests from taking a password out of a `.netrc`."""
    return request


def _next_cursor(headers: Mapping[str, Any]) -> str | None:
    links = requests.utils.parse_header_links(str(headers.get("link") or ""))
    following = [link["url"] for link in links if link.get("rel") == "next" and link.get("url")]
    return next(iter(parse_qs(urlsplit(following[0]).query).get("cursor", [])), None) if following else None


__all__ = ["Connection", "GitHubError"]
