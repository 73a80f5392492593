//! Doors: the protocols of other providers in which the service can be called, too.

use super::named::named;

named! {
    /// A door.
    pub enum Door {
        /// The REST API of Kavenegar.
        Kavenegar => "kavenegar",
        /// The three protocols of ippanel.
        Ippanel => "ippanel",
        /// The REST API of sms.ir.
        SmsIr => "smsir",
        /// The REST API of Twilio for messages.
        Twilio => "twilio",
    }
}
