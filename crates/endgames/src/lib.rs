#![doc = include_str!("../README.md")]

mod advice;
mod answer;
mod best_line;
mod bidding_mechanism;
mod bounded_answer;
mod certificate;
mod chip_growth;
mod chip_solver;
mod chip_thresholds;
mod class_search;
pub mod endgame;
mod export;
mod four_piece;
mod fractions;
mod linear_system;
mod move_graph;
mod open_auction;
mod position_classes;
mod position_index;
mod position_query;
pub mod reference_method;
mod research;
mod sealed_bids;
mod solve;
mod table;
mod table_cache;
mod thresholds;
mod value_pool;
mod winner_changes;

pub use zorkmid_board as board;
use zorkmid_board::text_enum;

pub use advice::{Advice, FourAdvice, FourHint, Hint, Stacks, advise, advise_of_four, is_of_four};
pub use answer::{Answer, CONTRACT, Category, Certificate, Choice, Enclosure};
pub use best_line::{BadTurns, Horizon, LineMove, MAX_HORIZON, OptimalLine, alternation, turns};
pub use bidding_mechanism::{BankShare, DeclinedMoveRule, Mechanism};
pub use bounded_answer::{BoundedAnswer, EnclosedMove, Interval};
pub use certificate::Flaw;
pub use chip_solver::{Auction, BidAnswer, MOST_CHIPS, Verdict};
pub use class_search::{Findings, PARTS, SearchCriteria, Spread, Survey};
pub use endgame::{Endgame, Side};
pub use export::{COLUMNS, export, export_binary};
pub use four_piece::{
    Columns, Core, Decisions, DecisionsFile, FourExact, FourFile, FourFiles, FourFinding, FourFindings, FourLimits,
    FourPieceMaterial, FourPiecePosition, FourProgress, FourShares, FourSought, FourTable, FourWork, LargeGap,
    NormalizedPosition, Numbering, UnknownPair, WaitingMoves, WrongFile, decide_four, decisions_file_of, file_of,
    solve_four,
};
pub use fractions::{Digits, Factorization, Fraction};
pub use move_graph::{Next, rules};
pub use open_auction::{ChipMove, Holding, OpenAuctionSolver};
pub use position_classes::{AnswerSummary, Classes, Finding};
pub use position_index::{FIRST, Id, Index, LOST, Layer, Material, Setup, WON};
pub use position_query::{Question, TableCoverage, read};
pub use research::{
    five_piece::{
        CaptureBounds, FiveCost, FiveFile, FiveFiles, FiveNumbering, FivePieceMaterial, FivePiecePosition, FiveTable,
        UnknownTrio, file_of_five, solve_five,
    },
    reproduction::{Reproduced, Reproduction},
    small_boards::{Bounds, Count, LargestGaps, PieceCounts, SMALL_COLUMNS, SmallProgress, SmallTables, Unenclosed},
    verifier::{Verified, VerifiedFive, VerifiedFour, prove, prove_five, prove_four},
};
pub use sealed_bids::Bids;
pub use solve::{Unsolved, covers, solve, solve_by, solve_from};
pub use table::{Parts, Progress, Table};
pub use table_cache::{State, Status, Tables};
pub use thresholds::{LEVELS, Thresholds};
pub use value_pool::fraction;
pub use winner_changes::{DecisionKind, WinnerChange, find_winner_changes};

/// Stop signal of a long computation: returns true once the client has gone. Discard the result of a stopped computation.
pub type Stop<'a> = &'a dyn Fn() -> bool;

/// Stop signal that never fires: the computation runs to its end.
pub const NEVER_STOP: Stop<'static> = &|| false;
