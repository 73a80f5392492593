//! Chunks that were claimed when they were accepted, until a run hands them over. They stand in memory. If they are lost, the
//! leases of their claims end.

use std::rc::Rc;

use super::calls::CALLS_AN_OBJECT;
use super::choice::Chosen;
use super::dispatcher::{Bundle, Dispatcher, Waiting};
use crate::account::record::chunk::claim;
use crate::account::record::chunk::claim::{Capacity, Claim};
use crate::account::record::chunk::queue::Queue;
use crate::carrier::carrier_of;

/// How long other chunks may still come into a bundle that waits for its run, ms.
const OPEN_MS: i64 = 1_000;

impl Bundle {
    fn is_open_for(&self, now_ms: i64, queue: &Queue, object: &str) -> bool {
        self.queue.is_same(queue) && self.object == object && now_ms < self.claimed_ms.saturating_add(OPEN_MS)
    }

    fn recipients(&self) -> usize {
        self.handovers.iter().map(|handover| handover.recipients.len()).sum()
    }
}

/// What of the claims of a transaction goes into one bundle, and what takes calls from it.
struct Taken {
    chunks: usize,
    recipients: usize,
    /// Other queues whose claims go to the same object in calls of their own.
    others: usize,
}

impl Taken {
    fn of(taken: &[Claim], queue: &Queue, object: &str) -> Taken {
        let to_object = |claim: &&Claim| claim.object == object && claim.queue.priority == queue.priority;
        let (mine, others): (Vec<&Claim>, Vec<&Claim>) = taken
            .iter()
            .filter(to_object)
            .partition(|claim| claim.queue.is_same(queue));
        let mut names: Vec<&str> = others.iter().map(|claim| claim.queue.name.as_str()).collect();
        names.dedup();
        Taken {
            chunks: mine.len(),
            recipients: mine.iter().map(|claim| claim.handover.recipients.len()).sum(),
            others: names.len(),
        }
    }
}

impl Capacity for Dispatcher {
    fn object_for(
        &self,
        now_ms: i64,
        account: &str,
        queue: &Queue,
        recipients: usize,
        taken: &[Claim],
    ) -> Option<String> {
        self.offered.set(self.offered.get().saturating_add(1));
        if !self.may_claim() || self.rests(queue, now_ms) {
            return None;
        }
        let options = self.choice.known(now_ms, queue)?;
        let has_room = |object: &str, _| self.has_room(now_ms, (queue, object), recipients, taken);
        match self.choice.choose(now_ms, account, queue, &options, has_room) {
            Chosen::Object(_, object) => Some(object),
            Chosen::Full | Chosen::Closed(_) | Chosen::Down(_) | Chosen::Paused(_) => None,
        }
    }

    fn take(&self, now_ms: i64, account: &str, claims: Vec<Claim>) {
        self.claimed.set(self.claimed.get().saturating_add(claims.len()));
        for claim in claims {
            self.choice.count();
            let mut waiting = self.claims.borrow_mut();
            match waiting
                .iter_mut()
                .find(|waiting| waiting.bundle.is_open_for(now_ms, &claim.queue, &claim.object))
            {
                Some(waiting) => waiting.bundle.handovers.push(claim.handover),
                None => waiting.extend(self.waiting(now_ms, account, claim)),
            }
        }
    }
}

impl Dispatcher {
    /// Whether claims wait for a run.
    pub fn has_claims(&self) -> bool {
        !self.claims.borrow().is_empty()
    }

    /// Whether a chunk of so many recipients goes into the bundle that waits for its run, or into a new one.
    fn has_room(&self, now_ms: i64, (queue, object): (&Queue, &str), recipients: usize, taken: &[Claim]) -> bool {
        let taken = Taken::of(taken, queue, object);
        let claims = self.claims.borrow();
        let mut bundles = claims.iter().map(|waiting| &waiting.bundle);
        let open = bundles.find(|bundle| bundle.is_open_for(now_ms, queue, object));
        let (chunks, in_bundle) = open.map_or((0, 0), |bundle| (bundle.handovers.len(), bundle.recipients()));
        claim::fits(chunks + taken.chunks, in_bundle + taken.recipients, recipients)
            && (open.is_some() || self.calls.to(object, queue.priority, now_ms) + taken.others < CALLS_AN_OBJECT)
    }

    /// A new bundle that waits for its run. It is nothing if the carrier has been forgotten: then the lease of the claim ends.
    fn waiting(&self, now_ms: i64, account: &str, claim: Claim) -> Option<Waiting> {
        let options = Rc::new(self.choice.known(now_ms, &claim.queue)?);
        let carrier = self.choice.known_carrier(now_ms, carrier_of(&claim.object))?;
        let bundle = Bundle {
            call: self.calls.begin(now_ms, &claim.object, claim.queue.priority),
            queue: claim.queue,
            carrier,
            object: claim.object,
            account: account.to_owned(),
            claimed_ms: now_ms,
            handovers: vec![claim.handover],
        };
        Some(Waiting { bundle, options })
    }
}
