"""What a command may look at: posts up to it by those who may post, their files in order, why others are not read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from bot.collect import Sources
from bot.configuration import Configuration
from bot.dossier import Dossier, Outcome
from bot.gather import gather
from bot.github.addresses import Hosts
from bot.github.download import Downloader
from bot.github.marker import marked
from bot.github.spool import Spool
from bot.github.thread import read_post, read_thread
from bot.grammar import commands_in
from bot.render.comment import render_comment
from bot.repo_config import RepoConfig
from scoring.analysis import Evidence, analyse
from scoring.model.decision import Decision
from tests.bot.github.repositories import commit
from tests.bot.github.world import STEELYARD, World
from tests.e2e.faults import Asked, Said

TODAY = date(2026, 12, 1)
TOKEN = "token-for-attachments"  # noqa: S105 - a test's own
GPU = "arm,run,duration_s,price_usd_per_hour\n" + "".join(f"gpu,{i},{3600 + i},50\n" for i in range(4))
TRN = "arm,run,duration_s,price_usd_per_hour\n" + "".join(f"trn2,{i},{3500 + i},30\n" for i in range(4))
TABLE = "| arm | run | duration_s |\n|---|---|---|\n| gpu | 1 | 3600 |\n"


def fenced(text: str, language: str = "csv") -> str:
    return f"```{language}\n{text}```\n"


@dataclass
class Attachments:
    """What `emulate` lacks: files that were dragged into a comment, readable with `token` where there is one."""

    files: dict[str, Said] = field(default_factory=dict)
    token: str | None = None
    asked: list[str] = field(default_factory=list)

    def __call__(self, asked: Asked) -> Said | None:
        path = asked.path.split("?")[0]
        if "/user-attachments/" not in path and "/files/" not in path:
            return None
        self.asked.append(path)
        if self.token and asked.headers.get("Authorization") != f"token {self.token}":
            return Said.of(404, {})
        return self.files.get(path, Said.of(404, {}))


@dataclass
class Scene:
    """A thread in a repository, and how the bot looks at it."""

    world: World
    folder: Path
    attached: Attachments
    config: RepoConfig = field(default_factory=RepoConfig)
    bounds: dict[str, int] = field(default_factory=dict)

    def attachment(self, name: str, content: str | bytes, number: int = 1) -> str:
        """The address of an attached file."""
        data = content if isinstance(content, bytes) else content.encode()
        path = f"/user-attachments/files/{number}/{name}"
        self.attached.files[path] = Said(200, data, {"Content-Type": "application/octet-stream"})
        return f"{self.world.github.url}{path}"

    def blob(self, path: str, repository: str | None = None) -> str:
        """The address of a file's page."""
        return f"{self.world.github.url}/{repository or self.world.repository}/blob/main/{path}"

    def gathered(
        self,
        issue: int,
        command: Mapping[str, Any],
        until: str | None = None,
        known: dict[tuple[str, ...], Dossier] | None = None,
        which: int = 0,
    ) -> Dossier:
        """The dossier of a command of a comment, by default its first."""
        world, connection = self.world, self.world.bot()
        post = read_post(connection, world.repository, issue, command.get("id"))
        assert post is not None
        hosts, tokens = Hosts(world.github.url), (connection.token, lambda: TOKEN)
        sources = Sources(
            connection, Downloader(hosts, tokens), world.github.url, STEELYARD, Spool(self.folder, **self.bounds)
        )
        thread = read_thread(connection, world.repository, issue)
        asked = commands_in(post.body)[which]
        return gather(asked, post, thread, Configuration(self.config), sources, TODAY, until, known)


@pytest.fixture
def scene(world: World, tmp_path: Path) -> Scene:
    attached = Attachments()
    world.github.handlers = (attached, *world.github.handlers)
    return Scene(world, tmp_path, attached)


def names(dossier: Dossier) -> list[str]:
    return [posting.name for posting in dossier.postings]


