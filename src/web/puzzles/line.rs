//! The line of a solution, for replay on the board: the solution, and the play that wins after it.

use crate::{
    board::{Color, Position, Uci},
    puzzles::{AuctionState, Puzzle, PuzzleKind, Scene, TOTAL},
    richman::{Question, Table, read, rules},
    rules::{Input, Side},
    variants::clairvoyant::Clairvoyant,
    web::board_view::{Figure, Mark},
};

/// Most moves of a line.
const LONGEST: usize = 40;

/// A move of a line, with the board after it.
pub(super) struct LineStep {
    /// The move in words, with the bid that decided who moves.
    pub(super) words: String,
    /// The board.
    pub(super) figure: Figure,
    /// White's and Black's chips or zorkmids, where the puzzle has some.
    pub(super) stacks: Option<[i64; 2]>,
}

/// The line of a puzzle's solution; empty where the solution is no move and decides no move.
pub(super) fn of(puzzle: &Puzzle, table: &Table) -> Vec<LineStep> {
    match (&puzzle.scene, puzzle.kind) {
        (Scene::Endgames(questions, Some(staked)), _) => {
            questions.first().map_or(Vec::new(), |question| auction(puzzle, question, *staked, table))
        }
        (Scene::Endgames(questions, None), PuzzleKind::CoinMove | PuzzleKind::Promotion) => {
            questions.first().map_or(Vec::new(), |question| coin(puzzle, question, table))
        }
        (Scene::Clairvoyant(_), PuzzleKind::Mate) => turn(puzzle),
        (Scene::Endgames(..) | Scene::Clairvoyant(_) | Scene::Csipgs(_), _) => Vec::new(),
    }
}

/// The position with a side to move.
fn to_move(question: &Question, side: Color) -> Position {
    let mut position = question.position;
    position.turn = side;
    position
}

fn name(side: Color) -> &'static str {
    Side::from(side).words()
}

/// An endgame that is being played.
struct Endgame<'t> {
    table: &'t Table,
    question: Question,
    /// White's and Black's chips, where there are some.
    stacks: Option<[i64; 2]>,
    steps: Vec<LineStep>,
}

impl Endgame<'_> {
    fn new<'t>(question: &Question, stacks: Option<[i64; 2]>, table: &'t Table) -> Endgame<'t> {
        Endgame { table, question: question.clone(), stacks, steps: Vec::new() }
    }

    /// The best move of a side by the value of the position, and among equal ones the fastest.
    fn best(&self, side: Color) -> Option<String> {
        let line = self.question.mainline(self.table, &[side]);
        line.moves.into_iter().next().map(|played| played.uci)
    }

    /// Plays a move in UCI; `words` describes it, given its SAN. `None` if the line ends, with or without the move.
    fn play(&mut self, side: Color, uci: &str, words: impl Fn(&str) -> String) -> Option<()> {
        let board = rules(self.question.size);
        let from = to_move(&self.question, side);
        let moves = board.moves(&from);
        let mv = board.find_among(&moves, uci.parse::<Uci>().ok()?)?;
        let after = board.after(&from, mv);
        let mut figure = Figure::of(board, &after);
        figure.mark(mv.from, Mark::From);
        figure.mark(mv.to, Mark::To);
        let words = words(&board.san_among(&from, mv, &moves));
        self.steps.push(LineStep { words, figure, stacks: self.stacks });
        self.question = read(&board.placement_fen(&after)).ok()?;
        (self.steps.len() < LONGEST && self.question.without_table().is_none()).then_some(())
    }
}

/// The solution of a coin puzzle, and the shortest win of the side if it wins every toss.
fn coin(puzzle: &Puzzle, question: &Question, table: &Table) -> Vec<LineStep> {
    let side = puzzle.side;
    let mut game = Endgame::new(question, None, table);
    let mut next = match puzzle.kind {
        // The solution is a piece.
        PuzzleKind::Promotion => {
            let board = rules(question.size);
            let moves = board.moves(&to_move(question, side));
            let mut moves = moves.into_iter().filter(|mv| mv.promotion.is_some()).map(|mv| board.uci(mv).to_string());
            moves.find(|uci| uci.ends_with(&puzzle.solution))
        }
        _ => Some(puzzle.solution.clone()),
    };
    while let Some(uci) = next {
        let played = game.play(side, &uci, |san| format!("{} wins the toss: {san}", name(side)));
        next = played.and_then(|()| game.best(side));
    }
    game.steps
}

