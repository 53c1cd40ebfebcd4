"""The whole path as a conversation: somebody posts, the bot answers. Real sockets from the webhook to the ledger.

Every request of the bot passes GitHub's own API description on its way, and none may break it.
"""

import hashlib
import io
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import openpyxl
import pytest
import requests

from bot.emulator import APP_ID, INSTALLATION_ID
from bot.github.identity import Identity
from bot.github.index import Entry, Index
from bot.github.marker import place_of
from bot.github.reply import OwnReply
from bot.github.sign_offs import SignOffs
from tests.e2e.conftest import BROKEN, PRIVATE, PUBLIC, SECRET, GitHub
from tests.e2e.double import Attachment
from tests.e2e.node import free_port
from tests.e2e.people import Person, until
from tests.e2e.serving import Serving, serve

BOT = Identity.of_app(APP_ID, "steelyard")
PILOT = """arm,run,duration_s,price_usd_per_hour,quality_metric,quality_value
gpu,1,3600,55.04,wer,7.4
gpu,2,3590,55.04,wer,7.5
gpu,3,3610,55.04,wer,7.4
trn2,1,4010,35.76,wer,7.4
trn2,2,3995,35.76,wer,7.5
trn2,3,4020,35.76,wer,7.5
"""
BLOCK = f"```csv\n{PILOT}```"
COMPARE = "/compare margin.wer=0.3"


@dataclass
class Bot:
    """The bot beside its GitHub, so that a test can wait until everything is said."""

    github: GitHub
    port: int
    folder: Path
    process: Serving | None = None
    checked: int = 0
    started: ExitStack = field(default_factory=ExitStack)

    def start(self) -> None:
        """Begin, or begin again with what was stored."""
        self.process = self.started.enter_context(serve(self.port, self.folder, self.settings()))

    def stop(self) -> None:
        """End in order."""
        self.started.close()

    def settings(self) -> dict[str, str]:
        return {
            "base_url": self.github.api_url,
            "app_id": str(self.github.app_id),
            "private_key": self.github.private_key,
            "webhook_secrets": SECRET,
        }

    def replies(self, person: Person, issue: int) -> list[OwnReply]:
        found = (OwnReply.of(comment, BOT) for comment in person.sees(issue))
        return [reply for reply in found if reply]

    def reply(self, person: Person, issue: int, comment: int | None, other_than: str = "") -> OwnReply:
        """The one reply to a command, once the bot has nothing left to do."""
        place = place_of(issue, comment)

        def replied() -> bool:
            return any(r.marked.place == place and r.text != other_than for r in self.replies(person, issue))

        until(replied, f"a reply to {place}")
        self.is_idle()
        (one,) = [r for r in self.replies(person, issue) if r.marked.place == place]
        return one

    def hears(self, comment: int, action: str = "created") -> None:
        """The event of a comment was delivered, and what came of it is done."""

        def delivered() -> bool:
            told = [d["kept"][1] for d in self.github.double.deliveries]
            return any((p.get("comment") or {}).get("id") == comment and p["action"] == action for p in told)

        until(delivered, f"comment {comment} {action} is delivered")
        self.is_idle()

    def is_idle(self) -> None:
        """Every event has been delivered, and no job is left."""
        assert self.process
        process = self.process
        until(lambda: self.github.double.in_flight == 0 and process.unfinished() == 0, "the bot has nothing to do")

    def kept(self, person: Person, place: str) -> Entry | None:
        """What the ledger's index says of a command's answer."""
        index = person.finds("index.json", "steelyard")
        return Index.read(index).at(place) if index else None

    def entry(self, person: Person, place: str) -> Entry:
        """The same, where it has to be there."""
        found = self.kept(person, place)
        assert found, f"the ledger knows nothing of {place}"
        return found

    def violations(self) -> list[str]:
        """What broke GitHub's description since the last time: requests of the bot, and answers of the double."""
        calls = self.github.front.calls[self.checked :]
        self.checked += len(calls)
        return [
            f"{call.method} {call.path}: {text}"
            for call in calls
            for text in call.request_violations + (call.response_violations if call.by_double else ())
        ]


@pytest.fixture(scope="module")
def running(chain: GitHub, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bot]:
    bot = Bot(chain, free_port(), tmp_path_factory.mktemp("bot"))
    chain.double.hook_target = f"http://127.0.0.1:{bot.port}/webhook"
    olga = chain.person("olga")
    olga.lets("rita", "pull")
    olga.lets("walt", "push")
    olga.at(BROKEN).commits(".github/steelyard.yml", b"horizon: 12m\nmargins:\n  wer: 0.3\nconfidance: 0.9\n")
    bot.start()
    yield bot
    bot.stop()


