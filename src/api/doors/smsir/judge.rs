//! What a caller may hear of a fault.

use super::errors::Fault;
use crate::api::doors::own::{Own, Refused};
use crate::api::http::Head;
use crate::base::ports::Platform;

/// Fails if the key is not good: who has no good key learns nothing else, not even that a list is empty.
pub async fn known<P: Platform>(own: &Own<'_, P>, head: &Head) -> Result<(), Fault> {
    let refused = |cause| address_or_scope(own, cause, head, true);
    own.check_key().await.map_err(refused)
}

/// The fault that the caller may hear of: who has no good key learns nothing else. One of a key that is good, but may not come from the
/// caller's address, is told from one that lacks a scope.
pub async fn judged<P: Platform>(own: &Own<'_, P>, head: &Head, fault: Fault) -> Fault {
    match &fault.cause {
        None => known(own, head).await.err().unwrap_or(fault),
        Some(cause) if cause.code == 403 => {
            let is_refused_everywhere = own.check_key().await.is_err();
            address_or_scope(own, cause.clone(), head, is_refused_everywhere)
        }
        Some(_) => fault,
    }
}

fn address_or_scope<P: Platform>(own: &Own<'_, P>, cause: Refused, head: &Head, is_refused_everywhere: bool) -> Fault {
    let is_of_address = cause.code == 403 && is_refused_everywhere && !own.is_exposed(head);
    let fault = Fault::from(cause);
    if is_of_address { fault.of_address() } else { fault }
}
