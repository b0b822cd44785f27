//! The variants of a file as designs and armies, and the lines that have no counterpart.

use std::sync::Arc;

use crate::{
    board::Betza,
    variants::csipgs::price::{Catalogue, Exact},
};

/// A line, or a part of one, that has no counterpart here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unread {
    /// The number of the line, from 1.
    pub line: usize,
    /// The line.
    pub text: String,
    /// The reason why it was left out.
    pub why: String,
}

/// A piece of a variant that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForeignPiece {
    /// Its upper-case letter.
    pub letter: char,
    /// Its name there, as `knight` or `customPiece1`.
    pub name: String,
    /// Its moves in the words of the file.
    pub theirs: String,
    /// The same piece as a design with its exact cost; nothing if no part of it could be read.
    pub ours: Option<Arc<(Betza, Exact)>>,
    /// The parts of it that could not be read.
    pub unread: Vec<String>,
}

/// A variant that was read.
#[derive(Clone, Debug)]
pub struct Foreign {
    /// Its name.
    pub name: String,
    /// Its pieces, in the order of their letters.
    pub pieces: Arc<[ForeignPiece]>,
    /// The inventions that its pieces need, each at an estimate of 1 until players estimate it.
    pub inventions: Catalogue,
    /// The start as it stands in the file.
    pub start: String,
    /// The army of each seat as it is said in csipgs chess, or why there is none.
    pub armies: [Result<String, String>; 2],
    /// The lines that have no counterpart.
    pub unread: Vec<Unread>,
}