def codes(dossier: Dossier) -> list[str]:
    return [problem.code for problem in dossier.problems]


def texts(dossier: Dossier) -> dict[str, str]:
    return {posting.name: posting.path.read_text() for posting in dossier.postings}


def decided(dossier: Dossier) -> Decision:
    postings = tuple(posting.opened() for posting in dossier.postings)
    return analyse(Evidence(postings, problems=dossier.problems), TODAY)


def test_posts_attachments_and_files_in_the_order_of_the_thread(scene: Scene) -> None:
    world = scene.world
    commit(world, {"pilots/trn2.csv": TRN.encode()})
    issue = world.issue(f"### Workload\n\nspeech\n\n{fenced(GPU)}")
    world.comment(issue, "Prose alone is no evidence.")
    attached = scene.attachment("gpu more.csv".replace(" ", "%20"), GPU)
    world.comment(issue, f"region: us-east-2\n\n[one]({attached}) and {scene.blob('pilots/trn2.csv')}\n\n{TABLE}")
    dossier = scene.gathered(issue, world.comment(issue, "/compare"))
    assert codes(dossier) == []
    assert names(dossier) == ["issue.md", "comment-2.md", "gpu more.csv", "trn2.csv"]
    assert texts(dossier)["trn2.csv"] == TRN and texts(dossier)["gpu more.csv"] == GPU
    assert {posting.posted_by for posting in dossier.postings} == {"olga"}
    assert [posting.context for posting in dossier.postings] == [(), (), *[(("region", "us-east-2"),)] * 2]
    assert all(posting.url for posting in dossier.postings)
    assert (dossier.repository, dossier.issue, dossier.today) == (world.repository, issue, TODAY)


def test_what_is_gathered_is_decided_on(scene: Scene) -> None:
    issue = scene.world.issue(fenced(GPU))
    scene.world.comment(issue, f"[trn2.csv]({scene.attachment('trn2.csv', TRN)})")
    decision = decided(scene.gathered(issue, scene.world.comment(issue, "/compare")))
    assert decision.verdict.word is not None and (decision.incumbent, decision.candidate) == ("gpu", "trn2")


def test_the_command_brings_evidence_itself(scene: Scene) -> None:
    issue = scene.world.issue("none")
    dossier = scene.gathered(issue, scene.world.comment(issue, f"/compare\n\n{fenced(GPU)}"))
    assert names(dossier) == ["comment-1.md"]


def test_the_issue_itself_may_command(scene: Scene) -> None:
    """GitHub takes every comment for a change of the issue: when its text was written is what the webhook said."""
    issue = scene.world.issue(f"/compare\n\n{fenced(GPU)}")
    created = scene.world.straight("olga").get(f"/repos/{scene.world.repository}/issues/{issue}")["created_at"]
    scene.world.comment(issue, fenced(TRN))
    assert names(scene.gathered(issue, {}, until=created)) == ["issue.md"]
    assert names(scene.gathered(issue, {}, until="2999-01-01T00:00:00Z")) == ["issue.md", "comment-1.md"]


def test_what_was_posted_later_is_not_read_until_the_command_is_edited(scene: Scene) -> None:
    issue = scene.world.issue(fenced(GPU))
    command = scene.world.comment(issue, "/compare")
    scene.world.comment(issue, fenced(TRN))
    assert names(scene.gathered(issue, command)) == ["issue.md"]
    later = {**command, "updated_at": "2999-01-01T00:00:00Z", "body": "/compare horizon=18m"}

    def edited(asked: Asked) -> Said | None:
        return Said.of(200, later) if asked.path.endswith(f"/comments/{command['id']}") else None

    scene.world.github.handlers = (edited, *scene.world.github.handlers)
    assert names(scene.gathered(issue, command)) == ["issue.md", "comment-2.md"]


