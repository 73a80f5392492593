//! Why an account's object refuses a request. A refused request has changed nothing but the rate limit.

use serde::{Deserialize, Serialize};

use crate::auth::Scope;
use crate::base::network::Network;
use crate::durable::refusals;

/// Something that a key would have, and that the key of the request lacks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Excess {
    /// This scope.
    Scope(Scope),
    /// This line.
    Line(String),
    /// All lines of the account.
    AllLines,
    /// The live mode.
    Live,
    /// Time: it would end later, or never.
    Time,
    /// These addresses.
    Address(Network),
    /// Any address.
    AnyAddress,
    /// More tokens in a minute.
    Rate,
    /// More money in a day.
    Spend,
}

refusals! {
    /// Why an account's object refuses a request.
    Refusal {
        /// The key is revoked or has ended.
        KeyRevoked,
        /// The object does not know the key.
        KeyUnknown,
        /// Too few tokens are left, of the account or of the key.
        RateLimited,
        /// The account has written as much into the audit log as it may in a day.
        AuditFull {
            /// The whole seconds after which it may write again, at least 1.
            retry_after_s: u32,
        },
        /// The idempotency key came with another request before.
        IdempotencyMismatch,
        /// The account is not active.
        Inactive,
        /// The account is not active, or may not send, for a reason that an operator has told.
        Barred {
            /// The reason.
            reason: String,
            /// Whether it is not active; else it may not send.
            is_inactive: bool,
        },
        /// The account is closed.
        Closed,
        /// The account has money, or something of it is under way, so that it can't be closed.
        NotEmpty {
            /// The available balance.
            available: i64,
            /// The locked balance.
            locked: i64,
            /// Recipients that have no ending.
            recipients: i64,
        },
        /// Sending is switched off, for all accounts (`true`) or for this one.
        SendingOff(bool),
        /// These recipients have got as many messages of patterns as the account may send them for now.
        RecipientLimit {
            /// Their numbers.
            recipients: Vec<u64>,
            /// The whole seconds after which all of them may get one more, at least 1.
            retry_after_s: u32,
        },
        /// The message would cost more than what may be spent today.
        DailyLimit {
            /// What may be spent in a day.
            limit: i64,
            /// What is spent today.
            spent: i64,
            /// What the message would have cost.
            cost: i64,
            /// Whether the key may spend no more, or one that it comes from; else it is the account.
            of_key: bool,
            /// The whole seconds until the next day, at least 1.
            retry_after_s: u32,
        },
        /// The available balance is below the cost.
        InsufficientBalance {
            /// What the request would have cost.
            cost: i64,
            /// The available balance.
            available: i64,
        },
        /// More money than a wallet can hold.
        WalletFull,
        /// No such message or key.
        NotFound,
        /// The account has as many keys as it may have.
        TooManyKeys,
        /// The key to revoke is the one that the request comes with.
        OwnKey,
        /// No other key of the operators would last.
        LastKey,
        /// Only a member has passkeys.
        NotMember,
        /// A code does not open a session of this account: a passkey does.
        NeedsPasskey,
        /// The member has joined already, and needs no invitation.
        MemberJoined,
        /// The account, or the member, has got as many invitations as it may have in 24 hours.
        TooManyInvitations,
        /// The member who requires passkeys has none.
        NoPasskey,
        /// A member has this passkey already.
        PasskeyExists,
        /// The member has as many passkeys as it may have.
        TooManyPasskeys,
        /// The passkey says that it has signed less often than before: there is a copy of it.
        PasskeyCopied,
        /// The challenge was answered before.
        ChallengeEnded,
        /// The key belongs to the operator who has begun it, or was made by that one.
        SameOperator,
        /// The request came too late to be carried out.
        TooLate,
        /// A key would have, or has, what the key of the request lacks.
        WiderKey(Vec<Excess>),
        /// These recipients are on the account's blacklist.
        Blacklisted(Vec<u64>),
        /// The blacklist has as many numbers as it may have.
        BlacklistFull,
        /// As many numbers are being erased as may be, or stay blocked although they are erased.
        TooManyErasures,
        /// Nothing of the message waits any more.
        HasLeft,
        /// The message is a wave of the campaign with this id, which goes on.
        OfCampaign(String),
        /// Campaigns with these ids go on, and read it.
        InCampaigns(Vec<String>),
        /// The message has a code: whoever has asked for that takes it back.
        HasCode,
        /// The account has as many campaigns as it may have.
        TooManyCampaigns,
        /// The campaign can't take this step in the state that it is in. The name of that.
        CampaignState(String),
        /// The campaign has reached people. What it sends to whom stays as it is.
        CampaignBegun,
        /// The campaign is a resend, or was resent before.
        ResentOnce,
        /// The campaign is a resend, whose message and people can't be changed.
        FixedResend,
        /// The chunk does not wait any more.
        #[serde(rename = "NotStuck")]
        NotStalled,
        /// No verification is pending.
        NotPending {
            /// How the one that is asked for has ended; `None`: there is none.
            ended: Option<String>,
        },
        /// The object can't go back to the time, for this reason.
        NotRestored(String),
        /// The object has come with the move of the service at this time, ms since the Unix epoch, and can't go back to before that.
        BeforeMove(i64),
    }
}
