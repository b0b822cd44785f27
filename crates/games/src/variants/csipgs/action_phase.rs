//! The action phase: moves, double moves, transfers and purchases, their legality and effects; and the end of a game at
//! the start of a turn.

use std::sync::Arc;

use super::{
    action::{Action, Spelling},
    options::{Csipgs, MOST_PIECES},
    piece_design::{self, PieceDesign},
    price::{money, zorkmids},
    state::{Phase, State},
};
use crate::{
    board::{Move, Position, Special, Square, Squares},
    rules::{End, Entry, Outcome, Refusal, Seat, TIME},
};

/// Reason of a win by checkmate.
pub(super) const CHECKMATE: &str = "checkmate";

const fn plain(from: Square, to: Square) -> Move {
    Move { from, to, promotion: None, special: Special::Plain }
}

impl State {
    /// Whether the mover has any action in the action phase.
    fn can_act(&self, options: &Csipgs) -> bool {
        self.board.has_move(&self.position)
            || !self.side().reserve.is_empty() && !self.drop_squares().is_empty()
            || !options.buy_in_design
                && self.side().designs.iter().any(|piece_type| self.check_sale(options, piece_type).is_ok())
            || !self.doubles().is_empty()
    }

    /// Position after one step of the mover, who stays to move.
    fn after_step(&self, position: &Position, from: Square, to: Square) -> Position {
        let mut after = self.board.after(position, plain(from, to));
        after.turn = self.mover;
        after
    }

    /// Targets of the piece on `from` by the moves that it may make twice, except the opponent's last royal piece.
    fn repeatable(&self, position: &Position, from: Square) -> Squares {
        let unit = position.piece(from).filter(|unit| unit.color == self.mover);
        let Some(twice) = unit.and_then(|unit| self.roster[usize::from(unit.kind)].double_moves.as_ref()) else {
            return Squares::EMPTY;
        };
        let hostile = position.of(!self.mover);
        twice
            .targets(self.mover, from, position.occupied(), hostile)
            .filter(|to| !self.last_royal(position, !self.mover, *to))
            .collect()
    }

    /// All legal moves of two steps. The mover's only royal piece must be safe after the second step, not after the
    /// first.
    pub(super) fn doubles(&self) -> Vec<(Square, Square, Square)> {
        let mut doubles = Vec::new();
        if self.roster.iter().all(|piece_type| piece_type.double_moves.is_none()) {
            return doubles;
        }
        for from in self.position.of(self.mover) {
            for to in self.repeatable(&self.position, from) {
                let between = self.after_step(&self.position, from, to);
                for then in self.repeatable(&between, to) {
                    if !self.board.in_check(&self.after_step(&between, to, then), self.mover) {
                        doubles.push((from, to, then));
                    }
                }
            }
        }
        doubles
    }

