//! Reads a version of a pattern from a body: its text and its variables.

use crate::api::http::json_fields::Fields;
use crate::api::problem::field_error::FaultKind;
use crate::sms::template::{MAX_NAME, Template, is_variable_name};
use crate::sms::text;
use crate::sms::variable::{DEFAULT_MAX_LENGTH, Variable, VariableType};

const MAX_TEXT: usize = 2_000;
const MAX_VARIABLES: usize = 20;
const MAX_VALUES: usize = 50;
const MAX_VALUE: usize = 100;
const MAX_LENGTH: i64 = 1_000;
/// The variables of a version have at most this many bytes as JSON.
const MAX_VARIABLES_BYTES: usize = 16 * 1024;
const NAME_FORM: FaultKind = FaultKind::BadForm(
    "a letter or _, then letters, digits, _ and -, at most 50",
    "یک حرف یا _، سپس حرف، رقم، _ یا -، حداکثر 50 کاراکتر",
);

/// A version that a request asks for.
pub struct Draft {
    /// The text, with `\n` line ends.
    pub text: String,
    /// One variable for each placeholder, in the order of the text.
    pub variables: Vec<Variable>,
}

/// Reads `text` and `variables`. Returns `None` if there is no text or it has faults. Variables need a text.
pub fn version(fields: &mut Fields<'_>, is_required: bool) -> Option<Draft> {
    let text = fields.text("text", MAX_TEXT);
    if is_required || fields.has("variables") {
        fields.require("text", text);
    }
    let listed = fields.objects("variables", MAX_VARIABLES, read_variable);
    let text = text::normalise(text?).into_owned();
    let variables = variables(fields, &text, &listed.unwrap_or_default());
    Some(Draft { text, variables })
}

/// Makes a variable for each placeholder of the text: the listed one, or one that takes any text. A `None` in the list had
/// faults.
fn variables(fields: &mut Fields<'_>, text: &str, listed: &[Option<Variable>]) -> Vec<Variable> {
    let names = Template::parse(text, is_variable_name).names();
    if names.len() > MAX_VARIABLES {
        fields.fault("text", FaultKind::TooMany { max: MAX_VARIABLES });
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
            fields.item_fault("variables", index, FaultKind::Twice);
        } else if !names.contains(&variable.name.as_str()) {
            fields.item_fault("variables", index, FaultKind::NotInText);
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
        fields.fault("variables", FaultKind::TooLong { max });
    }
    variables
}

fn read_variable(fields: &mut Fields<'_>) -> Option<Variable> {
    let name = fields.formed("name", MAX_NAME, NAME_FORM, is_variable_name);
    let name = fields.require("name", name);
    let r#type = match fields.any_text("type") {
        None => VariableType::Text,
        Some(name) => VariableType::parse(name).unwrap_or_else(|| {
            fields.fault("type", FaultKind::NotOneOf(VariableType::NAMES.to_owned()));
            VariableType::Text
        }),
    };
    let max_length = fields.integer("maxLength", 1, MAX_LENGTH);
    let values = fields.texts("values", MAX_VALUES, |value| match value.chars().count() {
        1..=MAX_VALUE => Ok(value.to_owned()),
        _ => Err(FaultKind::BadForm("1 to 100 characters", "1 تا 100 کاراکتر")),
    });
    let is_choice = r#type == VariableType::Enum;
    if is_choice && values.as_ref().map_or(fields.value("values").is_none(), Vec::is_empty) {
        fields.fault("values", FaultKind::Required);
    } else if !is_choice
        && fields
            .value("values")
            .is_some_and(|list| list.as_array().is_none_or(|list| !list.is_empty()))
    {
        fields.fault("values", FaultKind::OnlyForEnum);
    }
    Some(Variable {
        name: name?.to_owned(),
        r#type,
        max_length: max_length
            .and_then(|length| u32::try_from(length).ok())
            .unwrap_or(DEFAULT_MAX_LENGTH),
        values: values.unwrap_or_default(),
    })
}
