//! The settings and the secrets of a carrier of kind `smpp`, as its objects read them.

use serde::Deserialize;

use super::protocol::encode::LongMessages;
use super::protocol::pdu::Bind;
use super::protocol::receipt::ReportIds;
use crate::auth::secret::{Keys, Purpose};
use crate::base::ports::Platform;
use crate::directory::carriers::Carrier;

/// The settings.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Settings {
    /// Where the SMSC is.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// Whether the connection is encrypted.
    pub tls: bool,
    /// Who we are.
    pub system_id: String,
    /// What kind of system we are.
    pub system_type: String,
    /// How many sessions there are at the same time.
    pub binds: u64,
    /// How many messages of a session may wait for their answers.
    pub window: usize,
    /// How many messages a session may send in a second.
    pub throughput_per_second: Option<u32>,
    /// How long messages travel.
    pub long_messages: LongMessages,
    /// How the ids of receipts are written.
    pub report_ids: ReportIds,
    /// The type of number of all senders.
    pub source_ton: Option<u8>,
    /// The numbering plan of all senders.
    pub source_npi: Option<u8>,
    /// How long a message is worth sending.
    pub validity_seconds: Option<u32>,
    /// The `data_coding` of the default alphabet.
    pub data_coding: u8,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            host: String::new(),
            port: 2_775,
            tls: false,
            system_id: String::new(),
            system_type: String::new(),
            binds: 1,
            window: 50,
            throughput_per_second: None,
            long_messages: LongMessages::default(),
            report_ids: ReportIds::default(),
            source_ton: None,
            source_npi: None,
            validity_seconds: None,
            data_coding: 0,
        }
    }
}

#[derive(Deserialize)]
struct Secrets {
    password: String,
}

impl Settings {
    /// The settings of a carrier.
    pub fn of(carrier: &Carrier) -> Result<Settings, String> {
        let settings: Settings =
            serde_json::from_str(&carrier.settings).map_err(|_| "the settings can't be read".to_owned())?;
        Ok(Settings {
            binds: settings.binds.max(1),
            window: settings.window.max(1),
            ..settings
        })
    }

    /// What a session says about us: with the password, opened.
    pub fn login(&self, platform: &impl Platform, carrier: &Carrier) -> Result<Bind, String> {
        let sealed = carrier.secrets.as_deref().ok_or("the carrier has no password")?;
        let keys = Keys::of(platform, Purpose::CarrierSecrets).map_err(|error| error.to_string())?;
        let opened = keys.open(&carrier.name, sealed).map_err(|error| error.to_string())?;
        let secrets: Secrets = serde_json::from_str(&opened).map_err(|_| "the secrets can't be read".to_owned())?;
        Ok(Bind {
            system_id: self.system_id.clone(),
            password: secrets.password,
            system_type: self.system_type.clone(),
        })
    }
}
