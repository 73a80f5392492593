//! What the titles of an imported table's columns mean. A title that is neither the number's nor the name's is an attribute's, so an
//! attribute has no other title: an export that is imported again is the same phonebook.

/// The names of the column with the numbers.
const NUMBER: [&str; 23] = [
    "number",
    "phone",
    "mobile",
    "msisdn",
    "cell",
    "tel",
    "telephone",
    "phone number",
    "mobile number",
    "cell phone",
    "mobile phone",
    "phone no",
    "mobile no",
    "شماره",
    "موبایل",
    "همراه",
    "تلفن",
    "شماره موبایل",
    "شماره همراه",
    "شماره تماس",
    "شماره تلفن",
    "تلفن همراه",
    "شماره تلفن همراه",
];
/// The names of the column with the names of the numbers' owners.
const NAME: [&str; 6] = ["name", "full name", "fullname", "نام", "نام و نام خانوادگی", "اسم"];

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
pub const NUMBER_TITLES: &str = "number, mobile, phone, tel, شماره, موبایل, تلفن, شماره تماس";

/// The column with this title.
pub fn column(name: &str) -> Column {
    let plain = name
        .to_ascii_lowercase()
        .replace(['_', '-', '\u{200c}'], " ")
        .replace('ي', "ی")
        .replace('ك', "ک");
    match plain.trim() {
        "" => Column::Nothing,
        known if NUMBER.contains(&known) => Column::Number,
        known if NAME.contains(&known) => Column::Name,
        _ => Column::Attribute(name.to_owned()),
    }
}

/// Whether a column with this title is an attribute.
pub fn is_attribute(title: &str) -> bool {
    matches!(column(title), Column::Attribute(_))
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
}
