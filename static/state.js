// @ts-check
/** What the modules of a game's page know in common. What only one of them needs, it keeps to itself. */

/** A unit of the board goes somewhere. @typedef {{kind: "move", from: string, to: string, also?: string, promotion?: string}} Move */
/** A piece from elsewhere comes to a square; some are meant wherever they come. @typedef {{kind: "drop", piece: {said: string, name: string, color: string, alone?: string}, to: string}} Drop */
/** Something that has no place on the board. @typedef {{kind: "word", word: string}} Word */
/** One thing that may be done now, with what it costs or earns, or that would be too dear; nothing is added to what is whole; its label is for people only.
 * @typedef {{action: string, label: string, amount?: number, dear?: boolean, whole?: boolean} & (Move | Drop | Word)} Choice */
/** A move to make when one's next turn comes, and when it was chosen. @typedef {{from: string, to: string, ply: number}} Premove */
/** The pointer that is pressed, and what it drags. @typedef {{id: number, key: string, x: number, y: number, ghost: HTMLElement | null}} Held */

export const state = {
  /** What may be done now. @type {Choice[]} */
  choices: [],
  /** The squares of the board by name. @type {Map<string, HTMLElement>} */
  squares: new Map(),
  /** What is in hand: a square, or what is said of a piece from elsewhere, as `N@`. */
  picked: "",
  /** @type {Premove | null} */
  premove: null,
  /** The square that the tab key reaches. */
  stop: "",
  /** @type {Held | null} */
  held: null,
  /** The earlier step that the board shows; none if it shows the game as it stands. @type {number | null} */
  back: null,
  /** Whether the arrow keys walk over the board: it was not reached by a pointer. */
  walking: true,
  /** Whether a word is on its way to the server. */
  busy: false,
  /** Whether a page is on its way from the server. */
  loading: false,
  /** Whether slips are turning over. */
  turning: false,
  /** Whether somebody is writing a character that takes several keys. */
  composing: false,
};

/** Whether the page may change under the hand. */
export const idle = () => !(state.composing || state.turning || state.busy || state.loading || state.held?.ghost);
