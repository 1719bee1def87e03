"""The page's own SHA-256, HMAC and checks of trusted dice, against Python over thousands of values; with node."""

from __future__ import annotations

import hashlib
import hmac
import json
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.trusted import NumberStream, chance_reply, commitment
from companion.web.files import STATIC

NODE = shutil.which("node") or shutil.which("nodejs")
pytestmark = pytest.mark.skipif(not NODE, reason="node is not installed")

_HEAD = """
const storage = new Map();
globalThis.localStorage = { getItem: (key) => storage.get(key) ?? null, setItem: (key, text) => storage.set(key, text) };
const page = await import("./trusted.js");
const hashes = await import("./sha256.js");
let text = "";
for await (const part of process.stdin) text += part;
const data = JSON.parse(text);
"""


def run(script: str, data: Any, folder: Path) -> Any:
    """Run a script with the modules as `page` and `hashes` and the data, and return what it prints."""
    (folder / "package.json").write_text('{"type": "module"}')
    for name in ("trusted.js", "sha256.js"):
        (folder / name).write_bytes(STATIC[name].content)
    (folder / "script.js").write_text(_HEAD + script)
    words = [str(NODE), str(folder / "script.js")]
    result = subprocess.run(words, input=json.dumps(data), check=False, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_hashes_and_numbers_are_those_of_python(tmp_path: Path) -> None:
    """SHA-256 of every length up to 300 bytes, HMACs, commitments, rolls and draws: 3,300 values."""
    dice = Random(7)
    texts = [dice.randbytes(length).hex() for length in range(301)]
    pairs = [(dice.randbytes(32).hex(), dice.randbytes(dice.randrange(200)).hex()) for _ in range(1_000)]
    rolls = []
    for number in range(2_000):
        shares = {seat: dice.randbytes(32).hex() for seat in dice.sample(["nva", "us", "iraq"], dice.randrange(1, 3))}
        names = [f"counter {dice.randrange(9)}" for _ in range(dice.randrange(1, 40))]
        of = {"kind": "roll", "count": dice.randrange(1, 9), "sides": dice.choice([2, 6, 10, 100]), "lowest": dice.randrange(2)}
        of = of if number % 3 else {"kind": "draw", "names": names}
        rolls.append({"nonce": dice.randbytes(32).hex(), "shares": shares, "at": f"{number}.{number % 7}", "of": of})
    ours = run(
        """
const bytes = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
console.log(JSON.stringify({
  texts: data.texts.map((text) => hashes.toHex(hashes.sha256(bytes(text)))),
  pairs: data.pairs.map(([key, text]) => hashes.toHex(hashes.hmac(bytes(key), bytes(text)))),
  commitments: data.rolls.map((roll) => page.commitment(roll.nonce, "uid", roll.at)),
  values: data.rolls.map((roll) => page.rolled(roll, "uid")),
  half: page.numbers("0".repeat(64), {}, "s", "1.1")(2 ** 31 + 1),
}));
""",
        {"texts": texts, "pairs": pairs, "rolls": rolls},
        tmp_path,
    )
    assert ours["texts"] == [hashlib.sha256(bytes.fromhex(text)).hexdigest() for text in texts]
    assert ours["pairs"] == [hmac.digest(bytes.fromhex(key), bytes.fromhex(text), "sha256").hex() for key, text in pairs]
    assert ours["commitments"] == [commitment(roll["nonce"], "uid", roll["at"]) for roll in rolls]
    expected = [chance_reply(roll["of"], NumberStream(roll["nonce"], roll["shares"], "uid", roll["at"])) for roll in rolls]
    assert ours["values"] == expected
    assert ours["half"] == NumberStream("0" * 64, {}, "s", "1.1").randbelow(2**31 + 1)


_HOST, _AT = "ab" * 32, "3.1"
_OF = {"kind": "roll", "count": 3, "sides": 6, "lowest": 1}
_PLAY = """
const waiting = { at: data.at, commitment: data.commitment, of: data.of, waits_for: ["nva"] };
const base = { uid: "uid", host: "us", seats: ["us", "nva"], rolls: [], waiting, ask: null };
const posts = [];
const alarms = [];
const post = async (path, body) => posts.push([path, body]);
const onState = (trusted, role = "nva") => page.onState({ trusted, role }, post, (text) => alarms.push(text));
onState(base);
onState(base); // a second state before the first answer: nothing is sent twice
const nonce = posts[0][1].nonce;
const honest = { at: data.at, commitment: data.commitment, of: data.of, shares: { nva: nonce }, nonce: data.host };
honest.value = page.rolled(honest, "uid");
const state = (change) => ({ trusted: { ...base, waiting: null, rolls: [{ ...honest, ...change }] }, role: "nva" });
"""


@pytest.fixture
def game() -> dict[str, Any]:
    return {"at": _AT, "commitment": commitment(_HOST, "uid", _AT), "of": _OF, "host": _HOST}


def test_share_is_drawn_once_and_kept_before_it_is_sent(game: dict[str, Any], tmp_path: Path) -> None:
    found = run(_PLAY + "console.log(JSON.stringify({ posts, alarms, copy: page.copyOf('uid', 'nva') }));", game, tmp_path)
    ((path, body),) = found["posts"]
    assert (path, body["at"], found["alarms"]) == ("/nonce", _AT, [])
    assert found["copy"][_AT]["share"] == body["nonce"] and len(body["nonce"]) == 64


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("{}", ""),
        ("{ nonce: 'cd'.repeat(32) }", "not the one committed to"),
        ("{ shares: { nva: 'ef'.repeat(32) } }", "not the one you sent"),
        ("{ commitment: 'ef'.repeat(32) }", "a second time"),
        ("{ value: [9, 9, 9] }", "9 9 9 in the log"),
        ("{ of: { ...data.of, sides: 3 } }", "another roll"),
        ("{ at: '9.9' }", "no share of yours|not the one committed to"),
    ],
)
def test_host_that_cheats_is_told(game: dict[str, Any], tmp_path: Path, change: str, told: str) -> None:
    """Each at the state that brings it, and again with all of the log."""
    script = (
        f"const changed = state({change}); console.log(JSON.stringify([page.check(changed), page.verifyAll(changed).faults]));"
    )
    at_once, with_all = run(_PLAY + script, game, tmp_path)
    if not told:
        assert at_once == with_all == []
        return
    assert any(part in at_once[0] for part in told.split("|")) and _AT[0] in at_once[0] + "3"
    assert at_once[0] in with_all


