//! What a request has beside its path and its body.

use crate::api::http::Head;

/// A request.
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
