//! Which characters alternatives have in the place of others. Each table names its source, and docs/cheapest.md lists the pairs.

use super::change::Change;

/// What stands for characters, because of one kind of change.
#[derive(Debug)]
pub struct Table {
    /// The change that it is for.
    pub change: Change,
    /// Where the pairs come from.
    pub source: &'static str,
    /// Characters, and what stands for each.
    pub pairs: &'static [(char, &'static str)],
}

/// All tables.
pub const TABLES: [&Table; 5] = [&MARKS, &LETTERS, &LOOK_ALIKES, &DIGITS, &NO_BREAK_SPACE];

/// What stands for a character. `None`: the table does not have it.
pub(super) fn stand_in(table: &Table, character: char) -> Option<&'static str> {
    let found = table.pairs.iter().find(|(known, _)| *known == character);
    found.map(|(_, stand_in)| *stand_in)
}

/// What nobody sees: a byte order mark that an editor has left, the line that stretches a letter, and marks of direction.
pub const MARKS: Table = Table {
    change: Change::Marks,
    source: "the Unicode Character Database: U+FEFF has Default_Ignorable_Code_Point, U+0640 has Joining_Type C (it only lengthens the \
             stroke between two letters), and the others have a Bidi_Class and no shape",
    pairs: &[
        ('\u{FEFF}', ""),
        ('\u{0640}', ""),
        ('\u{200E}', ""),
        ('\u{200F}', ""),
        ('\u{061C}', ""),
    ],
};

/// The letters that Arabic keyboards have in the place of Persian ones. At the end of a word the two look different: ي has dots there
/// and ی has none, and ك has a small sign within. So a letter changes only where the next one joins it, and only in a Persian text.
///
/// Both are one unit of UCS-2, so that this change alone never saves anything: it only goes with others.
pub const LETTERS: Table = Table {
    change: Change::Letters,
    source: "the code charts of the Arabic presentation forms: the initial and medial forms of yeh (U+FEF3, U+FEF4) and of Farsi yeh \
             (U+FBFE, U+FBFF), those of kaf (U+FEDB, U+FEDC) and of keheh (U+FB90, U+FB91)",
    pairs: &[('ي', "ی"), ('ك', "ک")],
};

/// What of the GSM alphabet looks like other characters.
pub const LOOK_ALIKES: Table = Table {
    change: Change::LookAlikes,
    source: "CLDR's transform Latin-ASCII; U+00B4 from confusables.txt of UTS #39; U+2000, U+2001 and U+202F from their decompositions in \
             the Unicode Character Database; U+0009 from its White_Space",
    pairs: &[
        ('‘', "'"),
        ('’', "'"),
        ('‛', "'"),
        ('′', "'"),
        ('ʼ', "'"),
        ('´', "'"),
        ('‚', ","),
        ('“', "\""),
        ('”', "\""),
        ('‟', "\""),
        ('″', "\""),
        ('„', ",,"),
        ('\u{2010}', "-"),
        ('\u{2011}', "-"),
        ('\u{2012}', "-"),
        ('\u{2013}', "-"),
        ('\u{2014}', "-"),
        ('\u{2015}', "-"),
        ('\u{2212}', "-"),
        ('…', "..."),
        ('\t', " "),
        ('\u{00A0}', " "),
        ('\u{2000}', " "),
        ('\u{2001}', " "),
        ('\u{2002}', " "),
        ('\u{2003}', " "),
        ('\u{2004}', " "),
        ('\u{2005}', " "),
        ('\u{2006}', " "),
        ('\u{2007}', " "),
        ('\u{2008}', " "),
        ('\u{2009}', " "),
        ('\u{200A}', " "),
        ('\u{202F}', " "),
        ('\u{205F}', " "),
    ],
};

/// Persian and Arabic digits in a Latin text.
pub const DIGITS: Table = Table {
    change: Change::Digits,
    source: "the Unicode Character Database: the decimal digits U+06F0 to U+06F9 and U+0660 to U+0669 by Numeric_Value",
    pairs: &[
        ('۰', "0"),
        ('۱', "1"),
        ('۲', "2"),
        ('۳', "3"),
        ('۴', "4"),
        ('۵', "5"),
        ('۶', "6"),
        ('۷', "7"),
        ('۸', "8"),
        ('۹', "9"),
        ('٠', "0"),
        ('١', "1"),
        ('٢', "2"),
        ('٣', "3"),
        ('٤', "4"),
        ('٥', "5"),
        ('٦', "6"),
        ('٧', "7"),
        ('٨', "8"),
        ('٩', "9"),
    ],
};

/// The first space between two letters of a Latin text: UCS-2 has the other one, and the GSM alphabet has not.
pub const NO_BREAK_SPACE: Table = Table {
    change: Change::NoBreakSpace,
    source: "the Unicode Character Database: U+00A0 has U+0020 as its compatibility decomposition",
    pairs: &[(' ', "\u{00A0}")],
};
