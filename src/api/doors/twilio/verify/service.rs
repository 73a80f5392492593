//! A service of Verify.

use crate::api::doors::twilio::asked::Asked;

/// A service of Verify. Any is there: the program has made it with its provider.
pub struct Service<'a> {
    pub asked: &'a Asked<'a>,
    pub sid: &'a str,
    /// What its codes are for.
    pub purpose: String,
}

impl<'a> Service<'a> {
    /// The service with this SID.
    pub fn of(asked: &'a Asked<'a>, sid: &'a str) -> Self {
        Service {
            asked,
            sid,
            purpose: sid.get(2..).unwrap_or_default().to_ascii_lowercase(),
        }
    }

    /// The whole address of what the service has.
    pub fn url(&self, rest: &str) -> String {
        self.asked.url(&format!("/v2/Services/{}{rest}", self.sid))
    }
}
