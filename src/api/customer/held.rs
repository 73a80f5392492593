//! What an account holds on a number: the answer to a person who asks.

use sms::msisdn::Msisdn;

use crate::account::held::{GetHeld, Held};
use crate::api::customer::phonebook::numbers::NumberData;
use crate::api::http::forms::{Form, phone_number};
use crate::api::http::{Response, context::Context, query::Query, respond::Success};
use crate::api::shared::view::E164;
use crate::base::ports::Platform;
use crate::directory::phonebook::held::{self, HeldNumber};
use crate::problem::Problem;
use crate::{answer, query};

answer! {
    /// What an account holds on a number.
    pub struct HeldData(number: u64, held: &Held, entries: &[HeldNumber]) as "Held" {
        "number": E164(number), number();
        /// Messages to the number, codes among them. It counts 10,000 at most. `GET /messages?recipient=` lists them.
        "messages": held.messages, count() => 12;
        /// Messages from the phone. It counts 10,000 at most. `GET /inbound?from=` lists them.
        "inbound": held.inbound, count() => 2;
        /// Whether it is on the blacklist. After an erasure it stays blocked, and the list does not name it.
        "blacklisted": held.blacklisted, flag() => false;
        /// Whether the owner of the number has put it there, by a reply.
        "optOut": held.opt_out, flag() => false;
        /// What each phonebook has on it, the oldest phonebook first.
        "phonebooks": entries.iter().map(HeldNumberData::of).collect::<Vec<_>>(), any_list(declared::<HeldNumberData>());
    }

    /// What a phonebook has on a number.
    pub struct HeldNumberData(entry: &HeldNumber) as "HeldNumber" {
        "phonebookId": entry.phonebook, id();
        "title": entry.title, any_text() => "Customers";
        "entry": NumberData::of(&entry.number), declared::<NumberData>();
    }
}

query! {
    pub struct HeldWish {
        /// The number.
        number: u64 = must "number" phone_number().then(Msisdn::get);
    }
}

/// `GET /held`
pub async fn get<P: Platform>(context: &Context<'_, P>, query: Query<'_, HeldWish>) -> Result<Response, Problem> {
    let HeldWish { number } = query.all()?;
    let held = context.call(&GetHeld(number)).await?;
    let entries = held::find(context.platform.db(), context.caller()?.account(), number).await?;
    Success::ok(HeldData::of(number, &held, &entries)).response(context)
}
