//! What the titles of an imported table's columns mean. A title that is neither the number's nor the name's is an attribute's, so an
//! attribute has no other title: an export that is imported again is the same phonebook. Titles are compared as words are
//! ([`Words`]), however they are written.

use sms::{template, words::Words};

/// The names of the column with the numbers, each as [`Words::joined`] has it: `phone number`, `شماره موبایل`.
const NUMBER: [&str; 23] = [
    "number",
    "phone",
    "mobile",
    "msisdn",
    "cell",
    "tel",
    "telephone",
    "phonenumber",
    "mobilenumber",
    "cellphone",
    "mobilephone",
    "phoneno",
    "mobileno",
    "شماره",
    "موبایل",
    "همراه",
    "تلفن",
    "شمارهموبایل",
    "شمارههمراه",
    "شمارهتماس",
    "شمارهتلفن",
    "تلفنهمراه",
    "شمارهتلفنهمراه",
];
/// The names of the column with the names of the numbers' owners.
const NAME: [&str; 5] = ["name", "fullname", "نام", "نامونامخانوادگی", "اسم"];

/// What a column holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Column {
    /// The numbers.
    Number,
    /// The names of the numbers' owners.
    Name,
    /// The attribute with this name.
    Attribute(String),
    /// Nothing, because the header has no name for it.
    Nothing,
}

/// The titles of the column with the numbers that people are told of.
pub const NUMBER_TITLES: &str = "number, mobile, phone, tel, شماره, موبایل, همراه, تلفن, شماره تماس";

/// The column with this title.
pub fn column(title: &str) -> Column {
    let words = Words::of(title).joined();
    match tidy(title) {
        title if title.is_empty() => Column::Nothing,
        _ if NUMBER.contains(&words.as_str()) => Column::Number,
        _ if NAME.contains(&words.as_str()) => Column::Name,
        title => Column::Attribute(title),
    }
}

/// Whether two titles mean the same column.
pub fn is_same(one: &str, other: &str) -> bool {
    let (words, others) = (Words::of(one).joined(), Words::of(other).joined());
    words == others && (!words.is_empty() || tidy(one) == tidy(other))
}

/// A title without what nobody sees: direction marks, byte order marks, and blanks at its ends or beside others.
fn tidy(title: &str) -> String {
    let visible: String = title.chars().filter(|character| !is_mark(*character)).collect();
    let words: Vec<&str> = visible.split_whitespace().collect();
    words.join(" ")
}

/// Whether a character is invisible and joins no letters, as U+200C does.
fn is_mark(character: char) -> bool {
    matches!(
        character,
        '\u{00AD}' | '\u{061C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}'
    )
}

/// Whether an attribute may have this name. A message names the attribute as a placeholder between two `%`, beside
/// `%name%`. An export names it in its header, where an import must find it again.
pub fn is_attribute(name: &str) -> bool {
    let is_plain = |char: char| char != '%' && !char.is_control();
    (1..=template::MAX_NAME).contains(&name.chars().count())
        && name.chars().all(is_plain)
        && matches!(column(name), Column::Attribute(title) if title == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_known_in_english_and_persian() {
        assert_eq!(column("Number"), Column::Number);
        assert_eq!(column("شماره\u{200c}موبایل"), Column::Number);
        assert_eq!(column("Phone_Number"), Column::Number);
        assert_eq!(column("نام"), Column::Name);
        assert_eq!(column("شهر"), Column::Attribute("شهر".to_owned()));
        assert_eq!(column(""), Column::Nothing);
    }

    #[test]
    fn each_known_title_stands_here_as_it_is_compared() {
        for title in NUMBER.iter().chain(&NAME) {
            assert_eq!(Words::of(title).joined(), *title);
        }
    }

    #[test]
    fn what_nobody_sees_in_a_title_does_not_count() {
        for title in [
            "\u{200f}شماره\u{a0}موبایل",
            "شماره  موبايل ",
            "شماره\u{feff}موبایل",
            "PHONE\u{a0}\u{a0}number\u{200e}",
        ] {
            assert_eq!(column(title), Column::Number, "{title:?}");
        }
        assert_eq!(column("\u{200f}نام و\u{a0}نام خانوادگى"), Column::Name);
        assert_eq!(
            column("\u{feff}\u{200f}شهر \u{a0}تولد"),
            Column::Attribute("شهر تولد".to_owned())
        );
        assert_eq!(column("می\u{200c}آید"), Column::Attribute("می\u{200c}آید".to_owned()));
        assert_eq!(column("\u{200f}\u{a0}"), Column::Nothing);
        assert_eq!(column("☎"), Column::Attribute("☎".to_owned()));
        assert!(is_same("موبایل", " موبايل\u{200f}") && is_same("☎", "☎ ") && !is_same("☎", "☏") && !is_same("", "☎"));
    }
}
