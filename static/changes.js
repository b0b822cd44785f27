// @ts-check
/** Rebuilds updates of the page from their differences to earlier updates. The server cuts them into the same pieces. */

const CUTS = /(?<=\n)|(?=; |<\/?td|<\/?button|<svg|<span|<a |<input|\{")/;

/** Pieces of the last update, then of the one before. @type {string[][]} */
let known = [[], []];

/** Forgets all updates, because a new stream begins. */
export const restart = () => (known = [[], []]);

/** Remembers an update. @param {string[]} pieces */
function take(pieces) {
  known = [pieces, known[0] ?? []];
  return pieces.join("");
}

/** Takes a complete update. @param {string} text */
export function whole(text) {
  restart();
  return take(text.split(CUTS));
}

/** Takes an update as differences: the number of known pieces, then runs of known pieces and new pieces. New pieces have single and
 * double quotation marks swapped. @param {string} text @returns {string | null} null if the differences do not fit the known pieces */
export function changed(text) {
  /** @type {(number | string)[]} */
  const [count, ...said] = JSON.parse(text);
  const old = known.flat();
  if (old.length !== count) return null;
  /** @type {string[]} */
  const pieces = [];
  for (let at = 0; at < said.length; at += 1) {
    const [from, length] = [said[at], said[at + 1]];
    if (typeof from === "string") pieces.push(from.replace(/["']/g, (mark) => (mark === "'" ? '"' : "'")));
    else if (typeof length === "number" && from !== undefined) {
      pieces.push(...old.slice(from, from + length));
      at += 1;
    }
  }
  return take(pieces);
}
