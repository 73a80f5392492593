//! The browser from which somebody signs in: a cookie that no script can read. A code counts in the browser that has asked for it.

use super::Head;
use crate::auth::{self, console_session, hex};
use crate::base::ports::Platform;
use crate::problem::Problem;

const NAME: &str = "peyk_browser";
const BYTES: usize = 16;
/// How long browsers keep it, in seconds.
const LASTS_S: i64 = 400 * 24 * 60 * 60;

/// A browser.
pub struct Browser(String);

impl Browser {
    /// The one that a request comes from. It gets a name if it has none.
    pub fn of(platform: &impl Platform, head: &Head) -> Result<Browser, Problem> {
        if let Some(known) = known(head) {
            return Ok(known);
        }
        let mut bytes = [0; BYTES];
        platform.random(&mut bytes)?;
        Ok(Browser(hex(&bytes)))
    }

    /// What is kept of it.
    pub fn digest(&self) -> String {
        auth::digest(&self.0)
    }

    /// The cookie, as a header.
    pub fn cookie(&self, head: &Head) -> (&'static str, String) {
        console_session::set_cookie(&head.origin, NAME, &self.0, LASTS_S)
    }
}

/// The browser that a request comes from, if it has a name.
pub fn known(head: &Head) -> Option<Browser> {
    let is_name = |value: &str| value.len() == BYTES * 2 && value.bytes().all(|byte| byte.is_ascii_hexdigit());
    let value = console_session::of_cookie(head.cookie.as_deref(), &head.origin, NAME, is_name)?;
    is_name(value).then(|| Browser(value.to_owned()))
}
