"use strict";

const DATA = JSON.parse(document.getElementById("data").textContent);
const { decisions, texts, rows } = DATA;
const points = DATA.points.map(({ is: [entry, turn, text, worth, more, ...figures], ...parts }) => ({
  entry,
  title: [entry ? `Action ${entry}` : DATA.start, texts[turn]].filter(Boolean).join(", "),
  text: texts[text],
  worth: [texts[worth], texts[more]].filter(Boolean).join(", "),
  vp: figures[0],
  win: figures[2],
  ...parts,
}));
const SECTIONS = ["tracks", "places", "map", "counters"];
const MISTAKES = ["inaccuracy", "mistake", "blunder"];
const byId = (id) => document.getElementById(id);
const charts = [...document.querySelectorAll("[data-chart]")];
const course = byId("course");
const slider = byId("slider");
const LEAST_SCALE = 0.55; // of a map, so that its counters can be read
let shown = -1;
let graph = charts[0].dataset.chart;
let when = "after";
let drawn = "";

/** A new element with a class and a text. */
function element(name, kind = "", text = "") {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  if (text) made.textContent = text;
  return made;
}

const listOf = (cells) => cells.map((cell) => texts[cell]).join(", ");
const isMistake = (decision) => MISTAKES.includes(texts[decision.grade]);

/** What lies on the table at each point: the lists of rows, shared where nothing differs. */
function tables() {
  const found = [];
  let last = Object.fromEntries(SECTIONS.map((name) => [name, []]));
  for (const point of points) {
    const next = { ...last };
    for (const name of SECTIONS.filter((section) => point[section])) {
      const list = [...last[name]];
      for (const [start, count, ...added] of point[name]) list.splice(start, count, ...added);
      next[name] = list;
    }
    found.push(next);
    last = next;
  }
  return found;
}

const table = tables();
const hasMistake = (point) => (point.decisions ?? []).some((number) => isMistake(decisions[number]));
const mistakes = [...points.keys()].filter((index) => hasMistake(points[index]));

// -- the parts of a point -----------------------------------------------------------------------------------------

/** The alternatives of a decision on an axis that fits them all with their errors. */
function alternatives(decision) {
  const unit = points[0].win !== undefined ? 100 : 1;
  const ends = decision.of.flatMap(([, , , , mean, error]) => [(mean - error) * unit, (mean + error) * unit]);
  const step = Math.max(10 ** Math.floor(Math.log10(Math.max(...ends) - Math.min(...ends) || 1)), 0.01);
  const low = Math.floor(Math.min(...ends) / step) * step;
  const high = Math.max(Math.ceil(Math.max(...ends) / step) * step, low + step);
  const place = (value) => `${(100 * (value * unit - low)) / (high - low)}%`;
  const name = (value) => `${Number(value.toPrecision(6))}${unit === 100 ? " %" : " VP"}`;
  const made = element("table", "alternatives");
  made.append(element("caption", "unseen", "Alternatives, the best first"));
  const head = made.createTHead().insertRow();
  head.append(element("th", "", "Alternative"), element("th"));
  head.lastChild.append(element("span", "axis"));
  head.lastChild.firstChild.append(element("span", "", name(low)), element("span", "", name(high)));
  for (const cell of head.cells) cell.scope = "col";
  const body = made.createTBody();
  for (const [text, worth, behind, remark, mean, error] of decision.of) {
    const row = body.insertRow();
    if (texts[remark].startsWith("taken")) row.className = "is-taken";
    const first = element("th", "", texts[text]);
    first.scope = "row";
    if (texts[remark]) first.append(" ", element("span", "badge", texts[remark]));
    const bar = element("span", "bar");
    bar.setAttribute("aria-hidden", "true");
    const [fill, whisker] = [element("span", "fill"), element("span", "whisker")];
    fill.style.width = place(mean);
    whisker.style.left = place(mean - error);
    whisker.style.width = `${(100 * 2 * error * unit) / (high - low)}%`;
    bar.append(fill, whisker);
    const second = row.insertCell();
    second.append(bar, element("small", "", texts[worth]));
    if (texts[behind]) second.append(element("small", "", texts[behind]));
    row.prepend(first);
  }
  return made;
}

function decisionPart(decision) {
  const made = element("article", isMistake(decision) ? "decision is-mistake" : "decision");
  made.id = `decision-${decision.at}`;
  const title = element("h4", "", texts[decision.title]);
  title.append(" ", element("span", "badge", texts[decision.grade]));
  const wide = element("div", "wide");
  wide.append(alternatives(decision));
  made.append(title, element("p", "asked", `Asked: ${texts[decision.asked]}`), element("p", "", texts[decision.said]), wide);
  return made;
}

