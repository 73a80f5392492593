//! `GET …/IncomingPhoneNumbers`: the lines that the key may send from.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sms::line_number::LineNumber;
use sms::msisdn::Msisdn;

use super::call::Told;
use super::errors::Fault;
use super::message::address;
use super::page::{List, page};
use super::path::Kind;
use super::wanted::{MOBILE, bounds};
use crate::api::doors::answer::Members;
use crate::api::doors::own::Own;
use crate::api::doors::params::Params;
use crate::api::doors::walk::Walk;
use crate::api::http::Head;
use crate::base::ports::Platform;
use crate::webhook::callbacks::twilio::API_VERSION;

/// The SID of a line, made of its number.
fn sid_of(line: &str) -> String {
    let digest = Sha256::digest(line);
    let bits = digest.iter().take(16);
    let bits = bits.fold(0, |bits: u128, octet| bits << 8 | u128::from(*octet));
    format!("PN{bits:032x}")
}

/// The numbers of the lines that the key may send from.
pub async fn all<P: Platform>(own: &Own<'_, P>) -> Result<Vec<String>, Fault> {
    let mut walk = Walk::of("/lines", String::new());
    let mut numbers = Vec::new();
    while let Some(lines) = walk.next(own).await? {
        numbers.extend(lines.iter().map(|line| line.text("number").to_owned()));
    }
    Ok(numbers)
}

/// `GET …/IncomingPhoneNumbers`, and its lists of one kind.
pub async fn list<P: Platform>(
    own: &Own<'_, P>,
    account: &str,
    head: &Head,
    kind: Option<Kind>,
) -> Result<Told, Fault> {
    let params = Params::of_query(&head.query);
    let below = kind.map_or("", name_of);
    let list = List {
        uri: &address(account, &format!("/IncomingPhoneNumbers{below}.json")),
        name: "incoming_phone_numbers",
        query: &head.query,
        bounds: bounds(&params)?,
    };
    let mut lines = all(own).await?;
    lines.retain(|line| {
        kind.is_none_or(|kind| kind_of(line) == kind)
            && params
                .get("phonenumber")
                .is_none_or(|wanted| is_same(line, wanted) || has_part(line, wanted))
            && params.get("friendlyname").is_none_or(|wanted| line == wanted)
    });
    let skipped = usize::try_from(list.bounds.page).unwrap_or(usize::MAX);
    let skipped = skipped.saturating_mul(list.bounds.size);
    let has_more = lines.len() > skipped.saturating_add(list.bounds.size);
    let lines = lines.iter().skip(skipped).take(list.bounds.size);
    let records: Vec<Value> = lines.map(|line| record(account, line)).collect();
    Ok(Told::found(&page(&list, has_more.then(String::new), &records)))
}

/// The member of the path of a list of one kind, with a slash before it.
fn name_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Local => "/Local",
        Kind::Mobile => "/Mobile",
        Kind::TollFree => "/TollFree",
    }
}

/// The kind of a line. Nobody knows who pays for a call of it, so none is free.
fn kind_of(line: &str) -> Kind {
    let number = Msisdn::parse(line).or_else(|_| Msisdn::parse(&format!("+{line}")));
    match number {
        Ok(number) if number.to_e164().starts_with(MOBILE) => Kind::Mobile,
        _ => Kind::Local,
    }
}

/// Whether a line has these digits in it, one after another. `*` is any digit.
fn has_part(line: &str, part: &str) -> bool {
    let part = part.trim().trim_start_matches('+').as_bytes();
    let fits = |digits: &[u8]| {
        digits
            .iter()
            .zip(part)
            .all(|(digit, wanted)| *wanted == b'*' || digit == wanted)
    };
    !part.is_empty() && line.as_bytes().windows(part.len()).any(fits)
}

/// `GET …/IncomingPhoneNumbers/{sid}`
pub async fn read<P: Platform>(own: &Own<'_, P>, account: &str, sid: &str) -> Result<Told, Fault> {
    let lines = all(own).await?;
    let found = lines.iter().find(|line| sid_of(line).eq_ignore_ascii_case(sid));
    let line = found.ok_or(Fault::of(20_404))?;
    Ok(Told::found(&record(account, line)))
}

/// Whether a program means this line.
pub fn is_same(line: &str, wanted: &str) -> bool {
    match (LineNumber::parse(line), LineNumber::parse(wanted)) {
        (Some(line), Some(wanted)) => line.may_be(wanted),
        _ => line == wanted,
    }
}

fn record(account: &str, line: &str) -> Value {
    let sid = sid_of(line);
    json!({
        "uri": address(account, &format!("/IncomingPhoneNumbers/{sid}.json")),
        "sid": sid,
        "account_sid": account,
        "friendly_name": line,
        "phone_number": line,
        "capabilities": {"voice": false, "sms": true, "mms": false, "fax": false},
        "api_version": API_VERSION,
        "status": "in-use",
        "origin": "hosted",
        "beta": false,
        "date_created": null,
        "date_updated": null,
        "sms_url": null,
        "sms_method": null,
        "sms_application_sid": null,
        "status_callback": null,
        "voice_url": null,
        "voice_method": null,
    })
}
