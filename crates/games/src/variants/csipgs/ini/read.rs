//! Reading a file of variants line by line, within limits on its size.

use super::{
    foreign::{Foreign, Unread},
    section::Section,
    translation::Translation,
};
use crate::rules::Refusal;

/// The most lines of a file.
const MOST_LINES: usize = 8_000;
/// The most variants of a file.
const MOST_VARIANTS: usize = 400;
/// The most pieces of all variants of a file together, inherited ones included.
const MOST_PIECES: usize = 6_000;
/// The most bytes of the texts of all those pieces together.
const MOST_TEXT: usize = 512 * 1024;

/// Reads the variants of a file, and the lines before the first of them that say nothing.
///
/// # Errors
/// Names the limit of a file that has too many lines, variants or pieces.
pub fn read(text: &str) -> Result<(Vec<Foreign>, Vec<Unread>), Refusal> {
    let mut sections: Vec<Section> = Vec::new();
    let mut stray = Vec::new();
    let mut pieces = 0;
    for (number, line) in (1..).zip(text.lines()) {
        if number > MOST_LINES {
            return Err(Refusal::new(format!("a file has at most {MOST_LINES} lines: split it")));
        }
        let line = line.trim().trim_start_matches('\u{feff}');
        if line.is_empty() || line.starts_with('#') || line.starts_with(';') {
            continue;
        }
        let unread = |why: &str| Unread { line: number, text: line.chars().take(200).collect(), why: why.to_owned() };
        match (line.strip_prefix('[').map(|head| head.split_once(']')), sections.last_mut()) {
            (Some(Some((head, _))), _) => {
                if sections.len() == MOST_VARIANTS {
                    return Err(Refusal::new(format!("a file has at most {MOST_VARIANTS} variants: split it")));
                }
                sections.push(Section::begin(head, &sections, unread));
            }
            (Some(None), _) => stray.push(unread("a section is written [name] or [name:parent]")),
            (None, None) => stray.push(unread("this stands before the first [name] of a variant")),
            (None, Some(section)) => {
                pieces -= section.variant.pieces.len();
                section.take(line, unread);
            }
        }
        pieces += sections.last().map_or(0, |section| section.variant.pieces.len());
        if pieces > MOST_PIECES {
            let why = format!(
                "the variants of a file have at most {MOST_PIECES} pieces together, inherited ones included: split it"
            );
            return Err(Refusal::new(why));
        }
    }
    let mut translation = Translation::default();
    let mut bytes = 0;
    let mut variants = Vec::with_capacity(sections.len());
    for section in sections {
        let (foreign, text) = translation.of(section);
        variants.push(foreign);
        bytes += text;
        if bytes > MOST_TEXT {
            let why = format!(
                "the pieces of a file have at most {MOST_TEXT} bytes of text together, inherited ones included: split it"
            );
            return Err(Refusal::new(why));
        }
    }
    Ok((variants, stray))
}
