//! What is asked of an object while the service moves to another one: to stand still, to give its rows, to take rows, and to go on.
//! [`Movable`](super::movable::Movable) answers it, for all classes.

use serde::{Deserialize, Serialize};

use super::tables::{Page, Rows};
use super::{ANSWER_MS, Call, in_time};
use crate::base::ports::{Platform, PortError};

/// The name of the request. It is part of the format.
pub const NAME: &str = "Transfer";

/// What an object is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// To stand still: a *frozen* object answers nothing else than these steps, and its alarm does nothing, until it is thawed.
    Freeze {
        /// It is to take the rows of another object, so it must be new: then it makes the tables of these parts of the schema, and
        /// empties them. `None`: its own rows go elsewhere.
        incoming: Option<Vec<String>>,
        /// What it has under way ends at once, as if the runtime had dropped it.
        #[serde(default)]
        now: bool,
    },
    /// To go on.
    Thaw,
    /// To say how it is. It changes nothing.
    Look,
    /// To give a page of its rows, the first one or the one that another page names; of these tables alone, if any are named. It has to be
    /// frozen, unless it is asked for some tables alone: otherwise rows could change from page to page.
    Read {
        /// Where the page begins.
        from: Option<String>,
        /// The tables.
        #[serde(default)]
        only: Vec<String>,
        /// Tables of which a page has this many rows at most.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        few: Vec<(String, usize)>,
    },
    /// To insert rows. Those that are there already stay.
    Insert {
        /// The rows.
        tables: Vec<Rows>,
        /// They are added to what the object has, and it need not be frozen.
        #[serde(default)]
        adds: bool,
    },
}

/// What it answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// It stands still.
    Frozen(Standstill),
    /// It goes on.
    Thawed,
    /// It is so.
    Looked(Look),
    /// A page.
    Page(Page),
    /// The rows are in.
    Inserted,
    /// It can't, and nothing was changed.
    Refused(Refused),
}

/// How an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Look {
    /// Nobody has used it.
    New,
    /// It does all that it is asked.
    Open,
    /// It is frozen, and gives its rows.
    Gives,
    /// It is frozen, and takes rows.
    Takes,
}

/// How an object stands still.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standstill {
    /// It has never been used, so there is nothing of it.
    #[serde(default)]
    pub is_new: bool,
    /// Work is under way that has begun before.
    #[serde(default)]
    pub is_busy: bool,
    /// The parts of its schema.
    pub parts: Vec<String>,
}

/// Why an object does not do what it is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Refused {
    /// It is not frozen, or not to take rows.
    NotFrozen,
    /// It has been used, so it takes no rows.
    NotEmpty,
    /// No page names this place.
    NoPage,
    /// These rows are not those of this table.
    NotOfTable(String),
}

/// Asks the object of this class and name.
///
/// # Errors
/// It failed or could not be reached.
pub async fn ask(platform: &impl Platform, class: &'static str, name: &str, step: &Step) -> Result<Answer, PortError> {
    let call = Call::write(name, None, None, NAME, step)?;
    let answer = in_time(platform, class, ANSWER_MS, platform.call(class, name, call)).await?;
    serde_json::from_str(&answer)
        .map_err(|error| super::unreadable(class, "the answer to a step of a transfer", &error))
}