function stepItem(number) {
  const [part, text, change] = rows[number].map((cell) => texts[cell]);
  return element("li", "", [part, text, change].filter(Boolean).join(": "));
}

function logLine(number, entry) {
  const [tone, lead, ...cells] = rows[number];
  const made = element("p", texts[tone] ? `tone-${texts[tone]}` : "");
  const own = texts[tone] === "title" || texts[lead].startsWith("."); // numbers of an action and of its answers
  if (own || texts[lead]) made.append(element("span", "lead", `${own ? entry : ""}${texts[lead]}`), " ");
  made.append(listOf(cells));
  return made;
}

/** The log of a point; a number below 0 is that of the action whose rows follow. */
function logLines(point) {
  let entry = point.entry;
  return (point.log ?? []).flatMap((number) => {
    if (number >= 0) return [logLine(number, entry)];
    entry = -number;
    return [];
  });
}

/** A track or place; what differs from the table before is underlined. */
function named(number, before, names) {
  const [title, ...cells] = rows[number];
  const kind = before && !before.includes(number) ? "is-new" : "";
  return [element(names[0], "", texts[title]), element(names[1], kind, listOf(cells))];
}

/** Draw the map; what differs from the table before is outlined. */
function drawMap(now, before) {
  const place = byId("map");
  byId("map-part").hidden = now.map.length === 0;
  if (now.map.length === 0) return;
  const key = now.map.join();
  if (key !== drawn) {
    place.innerHTML = now.map.map((number) => texts[rows[number][0]]).join("\n"); // escaped where it was made
    place.firstElementChild.append(shape("g", {}));
    if (!drawn) setZoom(place.firstElementChild.width.baseVal.value * LEAST_SCALE > place.clientWidth);
    drawn = key;
  }
  const isNew = (number) => Boolean(before) && !before.counters.includes(number);
  const counters = now.counters.map((number) => counter(rows[number], isNew(number)));
  place.firstElementChild.lastElementChild.replaceChildren(...counters);
  const [first] = now.counters.filter(isNew);
  if (first === undefined) return;
  const scale = place.firstElementChild.clientWidth / place.firstElementChild.viewBox.baseVal.width;
  const [x, y] = rows[first];
  place.scrollTo(x * scale - place.clientWidth / 2, y * scale - place.clientHeight / 2);
}

/** Show the map as wide as its place, or in the size in which its texts are easy to read. */
function setZoom(isLarge) {
  byId("zoom").setAttribute("aria-pressed", String(isLarge));
  byId("map").classList.toggle("is-large", isLarge);
}

