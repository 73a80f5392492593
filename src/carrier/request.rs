//! Requests to a carrier's object. A request and its reply are one type.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::health::Health;
use super::submission::Submission;
use crate::account::chunk::handover::{Answer, ChunkRef};
use crate::base::ports::{Platform, PortError};
use crate::directory::carriers::Carrier;
use crate::durable::Address;

/// The binding of the class of carriers' objects.
pub const CLASS: &str = "CARRIER";

/// A request to a carrier's object.
pub trait Request: Serialize {
    /// Its name between objects. It is part of the format.
    const NAME: &'static str;
    /// What the object answers.
    type Reply: Serialize + DeserializeOwned;
}

/// Hands chunks over.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct Submit<'a>(pub &'a Submission);

impl Request for Submit<'_> {
    const NAME: &'static str = "Submit";
    /// An answer to each chunk.
    type Reply = Vec<(ChunkRef, Answer)>;
}

/// Tells a carrier's object what the carrier is from now on. An older version than one that the object has seen changes
/// nothing.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct Configure<'a>(pub &'a Carrier);

impl Request for Configure<'_> {
    const NAME: &'static str = "ConfigureCarrier";
    type Reply = ();
}

/// Asks a carrier's object how it is.
#[derive(Debug, Serialize)]
pub struct GetHealth;

impl Request for GetHealth {
    const NAME: &'static str = "GetHealth";
    /// `None`: the object has not begun to work yet.
    type Reply = Option<Health>;
}

/// Asks the carrier's object of this name.
pub async fn call<R: Request>(platform: &impl Platform, name: &str, request: &R) -> Result<R::Reply, PortError> {
    let object = Address { class: CLASS, name };
    object.call(platform, None, None, R::NAME, request).await
}
