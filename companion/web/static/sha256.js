/** SHA-256 and HMAC-SHA256, written out because a page without TLS has no crypto.subtle. */

const WORD = 2 ** 32;

/** The first 32 bits of the fractional parts of the roots of the first primes: square roots start, cube roots are the rounds. */
function constants() {
  const [start, rounds] = [[], []];
  for (let number = 2; rounds.length < 64; number++) {
    let isPrime = true;
    for (let part = 2; part * part <= number; part++) isPrime &&= number % part !== 0;
    if (!isPrime) continue;
    if (start.length < 8) start.push((Math.sqrt(number) % 1) * WORD | 0);
    rounds.push((Math.cbrt(number) % 1) * WORD | 0);
  }
  return { start, rounds };
}

const { start: START, rounds: ROUNDS } = constants();
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** The SHA-256 of bytes, as bytes. */
export function sha256(bytes) {
  const padded = new Uint8Array(((bytes.length + 72) >> 6) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);
  const [state, words] = [[...START], new Int32Array(64)];
  for (let block = 0; block < padded.length; block += 64) {
    for (let at = 0; at < 16; at++) words[at] = view.getInt32(block + 4 * at);
    for (let at = 16; at < 64; at++) {
      const [early, late] = [words[at - 15], words[at - 2]];
      const one = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      const two = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
      words[at] = words[at - 16] + one + words[at - 7] + two;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let at = 0; at < 64; at++) {
      const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[at] + words[at];
      const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => (state[at] = (state[at] + word) | 0));
  }
  const result = new DataView(new ArrayBuffer(32));
  state.forEach((word, at) => result.setInt32(4 * at, word));
  return new Uint8Array(result.buffer);
}

/** The HMAC-SHA256 of bytes, with a key of at most 64 bytes. */
export function hmac(key, bytes) {
  const pad = (value) => Uint8Array.from({ length: 64 }, (_, at) => (key[at] ?? 0) ^ value);
  return sha256(Uint8Array.from([...pad(0x5c), ...sha256(Uint8Array.from([...pad(0x36), ...bytes]))]));
}

export const toHex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
export const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
