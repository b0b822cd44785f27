//! The selected piece on the game page: its target squares, or the moves of a piece the viewer asks about. Uses only the view and its
//! list of choices.

use crate::{
    board::{Betza, BoardLocation, Color, Size, Squares},
    game::{Live, PlayerCommand},
    rules::{Choice, ChoiceKind, Diagram, Dropped, Seat, auction_game::Base, diagram::PieceView},
    web::{
        board_view::{DrawnPiece, Figure, Mark, Press, Tag},
        frame::Frame,
        piece_token, silhouette,
    },
};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// A piece from outside the board, with a button to select it.
pub(super) struct HandPiece {
    /// The piece as the choices name it.
    pub(super) piece: Dropped,
    /// Picture in the sprite, if there is one.
    pub(super) unit: Option<DrawnPiece>,
    /// Drawing of a piece without a picture.
    pub(super) token: Option<Arc<str>>,
    /// Number held, if more than one.
    pub(super) several: Option<u32>,
    /// Whether it costs more than the player has.
    pub(super) dear: bool,
}

impl HandPiece {
    fn new(piece: &Dropped, dear: bool, frame: &Frame) -> HandPiece {
        let unit = DrawnPiece { color: piece.color.into(), name: piece.name.clone() };
        let token = silhouette::of(&frame.diagram, &piece.betza, piece.color.into()).map(|[drawing, _]| drawing);
        let held = frame.viewer.map(|seat| frame.diagram.reserves.of(seat).as_slice()).unwrap_or_default();
        let several =
            held.iter().find(|held| held.betza == piece.betza).map(|held| held.count).filter(|held| *held > 1);
        HandPiece { unit: Some(unit).filter(DrawnPiece::drawn), token, several, dear, piece: piece.clone() }
    }

    /// Verb of the choice; the picture shows the piece.
    pub(super) fn lead(&self) -> Option<&'static str> {
        self.piece.lead.filter(|_| self.unit.is_some())
    }
}

/// Pieces from outside the board that the choices name, each once. Pieces that cost too much come last.
pub(super) fn hand(frame: &Frame, choices: &[Choice], dear: &[Choice]) -> Vec<HandPiece> {
    let mut hand: Vec<HandPiece> = Vec::new();
    let priced = choices.iter().map(|choice| (choice, false)).chain(dear.iter().map(|choice| (choice, true)));
    for (choice, dear) in priced {
        match &choice.kind {
            ChoiceKind::Drop { piece, .. } if hand.iter().all(|known| known.piece.said != piece.said) => {
                hand.push(HandPiece::new(piece, dear, frame));
            }
            ChoiceKind::Drop { .. } | ChoiceKind::Move { .. } | ChoiceKind::Word { .. } => {}
        }
    }
    hand
}

/// The selected piece, with its target square if that is chosen too.
pub(super) struct Selection {
    /// Square of the piece, or its name in actions if it is not on the board.
    pub(super) start: String,
    /// Target square, if several actions share it.
    to: Option<BoardLocation>,
}

impl Selection {
    /// Parses a selection: `e2`, `N@`, or `e7e8` if several actions share the target square.
    pub(super) fn read(text: &str, choices: &[Choice], dear: &[Choice]) -> Option<Selection> {
        choices.iter().chain(dear).find_map(|choice| {
            let (start, to) = (start(choice)?, choice.kind.to()?);
            let rest = text.strip_prefix(start.as_ref())?;
            let to = match rest {
                "" => None,
                rest if *rest == to.to_string() => Some(to),
                _ => return None,
            };
            Some(Selection { start: start.into_owned(), to })
        })
    }

    /// The piece that is selected without a press, if every choice places or moves it.
    pub(super) fn given(choices: &[Choice]) -> Option<Selection> {
        let pick = Selection { start: start(choices.first()?)?.into_owned(), to: None };
        choices.iter().all(|choice| choice.whole && pick.takes(choice)).then_some(pick)
    }

    fn takes(&self, choice: &Choice) -> bool {
        start(choice).as_deref() == Some(&self.start)
    }
}

/// Text of the piece that a choice moves or places.
fn start(choice: &Choice) -> Option<Cow<'_, str>> {
    match &choice.kind {
        ChoiceKind::Move { from, .. } => Some(from.to_string().into()),
        ChoiceKind::Drop { piece, .. } => Some(piece.said.as_str().into()),
        ChoiceKind::Word { .. } => None,
    }
}

