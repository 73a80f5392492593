//! The types of events that webhooks tell.

use crate::base::named::Name;

/// A type of event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventType {
    /// Recipients have come to their ending, or are UNKNOWN.
    MessageStatus,
    /// A carrier has taken recipients.
    MessageSubmitted,
    /// A message came from a phone.
    MessageReceived,
    /// The available balance has fallen below a threshold.
    WalletLow,
    /// The service has disabled an endpoint.
    WebhookDisabled,
    /// The customer tries an endpoint out.
    WebhookTest,
}

impl EventType {
    /// The types that an endpoint may ask for.
    pub const SELECTABLE: [EventType; 5] = [
        EventType::MessageStatus,
        EventType::MessageSubmitted,
        EventType::MessageReceived,
        EventType::WalletLow,
        EventType::WebhookDisabled,
    ];

    /// The name of the type in the API, between objects and in their SQL.
    pub fn as_str(self) -> &'static str {
        match self {
            EventType::MessageStatus => "message.status",
            EventType::MessageSubmitted => "message.submitted",
            EventType::MessageReceived => "message.received",
            EventType::WalletLow => "wallet.low",
            EventType::WebhookDisabled => "webhook.disabled",
            EventType::WebhookTest => "webhook.test",
        }
    }

    /// The type with this name, if an endpoint may ask for it.
    pub fn parse(name: &str) -> Option<Self> {
        Self::SELECTABLE.into_iter().find(|kind| kind.as_str() == name)
    }

    /// The bit of the type in a set of types. It is stored.
    pub(super) fn bit(self) -> i64 {
        match self {
            EventType::MessageStatus => 1,
            EventType::MessageSubmitted => 2,
            EventType::MessageReceived => 4,
            EventType::WalletLow => 8,
            EventType::WebhookDisabled => 16,
            EventType::WebhookTest => 32,
        }
    }
}

impl Name for EventType {
    fn name(self) -> &'static str {
        self.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_type_and_bits_differ() {
        let mut bits = 0;
        for kind in EventType::SELECTABLE {
            assert_eq!(EventType::parse(kind.as_str()), Some(kind));
            assert_eq!(bits & kind.bit(), 0);
            bits |= kind.bit();
        }
        assert_eq!(EventType::parse(EventType::WebhookTest.as_str()), None);
    }
}
