//! Answers as XML. They have the same members as in JSON; each item of a list is an `entry`.

use std::fmt::Write;

use serde::Serialize;
use serde_json::Value;

const ROOT: &str = "Response";
const ITEM: &str = "entry";

/// The text of an answer.
pub fn text(answer: &impl Serialize) -> String {
    // All answers of doors can be written as JSON.
    let answer = serde_json::to_value(answer).unwrap_or_default();
    let mut text = r#"<?xml version="1.0" encoding="utf-8"?>"#.to_owned();
    write_element(&mut text, ROOT, &answer);
    text
}

fn write_element(text: &mut String, name: &str, value: &Value) {
    // Writing to a string can't fail.
    let _ = write!(text, "<{name}>");
    match value {
        Value::Null => {}
        Value::Object(members) => members
            .iter()
            .for_each(|(name, value)| write_element(text, name, value)),
        Value::Array(items) => items.iter().for_each(|item| write_element(text, ITEM, item)),
        Value::String(content) => content.chars().for_each(|character| write_character(text, character)),
        value => text.push_str(&value.to_string()),
    }
    let _ = write!(text, "</{name}>");
}

/// Writes a character of a text. Those that XML can't have are left out.
fn write_character(text: &mut String, character: char) {
    match character {
        '<' => text.push_str("&lt;"),
        '>' => text.push_str("&gt;"),
        '&' => text.push_str("&amp;"),
        // A reader would make a line feed of it.
        '\r' => text.push_str("&#13;"),
        '\n' | '\t' => text.push(character),
        '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {}
        character => text.push(character),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_are_elements_and_texts_are_escaped() {
        let answer = json!({"return": {"status": 200}, "entries": [{"message": "a <b> & c\r\u{1}"}, null]});
        assert_eq!(
            text(&answer),
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><Response><entries><entry><message>a &lt;b&gt; &amp; c&#13;</message></entry>\
             <entry></entry></entries><return><status>200</status></return></Response>"
        );
    }
}
