//! The settings and the caches of an isolate. They outlive a request.

use super::meter::Meter;
use super::refusals::Refusals;
use super::strangers::Strangers;
use super::ttl_cell::TtlCell;
use crate::auth::KeyRecord;
use crate::base::{cache::Cache, config::Config};
use crate::carrier::sandbox_names::SandboxNames;
use crate::directory::gateway_url_versions::GatewayUrlVersions;
use crate::directory::patterns::ActivePattern;
use crate::directory::profile::{Profile, SharedLines};
use crate::directory::{mirror, usage};

/// The settings and the caches of an isolate.
#[derive(Debug, Default)]
pub struct App {
    /// The settings.
    pub config: Config,
    /// The records of keys, by digest.
    pub keys: Cache<KeyRecord>,
    /// The addresses whose keys are not good.
    pub strangers: Strangers,
    /// The calls of gateways that are refused.
    pub refusals: Refusals,
    /// The requests that are counted and not told yet.
    pub meter: Meter,
    /// What metrics tell of all accounts together.
    pub account_sums: TtlCell<mirror::Sums>,
    /// What metrics tell of all that was sent today.
    pub sent_sums: TtlCell<Vec<usage::Sums>>,
    /// The profiles of accounts, by account.
    pub profiles: Cache<Profile>,
    /// The lines that these have in common.
    pub shared_lines: SharedLines,
    /// The versions of the addresses that carriers' gateways call, by carrier.
    pub gateway_url_versions: Cache<GatewayUrlVersions>,
    /// The names of the carriers that only simulate.
    pub sandboxes: SandboxNames,
    /// The active versions of patterns, by account and slug.
    pub patterns: Cache<ActivePattern>,
}
