//! A call: what it has beside its path and its body, and what it tells.

use serde::Serialize;

use crate::api::doors::answer::json_text;
use crate::api::http::Head;

/// What a call has beside its path and its body.
pub struct Asked<'a> {
    /// The SID of the account, as the program writes it in the path or as its user name. `None`: it writes none.
    pub account: Option<&'a str>,
    pub head: &'a Head,
}

impl Asked<'_> {
    /// The whole address of a path of the service.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.head.origin)
    }
}

/// What a call tells.
pub enum Told {
    /// A record, or a page of a list.
    Found(String),
    /// A record that was made.
    Made(String),
    /// A record is gone.
    Gone,
}

impl Told {
    /// A record as JSON.
    pub fn found(record: &impl Serialize) -> Told {
        Told::Found(json_text(record))
    }
}
