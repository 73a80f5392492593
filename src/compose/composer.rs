//! For whom messages are composed, and with what.

use crate::auth::Mode;
use crate::base::cache::Cache;
use crate::base::config::Config;
use crate::base::language::Language;
use crate::base::ports::Platform;
use crate::directory::patterns::ActivePattern;
use crate::directory::profile::Profile;
use crate::problem::warning::Remarks;

/// What composing a message needs besides the request. No caller and no HTTP is in it, so that an account's object can compose too.
pub struct Composer<'a, P: Platform> {
    /// The runtime.
    pub platform: &'a P,
    /// The settings.
    pub config: &'a Config,
    /// The active versions of patterns, by account and slug.
    pub patterns: &'a Cache<ActivePattern>,
    /// What the sender may not have meant so.
    pub warnings: &'a Remarks,
    /// The id of the account that sends.
    pub account: &'a str,
    /// The account's plan and lines.
    pub profile: &'a Profile,
    /// Whether the message costs money.
    pub mode: Mode,
    /// The numbers of the lines that the sender may use; `None` for all lines of the account.
    pub lines: Option<&'a [String]>,
    /// The language of warnings.
    pub language: Language,
    /// The time, ms since the Unix epoch.
    pub now_ms: i64,
}

impl<P: Platform> Composer<'_, P> {
    /// Whether a test key sends.
    pub fn is_test(&self) -> bool {
        self.mode.is_test()
    }
}
