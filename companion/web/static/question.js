/** The open question: half-made answers, which survive a reload, and the answer that is sent. */

import { fragment } from "./fragments.js";
import { load, save } from "./store.js";

const EMPTY = { at: "", values: null, dice: [], text: null, filter: "" };
let section = null;
let draft = { ...EMPTY };

const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const isPressed = (button) => button.getAttribute("aria-pressed") === "true";
const one = (selector) => section?.querySelector(selector) ?? null;
const labelOf = (element) => (element.getAttribute("aria-label") ?? element.textContent).trim().replace(/\s+/g, " ").slice(0, 80);

/** Take the question that the page shows now, with what was half made of its answer. */
export function takeQuestion() {
  section = fragment("question").querySelector("[data-question]");
  const at = section?.dataset.at ?? "";
  if (draft.at !== at) {
    const kept = load("draft", EMPTY);
    draft = kept.at === at ? { ...EMPTY, ...kept } : { ...EMPTY, at };
  }
  document.body.toggleAttribute("data-spelling", one("[data-text]") !== null && !one("[data-dice]"));
  if (!section) return;
  // suggested answers are pressed in the fragment; what the player has pressed goes before
  const toggles = all("[data-toggle]", section);
  draft.values ??= toggles.filter((button) => isPressed(button)).map((button) => button.dataset.toggle);
  draft.values = draft.values.filter((value) => toggles.some((button) => button.dataset.toggle === value));
  const input = one("[data-number], [data-text]");
  if (input && draft.text !== null) input.value = draft.text;
  const filter = one("[data-filter]");
  if (filter) filter.value = draft.filter;
  paint();
}

/** Forget the half-made answer, after it was sent. */
export function dropDraft() {
  draft = { ...EMPTY };
  save("draft", null);
}

function keep() {
  save("draft", draft);
  paint();
}

function limits() {
  const { least = "0", most = "" } = section.dataset;
  return [Number(least), most === "" ? Infinity : Number(most)];
}

function inputIsRight(input) {
  if (!input.matches("[data-number]")) return input.value.trim() !== "";
  const value = Number(input.value);
  return /^-?\d+$/.test(input.value.trim()) && value >= Number(input.min || -1e9) && value <= Number(input.max || 1e9);
}

const facesOf = (input) => (input.value.match(/\d+/g) ?? []).map(Number);

/** Show the half-made answer on the buttons, here and on the map. */
export function paint() {
  if (!section) return;
  const [least, most] = limits();
  const full = draft.values.length >= most;
  const toggles = all("[data-toggle]");
  for (const button of toggles) {
    const pressed = draft.values.includes(button.dataset.toggle);
    button.setAttribute("aria-pressed", String(pressed));
    if (pressed && "ordered" in section.dataset) button.dataset.order = String(draft.values.indexOf(button.dataset.toggle) + 1);
    else delete button.dataset.order;
    if (full && !pressed && most > 1) button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
  }
  for (const output of all("[data-count]", section)) output.textContent = String(draft.values.length);
  const input = one("[data-number], [data-text]");
  const tray = one("[data-dice]");
  for (const button of all("[data-send]", section)) {
    if (input) button.disabled = tray ? facesOf(input).length !== Number(tray.dataset.dice) : !inputIsRight(input);
    else if (tray) button.disabled = draft.dice.length !== Number(tray.dataset.dice);
    else if (toggles.length) button.disabled = draft.values.length < least || draft.values.length > most;
  }
  if (tray && !input) {
    const blanks = Array(Math.max(0, Number(tray.dataset.dice) - draft.dice.length)).fill("\u00b7");
    for (const output of all("[data-rolled]", section)) output.textContent = [...draft.dice, ...blanks].join(" ");
    for (const button of all("[data-erase]", section)) button.disabled = draft.dice.length === 0;
  }
  filterChoices();
}

