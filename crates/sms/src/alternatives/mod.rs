//! Alternatives to a text: they read the same and cost less.
//!
//! An alternative has look-alikes of the GSM alphabet, lacks what nobody sees, or takes the other encoding where its parts are
//! cheaper. It never transliterates: a reader sees the same text. So the invariants are that each alternative costs less than the
//! text, and that the cheapest one has no alternatives.
//!
//! Sources: TS 23.038 §6.2.1 for the alphabet; UAX #15 for NFC; those of the [`tables`].

mod change;
mod marks;
pub mod tables;

use std::borrow::Cow;

use icu_normalizer::ComposingNormalizerBorrowed;

use super::text::{Encoding, Segmentation, segment};
pub use change::Change;
use tables::{DIGITS, LETTERS, LOOK_ALIKES, NO_BREAK_SPACE, Table, stand_in};

impl Change {
    /// The text with this change.
    fn made_in(self, text: &str) -> Cow<'_, str> {
        match self {
            Change::Marks => marks::without(text).into(),
            Change::Composed => ComposingNormalizerBorrowed::new_nfc().normalize(text),
            Change::Letters => with_persian_letters(text),
            Change::Blanks => trimmed(text).into(),
            Change::LookAlikes => replaced(text, &LOOK_ALIKES).into(),
            Change::Digits => replaced(text, &DIGITS).into(),
            Change::NoBreakSpace => with_no_break_space(text).map_or(text.into(), Cow::Owned),
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

    fn with(mut self, change: Change) -> Self {
        let changed = change.made_in(&self.text);
        if *changed != *self.text {
            self.text = changed.into_owned();
            if !self.changes.contains(&change) {
                self.changes.push(change);
            }
        }
        self
    }

    /// Another text with the changes that this one has. It is for one that differs from the given text in what is redacted.
    pub fn likewise(&self, other: &str) -> String {
        let made = |text: String, change: &Change| change.made_in(&text).into_owned();
        self.changes.iter().fold(other.to_owned(), made)
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
    let wide = latin.as_ref().map(|latin| latin.clone().with(Change::NoBreakSpace));
    let mut found: Vec<Alternative> = Vec::new();
    for one in [Some(tidy), latin, wide].into_iter().flatten() {
        let is_new = one.text != text && found.iter().all(|known| known.text != one.text);
        // A link with another character leads elsewhere, however alike the two look.
        let is_same = !one.text.trim().is_empty() && links(&one.text).eq(links(text));
        if is_new && is_same {
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
        tidied = tidied.with(Change::Marks).with(Change::Composed);
        if tidied.text == before {
            break;
        }
    }
    tidied.with(Change::Letters).with(Change::Blanks)
}

/// The text in the GSM alphabet, if it has none but look-alikes of it.
fn latin(tidied: &Alternative) -> Option<Alternative> {
    let latin = tidied.clone().with(Change::LookAlikes).with(Change::Digits);
    (segment(&latin.text).encoding == Encoding::Gsm7).then_some(latin)
}

fn trimmed(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().split('\n').map(str::trim_end).collect();
    lines.join("\n")
}

fn replaced(text: &str, table: &Table) -> String {
    replaced_where(text, table, |_| true)
}

/// The text with what stands for the characters of a table, where the next character allows it.
fn replaced_where(text: &str, table: &Table, is_replaced_before: impl Fn(Option<char>) -> bool) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match stand_in(table, character).filter(|_| is_replaced_before(characters.peek().copied())) {
            Some(stand_in) => replaced.push_str(stand_in),
            None => replaced.push(character),
        }
    }
    replaced
}

/// A Persian text with Persian letters, where the Arabic ones look like them.
fn with_persian_letters(text: &str) -> Cow<'_, str> {
    if !text.contains(is_persian) {
        return text.into();
    }
    replaced_where(text, &LETTERS, |next| next.is_some_and(joins_the_one_before)).into()
}

/// Whether Persian has a letter and Arabic has not.
fn is_persian(character: char) -> bool {
    matches!(character, 'پ' | 'چ' | 'ژ' | 'گ' | 'ک' | 'ی')
}

/// Whether a letter joins the one before it: Joining_Type R or D of the letters of Arabic and Persian.
fn joins_the_one_before(character: char) -> bool {
    matches!(character, '\u{0622}'..='\u{063A}' | '\u{0641}'..='\u{064A}') || is_persian(character)
}

/// A text as one that is sent in UCS-2: its first space between two letters does not break. `None`: it has no such space. A space
/// beside a digit, a sign or a link stays, because phones and programs look there for codes and links.
fn with_no_break_space(text: &str) -> Option<String> {
    let [(space, no_break_space)] = NO_BREAK_SPACE.pairs else {
        return None;
    };
    text.match_indices(*space).find_map(|(at, found)| {
        let (before, behind) = (text.get(..at)?, text.get(at + found.len()..)?);
        let words = [
            before.rsplit(char::is_whitespace).next()?,
            behind.split(char::is_whitespace).next()?,
        ];
        let is_between = before.ends_with(char::is_alphabetic) && behind.starts_with(char::is_alphabetic);
        (is_between && words.into_iter().all(is_word)).then(|| [before, *no_break_space, behind].concat())
    })
}