@pytest.fixture
def bot(running: Bot) -> Iterator[Bot]:
    """The bot, and afterwards the proof that nothing of the test broke GitHub's description."""
    running.violations()
    yield running
    assert running.violations() == []


@pytest.fixture
def rita(bot: Bot) -> Person:
    """She may read the private repository, no more."""
    return bot.github.person("rita")


def test_a_table_in_a_comment_is_answered_and_the_memo_committed(bot: Bot, rita: Person) -> None:
    issue = rita.opens("Trainium for speech?")
    rita.comments(issue, BLOCK)
    asked = rita.comments(issue, COMPARE)

    reply = bot.reply(rita, issue, asked)

    assert reply.marked.body.startswith("### SWITCH: move to `trn2`")
    assert len(bot.replies(rita, issue)) == 1
    assert rita.reactions(asked) == {"eyes", "rocket"}
    entry = bot.entry(rita, f"c{asked}")
    assert (entry.issue, entry.asked_by, entry.verdict) == (issue, "rita", "SWITCH")
    memo = rita.reads(f"{entry.folder}/memo.xlsx", "steelyard")
    assert hashlib.sha256(memo).hexdigest() == entry.memo_sha256
    assert openpyxl.load_workbook(io.BytesIO(memo)).sheetnames[0] == "Memo"
    assert f"{bot.github.pages_url}/{PRIVATE}/blob/steelyard/{entry.folder}/memo.xlsx" in reply.text
    assert rita.history("steelyard")[0] == f"Decision for #{issue}: SWITCH"
    assert bot.process
    # Commands of other tests, whose deliveries nobody took then, may be among them.
    assert sum(bot.process.counted(r'steelyard_replies_total\{outcome="switch"\}')) >= 1, "the working process counts"
    passed = {(call.method, call.path.partition("?")[0]) for call in bot.github.front.calls}
    assert {
        ("POST", f"/app/installations/{INSTALLATION_ID}/access_tokens"),
        ("GET", f"/repos/{PRIVATE}/collaborators/rita/permission"),
        ("POST", f"/repos/{PRIVATE}/issues/comments/{asked}/reactions"),
        ("POST", f"/repos/{PRIVATE}/issues/{issue}/comments"),
        ("POST", f"/repos/{PRIVATE}/git/commits"),
    } <= passed, "requests went past the description"


def test_a_file_of_the_repository_is_read_by_its_link(bot: Bot, rita: Person) -> None:
    bot.github.person("walt").commits("data/pilot runs.csv", PILOT.encode())
    issue = rita.opens("By link", f"See [the runs]({bot.github.pages_url}/{PRIVATE}/blob/main/data/pilot%20runs.csv).")
    asked = rita.comments(issue, COMPARE)
    assert bot.reply(rita, issue, asked).marked.body.startswith("### SWITCH: move to `trn2`")


def test_a_file_of_the_repository_is_read_by_its_path(bot: Bot, rita: Person) -> None:
    bot.github.person("walt").commits("data/by-path.csv", PILOT.encode())
    issue = rita.opens("By path")
    asked = rita.comments(issue, "/compare data/by-path.csv@main margin.wer=0.3")
    assert bot.reply(rita, issue, asked).marked.body.startswith("### SWITCH: move to `trn2`")


def test_an_attachment_is_downloaded(bot: Bot, rita: Person) -> None:
    path = "/user-attachments/files/4711/pilot.csv"
    bot.github.double.attachments[path] = Attachment(PILOT.encode())
    issue = rita.opens("Attached", f"[pilot.csv]({bot.github.pages_url}{path})")
    asked = rita.comments(issue, COMPARE)
    assert bot.reply(rita, issue, asked).marked.body.startswith("### SWITCH: move to `trn2`")


@pytest.mark.parametrize(
    "attachment",
    [
        pytest.param(Attachment(b"", readers="nobody"), id="not readable"),
        pytest.param(Attachment(b"", away="http://169.254.169.254/latest/meta-data"), id="led to a private address"),
    ],
)
def test_an_attachment_that_cannot_be_read_is_told_with_what_works(
    bot: Bot, rita: Person, attachment: Attachment
) -> None:
    path = "/user-attachments/files/4712/secret.csv"
    bot.github.double.attachments[path] = attachment
    issue = rita.opens("Not readable", f"[secret.csv]({bot.github.pages_url}{path})")
    asked = rita.comments(issue, COMPARE)
    reply = bot.reply(rita, issue, asked)
    assert reply.marked.outcome == "no-verdict"
    assert "secret.csv" in reply.text
    assert "/compare path/to/file.csv" in reply.text