    /// Empty squares next to the mover's royal pieces that are not attacked: the targets of transfers.
    pub(super) fn drop_squares(&self) -> Squares {
        let safe = self.board.royals(&self.position, self.mover) & !self.attacked(self.mover);
        let mut drop_squares = Squares::EMPTY;
        for royal in safe {
            for (dx, dy) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
                drop_squares |= royal.step(dx, dy, self.board.size()).map_or(Squares::EMPTY, Square::set);
            }
        }
        drop_squares & !self.position.occupied()
    }

    /// Checks whether the mover may buy a piece of this type now. The error says why not.
    pub(super) fn check_sale(&self, options: &Csipgs, piece_type: &PieceDesign) -> Result<(), String> {
        let (price, treasury) = (piece_type.price(options.quantum), self.side().treasury);
        if price > treasury {
            return Err(format!(
                "{} costs {}, and you have {}: wait for your income",
                piece_type.text,
                money(price),
                money(treasury)
            ));
        }
        if self.pieces(self.mover) >= MOST_PIECES {
            return Err(format!("you have {MOST_PIECES} pieces on the board and in reserve, which is the maximum"));
        }
        if let Some(square) = self.attacked(self.mover).first() {
            return Err(format!("you cannot buy while a royal piece is attacked: secure the one on {square} first"));
        }
        if piece_type.piece.royal && !options.royals_sold(self.turn) {
            return Err(format!(
                "from turn {} on royal pieces cannot be bought: buy another design",
                options.royals_until_turn + 1
            ));
        }
        Ok(())
    }

    /// Canonical text of a piece, read with the inventions of this game.
    fn canonical(&self, piece: &Spelling, at: usize) -> Result<String, Refusal> {
        // Prefixes are checked when a piece is designed, not when it is bought or transferred.
        let read = crate::board::Betza::read(piece.text(), self.catalogue.inventions());
        read.map(|piece| piece.to_string()).map_err(|wrong| Refusal::at(at + wrong.at, format!("{piece}: {wrong}")))
    }

    /// Design of the mover with this text.
    fn find_design(&self, piece: &Spelling) -> Result<&Arc<PieceDesign>, Refusal> {
        let text = self.canonical(piece, 4)?;
        let designs = &self.side().designs;
        designs.iter().find(|piece_type| piece_type.text == text).ok_or_else(|| {
            let known: Vec<&str> = designs.iter().map(|piece_type| piece_type.text.as_str()).collect();
            Refusal::at(4, format!("{piece} is not one of your designs, which are {}", known.join(", ")))
        })
    }

    /// Index of a piece in the mover's reserve.
    fn find_reserve(&self, piece: &Spelling) -> Result<usize, Refusal> {
        let text = self.canonical(piece, 9)?;
        let reserve = &self.side().reserve;
        reserve.iter().position(|piece_type| piece_type.text == text).ok_or_else(|| {
            let known: Vec<&str> = reserve.iter().map(|piece_type| piece_type.text.as_str()).collect();
            let known = if known.is_empty() {
                "which is empty".to_owned()
            } else {
                format!("which holds {}", known.join(", "))
            };
            Refusal::at(9, format!("there is no {piece} in your reserve, {known}"))
        })
    }

    pub(super) fn check_purchase(&self, options: &Csipgs, piece: &Spelling) -> Result<(), Refusal> {
        let piece_type = self.find_design(piece)?;
        self.check_sale(options, piece_type).map_err(|why| Refusal::at(4, why))
    }

    /// Checks an action in the action phase.
    pub(super) fn check_action(&self, options: &Csipgs, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Move(from, to, None) => self.check_move(*from, *to),
            Action::Move(from, to, Some(then)) => self.check_double(*from, *to, *then),
            Action::Buy(_) if options.buy_in_design => {
                Err(Refusal::new("in this game pieces are bought in the design phase: move or place a piece first"))
            }
            Action::Buy(piece) => self.check_purchase(options, piece),
            Action::Transfer(piece, to) => {
                self.find_reserve(piece)?;
                let at = 9 + piece.text().len() + 1;
                if self.position.piece(*to).is_some() {
                    return Err(Refusal::at(at, format!("there is a piece on {to}: place yours on an empty square")));
                }
                if !self.drop_squares().has(*to) {
                    return Err(Refusal::at(
                        at,
                        format!(
                            "place the piece next to one of your royal pieces that is not attacked: {to} is not next to one"
                        ),
                    ));
                }
                Ok(())
            }
            Action::Design(..) | Action::Keep | Action::Invent(_) => {
                Err(Refusal::new("the action comes before the design phase: move, buy or place a piece first"))
            }
            Action::Estimate(_) => Err(Refusal::new("there is no invention to estimate")),
            Action::Army(_) | Action::Place(..) => {
                Err(Refusal::new("the armies are already set up: move, buy or place a piece from your reserve"))
            }
        }
    }

    /// Type of the mover's piece on a square.
    fn own_piece(&self, from: Square) -> Result<&Arc<PieceDesign>, Refusal> {
        match self.position.piece(from) {
            None => Err(Refusal::at(0, format!("there is no piece on {from}"))),
            Some(unit) if unit.color != self.mover => Err(Refusal::at(
                0,
                format!("the piece on {from} is {}’s, and {} is to move", unit.color.name(), self.mover.name()),
            )),
            Some(unit) => Ok(&self.roster[usize::from(unit.kind)]),
        }
    }

    fn check_move(&self, from: Square, to: Square) -> Result<(), Refusal> {
        let piece_type = self.own_piece(from)?;
        let fits = |mv: &Move| (mv.from, mv.to) == (from, to);
        if self.board.moves(&self.position).iter().any(fits) {
            Ok(())
        } else if self.board.pseudo_moves(&self.position).iter().any(fits) {
            Err(Refusal::at(2, format!("after {from}{to} your only royal piece could be captured")))
        } else {
            Err(Refusal::at(2, format!("the {} on {from} cannot go to {to}", piece_type.name)))
        }
    }

    fn check_double(&self, from: Square, to: Square, then: Square) -> Result<(), Refusal> {
        let piece_type = self.own_piece(from)?;
        if piece_type.double_moves.is_none() {
            return Err(Refusal::at(5, format!("the {} on {from} cannot move twice in a turn", piece_type.name)));
        }
        if !self.repeatable(&self.position, from).has(to) {
            return Err(Refusal::at(
                2,
                format!("the {} cannot start a move of two steps with {from}{to}", piece_type.name),
            ));
        }
        let between = self.after_step(&self.position, from, to);
        if !self.repeatable(&between, to).has(then) {
            return Err(Refusal::at(7, format!("the {} cannot continue from {to} to {then}", piece_type.name)));
        }
        if self.board.in_check(&self.after_step(&between, to, then), self.mover) {
            return Err(Refusal::at(5, "after the second step your only royal piece could be captured"));
        }
        Ok(())
    }

    /// Carries out a checked action and enters the design phase.
    pub(super) fn act(&mut self, options: &Csipgs, action: &Action) {
        match action {
            Action::Move(from, to, then) => {
                let name = self.piece_type(*from).map_or("piece", |piece_type| piece_type.display_name()).to_owned();
                let [mut text, mut words] = self.make_step(*from, *to);
                self.last = vec![*from, *to];
                if let Some(then) = then {
                    let [next, spoken] = self.make_step(*to, *then);
                    text = format!("{text}, {next}");
                    words = format!("{words}, then {spoken}");
                    self.last.push(*then);
                }
                let spoken = Some(format!("{name} from {from} {words}").into());
                let line = self.line(text, action, String::new());
                self.sheet.push(Entry { spoken, ..line });
            }
            Action::Transfer(piece, to) => {
                let index = self.find_reserve(piece).expect("the transfer was checked");
                let piece_type = self.side_mut().reserve.remove(index);
                self.put(self.mover, &piece_type, *to);
                self.position.halfmove = 0;
                self.last = vec![*to];
                let line = self.line(format!("@{to}={}", piece_type.text), action, String::new());
                self.note_about(line, "", &piece_type, format!("to {to}"));
            }
            Action::Buy(piece) => self.buy(options, piece, action),
            Action::Design(..)
            | Action::Keep
            | Action::Invent(_)
            | Action::Estimate(_)
            | Action::Army(_)
            | Action::Place(..) => {
                unreachable!("only checked actions are carried out")
            }
        }
        self.phase = Phase::Design;
    }

    /// Pays for a piece and puts it into the reserve.
    pub(super) fn buy(&mut self, options: &Csipgs, piece: &Spelling, action: &Action) {
        let piece_type = self.find_design(piece).expect("the purchase was checked").clone();
        let price = piece_type.price(options.quantum);
        let side = self.side_mut();
        side.treasury -= price;
        let left = side.treasury;
        side.reserve.push(piece_type.clone());
        self.position.halfmove = 0;
        let notes = format!("pays {}, keeps {}", money(price), money(left));
        let spoken_notes = Some(format!("pays {}, keeps {}", zorkmids(price), money(left)));
        let line = Entry { spoken_notes, ..self.line(format!("${}", piece_type.text), action, notes) };
        self.note_about(line, "buys", &piece_type, String::new());
    }

    /// Makes one step on the board. Returns its notation, and its destination in words: `takes rook on e4, check`.
    fn make_step(&mut self, from: Square, to: Square) -> [String; 2] {
        let victim = self.piece_type(to).map(|victim| victim.display_name().to_owned());
        self.position = self.after_step(&self.position, from, to);
        let check = self.board.in_check(&self.position, !self.mover);
        let (sign, words) = match victim {
            Some(victim) => ('x', format!("takes {victim} on {to}")),
            None => ('-', format!("to {to}")),
        };
        let [plus, spoken] = if check { ["+", ", check"] } else { [""; 2] };
        [format!("{from}{sign}{to}{plus}"), words + spoken]
    }

    /// Reads a new design of the mover, with its cost.
    pub(super) fn read_design(&self, options: &Csipgs, piece: &Spelling, at: usize) -> Result<PieceDesign, Refusal> {
        let (piece, exact) = piece_design::read(piece.text(), at, &self.catalogue, options.prefixes(self.turn))?;
        Ok(PieceDesign::new(piece, exact, self.board.size()))
    }

    /// Outcome at the start of a turn, if the game is over: the mover has already won, is mated, or has no action,
    /// which loses too.
    pub(super) fn outcome_at_start(&self, options: &Csipgs) -> Option<Outcome> {
        let win = |seat, reason| Some(Outcome::Win(seat, reason));
        // Possible only after army set-up: the mover could capture the opponent's royal piece at once.
        if self.board.in_check(&self.position, !self.mover) {
            return win(self.seat(), "royal piece attacked at once");
        }
        if !self.can_act(options) {
            let mate = self.board.in_check(&self.position, self.mover);
            return win(Seat::of(!self.mover), if mate { CHECKMATE } else { "no possible action" });
        }
        if !options.automatic_draws {
            None
        } else if self.occurrences() >= 5 {
            Some(Outcome::Draw("fivefold repetition"))
        } else if self.position.halfmove >= 150 {
            Some(Outcome::Draw("75 moves without a capture, a purchase or a transfer"))
        } else {
            None
        }
    }

    /// Draw that the mover may claim before acting. Purchases and transfers reset the count of moves as captures do
    /// (our reading: no piece is a pawn under the FIDE Laws).
    pub(super) fn claim(&self, options: &Csipgs) -> Option<&'static str> {
        if self.phase != Phase::Action || self.outcome.is_some() || !options.draw_claims {
            None
        } else if self.position.halfmove >= 100 {
            Some("50 moves without a capture, a purchase or a transfer")
        } else if self.occurrences() >= 3 {
            Some("threefold repetition")
        } else {
            None
        }
    }

    /// Outcome if `seat` ends the game in this way.
    pub(super) fn outcome_of_end(&self, options: &Csipgs, seat: Seat, end: End) -> Result<Outcome, Refusal> {
        if matches!(end, End::Agree | End::LeftDrawn) && !options.draw_offers {
            return Err(Refusal::new("there are no draws by agreement in this game: play on, or resign"));
        }
        let claim = || {
            if !options.draw_claims {
                return Err(Refusal::new("there are no draw claims in this game: play on, or resign"));
            }
            if self.phase != Phase::Action {
                return Err(Refusal::new("claim a draw on your own turn, before acting"));
            }
            self.claim(options).map(Outcome::Draw).ok_or_else(|| {
                Refusal::new(
                    "no draw can be claimed now: a claim needs a threefold repetition, or 50 moves in which no piece is captured, bought or placed",
                )
            })
        };
        end.outcome(seat, claim, || Outcome::Win(!seat, TIME))
    }
}
