//! What the service notes about a request while it answers it: for the log, for the headers and for the payment.

use std::cell::{Cell, RefCell};

use crate::account::record::idempotency::Idempotency;
use crate::account::request::LimitState;
use crate::problem::warning::Remarks;

/// The notes about one request.
#[derive(Debug, Default)]
pub struct RequestRecord {
    /// The HTTP status of the answer.
    pub status: u16,
    /// The code of the problem, if the answer is one.
    pub code: Option<u16>,
    limit: Cell<Option<LimitState>>,
    paid: Cell<u32>,
    idempotency: RefCell<Option<Idempotency>>,
    entry: RefCell<Option<String>>,
    digest: RefCell<Option<String>>,
    /// What the request has and the service does not read.
    pub ignored: Remarks,
    /// What the client may not have meant so.
    pub warnings: Remarks,
    /// How many bytes the request has written into the audit log, past the account's object.
    pub audited_bytes: Cell<usize>,
}

impl RequestRecord {
    /// What the rate limiter decided about the request.
    pub fn limit(&self) -> Option<LimitState> {
        self.limit.get()
    }

    /// Notes what the rate limiter decided, if it did.
    pub fn note_limit(&self, limit: Option<LimitState>) {
        if limit.is_some() {
            self.limit.set(limit);
        }
    }

    /// Whether a call that pays for the request was made.
    pub fn is_charged(&self) -> bool {
        self.paid.get() > 0
    }

    /// Notes a call that costs so many tokens of the rate limit. Returns how many earlier calls have paid.
    pub fn pay(&self, tokens: u32) -> u32 {
        let paid = self.paid.get();
        self.paid.set(paid.max(tokens));
        paid
    }

    /// The id of the request's entry in the audit log, made when it is first asked for.
    pub fn entry_id<E>(&self, make: impl FnOnce() -> Result<String, E>) -> Result<String, E> {
        let known = self.entry.borrow().clone();
        let id = known.map_or_else(make, Ok)?;
        self.entry.replace(Some(id.clone()));
        Ok(id)
    }

    /// The keyed digest of what the entry leaves out, if the handler has noted one.
    pub fn digest(&self) -> Option<String> {
        self.digest.borrow().clone()
    }

    /// Notes the keyed digest of what the entry leaves out.
    pub fn note_digest(&self, digest: String) {
        self.digest.replace(Some(digest));
    }

    /// The request's idempotency key, as far as the handler has read it.
    pub fn idempotency(&self) -> Option<Idempotency> {
        self.idempotency.borrow().clone()
    }

    /// Notes the request's idempotency key, in case the request has faults and does not come to the account's object.
    pub fn note_idempotency(&self, idempotency: Option<Idempotency>) {
        self.idempotency.replace(idempotency);
    }
}
