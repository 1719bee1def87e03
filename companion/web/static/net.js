/** The line to the host: states by server-sent events, answers by POST, and whether the host can be reached. */

const SILENCE = 20_000;
const PATIENCE = 5_000;
const PAUSE = 2_000;
const THINKING = 60_000;
let events = null;
let heard = 0;
let listened = 0;
let online = null;
let probing = null;
let sending = null;
let sentAt = 0;

/** The host has refused to show a view. */
export class Refusal extends Error {
  constructor(message, cure = "") {
    super(message);
    this.cure = cure;
  }
}

let hooks = { onState() {}, onLine() {}, onEnded() {} };

function setLine(value) {
  if (!value) sending?.abort();
  if (online !== value) hooks.onLine((online = value));
}

function hear() {
  heard = Date.now();
  setLine(true);
}

function listen() {
  events?.close();
  events = new EventSource("/events");
  listened = heard = Date.now();
  events.addEventListener("open", hear);
  events.addEventListener("alive", hear);
  events.addEventListener("message", (event) => {
    hear();
    hooks.onState(JSON.parse(event.data));
  });
  // lost; or the host ends, or the link was revoked
  for (const name of ["error", "ended", "revoked"]) events.addEventListener(name, () => void probe());
}

async function fetchJson(path, patience, options = {}, controller = new AbortController()) {
  const timer = setTimeout(() => controller.abort(), patience);
  try {
    const response = await fetch(path, { cache: "no-store", ...options, signal: controller.signal });
    const body = await response.json().catch(() => ({}));
    if (response.status === 401) hooks.onEnded();
    return { status: response.status, body };
  } finally {
    clearTimeout(timer);
  }
}

/** Ask for the state now; opens the stream again if it is closed. */
export function probe() {
  probing ??= check().finally(() => (probing = null));
  return probing;
}

async function check() {
  try {
    const { status, body } = await fetchJson("/state", PATIENCE);
    if (status !== 200) {
      if (status !== 401) setLine(false);
      return;
    }
    setLine(true);
    hooks.onState(body);
    const isDead = !events || events.readyState === EventSource.CLOSED || Date.now() - heard > SILENCE;
    if (isDead && Date.now() - listened > PAUSE) listen();
  } catch {
    setLine(false);
  }
}

/** Start to listen. `onState(state)`, `onLine(isOnline)`, `onEnded()` are called as things happen. */
export function connect(callbacks) {
  hooks = callbacks;
  void probe();
  setInterval(() => {
    const isSlow = sending !== null && Date.now() - sentAt > PATIENCE;
    const isClosed = !events || events.readyState === EventSource.CLOSED;
    if (!document.hidden && (!online || isClosed || isSlow || Date.now() - heard > SILENCE)) void probe();
  }, 2_500);
  addEventListener("offline", () => setLine(false));
  addEventListener("online", () => void probe());
  addEventListener("pageshow", (event) => event.persisted && void probe());
  // a phone that slept has a stream that is dead and does not say so
  document.addEventListener("visibilitychange", () => document.hidden || void probe());
}

/** The JSON of a view; throws if the host cannot be reached or refuses. */
export const view = (name, query = "") => get(`/view/${name}${query}`);

/** The JSON at a path; throws as `view`. */
export async function get(path) {
  const { status, body } = await fetchJson(path, THINKING);
  if (status !== 200) throw new Refusal(body.error?.message ?? String(status), body.error?.cure);
  setLine(true);
  return body;
}

/** Send a request: `{status, body}`; throws if the host cannot be reached. */
export async function send(path, body) {
  sending = new AbortController();
  sentAt = Date.now();
  try {
    const headers = { "Content-Type": "application/json" };
    const result = await fetchJson(path, THINKING, { method: "POST", headers, body: JSON.stringify(body) }, sending);
    setLine(true);
    return result;
  } catch (error) {
    setLine(false);
    throw error;
  } finally {
    sending = null;
  }
}
