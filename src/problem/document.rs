//! The problem document (RFC 9457), and the short form of it in the answer of an estimate.

use serde::Serialize;

use super::cases::Problem;
use super::field_error::FieldError;
use crate::base::language::Language;

/// A problem document.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs, reason = "the members are those of openapi.json")]
pub struct Document<'a> {
    pub r#type: String,
    pub title: &'static str,
    pub status: u16,
    pub status_code: u16,
    pub code: u16,
    pub name: &'static str,
    pub detail: String,
    pub instance: &'a str,
    pub extra: Vec<String>,
    pub errors: Vec<DocumentError>,
    pub meta: DocumentMeta<'a>,
}

/// A problem in the list of an estimate: the members of a problem document that say what is wrong.
#[derive(Debug, Serialize)]
#[allow(missing_docs, reason = "the members are those of openapi.json")]
pub struct Brief {
    pub status: u16,
    pub code: u16,
    pub name: &'static str,
    pub detail: String,
    pub extra: Vec<String>,
    pub errors: Vec<DocumentError>,
}

/// One fault, for programs.
#[derive(Debug, Serialize)]
pub struct DocumentError {
    pointer: String,
    detail: String,
}

/// The member `meta` of a problem document.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentMeta<'a> {
    request_id: &'a str,
}

impl Problem {
    /// The problem as one of several.
    pub fn brief(&self, language: Language) -> Brief {
        let kind = self.kind();
        let faults = self.faults(language);
        Brief {
            status: kind.status,
            code: kind.code,
            name: kind.name,
            detail: self.detail(language),
            extra: extra(&faults),
            errors: errors(faults),
        }
    }

    /// The problem document. `docs` is the address of the service that explains it, `instance` the path of the request.
    pub fn document<'a>(&self, language: Language, docs: &str, instance: &'a str, request_id: &'a str) -> Document<'a> {
        let kind = self.kind();
        let faults = self.faults(language);
        Document {
            r#type: format!("{docs}{}", kind.page()),
            title: match language {
                Language::En => kind.title_en,
                Language::Fa => kind.title_fa,
            },
            status: kind.status,
            status_code: kind.status,
            code: kind.code,
            name: kind.name,
            detail: self.detail(language),
            instance,
            extra: extra(&faults),
            errors: errors(faults),
            meta: DocumentMeta { request_id },
        }
    }

    fn faults(&self, language: Language) -> Vec<FieldErrorTexts> {
        match self {
            Problem::ImportStopped { cause, .. } => cause.faults(language),
            Problem::HeadNumberNotFound { .. } | Problem::ServiceLine(_) => vec![FieldErrorTexts {
                field: "sourceNumber".to_owned(),
                pointer: "/sourceNumber".to_owned(),
                detail: self.detail(language),
            }],
            _ => {
                let faults = self.own_faults().iter();
                faults.map(|fault| FieldErrorTexts::of(fault, language)).collect()
            }
        }
    }
}

/// A fault in words.
struct FieldErrorTexts {
    field: String,
    pointer: String,
    detail: String,
}

impl FieldErrorTexts {
    fn of(fault: &FieldError, language: Language) -> Self {
        FieldErrorTexts {
            field: fault.field(),
            pointer: fault.pointer(),
            detail: fault.detail(language),
        }
    }
}

fn extra(faults: &[FieldErrorTexts]) -> Vec<String> {
    let text = |fault: &FieldErrorTexts| format!("{}: {}", fault.field, fault.detail);
    faults.iter().map(text).collect()
}

fn errors(faults: Vec<FieldErrorTexts>) -> Vec<DocumentError> {
    let error = |fault: FieldErrorTexts| DocumentError {
        pointer: fault.pointer,
        detail: fault.detail,
    };
    faults.into_iter().map(error).collect()
}