def test_roll_that_is_gone_from_the_log_is_told(game: dict[str, Any], tmp_path: Path) -> None:
    script = "const all = state({}); all.trusted.rolls = []; console.log(JSON.stringify(page.verifyAll(all).faults));"
    assert run(_PLAY + script, game, tmp_path) == ["Question 3.1: you sent a share, and the roll is not in the log"]


def test_nothing_is_sent_to_a_host_that_cheated(game: dict[str, Any], tmp_path: Path) -> None:
    """Its alarm is told once; and no watcher sends a share."""
    script = """
onState({ ...base, waiting: { ...waiting, commitment: "0".repeat(64) } });
onState({ ...base, waiting: { ...waiting, commitment: "0".repeat(64) } });
onState({ ...base, waiting: { ...waiting, at: "4.1" } }, "watch");
console.log(JSON.stringify({ posts: posts.length, alarms }));
"""
    found = run(_PLAY + script, game, tmp_path)
    assert found == {"posts": 1, "alarms": ["Question 3.1: the host committed to it a second time"]}


def test_device_without_a_copy_takes_part_and_says_which_rolls_it_cannot_check(game: dict[str, Any], tmp_path: Path) -> None:
    """A second device of a player, or one whose storage was emptied: the game goes on. Later rolls need a share of its own."""
    script = """
const posts = [];
const alarms = [];
const of = data.of;
const roll = { at: data.at, commitment: data.commitment, of, shares: { nva: "ef".repeat(32) }, nonce: data.host };
roll.value = page.rolled(roll, "uid");
const waiting = { at: "4.1", commitment: "12".repeat(32), of, waits_for: ["nva"] };
const trusted = { uid: "uid", host: "us", seats: ["us", "nva"], rolls: [roll], waiting };
page.onState({ trusted, role: "nva" }, async (path, body) => posts.push(body.at), (text) => alarms.push(text));
const later = { ...roll, at: "5.1", commitment: page.commitment(data.host, "uid", "5.1") };
later.value = page.rolled(later, "uid");
const all = { trusted: { ...trusted, rolls: [roll, later] }, role: "nva" };
console.log(JSON.stringify({ posts, alarms, ...page.verifyAll(all) }));
"""
    found = run(script, game, tmp_path)
    assert found["posts"] == ["4.1"] and "before this device took part" in found["alarms"][0]
    assert found["faults"] == ["Question 5.1: no share of yours is in it"] and found["own"] == 0


