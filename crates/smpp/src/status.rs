//! The codes that a peer gives, and what they mean for a message or for a bind.

use serde::{Deserialize, Serialize};

/// `ESME_ROK`.
pub const OK: u32 = 0;
/// `ESME_RINVCMDLEN`: the length of a PDU is wrong.
pub const BAD_LENGTH: u32 = 0x02;
/// `ESME_RINVCMDID`.
pub const UNKNOWN_COMMAND: u32 = 0x03;
/// `ESME_RSYSERR`.
pub const SYSTEM_ERROR: u32 = 0x08;
/// `ESME_RMSGQFUL`.
pub const QUEUE_FULL: u32 = 0x14;
/// `ESME_RTHROTTLED`.
pub const THROTTLED: u32 = 0x58;
/// `ESME_RX_T_APPN`: we can't take a `deliver_sm` now; it may come again.
pub const NOT_NOW: u32 = 0x64;

/// Why a message was refused or not delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SmscError {
    /// The recipient can't be reached now.
    AbsentSubscriber,
    /// There is no such recipient.
    UnknownSubscriber,
    /// The recipient, or somebody for it, does not want it.
    Blocked,
    /// The text was refused.
    Content,
    /// The sender was refused.
    Sender,
    /// Its time was over.
    Expired,
    /// Anything else.
    Carrier,
}

/// What the response to a `submit_sm` means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// The carrier has it.
    Taken,
    /// The carrier does not have it, and never will.
    Refused(SmscError),
    /// The carrier does not have it, but will take it later.
    NotNow,
    /// The carrier does not have it, because it is sent too much.
    Throttled,
    /// The carrier does not have it, because it does not see us as bound.
    NotBound,
}

/// What a status of a `submit_sm_resp` means. Each status but 0 says that the carrier does not have the message.
pub fn of_submit(status: u32) -> Meaning {
    match status {
        OK => Meaning::Taken,
        // ESME_RTHROTTLED, ESME_RMSGQFUL.
        THROTTLED | QUEUE_FULL => Meaning::Throttled,
        // ESME_RINVBNDSTS.
        0x04 => Meaning::NotBound,
        // ESME_RSYSERR, ESME_RSUBMITFAIL, ESME_RX_T_APPN.
        SYSTEM_ERROR | 0x45 | NOT_NOW => Meaning::NotNow,
        // ESME_RINVSRCADR, ESME_RINVSRCTON, ESME_RINVSRCNPI.
        0x0A | 0x48 | 0x49 => Meaning::Refused(SmscError::Sender),
        // ESME_RINVDSTADR, ESME_RINVDSTTON, ESME_RINVDSTNPI.
        0x0B | 0x50 | 0x51 => Meaning::Refused(SmscError::UnknownSubscriber),
        // ESME_RINVEXPIRY.
        0x62 => Meaning::Refused(SmscError::Expired),
        // ESME_RX_R_APPN is what many carriers say of a text or a recipient that they don't want.
        0x66 => Meaning::Refused(SmscError::Blocked),
        // ESME_RINVMSGLEN, ESME_RINVDCS and others of this form.
        0x01 | 0x104 => Meaning::Refused(SmscError::Content),
        _ => Meaning::Refused(SmscError::Carrier),
    }
}

/// Whether a refused bind can only be mended by people: wrong password, wrong system id, not allowed.
pub fn is_wrong_login(status: u32) -> bool {
    // ESME_RBINDFAIL is also what a busy peer says; ESME_RINVPASWD, ESME_RINVSYSID, ESME_RINVSYSTYP are not.
    matches!(status, 0x0E | 0x0F | 0x53)
}

/// The name of a status as operators know it, or its number.
pub fn name(status: u32) -> String {
    let known = match status {
        0x01 => "ESME_RINVMSGLEN",
        0x02 => "ESME_RINVCMDLEN",
        0x03 => "ESME_RINVCMDID",
        0x04 => "ESME_RINVBNDSTS",
        0x05 => "ESME_RALYBND",
        0x08 => "ESME_RSYSERR",
        0x0A => "ESME_RINVSRCADR",
        0x0B => "ESME_RINVDSTADR",
        0x0D => "ESME_RBINDFAIL",
        0x0E => "ESME_RINVPASWD",
        0x0F => "ESME_RINVSYSID",
        0x14 => "ESME_RMSGQFUL",
        0x45 => "ESME_RSUBMITFAIL",
        0x48 => "ESME_RINVSRCTON",
        0x49 => "ESME_RINVSRCNPI",
        0x50 => "ESME_RINVDSTTON",
        0x51 => "ESME_RINVDSTNPI",
        0x53 => "ESME_RINVSYSTYP",
        0x58 => "ESME_RTHROTTLED",
        0x62 => "ESME_RINVEXPIRY",
        0x64 => "ESME_RX_T_APPN",
        0x65 => "ESME_RX_P_APPN",
        0x66 => "ESME_RX_R_APPN",
        _ => return format!("0x{status:08X}"),
    };
    known.to_owned()
}
