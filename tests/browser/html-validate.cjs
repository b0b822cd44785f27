// The rules of the standard, and one that is newer than the checker: a link may ask to wait for what it expects.
const expecting = (node, value) => (node.getAttribute("rel") === "expect" ? null : `“${value}” waits for nothing`);
module.exports = {
  root: true,
  extends: ["html-validate:standard"],
  elements: ["html5", { link: { attributes: { blocking: { allowed: expecting, list: true, enum: ["render"] } } } }],
};
