//! JSON that this code has written, as a value of other JSON.
//!
//! `RawValue::from_string` reads all of the text, to see that it is JSON. For a text of our own that is work for nothing, and with a
//! thousand recipients it took a tenth of the time of a send.

use std::iter;

use serde::de::value::MapDeserializer;
use serde::de::{Deserialize, Deserializer, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Error;
use serde_json::value::RawValue;

/// Takes a text for JSON. Only who has just written the text may call this: one value, with nothing before it or behind it. Whatever
/// came from outside goes through `RawValue::from_string`.
///
/// # Errors
/// The library makes a `RawValue` in another way than this file expects. A test holds that it does not.
///
/// # Panics
/// In a debug build, if the text is not JSON.
pub fn own_json(text: String) -> Result<Box<RawValue>, Error> {
    if cfg!(debug_assertions) {
        let read = RawValue::from_string(text.clone());
        assert!(
            read.is_ok_and(|read| read.get() == text),
            "what this code has written is not JSON"
        );
    }
    Box::deserialize(Own(text))
}

/// Hands a text over as `serde_json` does it when it has found the end of a value: as the only member of a map. The member has the name
/// by which a `RawValue` asks for itself.
struct Own(String);

impl<'de> Deserializer<'de> for Own {
    type Error = Error;

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_map(MapDeserializer::new(iter::once((name, self.0))))
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_string(self.0)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple tuple_struct
        map struct enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn own_json_stands_in_other_json_as_it_was_written() {
        for text in [r#"[1, {"a":"\u0632\n"}]"#, r#""a text""#, "-7", "null", "{}"] {
            let own = own_json(text.to_owned()).unwrap();
            assert_eq!(own.get(), text);
            let around = [("own", &own)];
            assert_eq!(serde_json::to_string(&around).unwrap(), format!(r#"[["own",{text}]]"#));
            let value: serde_json::Value = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_value(around).unwrap(), json!([["own", value]]));
        }
    }

    #[test]
    fn what_is_not_one_json_value_does_not_go_unseen() {
        for text in ["", "[1", "[1]]", " 1", "1 ", "a text"] {
            let taken = std::panic::catch_unwind(|| own_json(text.to_owned()));
            assert!(taken.is_err(), "{text}");
        }
    }
}
