//! The message that tells a phone that its opt-out, or its return, counts.
//!
//! An operator gives a line the texts. The account that the reply is for sends and pays the confirmation, as any other message
//! of its own. This file makes the message with its price; the account's object decides whether it is sent, in the transaction
//! that notes the reply. Whatever keeps a confirmation from being sent, the reply counts.

use serde_json::json;
use sms::price::{Operation, price};
use sms::{msisdn::Msisdn, text::segment};

use crate::account::record::message::{MessageKind, NewChunk, NewMessage, RecipientGroup};
use crate::account::{inbound::Choice, refusal::Refusal};
use crate::base::ports::{MAX_INTEGER, Platform, PortError};
use crate::base::{config::Config, id, log, own_json::own_json};
use crate::directory::profile::{self, Profile, SharedLines};
use crate::directory::{inbound_routes::Target, lines::Line};

/// The confirmation of a reply of `sender`, for the account that it is for. `None`: the line has no text for it, or it can't be
/// made, which is logged. A directory that fails costs the confirmation and not the opt-out, which must count at once.
pub async fn of(
    platform: &impl Platform,
    config: &Config,
    target: &Target,
    account: &str,
    sender: Msisdn,
    choice: Choice,
) -> Option<NewMessage> {
    let text = match choice {
        Choice::OptOut => target.opt_out_reply.as_deref(),
        Choice::OptIn => target.opt_in_reply.as_deref(),
    }?;
    let made = match profile::profile(platform.db(), account, &SharedLines::default()).await {
        Ok(Some(profile)) => match line_of(&profile, &target.line) {
            Some(line) => message(platform, config, &profile, line, sender, text),
            None => Err(PortError::failed("line", "the account may not send from it now")),
        },
        Ok(None) => Err(PortError::failed("directory", "it does not have the account")),
        Err(error) => Err(error),
    };
    made.inspect_err(|error| log(platform, account, &error.to_string()))
        .ok()
}

/// Logs that the object has not sent a confirmation.
pub fn log_refusal(platform: &impl Platform, account: &str, refusal: &Refusal) {
    let cause = match refusal {
        Refusal::Inactive | Refusal::Barred { is_inactive: true, .. } => "the account is not active",
        Refusal::SendingOff(_) | Refusal::Barred { .. } => "sending is switched off",
        Refusal::InsufficientBalance { .. } => "the balance is below the cost",
        _ => "the account's object refused it",
    };
    log(platform, account, cause);
}

fn log(platform: &impl Platform, account: &str, cause: &str) {
    log::warning(
        platform,
        "inbound",
        json!({"what": "a reply is not confirmed", "account": account,
        "cause": cause}),
    );
}

/// The line, if the account may send texts of its own from it.
fn line_of<'a>(profile: &'a Profile, number: &str) -> Option<&'a Line> {
    let mut lines = profile.lines();
    lines.find(|line| line.number == number && line.serves(Operation::Webservice))
}

/// A plain message to the sender of a reply.
fn message(
    platform: &impl Platform,
    config: &Config,
    profile: &Profile,
    line: &Line,
    sender: Msisdn,
    text: &str,
) -> Result<NewMessage, PortError> {
    let measured = segment(text);
    let barred = |_| PortError::failed("tariff", "the account does not send to the sender's country");
    let cost = price(
        measured.parts,
        profile.price_of_part(config, sender).map_err(barred)?,
        &line.coefficients,
        measured.encoding,
        sender.operator(),
        Operation::Webservice,
    );
    // No wallet can hold a price that is too large, so it is refused for its size.
    let cost = cost.unwrap_or(MAX_INTEGER);
    let items = own_json(json!([[sender.get(), cost, 0]]).to_string());
    Ok(NewMessage {
        uid: id::new(platform)?,
        kind: MessageKind::Plain,
        line: line.number.clone(),
        test: false,
        text: text.to_owned(),
        redacted: None,
        encoding: measured.encoding.as_str().to_owned(),
        parts: measured.parts,
        all_parts: i64::from(measured.parts),
        cost,
        unit: config.unit.clone(),
        refunds: profile.plan.refunds.clone(),
        client_ref: None,
        send_at_ms: None,
        opens_ms: None,
        keeps_hours: false,
        expires_ms: None,
        idempotency: None,
        sending_enabled: profile.sending_enabled,
        patterns: Vec::new(),
        sources: Vec::new(),
        count: 1,
        recipients: vec![RecipientGroup {
            first: 0,
            items: items.map_err(|error| PortError::json("recipient", &error))?,
        }],
        chunks: vec![NewChunk {
            avoid: Vec::new(),
            prefix: line.routes.prefix_of(&sender.get().to_string()).to_owned(),
            first: 0,
            last: 0,
            count: 1,
        }],
        avoid: Vec::new(),
        saved: None,
        callback: None,
        skips_blocked: false,
        skipped: Vec::new(),
        campaign: None,
        rehearsed: Vec::new(),
    })
}