def test_an_edited_command_runs_again_and_changes_its_reply(bot: Bot, rita: Person) -> None:
    issue = rita.opens("Edited", BLOCK)
    asked = rita.comments(issue, COMPARE)
    first = bot.reply(rita, issue, asked)
    commits = len(rita.history("steelyard"))

    rita.edits(asked, "/compare margin.wer=0.3 price.trn2=80")
    second = bot.reply(rita, issue, asked, other_than=first.text)

    assert (second.id, len(bot.replies(rita, issue))) == (first.id, 1)
    assert second.marked.body.startswith("### STAY")
    assert len(rita.history("steelyard")) == commits + 1
    assert bot.entry(rita, f"c{asked}").verdict == "STAY"


def test_an_edit_that_changes_no_command_changes_nothing(bot: Bot, rita: Person) -> None:
    issue = rita.opens("Reworded", BLOCK)
    asked = rita.comments(issue, COMPARE)
    first = bot.reply(rita, issue, asked)
    rita.edits(asked, f"{COMPARE}\n\nThank you!")
    bot.hears(asked, "edited")
    assert bot.reply(rita, issue, asked) == first


def test_a_second_command_supersedes_the_first(bot: Bot, rita: Person) -> None:
    issue = rita.opens("Twice", BLOCK)
    first = bot.reply(rita, issue, rita.comments(issue, COMPARE))
    second = bot.reply(rita, issue, rita.comments(issue, "/compare margin.wer=0.3 price.trn2=80"))

    older, newer = bot.replies(rita, issue)
    assert (older.id, newer.id) == (first.id, second.id)
    assert second.url in older.marked.header
    assert newer.marked.header == ""
    assert older.node_id in bot.github.double.minimized
    assert newer.node_id not in bot.github.double.minimized


def test_a_listed_approver_signs_the_memo_as_it_lies_on_the_ledger(bot: Bot, rita: Person) -> None:
    bot.github.person("olga").commits(".github/steelyard.yml", b"github: {approvers: [{login: walt, role: finance}]}\n")
    issue = rita.opens("To be signed", BLOCK)
    asked = rita.comments(issue, COMPARE)
    (command,) = re.findall(r"`(/approve [0-9a-f]{16})`", bot.reply(rita, issue, asked).text)
    by_rita = bot.reply(rita, issue, rita.comments(issue, command))
    by_walt = bot.reply(rita, issue, bot.github.person("walt").comments(issue, command))

    assert (by_rita.marked.outcome, by_walt.marked.outcome) == ("refused", "said")
    assert "`walt` (`finance`) approved `SWITCH`" in by_walt.text
    (signed,) = SignOffs.read(rita.reads(f"sign-offs/issue-{issue}.json", "steelyard")).signatures
    entry = bot.entry(rita, f"c{asked}")
    assert (signed.login, signed.document, signed.memo_sha256) == ("walt", entry.document, entry.memo_sha256)
    assert rita.history("steelyard")[0] == f"Approved by walt: decision for #{issue}"


def test_a_stranger_is_refused_once_a_day(bot: Bot) -> None:
    sam, olga = bot.github.person("sam", PUBLIC), bot.github.person("olga", PUBLIC)
    issue = olga.opens("Open to all", BLOCK)
    first, again = sam.comments(issue, "/compare"), sam.comments(issue, "/compare")
    reply = bot.reply(olga, issue, first)
    bot.hears(again)
    assert reply.marked.outcome == "refused"
    assert "so nothing was run" in reply.text
    assert [r.id for r in bot.replies(olga, issue)] == [reply.id]
    assert olga.reactions(again) == set()


def test_an_unknown_command_is_answered_with_the_nearest(bot: Bot, rita: Person) -> None:
    issue = rita.opens("Mistyped", BLOCK)
    asked = rita.comments(issue, "/comapre")
    reply = bot.reply(rita, issue, asked)
    assert "Did you mean `/compare`?" in reply.text
    assert rita.reactions(asked) == {"eyes", "confused"}