def test_quotes_and_our_own_replies_are_no_evidence(scene: Scene) -> None:
    world = scene.world
    link = scene.attachment("a.csv", GPU)
    issue = world.issue(f"> [a.csv]({link})\n>\n> {TABLE.replace(chr(10), chr(10) + '> ')}\n\nI disagree.\n")
    world.bot().post(
        f"/repos/{world.repository}/issues/{issue}/comments", {"body": marked("c1", Outcome.SWITCH, f"\n\n{TABLE}")}
    )
    dossier = scene.gathered(issue, world.comment(issue, f"> {TABLE}\n\n/compare"))
    assert names(dossier) == [] and codes(dossier) == [] and scene.attached.asked == []


def test_lines_keep_their_numbers_below_a_quote(scene: Scene) -> None:
    issue = scene.world.issue(f"> said\n> before\n\n{fenced(GPU.replace('3600', 'soon'))}")
    decision = decided(scene.gathered(issue, scene.world.comment(issue, "/compare")))
    assert {p.row for p in decision.problems if p.found == "soon"} == {6}


@pytest.mark.parametrize(("login", "wanted"), [("walt", "write"), ("sam", None)])
def test_only_those_who_may_ask_may_post(scene: Scene, login: str, wanted: str | None) -> None:
    world = scene.world
    if wanted:
        place = f"/repos/{world.repository}/collaborators/{login}"
        world.straight("olga").put(place, {"permission": "push"})
    issue = world.issue(fenced(GPU))
    posted = {**world.comment(issue, "later"), "user": {"login": login, "type": "User"}}
    posted["body"] = f"[a.csv]({scene.attachment('a.csv', TRN)})\n\n{TABLE}\n\n@olga <b>look</b>"
    command = world.comment(issue, "/compare")

    def by_another(asked: Asked) -> Said | None:
        return Said.of(200, [posted, command]) if f"/issues/{issue}/comments" in asked.path else None

    world.github.handlers = (by_another, *world.github.handlers)
    dossier = scene.gathered(issue, command)
    if wanted:
        assert names(dossier) == ["issue.md", "comment-1.md", "a.csv"] and codes(dossier) == []
    else:
        assert names(dossier) == ["issue.md"] and scene.attached.asked == []
        [problem] = dossier.problems
        assert (problem.code, problem.found, problem.expected) == ("posts-not-counted", "1", "read")
        assert problem.arguments == {"author": "sam"}
        assert "that `sam` posted were not read" in render_comment(decided(dossier)).replace("**", "")


@pytest.mark.parametrize("trusted", [False, True])
def test_another_bot_counts_only_where_it_is_trusted(scene: Scene, trusted: bool) -> None:
    world = scene.world
    issue = world.issue(fenced(GPU))
    world.bot().post(f"/repos/{world.repository}/issues/{issue}/comments", {"body": fenced(TRN)})
    scene.config = RepoConfig(trusted_bots=("Steelyard[bot]",) if trusted else ())
    dossier = scene.gathered(issue, world.comment(issue, "/compare"))
    assert names(dossier) == (["issue.md", "comment-1.md"] if trusted else ["issue.md"])
    assert codes(dossier) == ([] if trusted else ["bot-not-trusted"])


def test_credentials_of_a_private_attachment(scene: Scene) -> None:
    issue = scene.world.issue(f"[a.csv]({scene.attachment('a.csv', GPU)})")
    scene.attached.token = TOKEN
    assert names(scene.gathered(issue, scene.world.comment(issue, "/compare"))) == ["a.csv"]
    assert len(scene.attached.asked) == 3, "our own token, none, and the one for attachments"


