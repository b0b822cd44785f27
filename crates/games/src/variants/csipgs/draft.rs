//! Drafts of armies: a player puts an army together on the board before sealing it.
//!
//! The result is a view for that seat, with the cost so far, the faults and the possible next changes. Nothing is
//! stored.

use std::sync::Arc;

use super::{
    army::{KnownArmy, home_ranks, is_second_rank},
    army_view::{ArmyDraft, PalettePiece},
    options::{Csipgs, MOST_PIECES},
    piece_design::{self, PieceDesign},
    price::{Exact, decimal},
    state::{Phase, State},
    terms::ArmyLimits,
    view::View,
};
use crate::{
    board::{Color, Size, Square},
    rules::{Choice, ChoiceKind, Diagram, Dropped, Seat, diagram::Designed},
};

/// Maximum number of pieces laid next to the board.
const MOST_BESIDE: usize = 16;
/// Number of files of a wing.
const WING: u8 = 3;
/// Maximum number of words read from a draft: an army, the pieces next to the board, and changes to them.
const MOST_WORDS: usize = 96;

/// An unfinished army.
#[derive(Clone, Default)]
struct Draft {
    placed: Vec<(Square, Arc<PieceDesign>)>,
    /// Pieces laid next to the board that are not among the designs.
    beside: Vec<Arc<PieceDesign>>,
    /// Why a word of the text was left out, if one was.
    refused: Option<String>,
}

/// View of `seat` with the draft in `text`, while armies are set up in secret.
///
/// The text lists pieces with their squares, as an `army` action does. A piece without a square is laid next to the
/// board. `a1b1` moves a piece or swaps two pieces, `a1a1` takes a piece off, and `mirror` copies one wing to the other if
/// the budget allows it. Invalid words are left out, and the view says why.
pub(super) fn draft(options: &Csipgs, state: &State, seat: Seat, text: &str) -> Option<View> {
    if state.phase != Phase::Armies || state.outcome.is_some() {
        return None;
    }
    let color = seat.color();
    let draft = Draft::read(options, state, color, text);
    let mut standing = state.clone();
    for (square, piece_type) in &draft.placed {
        standing.put(color, piece_type, *square);
    }
    let mut view = state.build_view(options, true);
    let palette = draft.palette(state, color);
    let shown = Diagram::of(&standing.board, &standing.position);
    let mut designs: Vec<Designed> = Vec::new();
    for piece_type in palette.iter().chain(draft.placed.iter().map(|(_, piece_type)| piece_type)) {
        if !piece_type.is_pictured() && designs.iter().all(|known| known.betza != piece_type.text) {
            designs.push(Designed { betza: piece_type.text.clone(), piece: piece_type.piece.clone(), icon: None });
        }
    }
    let unmirrored = text.trim_end().strip_suffix("mirror").filter(|_| draft.refused.is_none());
    let unmirrored = unmirrored.map(|before| before.trim_end().to_owned());
    let told = ArmyDraft { unmirrored, ..draft.summary(options, state, color, &palette) };
    let diagram = view.diagram_mut();
    (diagram.pieces, diagram.designs) = (shown.pieces, designs);
    (diagram.draft, diagram.choices) = (Some(told.all()), Some(draft.choices(options, state, color, &palette)));
    view.army_draft = Some(told);
    Some(view)
}

impl Draft {
    fn read(options: &Csipgs, state: &State, color: Color, text: &str) -> Draft {
        let size = state.board.size();
        let mut draft = Draft::default();
        let mut words = text.split_whitespace().take(MOST_WORDS).peekable();
        words.next_if_eq(&"army");
        while let Some(word) = words.next() {
            if word == "mirror" {
                draft.mirror_within_budget(options, state.army_limits(), (size, color));
                continue;
            }
            let square = |text: &str| text.parse::<Square>().ok();
            let done = match (word.get(..2).and_then(square), word.get(2..).and_then(square)) {
                (Some(from), Some(to)) => draft.move_piece((size, color), from, to),
                (_, _) => piece_design::read(word, 0, &state.catalogue, options.prefixes(1))
                    .map(|(piece, cost)| Arc::new(PieceDesign::new(piece, cost, size)))
                    .map_err(|refusal| {
                        // Skip the square that belongs to the unreadable piece.
                        words.next_if(|next| square(next).is_some());
                        refusal.why
                    })
                    .and_then(|piece_type| match words.peek().copied().and_then(square) {
                        Some(to) => {
                            words.next();
                            draft.put((size, color), to, piece_type)
                        }
                        None => {
                            draft.lay_beside(piece_type);
                            Ok(())
                        }
                    }),
            };
            if let Err(why) = done {
                draft.refused = Some(format!("“{word}” was left out: {why}."));
            }
        }
        draft.placed.sort_by_key(|(square, _)| (is_second_rank(size, color, *square), square.file()));
        draft
    }

