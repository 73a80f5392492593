//! Messaging v1: programs look at the services of messages before they send by one. The account is one, and the name that a program has
//! for it is as good as ours.

use serde_json::{Value, json};

use super::account::Holder;
use super::call::{Asked, Told};
use super::errors::Fault;
use super::path::SERVICES;
use super::wanted::bounds;
use crate::api::doors::own::Own;
use crate::api::doors::params::Params;
use crate::base::ports::Platform;

/// `GET /v1/Services`
pub async fn list<P: Platform>(own: &Own<'_, P>, asked: &Asked<'_>) -> Result<Told, Fault> {
    let bounds = bounds(&Params::of_query(&asked.head.query))?;
    let holder = Holder::of(own).await?;
    let url = |page: i64| asked.url(&format!("{SERVICES}?PageSize={}&Page={page}", bounds.size));
    let services = if bounds.page == 0 {
        vec![record(asked, &holder, &holder.sid("MG"))]
    } else {
        Vec::new()
    };
    Ok(Told::found(&json!({
        "meta": {
            "page": bounds.page,
            "page_size": bounds.size,
            "first_page_url": url(0),
            "previous_page_url": null,
            "url": url(bounds.page),
            "next_page_url": null,
            "key": "services",
        },
        "services": services,
    })))
}

/// `GET /v1/Services/{sid}`
pub async fn read<P: Platform>(own: &Own<'_, P>, asked: &Asked<'_>, sid: &str) -> Result<Told, Fault> {
    Ok(Told::found(&record(asked, &Holder::of(own).await?, sid)))
}

fn record(asked: &Asked<'_>, holder: &Holder, sid: &str) -> Value {
    json!({
        "sid": sid,
        "account_sid": asked.account.map_or_else(|| holder.sid("AC"), str::to_owned),
        "friendly_name": holder.name(),
        "date_created": null,
        "date_updated": null,
        "inbound_request_url": null,
        "inbound_method": null,
        "fallback_url": null,
        "fallback_method": null,
        "status_callback": null,
        "sticky_sender": false,
        "smart_encoding": false,
        "mms_converter": false,
        "fallback_to_long_code": false,
        "area_code_geomatch": false,
        "synchronous_validation": false,
        "use_inbound_webhook_on_number": false,
        "us_app_to_person_registered": false,
        "scan_message_content": "disable",
        "validity_period": null,
        "usecase": "undeclared",
        "url": asked.url(&format!("{SERVICES}/{sid}")),
        "links": {},
    })
}