function filterChoices() {
  const words = draft.filter.toLowerCase().split(/\s+/).filter(Boolean);
  for (const button of one("[data-filter]") ? all("[data-value], [data-toggle]", section) : []) {
    const text = button.textContent.toLowerCase();
    const item = button.closest("li") ?? button;
    item.hidden = !isPressed(button) && !words.every((word) => text.includes(word));
  }
}

function toggle(value) {
  const [, most] = limits();
  if (draft.values.includes(value)) draft.values = draft.values.filter((other) => other !== value);
  else if (most === 1) draft.values = [value];
  else if (draft.values.length < most) draft.values = [...draft.values, value];
  keep();
}

function step(by) {
  const input = one("[data-number]");
  const bounded = Math.min(Number(input.max || 1e9), Math.max(Number(input.min || -1e9), (Number(input.value) || 0) + by));
  input.value = draft.text = String(bounded);
  keep();
}

const reply = (answer, label) => ({ body: { at: section.dataset.at, ...answer }, label });

function rollOf(face) {
  const tray = one("[data-dice]");
  const count = Number(tray.dataset.dice);
  if (draft.dice.length < count) draft.dice = [...draft.dice, face];
  keep();
  const done = draft.dice.length === count && !one("[data-send]");
  return done ? reply({ dice: draft.dice }, draft.dice.join(" ")) : null;
}

/** Append a name to the text that is typed; a space of the map too. */
export function add(name) {
  const input = one("[data-text]");
  if (!input) return;
  const text = input.dataset.between === "" ? input.value : input.value.trim();
  input.value = draft.text = text ? text + (input.dataset.between ?? " ") + name : name;
  keep();
}

/** Take back the last face, or the last word of the text. */
function erase() {
  const input = one("[data-dice]") ? null : one("[data-text]");
  const last = input?.dataset.between === "" ? /.$/ : /[^\s,;]+[\s,;]*$/;
  if (input) input.value = draft.text = input.value.trim().replace(last, "");
  else draft.dice = draft.dice.slice(0, -1);
  keep();
}

function whole(button) {
  const input = one("[data-number], [data-text]");
  if (one("[data-dice]")) {
    const dice = input ? facesOf(input) : draft.dice;
    return reply({ dice }, dice.join(" "));
  }
  if (input) return reply({ value: input.value.trim() }, input.value);
  const names = all('[data-toggle][aria-pressed="true"]', section).map(labelOf);
  return reply({ value: draft.values }, names.join(", ") || labelOf(button));
}

/** Act on a button of the question or the map: the answer to send as `{body, label}`, or null if it is not whole yet. */
export function press(button) {
  if (!section || button.disabled || button.getAttribute("aria-disabled") === "true") return null;
  const { value, toggle: choice, step: by, die, add: name } = button.dataset;
  if (value !== undefined) return reply(section.dataset.kind === "draw" ? { draw: [value] } : { value }, labelOf(button));
  if (choice !== undefined) toggle(choice);
  else if (name !== undefined) add(name);
  else if (by !== undefined) step(Number(by));
  else if (die !== undefined) return rollOf(Number(die));
  else if ("erase" in button.dataset) erase();
  else if ("computer" in button.dataset) return reply({ accept: true }, labelOf(button));
  else if ("send" in button.dataset) return whole(button);
  return null;
}

/** Keep what is typed into a field of the question. */
export function typed(input) {
  if (input.matches("[data-filter]")) draft.filter = input.value;
  else if (input.matches("[data-number], [data-text]")) draft.text = input.value;
  else return;
  keep();
}

/** The button that a key of the keyboard stands for, where dice are asked or a field is filled, or null. */
export function buttonOfKey(event) {
  if (!section || event.ctrlKey || event.altKey || event.metaKey) return null;
  const input = event.target.closest("input, textarea");
  if (input) {
    const send = event.key === "Enter" && section.contains(input) ? one("[data-send]") : null;
    return send?.disabled ? null : send;
  }
  if (!one("[data-dice]")) return null;
  if (/^\d$/.test(event.key)) return one(`[data-die="${event.key}"]`);
  return event.key === "Backspace" ? one("[data-erase]") : null;
}