    fn at(&self, square: Square) -> Option<usize> {
        self.placed.iter().position(|(other, _)| *other == square)
    }

    fn put(&mut self, (size, color): (Size, Color), to: Square, piece_type: Arc<PieceDesign>) -> Result<(), String> {
        if !home_ranks(size, color).has(to) {
            return Err(format!("{to} is not on {}’s first two ranks", color.name()));
        }
        if let Some(index) = self.at(to) {
            self.placed.remove(index);
        }
        self.placed.push((to, piece_type));
        Ok(())
    }

    /// Moves a piece, swaps it with the piece on the target square, or takes it off if both squares are the same.
    fn move_piece(&mut self, (size, color): (Size, Color), from: Square, to: Square) -> Result<(), String> {
        let index = self.at(from).ok_or_else(|| format!("there is no piece on {from}"))?;
        if from == to {
            let (_, piece_type) = self.placed.remove(index);
            self.lay_beside(piece_type);
            return Ok(());
        }
        if !home_ranks(size, color).has(to) {
            return Err(format!("{to} is not on {}’s first two ranks", color.name()));
        }
        if let Some(other) = self.at(to) {
            self.placed[other].0 = from;
        }
        self.placed[index].0 = to;
        Ok(())
    }

    /// Mirrors a wing, unless the army would then cost too much.
    fn mirror_within_budget(&mut self, options: &Csipgs, limits: &ArmyLimits, (size, color): (Size, Color)) {
        let mut mirrored = self.clone();
        mirrored.mirror(size);
        let least = mirrored.least_total(limits, (size, color));
        if limits.fits_budget(options, least) {
            *self = mirrored;
        } else {
            let (least, budget) = (decimal(&least), decimal(&limits.budget));
            self.refused = Some(format!("Not mirrored: that army would cost at least {least} of {budget}."));
        }
    }

    /// Copies the wing with more pieces, of three files, to the other wing. Files in the middle keep their pieces.
    fn mirror(&mut self, size: Size) {
        let last = size.width() - 1;
        let wing = |files: std::ops::Range<u8>| {
            self.placed.iter().filter(move |(square, _)| files.contains(&square.file())).cloned().collect::<Vec<_>>()
        };
        let (left, right) = (wing(0..WING), wing(last + 1 - WING..last + 1));
        for (square, piece_type) in if right.len() > left.len() { right } else { left } {
            let to = Square::new(last - square.file(), square.rank());
            self.placed.retain(|(other, _)| *other != to);
            self.placed.push((to, piece_type));
        }
    }

    fn lay_beside(&mut self, piece_type: Arc<PieceDesign>) {
        if !self.beside.contains(&piece_type) && self.beside.len() < MOST_BESIDE {
            self.beside.push(piece_type);
        }
    }

    /// Pieces that the player can pick up, each once: the six designs, those next to the board and those already
    /// placed.
    fn palette(&self, state: &State, color: Color) -> Vec<Arc<PieceDesign>> {
        let designs = state.sides[color.index()].designs.iter();
        let mut palette: Vec<Arc<PieceDesign>> = Vec::new();
        for piece_type in designs.chain(&self.beside).chain(self.placed.iter().map(|(_, piece_type)| piece_type)) {
            if !palette.contains(piece_type) {
                palette.push(piece_type.clone());
            }
        }
        palette
    }

    /// Pieces with their squares, as in an `army` action after its first word.
    fn pairs(&self) -> String {
        let pair = |(square, piece_type): &(Square, Arc<PieceDesign>)| format!("{} {square}", piece_type.text);
        self.placed.iter().map(pair).collect::<Vec<_>>().join(" ")
    }

