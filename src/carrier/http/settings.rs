//! The settings and the secrets of a carrier of kind `http`, as its object reads them.

use serde::Deserialize;

use crate::auth::secret::{Keys, Purpose};
use crate::base::ports::Platform;
use crate::carrier::callback::{self, Tokens};
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

/// The settings.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// The gateway's address for sending.
    pub url: String,
    /// Which gateway it is.
    #[serde(default)]
    pub gateway: Gateway,
    /// The user.
    pub username: String,
    /// How long one request may take, ms.
    #[serde(default = "longest")]
    pub timeout_ms: u32,
}

fn longest() -> u32 {
    8_000
}

#[derive(Deserialize)]
struct Secrets {
    password: String,
}

/// All that a request to the gateway takes.
#[derive(Clone)]
pub struct Access {
    /// The settings.
    pub settings: Settings,
    /// The password.
    pub password: String,
}

impl Access {
    /// Reads the settings of a carrier and opens its secrets.
    ///
    /// # Errors
    /// Words for operators, without values: why the carrier can't be used as it is.
    pub fn of(platform: &impl Platform, carrier: &Carrier) -> Result<Access, String> {
        let settings = serde_json::from_str(&carrier.settings).map_err(|_| "the settings can't be read".to_owned())?;
        let sealed = carrier.secrets.as_deref().ok_or("the carrier has no password")?;
        let keys = Keys::of(platform, Purpose::CarrierSecrets).map_err(|error| error.to_string())?;
        let opened = keys.open(&carrier.name, sealed).map_err(|error| error.to_string())?;
        let secrets: Secrets = serde_json::from_str(&opened).map_err(|_| "the secrets can't be read".to_owned())?;
        Ok(Access {
            settings,
            password: secrets.password,
        })
    }
}

/// What a message needs beside its text: the way to the gateway, and the way back for its report.
pub struct Means<'a> {
    /// The way to the gateway.
    pub(super) access: Access,
    /// Makes the token in the address that a report comes to.
    pub(super) tokens: Tokens<'a>,
    /// The address of the service, as the gateway reaches it.
    pub(super) public_url: String,
}

impl<'a> Means<'a> {
    /// Reads what the settings and the secrets say, or why that can't be.
    pub fn of(platform: &impl Platform, carrier: &'a Carrier) -> Result<Means<'a>, String> {
        Ok(Means {
            access: Access::of(platform, carrier)?,
            tokens: Tokens::of_reports(platform, &carrier.name).map_err(|error| error.to_string())?,
            public_url: callback::public_url(platform).ok_or("the setting PUBLIC_URL is missing or no address")?,
        })
    }
}
