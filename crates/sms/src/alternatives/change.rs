//! The kinds of changes that make an alternative.

/// What differs between a text and an alternative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Invisible marks and stretched letters' lines are gone.
    Marks,
    /// Characters and their accents became one character (NFC).
    Composed,
    /// Letters of Arabic keyboards became Persian ones.
    Letters,
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
    /// All changes, in the order in which they are made.
    pub const ALL: [Change; 7] = [
        Change::Marks,
        Change::Composed,
        Change::Letters,
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
            Change::Letters => "LETTERS",
            Change::Blanks => "BLANKS",
            Change::LookAlikes => "LOOK_ALIKES",
            Change::Digits => "DIGITS",
            Change::NoBreakSpace => "NO_BREAK_SPACE",
        }
    }
}
