//! Carriers: who takes messages to the network, and how their reports come back.
//!
//! A carrier is an enum variant, not a trait object: there are few kinds, all known here.

pub mod sandbox;

use crate::account::command::{Answer, Call, ChunkReport, Command, DeliveryReport, Job};
use crate::ports::{Platform, PortError};

/// The kinds of carriers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carrier {
    /// The embedded one: takes everything and ends it by the number's last digits.
    Sandbox,
}

impl Carrier {
    /// The carrier of a name.
    pub fn named(name: &str) -> Option<Carrier> {
        (name == sandbox::NAME).then_some(Carrier::Sandbox)
    }

    /// Hands jobs over and tells what became of each; a job whose time to be handed over is past is left alone, without
    /// an answer. A failure as a whole says nothing about any recipient: they may
    /// have been taken or not.
    pub async fn submit(
        self,
        platform: &impl Platform,
        account: &str,
        jobs: Vec<Job>,
    ) -> Result<Vec<ChunkReport>, PortError> {
        match self {
            Carrier::Sandbox => sandbox::submit(platform, account, jobs).await,
        }
    }

    /// Which recipients of jobs in doubt the carrier has had already. `None`: it can't tell.
    pub async fn look_up(
        self,
        platform: &impl Platform,
        account: &str,
        jobs: Vec<Job>,
    ) -> Result<Option<Vec<ChunkReport>>, PortError> {
        match self {
            Carrier::Sandbox => sandbox::look_up(platform, account, jobs).await.map(Some),
        }
    }
}

/// The one way by which delivery reports come back, whichever carrier they are from.
pub async fn deliver(platform: &impl Platform, account: &str, reports: Vec<DeliveryReport>) -> Result<(), PortError> {
    let call = Call {
        account: account.to_owned(),
        key: None,
        command: Command::Deliver(reports),
    };
    match platform.account(&call).await?.outcome {
        Ok(Answer::Done) => Ok(()),
        other => Err(PortError::failed(
            "account",
            format!("unexpected answer to reports: {other:?}"),
        )),
    }
}