function shape(name, attributes, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

function counter([x, y, kind, letters, ...names], isNew) {
  const made = shape("g", { transform: `translate(${x} ${y})`, ...(isNew ? { class: "moved" } : {}) });
  made.append(shape("title", {}, listOf(names)));
  if (texts[kind]) made.append(shape("rect", { class: texts[kind], width: 27, height: 20, rx: 3 }));
  made.append(shape("text", texts[kind] ? { x: 13.5, y: 14, class: "letter" } : { y: 16, class: "name" }, texts[letters]));
  return made;
}

function showTable() {
  const index = when === "before" ? Math.max(shown - 1, 0) : shown;
  const now = table[index];
  const before = when === "after" && index > 0 ? table[index - 1] : null;
  const rowsOf = now.tracks.map((number) => {
    const row = element("tr");
    row.append(...named(number, before?.tracks, ["th", "td"]));
    row.firstChild.scope = "row";
    return row;
  });
  byId("tracks").replaceChildren(...rowsOf);
  byId("tracks").parentElement.hidden = rowsOf.length === 0;
  byId("places").replaceChildren(...now.places.flatMap((number) => named(number, before?.places, ["dt", "dd"])));
  drawMap(now, before);
}

/** Move the cursor of each graph. */
function moveCursor() {
  const x = `${(100 * shown) / Math.max(points.length - 1, 1)}%`;
  for (const chart of charts) {
    const { chart: id, low, high } = chart.dataset;
    const [line, dot] = chart.querySelectorAll(".cursor");
    for (const name of ["x1", "x2"]) line.setAttribute(name, x);
    dot.setAttribute("cx", x);
    dot.setAttribute("cy", `${(100 * (high - points[shown][id])) / (high - low)}%`);
    for (const part of [line, dot]) part.removeAttribute("visibility");
  }
}

/** Show a point. */
function show(index) {
  const next = Math.min(Math.max(index, 0), points.length - 1);
  if (next === shown) return;
  shown = next;
  const point = points[shown];
  const own = (point.decisions ?? []).map((number) => decisions[number]);
  byId("point-title").textContent = point.title;
  byId("point-text").textContent = point.text;
  byId("point-worth").textContent = point.worth;
  byId("decisions").replaceChildren(...own.map(decisionPart));
  byId("steps").replaceChildren(...(point.steps ?? []).map(stepItem));
  byId("steps-part").hidden = !point.steps;
  byId("log").replaceChildren(...logLines(point));
  byId("log-part").hidden = !point.log;
  showTable();
  moveCursor();
  slider.value = shown;
  const said = [point.title, point.text, point.worth, ...own.filter(isMistake).map((one) => texts[one.grade])];
  slider.setAttribute("aria-valuetext", said.join(". "));
  if (document.activeElement !== slider) byId("said").textContent = said.join(". ");
  history.replaceState(null, "", `#at-${point.entry}`);
}

// -- what the reader does ----------------------------------------------------------------------------------------

const MOVES = {
  first: () => 0,
  back: () => shown - 1,
  next: () => shown + 1,
  last: () => points.length - 1,
  up: () => mistakes.filter((index) => index < shown).at(-1) ?? shown,
  down: () => mistakes.find((index) => index > shown) ?? shown,
};
const KEYS = { Home: "first", ArrowLeft: "back", ArrowRight: "next", End: "last", ArrowUp: "up", ArrowDown: "down" };

function onKey(event) {
  const move = KEYS[event.key];
  const { target } = event;
  if (!move || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || target.closest(".wide")) return;
  const isOutside = !course.contains(target);
  // from outside only sideways: up, down, Home and End scroll the page there
  if (isOutside && (target !== document.body || !["back", "next"].includes(move))) return;
  event.preventDefault();
  if (isOutside) course.focus({ preventScroll: true });
  show(MOVES[move]());
}

/** Show the point that the address names: an action, or an answer in it. */
function follow() {
  const [, entry, reply] = /^#at-(\d+)(\.\d+)?$/.exec(location.hash) ?? [];
  if (entry === undefined) return false;
  const index = points.findIndex((point) => point.entry >= Number(entry));
  show(index < 0 ? points.length - 1 : index);
  course.focus({ preventScroll: true });
  (byId(`decision-${entry}${reply ?? ""}`) ?? byId("point-title")).scrollIntoView({ block: "center" });
  return true;
}

function onClick({ target }) {
  const link = target.closest("a[href^='#at-']");
  const button = target.closest("button");
  if (link && link.hash === location.hash) follow(); // no event: the address stays
  if (!button) return;
  const { go, graph: chosen, when: moment } = button.dataset;
  if (go) show(MOVES[go]());
  if (button.id === "zoom") {
    setZoom(button.getAttribute("aria-pressed") === "false");
    showTable();
  }
  if (chosen) showGraph(chosen);
  if (moment) {
    when = moment;
    press("when", when);
    showTable();
  }
}

function press(name, value) {
  for (const button of document.querySelectorAll(`[data-${name}]`)) {
    button.setAttribute("aria-pressed", String(button.dataset[name] === value));
  }
}

function showGraph(id) {
  graph = id;
  for (const chart of charts) chart.hidden = chart.dataset.chart !== id;
  press("graph", id);
}

/** Show the point below the pointer. */
function onPointer(event) {
  if (event.type === "pointermove" && event.buttons !== 1) return;
  const { left, width } = event.currentTarget.querySelector(".ground").getBoundingClientRect();
  show(Math.round(((event.clientX - left) / width) * (points.length - 1)));
  course.focus({ preventScroll: true });
}

function fillPoints() {
  if (byId("all-points").rows.length) return;
  byId("all-points").append(
    ...points.map((one) => {
      const row = element("tr");
      const first = element("th");
      const link = element("a", "", one.title);
      link.href = `#at-${one.entry}`;
      first.scope = "row";
      first.append(link);
      const grades = (one.decisions ?? []).map((number) => decisions[number]).filter(isMistake);
      const cells = [one.text, one.worth, grades.map((decision) => texts[decision.grade]).join(", ")];
      row.append(first, ...cells.map((text) => element("td", "", text)));
      return row;
    }),
  );
}

function begin() {
  for (const id of ["controls", "viewer"]) byId(id).hidden = false;
  slider.max = points.length - 1;
  for (const area of document.querySelectorAll(".area")) {
    area.addEventListener("pointerdown", onPointer);
    area.addEventListener("pointermove", onPointer);
  }
  if (charts.length > 1) document.querySelector("#course > .switch").hidden = false;
  showGraph(graph);
  document.addEventListener("click", onClick);
  document.addEventListener("keydown", onKey);
  slider.addEventListener("input", () => show(Number(slider.value)));
  byId("as-table").addEventListener("toggle", fillPoints);
  window.addEventListener("hashchange", follow);
  if (!follow()) show(points.length - 1);
}

begin();
