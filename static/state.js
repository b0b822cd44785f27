// @ts-check
/** State shared by the modules of a game's page. */

/** A piece on the board moves. @typedef {{kind: "move", from: string, to: string, also?: string, promotion?: string}} Move */
/** A piece from off the board is placed on a square. `alone` is its action if the square does not matter. @typedef {{kind: "drop", piece: {said: string, name: string, color: string, alone?: string}, to: string}} Drop */
/** An action without a square. @typedef {{kind: "word", word: string}} Word */
/** An action that is available now. `amount` is its cost or gain, `dear` marks one that is too expensive or impossible, and nothing can
 * be added to a `whole` one. The label is for display only.
 * @typedef {{action: string, label: string, amount?: number, dear?: boolean, whole?: boolean} & (Move | Drop | Word)} Choice */
/** A premove, the piece that a pawn promotes to, the ply when it was chosen, and the ply of the premove before it, once that is played.
 * @typedef {{from: string, to: string, promotion?: string, ply: number, after?: number}} Premove */
/** An action that waits for the player's confirmation: the question, what sends it, and the move or drop that the board shows.
 * @typedef {{words: string, submit: () => void, choice: Move | Drop | null}} Pending */
/** A pressed pointer and the image that it drags. `filled` are the squares on which it places the piece in hand.
 * @typedef {{id: number, key: string, x: number, y: number, ghost: HTMLElement | null, filled?: string[]}} Held */

export const state = {
  /** Actions available now. @type {Choice[]} */
  choices: [],
  /** Squares of the board by name. @type {Map<string, HTMLElement>} */
  squares: new Map(),
  /** Selection: a square, or the notation of a piece off the board, such as `N@`. */
  picked: "",
  /** Moves to play in the next turns. @type {Premove[]} */
  premoves: [],
  /** @type {Pending | null} */
  pending: null,
  /** Square that the Tab key reaches. */
  stop: "",
  /** @type {Held | null} */
  held: null,
  /** Earlier step that the board shows; null for the current position. @type {number | null} */
  back: null,
  /** Whether arrow keys move the focus over the board, because the user came by keyboard. */
  walking: true,
  /** Whether an action is waiting for its answer. */
  busy: false,
  /** Whether a page is loading. */
  loading: false,
  /** Whether bid slips are turning over. */
  turning: false,
  /** Whether an input method is composing a character. */
  composing: false,
};

/** Whether an update may be applied now. */
export const idle = () => !(state.composing || state.turning || state.busy || state.loading || state.held?.ghost);
