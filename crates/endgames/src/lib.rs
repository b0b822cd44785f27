#![doc = include_str!("../README.md")]

mod advice;
mod answer;
mod banked;
mod brief;
mod certificate;
mod chips;
mod classes;
mod components;
mod enclosed;
pub mod endgame;
mod exact;
mod export;
mod factors;
mod four;
mod frame;
mod graph;
mod growth;
mod horizon;
mod index;
mod intervals;
mod iterate;
mod labels;
mod level;
mod mainline;
mod material;
mod mechanism;
pub mod paper;
mod progress;
mod question;
mod reach;
mod research;
mod sealed;
mod solve;
mod sought;
mod stakes;
mod survey;
mod swings;
mod table;
mod tables;
mod thresholds;
mod totals;
mod values;
mod worth;

pub use zorkmid_board as board;
use zorkmid_board::text_enum;

pub use advice::{Advice, FourAdvice, FourHint, Hint, Stacks, advise, advise_of_four, is_of_four};
pub use answer::{Answer, Category, Certificate, Choice};
pub use brief::Brief;
pub use certificate::Flaw;
pub use chips::{Auction, MOST_CHIPS, Verdict};
pub use classes::{Classes, Finding};
pub use enclosed::{Enclosed, EnclosedMove, Enclosure};
pub use endgame::{Endgame, Side};
pub use export::{COLUMNS, export, export_binary};
pub use factors::Factors;
pub use four::{
    Columns, Core, FourExact, FourFile, FourFiles, FourFinding, FourFindings, FourLimits, FourProgress, FourShares,
    FourSought, FourTable, FourWork, Framed, Numbering, Pair, Quad, UnknownPair, Waiting, Wide, WrongFile, file_of,
    solve_four,
};
pub use graph::{Next, rules};
pub use horizon::{FURTHEST, Horizon};
pub use index::{FIRST, Id, Index, LOST, Layer, Setup, WON};
pub use mainline::{BadTurns, Mainline, Played, alternation, turns};
pub use material::Material;
pub use mechanism::{Mechanism, Tax, Unwanted};
pub use progress::Progress;
pub use question::{Question, Standing, read};
pub use reach::{Holding, Reach, Reached};
pub use research::five_pieces::{
    Aside, FiveCost, FiveFile, FiveFiles, FiveNumbering, FiveTable, Quint, Trio, UnknownTrio, file_of_five, solve_five,
};
pub use research::proof::{Proved, ProvedFive, ProvedFour, prove, prove_five, prove_four};
pub use research::small_boards::{
    Bounds, Count, Forces, SMALL_COLUMNS, SmallProgress, SmallTables, Unenclosed, Widest,
};
pub use sealed::Bids;
pub use solve::{Unsolved, covers, solve, solve_by, solve_from};
pub use sought::{Findings, Sought};
pub use survey::{PARTS, Spread, Survey};
pub use swings::{Swing, swings};
pub use table::{Parts, Table};
pub use tables::{State, Status, Tables};
pub use thresholds::{LEVELS, Thresholds};
pub use values::fraction;
pub use worth::{Digits, Fraction};

/// Tells a long computation to stop because its client has gone. Whatever a stopped computation returns is to be thrown away.
pub type Stop<'a> = &'a dyn Fn() -> bool;

/// Lets a computation run to its end.
pub const TO_THE_END: Stop<'static> = &|| false;
