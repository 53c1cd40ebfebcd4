"""Who reads the pages: whether there is a login, who is logged in, and whoever has to log in first."""

from typing import NoReturn
from urllib.parse import urlencode, urlsplit

from flask import abort, current_app, redirect, request

from bot.intake.wiring import Wiring
from bot.settings import ProcessSettings
from bot.web.health import is_local
from bot.web.session import Session, session

HOME = "/"
MOST_NEXT = 500


def settings() -> ProcessSettings:
    """The settings of now."""
    return Wiring.of(current_app).current()


def has_login() -> bool:
    """Whether readers can log in with GitHub."""
    held = settings()
    return bool(held.client_id and held.client_secret)


def may_try() -> bool:
    """Whether this visitor may try files out, perhaps after the login."""
    match settings().playground:
        case "off":
            return False
        case "login":
            return has_login()
        case "public":
            return True
        case _:
            return has_login() or is_local()


def needs_login_to_try() -> bool:
    """Whether the playground is for readers who are logged in."""
    return settings().playground != "public" and has_login()


def reader() -> Session:
    """The session of a reader who is logged in; everybody else is sent to the login and back. 404 without a login."""
    if not has_login():
        abort(404)
    found = session()
    if found.login is None or found.token is None:
        _to_login()
    return found


def _to_login() -> NoReturn:
    wanted = request.full_path.rstrip("?") if request.method == "GET" else request.path
    abort(redirect("/login?" + urlencode({"next": local_path(wanted)})))


def local_path(wanted: str) -> str:
    """A path of our own pages, whatever was given; HOME for what a browser could take for another host, and for
    the ways in and out.
    """
    try:
        parts = urlsplit(wanted)
    except ValueError:
        return HOME
    plain = wanted.isascii() and wanted.isprintable() and " " not in wanted and "\\" not in wanted
    own = not parts.scheme and not parts.netloc and wanted.startswith("/") and not wanted.startswith("//")
    leads_on = parts.path.split("/")[1:2] not in (["login"], ["logout"])
    return wanted if plain and own and leads_on and len(wanted) <= MOST_NEXT else HOME
