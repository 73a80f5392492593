//! Sends by the doors of those providers that leave out a number to which they can't send, and send to the others.

use super::own::{Own, Refused};
use super::send::{SendBody, Sent};
use crate::base::ports::Platform;

/// The code of our own API for numbers where the account may not send.
const CLOSED: u64 = 3017;

/// Makes a send, under an idempotency key if there is one. Numbers where the account may not send are left out, unless it is all of them:
/// our own API names them, and is asked again without them.
pub async fn send_to_open<P: Platform>(
    own: &Own<'_, P>,
    body: &SendBody<'_>,
    key: Option<String>,
) -> Result<Sent, Refused> {
    let refused = match own.send_once(body, key.clone()).await {
        Err(refused) if refused.code == CLOSED => refused,
        sent => return sent,
    };
    let closed = body.numbers_at(&refused.pointers);
    match body.without(&closed) {
        Some(rest) => {
            let sent = own.send_once(&rest, key).await?;
            Ok(Sent { closed, ..sent })
        }
        None => Err(refused),
    }
}
