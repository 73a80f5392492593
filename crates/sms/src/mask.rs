//! Finds a phone number in texts, however it is prefixed, and puts a word in its place.

/// What stands in the place of a number that is erased.
pub const ERASED: &str = "erased";

/// A number in E.164; [`ERASED`] for 0, which stands in the place of a number that is erased.
pub fn shown(digits: u64) -> String {
    match digits {
        0 => ERASED.to_owned(),
        digits => format!("+{digits}"),
    }
}

/// Iran's country code 98 in front of a ten-digit national number.
const IRAN: std::ops::RangeInclusive<u64> = 981_000_000_000..=989_999_999_999;
const ZEROS: [char; 3] = ['0', '۰', '٠'];

/// A number to look for.
#[derive(Debug, Clone)]
pub struct Mask {
    /// The digits that all its forms end with.
    core: String,
    /// All its forms, without a plus.
    forms: Vec<String>,
}

impl Mask {
    /// Looks for the number with these E.164 digits: `+98…`, `0098…`, `98…`, `0…` and bare, in ASCII, Persian or Arabic-Indic
    /// digits. A number of another country is found as `+…`, `00…` and bare. One that has spaces or dashes in it is not found.
    pub fn of(digits: u64) -> Self {
        let whole = digits.to_string();
        let national = whole.get(2..).filter(|_| IRAN.contains(&digits));
        let core = national.unwrap_or(&whole).to_owned();
        let mut forms = vec![whole.clone(), format!("00{whole}")];
        if national.is_some() {
            forms.extend([core.clone(), format!("0{core}")]);
        }
        Mask { core, forms }
    }

    /// Texts of which one stands in each text that has the number, for a search that is quick.
    pub fn needles(&self) -> [String; 3] {
        ZEROS.map(|zero| self.core.chars().filter_map(|digit| written(digit, zero)).collect())
    }

    /// The text with [`ERASED`] in the place of the number; `None` if it does not have the number.
    pub fn apply(&self, text: &str) -> Option<String> {
        let (mut masked, mut rest, mut is_found) = (String::with_capacity(text.len()), text, false);
        while let Some(start) = rest.find(|char| digit_of(char).is_some()) {
            let (before, from) = rest.split_at(start);
            let end = from.find(|char| digit_of(char).is_none()).unwrap_or(from.len());
            let (run, behind) = from.split_at(end);
            let digits: String = run.chars().filter_map(digit_of).collect();
            if self.forms.contains(&digits) {
                masked.push_str(before.strip_suffix('+').unwrap_or(before));
                masked.push_str(ERASED);
                is_found = true;
            } else {
                masked.push_str(before);
                masked.push_str(run);
            }
            rest = behind;
        }
        masked.push_str(rest);
        is_found.then_some(masked)
    }
}

/// A digit of any of the three scripts, in ASCII.
fn digit_of(char: char) -> Option<char> {
    let value = ZEROS.iter().find_map(|zero| {
        let value = u32::from(char).checked_sub(u32::from(*zero))?;
        (value < 10).then_some(value)
    });
    char::from_digit(value?, 10)
}

/// An ASCII digit in the script of this zero.
fn written(digit: char, zero: char) -> Option<char> {
    char::from_u32(u32::from(zero) + digit.to_digit(10)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_found_in_each_form_and_script_and_nothing_else_is() {
        let mask = Mask::of(989_121_234_567);
        for form in [
            "+989121234567",
            "00989121234567",
            "989121234567",
            "09121234567",
            "9121234567",
            "۰۹۱۲۱۲۳۴۵۶۷",
            "٩١٢١٢٣٤٥٦٧",
        ] {
            assert_eq!(
                mask.apply(&format!("از {form}، به تو")).unwrap(),
                "از erased، به تو",
                "{form}"
            );
            assert_eq!(mask.apply(form).unwrap(), ERASED);
            assert!(
                mask.needles().iter().any(|needle| form.contains(needle.as_str())),
                "{form}"
            );
        }
        for other in ["", "+", "19121234567", "091212345678", "0912 123 4567", "1989121234567"] {
            assert_eq!(mask.apply(other), None, "{other}");
        }
        assert_eq!(mask.apply("09121234567,+989121234567 1").unwrap(), "erased,erased 1");
    }

    #[test]
    fn a_number_abroad_is_found_with_its_country_only() {
        let mask = Mask::of(971_501_234_567);
        assert_eq!(mask.apply("00971501234567 +971501234567").unwrap(), "erased erased");
        assert_eq!(mask.apply("0501234567"), None);
    }
}
