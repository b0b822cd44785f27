//! Exact values of chess endgames in which a fair coin, or an auction, decides who moves. Knows the board and no server.
//!
//! The theory is that of U. Larsson and J. Wästlund, “Endgames in bidding chess”. A position has no side to move. Its value x is
//! White's chance to win when a fair coin decides each mover, and equally the share of the money that Black may hold while White
//! still wins: x = (max over White's moves + min over Black's moves) / 2, with 1 where the black king has been captured and 0
//! where the white king has.

mod advice;
mod answer;
mod banked;
mod brief;
mod certificate;
mod chips;
mod classes;
mod components;
mod enclosed;
mod exact;
mod export;
mod factors;
mod five;
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
mod printer;
mod progress;
mod proof;
mod question;
mod reach;
mod sealed;
mod small;
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

pub use advice::{Advice, FourAdvice, FourHint, Hint, Stacks, advise, advise_of_four, is_of_four};
pub use answer::{Answer, Category, Certificate, Choice};
pub use brief::Brief;
pub use certificate::Flaw;
pub use chips::{Auction, MOST_CHIPS, Verdict};
pub use classes::{Classes, Finding};
pub use enclosed::{Enclosed, EnclosedMove, Enclosure};
pub use export::{COLUMNS, export, export_binary};
pub use factors::Factors;
pub use five::{
    Aside, FiveCost, FiveFile, FiveFiles, FiveNumbering, FiveTable, Quint, Trio, UnknownTrio, file_of_five, solve_five,
};
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
pub use printer::Printer;
pub use progress::Progress;
pub use proof::{Proved, ProvedFive, ProvedFour, prove, prove_five, prove_four};
pub use question::{Question, Standing, read};
pub use reach::{Holding, Reach, Reached};
pub use sealed::Bids;
pub use small::{Bounds, Count, Forces, SMALL_COLUMNS, SmallProgress, SmallTables, Unenclosed, Widest};
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
