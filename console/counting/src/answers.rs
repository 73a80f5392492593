//! What a page gets, as `types.ts` describes it.

use serde::Serialize;
use sms::alternatives::Priced;
use sms::destination::Barred;
use sms::msisdn::Operator;

/// What a number that someone has written means.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Recipient {
    Good {
        number: String,
        operator: &'static str,
        repeated: bool,
    },
    Barred {
        number: String,
        fault: &'static str,
    },
    Unreadable {
        fault: &'static str,
    },
}

impl Recipient {
    pub fn barred(number: String, barred: Barred) -> Self {
        let fault = match barred {
            Barred::Destination => "NOT_A_DESTINATION",
            Barred::NoPrice => "NO_PRICE",
        };
        Recipient::Barred { number, fault }
    }

    pub fn unreadable() -> Self {
        Recipient::Unreadable { fault: "NOT_A_NUMBER" }
    }
}

/// What a text takes and costs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Count {
    pub encoding: &'static str,
    pub parts: u32,
    pub units: u32,
    pub units_left: u32,
    pub too_long: bool,
    pub recipients: i64,
    pub cost: i64,
    pub operators: Vec<OfOperator>,
    pub suffix: Option<String>,
    pub alternatives: Vec<Alternative>,
}

/// The recipients of one operator.
#[derive(Debug, Serialize)]
pub struct OfOperator {
    pub operator: &'static str,
    pub recipients: i64,
    pub cost: i64,
}

/// A text that reads the same and costs less.
#[derive(Debug, Serialize)]
pub struct Alternative {
    text: String,
    encoding: &'static str,
    parts: u32,
    cost: i64,
    changes: Vec<&'static str>,
}

impl From<Priced> for Alternative {
    fn from(priced: Priced) -> Self {
        Alternative {
            text: priced.alternative.text,
            encoding: priced.segmentation.encoding.as_str(),
            parts: priced.segmentation.parts,
            cost: priced.cost,
            changes: priced
                .alternative
                .changes
                .iter()
                .map(|change| change.as_str())
                .collect(),
        }
    }
}

pub fn name_of(operator: Operator) -> &'static str {
    match operator {
        Operator::Mci => "MCI",
        Operator::Mtn => "MTN",
        Operator::Other => "OTHER",
    }
}
