//! The settings and the secrets of a carrier of kind `smpp`, as its objects read them.

use serde::Deserialize;
use smpp::alphabet::DefaultAlphabet;
use smpp::encode::{DefaultCoding, LongMessages};
use smpp::{pdu::Bind, receipt::ReportIds};

use super::message_ids::ReportNumbers;
use crate::base::ports::Platform;
use crate::carrier::{part_reports::PartReports, settings::password};
use crate::directory::carriers::Carrier;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Settings {
    pub host: String,
    pub port: u16,
    pub tls: bool,
    pub system_id: String,
    pub system_type: String,
    pub binds: u64,
    pub window: usize,
    pub throughput_per_second: Option<u32>,
    pub long_messages: LongMessages,
    pub report_ids: ReportIds,
    pub report_numbers: ReportNumbers,
    pub part_reports: PartReports,
    pub source_ton: Option<u8>,
    pub source_npi: Option<u8>,
    pub validity_seconds: Option<u32>,
    pub data_coding: u8,
    pub default_alphabet: DefaultAlphabet,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            host: String::new(),
            port: 2_775,
            tls: true,
            system_id: String::new(),
            system_type: String::new(),
            binds: 1,
            window: 50,
            throughput_per_second: None,
            long_messages: LongMessages::default(),
            report_ids: ReportIds::default(),
            report_numbers: ReportNumbers::default(),
            part_reports: PartReports::default(),
            source_ton: None,
            source_npi: None,
            validity_seconds: None,
            data_coding: 0,
            default_alphabet: DefaultAlphabet::default(),
        }
    }
}

impl Settings {
    pub fn of(carrier: &Carrier) -> Result<Settings, String> {
        let settings: Settings =
            serde_json::from_str(&carrier.settings).map_err(|_| "the settings can't be read".to_owned())?;
        Ok(Settings {
            binds: settings.binds.max(1),
            window: settings.window.max(1),
            ..settings
        })
    }

    /// How many messages of the SMSC a text of so many parts is.
    pub fn messages_of(&self, parts: u32) -> u8 {
        match self.long_messages {
            LongMessages::Payload => 1,
            LongMessages::Udh | LongMessages::Sar => u8::try_from(parts).unwrap_or(u8::MAX),
        }
    }

    /// How a text that is GSM-7 is sent.
    pub fn default_coding(&self) -> DefaultCoding {
        DefaultCoding {
            alphabet: self.default_alphabet,
            data_coding: self.data_coding,
        }
    }

    /// What a session says about us: with the password, opened.
    pub fn login(&self, platform: &impl Platform, carrier: &Carrier) -> Result<Bind, String> {
        Ok(Bind {
            system_id: self.system_id.clone(),
            password: password(platform, carrier)?,
            system_type: self.system_type.clone(),
        })
    }
}
