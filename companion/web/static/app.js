/** The page: takes states from the host, shows their fragments, and sends what the player taps. */

import { readAloud, startDevice } from "./device.js";
import { fragment, setFragment, setText } from "./fragments.js";
import { openMap, showLegal, startMap, zoom } from "./map.js";
import { connect, get, probe, Refusal, send, view } from "./net.js";
import { add, buttonOfKey, dropDraft, paint, press, takeQuestion, typed } from "./question.js";
import { load, openStore, save } from "./store.js";
import { enter, openUnsent, showUnsent, strike, unsent } from "./unsent.js";

const LOCK = 300;
const STATE_PARTS = ["top", "question", "happened", "table", "watch", "map", "log"];
const VIEWS = ["map", "log", "rules", "odds", "notes", "review"];
const CHANGES = ["/undo", "/redo", "/consent"];
const wide = matchMedia("(min-width: 760px)");
const byId = (id) => document.getElementById(id);
let state = null;
let tab = "play";
let busy = 0;
let lockedUntil = 0;
let refused = null;
let viewed = "";
let logFrom = "";
let situation = "";

/** Show a state. An older one than the one shown is ignored. */
function takeState(next) {
  if (!next?.html || (state && next.session === state.session && next.id < state.id)) return;
  const isFirst = state === null || next.session !== state.session;
  const isNew = !isFirst && next.id !== state.id;
  if (state?.trusted?.ask && !next.trusted?.ask) news(""); // that it waits
  state = next;
  if (isFirst) {
    openStore(next.session);
    openUnsent();
    openMap(next.role === "watch");
    byId("note").value = load("note", "");
    byId("words").value = load("words", "");
  }
  document.body.dataset.role = next.role === "watch" ? "watch" : "seat";
  document.body.dataset.id = next.id;
  document.body.dataset.mine = String(Boolean(next.mine));
  const changed = STATE_PARTS.filter((part) => part in next.html && setFragment(fragment(part), next.html[part]));
  takeQuestion();
  paintTicks();
  if (changed.includes("happened")) showNewest();
  if (!isFirst && (changed.includes("question") || changed.includes("map"))) lock();
  if (isNew) {
    showRefusal(null);
    byId("said").textContent = next.speak ?? "";
    readAloud(next.speak);
  }
  showUnsent(busy, openAt(), state.id);
  if (changed.includes("map")) showLegal();
  const isOver = Boolean(next.over && !next.at);
  document.querySelector("[data-tab=review]").hidden = !isOver;
  if (tab === "review" && !isOver) selectTab("play");
  if (isFirst || isNew) void showView();
  byId("dice").hidden = !next.trusted;
  if (next.trusted) void shareDice(next);
}

/** Scroll what happened so that the newest entry begins at the top. */
function showNewest() {
  const title = [...fragment("happened").querySelectorAll(".tone-title")].at(-1);
  const place = byId("happened");
  const top = title ? title.getBoundingClientRect().top - place.getBoundingClientRect().top + place.scrollTop - 8 : 0;
  place.scrollTo({ top, behavior: "instant" });
}

const openAt = () => state?.question?.at ?? fragment("question").querySelector("[data-question]")?.dataset.at ?? "";

/** Refuse taps on the question and the map for a moment, so that no button changes under the finger. */
function lock() {
  lockedUntil = performance.now() + LOCK;
  document.body.dataset.locked = "";
  setTimeout(() => {
    if (performance.now() >= lockedUntil - 5) delete document.body.dataset.locked;
  }, LOCK);
}

const isLocked = () => performance.now() < lockedUntil || busy !== 0;

/** Show a line big and for good, once. */
function alarm(text) {
  if ([...byId("alarm").children].some((line) => line.textContent === text)) return;
  const line = document.createElement("p");
  line.textContent = text;
  byId("alarm").append(line);
}

/** Take part in dice that both sides trust; only sessions with such dice need the module. */
async function shareDice(next) {
  const { onState } = await import("./trusted.js");
  onState(next, postForTrusted, alarm);
}

async function postForTrusted(path, body) {
  const { status, body: answer } = await send(path, body);
  if (status === 200) takeState(answer);
  return answer;
}