def test_a_command_of_another_bot_is_left_alone(bot: Bot, rita: Person) -> None:
    issue = rita.opens("Not ours")
    bot.hears(rita.comments(issue, "/assign @walt"))
    assert bot.replies(rita, issue) == []


def test_a_broken_configuration_is_answered_with_its_line(bot: Bot) -> None:
    olga = bot.github.person("olga", BROKEN)
    issue = olga.opens("Configured wrongly", BLOCK)
    reply = bot.reply(olga, issue, olga.comments(issue, "/compare"))
    assert reply.marked.outcome == "refused"
    assert re.search(r"`confidance`.*`confidence`.*steelyard\.yml`, line 4", reply.text)


def test_several_commands_in_one_comment_are_answered_in_one_reply(bot: Bot, rita: Person) -> None:
    issue = rita.opens("Several", BLOCK)
    asked = rita.comments(issue, f"{COMPARE}\n\nand\n\n/plan detect=2%\n")
    reply = bot.reply(rita, issue, asked)
    assert len(bot.replies(rita, issue)) == 1
    first, second = reply.text.split("\n\n---\n\n")
    assert "SWITCH: move to `trn2`" in first
    assert "Plan:" in second
    assert reply.marked.outcome == "switch"


def test_a_comment_that_was_deleted_is_not_answered(bot: Bot, rita: Person) -> None:
    issue = rita.opens("Regretted", BLOCK)
    double = bot.github.double
    with double.held():
        asked = rita.comments(issue, COMPARE)
        rita.deletes(asked)
    bot.hears(asked, "deleted")
    bot.hears(asked)
    assert bot.replies(rita, issue) == []
    assert bot.kept(rita, f"c{asked}") is None


def test_what_a_bot_writes_is_no_command(bot: Bot, rita: Person) -> None:
    issue = rita.opens("From a bot", BLOCK)
    app = requests.Session()
    app.headers["Authorization"] = f"Bearer {_installation_token(bot)}"
    url = f"{bot.github.behind}/repos/{PRIVATE}/issues/{issue}/comments"
    bot.hears(int(app.post(url, json={"body": COMPARE}, timeout=10).json()["id"]))
    assert bot.replies(rita, issue) == []


def test_an_issue_form_with_its_command_is_answered(bot: Bot, rita: Person) -> None:
    form = f"### Workload\n\nspeech\n\n### Phase\n\ntrain\n\n### Runs\n\n{BLOCK}\n\n### Files\n\n_No response_\n\n"
    issue = rita.opens("Pilot: speech", f"{form}### Command\n\n{COMPARE}")
    reply = bot.reply(rita, issue, None)
    assert reply.marked.body.startswith("### SWITCH: move to `trn2`")
    assert bot.entry(rita, f"i{issue}").workload == "speech"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("/whatif margin.wer=0.3 price.trn2=80", "Nothing of this is kept"),
        ("/plan", "### Plan: "),
        ("/help", "`/whatif"),
    ],
)
def test_what_decides_nothing_is_answered_and_not_kept(bot: Bot, rita: Person, command: str, said: str) -> None:
    issue = rita.opens(command, BLOCK)
    asked = rita.comments(issue, command)
    assert said in bot.reply(rita, issue, asked).text
    assert bot.kept(rita, f"c{asked}") is None


def test_what_was_not_delivered_is_fetched_by_the_next_start(bot: Bot, rita: Person) -> None:
    """The last of the conversation: the bot ends, misses a comment, and begins again."""
    issue = rita.opens("While it was away", BLOCK)
    bot.is_idle()
    bot.stop()
    asked = rita.comments(issue, COMPARE)

    def lost() -> str | None:
        last = bot.github.double.deliveries[-1]
        return str(last["guid"]) if last["status_code"] == 502 else None

    guid = until(lost, "the delivery is lost")
    bot.start()
    assert bot.reply(rita, issue, asked).marked.body.startswith("### SWITCH: move to `trn2`")
    assert len(bot.replies(rita, issue)) == 1
    assert [d["status_code"] for d in bot.github.double.deliveries if d["guid"] == guid] == [502, 202]


def _installation_token(bot: Bot) -> str:
    """Another App's, for all that the bot can tell: written through the same installation."""
    from github import Auth

    jwt = Auth.AppAuth(str(APP_ID), bot.github.private_key).create_jwt()
    url = f"{bot.github.behind}/app/installations/{INSTALLATION_ID}/access_tokens"
    return str(requests.post(url, headers={"Authorization": f"Bearer {jwt}"}, timeout=10).json()["token"])
