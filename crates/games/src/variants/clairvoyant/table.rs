//! Tables of amounts as one line of text, so that a game may have other prices: rows apart by semicolons, each a name and its
//! numbers, a number with several cases written `3/7/11`.

use crate::rules::Refusal;

/// The largest amount that a table may hold, in zorkmids.
const MOST: i64 = 1_000;

/// The number of characters of a wrong word that are quoted.
const QUOTED: usize = 20;

/// One row as it was written.
pub(super) struct TableRow<'t> {
    /// Where it begins, in bytes.
    at: usize,
    /// Its name; of a very long one, which is none, the beginning.
    pub name: &'t str,
    numbers: Vec<&'t str>,
}

/// The rows of a text.
pub(super) fn rows(text: &str) -> Vec<TableRow<'_>> {
    let mut begins = 0;
    let mut rows = Vec::new();
    for line in text.split(';') {
        let at = begins + (line.len() - line.trim_start().len());
        begins += line.len() + 1;
        let mut words = line.split_whitespace();
        if let Some(name) = words.next() {
            rows.push(TableRow { at, name: beginning(name), numbers: words.collect() });
        }
    }
    rows
}

/// As much of a word as is worth quoting.
fn beginning(word: &str) -> &str {
    &word[..word.char_indices().nth(QUOTED).map_or(word.len(), |(end, _)| end)]
}

impl TableRow<'_> {
    /// A refusal that points at this row.
    pub(super) fn refuse(&self, why: String) -> Refusal {
        Refusal::at(self.at, why)
    }

    /// Puts the numbers where they belong: each place takes as many cases as it holds, or one number for all of them.
    pub(super) fn fill(&self, places: &mut [&mut [i64]]) -> Result<(), Refusal> {
        let (wanted, name) = (places.len(), self.name);
        if self.numbers.len() != wanted {
            let given = self.numbers.len();
            return Err(self.refuse(format!("the row {name} has {wanted} amounts, and here are {given}")));
        }
        for (number, place) in self.numbers.iter().zip(places) {
            if !amounts(number, place) {
                let cases = match place.len() {
                    1 => String::new(),
                    several => format!(", or {several} of them with / between"),
                };
                let number = beginning(number);
                return Err(self.refuse(format!(
                    "“{number}” in the row {name} is not an amount: write a whole number from 0 to {MOST}{cases}"
                )));
            }
        }
        Ok(())
    }
}

/// Reads one amount into every place, or one into each.
fn amounts(text: &str, places: &mut [i64]) -> bool {
    let read = |text: &str| text.parse::<i64>().ok().filter(|amount| (0..=MOST).contains(amount));
    let Some(cases) = text.split('/').map(read).collect::<Option<Vec<i64>>>() else { return false };
    match cases.as_slice() {
        [all] => places.fill(*all),
        cases if cases.len() == places.len() => places.copy_from_slice(cases),
        _ => return false,
    }
    true
}
