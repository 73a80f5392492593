//! The status callback of a send, if a door asks for one.

use crate::account::record::message::callback::Callback;
use crate::api::http::{StatusCallback, context::Context, json_fields::Fields};
use crate::base::host::Host;
use crate::base::ports::Platform;
use crate::base::url_guard::{self, Loopback};
use crate::compose::request::{Order, SendRequest};
use crate::problem::{Problem, field_error::FieldErrorKind};

/// The member that is at fault. No body has it.
const MEMBER: &str = "statusCallback";

/// Checks the callback, and gives it with its address in the canonical form. Only a send of one text or pattern to one number
/// can have one.
pub fn read<P: Platform>(
    context: &Context<'_, P>,
    request: Option<&SendRequest>,
    fields: &mut Fields<'_>,
) -> Option<StatusCallback> {
    let asked = context.request.head.callback.as_ref()?;
    if request.is_some_and(|request| !is_to_one(&request.order)) {
        fields.fault(MEMBER, FieldErrorKind::NotBeside("recipients"));
        return None;
    }
    let own: Vec<Host> = fields.setting.own_hosts().collect();
    let loopback = Loopback::from(fields.setting.config.webhook_allow_loopback);
    match url_guard::check(&asked.url, loopback, &own) {
        Ok(url) => Some(StatusCallback { url, ..asked.clone() }),
        Err(refused) => {
            fields.fault(MEMBER, FieldErrorKind::BadAddress(refused));
            None
        }
    }
}

fn is_to_one(order: &Order) -> bool {
    match order {
        Order::Plain { recipients, .. } | Order::Pattern { recipients, .. } => recipients.len() == 1,
        Order::Phonebook { .. } | Order::Bulk(_) | Order::Code(_) => false,
    }
}

/// Seals the key of a callback, for the account of the caller.
pub fn seal<P: Platform>(context: &Context<'_, P>, callback: StatusCallback) -> Result<Callback, Problem> {
    let key = callback.key.seal(context.platform, context.caller()?.account())?;
    Ok(Callback {
        format: callback.format,
        url: callback.url,
        account: callback.account,
        key,
    })
}
