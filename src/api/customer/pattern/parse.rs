//! Reads a version of a pattern from a body: its text and its variables.

use serde_json::{Value, json};
use sms::template::{MAX_NAME, Template, is_variable_name};
use sms::text;
use sms::variable::{DEFAULT_MAX_LENGTH, Variable, VariableType};

use crate::api::http::forms::{Form, Look, by, flag, formed, integer, item_text, list_of, parsed, text};
use crate::api::http::json_fields::{Body, Fields, Place};
use crate::api::http::json_schema::{self, Schema};
use crate::problem::field_error::{FieldErrorKind, some_of};
use crate::{body, either};

const MAX_TEXT: usize = 2_000;
const MAX_VARIABLES: usize = 20;
const MAX_VALUES: usize = 50;
const MAX_VALUE: usize = 100;
const MAX_LENGTH: i64 = 1_000;
/// The variables of a version have at most this many bytes as JSON.
const MAX_VARIABLES_BYTES: usize = 16 * 1024;
const NAME_FORM: FieldErrorKind = FieldErrorKind::BadForm(
    "a letter or _, then letters, digits, _ and -, at most 50",
    "یک حرف یا _، سپس حرف، رقم، _ یا -، حداکثر 50 کاراکتر",
);

/// A version that a request asks for.
pub struct Draft {
    /// The text, with `\n` line ends.
    pub text: String,
    /// One variable for each placeholder, in the order of the text.
    pub variables: Vec<Variable>,
    /// The placeholders that a list of variables leaves out; empty without a list.
    pub unlisted: String,
}

body! {
    /// A version to add.
    pub struct NewPatternVersion => {"text": "Your code is %OTP%.", "variables": [{"name": "OTP", "type": "NUMBER", "maxLength": 6}]} {
        /// The text, with up to 20 placeholders like `%OTP%`.
        text: Option<String> = needs "text" text(MAX_TEXT) => "Your code is %OTP%.";
        /// The types of placeholders of the text. A placeholder that is left out is `TEXT`. Together at most 16 KiB as JSON.
        variables: Option<Vec<Option<Variable>>> = can "variables" list_of(new_variable(), 0, MAX_VARIABLES);
    }

    /// A variable that takes one of some values.
    pub struct NewChoice {
        name: Option<String> = needs "name" name();
        r#type: Option<VariableType> = needs "type" r#type(&["ENUM"]);
        max_length: i64 = can "maxLength" max_length(), or i64::from(DEFAULT_MAX_LENGTH);
        /// The values of an `ENUM`.
        values: Vec<String> = must "values" values();
        secret: bool = can "secret" secret(), or false;
    }

    /// A variable that takes a text, a number or a link.
    pub struct NewFreeVariable => {"name": "OTP", "type": "NUMBER", "maxLength": 6} {
        name: Option<String> = needs "name" name();
        r#type: Option<VariableType> = can "type" r#type(&["TEXT", "NUMBER", "LINK"]);
        max_length: i64 = can "maxLength" max_length(), or i64::from(DEFAULT_MAX_LENGTH);
        /// Only an `ENUM` has values.
        values: Option<()> = can "values" no_values() => [];
        secret: bool = can "secret" secret(), or false;
    }
}

either! {
    /// A variable of the text.
    pub struct NewVariable as "NewVariable" = any_of NewFreeVariable, NewChoice;
}

static NAME: Look = Look {
    min: 1,
    max: MAX_NAME,
    pattern: "^[A-Za-z_][A-Za-z0-9_-]{0,49}$",
    fault: NAME_FORM,
    is_met: is_variable_name,
};

fn name() -> impl Form<Value = String> {
    formed(&NAME)
        .about("The name that stands between two `%` in the text.")
        .like("OTP")
}

fn r#type(names: &'static [&'static str]) -> impl Form<Value = VariableType> {
    let parse = |name: &str| {
        let kind = VariableType::parse(name);
        kind.ok_or_else(|| FieldErrorKind::NotOneOf(VariableType::NAMES.to_owned()))
    };
    parsed(parse, || json_schema::one_of(names))
}

fn max_length() -> impl Form<Value = i64> {
    integer(1, MAX_LENGTH)
        .about("How many characters a value may have. An `ENUM` ignores it.")
        .like(6)
}

fn secret() -> impl Form<Value = bool> {
    flag()
        .about("Whether `••••` takes the place of a value when the message has ended for a day: in a login code, for example.")
        .like(true)
}

