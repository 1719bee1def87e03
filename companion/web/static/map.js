/** The map: its size, the legal places in sight, and units and spaces as buttons of the keyboard. */

import { fragment } from "./fragments.js";
import { load, save } from "./store.js";

const SIZES = [1, 1.5, 2, 3, 4];
let size = 0;

function setSize() {
  fragment("map").style.setProperty("--zoom", String(SIZES[size]));
  for (const button of document.querySelectorAll("[data-zoom]")) {
    const next = size + Number(button.dataset.zoom);
    button.disabled = next < 0 || next >= SIZES.length;
  }
}

/** Bring the first place that can be chosen into sight, or else where something happened last. */
export function showLegal() {
  const place = fragment("map");
  const legal = place.querySelector(".legal") ?? place.querySelector(".chosen");
  if (!legal) return;
  const [inner, outer] = [legal.getBoundingClientRect(), place.getBoundingClientRect()];
  const isSeen = inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom;
  if (isSeen || outer.width === 0) return;
  const left = place.scrollLeft + inner.left - outer.left - outer.width / 2 + inner.width / 2;
  place.scrollTo({ left, top: place.scrollTop + inner.top - outer.top - outer.height / 2 + inner.height / 2 });
}

/** Make the map larger or smaller, with the same point in the middle. */
export function zoom(by) {
  const place = fragment("map");
  const [x, y] = [place.scrollLeft + place.clientWidth / 2, place.scrollTop + place.clientHeight / 2];
  const before = SIZES[size];
  size = Math.min(SIZES.length - 1, Math.max(0, size + by));
  save("setting.zoom", size);
  setSize();
  const factor = SIZES[size] / before;
  place.scrollTo({ left: x * factor - place.clientWidth / 2, top: y * factor - place.clientHeight / 2, behavior: "instant" });
}

/** Set the size that the device had last. */
export function startMap() {
  size = Math.min(SIZES.length - 1, load("setting.zoom", 0));
  setSize();
}