/** Check every roll of the session against this device's own copy, and show the result. */
async function verifyDice() {
  const place = byId("verified");
  try {
    const { verifyAll } = await import("./trusted.js");
    let all = await get("/trust");
    if (all.id < state.id) all = await get("/trust"); // play went on meanwhile
    const { rolls, own, faults } = verifyAll(all);
    place.textContent = faults.join("\n") || `Rolls and draws: ${rolls}. All fit; ${own} with a share of this device.`;
    faults.forEach(alarm);
  } catch (error) {
    place.textContent = error instanceof Refusal ? error.message : "Nothing was checked: the host cannot be reached.";
  }
}

/** Show why a request was refused, or nothing. */
function showRefusal(error, request = null) {
  refused = request;
  byId("refusal").hidden = !error;
  if (!error) return;
  for (const place of byId("refusal").querySelectorAll("[data-refusal]")) {
    const text = error[place.dataset.refusal] ?? "";
    place.textContent = place.dataset.refusal === "rule" && text ? `[${text}]` : text;
  }
  document.querySelector("[data-anyway]").hidden = error.kind !== "illegal" || request?.path !== "/answer";
}

function news(text) {
  byId("news").textContent = text;
}

/** Send a request. It is kept on the device until the host has it. */
async function submit(path, body, label) {
  if (busy) return;
  news("");
  showRefusal(null);
  busy = enter(path, body, label);
  document.body.dataset.busy = "";
  const number = busy;
  try {
    if (state.trusted && CHANGES.includes(path)) (await import("./trusted.js")).noteSent(state, path, body);
    const { status, body: answer } = await send(path, body);
    strike(number);
    if ([200, 202, 409].includes(status)) {
      if (status === 200) sent(path);
      else news(answer.message ?? answer.error?.message ?? "Somebody else was first. This is the state now.");
      busy = 0;
      takeState(answer);
    } else if (answer.error) showRefusal(answer.error, { path, body, label });
    else if (status !== 401) showRefusal({ message: `The host has refused this (${status}).` });
  } catch {
    /* stays among what was not sent */
  } finally {
    busy = 0;
    delete document.body.dataset.busy;
    showUnsent(0, openAt(), state?.id);
  }
}

function sent(path) {
  if (path === "/answer") dropDraft();
  if (path === "/note") {
    byId("note").value = "";
    save("note", null);
    viewed = "";
    void showView();
  }
}

function paintTicks() {
  const ticks = load("ticks", []);
  for (const box of document.querySelectorAll("[data-check]")) box.checked = ticks.includes(box.dataset.check);
}

function tick(box) {
  const others = load("ticks", []).filter((id) => id !== box.dataset.check);
  save("ticks", (box.checked ? [...others, box.dataset.check] : others).slice(-500));
  paintTicks();
}

/** The view that is in sight: that of the tab, or beside the play on a wide screen. */
const viewOf = () => (tab === "play" ? (wide.matches ? "map" : "") : tab);

function selectTab(name) {
  tab = name;
  save("tab", tab);
  document.body.dataset.tab = tab;
  const seen = viewOf();
  for (const button of document.querySelectorAll("#tabs [data-tab]")) {
    const isHere = button.dataset.tab === tab || (wide.matches && button.dataset.tab === seen);
    if (isHere) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
  }
  for (const pane of document.querySelectorAll("[data-pane]")) pane.hidden = pane.dataset.pane !== seen;
  void showView();
  if (seen === "map") showLegal();
}

/** Load the view in sight, if it is not the one of this state already. */
async function showView() {
  const name = viewOf();
  if (!state || !VIEWS.includes(name) || name in state.html) return;
  const words = byId("words").value.trim();
  const queries = { rules: ["q", words], log: ["from", logFrom], odds: ["situation", situation] };
  const [key, value] = queries[name] ?? ["", ""];
  const query = value && `?${key}=${encodeURIComponent(value)}`;
  const wanted = `${name}${query}@${state.id}`;
  if (viewed === wanted) return;
  viewed = wanted;
  fragment(name).classList.add("waits");
  try {
    const { html } = await view(name, query);
    if (viewed !== wanted) return;
    fragment(name).classList.remove("waits");
    const changed = setFragment(fragment(name), html);
    if (name === "map" && changed) {
      paint();
      showLegal();
    }
  } catch (error) {
    viewed = "";
    fragment(name).classList.remove("waits");
    if (!(error instanceof Refusal)) return;
    // the cure of a review is for the host; those of other views are commands of a terminal
    setText(fragment(name), name === "review" && error.cure ? `${error.message}. ${error.cure}.` : error.message);
  }
}