@pytest.mark.parametrize(
    "answer",
    [
        Said.of(404, {}),
        Said(200, b"<!DOCTYPE html><title>Sign in to GitHub</title>", {"Content-Type": "text/html"}),
        Said(302, b"", {"Location": "/login?return_to=x"}),
        Said(302, b"", {"Location": "http://169.254.169.254/latest/meta-data"}),
        Said(302, b"", {"Location": "http://127.0.0.1:1/a.csv"}),
    ],
)
def test_an_unreadable_attachment_keeps_the_verdict_back_and_says_what_works(scene: Scene, answer: Said) -> None:
    issue = scene.world.issue(f"{fenced(GPU)}\n\n{fenced(TRN)}\n\n[more.csv]({scene.attachment('more.csv', '')})")
    scene.attached.files = dict.fromkeys(scene.attached.files, answer)
    dossier = scene.gathered(issue, scene.world.comment(issue, "/compare"))
    assert names(dossier) == ["issue.md"] and codes(dossier) == ["attachment-not-read"]
    decision = decided(dossier)
    assert decision.verdict.word is None or decision.verdict.word.value in ("EXTEND", "BLOCKED")
    said = render_comment(decision)
    assert "`more.csv` could not be read" in said
    assert all(way in said for way in ("```csv", "commit it and link to it", "`/compare path/to/file.csv@branch`"))


def test_pictures_are_left_alone(scene: Scene) -> None:
    world = scene.world
    place = "/user-attachments/assets/0b9c1d2e-1111-2222-3333-444455556666"
    scene.attached.files[place] = Said(200, b"\x89PNG\r\n\x1a\n" + b"\x00" * 50, {"Content-Type": "image/png"})
    missing = place.replace("0b9c", "ffff")
    issue = world.issue(f"![s]({world.github.url}{place})\n\n{world.github.url}{place}\n\n{world.github.url}{missing}")
    dossier = scene.gathered(issue, world.comment(issue, "/compare"))
    assert names(dossier) == []
    assert [(p.code, p.severity.value) for p in dossier.problems] == [("attachment-not-read", "warning")]
    assert set(scene.attached.asked) == {place, missing}


def test_another_repository_is_never_asked(scene: Scene) -> None:
    world = scene.world
    secret = scene.blob("salaries.csv", "lab/pilots")
    issue = world.issue(f"{secret}\n{world.github.url}/lab/pilots/files/3/old.csv\nhttps://example.com/a.csv\n")
    dossier = scene.gathered(issue, world.comment(issue, "/compare"))
    assert codes(dossier) == ["link-to-other-repository"] * 2 + ["link-not-followed"]
    assert names(dossier) == [] and not any("lab/pilots" in route for route in world.github.routes())


def test_a_file_linked_twice_is_read_once_where_it_was_named_last(scene: Scene) -> None:
    world = scene.world
    link = scene.attachment("a.csv", GPU)
    issue = world.issue(link)
    world.comment(issue, f"[b.csv]({scene.attachment('b.csv', TRN, 2)})")
    world.comment(issue, f"[again]({link}?x=1)")
    dossier = scene.gathered(issue, world.comment(issue, "/compare"))
    assert names(dossier) == ["b.csv", "a.csv"]


def test_two_files_of_one_name_are_told_apart(scene: Scene) -> None:
    issue = scene.world.issue(f"{scene.attachment('a.csv', GPU, 1)}\n{scene.attachment('a.csv', TRN, 2)}")
    dossier = scene.gathered(issue, scene.world.comment(issue, "/compare"))
    assert texts(dossier) == {"a.csv": GPU, "a#2.csv": TRN}


def test_hostile_names_stay_in_the_folder(scene: Scene) -> None:
    issue = scene.world.issue("\n".join(
        f"[x]({scene.attachment(name, GPU, number)})"
        for number, name in enumerate(["..%2F..%2Fetc%2Fpasswd.csv", "%00a%0Ab.csv", "%E2%80%AEvsc.csv", "%FF.csv"])
    ))  # fmt: skip
    dossier = scene.gathered(issue, scene.world.comment(issue, "/compare"))
    assert names(dossier) == ["_.._etc_passwd.csv", "_a_b.csv", "_vsc.csv", "\ufffd.csv"]
    assert sorted(p.name for p in scene.folder.iterdir()) == ["0001", "0002", "0003", "0004"]


