//! What goes wrong, and what each of the protocols says of it.

use super::kinds::{self, Kind};
use crate::api::doors::own::Refused;
use crate::api::doors::params::Unread;

/// An error.
#[derive(Debug)]
pub struct Fault {
    pub kind: &'static Kind,
    /// The members at fault, as the protocol names them, and what is wrong with each.
    pub members: Vec<(String, String)>,
    /// What our own API says.
    detail: String,
    /// The method that the call has, if the request has another.
    pub allow: Option<&'static str>,
    /// Whether the door has found it before it has asked our own API.
    pub is_own: bool,
}

impl Fault {
    fn own(kind: &'static Kind, members: Vec<(String, String)>) -> Fault {
        Fault {
            kind,
            members,
            detail: String::new(),
            allow: None,
            is_own: true,
        }
    }

    /// A value that must be there is not.
    pub fn missing(member: &str) -> Fault {
        let name = if member == "message" { "پیام" } else { member };
        Fault::of_member(member, format!("تکمیل گزینه {name} الزامی است"))
    }

    /// A value is none of those that are allowed.
    pub fn not_allowed(member: &str) -> Fault {
        Fault::of_member(member, format!("گزینه انتخاب شده {member} صحیح نمی باشد"))
    }

    fn of_member(member: &str, text: String) -> Fault {
        Fault::own(&kinds::VALUE, vec![(member.to_owned(), text)])
    }

    /// There is no such message. The door knows that from our own API.
    pub fn no_message() -> Fault {
        Fault {
            is_own: false,
            ..Fault::own(&kinds::NO_MESSAGE, Vec::new())
        }
    }

    /// Whether this says that there is no such message.
    pub fn is_no_message(&self) -> bool {
        self.kind == &kinds::NO_MESSAGE
    }

    /// The protocol has no such call, or the service has nothing for it.
    pub fn no_path() -> Fault {
        Fault::own(&kinds::NO_PATH, Vec::new())
    }

    /// The call has this method, and the request another.
    pub fn no_method(method: &'static str) -> Fault {
        Fault {
            allow: Some(method),
            ..Fault::own(&kinds::NO_METHOD, Vec::new())
        }
    }

    /// A list was asked for messages in a state that there is not.
    pub fn no_state() -> Fault {
        Fault::own(&kinds::STATE, Vec::new())
    }

    /// What is asked for can't be done as things are.
    pub fn conflict(detail: &str) -> Fault {
        Fault {
            detail: detail.to_owned(),
            ..Fault::own(&kinds::CONFLICT, Vec::new())
        }
    }

    /// The error for a problem of our own API. `name` gives the protocol's name of the member that a pointer names.
    pub fn of(refused: Refused, name: impl Fn(&str) -> String) -> Fault {
        let named = refused
            .pointers
            .iter()
            .map(|pointer| name(pointer))
            .zip(&refused.faults);
        Fault {
            kind: kinds::of(refused.code),
            members: named
                .map(|(member, text)| (member.clone(), format!("{member}: {text}")))
                .collect(),
            detail: refused.detail,
            allow: None,
            is_own: false,
        }
    }

    /// The error of a call about a message, of which our own API has said that it is not there.
    pub fn into_no_message(self) -> Fault {
        if self.kind == &kinds::NO_PATH {
            Fault::no_message()
        } else {
            self
        }
    }

    /// The error of a call that names something in this member, of which our own API has said that it is not there.
    pub fn into_not_allowed(self, member: &str) -> Fault {
        if self.kind != &kinds::NO_PATH {
            return self;
        }
        Fault {
            is_own: false,
            ..Fault::not_allowed(member)
        }
    }

    /// What a person reads. `is_edge`: whether Edge says it.
    pub fn text(&self, is_edge: bool) -> String {
        let fixed = self
            .kind
            .texts
            .map(|(edge, others)| if is_edge { edge } else { others });
        let first = self.members.first().map(|(_, text)| text.as_str());
        let text = match (fixed, first) {
            // Of what is not about a value, programs know the provider's own text.
            (Some(fixed), Some(first)) if self.kind.edge.0 == 422 => format!("{fixed} {first}"),
            (Some(text), _) | (None, Some(text)) => text.to_owned(),
            (None, None) => self.detail.clone(),
        };
        match self.members.len() {
            0 | 1 => text,
            count => format!("{text} (و {} خطای دیگر)", count.saturating_sub(1)),
        }
    }
}

impl From<Refused> for Fault {
    fn from(refused: Refused) -> Self {
        Fault::of(refused, |pointer| pointer.trim_start_matches('/').replace('/', "."))
    }
}

impl From<Unread> for Fault {
    fn from(_: Unread) -> Self {
        Fault::own(&kinds::MALFORMED, Vec::new())
    }
}
