//! The recipients of a chunk. They stand in one document beside the chunk, because a row for each would be most of what a
//! message costs: whatever becomes of a chunk's recipients writes one row.
//!
//! The view `recipient` shows each as a row, to whoever only reads.

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde::ser::{Error, Serialize, Serializer};

use super::{is_ready, is_waiting};
use crate::account::record::message::status::{Money, RecipientStatus};
use crate::base::own_json::own_json;
use crate::base::ports::{PortError, Sql};
use crate::durable::{push_number, to_json};

/// The number of a recipient that has been erased.
pub const NO_NUMBER: u64 = 0;

/// A recipient of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipient {
    /// Its index in the message.
    pub index: u32,
    /// Its number, or [`NO_NUMBER`].
    pub msisdn: u64,
    /// Its price.
    pub cost: i64,
    /// The parts of its text.
    pub parts: u32,
    /// Its status.
    pub status: RecipientStatus,
    /// What became of its money.
    pub money: Money,
    /// When its status last changed, ms since the Unix epoch.
    pub changed_ms: i64,
    /// The carrier that has it, or may have it.
    pub carrier: Option<String>,
    /// The name of the error for which it did not get the message.
    pub error: Option<String>,
    /// The carrier's own word for the error.
    pub error_code: Option<String>,
}

/// Reads a document.
pub fn read(document: &str) -> Result<Vec<Recipient>, PortError> {
    serde_json::from_str(document).map_err(|error| PortError::json("recipients", &error))
}

/// Writes a document: a list of lists with the members of [`Recipient`] in their order, without the last ones that have no
/// value.
///
/// No serializer writes it, because one takes several steps for each member, and a large message has thousands.
pub fn write(recipients: &[Recipient]) -> Result<String, PortError> {
    let mut json = String::with_capacity(2 + DOCUMENT_BYTES * recipients.len());
    // What stands behind the number of a recipient, and where: the next one mostly has the same.
    let mut before = None;
    json.push('[');
    for recipient in recipients {
        if before.is_some() {
            json.push(',');
        }
        recipient.push_beginning(&mut json);
        let (rest, start) = (recipient.rest(), json.len());
        match before {
            Some((same, range)) if same == rest => json.extend_from_within(range),
            _ => rest.push_json(&mut json)?,
        }
        before = Some((rest, start..json.len()));
    }
    json.push(']');
    Ok(json)
}

/// About the length of a recipient in the document.
const DOCUMENT_BYTES: usize = 50;

/// The members of a recipient behind its number.
#[derive(PartialEq, Eq)]
struct Rest<'a> {
    numbers: [i64; 5],
    texts: [&'a Option<String>; 3],
}

impl Recipient {
    fn push_beginning(&self, json: &mut String) {
        json.push('[');
        push_number(json, self.index);
        json.push(',');
        push_number(json, self.msisdn);
    }

    fn rest(&self) -> Rest<'_> {
        let (status, money) = (self.status.code(), self.money.code());
        Rest {
            numbers: [self.cost, self.parts.into(), status, money, self.changed_ms],
            texts: [&self.carrier, &self.error, &self.error_code],
        }
    }
}

impl Rest<'_> {
    fn push_json(&self, json: &mut String) -> Result<(), PortError> {
        for number in self.numbers {
            json.push(',');
            push_number(json, number);
        }
        let last = self.texts.iter().rposition(|text| text.is_some());
        for text in self.texts.iter().take(last.map_or(0, |last| last + 1)) {
            json.push(',');
            json.push_str(&to_json(text)?);
        }
        json.push(']');
        Ok(())
    }
}

impl Serialize for Recipient {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut json = String::with_capacity(DOCUMENT_BYTES);
        self.push_beginning(&mut json);
        self.rest().push_json(&mut json).map_err(S::Error::custom)?;
        own_json(json).map_err(S::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Recipient {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Members)
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Recipient;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the list of a recipient's members")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Recipient, A::Error> {
        let missing = || serde::de::Error::custom("a member is missing");
        let recipient = Recipient {
            index: list.next_element()?.ok_or_else(missing)?,
            msisdn: list.next_element()?.ok_or_else(missing)?,
            cost: list.next_element()?.ok_or_else(missing)?,
            parts: list.next_element()?.ok_or_else(missing)?,
            status: coded(list.next_element()?, RecipientStatus::from_code)?,
            money: coded(list.next_element()?, Money::from_code)?,
            changed_ms: list.next_element()?.ok_or_else(missing)?,
            carrier: list.next_element()?.flatten(),
            error: list.next_element()?.flatten(),
            error_code: list.next_element()?.flatten(),
        };
        // What a newer version has added.
        while list.next_element::<serde::de::IgnoredAny>()?.is_some() {}
        Ok(recipient)
    }
}

