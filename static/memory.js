// @ts-check
/** Settings stored in this browser. If storage is unavailable, they last until the page closes. */

/** @type {Map<string, string>} */
const held = new Map();

/** @param {string} name @returns {string | null} */
export function remembered(name) {
  try {
    return localStorage.getItem(`zorkmid.${name}`) ?? held.get(name) ?? null;
  } catch {
    return held.get(name) ?? null;
  }
}

/** @param {string} name @param {string} value */
export function remember(name, value) {
  held.set(name, value);
  try {
    localStorage.setItem(`zorkmid.${name}`, value);
  } catch {
    // Storage may be blocked, for example in private windows.
  }
}
