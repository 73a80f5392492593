//! Hours of the day in a time zone, as requests and answers have them.

use crate::api::http::forms::{Form, each, parsed, text};
use crate::api::http::json_fields::Fields;
use crate::api::http::json_schema;
use crate::base::window::{TimeOfDay, Window};
use crate::problem::field_error::FieldErrorKind;
use crate::{answer, body};

/// A time of the day, as a regular expression.
const TIME_OF_DAY: &str = "^([01][0-9]|2[0-3]):[0-5][0-9]$";
/// The name of a time zone has at most this many characters.
pub const MAX_ZONE: usize = 64;

body! {
    pub struct NewWindow {
        /// When it opens.
        from: Option<TimeOfDay> = needs "from" time_of_day() => "09:00";
        /// When it closes. Earlier than `from`: it is on the next day.
        to: Option<TimeOfDay> = needs "to" time_of_day() => "21:00";
        /// The time zone, by its name in the IANA database.
        time_zone: Option<String> = needs "timeZone" text(MAX_ZONE) => "Asia/Tehran";
    }
}

answer! {
    /// Hours of the day in a time zone.
    pub struct WindowData(window: &Window) as "Hours" {
        "from": window.from().to_string(), any_text() => "09:00";
        "to": window.to().to_string(), any_text() => "21:00";
        "timeZone": window.time_zone(), any_text() => "Asia/Tehran";
    }
}

fn time_of_day() -> impl Form<Value = TimeOfDay> {
    let fault = FieldErrorKind::BadForm("HH:MM, like 09:30", "HH:MM، مانند 09:30");
    parsed(
        move |text| TimeOfDay::parse(text).ok_or_else(|| fault.clone()),
        || json_schema::formed(5, TIME_OF_DAY),
    )
}

/// Hours of the day in a time zone. `None`: they have faults. Whether the runtime knows the zone is checked apart.
pub fn window() -> impl Form<Value = Option<Window>> {
    each(|new: NewWindow, fields: &mut Fields<'_>| {
        let ((from, to), time_zone) = new.from.zip(new.to).zip(new.time_zone)?;
        let window = Window::new(from, to, time_zone);
        if window.is_none() {
            fields.fault("to", FieldErrorKind::SameAs("from"));
        }
        window
    })
}
