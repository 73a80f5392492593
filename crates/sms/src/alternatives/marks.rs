//! Marks that nobody sees, where they say nothing.

use super::tables::{MARKS, stand_in};

/// The text without a byte order mark, without lines that stretch letters, and without marks of direction that repeat what a letter
/// beside them says. Source: UAX #9.
pub(super) fn without(text: &str) -> String {
    let all: Vec<char> = text.chars().collect();
    // Digits stand where the letter or the mark before them says (UAX #9, W2), so a text with digits keeps its marks of direction.
    let has_digits = all.iter().any(|character| character.is_numeric());
    let is_dropped = |index: usize, character: char| match direction_of_mark(character) {
        Some(own) => !has_digits && is_beside(&all, index, own),
        None => stand_in(&MARKS, character).is_some(),
    };
    let kept = all
        .iter()
        .enumerate()
        .filter(|(index, character)| !is_dropped(*index, **character));
    kept.map(|(_, character)| *character).collect()
}

/// Where letters run to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Left,
    Right,
}

/// The direction of a mark that has no other effect: Bidi_Class L, R and AL of characters that nobody sees.
fn direction_of_mark(character: char) -> Option<Direction> {
    match character {
        '\u{200E}' => Some(Direction::Right),
        '\u{200F}' | '\u{061C}' => Some(Direction::Left),
        _ => None,
    }
}

fn direction_of_letter(character: char) -> Option<Direction> {
    match character {
        '\u{0590}'..='\u{08FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' => {
            character.is_alphabetic().then_some(Direction::Left)
        }
        other => other.is_alphabetic().then_some(Direction::Right),
    }
}

/// Whether a letter of this direction stands beside a place, but for other marks. Then a mark of that direction at the place says
/// nothing that the letter does not say.
fn is_beside(all: &[char], index: usize, direction: Direction) -> bool {
    let is_mark = |character: &&char| direction_of_mark(**character).is_some();
    let before = all.iter().take(index).rev().find(|character| !is_mark(character));
    let behind = all.iter().skip(index).find(|character| !is_mark(character));
    [before, behind]
        .into_iter()
        .flatten()
        .any(|letter| direction_of_letter(*letter) == Some(direction))
}
