//! The examples of the document are what the service has answered: to the very requests that the document shows beside them,
//! and in one story, so that ids, times and money fit together. A change of an answer changes the story's record, and this
//! test fails until it is written anew:
//!
//! ```text
//! EXAMPLES=write OPENAPI=write cargo test --test it what_the_code_makes
//! ```

mod campaigns;
mod console;
mod messages;
mod money;
mod people;
mod service;
mod stage;
mod verify;
mod webhooks;

use std::sync::OnceLock;

use serde_json::Value;

use crate::support::conformity::{document, resolve};
use crate::support::openapi::examples::FILE;
use stage::Stage;

/// The chapters of the story, from the first carrier to the end of a key.
const CHAPTERS: [fn(&mut Stage); 14] = [
    service::opens,
    people::are_added,
    webhooks::are_set_up,
    messages::are_sent,
    webhooks::are_looked_up,
    messages::come_from_phones,
    verify::codes_are_checked,
    money::is_looked_up,
    console::lets_people_in,
    service::is_looked_after,
    campaigns::are_sent,
    people::are_forgotten,
    service::closes,
    service::moves,
];

fn played() -> Value {
    let mut stage = Stage::new();
    for chapter in CHAPTERS {
        stage.begin_chapter();
        chapter(&mut stage);
    }
    stage.record()
}

/// The record of the story, which is written first if somebody wishes it.
pub fn record() -> &'static str {
    static RECORD: OnceLock<String> = OnceLock::new();
    RECORD.get_or_init(|| {
        let record = format!("{:#}\n", played());
        if std::env::var("EXAMPLES").is_ok_and(|wish| wish == "write") {
            std::fs::write(FILE, &record).unwrap();
        }
        record
    })
}

#[test]
fn the_examples_are_what_the_service_answers() {
    let record = record();
    assert!(
        std::fs::read_to_string(FILE).unwrap() == record,
        "{FILE} is not what the service answers. Write it anew, and read what has changed: \
         EXAMPLES=write OPENAPI=write cargo test --test it what_the_code_makes"
    );
}

/// What a response of the document lacks of examples: the media types without one. A response without a body lacks none.
fn lacking(response: &Value) -> Vec<&str> {
    let contents = response["content"].as_object().into_iter().flatten();
    let lacking = contents.filter(|(_, content)| content.get("example").is_none());
    lacking.map(|(media_type, _)| media_type.as_str()).collect()
}

#[test]
fn each_good_answer_of_each_operation_was_given_in_the_story() {
    let played: Value = serde_json::from_str(record()).unwrap();
    let mut missing = Vec::new();
    for item in document()["paths"].as_object().unwrap().values() {
        for operation in item.as_object().unwrap().values() {
            let name = operation["operationId"].as_str().unwrap();
            let good = operation["responses"].as_object().unwrap().iter();
            for (status, response) in good.filter(|(status, _)| status.as_str() < "400") {
                let given = &played["operations"][name]["answers"][status];
                if given.is_null() || !lacking(resolve(response)).is_empty() {
                    missing.push(format!("{name} {status}"));
                }
            }
            if operation
                .get("requestBody")
                .is_some_and(|body| !lacking(body).is_empty())
            {
                missing.push(format!("the body of {name}"));
            }
        }
    }
    for (name, event) in document()["webhooks"].as_object().unwrap() {
        if !lacking(&event["post"]["requestBody"]).is_empty() {
            missing.push(name.clone());
        }
    }
    assert_eq!(missing, Vec::<String>::new(), "the story does not have them");
}
