//! What a page calls.

use js_sys::JSON;
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::counter;
use crate::terms::{Terms, WrittenTerms};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.ts");

/// Counts and prices texts on the terms of one send. Call `free()` when it is not needed any more.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Counter(counter::Counter);

#[wasm_bindgen]
impl Counter {
    /// Throws if what is given is no terms.
    #[wasm_bindgen(constructor)]
    pub fn new(terms: &WrittenTerms) -> Result<Counter, JsError> {
        let terms = Terms::read(terms).ok_or_else(|| JsError::new("these are no terms of a send"))?;
        Ok(Counter(counter::Counter::new(terms)))
    }

    /// Takes these numbers for the recipients, in place of those before. Answers what each of them means, in their order.
    #[wasm_bindgen(js_name = setRecipients, unchecked_return_type = "Recipient[]")]
    pub fn set_recipients(&mut self, numbers: Vec<String>) -> Result<JsValue, JsError> {
        answer(&self.0.set_recipients(&numbers))
    }

    /// What a text takes, and what it costs for the recipients.
    #[wasm_bindgen(unchecked_return_type = "Count")]
    pub fn count(&self, text: &str) -> Result<JsValue, JsError> {
        answer(&self.0.count(text))
    }
}

/// Answers cross as JSON: one crossing, whatever their size. An answer always has a form in JSON.
fn answer(value: &impl Serialize) -> Result<JsValue, JsError> {
    let json = serde_json::to_string(value).unwrap_or_default();
    JSON::parse(&json).map_err(|_| JsError::new("the answer is no JSON"))
}