fn coded<T, E: serde::de::Error>(code: Option<i64>, of: impl Fn(i64) -> Option<T>) -> Result<T, E> {
    code.and_then(of)
        .ok_or_else(|| E::custom("a code is missing or unknown"))
}

/// The money that is held for the recipients of chunks that are open; `None` if more than `max` are.
pub fn held_in_open(sql: &impl Sql, max: i64) -> Result<Option<i64>, PortError> {
    // Chunks that are over are in neither index.
    let rows = sql.exec(
        concat!(
            "WITH open AS (SELECT message, number FROM ( \
                 SELECT message, number FROM chunk INDEXED BY chunk_ready WHERE ",
            is_ready!(),
            " UNION ALL \
                 SELECT message, number FROM chunk INDEXED BY chunk_waiting WHERE ",
            is_waiting!(),
            ") LIMIT ?2) \
             SELECT (SELECT count(*) FROM open), \
               (SELECT total(r.value ->> 2) FROM open o \
                CROSS JOIN chunk c ON c.message = o.message AND c.number = o.number \
                CROSS JOIN message m ON m.id = c.message AND m.test = 0 \
                CROSS JOIN json_each(c.recipients) r WHERE r.value ->> 5 = ?1)"
        ),
        &[Money::Held.code().into(), max.saturating_add(1).into()],
    )?;
    let row = rows.first().ok_or(PortError::failed("sql", "no sums"))?;
    let held = row.int(1)?;
    Ok((row.int(0)? <= max).then_some(held))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipient() -> Recipient {
        Recipient {
            index: 7,
            msisdn: 989_121_234_567,
            cost: 1_000,
            parts: 1,
            status: RecipientStatus::Queued,
            money: Money::Held,
            changed_ms: 1_767_225_600_000,
            carrier: None,
            error: None,
            error_code: None,
        }
    }

    #[test]
    fn a_document_reads_back_as_it_was_written() {
        let refused = Recipient {
            error: Some("BLOCKED".to_owned()),
            ..recipient()
        };
        let full = Recipient {
            carrier: Some("mobile".to_owned()),
            error_code: Some("\"00D\"".to_owned()),
            ..refused.clone()
        };
        let all = [recipient(), refused, full];
        assert_eq!(read(&write(&all).unwrap()).unwrap(), all);
        let twice = all.iter().flat_map(|one| {
            [
                one.clone(),
                Recipient {
                    index: 8,
                    ..one.clone()
                },
            ]
        });
        let twice: Vec<Recipient> = twice.collect();
        let one_by_one: Vec<String> = twice.iter().map(|one| to_json(one).unwrap()).collect();
        assert_eq!(write(&twice).unwrap(), format!("[{}]", one_by_one.join(",")));
        assert_eq!(read(&write(&twice).unwrap()).unwrap(), twice);
        assert_eq!(
            write(&all[..2]).unwrap(),
            r#"[[7,989121234567,1000,1,1,0,1767225600000],[7,989121234567,1000,1,1,0,1767225600000,null,"BLOCKED"]]"#
        );
    }

    #[test]
    fn what_a_newer_version_adds_is_ignored_and_what_is_no_recipient_is_refused() {
        let added = r#"[[7,989121234567,1000,1,1,0,1767225600000,null,null,null,"new",{"a":[1]}]]"#;
        assert_eq!(read(added).unwrap(), [recipient()]);
        for bad in [
            "{}",
            "[[]]",
            "[[7,989121234567,1000,1,99,0,1]]",
            "[[7,989121234567,1000,1,1,9,1]]",
            "[[7,989121234567,1000,-1,1,0,1]]",
            "[7]",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
