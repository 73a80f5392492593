//! The words of Twilio's protocol: its statuses, its error codes and its ids. The door of that protocol and the callbacks of its
//! sends share them.

use uuid::Uuid;

use crate::account::outbox::callbacks::NewCallback;

/// The version of the protocol.
pub const API_VERSION: &str = "2010-04-01";

/// The bits of a message's number in its uid. The index of the recipient stands above them, where the uid is random.
const NUMBER_BITS: u32 = 48;
/// The most recipients of a message.
const INDEXES: u32 = 10_000;

/// The status of a recipient that has this status in our own API.
pub fn status(own: &str) -> &'static str {
    match own {
        "SCHEDULED" => "scheduled",
        "QUEUED" => "queued",
        "DELIVERED" => "delivered",
        "UNDELIVERED" | "EXPIRED" => "undelivered",
        "REJECTED" | "SKIPPED" => "failed",
        "CANCELED" => "canceled",
        // Of `UNKNOWN`, and of what only a newer version knows, nobody can say how it ends.
        _ => "sent",
    }
}

/// The error code of a recipient that has this status and this error in our own API. `None`: it has not failed.
pub fn error_code(own: &str, error: Option<&str>) -> Option<u32> {
    if !matches!(status(own), "undelivered" | "failed") {
        return None;
    }
    Some(match (error, own) {
        (Some("ABSENT_SUBSCRIBER" | "EXPIRED"), _) | (None, "EXPIRED") => 30_003,
        (Some("BLOCKED"), _) => 30_004,
        (Some("BLACKLISTED"), _) => 21_610,
        (Some("UNKNOWN_SUBSCRIBER"), _) => 30_005,
        (Some("CONTENT_REFUSED" | "SENDER_REFUSED"), _) => 30_007,
        _ => 30_008,
    })
}

/// The SID of a recipient: the uid of its message without hyphens, with the recipient's index added bit by bit. So the SID of the
/// first recipient has the digits of the uid.
pub fn message_sid(uid: &str, index: u32) -> String {
    let bits = Uuid::try_parse(uid).map_or(0, |uid| uid.as_u128());
    format!("SM{:032x}", bits ^ (u128::from(index) << NUMBER_BITS))
}

/// A uid that ends as that of the message does, by which our own API finds it. `None`: the text is no SID of a message.
pub fn like_uid(sid: &str) -> Option<String> {
    uid_of(sid, &["SM", "MM"])
}

/// The uid with the digits of a SID of one of these kinds. `None`: the text is no such SID.
pub fn uid_of(sid: &str, kinds: &[&str]) -> Option<String> {
    let (kind, digits) = sid.split_at_checked(2)?;
    let is_kind = kinds.iter().any(|known| kind.eq_ignore_ascii_case(known));
    let uid = Uuid::try_parse(digits).ok()?;
    (is_kind && is_hex(digits)).then(|| uid.to_string())
}

/// Whether a text has the form of a SID of this kind.
pub fn is_sid(kind: &str, text: &str) -> bool {
    text.strip_prefix(kind).is_some_and(is_hex)
}

fn is_hex(digits: &str) -> bool {
    digits.len() == 32 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// The index of the recipient that a SID names in the message with this uid. `None`: it names none of it.
pub fn index_of(sid: &str, uid: &str) -> Option<u32> {
    let named = Uuid::try_parse(&like_uid(sid)?).ok()?.as_u128();
    let rest = named ^ Uuid::try_parse(uid).ok()?.as_u128();
    let index = u32::try_from(rest >> NUMBER_BITS).ok()?;
    (index < INDEXES && rest == u128::from(index) << NUMBER_BITS).then_some(index)
}

/// What a status callback tells.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    /// The SID of the account, as its program has named it.
    pub account: &'a str,
    /// The id of the message.
    pub uid: &'a str,
    /// The index of the recipient.
    pub index: u32,
    /// The line that the message is sent from.
    pub from: &'a str,
    /// The recipient, as the API shows it.
    pub to: &'a str,
    /// The new status.
    pub status: &'a str,
    /// Why the recipient did not get the message.
    pub error: Option<&'a str>,
}

impl<'a> Told<'a> {
    /// What a callback tells.
    pub fn by(callback: &'a NewCallback) -> Self {
        Told {
            account: &callback.callback.account,
            uid: &callback.message,
            index: callback.index,
            from: &callback.line,
            to: &callback.to,
            status: &callback.status,
            error: callback.error.as_deref(),
        }
    }