/// The solution of a puzzle with chips, and a win against stubborn bids and answers.
fn auction(puzzle: &Puzzle, question: &Question, staked: AuctionState, table: &Table) -> Vec<LineStep> {
    let (side, other) = (puzzle.side, !puzzle.side);
    let mut game = Endgame::new(question, Some(staked.chips), table);
    let mut theirs = staked.chips[other.index()];
    let mut bidder = if puzzle.kind == PuzzleKind::Answer { other } else { side };
    if puzzle.kind == PuzzleKind::PaidMove
        && game.play(side, &puzzle.solution, |san| format!("{} has paid and moves: {san}", name(side))).is_none()
    {
        return game.steps;
    }
    while let Some(holding) = game.question.holding(table, side, TOTAL as u32) {
        let reach = holding.reach;
        let first = game.steps.is_empty();
        let bid = match puzzle.kind {
            PuzzleKind::LeastBid if first => puzzle.solution.parse().unwrap_or_default(),
            PuzzleKind::Answer if first => staked.bid.unwrap_or_default(),
            _ if bidder == side => reach.gives_from(theirs),
            // Both answers to this bid leave the side as little as possible.
            _ => (reach.most - reach.least).div_euclid(2).clamp(theirs - TOTAL, theirs),
        };
        // Chips to spare after each answer: if the side pays the bid and moves, and if it takes the bid.
        let [paid, taken] = [reach.most - theirs - bid, reach.least - theirs + bid];
        let moves = match bidder == side {
            true => paid <= taken || bid > theirs,
            false if first => puzzle.solution == "reject",
            false => paid >= taken,
        };
        theirs += if moves { bid } else { -bid };
        let mover = if moves { side } else { other };
        let best = game.best(mover);
        // The fastest of the moves for which the side can pay.
        let enough = |uci: &String| holding.moves.iter().any(|known| known.uci == *uci && known.most >= theirs);
        let safest = || holding.moves.iter().max_by_key(|known| known.most).map(|known| known.uci.clone());
        let chosen = if moves { best.filter(enough).or_else(safest) } else { best };
        let Some(uci) = chosen else { break };
        let answer = if mover == bidder { "accepts" } else { "rejects" };
        let [white, black] = if side == Color::White { [TOTAL - theirs, theirs] } else { [theirs, TOTAL - theirs] };
        game.stacks = Some([white, black]);
        let words = |san: &str| {
            let (asks, answers, moves) = (name(bidder), name(!bidder), name(mover));
            format!("{asks} bids {bid}, {answers} {answer}, {moves} moves {san}. White has {white}, Black {black}")
        };
        if game.play(mover, &uci, words).is_none() {
            break;
        }
        bidder = mover;
    }
    game.steps
}

/// The parts of a mating turn.
fn turn(puzzle: &Puzzle) -> Vec<LineStep> {
    let said = puzzle.said(&puzzle.solution);
    let ends = puzzle.solution.match_indices(' ').map(|(at, _)| at).chain([puzzle.solution.len()]);
    let step = |end: usize| {
        let played = &puzzle.solution[..end];
        let diagram = puzzle.scene.drafted(played)?;
        let part = said.split(' ').nth(played.matches(' ').count()).unwrap_or_default();
        let mut figure = super::puzzle_board::turned(Figure::of_diagram(&diagram), puzzle.side);
        if let Some((from, to)) = puzzle.shown().get(played.matches(' ').count()) {
            figure.mark(*from, Mark::From);
            figure.mark(*to, Mark::To);
        }
        Some(LineStep { words: format!("{} plays {part}", name(puzzle.side)), figure, stacks: left(puzzle, played) })
    };
    ends.filter_map(step).collect()
}

/// White's and Black's zorkmids after the first parts of a turn.
fn left(puzzle: &Puzzle, played: &str) -> Option<[i64; 2]> {
    let Scene::Clairvoyant(state) = &puzzle.scene else { return None };
    let draft = Clairvoyant::default().draft(state, state.mover(), played)?.draft?;
    let mut stacks = puzzle.scene.zorkmids()?;
    stacks[puzzle.side.index()] = draft.left;
    Some(stacks)
}
