//! Alternatives to a text: they read the same and cost less.
//!
//! An alternative has look-alikes of the GSM alphabet, lacks what nobody sees, or takes the other encoding where its parts are
//! cheaper. It never transliterates: a reader sees the same text. So the invariants are that each alternative costs less than the
//! text, and that the cheapest one has no alternatives.
//!
//! Sources: TS 23.038 §6.2.1 for the alphabet; the Unicode Character Database for names and Bidi_Class; UAX #15 for NFC; UAX #9
//! for the marks of direction.

use icu_normalizer::ComposingNormalizerBorrowed;

use super::text::{Encoding, Segmentation, segment};

/// What differs between a text and an alternative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Invisible marks and stretched letters' lines are gone.
    Marks,
    /// Characters and their accents became one character (NFC).
    Composed,
    /// Blanks at the ends of lines and of the text are gone.
    Blanks,
    /// Quotes, dashes, spaces and dots became those of the GSM alphabet.
    LookAlikes,
    /// Persian and Arabic digits in a Latin text became Latin ones.
    Digits,
    /// A space became one that does not break, so that the text is sent in UCS-2.
    NoBreakSpace,
}

impl Change {
    /// All changes.
    pub const ALL: [Change; 6] = [
        Change::Marks,
        Change::Composed,
        Change::Blanks,
        Change::LookAlikes,
        Change::Digits,
        Change::NoBreakSpace,
    ];

    /// Its name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Change::Marks => "MARKS",
            Change::Composed => "COMPOSED",
            Change::Blanks => "BLANKS",
            Change::LookAlikes => "LOOK_ALIKES",
            Change::Digits => "DIGITS",
            Change::NoBreakSpace => "NO_BREAK_SPACE",
        }
    }
}

/// A text that reads like another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative {
    /// The text.
    pub text: String,
    /// What has changed.
    pub changes: Vec<Change>,
}

impl Alternative {
    fn of(text: &str) -> Self {
        Alternative {
            text: text.to_owned(),
            changes: Vec::new(),
        }
    }

    fn with(mut self, change: Change, text: String) -> Self {
        if text != self.text {
            self.text = text;
            if !self.changes.contains(&change) {
                self.changes.push(change);
            }
        }
        self
    }
}

/// An alternative with its price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Priced {
    /// The alternative.
    pub alternative: Alternative,
    /// How it is sent.
    pub segmentation: Segmentation,
    /// What it costs, in minor units.
    pub cost: i64,
}

/// The alternatives to a text, the cheapest first. `cost` is the price of a text that is sent so; `None`: it can't be sent.
pub fn alternatives(text: &str, mut cost: impl FnMut(Segmentation) -> Option<i64>) -> Vec<Priced> {
    let Some(given) = cost(segment(text)) else {
        return Vec::new();
    };
    let mut priced = |alternative: Alternative| {
        let segmentation = segment(&alternative.text);
        let cost = cost(segmentation).filter(|cost| *cost < given)?;
        Some(Priced {
            alternative,
            segmentation,
            cost,
        })
    };
    let mut found: Vec<Priced> = rewritten(text).into_iter().filter_map(&mut priced).collect();
    // The sort is stable: of two that cost the same, the one with fewer changes stays first.
    found.sort_by_key(|priced| priced.cost);
    found
}

/// The texts that read like a text and differ from it, each once, those with fewer changes first.
fn rewritten(text: &str) -> Vec<Alternative> {
    let tidy = tidy(text);
    let latin = latin(&tidy);
    let wide = latin.as_ref().and_then(wide);
    let mut found: Vec<Alternative> = Vec::new();
    for one in [Some(tidy), latin, wide].into_iter().flatten() {
        let is_new = one.text != text && found.iter().all(|known| known.text != one.text);
        if is_new && !one.text.trim().is_empty() {
            found.push(one);
        }
    }
    found
}