    /// The members of the callback's form.
    pub fn members(&self) -> Vec<(String, String)> {
        let (sid, status) = (message_sid(self.uid, self.index), status(self.status));
        let mut members = vec![
            ("SmsSid", sid.as_str()),
            ("SmsStatus", status),
            ("MessageStatus", status),
            ("To", self.to),
            ("MessageSid", sid.as_str()),
            ("AccountSid", self.account),
            ("From", self.from),
            ("ApiVersion", API_VERSION),
        ];
        let code = error_code(self.status, self.error).map(|code| code.to_string());
        members.extend(code.iter().map(|code| ("ErrorCode", code.as_str())));
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        members.into_iter().map(owned).collect()
    }
}

/// What the signature of a callback signs: its address, and behind it the name and the value of each member, in the order of the
/// names.
pub fn signed_text(url: &str, members: &[(String, String)]) -> String {
    let mut sorted: Vec<&(String, String)> = members.iter().collect();
    sorted.sort_unstable();
    sorted.dedup();
    let members = sorted.into_iter().flat_map(|(name, value)| [name.as_str(), value]);
    std::iter::once(url).chain(members).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::id;

    const UID: &str = "019b796d-a000-7abc-8def-000000000007";

    #[test]
    fn the_first_recipients_sid_is_the_uid_and_others_lead_back_to_it() {
        assert_eq!(message_sid(UID, 0), "SM019b796da0007abc8def000000000007");
        assert_eq!(message_sid(UID, 1), "SM019b796da0007abc8dee000000000007");
        for sid in [
            "SM019b796da0007abc8def000000000007",
            "mm019B796DA0007ABC8DEF000000000007",
        ] {
            assert_eq!(like_uid(sid).as_deref(), Some(UID));
            assert_eq!(index_of(sid, UID), Some(0));
        }
        for bad in [
            "",
            "SM",
            "PA019b796da0007abc8def000000000007",
            "SM019b796d-a000-7abc-8def-0000000000",
            "SM019b796da0007abc8def00000000000",
            "SM{19b796da0007abc8def00000000000}",
            "سلام",
        ] {
            assert_eq!(like_uid(bad), None, "{bad}");
            assert_eq!(index_of(bad, UID), None, "{bad}");
        }
        assert_eq!(index_of("SM019b796da0007abc8def000000000008", UID), None);
        assert_eq!(index_of("SM119b796da0007abc8def000000000007", UID), None);
        assert_eq!(index_of(&message_sid(UID, INDEXES), UID), None);
    }

    #[test]
    fn only_what_has_failed_has_an_error_code() {
        for (own, error, told, code) in [
            ("SCHEDULED", None, "scheduled", None),
            ("QUEUED", None, "queued", None),
            ("SUBMITTED", None, "sent", None),
            ("UNKNOWN", Some("CARRIER_ERROR"), "sent", None),
            ("LATER", None, "sent", None),
            ("DELIVERED", None, "delivered", None),
            ("CANCELED", None, "canceled", None),
            ("UNDELIVERED", Some("ABSENT_SUBSCRIBER"), "undelivered", Some(30_003)),
            ("UNDELIVERED", Some("BLOCKED"), "undelivered", Some(30_004)),
            ("UNDELIVERED", Some("UNKNOWN_SUBSCRIBER"), "undelivered", Some(30_005)),
            ("UNDELIVERED", None, "undelivered", Some(30_008)),
            ("EXPIRED", None, "undelivered", Some(30_003)),
            ("EXPIRED", Some("EXPIRED"), "undelivered", Some(30_003)),
            ("EXPIRED", Some("NO_REPORT"), "undelivered", Some(30_008)),
            ("REJECTED", Some("CONTENT_REFUSED"), "failed", Some(30_007)),
            ("REJECTED", Some("SENDER_REFUSED"), "failed", Some(30_007)),
            ("REJECTED", Some("CARRIER_ERROR"), "failed", Some(30_008)),
            ("SKIPPED", Some("BLACKLISTED"), "failed", Some(21_610)),
        ] {
            assert_eq!((status(own), error_code(own, error)), (told, code), "{own} {error:?}");
        }
    }

    #[test]
    fn what_is_signed_has_each_member_once_in_the_order_of_the_names() {
        let members = [("b", "2"), ("a", "1"), ("b", "1"), ("a", "1")];
        let members = members.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(
            signed_text("https://shop.example/?x=1", &members),
            "https://shop.example/?x=1a1b1b2"
        );
    }

    proptest! {
        #[test]
        fn each_recipient_has_a_sid_of_its_own(bits in any::<u128>(), number in 1..1_i64 << 48, index in 0..INDEXES) {
            let uid = id::numbered(&Uuid::from_u128(bits).to_string(), number).unwrap();
            let sid = message_sid(&uid, index);
            prop_assert_eq!(id::number_of(&like_uid(&sid).unwrap()), Some(number));
            prop_assert_eq!(index_of(&sid, &uid), Some(index));
        }
    }
}
