// The rules of the standard, plus an attribute that is newer than the checker: `blocking` on `rel="expect"` links.
const expecting = (node, value) => (node.getAttribute("rel") === "expect" ? null : `“${value}” needs rel="expect"`);
module.exports = {
  root: true,
  extends: ["html-validate:standard"],
  elements: ["html5", { link: { attributes: { blocking: { allowed: expecting, list: true, enum: ["render"] } } } }],
};
