/** The line to the host: states by server-sent events, answers by POST, and whether the host can be reached. */

const SILENCE = 20_000;
const PATIENCE = 8_000;
let events = null;
let heard = 0;
let online = null;
let probing = null;
let hooks = { onState() {}, onLine() {}, onEnded() {} };

function setLine(value) {
  heard = value ? Date.now() : heard;
  if (online !== value) hooks.onLine((online = value));
}

function listen() {
  events?.close();
  events = new EventSource("/events");
  events.addEventListener("open", () => setLine(true));
  events.addEventListener("message", (event) => {
    setLine(true);
    hooks.onState(JSON.parse(event.data));
  });
  events.addEventListener("alive", () => setLine(true));
  // the host ends, or the link was revoked
  for (const name of ["ended", "revoked"]) events.addEventListener(name, () => void probe());
  events.addEventListener("error", () => {
    setLine(false);
    void probe();
  });
}

async function fetchJson(path, options = {}) {
  const response = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE), ...options });
  const body = await response.json().catch(() => ({}));
  if (response.status === 401) hooks.onEnded();
  return { status: response.status, body };
}

/** Ask for the state now; opens the stream again if it is closed. */
export function probe() {
  probing ??= check().finally(() => (probing = null));
  return probing;
}

async function check() {
  try {
    const { status, body } = await fetchJson("/state");
    if (status !== 200) {
      if (status !== 401) setLine(false);
      return;
    }
    setLine(true);
    hooks.onState(body);
    if (events?.readyState !== EventSource.OPEN) listen();
  } catch {
    setLine(false);
  }
}

/** Start to listen. `onState(state)`, `onLine(isOnline)`, `onEnded()` are called as things happen. */
export function connect(callbacks) {
  hooks = callbacks;
  void probe();
  setInterval(() => {
    if (!document.hidden && (online === false || Date.now() - heard > SILENCE)) void probe();
  }, 2_500);
  addEventListener("offline", () => setLine(false));
  addEventListener("online", () => void probe());
  addEventListener("pageshow", (event) => event.persisted && void probe());
  // a phone that slept has a stream that is dead and does not say so
  document.addEventListener("visibilitychange", () => document.hidden || void probe());
}

/** The JSON of a view; throws if the host cannot be reached or refuses. */
export async function view(name, query = "") {
  const { status, body } = await fetchJson(`/view/${name}${query}`);
  if (status !== 200) throw new Error(body.error?.message ?? String(status));
  setLine(true);
  return body;
}

/** Send a request: `{status, body}`; throws if the host cannot be reached. */
export async function send(path, body) {
  try {
    const headers = { "Content-Type": "application/json" };
    const result = await fetchJson(path, { method: "POST", headers, body: JSON.stringify(body) });
    setLine(true);
    return result;
  } catch (error) {
    setLine(false);
    throw error;
  }
}
