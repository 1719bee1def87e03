/** What this device keeps: half-made answers, ticks, notes and unsent answers of a session; its own settings. */

let session = "";

/** Select the session whose values are read and written from here on. */
export function openStore(name) {
  session = name;
}

const place = (name) => `companion.${name.startsWith("setting.") ? "" : session}.${name}`;

/** The stored value, or `fallback`. */
export function load(name, fallback) {
  try {
    const text = localStorage.getItem(place(name));
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/** Store a value; null removes it. A browser without storage loses the value on reload and nothing else. */
export function save(name, value) {
  try {
    if (value === null) localStorage.removeItem(place(name));
    else localStorage.setItem(place(name), JSON.stringify(value));
  } catch {
    /* private mode, or full */
  }
}