/// The text without what nobody sees.
fn tidy(text: &str) -> Alternative {
    let mut tidied = Alternative::of(text);
    // A mark may keep a letter from its accent, and a letter without its accent may keep a mark. Each further round drops a mark.
    loop {
        let before = tidied.text.clone();
        let unmarked = without_marks(&before);
        tidied = tidied.with(Change::Marks, unmarked);
        let composed = ComposingNormalizerBorrowed::new_nfc()
            .normalize(&tidied.text)
            .into_owned();
        tidied = tidied.with(Change::Composed, composed);
        if tidied.text == before {
            break;
        }
    }
    let lines: Vec<&str> = tidied.text.trim_end().split('\n').map(str::trim_end).collect();
    let trimmed = lines.join("\n");
    tidied.with(Change::Blanks, trimmed)
}

/// U+FEFF, a byte order mark that an editor has left in the text.
const BYTE_ORDER_MARK: char = '\u{FEFF}';
/// U+0640, the line that stretches a letter.
const TATWEEL: char = '\u{0640}';

fn without_marks(text: &str) -> String {
    let all: Vec<char> = text.chars().collect();
    // Digits stand where the letter or the mark before them says (UAX #9, W2), so a text with digits keeps its marks of direction.
    let has_digits = all.iter().any(|character| character.is_numeric());
    let is_dropped = |index: usize, character: char| match character {
        BYTE_ORDER_MARK | TATWEEL => true,
        other => !has_digits && direction_of_mark(other).is_some_and(|own| is_beside(&all, index, own)),
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

/// The text in the GSM alphabet, if it has none but look-alikes of it.
fn latin(tidied: &Alternative) -> Option<Alternative> {
    let all = tidied.text.chars();
    let looking: String = all
        .map(|character| look_alike(character).map_or_else(|| character.into(), str::to_owned))
        .collect();
    let tidied = tidied.clone().with(Change::LookAlikes, looking);
    let digits = tidied.text.chars().map(latin_digit).collect();
    let tidied = tidied.with(Change::Digits, digits);
    (segment(&tidied.text).encoding == Encoding::Gsm7).then_some(tidied)
}

/// What of the GSM alphabet looks like a character.
fn look_alike(character: char) -> Option<&'static str> {
    match character {
        // Quotation marks, primes, the modifier letter apostrophe and the acute accent, which keyboards put in its place.
        '‘' | '’' | '‚' | '‛' | '′' | 'ʼ' | '´' => Some("'"),
        '“' | '”' | '„' | '‟' | '″' => Some("\""),
        // Hyphens, dashes, the horizontal bar and the minus sign.
        '\u{2010}'..='\u{2015}' | '\u{2212}' => Some("-"),
        // The ellipsis.
        '…' => Some("..."),
        // Spaces of other widths, those that do not break, and the tab.
        '\t' | '\u{00A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' => Some(" "),
        _ => None,
    }
}

/// Persian digits (U+06F0) and Arabic ones (U+0660) as Latin ones.
fn latin_digit(character: char) -> char {
    let zero = match character {
        '۰'..='۹' => '۰',
        '٠'..='٩' => '٠',
        other => return other,
    };
    let value = u32::from(character).saturating_sub(u32::from(zero));
    char::from_digit(value, 10).unwrap_or(character)
}

/// U+00A0, which UCS-2 has and the GSM alphabet has not.
const NO_BREAK_SPACE: char = '\u{00A0}';

/// A text of the GSM alphabet as one that is sent in UCS-2: its first space between two letters does not break. `None`: it has no such
/// space. A space beside a digit or a sign stays, because phones and programs look there for codes and links.
fn wide(latin: &Alternative) -> Option<Alternative> {
    let mut before = None;
    let mut characters = latin.text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let behind = characters.peek().map(|(_, next)| *next);
        let is_between = [before, behind]
            .iter()
            .all(|side| side.is_some_and(char::is_alphabetic));
        if character == ' ' && is_between {
            let (head, tail) = (latin.text.get(..at)?, latin.text.get(at..)?.strip_prefix(' ')?);
            let text = format!("{head}{NO_BREAK_SPACE}{tail}");
            return Some(latin.clone().with(Change::NoBreakSpace, text));
        }
        before = Some(character);
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Change::*;
    use super::*;
    use crate::sms::msisdn::Operator;
    use crate::sms::price::{Coefficient, Coefficients, Operation, price};

    /// The price of a part, and the coefficient of Latin texts: in Iran a Latin part costs about 2.4 Persian ones.
    const PART: i64 = 1_000;
    const LATIN: f64 = 2.4;

    fn costs(segmentation: Segmentation, latin: f64) -> Option<i64> {
        let coefficients = Coefficients {
            english: Coefficient::from_f64(latin).unwrap(),
            ..Coefficients::default()
        };
        let Segmentation { parts, encoding, .. } = segmentation;
        price(
            parts,
            PART,
            &coefficients,
            encoding,
            Operator::Mci,
            Operation::Webservice,
        )
    }

    fn iranian(segmentation: Segmentation) -> Option<i64> {
        costs(segmentation, LATIN)
    }

    fn alike(segmentation: Segmentation) -> Option<i64> {
        costs(segmentation, 1.0)
    }

    #[track_caller]
    fn assert_cheapest(
        text: &str,
        prices: impl Fn(Segmentation) -> Option<i64>,
        expected: Option<(&str, &[Change], i64, i64)>,
    ) {
        let given = prices(segment(text)).unwrap();
        let found = alternatives(text, prices);
        let found = found.first().map(|cheaper| {
            (
                cheaper.alternative.text.as_str(),
                cheaper.alternative.changes.as_slice(),
                given,
                cheaper.cost,
            )
        });
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn a_latin_text_is_sent_in_the_other_encoding_where_its_parts_cost_more() {
        let short = "Your order is on its way";
        assert_cheapest(
            short,
            iranian,
            Some(("Your\u{A0}order is on its way", &[NoBreakSpace], 2_400, 1_000)),
        );
        assert_cheapest(short, alike, None);
        // 140 letters are one Latin part or three of UCS-2: 2,400 against 3,000.
        let long = format!("a {}", "b".repeat(138));
        assert_cheapest(&long, iranian, None);
        // 134 are two parts of 67: 2,000.
        let fits = format!("a {}", "b".repeat(132));
        let wide = format!("a\u{A0}{}", "b".repeat(132));
        assert_cheapest(&fits, iranian, Some((&wide, &[NoBreakSpace], 2_400, 2_000)));
    }

    #[test]
    fn look_alikes_bring_a_latin_text_into_the_alphabet_where_that_costs_less() {
        let text = format!("“It’s ready” – come… {}", "b".repeat(60));
        let plain = format!("\"It's ready\" - come... {}", "b".repeat(60));
        assert_cheapest(&text, alike, Some((&plain, &[LookAlikes], 2_000, 1_000)));
        assert_cheapest(&text, iranian, None);
        let digits = format!("Code ۱۲۳۴ {}", "b".repeat(61));
        let latin = format!("Code 1234 {}", "b".repeat(61));
        assert_cheapest(&digits, alike, Some((&latin, &[Digits], 2_000, 1_000)));
    }

    #[test]
    fn a_persian_text_keeps_its_letters_and_digits() {
        let text = format!("کد شما ۱۲۳۴ است… {}", "ب".repeat(60));
        assert_cheapest(&text, alike, None);
        assert_cheapest(&text, iranian, None);
    }

    #[test]
    fn what_nobody_sees_is_dropped_where_that_saves_a_part() {
        let full = "ب".repeat(70);
        for (text, changes) in [
            (format!("\u{FEFF}{full}"), [Marks]),
            (format!("ب\u{0640}{}", "ب".repeat(69)), [Marks]),
            (format!("{full}\u{200F}"), [Marks]),
            (format!("{full}  "), [Blanks]),
            (format!("{full}\n\n"), [Blanks]),
        ] {
            assert_cheapest(&text, alike, Some((&full, &changes, 2_000, 1_000)));
        }
        let composed = format!("آ{}", "ب".repeat(69));
        let decomposed = format!("ا\u{0653}{}", "ب".repeat(69));
        assert_cheapest(&decomposed, alike, Some((&composed, &[Composed], 2_000, 1_000)));
    }

    #[test]
    fn a_mark_that_says_something_stays() {
        let rest = "ب".repeat(62);
        for text in [
            // Before a sign between two directions, and in texts with digits.
            format!("abc !\u{200F} {rest} "),
            format!("{rest}\u{200F} 12-34"),
            format!("\u{200E}+98912 {rest}"),
            // Joiners are part of the word.
            format!("می\u{200C}خواهم {rest}"),
        ] {
            let marks = |text: &str| text.chars().filter(|c| matches!(c, '\u{200C}'..='\u{200F}')).count();
            assert_eq!(marks(&tidy(&text).text), marks(&text), "{text:?}");
        }
    }

    #[test]
    fn every_look_alike_is_outside_the_alphabet_and_its_stand_in_within() {
        let mut seen = 0;
        for character in '\0'..=char::MAX {
            let Some(stand_in) = look_alike(character) else {
                continue;
            };
            seen += 1;
            assert_eq!(
                segment(&character.to_string()).encoding,
                Encoding::Ucs2,
                "{character:?}"
            );
            assert_eq!(segment(stand_in).encoding, Encoding::Gsm7, "{character:?}");
        }
        assert_eq!(seen, 35);
    }

    #[test]
    fn a_text_of_marks_alone_has_no_alternative() {
        assert_eq!(rewritten("\u{FEFF}\u{0640}"), []);
    }

    /// What a reader sees, by a table of its own.
    fn seen(text: &str) -> String {
        let unmarked = text.replace(['\u{FEFF}', '\u{0640}', '\u{200E}', '\u{200F}', '\u{061C}'], "");
        let composed = ComposingNormalizerBorrowed::new_nfc()
            .normalize(&unmarked)
            .replace('…', "...");
        let shown = composed.chars().map(|character| match character {
            '‘' | '’' | '‚' | '‛' | '′' | 'ʼ' | '´' => '\'',
            '“' | '”' | '„' | '‟' | '″' => '"',
            '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => '-',
            '۰'..='۹' | '٠'..='٩' => '#',
            digit if digit.is_ascii_digit() => '#',
            '\n' => '\n',
            blank if blank.is_whitespace() => ' ',
            other => other,
        });
        let shown: String = shown.collect();
        let lines: Vec<&str> = shown.trim_end().split('\n').map(str::trim_end).collect();
        lines.join("\n")
    }

    fn texts() -> impl Strategy<Value = String> {
        let latin = "[a-zA-Z0-9 ’“”–—…\u{A0}۰-۹٠-٩\u{200E}\n]";
        let persian = "[آ-ی\u{200C}\u{200F}\u{0640}\u{0653} ۰-۹،.!\n]";
        let mixed = "[a-z آ-ی\u{200E}\u{200F}\u{FEFF}0-9 “”…€{}é\n]";
        let patterns: Vec<String> = [latin, persian, mixed]
            .iter()
            .flat_map(|class| {
                ["{1,20}", "{60,80}", "{125,165}", "{300,330}"]
                    .iter()
                    .map(move |length| format!("{class}{length}"))
            })
            .collect();
        prop::sample::select(patterns).prop_flat_map(|pattern| proptest::string::string_regex(&pattern).unwrap())
    }

    proptest! {
        #[test]
        fn an_alternative_costs_less_and_reads_the_same_and_the_cheapest_has_none(
            text in texts(), latin in prop_oneof![Just(1.0), Just(2.4), Just(0.5)],
        ) {
            let prices = |segmentation| costs(segmentation, latin);
            let given = prices(segment(&text)).unwrap();
            let found = alternatives(&text, prices);
            let mut before = 0;
            for cheaper in &found {
                prop_assert!(cheaper.cost < given && cheaper.cost >= before);
                prop_assert_eq!(cheaper.segmentation, segment(&cheaper.alternative.text));
                prop_assert_eq!(Some(cheaper.cost), prices(cheaper.segmentation));
                prop_assert_eq!(seen(&cheaper.alternative.text), seen(&text));
                prop_assert!(!cheaper.alternative.changes.is_empty());
                before = cheaper.cost;
            }
            if let Some(cheapest) = found.first() {
                let again = super::alternatives(&cheapest.alternative.text, prices);
                prop_assert_eq!(again, vec![]);
            }
        }

        #[test]
        fn tidying_twice_is_tidying_once(text in texts()) {
            let once = tidy(&text);
            prop_assert_eq!(tidy(&once.text), Alternative::of(&once.text));
        }
    }
}
