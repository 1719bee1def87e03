/** The map: its size, and the places in sight that can be chosen or where something happened last. */

import { fragment } from "./fragments.js";
import { load, save } from "./store.js";

const SIZES = [0, 0.5, 1, 1.5, 2, 3]; // 0: as large as the place
const LEAST = 0.25; // below this a whole map says nothing
let size = 2;

function setSize() {
  const place = fragment("map");
  const map = place.querySelector("svg");
  if (map && place.clientWidth) {
    const { width, height } = map.viewBox.baseVal;
    const whole = Math.min(place.clientWidth / width, place.clientHeight / height, 1.5);
    const scale = SIZES[size] || (whole < LEAST ? 0.5 : whole);
    map.style.width = `${Math.floor(width * scale)}px`;
    map.style.height = `${Math.floor(height * scale)}px`;
  }
  for (const button of document.querySelectorAll("[data-zoom]")) {
    const next = size + Number(button.dataset.zoom);
    button.disabled = next < 0 || next >= SIZES.length;
  }
}

/** Bring the first place that can be chosen into sight, or else where something happened last, or where units are. */
export function showLegal() {
  setSize();
  const place = fragment("map");
  const legal = place.querySelector(".legal") ?? place.querySelector(".chosen, [transform]");
  if (!legal) return;
  const [inner, outer] = [legal.getBoundingClientRect(), place.getBoundingClientRect()];
  const isSeen = inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom;
  if (isSeen || outer.width === 0) return;
  const left = place.scrollLeft + inner.left - outer.left - outer.width / 2 + inner.width / 2;
  place.scrollTo({ left, top: place.scrollTop + inner.top - outer.top - outer.height / 2 + inner.height / 2 });
}

const widthOf = (place) => place.querySelector("svg")?.getBoundingClientRect().width || 1;

/** Make the map larger or smaller, with the same point in the middle. */
export function zoom(by) {
  const place = fragment("map");
  const [x, y] = [place.scrollLeft + place.clientWidth / 2, place.scrollTop + place.clientHeight / 2];
  const before = widthOf(place);
  size = Math.min(SIZES.length - 1, Math.max(0, size + by));
  save("zoom", size);
  setSize();
  const factor = widthOf(place) / before;
  place.scrollTo({ left: x * factor - place.clientWidth / 2, top: y * factor - place.clientHeight / 2, behavior: "instant" });
}

/** Set the size that the session had last on this device; at first the whole map on a screen that only watches. */
export function openMap(isWatch) {
  size = Math.min(SIZES.length - 1, load("zoom", isWatch ? 0 : 2));
  setSize();
}

/** Keep the size of the map right when the screen is turned. */
export function startMap() {
  addEventListener("resize", () => showLegal());
}
