//! Texts of players, read as actions: their own texts, what score sheets write, and what is said of a text that is neither.

use super::Live;
use crate::rules::{Phrase, Refusal, Seat, any_game::AnyAction};

/// The most characters of a text that a refusal repeats.
const SHORT: usize = 40;

impl Live {
    /// Reads an action's own text, or the words in which a listed choice is written for players; signs that add nothing, as in
    /// `Qxf7#`, may be left out where only one choice can be meant.
    pub(super) fn read(&self, seat: Seat, text: &str, asked: bool) -> Result<AnyAction, Refusal> {
        self.game.parse(text).or_else(|refusal: Refusal| {
            if !asked {
                return Err(refusal);
            }
            if let Some(action) = self.game.find(text) {
                return Ok(action);
            }
            let view = self.view(Some(seat));
            let choices = || view.diagram().choices.iter().flatten();
            let mut alike = choices().filter(|choice| bare(&choice.label).eq(bare(text)));
            let only = alike.next().filter(|_| alike.next().is_none());
            let choice = choices().find(|choice| choice.label == text).or(only);
            choice.map_or_else(|| Err(self.misread(seat, text, refusal)), |choice| self.game.parse(&choice.action))
        })
    }

    /// The refusal of a text that a seat which is asked has written and that is no action: where no move is asked for and the text begins
    /// with no word of this game, it tells what is asked for.
    fn misread(&self, seat: Seat, text: &str, refusal: Refusal) -> Refusal {
        let phase = self.game.phase();
        let word = |text: &str| text.split(' ').next().map(str::to_owned);
        let mut phrases = self.game.phrases().iter();
        let moves = |phrase: &Phrase| phrase.phases.contains(&phase) && phrase.text.starts_with('{');
        if phrases.any(|phrase| moves(phrase) || word(phrase.text) == word(text)) {
            return refusal;
        }
        let mut said: Vec<String> = self.game.besides(seat);
        said.extend(self.view(Some(seat)).diagram().choices.iter().flatten().map(|choice| choice.action.clone()));
        said.retain(|text| text.len() <= SHORT);
        Refusal::at(0, format!("“{text:.SHORT$}” is nothing that can be said now; write {}", said.join(", or ")))
    }
}

/// A text without the signs that a move means the same without.
fn bare(text: &str) -> impl Iterator<Item = char> {
    text.trim().chars().filter(|letter| !"+#x=!?".contains(*letter))
}
