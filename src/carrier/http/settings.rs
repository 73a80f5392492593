//! The settings and the secrets of a carrier of kind `http`, as its object reads them.

use serde::Deserialize;

use crate::base::ports::Platform;
use crate::carrier::gateway_url::{self, Tokens};
use crate::carrier::settings::{HTTP_WINDOW, password};
use crate::directory::carriers::Carrier;

/// Which gateway the carrier is: it decides the names of the parameters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Gateway {
    /// Kannel's smsbox, and gateways with its `sendsms`.
    #[default]
    Kannel,
    /// Jasmin's HTTP API.
    Jasmin,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    pub url: String,
    #[serde(default)]
    pub gateway: Gateway,
    pub username: String,
    #[serde(default = "longest")]
    pub timeout_ms: u32,
    /// The objects that share the carrier's messages.
    #[serde(default = "one")]
    pub objects: u64,
    /// The requests that each of them may have under way.
    #[serde(default = "window")]
    pub window: usize,
}

fn longest() -> u32 {
    8_000
}

fn one() -> u64 {
    1
}

/// The requests that an object may have under way, unless an operator says otherwise.
pub(super) fn window() -> usize {
    usize::try_from(HTTP_WINDOW).unwrap_or(1)
}

impl Settings {
    pub(super) fn of(carrier: &Carrier) -> Result<Settings, String> {
        serde_json::from_str(&carrier.settings).map_err(|_| "the settings can't be read".to_owned())
    }
}

/// How many objects the carrier's settings say.
pub(super) fn objects_of(carrier: &Carrier) -> u64 {
    Settings::of(carrier).map_or(1, |settings| settings.objects.max(1))
}

/// All that a request to the gateway takes.
#[derive(Clone)]
pub struct Access {
    pub settings: Settings,
    pub password: String,
}

impl Access {
    fn of(platform: &impl Platform, carrier: &Carrier) -> Result<Access, String> {
        Ok(Access {
            settings: Settings::of(carrier)?,
            password: password(platform, carrier)?,
        })
    }
}

/// What a message needs beside its text: the way to the gateway, and the way back for its report.
pub struct Means<'a> {
    pub(super) access: Access,
    /// Makes the token in the address that a report comes to.
    pub(super) tokens: Tokens<'a>,
    pub(super) public_url: String,
    /// The version of the carrier's addresses.
    pub(super) version: i64,
}

impl<'a> Means<'a> {
    /// Reads what the settings and the secrets say, or why that can't be.
    pub fn of(platform: &impl Platform, carrier: &'a Carrier) -> Result<Means<'a>, String> {
        Ok(Means {
            access: Access::of(platform, carrier)?,
            tokens: Tokens::of_reports(platform, &carrier.name).map_err(|error| error.to_string())?,
            public_url: gateway_url::public_url(platform).ok_or("the setting PUBLIC_URL is missing or no address")?,
            version: carrier.callbacks.newest(),
        })
    }
}
