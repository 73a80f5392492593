//! The types of events that webhooks tell.

use crate::auth::Scope;
use crate::base::named::named;

named! {
    /// A type of event.
    pub enum EventType {
        /// Recipients have come to their ending, or are UNKNOWN.
        MessageStatus => "message.status",
        /// A carrier has taken recipients.
        MessageSubmitted => "message.submitted",
        /// A message came from a phone.
        MessageReceived => "message.received",
        /// The available balance has fallen below a threshold.
        WalletLow => "wallet.low",
        /// A verification has ended.
        VerifyStatus => "verify.status",
        /// The guard lets no verification of numbers that begin alike start for a while.
        VerifyPaused => "verify.paused",
        /// A campaign is paused: by its sender, or because it can't go on.
        CampaignPaused => "campaign.paused",
        /// One of its bounds has stopped a campaign.
        CampaignStopped => "campaign.stopped",
        /// A campaign has reached everybody that it could.
        CampaignDone => "campaign.done",
        /// An operator has approved or refused a version of a pattern.
        PatternReviewed => "pattern.reviewed",
        /// The service has disabled an endpoint.
        WebhookDisabled => "webhook.disabled",
        /// The customer tries an endpoint out.
        WebhookTest => "webhook.test",
    }
}

impl EventType {
    /// The types that an endpoint may ask for.
    pub const SELECTABLE: [EventType; 11] = [
        EventType::MessageStatus,
        EventType::MessageSubmitted,
        EventType::MessageReceived,
        EventType::WalletLow,
        EventType::VerifyStatus,
        EventType::VerifyPaused,
        EventType::CampaignPaused,
        EventType::CampaignStopped,
        EventType::CampaignDone,
        EventType::PatternReviewed,
        EventType::WebhookDisabled,
    ];

    /// The type with this name, if an endpoint may ask for it.
    pub fn selectable(name: &str) -> Option<Self> {
        Self::SELECTABLE.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Whether endpoints of test keys may get it: nothing else comes of what these do.
    pub fn is_for_tests(self) -> bool {
        matches!(
            self,
            EventType::MessageStatus
                | EventType::MessageSubmitted
                | EventType::VerifyStatus
                | EventType::CampaignPaused
                | EventType::CampaignStopped
                | EventType::CampaignDone
                | EventType::WebhookDisabled
                | EventType::WebhookTest
        )
    }

    /// The scope by which a key reads at the API what events of this type tell.
    pub fn scope(self) -> Scope {
        match self {
            EventType::MessageStatus
            | EventType::MessageSubmitted
            | EventType::MessageReceived
            | EventType::CampaignPaused
            | EventType::CampaignStopped
            | EventType::CampaignDone => Scope::SmsRead,
            EventType::PatternReviewed => Scope::Pattern,
            EventType::WalletLow => Scope::AccountRead,
            EventType::VerifyStatus | EventType::VerifyPaused => Scope::Verify,
            EventType::WebhookDisabled | EventType::WebhookTest => Scope::Webhook,
        }
    }

    /// The bit of the type in a set of types. It is stored.
    pub(in crate::account) fn bit(self) -> i64 {
        match self {
            EventType::MessageStatus => 1,
            EventType::MessageSubmitted => 2,
            EventType::MessageReceived => 4,
            EventType::WalletLow => 8,
            EventType::WebhookDisabled => 16,
            EventType::WebhookTest => 32,
            EventType::VerifyStatus => 64,
            EventType::VerifyPaused => 128,
            EventType::CampaignPaused => 256,
            EventType::CampaignStopped => 512,
            EventType::CampaignDone => 1024,
            EventType::PatternReviewed => 2048,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_type_and_bits_differ() {
        let mut bits = 0;
        for kind in EventType::SELECTABLE {
            assert_eq!(EventType::selectable(kind.as_str()), Some(kind));
            assert_eq!(bits & kind.bit(), 0);
            bits |= kind.bit();
        }
        assert_eq!(EventType::selectable(EventType::WebhookTest.as_str()), None);
    }
}
