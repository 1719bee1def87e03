/** Dice that both players trust: sends this seat's share of each roll, keeps a copy of its own, and checks every reveal.
 *
 * `companion help trusted-dice` has the protocol.
 */

import { fromHex, hmac, sha256, toHex } from "./sha256.js";

const LABEL = "companion trusted dice 1";
const WORD = 2 ** 32;
const PAUSE = 3_000;
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

const memory = {}; // what a browser without storage, or with a full one, does not keep
const place = (uid, seat) => `companion.trusted.${uid}.${seat}`;

/** The copy of a seat: by question number what it saw committed and what it sent, and what was revealed. */
export function copyOf(uid, seat) {
  const key = place(uid, seat);
  try {
    return memory[key] ?? JSON.parse(localStorage.getItem(key)) ?? {};
  } catch {
    return {};
  }
}

function keep(uid, seat, copy) {
  const key = place(uid, seat);
  try {
    localStorage.setItem(key, JSON.stringify(copy));
    delete memory[key];
  } catch {
    memory[key] = copy;
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
    copy[waiting.at] = { commitment: waiting.commitment, of: waiting.of, share: nonce, seen: state.id };
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

/** Note what this seat is about to send of a change: that it asks for one, allows it or refuses it. */
export function noteSent({ trusted, role }, path, body) {
  const copy = copyOf(trusted.uid, role);
  const [row, value] = path === "/consent" ? [body.id, body.allow ? "yes" : "no"] : [body.at_id + 1, "ask"];
  copy.agreed = { ...copy.agreed, [row]: `${copy.agreed?.[row] ?? ""} ${value}` };
  keep(trusted.uid, role, copy);
}

const DID = { ask: "ask to", yes: "allow to", no: "refuse to" };

/** The changes that were asked for, allowed or refused in the name of this seat, and not by this device. */
function forged({ trusted, role }, copy) {
  const rows = trusted.agreements ?? [];
  copy.since ??= rows.at(-1)?.id ?? 0; // up to this one they are older than the copy
  const isOwn = ({ id, seat, value }) => seat !== role || id <= copy.since || copy.agreed?.[id]?.includes(value);
  const others = rows.filter((row) => !isOwn(row));
  return others.map(({ id, value, text }) => `Row ${id} of the log: you did not ${DID[value]} ${text}`);
}

/** What does not fit in a state: its rolls, and what was asked and allowed. The rolls are added to the copy.
 *
 * `isWhole`: the state has all rolls of the log, not only the latest.
 */
export function check(state, isWhole = false) {
  const { trusted, role } = state;
  if (!trusted) return [];
  const copy = copyOf(trusted.uid, role);
  const made = trusted.rolls.filter((roll) => roll.nonce !== undefined);
  copy.begun ??= made.at(-1)?.at ?? ""; // rolls up to this one are older than the copy
  const older = made.findIndex((roll) => roll.at === copy.begun);
  const rolls = [...trusted.rolls, ...(trusted.waiting ? [trusted.waiting] : [])];
  const faults = isPlaying(state) ? forged(state, copy) : [];
  for (const roll of rolls) {
    const own = copy[roll.at];
    const isOwn = !isPlaying(state) || own?.share || made.indexOf(roll) <= older;
    const text = fault(roll, trusted.uid, role, own) || (isOwn ? "" : `Question ${roll.at}: no share of yours is in it`);
    if (text) faults.push(text);
    else if (roll.nonce !== undefined && !own?.nonce) copy[roll.at] = { ...own, ...roll };
  }
  const shared = Object.entries(copy).filter(([, own]) => own.share);
  // Of the latest rolls the last one shared for is there; unless another tab has shared for it in a later state than this.
  const due = isWhole ? shared : shared.slice(-1).filter(([, own]) => !(state.id < own.seen));
  for (const [at] of due.filter(([number]) => !rolls.some((roll) => roll.at === number))) {
    faults.push(`Question ${at}: you sent a share, and the roll is not in the log`);
  }
  keep(trusted.uid, role, copy);
  return faults;
}

let sent = "";
let again = 0;
const told = new Set();

/** Check the whole copy of a seat against all rolls of the log, as GET /trust has them: what does not fit, in words. */
export function verifyAll(state) {
  const { trusted, role } = state;
  const faults = check(state, true);
  const copy = copyOf(trusted.uid, role);
  const made = trusted.rolls.filter((roll) => roll.nonce !== undefined);
  faults.forEach((text) => told.add(text));
  return { rolls: made.length, own: made.filter(({ at }) => copy[at]?.share).length, faults };
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
  clearTimeout(again);
  if (!body || told.size || sent === body.at) return;
  sent = body.at;
  // What was lost is sent again with the next state; after a refusal (too many requests) none may come.
  void post("/nonce", body).then(
    (answer) => {
      if (!answer?.error) return;
      sent = "";
      again = setTimeout(onState, PAUSE, state, post, alarm);
    },
    () => (sent = ""),
  );
}
