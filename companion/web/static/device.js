/** What the device does beside the page: colours, reading aloud, keeping the screen awake. */

import { load, save } from "./store.js";

const byId = (id) => document.getElementById(id);
const voice = globalThis.speechSynthesis;
let lock = null;

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/** Read a text aloud if the player wants it. */
export function readAloud(text) {
  if (!voice || !text || !load("setting.aloud", false)) return;
  voice.cancel();
  const speech = new SpeechSynthesisUtterance(text);
  speech.lang = "en";
  voice.speak(speech);
}

async function stayAwake() {
  const wanted = load("setting.awake", false);
  if (!wanted || document.hidden) {
    await lock?.release();
    lock = null;
  } else if (navigator.wakeLock) {
    lock = await navigator.wakeLock.request("screen").catch(() => null);
  }
  byId("sleepy").hidden = !wanted || lock !== null || document.hidden;
}

/** Set the controls of the settings and act on them. */
export function startDevice() {
  const theme = load("setting.theme", "");
  setTheme(theme);
  for (const choice of document.querySelectorAll("[name=theme]")) {
    choice.checked = choice.value === theme;
    choice.addEventListener("change", () => {
      save("setting.theme", choice.value);
      setTheme(choice.value);
    });
  }
  const aloud = byId("aloud");
  aloud.checked = load("setting.aloud", false);
  aloud.disabled = !voice;
  byId("mute").hidden = Boolean(voice);
  aloud.addEventListener("change", () => {
    save("setting.aloud", aloud.checked);
    if (!aloud.checked) voice.cancel();
  });
  const awake = byId("awake");
  awake.checked = load("setting.awake", false);
  awake.addEventListener("change", () => {
    save("setting.awake", awake.checked);
    void stayAwake();
  });
  // the browser takes the lock away from a hidden page
  document.addEventListener("visibilitychange", () => void stayAwake());
  void stayAwake();
}