fn value() -> impl Form<Value = String> {
    item_text(
        MAX_VALUE,
        FieldErrorKind::BadForm("1 to 100 characters", "1 تا 100 کاراکتر"),
    )
}

/// The values of an `ENUM`. An empty list is as good as none.
fn values() -> impl Form<Value = Vec<String>> {
    let read = |values: &Value, place: &mut Place<'_>| {
        let values = place.list(values, &value(), 0, MAX_VALUES)?;
        let is_empty = values.is_empty();
        if is_empty {
            place.fault(FieldErrorKind::Required);
        }
        (!is_empty).then_some(values)
    };
    by(read, || {
        json_schema::list(json_schema::text(MAX_VALUE).like("red"), 1, MAX_VALUES)
    })
}

fn no_values() -> impl Form<Value = ()> {
    let read = |values: &Value, place: &mut Place<'_>| {
        place.list(values, &value(), 0, MAX_VALUES);
        if values.as_array().is_none_or(|list| !list.is_empty()) {
            place.fault(FieldErrorKind::OnlyForEnum);
        }
        None
    };
    by(read, || Schema(json!({"type": "array", "items": {}, "maxItems": 0})))
}

/// A variable. One with faults is checked against the text too, if its name has none.
fn new_variable() -> impl Form<Value = Option<Variable>> {
    let read = |value: &Value, place: &mut Place<'_>| {
        let is_choice = value["type"] == "ENUM";
        place.fields(value, |fields| {
            if is_choice {
                let new = NewChoice::read(fields);
                variable(new.name, VariableType::Enum, new.max_length, new.values, new.secret)
            } else {
                let new = NewFreeVariable::read(fields);
                let kind = new.r#type.unwrap_or(VariableType::Text);
                variable(new.name, kind, new.max_length, Vec::new(), new.secret)
            }
        })
    };
    by(read, json_schema::declared::<NewVariable>)
}

fn variable(
    name: Option<String>,
    r#type: VariableType,
    max_length: i64,
    values: Vec<String>,
    secret: bool,
) -> Option<Variable> {
    Some(Variable {
        name: name?,
        r#type,
        max_length: u32::try_from(max_length).ok()?,
        values,
        secret,
    })
}

impl NewPatternVersion {
    /// The version, or `None` if the text has faults. Notes what is wrong with the variables.
    pub fn draft(self, fields: &mut Fields<'_>) -> Option<Draft> {
        let text = text::normalise(&self.text?).into_owned();
        let listed = self.variables.unwrap_or_default();
        let variables = variables(fields, &text, &listed);
        let is_listed = |name: &str| listed.iter().flatten().any(|known| known.name == name);
        let names = variables.iter().map(|variable| variable.name.as_str());
        let unlisted: Vec<&str> = names.filter(|name| !listed.is_empty() && !is_listed(name)).collect();
        Some(Draft {
            unlisted: placeholders(&unlisted),
            text,
            variables,
        })
    }
}

/// Placeholders as a text has them.
fn placeholders(names: &[&str]) -> String {
    some_of(&names.iter().map(|name| format!("%{name}%")).collect::<Vec<_>>())
}

/// Makes a variable for each placeholder of the text: the listed one, or one that takes any text. A `None` in the list had
/// faults.
fn variables(fields: &mut Fields<'_>, text: &str, listed: &[Option<Variable>]) -> Vec<Variable> {
    let names = Template::parse(text, is_variable_name).names();
    if names.len() > MAX_VARIABLES {
        fields.fault("text", FieldErrorKind::TooMany { max: MAX_VARIABLES });
    }
    let named = |name: &str| {
        listed
            .iter()
            .position(|known| known.as_ref().is_some_and(|known| known.name == name))
    };
    for (index, variable) in listed.iter().enumerate() {
        let Some(variable) = variable else {
            continue;
        };
        if named(&variable.name) != Some(index) {
            fields.item_fault("variables", index, FieldErrorKind::Twice);
        } else if !names.contains(&variable.name.as_str()) {
            fields.item_fault("variables", index, FieldErrorKind::NotInText(placeholders(&names)));
        }
    }
    let variable = |name: &&str| {
        let known = listed.iter().flatten().find(|known| known.name == *name);
        known.cloned().unwrap_or_else(|| Variable::text(name))
    };
    let variables: Vec<Variable> = names.iter().map(variable).collect();
    let bytes = serde_json::to_string(&variables).map_or(0, |json| json.len());
    if bytes > MAX_VARIABLES_BYTES {
        let max = MAX_VARIABLES_BYTES;
        fields.fault("variables", FieldErrorKind::TooLong { max });
    }
    variables
}
