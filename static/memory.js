// @ts-check
/** What this browser remembers of its user's choices. Where it may keep nothing, they hold as long as the page. */

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
    // Private windows keep nothing.
  }
}
