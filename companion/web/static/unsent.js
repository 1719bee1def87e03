/** What could not be sent: kept on the device, shown, sent again or dropped by the player. */

import { load, save } from "./store.js";

const place = document.getElementById("unsent");
let items = [];

/** Read what an earlier visit left. */
export function openUnsent() {
  items = load("unsent", []);
}

/** Keep a request before it is sent; one to the same question is replaced. Returns its number. */
export function enter(path, body, label) {
  const number = Math.max(0, ...items.map((item) => item.number)) + 1;
  const isOther = (item) => path === "/note" || item.path !== path || item.body.at !== body.at;
  items = [...items.filter(isOther), { number, path, body, label }];
  save("unsent", items);
  return number;
}

/** Forget a request: it arrived, or the player drops it. */
export function strike(number) {
  items = items.filter((item) => item.number !== number);
  save("unsent", items.length ? items : null);
}

/** Show what was not sent. `busy` is the number of the one under way; `at` the number of the open question. */
export function showUnsent(busy, at, id) {
  const left = items.filter((item) => item.number !== busy);
  place.hidden = left.length === 0;
  place.replaceChildren(
    ...left.map(({ number, body, label }) => {
      const isPast = (body.at !== undefined && body.at !== at) || (body.at_id !== undefined && body.at_id !== id);
      const line = document.createElement("p");
      const text = document.createElement("span");
      text.textContent = `${isPast ? "Not sent, and play has gone on" : "Not sent"}: ${label}`;
      line.append(text, button("Drop", "drop", number));
      if (!isPast) line.insertBefore(button("Send again", "again", number), line.lastChild);
      return line;
    }),
  );
}

function button(text, what, number) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.dataset[what] = String(number);
  return made;
}

/** The request of a number. */
export function unsent(number) {
  return items.find((item) => item.number === number);
}
