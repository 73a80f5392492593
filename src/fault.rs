//! One fault of one value in a request: where it is and what is wrong with it, in English and Persian.

use crate::problem::Language;

/// A step on the way to a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A member of an object, a query parameter or a header.
    Name(String),
    /// An item of a list.
    Index(usize),
}

/// A fault: where, and what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    path: Vec<Step>,
    what: What,
}

/// What is wrong with a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// It is missing.
    Required,
    /// It has another JSON type; the one it must have, in English and Persian.
    MustBe(&'static str, &'static str),
    /// It is empty.
    Empty,
    /// A text is too long.
    TooLong {
        /// Characters at most.
        max: usize,
    },
    /// A list is too long.
    TooMany {
        /// Items at most.
        max: usize,
    },
    /// Not a phone number.
    NotAPhoneNumber,
    /// The text takes too many parts.
    TooManyParts {
        /// What it takes.
        parts: u32,
        /// What it may take.
        max: u32,
    },
    /// Not an RFC 3339 time.
    NotATime,
    /// A time in the past.
    InThePast,
    /// A time too far ahead.
    TooFarAhead {
        /// Days at most.
        days: i64,
    },
    /// A number outside its range.
    OutOfRange {
        /// At least.
        min: i64,
        /// At most.
        max: i64,
    },
    /// A coefficient that can't be kept exactly.
    NotACoefficient,
    /// A value that is none of those allowed.
    NotOneOf(&'static str),
    /// A value of the wrong form; the right one in words.
    BadFormat(&'static str),
    /// Zero where something must be moved.
    Zero,
    /// Something that does not exist; what, in English and Persian.
    DoesNotExist(&'static str, &'static str),
    /// An idempotency key that came with another request.
    UsedForAnotherRequest,
}

impl What {
    fn texts(&self) -> (String, String) {
        let text = |en: &str, fa: &str| (en.to_owned(), fa.to_owned());
        match self {
            What::Required => text("is required", "الزامی است"),
            What::MustBe(en, fa) => (format!("must be {en}"), format!("باید {fa} باشد")),
            What::Empty => text("must not be empty", "نباید خالی باشد"),
            What::TooLong { max } => (
                format!("must have at most {max} characters"),
                format!("باید حداکثر {max} نویسه داشته باشد"),
            ),
            What::TooMany { max } => (
                format!("must have at most {max} items"),
                format!("باید حداکثر {max} مورد داشته باشد"),
            ),
            What::NotAPhoneNumber => text("is not a valid phone number", "شماره‌ی تلفن معتبری نیست"),
            What::TooManyParts { parts, max } => (
                format!("takes {parts} parts, at most {max} are allowed"),
                format!("{parts} بخش می‌شود، حداکثر {max} بخش مجاز است"),
            ),
            What::NotATime => text(
                "must be an RFC 3339 time, like 2030-01-31T12:00:00Z",
                "باید زمانی به شکل RFC 3339 باشد، مانند 2030-01-31T12:00:00Z",
            ),
            What::InThePast => text("must not be in the past", "نباید در گذشته باشد"),
            What::TooFarAhead { days } => (
                format!("must be at most {days} days ahead"),
                format!("باید حداکثر {days} روز آینده باشد"),
            ),
            What::OutOfRange { min, max } => (
                format!("must be a whole number from {min} to {max}"),
                format!("باید عددی صحیح از {min} تا {max} باشد"),
            ),
            What::NotACoefficient => text(
                "must be a number from 0 to 100 with at most 4 decimals",
                "باید عددی از ۰ تا ۱۰۰ با حداکثر ۴ رقم اعشار باشد",
            ),
            What::NotOneOf(allowed) => (
                format!("must be one of {allowed}"),
                format!("باید یکی از این‌ها باشد: {allowed}"),
            ),
            What::BadFormat(form) => (
                format!("must be of the form {form}"),
                format!("باید به شکل {form} باشد"),
            ),
            What::Zero => text("must not be 0", "نباید ۰ باشد"),
            What::DoesNotExist(en, fa) => (format!("names {en} that does not exist"), format!("{fa} وجود ندارد")),
            What::UsedForAnotherRequest => text(
                "was used for another request before",
                "پیش‌تر برای درخواست دیگری به کار رفته است",
            ),
        }
    }
}

impl Fault {
    /// A fault at a path.
    pub fn at(path: Vec<Step>, what: What) -> Fault {
        Fault { path, what }
    }

    /// A fault of a member of the root, a query parameter or a header.
    pub fn of(name: &str, what: What) -> Fault {
        Fault::at(vec![Step::Name(name.to_owned())], what)
    }

    /// The field as people write it: `recipients[3]`, `tariff.price`.
    pub fn field(&self) -> String {
        let mut field = String::new();
        for step in &self.path {
            match step {
                Step::Index(index) => field.push_str(&format!("[{index}]")),
                Step::Name(name) => {
                    if !field.is_empty() {
                        field.push('.');
                    }
                    field.push_str(name);
                }
            }
        }
        field
    }

    /// A JSON pointer (RFC 6901) into the body; for a query parameter or header, its name behind a `/`.
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.path {
            pointer.push('/');
            match step {
                Step::Index(index) => pointer.push_str(&index.to_string()),
                Step::Name(name) => pointer.push_str(&name.replace('~', "~0").replace('/', "~1")),
            }
        }
        pointer
    }

    /// What is wrong.
    pub fn detail(&self, language: Language) -> String {
        let (en, fa) = self.what.texts();
        match language {
            Language::En => en,
            Language::Fa => fa,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_says_where_it_is_to_people_and_to_programs() {
        let path = vec![Step::Name("a/b~c".into()), Step::Index(3), Step::Name("d".into())];
        let fault = Fault::at(path, What::NotAPhoneNumber);
        assert_eq!(fault.field(), "a/b~c[3].d");
        assert_eq!(fault.pointer(), "/a~1b~0c/3/d");
        assert_eq!(fault.detail(Language::En), "is not a valid phone number");
    }
}
