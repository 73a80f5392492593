//! All objects of answers, as `openapi.json` describes them. Each is declared beside its handler by
//! [`answer!`](crate::answer).

use super::customer::{self, pattern, phonebook, webhook};
use super::http::json_schema::Named;
use super::{console, operator, public, shared};

/// The schemas of all answers, and of the objects in them that have a name.
pub fn schemas() -> Vec<Named> {
    let files = [
        console::passkeys::answers(),
        console::session::answers(),
        console::sign_in::answers(),
        customer::account::answers(),
        customer::blacklist::answers(),
        customer::find::answers(),
        customer::held::answers(),
        customer::inbound::answers(),
        customer::members::answers(),
        customer::outcomes::answers(),
        customer::send::answers(),
        customer::send::alternatives::answers(),
        customer::transactions::answers(),
        customer::usage::answers(),
        customer::verify::answers(),
        customer::verify::stats_answers(),
        operator::accounts::answers(),
        operator::audit::answers(),
        operator::carriers::answers(),
        operator::credits::answers(),
        operator::dead_letters::answers(),
        operator::find_key::answers(),
        operator::health::answers(),
        operator::holds::answers(),
        operator::line_inbound::answers(),
        operator::line_routes::answers(),
        operator::lines::answers(),
        operator::plans::answers(),
        operator::reconciliation::answers(),
        operator::restore::answers(),
        operator::sending::answers(),
        operator::usage::answers(),
        operator::waiting::answers(),
        pattern::data::answers(),
        phonebook::answers(),
        phonebook::columns::answers(),
        phonebook::import::answers(),
        phonebook::numbers::answers(),
        public::answers(),
        shared::erasures::answers(),
        shared::account::answers(),
        shared::cascade::answers(),
        shared::destinations::answers(),
        shared::keys::answers(),
        shared::links::answers(),
        shared::low_balance::answers(),
        shared::members::answers(),
        shared::unsent::answers(),
        shared::view::answers(),
        webhook::answers(),
        webhook::deliveries::answers(),
    ];
    files.into_iter().flatten().collect()
}
