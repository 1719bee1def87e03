/** Puts the server's fragments into the page and keeps focus, open details and scroll positions. */

const WORDS = "value toggle action check die step undo undo-to redo send computer erase filter text number add rule odds";
const KEYS = ["id", "data-consent", "data-log", ...WORDS.split(" ").map((word) => `data-${word}`)];
const shown = new WeakMap();

/** A selector of the element that takes the place of `element` in a new fragment, or "". */
function selectorOf(element) {
  if (element.localName === "summary") return "summary";
  const key = KEYS.find((name) => element.hasAttribute(name));
  return key ? `${element.localName}[${key}="${CSS.escape(element.getAttribute(key))}"]` : "";
}

/** Replace the content of `place`; true if it changed. */
export function setFragment(place, html) {
  if (shown.get(place) === html) return false;
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  const selector = focused && focused !== place ? selectorOf(focused) : "";
  const open = new Set([...place.querySelectorAll("details[open] > summary")].map((summary) => summary.textContent));
  const { scrollTop, scrollLeft } = place;
  place.innerHTML = html;
  shown.set(place, html);
  for (const summary of place.querySelectorAll("details > summary")) {
    if (open.has(summary.textContent)) summary.parentElement.open = true;
  }
  place.scrollTo({ top: scrollTop, left: scrollLeft, behavior: "instant" });
  if (focused && focused !== place) {
    const next = (selector && place.querySelector(selector)) || place.closest("[tabindex]");
    next?.focus({ preventScroll: true });
  }
  return true;
}

/** Replace the content of `place` by a text. */
export function setText(place, text) {
  place.textContent = text;
  shown.delete(place);
}

/** The place of a fragment in the page. */
export function fragment(name) {
  return document.querySelector(`[data-fragment="${name}"]`);
}
