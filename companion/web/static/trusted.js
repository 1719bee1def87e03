/** Dice that both players trust: sends this seat's share of each roll, keeps a copy of its own, and checks every reveal.
 *
 * `companion help trusted-dice` has the protocol.
 */

import { fromHex, hmac, sha256, toHex } from "./sha256.js";

const LABEL = "companion trusted dice 1";
const WORD = 2 ** 32;
const encoder = new TextEncoder();

// -- the protocol -----------------------------------------------------------------------------------------------------

/** The commitment to a nonce for a question of a session. */
export function commitment(nonce, uid, at) {
  return toHex(sha256(encoder.encode([LABEL, "commit", uid, at, nonce].join("\n"))));
}

/** A function that returns the next number below its argument, from the nonces of all seats. */
export function numbers(nonce, shares, uid, at) {
  const key = fromHex(nonce);
  const seats = Object.keys(shares).sort().map((seat) => `${seat} ${shares[seat]}`);
  const message = [LABEL, "numbers", uid, at, ...seats].join("\n");
  let words = [];
  let block = 0;
  const next = () => {
    if (!words.length) {
      const view = new DataView(hmac(key, encoder.encode(`${message}\n${block++}`)).buffer);
      words = Array.from({ length: 8 }, (_, place) => view.getUint32(4 * place));
    }
    return words.shift();
  };
  return (size) => {
    let word = next();
    while (word >= WORD - (WORD % size)) word = next();
    return word % size;
  };
}

/** The dice or the counter that follow from all nonces. */
export function rolled(roll, uid) {
  const below = numbers(roll.nonce, roll.shares, uid, roll.at);
  const { kind, count, sides, lowest, names } = roll.of;
  return kind === "roll" ? Array.from({ length: count }, () => lowest + below(sides)) : names[below(names.length)];
}

const same = (one, two) => JSON.stringify(one) === JSON.stringify(two);
const words = (value) => [value ?? "nothing"].flat().join(" ");

// -- the copy of its own ----------------------------------------------------------------------------------------------

let memory = {};
const place = (uid, seat) => `companion.trusted.${uid}.${seat}`;

/** The copy of a seat: by question number what it saw committed and what it sent, and what was revealed. */
export function copyOf(uid, seat) {
  try {
    memory = JSON.parse(localStorage.getItem(place(uid, seat))) ?? {};
  } catch {
    /* no storage: the copy lasts as long as the page */
  }
  return memory;
}

function keep(uid, seat, copy) {
  memory = copy;
  try {
    localStorage.setItem(place(uid, seat), JSON.stringify(copy));
  } catch {
    /* private mode, or full */
  }
}

/** The share of a seat for the roll that waits, as POST /nonce takes it; null if nothing waits for it.
 *
 * It is drawn once for a commitment, and kept before it is sent: after a reload the same one is sent again.
 */
export function share(state) {
  const { trusted, role } = state;
  const waiting = trusted?.waiting;
  if (!waiting?.waits_for.includes(role)) return null;
  const copy = copyOf(trusted.uid, role);
  const own = copy[waiting.at] ?? {};
  if (own.commitment !== undefined && own.commitment !== waiting.commitment) return null; // check() says so
  if (!own.share) {
    const nonce = toHex(crypto.getRandomValues(new Uint8Array(32)));
    copy[waiting.at] = { commitment: waiting.commitment, of: waiting.of, share: nonce };
    keep(trusted.uid, role, copy);
  }
  return { at: waiting.at, nonce: copy[waiting.at].share };
}

/** What of one roll does not fit this seat's own copy and the protocol; "" if all does. */
function fault(roll, uid, seat, own) {
  const named = `Question ${roll.at}: `;
  if (own?.commitment && own.commitment !== roll.commitment) return `${named}the host committed to it a second time`;
  if (own?.of && !same(own.of, roll.of)) return `${named}it is another roll than the one committed to`;
  if (roll.nonce === undefined) return "";
  if (own?.share && roll.shares[seat] !== own.share) return `${named}the share in the log is not the one you sent`;
  const hash = commitment(roll.nonce, uid, roll.at);
  if (hash !== roll.commitment) {
    return `${named}the nonce is not the one committed to (${roll.commitment.slice(0, 12)}, but ${hash.slice(0, 12)})`;
  }
  const value = rolled(roll, uid);
  if (!same(value, roll.value)) return `${named}${words(roll.value)} in the log, ${words(value)} by the nonces`;
  if (own?.value !== undefined && !same(own.value, roll.value)) return `${named}it was ${words(own.value)} before`;
  return "";
}

const isPlaying = ({ trusted, role }) => trusted.seats.includes(role) && role !== trusted.host;

/** What does not fit in a state: the rolls that it brings and the one that waits. The rolls are added to the copy. */
export function check(state) {
  const { trusted, role } = state;
  if (!trusted) return [];
  const copy = copyOf(trusted.uid, role);
  copy.begun ??= trusted.rolls.at(-1)?.at ?? ""; // rolls up to this one are older than the copy
  const older = trusted.rolls.findIndex((roll) => roll.at === copy.begun);
  const faults = [];
  for (const [number, roll] of [...trusted.rolls, ...(trusted.waiting ? [trusted.waiting] : [])].entries()) {
    const own = copy[roll.at];
    const text = fault(roll, trusted.uid, role, own);
    const isOwn = !isPlaying(state) || roll.nonce === undefined || own?.share || number <= older;
    if (text || !isOwn) faults.push(text || `Question ${roll.at}: no share of yours is in it`);
    else if (roll.nonce !== undefined && !own?.nonce) copy[roll.at] = { ...own, ...roll };
  }
  keep(trusted.uid, role, copy);
  return faults;
}

let sent = "";
const told = new Set();

/** Check the whole copy of a seat against all rolls of the log, as GET /trust has them: what does not fit, in words. */
export function verifyAll(state) {
  const { trusted, role } = state;
  const faults = check(state);
  const copy = copyOf(trusted.uid, role);
  const logged = new Map(trusted.rolls.map((roll) => [roll.at, roll]));
  for (const [at, own] of Object.entries(copy)) {
    const roll = logged.get(at) ?? (trusted.waiting?.at === at ? trusted.waiting : null);
    if (own.share && !roll) faults.push(`Question ${at}: you sent a share, and the roll is not in the log`);
  }
  faults.forEach((text) => told.add(text));
  return { rolls: trusted.rolls.length, own: trusted.rolls.filter(({ at }) => copy[at]?.share).length, faults };
}

/** Take part: check what has come, say what does not fit, and send the share that is waited for. */
export function onState(state, post, alarm) {
  const { begun } = copyOf(state.trusted.uid, state.role);
  const faults = check(state);
  if (begun === undefined && isPlaying(state) && state.trusted.rolls.length) {
    alarm("Rolls were made before this device took part: unless you shared for them on another one, go no further");
  }
  for (const text of faults.filter((line) => !told.has(line))) {
    told.add(text);
    alarm(text);
  }
  const body = share(state);
  if (!body || told.size || sent === body.at) return;
  sent = body.at;
  // what was refused or lost is sent again with the next state
  void post("/nonce", body).then((answer) => answer?.error && (sent = ""), () => (sent = ""));
}
