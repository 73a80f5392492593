//! Numbers as ids: many protocols name a message, or one of its recipients, by a number. A number here is made of what our own API
//! has already, so a door stores nothing for it.

use crate::base::id;

/// The most recipients of a message.
const INDEXES: i64 = 10_000;
/// Where the ids begin that the short form has no room for.
const LONG: i64 = 1 << 45;

/// The name of a recipient in our own API: its message's number in the account, and its index in the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The message's number in its account.
    pub message: i64,
    /// The recipient's index in the message.
    pub index: i64,
}

impl Place {
    /// The place that the uid of a recipient, or of a message, names.
    pub fn of(uid: &str) -> Option<Place> {
        let (message, index) = uid.split_once('.').unwrap_or((uid, "0"));
        Some(Place {
            message: id::number_of(message)?,
            index: index.parse().ok()?,
        })
    }

    /// The id: `message` × `radix` + `index`, which stays short because a protocol's messages have at most `radix` recipients.
    /// Recipients of larger messages of our own API have long ids.
    pub fn id(self, radix: i64) -> i64 {
        let number = |step: i64| self.message.saturating_mul(step).saturating_add(self.index);
        let short = number(radix);
        if self.index < radix && short < LONG {
            return short;
        }
        number(INDEXES).saturating_add(LONG)
    }

    /// The place that an id names.
    pub fn of_id(id: i64, radix: i64) -> Option<Place> {
        let (number, step) = if id < LONG {
            (id, radix)
        } else {
            (id.saturating_sub(LONG), INDEXES)
        };
        let place = Place {
            message: number.checked_div_euclid(step)?,
            index: number.checked_rem_euclid(step)?,
        };
        (id >= 0 && place.id(radix) == id).then_some(place)
    }

    /// The recipient's name in `POST /messages/recipients`.
    pub fn name(self) -> String {
        format!("{}.{}", self.message, self.index)
    }

    /// The name of the recipient with this id. An id that names none becomes a name that nobody has.
    pub fn name_of_id(id: i64, radix: i64) -> String {
        Place::of_id(id, radix).map_or_else(|| "0.0".to_owned(), Place::name)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_id_names_a_recipient_of_our_own_api() {
        for (uid, radix, id, name) in [
            ("019b796d-a000-7000-8000-000000000001.0", 10_000, 10_000, "1.0"),
            (
                "019b796d-a000-7000-8000-0000000000ff.9999",
                10_000,
                2_559_999,
                "255.9999",
            ),
            ("019b796d-a000-7000-8000-0000000000ff.99", 100, 25_599, "255.99"),
            ("019b796d-a000-7000-8000-0000000000ff", 1, 255, "255.0"),
            ("019b796d-a000-7000-8000-0000000000ff.7", 1, LONG + 2_550_007, "255.7"),
        ] {
            let place = Place::of(uid).unwrap();
            assert_eq!((place.id(radix), place.name().as_str()), (id, name));
        }
        assert_eq!(Place::of("nothing"), None);
        for id in [-1, i64::MIN, LONG + 5] {
            assert_eq!(Place::of_id(id, 100), None, "{id}");
        }
    }

    proptest! {
        #[test]
        fn each_place_has_one_id(message in 1..800_000_000_000_i64, index in 0..10_000_i64, radix in prop::sample::select(&[1_i64, 100, 10_000][..])) {
            let place = Place { message, index };
            prop_assert_eq!(Place::of_id(place.id(radix), radix), Some(place));
            prop_assert!(place.id(radix) < 1 << 53);
        }
    }
}
