// @ts-check
/** Drawings that come as differences from those before, put together again. The server cuts them into the same pieces. */

const CUTS = /(?<=\n)|(?=; |<\/?td|<\/?button|<svg|<span|<a |<input|\{")/;

/** The pieces of the last drawing, then those of the one before. @type {string[][]} */
let known = [[], []];

/** Forgets everything: another stream begins. */
export const restart = () => (known = [[], []]);

/** Takes a drawing in. @param {string[]} pieces */
function take(pieces) {
  known = [pieces, known[0] ?? []];
  return pieces.join("");
}

/** A whole drawing. @param {string} text */
export function whole(text) {
  restart();
  return take(text.split(CUTS));
}

/** A drawing as differences: how many pieces are known, then runs of them and new
 * ones, in which the two kinds of quotation marks have changed places. @param {string} text @returns {string | null} nothing
 * if it does not follow what is known */
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