/// Form field for a choice: `action` acts at once, `add` extends the draft, `whole` acts whatever the draft is.
pub(super) fn says(frame: &Frame, whole: bool) -> &'static str {
    match (&frame.draft, whole) {
        (None, _) => "action",
        (Some(_), false) => "add",
        (Some(_), true) => "whole",
    }
}

/// Marks the squares that can be pressed with their costs or earnings. Returns the choices that share a target square.
pub(super) fn press(
    figure: &mut Figure,
    frame: &Frame,
    choices: &[Choice],
    dear: &[Choice],
    pick: Option<&Selection>,
) -> Vec<Choice> {
    if !frame.asked {
        return Vec::new();
    }
    let all = || choices.iter().chain(dear);
    for choice in all() {
        if let ChoiceKind::Move { from, .. } = choice.kind
            && let Some(cell) = figure.cell(from).filter(|cell| cell.press.is_none())
        {
            cell.press = Some(Press { name: "from", value: from.to_string(), words: String::new() });
            let own = |choice: &&Choice| matches!(choice.kind, ChoiceKind::Move { from: other, .. } if other == from);
            cell.tag = tag(choices.iter().filter(own), false).or_else(|| tag(dear.iter().filter(own), true));
            cell.tag = cell.tag.filter(|_| pick.is_none());
        }
    }
    let Some(pick) = pick else { return Vec::new() };
    let selected: Option<BoardLocation> = all().find_map(|choice| match choice.kind {
        ChoiceKind::Move { from, .. } if pick.takes(choice) => Some(from),
        ChoiceKind::Move { .. } | ChoiceKind::Drop { .. } | ChoiceKind::Word { .. } => None,
    });
    if let Some(cell) = selected.and_then(|square| figure.cell(square)) {
        cell.marks.push(Mark::Selected);
        cell.press = Some(Press { name: "from", value: String::new(), words: "deselect".to_owned() });
    }
    let priced = choices.iter().map(|choice| (choice, false)).chain(dear.iter().map(|choice| (choice, true)));
    let mine: Vec<(BoardLocation, &Choice, bool)> = priced
        .filter(|(choice, _)| pick.takes(choice))
        .filter_map(|(choice, dear)| Some((choice.kind.to()?, choice, dear)))
        .collect();
    let mut branches = Vec::new();
    for (to, choice, _) in &mine {
        let says =
            || Press { name: says(frame, choice.whole), value: choice.action.clone(), words: choice.label.clone() };
        let there = || mine.iter().filter(|(other, ..)| other == to);
        let ways = there().count();
        if ways > 1 && pick.to.is_none_or(|wanted| wanted == *to) {
            branches.push((*choice).clone());
        }
        let Some(cell) = figure.cell(*to) else { continue };
        cell.tag = tag(there().map(|(_, choice, _)| *choice), there().all(|(.., dear)| *dear));
        if cell.marks.iter().any(|mark| matches!(mark, Mark::Target | Mark::Capture)) {
            continue;
        }
        if selected == Some(*to) {
            // A second press on the same square: what the piece can do without moving.
            cell.press = Some(says());
            continue;
        }
        cell.marks.push(if cell.unit.is_some() { Mark::Capture } else { Mark::Target });
        cell.press = Some(match ways {
            1 => says(),
            _ => Press { name: "from", value: format!("{}{to}", pick.start), words: "choose an option".to_owned() },
        });
    }
    branches
}

/// The smallest amount among some choices.
fn tag<'c>(choices: impl Iterator<Item = &'c Choice>, dear: bool) -> Option<Tag> {
    choices.map(|choice| choice.amount).min()?.map(|amount| Tag { amount, dear })
}

/// A piece whose moves the viewer asked for.
pub(super) struct PieceInfo {
    /// Colour, name and square: `black knight on f6`.
    pub(super) title: String,
    /// Betza notation, or empty.
    pub(super) betza: String,
    /// Drawing, if the piece has a notation.
    pub(super) token: Option<Arc<str>>,
    /// Moves in plain words.
    pub(super) words: String,
}

/// Makes a press on any piece that cannot be selected show its moves.
pub(super) fn make_pieces_askable(figure: &mut Figure) {
    for cell in figure.ranks.iter_mut().flat_map(|rank| &mut rank.cells) {
        if cell.unit.is_some() && cell.press.is_none() {
            cell.press = Some(Press { name: "about", value: cell.square.clone(), words: String::new() });
        }
    }
}