def test_paths_are_the_evidence_where_they_are_given(scene: Scene) -> None:
    world = scene.world
    commit(world, {"gpu/run.csv": GPU.encode(), "trn2/run.csv": b"old"})
    commit(world, {"trn2/run.csv": TRN.encode()}, "try/2")
    issue = world.issue(fenced("arm,run\nx,1\n"))
    dossier = scene.gathered(issue, world.comment(issue, "/compare gpu/run.csv trn2/run.csv@try/2 horizon=18m"))
    assert texts(dossier) == {"gpu/run.csv": GPU, "trn2/run.csv": TRN}
    assert codes(dossier) == ["thread-not-read"]
    assert decided(dossier).candidate == "trn2"


def test_a_folder_is_read_as_the_command_line_reads_it(scene: Scene) -> None:
    world = scene.world
    commit(world, {"r/gpu/1.csv": GPU.encode(), "r/trn2/1.csv": TRN.encode(), "r/all.csv": GPU.encode()})
    issue = world.issue()
    assert names(scene.gathered(issue, world.comment(issue, "/compare r/"))) == ["all.csv", "gpu/1.csv", "trn2/1.csv"]
    dossier = scene.gathered(issue, world.comment(issue, "/compare r/gpu r/trn2@main"))
    assert names(dossier) == ["gpu/1.csv", "trn2/1.csv"]


def test_a_path_that_is_not_there_is_told_with_the_nearest(scene: Scene) -> None:
    commit(scene.world, {"pilots/speech.csv": GPU.encode()})
    issue = scene.world.issue()
    dossier = scene.gathered(issue, scene.world.comment(issue, "/compare pilots/speach.csv"))
    assert codes(dossier) == ["thread-not-read", "path-not-found"]
    assert "Did you mean `pilots/speech.csv`?" in render_comment(decided(dossier))


@pytest.mark.parametrize(
    ("bounds", "held", "wanted"),
    [
        ({"max_files": 2}, 2, ["too-many-files"]),
        ({"max_file_bytes": 50}, 0, ["file-too-large"] * 4),
        ({"max_total_bytes": 2 * len(GPU)}, 2, ["too-many-files"]),
        ({"max_total_bytes": 2 * len(GPU) + 1}, 2, ["file-too-large"] * 2),
    ],
)
def test_bounds_are_told(scene: Scene, bounds: dict[str, int], held: int, wanted: list[str]) -> None:
    issue = scene.world.issue("\n".join(scene.attachment(f"{i}.csv", GPU, i) for i in range(4)))
    scene.bounds = bounds
    dossier = scene.gathered(issue, scene.world.comment(issue, "/compare"))
    assert len(dossier.postings) == held and codes(dossier) == wanted
    assert all(problem.severity.value == "error" for problem in dossier.problems)


def test_posts_without_end(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.gather.MAX_POSTS", 3)
    issue = scene.world.issue(fenced(GPU))
    for _ in range(4):
        scene.world.comment(issue, fenced(TRN))
    dossier = scene.gathered(issue, scene.world.comment(issue, "/compare"))
    assert names(dossier) == ["issue.md", "comment-1.md", "comment-2.md"] and codes(dossier) == ["too-many-posts"]


def test_several_commands_of_a_post_are_gathered_for_once(scene: Scene) -> None:
    issue = scene.world.issue(scene.attachment("a.csv", GPU))
    command = scene.world.comment(issue, "/compare\n/whatif horizon=18m\n/compare a.csv")
    known: dict[tuple[str, ...], Dossier] = {}
    dossiers = [scene.gathered(issue, command, known=known, which=which) for which in range(3)]
    assert [names(dossier) for dossier in dossiers] == [["a.csv"], ["a.csv"], []]
    assert [dossier.command.name for dossier in dossiers] == ["compare", "whatif", "compare"]
    assert len(scene.attached.asked) == 1
