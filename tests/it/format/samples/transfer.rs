//! What objects are asked while a service moves.

use peyk::durable::tables::{Page, Rows};
use peyk::durable::transfer::{Answer, Look, NAME, Refused, Standstill, Step};

use super::{Format, calls, format};

fn rows() -> Rows {
    Rows {
        table: "plan".to_owned(),
        columns: vec!["slug".to_owned()],
        rows: vec!["[\"default\"]".to_owned()],
    }
}

pub fn transfer_formats() -> Vec<Format> {
    let steps = [
        Step::Freeze {
            incoming: None,
            now: true,
        },
        Step::Freeze {
            incoming: Some(vec!["account".to_owned()]),
            now: false,
        },
        Step::Thaw,
        Step::Look,
        Step::Read {
            from: Some("[\"plan\",null]".to_owned()),
            only: vec!["plan".to_owned()],
            few: vec![("api_key".to_owned(), 200)],
        },
        Step::Read {
            from: None,
            only: Vec::new(),
            few: Vec::new(),
        },
        Step::Insert {
            tables: vec![rows()],
            adds: true,
        },
    ];
    let standstill = Standstill {
        is_new: false,
        is_busy: true,
        parts: vec!["account".to_owned()],
    };
    let page = Page {
        tables: vec![rows()],
        next: Some("[\"plan\",\"[\\\"default\\\"]\"]".to_owned()),
    };
    let refused = [
        Refused::NotFrozen,
        Refused::NotEmpty,
        Refused::NoPage,
        Refused::NotOfTable("plan".to_owned()),
    ];
    let mut answers = vec![
        Answer::Frozen(standstill),
        Answer::Thawed,
        Answer::Looked(Look::Gives),
        Answer::Page(page),
        Answer::Inserted,
    ];
    answers.extend(refused.map(Answer::Refused));
    vec![calls(NAME, &steps), format("Transfer.reply", &answers)]
}