function act(button) {
  const { action, undo, undoTo, redo, consent, askId } = button.dataset;
  const label = button.textContent.trim().replace(/\s+/g, " ").slice(0, 80);
  const at_id = state.id;
  if (action !== undefined) void submit("/do", { action, at_id }, label);
  else if (undo === "reply") void submit("/undo", { at_id, reply: true }, label);
  else if (undo !== undefined) void submit("/undo", { at_id, count: Number(undo) }, label);
  else if (undoTo !== undefined) void submit("/undo", { at_id, to: Number(undoTo) }, label);
  else if (redo !== undefined) void submit("/redo", { at_id }, label);
  else if (consent !== undefined) void submit("/consent", { id: Number(askId), allow: consent === "yes" }, label);
  else {
    const answer = press(button);
    if (answer) void submit("/answer", answer.body, answer.label);
  }
}

function control({ dataset }) {
  if (dataset.tab !== undefined) selectTab(dataset.tab);
  else if (dataset.zoom !== undefined) zoom(Number(dataset.zoom));
  else if (dataset.open !== undefined) byId(dataset.open).showModal();
  else if (dataset.close !== undefined) byId(dataset.close).close();
  else if ("retry" in dataset) void probe();
  else if ("verify" in dataset) void verifyDice();
  else if ("closeRefusal" in dataset) showRefusal(null);
  else if (dataset.drop !== undefined) {
    strike(Number(dataset.drop));
    showUnsent(busy, openAt(), state?.id);
  } else if (dataset.again !== undefined) {
    const { path, body, label } = unsent(Number(dataset.again));
    strike(Number(dataset.again));
    void submit(path, body, label);
  } else if ("anyway" in dataset && refused) void submit(refused.path, { ...refused.body, anyway: true }, refused.label);
  else if ("note" in dataset && byId("note").value.trim()) {
    const text = byId("note").value.trim();
    void submit("/note", { text }, text.slice(0, 80));
  } else if (dataset.log !== undefined) {
    logFrom = dataset.log;
    void showView();
  } else if (dataset.rule !== undefined) {
    byId("words").value = dataset.rule;
    save("words", dataset.rule);
    selectTab("rules");
  } else if (dataset.odds !== undefined) {
    situation = dataset.odds;
    selectTab("odds");
  } else return false;
  return true;
}

function onClick(event) {
  const button = event.target.closest("button, [role=button]");
  const space = event.target.closest("[data-space]");
  if (!button && space && !isLocked()) add(space.dataset.space);
  if (!button || !state || control(button)) return;
  if (isLocked()) event.preventDefault();
  else act(button);
}

function onKey(event) {
  const drawn = event.target.closest("svg [role=button]");
  if (drawn && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    if (!isLocked()) act(drawn);
    return;
  }
  const button = buttonOfKey(event);
  if (!button) return;
  event.preventDefault();
  if (!isLocked()) act(button);
}

let waiting = 0;

function onInput(event) {
  const { target } = event;
  if (target.matches("[data-check]")) tick(target);
  else if (target.id === "note") save("note", target.value);
  else if (target.id === "words") {
    save("words", target.value);
    clearTimeout(waiting);
    waiting = setTimeout(() => void showView(), 250);
  } else typed(target);
}

function start() {
  startDevice();
  startMap();
  document.addEventListener("click", onClick);
  document.addEventListener("keydown", onKey);
  document.addEventListener("input", onInput);
  wide.addEventListener("change", () => selectTab(tab));
  selectTab(tab);
  connect({
    onState: (next) => takeState(next),
    onLine: (isUp) => {
      byId("offline").hidden = isUp;
      document.body.dataset.line = isUp ? "on" : "off";
    },
    onEnded: () => {
      byId("ended").hidden = false;
    },
  });
}

start();
