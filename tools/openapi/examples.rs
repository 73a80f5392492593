//! The examples: requests, what the service has answered to them, and events that it has sent. `tests/it/api/examples` plays the
//! story that they are of, and holds that the service still answers so. What the story does not have yet has no example.

use serde_json::{Map, Value};

/// The record of the story.
pub const FILE: &str = concat!(env!("PEYK_ROOT"), "/tools/openapi/examples.json");

/// The examples.
pub struct Examples(Value);

impl Examples {
    /// Reads them.
    pub fn read() -> Self {
        let record = std::fs::read_to_string(FILE).unwrap_or_else(|error| panic!("{FILE}: {error}"));
        Examples(serde_json::from_str(&record).unwrap())
    }

    /// Gives each parameter of an operation its value in the request.
    pub fn fill_parameters(&self, operation: &str, parameters: &mut [Value]) {
        let own = &self.0["operations"][operation]["parameters"];
        parameters.iter_mut().for_each(|parameter| fill(parameter, own));
    }

    /// Gives the body of a request what was sent as this media type.
    pub fn fill_body(&self, operation: &str, content: &mut Value) {
        let body = self.0["operations"][operation].get("body");
        content
            .as_object_mut()
            .into_iter()
            .flat_map(Map::values_mut)
            .for_each(|content| set(content, body));
    }

    /// Gives a response with this status what was answered as each of its media types.
    pub fn fill_answer(&self, operation: &str, status: &str, response: &mut Value) {
        let answered = &self.0["operations"][operation]["answers"][status];
        let contents = response.get_mut("content").and_then(Value::as_object_mut);
        for (media_type, content) in contents.into_iter().flatten() {
            set(content, answered.get(media_type));
        }
    }

    /// Gives an event's request the headers and the body with which one was sent.
    pub fn fill_event(&self, event: &str, operation: &mut Value) {
        let sent = &self.0["events"][event];
        let headers = operation["parameters"].as_array_mut().into_iter().flatten();
        headers.for_each(|header| fill(header, &sent["headers"]));
        set(
            &mut operation["requestBody"]["content"]["application/json"],
            sent.get("body"),
        );
    }
}

fn set(place: &mut Value, example: Option<&Value>) {
    if let Some(example) = example {
        place["example"] = example.clone();
    }
}

/// Gives a parameter the value that these have under its name, as its schema wants it.
fn fill(parameter: &mut Value, values: &Value) {
    let Some(text) = parameter["name"].as_str().and_then(|name| values[name].as_str()) else {
        return;
    };
    let number = (parameter["schema"]["type"] == "integer").then(|| text.parse::<i64>().unwrap());
    parameter["example"] = number.map_or_else(|| text.into(), Value::from);
}
