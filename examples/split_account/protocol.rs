//! What the account's object and its sub-objects say to each other.
//!
//! Amounts travel as counters that only grow: all that was ever granted, spent, released, returned. So a message that comes
//! twice, late or out of order changes nothing: the highest value wins.

/// Milliseconds since the start.
pub type Time = i64;

/// A sub-object's counters, as it has stored them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Money that it was ever granted, as far as it has heard.
    pub granted: i64,
    /// Money of the sends that it has accepted.
    pub spent: i64,
    /// Money of sends that it has accepted and no carrier has taken.
    pub released: i64,
    /// Money that it has given back. It can't spend this any more, whether the account's object knows of it or not.
    pub returned: i64,
}

impl Counters {
    /// What it may still spend.
    pub fn unspent(&self) -> i64 {
        self.granted - self.spent + self.released - self.returned
    }
}

/// A send that waits for money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Need {
    pub attempt: u64,
    pub cost: i64,
}

/// A send of a client.
#[derive(Debug, Clone, Copy)]
pub struct Send {
    /// One for each time that the client tries.
    pub attempt: u64,
    /// The idempotency key: the same each time.
    pub key: u64,
    pub cost: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Accepted,
    /// There is no money for it anywhere in the account.
    Poor,
    /// The key was revoked.
    Revoked,
    /// Nobody knows; the client tries again.
    Unavailable,
}

/// What a sub-object tells the account's object.
#[derive(Debug, Clone)]
pub struct Statement {
    pub from: usize,
    /// The number of the statement.
    pub seq: u64,
    pub counters: Counters,
    /// The version of the settings that it obeys.
    pub version: u64,
    /// The recall that this statement answers.
    pub round: Option<u64>,
    pub needs: Vec<Need>,
}

/// What the account's object tells a sub-object.
#[derive(Debug, Clone)]
pub struct Word {
    /// All that was ever granted to it.
    pub granted: i64,
    /// What was granted with this word alone: for the design that adds up.
    pub added: i64,
    /// Until when it may spend, by its own clock.
    pub until: Time,
    /// The version of the settings, and what they say.
    pub version: u64,
    pub revoked: bool,
    /// It must return all that it has not spent, and answer this round.
    pub recall: Option<u64>,
    /// These sends are refused: there is no money for them.
    pub refused: Vec<u64>,
    /// The newest statement that was read.
    pub seen: u64,
}

/// How the account is split. Everything but [`Design::sound`] leaves something out, to show what it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Design {
    /// Unspent money is recalled from everybody before a send is refused.
    pub recalls: bool,
    /// How many collects in a row must find the same before a send is refused.
    pub collects: u32,
    /// A sub-object does not spend after the end of its lease.
    pub leases_end: bool,
    /// Amounts travel as totals, not as differences.
    pub totals: bool,
    /// Where a send goes is decided by its idempotency key.
    pub by_key: bool,
}

impl Design {
    pub fn sound() -> Self {
        Design {
            recalls: true,
            collects: 2,
            leases_end: true,
            totals: true,
            by_key: true,
        }
    }
}