/// Whether what stands between two blanks is a word, and no link.
fn is_word(text: &str) -> bool {
    let word = text.trim_matches(|character: char| character.is_ascii_punctuation());
    word.chars().all(char::is_alphabetic)
}

/// The links in a text, without the signs around them.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split_whitespace();
    let inner = words.map(|word| word.trim_matches(|character: char| !character.is_alphanumeric() && character != '/'));
    inner.filter(|word| word.contains("://") || word.starts_with("www."))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Change::*;
    use super::*;
    use crate::msisdn::Operator;
    use crate::price::{Coefficient, Coefficients, Operation, price};

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
        for (character, stand_in) in LOOK_ALIKES.pairs.iter().chain(DIGITS.pairs) {
            let encoding = |text: &str| segment(text).encoding;
            assert_eq!(encoding(&character.to_string()), Encoding::Ucs2, "{character:?}");
            assert_eq!(encoding(stand_in), Encoding::Gsm7, "{character:?}");
        }
    }

    #[test]
    fn a_table_has_each_character_once_and_leads_nowhere_further() {
        for table in tables::TABLES {
            for (index, (character, stand_in)) in table.pairs.iter().enumerate() {
                let others = table.pairs.iter().skip(index + 1);
                assert!(others.clone().all(|(other, _)| other != character), "{character:?}");
                assert_eq!(table.change.made_in(stand_in), *stand_in, "{character:?}");
            }
        }
    }

    #[test]
    fn arabic_letters_become_persian_ones_where_they_are_joined_and_the_text_is_persian() {
        for (text, expected) in [
            // Initial and medial; at the end of a word and alone they look different.
            ("ياد گل", "یاد گل"),
            ("كتاب پيمان", "کتاب پیمان"),
            ("علي پدر", "علي پدر"),
            ("خاك پدر", "خاك پدر"),
            ("ي پ ك", "ي پ ك"),
            // Before what does not join: a hamza, a mark, a joiner.
            ("شيء پ", "شيء پ"),
            ("يُ پ", "يُ پ"),
            ("مي\u{200C}روم پ", "مي\u{200C}روم پ"),
            // Arabic has its own letters.
            ("كتاب يا", "كتاب يا"),
        ] {
            assert_eq!(with_persian_letters(text), expected, "{text:?}");
        }
    }

    #[test]
    fn persian_letters_alone_save_nothing_and_go_with_what_saves() {
        let full = format!("كتاب پيمان {}", "ب".repeat(59));
        let persian = format!("کتاب پیمان {}", "ب".repeat(59));
        assert_cheapest(&full, alike, None);
        assert_cheapest(
            &format!("{full} "),
            alike,
            Some((&persian, &[Letters, Blanks], 2_000, 1_000)),
        );
        for (arabic, persian) in LETTERS.pairs {
            assert_eq!(segment(&arabic.to_string()), segment(persian));
        }
    }

    #[test]
    fn what_is_redacted_is_changed_likewise() {
        let (whole, redacted) = ("“Code” is AB 12  ", "“Code” is ••••  ");
        let cheapest = latin(&tidy(whole)).unwrap().with(NoBreakSpace);
        assert_eq!(cheapest.text, "\"Code\" is\u{A0}AB 12");
        assert_eq!(cheapest.likewise(redacted), "\"Code\" is ••••");
    }

    #[test]
    fn a_link_stays_as_it_is() {
        let rest = "b".repeat(60);
        for link in ["https://x.ir/a–b", "http://x.ir/۱۲", "www.x.ir/a’b", "https://x.ir/…/a"] {
            assert_cheapest(&format!("See {link} {rest}"), alike, None);
        }
        let text = format!("See “https://x.ir/a” – {rest}");
        let plain = format!("See \"https://x.ir/a\" - {rest}");
        assert_cheapest(&text, alike, Some((&plain, &[LookAlikes], 2_000, 1_000)));
    }

    #[test]
    fn the_space_that_does_not_break_stands_between_two_words() {
        for (text, expected) in [
            ("See https://x.ir now", None),
            ("See x.ir now then", Some("See x.ir now\u{A0}then")),
            ("Code 1234 is it", Some("Code 1234 is\u{A0}it")),
            ("Sale now, Ali", Some("Sale\u{A0}now, Ali")),
            ("Hello", None),
            ("a\nb c", Some("a\nb\u{A0}c")),
        ] {
            assert_eq!(with_no_break_space(text).as_deref(), expected, "{text:?}");
        }
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
            .replace('…', "...")
            .replace('„', ",,");
        let shown = composed.chars().map(|character| match character {
            '‘' | '’' | '‛' | '′' | 'ʼ' | '´' => '\'',
            '‚' => ',',
            '“' | '”' | '‟' | '″' => '"',
            'ي' => 'ی',
            'ك' => 'ک',
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
        let latin = "[a-zA-Z0-9 ’‚“”„–—…\u{A0}۰-۹٠-٩\u{200E}\n]";
        let persian = "[آ-ی\u{200C}\u{200F}\u{0640}\u{0653} ۰-۹،.!\n]";
        let mixed = "[a-z آ-ی\u{200E}\u{200F}\u{FEFF}0-9 “”…€{}é:/.\n]";
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
