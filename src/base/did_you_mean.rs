//! Finds out which name somebody meant who wrote another one.

/// Lengths of names from which on one wrong character, and two, are a slip. In a shorter name they make another word: `sender` is no
/// slip for `sendAt`.
const ONE_SLIP_FROM: usize = 4;
const TWO_SLIPS_FROM: usize = 7;
/// Nobody means a name by a text that is longer.
const MAX_CHARS: usize = 40;

/// The name that is nearest to what was written, if it is so near that it was meant: the same but for upper and lower case, `_` and
/// `-`, or with a slip or two.
pub fn suggestion<'n>(written: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let written = letters(written);
    if written.len() > MAX_CHARS {
        return None;
    }
    let near = names.into_iter().filter_map(|name| {
        let wanted = letters(name);
        let slips = distance(&written, &wanted);
        let allowed = usize::from(wanted.len() >= ONE_SLIP_FROM) + usize::from(wanted.len() >= TWO_SLIPS_FROM);
        (slips <= allowed).then_some((slips, name))
    });
    near.min_by_key(|(slips, _)| *slips).map(|(_, name)| name)
}

/// The letters by which names are compared.
fn letters(name: &str) -> Vec<char> {
    let letters = name.chars().filter(|letter| !matches!(letter, '_' | '-' | ' '));
    letters.flat_map(char::to_lowercase).take(MAX_CHARS + 1).collect()
}

/// How many characters are left out, added, replaced or swapped with their neighbour.
fn distance(one: &[char], other: &[char]) -> usize {
    let (mut before, mut last): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..=other.len()).collect());
    for (row, letter) in one.iter().enumerate() {
        let mut costs = vec![row + 1];
        for (column, wanted) in other.iter().enumerate() {
            let at = |costs: &[usize], column: usize| costs.get(column).copied().unwrap_or(usize::MAX - 1);
            let mut cost = (at(&last, column) + usize::from(letter != wanted))
                .min(at(&last, column + 1) + 1)
                .min(at(&costs, column) + 1);
            let is_swapped =
                row > 0 && column > 0 && one.get(row - 1) == Some(wanted) && other.get(column - 1) == Some(letter);
            if is_swapped {
                cost = cost.min(at(&before, column - 1) + 1);
            }
            costs.push(cost);
        }
        before = std::mem::replace(&mut last, costs);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 8] = [
        "message",
        "recipients",
        "sourceNumber",
        "sendAt",
        "clientRef",
        "to",
        "url",
        "name",
    ];

    #[test]
    fn a_slip_is_known_as_one() {
        for (written, name) in [
            ("send_at", "sendAt"),
            ("SendAt", "sendAt"),
            ("send-at", "sendAt"),
            ("sednAt", "sendAt"),
            ("sendA", "sendAt"),
            ("source_number", "sourceNumber"),
            ("soureNumbr", "sourceNumber"),
            ("mesage", "message"),
            ("massages", "message"),
            ("recepient", "recipients"),
            ("nmae", "name"),
            ("URL", "url"),
        ] {
            assert_eq!(suggestion(written, NAMES), Some(name), "{written}");
        }
    }

    #[test]
    fn another_word_is_none() {
        for written in [
            "sender", "from", "text", "too", "uri", "id", "", "source", "number", "client", "lang", "template",
            "games", "نام",
        ] {
            assert_eq!(suggestion(written, NAMES), None, "{written}");
        }
        assert_eq!(suggestion(&"message".repeat(1_000), NAMES), None);
    }

    #[test]
    fn the_nearest_name_counts() {
        assert_eq!(suggestion("recipent", ["recipients", "recipient"]), Some("recipient"));
        assert_eq!(suggestion("recipents", ["recipient", "recipients"]), Some("recipients"));
    }
}