def test_share_that_was_refused_is_sent_again(game: dict[str, Any], tmp_path: Path) -> None:
    """As when too many requests were sent: the roll would wait for ever."""
    script = """
const waiting = { at: data.at, commitment: data.commitment, of: data.of, waits_for: ["nva"] };
const trusted = { uid: "uid", host: "us", seats: ["us", "nva"], rolls: [], waiting };
const sent = [];
const timers = [];
globalThis.setTimeout = (call, pause, ...given) => timers.push(() => call(...given));
const answers = [{ error: { message: "too many requests" } }, {}];
page.onState({ trusted, role: "nva" }, async (path, body) => (sent.push(body.nonce), answers.shift()), () => {});
await new Promise((done) => setImmediate(done));
timers.shift()(); // by itself, without a new state
console.log(JSON.stringify({ sent, timers: timers.length }));
"""
    found = run(script, game, tmp_path)
    assert len(found["sent"]) == 2 and len(set(found["sent"])) == 1 and found["timers"] == 0


_CONSENT = """
const base = { uid: "uid", host: "us", seats: ["us", "nva"], rolls: [] };
const state = (...agreements) => ({ trusted: { ...base, agreements }, role: "nva" });
const row = (id, seat, value) => ({ id, seat, value, text: "take back 3 event (roll 3.2)" });
page.check(state(row(9, "nva", "yes"))); // older than this copy
page.noteSent({ ...state(), id: 19 }, "/undo", { at_id: 19, count: 1 });
page.noteSent(state(), "/consent", { id: 30, allow: false });
const honest = [row(9, "nva", "yes"), row(20, "nva", "ask"), row(20, "us", "yes"), row(30, "us", "ask"), row(30, "nva", "no")];
"""


def test_consent_and_request_that_were_never_sent_are_told(tmp_path: Path) -> None:
    """Neither may be put into the log by the host in the name of the seat; the host's own need no copy."""
    script = """
const found = (...more) => page.check(state(...honest, ...more));
const host = page.check({ ...state(row(99, "us", "yes")), role: "us" });
const forged = [row(30, "nva", "yes"), row(40, "nva", "ask"), row(50, "nva", "no")].map((one) => found(one));
console.log(JSON.stringify([host, found(), ...forged]));
"""
    host, fit, *forged = run(_CONSENT + script, {}, tmp_path)
    assert host == fit == []
    assert [faults[0].partition(" take")[0] for faults in forged] == [
        "Row 30 of the log: you did not allow to",
        "Row 40 of the log: you did not ask to",
        "Row 50 of the log: you did not refuse to",
    ]


def test_roll_that_was_taken_back_before_it_was_revealed_is_no_fault(game: dict[str, Any], tmp_path: Path) -> None:
    """Its commitment stays in the log; without it the roll was removed, which is told at once."""
    script = """
const none = { ...base, waiting: null };
const taken = { ...none, rolls: [{ at: data.at, commitment: data.commitment, of: data.of }] };
const seen = [taken, none].map((trusted) => page.check({ trusted, role: "nva", id: 7 }));
console.log(JSON.stringify([...seen, page.verifyAll({ trusted: taken, role: "nva" }).faults]));
"""
    gone = "Question 3.1: you sent a share, and the roll is not in the log"
    assert run(_PLAY + script, game, tmp_path) == [[], [gone], []]


def test_roll_that_is_gone_is_told_with_the_next_state(game: dict[str, Any], tmp_path: Path) -> None:
    """It was revealed, and the host has played on from before."""
    script = """
const other = { at: "4.1", commitment: "ef".repeat(32), of: data.of, waits_for: ["nva"] };
page.check(state({}));
console.log(JSON.stringify(page.check({ trusted: { ...base, waiting: other }, role: "nva" })));
"""
    assert run(_PLAY + script, game, tmp_path) == ["Question 3.1: you sent a share, and the roll is not in the log"]


def test_older_state_than_the_share_is_no_fault(game: dict[str, Any], tmp_path: Path) -> None:
    """Another tab of the browser may still be at it."""
    script = """
const seen = [6, 7].map((id) => page.check({ trusted: { ...base, waiting: null }, role: "nva", id }).length);
console.log(JSON.stringify(seen));
"""
    head = _PLAY.replace("page.onState({ trusted, role }, post", "page.onState({ trusted, role, id: 7 }, post")
    assert run(head + script, game, tmp_path) == [0, 1]


def test_share_stays_the_same_without_storage(game: dict[str, Any], tmp_path: Path) -> None:
    script = """
globalThis.localStorage.setItem = () => { throw new Error("full"); };
const waiting = { at: data.at, commitment: data.commitment, of: data.of, waits_for: ["nva"] };
const state = { trusted: { uid: "uid", host: "us", seats: ["us", "nva"], rolls: [], waiting }, role: "nva" };
console.log(JSON.stringify([page.share(state).nonce, page.share(state).nonce]));
"""
    one, two = run(script, game, tmp_path)
    assert one == two
