//! What a page tells of a send.

use sms::destination::{HOME, Prefix, PriceTo};
use sms::price::{Coefficient, Coefficients, MAX_AMOUNT, Operation};
use wasm_bindgen::prelude::*;

/// The parts that a text may have: the service's setting `MAX_PARTS`, unless its operator changes it.
const MAX_PARTS: u32 = 10;
/// [`MAX_AMOUNT`] as a floating-point number, which it is exactly.
const MAX_AMOUNT_F64: f64 = 9_007_199_254_740_991.0;

#[wasm_bindgen]
extern "C" {
    /// The terms as the page writes them: `Terms` of `types.ts`.
    #[wasm_bindgen(typescript_type = "Terms")]
    pub type WrittenTerms;
    #[wasm_bindgen(method, getter)]
    fn tariff(this: &WrittenTerms) -> WrittenTariff;
    #[wasm_bindgen(method, getter)]
    fn coefficients(this: &WrittenTerms) -> WrittenCoefficients;
    #[wasm_bindgen(method, getter)]
    fn operation(this: &WrittenTerms) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    fn destinations(this: &WrittenTerms) -> Option<Vec<String>>;
    #[wasm_bindgen(method, getter, js_name = maxParts)]
    fn max_parts(this: &WrittenTerms) -> Option<u32>;
    #[wasm_bindgen(method, getter)]
    fn cheapest(this: &WrittenTerms) -> Option<bool>;
    #[wasm_bindgen(method, getter)]
    fn suffix(this: &WrittenTerms) -> Option<String>;

    type WrittenTariff;
    #[wasm_bindgen(method, getter)]
    fn price(this: &WrittenTariff) -> f64;
    #[wasm_bindgen(method, getter)]
    fn prices(this: &WrittenTariff) -> Vec<WrittenPrice>;

    type WrittenPrice;
    #[wasm_bindgen(method, getter)]
    fn prefix(this: &WrittenPrice) -> String;
    #[wasm_bindgen(method, getter)]
    fn price(this: &WrittenPrice) -> f64;

    type WrittenCoefficients;
    #[wasm_bindgen(method, getter, js_name = PERSIAN)]
    fn persian(this: &WrittenCoefficients) -> f64;
    #[wasm_bindgen(method, getter, js_name = ENGLISH)]
    fn english(this: &WrittenCoefficients) -> f64;
    #[wasm_bindgen(method, getter, js_name = MCI)]
    fn mci(this: &WrittenCoefficients) -> f64;
    #[wasm_bindgen(method, getter, js_name = MTN)]
    fn mtn(this: &WrittenCoefficients) -> f64;
    #[wasm_bindgen(method, getter, js_name = WEBSERVICE)]
    fn webservice(this: &WrittenCoefficients) -> f64;
    #[wasm_bindgen(method, getter, js_name = PATTERN)]
    fn pattern(this: &WrittenCoefficients) -> f64;
}

/// The terms of a send.
#[derive(Debug)]
pub struct Terms {
    /// The price of one part at home.
    pub price: i64,
    /// The prices of one part to other numbers.
    pub prices: Vec<PriceTo>,
    pub coefficients: Coefficients,
    pub operation: Operation,
    pub destinations: Vec<Prefix>,
    pub max_parts: u32,
    /// Whether the line allows the cheapest form of a text.
    pub cheapest: bool,
    /// What the line appends to own texts that go to many.
    pub suffix: Option<String>,
}

impl Terms {
    /// Reads what a page has written. `None`: it is no terms.
    pub fn read(written: &WrittenTerms) -> Option<Terms> {
        let operation = operation(&written.operation()?)?;
        let tariff = written.tariff();
        let prices = tariff.prices().into_iter().map(|one| {
            Some(PriceTo {
                prefix: Prefix::parse(&one.prefix())?,
                price: amount(one.price())?,
            })
        });
        let destinations = written
            .destinations()
            .map(|all| all.iter().map(|one| Prefix::parse(one)).collect());
        Some(Terms {
            price: amount(tariff.price())?,
            prices: prices.collect::<Option<_>>()?,
            coefficients: coefficients(&written.coefficients())?,
            operation,
            destinations: destinations.unwrap_or_else(|| Some(vec![HOME]))?,
            max_parts: written.max_parts().unwrap_or(MAX_PARTS),
            cheapest: written.cheapest().unwrap_or(true),
            suffix: written.suffix().filter(|_| operation == Operation::Webservice),
        })
    }
}

fn amount(value: f64) -> Option<i64> {
    let is_amount = (0.0..=MAX_AMOUNT_F64).contains(&value) && value.trunc() == value;
    #[expect(clippy::cast_possible_truncation, reason = "an integer from 0 to 2^53 − 1")]
    is_amount.then_some(value as i64).filter(|amount| *amount <= MAX_AMOUNT)
}

fn coefficients(written: &WrittenCoefficients) -> Option<Coefficients> {
    Some(Coefficients {
        persian: Coefficient::from_f64(written.persian())?,
        english: Coefficient::from_f64(written.english())?,
        mci: Coefficient::from_f64(written.mci())?,
        mtn: Coefficient::from_f64(written.mtn())?,
        webservice: Coefficient::from_f64(written.webservice())?,
        pattern: Coefficient::from_f64(written.pattern())?,
    })
}

fn operation(name: &str) -> Option<Operation> {
    match name {
        "WEBSERVICE" => Some(Operation::Webservice),
        "PATTERN" => Some(Operation::Pattern),
        _ => None,
    }
}
