//! A value of each format, as it travels or is stored.

mod audit;
mod campaigns;
pub mod carrier;
mod inbound;
mod keys;
pub mod messages;
pub mod money;
mod restore;
mod stored;
mod transfer;
mod webhook;

use peyk::account::limiter::Limit;
use peyk::account::record::message::Page;
use peyk::account::request::{LimitState, Reply, Request};
use peyk::base::ports::PortError;
use peyk::durable::{Call, Payer};
use serde::Serialize;
use serde::de::DeserializeOwned;

use self::audit::of_the_audit_log;
use self::carrier::carrier_formats;
use self::messages::refusals;
use self::money::decision;
use self::restore::{done, kept};
use self::stored::stored_formats;
use self::webhook::webhook_formats;

/// Reads a line and writes what it has understood.
pub type Reread = Box<dyn Fn(&str) -> Result<String, String>>;

/// A format: its name, one line for each sample as this code writes it, and how it is read.
pub struct Format {
    pub name: String,
    pub lines: Vec<String>,
    pub reread: Reread,
}

pub fn write(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

/// A format that one type reads and writes.
pub fn format<T: Serialize + DeserializeOwned + 'static>(name: &str, samples: &[T]) -> Format {
    Format {
        name: name.to_owned(),
        lines: samples.iter().map(write).collect(),
        reread: Box::new(|line| match serde_json::from_str::<T>(line) {
            Ok(value) => Ok(write(&value)),
            Err(error) => Err(error.to_string()),
        }),
    }
}

/// The calls with a request, as an object receives them.
pub fn calls<T: Serialize + DeserializeOwned + 'static>(name: &'static str, samples: &[T]) -> Format {
    let write = move |payer: Option<Payer<'_>>, body: &T| Call::write("019b796d", payer, None, name, body).unwrap();
    let payer = |paid| {
        Some(Payer {
            key: "key-1",
            paid,
            address: (paid > 0).then_some("192.0.2.7"),
        })
    };
    let payers = [payer(0), None, payer(1)].into_iter().cycle();
    Format {
        name: format!("{name}.call"),
        lines: samples
            .iter()
            .zip(payers)
            .map(|(body, payer)| write(payer, body))
            .collect(),
        reread: Box::new(move |line| {
            let read = |line| -> Result<String, PortError> {
                let call = Call::read(line)?;
                assert_eq!((call.request.as_ref(), call.to.as_ref()), (name, "019b796d"));
                let paid = call.paid;
                let address = call.address.as_deref();
                let payer = call.key.as_deref().map(|key| Payer { key, paid, address });
                Ok(write(payer, &call.body()?))
            };
            read(line).map_err(|error| error.to_string())
        }),
    }
}

/// A request to an account's object, and its answers.
pub fn request<R: Request + 'static>(samples: &[R], replies: Vec<R::Reply>) -> Vec<Format>
where
    R::Reply: 'static,
{
    let reply = |outcome| Reply {
        limit: Some(LimitState {
            limit: Limit::default(),
            decision: decision(),
        }),
        outcome: Ok(outcome),
    };
    let replies: Vec<Reply<R::Reply>> = replies.into_iter().map(reply).collect();
    vec![calls(R::NAME, samples), format(&format!("{}.reply", R::NAME), &replies)]
}

pub fn page() -> Page {
    Page {
        limit: 51,
        after: Some(7),
    }
}

pub fn first_page() -> Page {
    Page { limit: 51, after: None }
}

/// All formats.
pub fn formats() -> Vec<Format> {
    let refused = |refusal| Reply::<()> {
        limit: None,
        outcome: Err(refusal),
    };
    let refused: Vec<Reply<()>> = refusals().into_iter().map(refused).collect();
    let requests = [
        messages::requests(),
        campaigns::requests(),
        money::requests(),
        keys::requests(),
        restore::requests(),
        inbound::requests(),
        webhook::requests(),
    ];
    let mut formats: Vec<Format> = requests.into_iter().flatten().flatten().collect();
    formats.push(format("refusal.reply", &refused));
    formats.extend(of_the_audit_log());
    formats.extend(carrier_formats());
    formats.extend(webhook_formats());
    formats.push(format("restore.kept", &[kept()]));
    formats.push(format("restore.done", &[done()]));
    formats.extend(transfer::transfer_formats());
    formats.extend(stored_formats());
    formats
}
