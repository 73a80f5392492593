//! The parameters of a request, wherever its protocol lets them stand: in the query, in a form, or in JSON. Old programs write them in
//! more ways than the standards know.

use serde_json::Value;

use super::multipart;
use crate::api::http::{Body, BodyError, Head, is_json, media_type};

/// A body has at most this many bytes.
const MAX_BYTES: usize = 256 * 1024;
/// A request has at most this many values.
const MAX_VALUES: usize = 10_000;

/// The parameters of a request. Names are in lower case. Those of the body stand before those of the query.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Params(Vec<(String, String)>);

/// Why the parameters can't be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unread {
    /// The body is too large, or has too many values.
    TooLarge,
    /// The body is neither a form nor a JSON object, or its end is missing.
    Malformed,
}

impl Params {
    /// Reads the parameters of a request.
    pub async fn read(head: &Head, body: &mut impl Body) -> Result<Params, Unread> {
        let bytes = read_bytes(body).await?;
        let mut params = Params::default();
        let content_type = head.content_type.as_deref();
        if is_json(content_type) && !bytes.is_empty() {
            params.add_json(&bytes)?;
        } else if media_type(content_type).starts_with("multipart/") && !bytes.is_empty() {
            let fields = multipart::fields(content_type.unwrap_or_default(), &bytes);
            params.0 = fields.ok_or(Unread::Malformed)?;
        } else {
            params.add_form(&String::from_utf8_lossy(&bytes));
        }
        params.add_form(&head.query);
        match params.0.len() {
            0..=MAX_VALUES => Ok(params),
            _ => Err(Unread::TooLarge),
        }
    }

    /// Reads the parameters of a query.
    pub fn of_query(query: &str) -> Params {
        let mut params = Params::default();
        params.add_form(query);
        params
    }

    fn add_form(&mut self, text: &str) {
        let pairs = text.split('&').filter(|pair| !pair.is_empty());
        self.0.extend(pairs.map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let mut name = decoded(name);
            name.make_ascii_lowercase();
            (name, decoded(value))
        }));
    }

    fn add_json(&mut self, bytes: &[u8]) -> Result<(), Unread> {
        let Ok(Value::Object(object)) = serde_json::from_slice(bytes) else {
            return Err(Unread::Malformed);
        };
        for (name, value) in object {
            let name = name.to_ascii_lowercase();
            match value {
                Value::Array(items) => self.0.extend(items.iter().map(|item| (name.clone(), text_of(item)))),
                value => self.0.push((name, text_of(&value))),
            }
        }
        Ok(())
    }

    /// The values of a parameter. An empty one and the word `null` are none: programs write them for what they do not give.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let values = self.0.iter().filter(move |(known, _)| known == name);
        values
            .map(|(_, value)| value.as_str())
            .filter(|value| !value.is_empty() && *value != "null")
    }

    /// The first value of a parameter.
    pub fn get<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        self.all(name).next()
    }

    /// The first value of a parameter as it stands, be it empty or a word.
    pub fn written(&self, name: &str) -> Option<&str> {
        let mut values = self.0.iter().filter(|(known, _)| known == name);
        values.next().map(|(_, value)| value.as_str())
    }

    /// Whether the request names the parameter, be it without a value.
    pub fn names(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// The values of a parameter that the request gives more than once, as a list with commas. `None`: it gives one, or the same again.
    pub fn several(&self, name: &str) -> Option<String> {
        let mut values: Vec<&str> = self.all(name).collect();
        values.dedup();
        (values.len() > 1).then(|| values.join(", "))
    }

    /// The items of a parameter: its values, each of which may be a list with commas.
    pub fn items<'a>(&'a self, name: &'a str) -> Vec<&'a str> {
        let items = self.all(name).flat_map(|value| value.split(','));
        items.map(str::trim).filter(|item| !item.is_empty()).collect()
    }

    /// The items of a parameter whose value is a JSON list. Its values, if they are none: a program may have written a list in another
    /// way.
    pub fn json_items(&self, name: &str) -> Vec<String> {
        let values: Vec<&str> = self.all(name).collect();
        match values.as_slice() {
            [one] => match serde_json::from_str(one) {
                Ok(Value::Array(items)) => items.iter().map(text_of).collect(),
                _ => vec![(*one).to_owned()],
            },
            values => values.iter().map(|value| (*value).to_owned()).collect(),
        }
    }
}

/// Reads a body.
pub async fn read_bytes(body: &mut impl Body) -> Result<Vec<u8>, Unread> {
    body.read(MAX_BYTES).await.map_err(|error| match error {
        BodyError::TooLarge | BodyError::NoRoom => Unread::TooLarge,
        BodyError::Unreadable => Unread::Malformed,
    })
}