/// Marks and describes the moves of the piece on a square; `None` if the square is empty.
pub(super) fn show_moves(figure: &mut Figure, frame: &Frame, text: &str) -> Option<PieceInfo> {
    let spot: BoardLocation = text.parse().ok()?;
    let unit = frame.diagram.unit(spot)?;
    let color: Color = unit.color.into();
    let title = format!("{} {} on {spot}", color.name(), unit.name);
    if let Some(deeds) = frame.diagram.deeds.iter().find(|deeds| deeds.square == spot) {
        figure.mark_moves(&deeds.moves, &deeds.captures);
        return Some(PieceInfo { title, betza: String::new(), token: None, words: deeds.words.to_owned() });
    }
    let piece = design(&frame.diagram, unit)?;
    let [quiet, attacked] = reached(&frame.diagram, unit, &piece)?;
    let own = frame.diagram.pieces.iter().filter(|other| other.color == unit.color);
    let own: Squares = own.map(|unit| unit.square.square).collect();
    let duck: Squares = frame.diagram.duck.into_iter().collect();
    figure.reach(quiet, attacked & !own & !duck);
    let [token, _] = piece_token::drawn(&piece, color);
    Some(PieceInfo { title, betza: unit.betza.clone(), token: Some(token), words: piece.in_words() })
}

/// The design of a piece on the board.
fn design<'d>(diagram: &'d Diagram, unit: &PieceView) -> Option<Cow<'d, Betza>> {
    match diagram.design(&unit.betza) {
        Some(piece) => Some(Cow::Borrowed(piece)),
        None => unit.betza.parse().ok().map(Cow::Owned),
    }
}

/// Squares that a piece moves to without capturing, and those that it attacks or defends. `None` on a board with levels.
fn reached(diagram: &Diagram, unit: &PieceView, piece: &Betza) -> Option<[Squares; 2]> {
    let square = unit.square.level.is_none().then_some(unit.square.square)?;
    let design = piece.design(Size::new(diagram.width, diagram.height)?);
    let occupied: Squares = diagram.pieces.iter().map(|unit| unit.square.square).chain(diagram.duck).collect();
    let color: Color = unit.color.into();
    Some([design.quiet(color, square, occupied), design.attacks(color, square, occupied)])
}

/// Squares that each piece on the board attacks or defends, by its own square.
pub(super) fn attacks(diagram: &Diagram) -> BTreeMap<String, Vec<String>> {
    let of = |unit: &PieceView| match diagram.deeds.iter().find(|deeds| deeds.square == unit.square) {
        Some(deeds) => Some(deeds.captures.iter().map(ToString::to_string).collect()),
        None => {
            let [_, attacked] = reached(diagram, unit, &*design(diagram, unit)?)?;
            Some(attacked.map(|square| square.to_string()).collect())
        }
    };
    diagram.pieces.iter().filter_map(|unit| Some((unit.square.to_string(), of(unit)?))).collect()
}

/// Squares that each piece could move to if its side got the next move of an auction, by its own square.
pub(super) fn reach(base: Base, fen: &str) -> Option<BTreeMap<String, BTreeSet<String>>> {
    let board = base.board();
    let mut position = board.parse_fen(fen).ok()?;
    let mut reach: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for turn in Color::BOTH {
        position.turn = turn;
        for uci in board.moves(&position).into_iter().map(|mv| board.uci(mv)).filter(|uci| uci.dropped.is_none()) {
            reach.entry(uci.from.to_string()).or_default().insert(uci.to.to_string());
        }
    }
    Some(reach)
}

/// Commands available to the viewer.
#[derive(Default)]
pub(super) struct AvailableCommands {
    pub(super) draw: bool,
    pub(super) takeback: bool,
    pub(super) withdraw: bool,
    pub(super) claim: bool,
    pub(super) claim_victory: bool,
    pub(super) call_draw: bool,
    pub(super) abort: bool,
    pub(super) resign: bool,
    pub(super) resign_match: bool,
    pub(super) rematch: bool,
}

impl AvailableCommands {
    pub(super) fn of(game: &Live, seat: Seat, both: bool) -> AvailableCommands {
        let can = |word: PlayerCommand| game.can(seat, word);
        AvailableCommands {
            draw: can(PlayerCommand::Draw) && !game.is_setting_terms(),
            takeback: can(PlayerCommand::Takeback) || both && game.can(!seat, PlayerCommand::Takeback),
            withdraw: can(PlayerCommand::Withdraw),
            claim: can(PlayerCommand::Claim),
            claim_victory: can(PlayerCommand::ClaimVictory),
            call_draw: can(PlayerCommand::CallDraw),
            abort: can(PlayerCommand::Abort),
            resign: can(PlayerCommand::Resign),
            resign_match: can(PlayerCommand::ResignMatch),
            rematch: can(PlayerCommand::Rematch),
        }
    }
}