    /// Cost of the pieces on the board.
    fn total(&self) -> Exact {
        self.placed.iter().map(|(_, piece_type)| piece_type.exact).sum()
    }

    /// Cost with the cheapest pieces on the empty squares.
    fn least_total(&self, limits: &ArmyLimits, (size, color): (Size, Color)) -> Exact {
        let cheapest = |square: Square| limits.cheapest[usize::from(is_second_rank(size, color, square))].1;
        let rest: Exact = home_ranks(size, color).filter(|square| self.at(*square).is_none()).map(cheapest).sum();
        self.total() + rest
    }

    fn choices(&self, options: &Csipgs, state: &State, color: Color, palette: &[Arc<PieceDesign>]) -> Vec<Choice> {
        let size = state.board.size();
        let fits = |piece_type: &PieceDesign, square: Square| {
            state
                .army_limits()
                .check_piece(options, &piece_type.piece, piece_type.exact, is_second_rank(size, color, square))
                .is_ok()
        };
        let mut choices = Vec::new();
        for (from, piece_type) in &self.placed {
            for to in home_ranks(size, color).filter(|to| fits(piece_type, *to)) {
                let label = if *from == to { format!("take {from} off") } else { format!("{from} to {to}") };
                let kind = ChoiceKind::plain(*from, to);
                choices.push(Choice::new(format!("{from}{to}"), label, kind));
            }
        }
        for piece_type in palette {
            let piece = Dropped {
                said: piece_type.text.clone(),
                words: format!("{} for {}", piece_type.display_name(), decimal(&piece_type.exact)),
                lead: None,
                name: piece_type.name.clone(),
                betza: piece_type.text.clone(),
                color: color.into(),
                alone: None,
                amount: None,
            };
            let stands = |to: Square| self.at(to).is_some_and(|index| self.placed[index].1 == *piece_type);
            for to in home_ranks(size, color).filter(|to| fits(piece_type, *to) && !stands(*to)) {
                let action = format!("{} {to}", piece_type.text);
                let label = format!("{} on {to}", piece_type.display_name());
                choices.push(Choice::new(action, label, ChoiceKind::Drop { piece: piece.clone(), to: to.into() }));
            }
        }
        choices
    }

    fn summary(&self, options: &Csipgs, state: &State, color: Color, palette: &[Arc<PieceDesign>]) -> ArmyDraft {
        let (limits, size) = (state.army_limits(), state.board.size());
        let shown = |piece_type: &Arc<PieceDesign>| PalettePiece {
            betza: piece_type.text.clone(),
            name: piece_type.display_name().to_owned(),
            cost: decimal(&piece_type.exact),
            piece: piece_type.piece.clone(),
            refused: [false, true]
                .into_iter()
                .filter_map(|second| {
                    let why = limits.check_piece(options, &piece_type.piece, piece_type.exact, second).err()?;
                    let squares =
                        home_ranks(size, color).filter(|square| is_second_rank(size, color, *square) == second);
                    let squares: Vec<String> = squares.map(|square| square.to_string()).collect();
                    Some((squares.join(" "), format!("{} {why}", piece_type.display_name())))
                })
                .collect(),
        };
        let judged = self.placed.iter().filter_map(|(square, piece_type)| {
            let judged =
                limits.check_piece(options, &piece_type.piece, piece_type.exact, is_second_rank(size, color, *square));
            judged.err().map(|why| format!("{} on {square} {why}", piece_type.display_name()))
        });
        let total = self.total();
        let left = limits.budget - total;
        ArmyDraft {
            pairs: self.pairs(),
            beside: self.beside.iter().map(|piece_type| piece_type.text.clone()).collect(),
            unmirrored: None,
            palette: palette.iter().map(shown).collect(),
            total: decimal(&total),
            left: decimal(&left.max(Exact::ZERO)),
            excess: (left < Exact::ZERO).then(|| decimal(&-left)),
            missing: MOST_PIECES - self.placed.len(),
            wrong: judged.collect(),
            affordable: limits.fits_budget(options, self.least_total(limits, (size, color))),
            royal: self.placed.iter().any(|(_, piece_type)| piece_type.piece.royal),
            refused: self.refused.clone(),
            known: KnownArmy::all(options, limits, size, color),
        }
    }
}