/// Reads a body that is a JSON object. `null`: there is none.
pub async fn object(body: &mut impl Body) -> Result<Value, Unread> {
    let bytes = read_bytes(body).await?;
    if bytes.is_empty() {
        return Ok(Value::Null);
    }
    let value = serde_json::from_slice(&bytes).map_err(|_| Unread::Malformed)?;
    let is_object = matches!(value, Value::Object(_) | Value::Null);
    is_object.then_some(value).ok_or(Unread::Malformed)
}

/// A value as a form would have it.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        value => value.to_string(),
    }
}

/// Decodes a segment of a path, in which `+` is a plus.
pub fn decoded_segment(segment: &str) -> String {
    decoded(&segment.replace('+', "%2B"))
}

/// Decodes `+`, `%XX` and `%uXXXX`, which old programs of Microsoft's platform write. What is none of them stays as it is.
fn decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text);
    while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'+' | b'%')) {
        let (plain, escaped) = rest.split_at_checked(at).unwrap_or((rest, ""));
        bytes.extend_from_slice(plain.as_bytes());
        let length = unescape(escaped, &mut bytes);
        rest = escaped.get(length..).unwrap_or_default();
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Appends what the escape at the beginning means. Returns its length.
fn unescape(text: &str, bytes: &mut Vec<u8>) -> usize {
    if text.starts_with('+') {
        bytes.push(b' ');
        return 1;
    }
    if let Some(first) = unit(text) {
        return unescape_units(first, text.get(6..).and_then(unit), bytes);
    }
    let digits = text.get(1..3).filter(|digits| is_hex(digits));
    match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
        Some(byte) => {
            bytes.push(byte);
            3
        }
        None => {
            bytes.push(b'%');
            1
        }
    }
}

/// Appends the character of a UTF-16 unit or, with the next one, of two. Returns the length of what stands for it.
fn unescape_units(first: u16, second: Option<u16>, bytes: &mut Vec<u8>) -> usize {
    let decoded = char::decode_utf16([first].into_iter().chain(second)).next();
    let char = decoded.and_then(Result::ok).unwrap_or(char::REPLACEMENT_CHARACTER);
    bytes.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
    if char.len_utf16() == 2 { 12 } else { 6 }
}

/// The UTF-16 unit of `%uXXXX`.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("%u").and_then(|rest| rest.get(..4))?;
    is_hex(digits).then(|| u16::from_str_radix(digits, 16).ok()).flatten()
}

fn is_hex(digits: &str) -> bool {
    digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(text: &str) -> Params {
        let mut params = Params::default();
        params.add_form(text);
        params
    }

    #[test]
    fn escapes_of_all_kinds_are_read_and_others_stay() {
        for (written, meant) in [
            ("a+b%20c", "a b c"),
            ("%D8%B3%D9%84%D8%A7%D9%85", "سلام"),
            ("%u0633%u0644%u0627%u0645", "سلام"),
            ("%uD83D%uDE00!", "😀!"),
            ("%uD83Dx", "\u{fffd}x"),
            ("سلام 100%", "سلام 100%"),
            ("%zz%u12", "%zz%u12"),
            ("%+1", "% 1"),
            ("%e", "%e"),
            ("", ""),
        ] {
            assert_eq!(decoded(written), meant, "{written}");
        }
    }

    #[test]
    fn names_have_no_case_and_what_is_not_given_is_not_there() {
        let params = form("Token2=x&date=&type=null&&receptor=0912, 0935,,&receptor=0990&");
        assert_eq!(params.get("token2"), Some("x"));
        assert_eq!(
            (params.get("date"), params.get("type"), params.get("none")),
            (None, None, None)
        );
        assert!(params.names("date") && !params.names("none"));
        assert_eq!(params.several("receptor").as_deref(), Some("0912, 0935,,, 0990"));
        assert_eq!(form("to=1&to=1").several("to"), None);
        assert_eq!(params.items("receptor"), ["0912", "0935", "0990"]);
    }

    #[test]
    fn lists_in_json_and_repeated_values_are_the_same() {
        for text in ["m=[\"a, b\",7]", "m=a,+b&m=7"] {
            assert_eq!(form(text).json_items("m"), ["a, b", "7"], "{text}");
        }
        assert_eq!(form("m=[\"a").json_items("m"), ["[\"a"]);
        let mut params = Params::default();
        params
            .add_json(r#"{"Receptor": ["1", 2], "message": null, "date": 7}"#.as_bytes())
            .unwrap();
        assert_eq!(params.items("receptor"), ["1", "2"]);
        assert_eq!((params.get("message"), params.get("date")), (None, Some("7")));
        assert_eq!(params.add_json(b"[1]"), Err(Unread::Malformed));
    }
}
