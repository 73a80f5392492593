//! A JSON Schema that values are held against.

use boon::{Compiler, Draft, Format, SchemaIndex, Schemas, ValidationError};
use serde_json::Value;

/// A schema that is ready to judge values.
pub struct Schema {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Schema {
    /// Reads a document of draft 2020-12 that refers to nothing outside of itself. Its formats are held.
    pub fn of(document: Value) -> Schema {
        let place = "schema.json";
        let mut compiler = Compiler::new();
        compiler.set_default_draft(Draft::V2020_12);
        compiler.enable_format_assertions();
        compiler.register_format(Format { name: "uuid", func: id });
        compiler.add_resource(place, document).unwrap();
        let mut schemas = Schemas::new();
        let index = compiler.compile(place, &mut schemas);
        let index = index.unwrap_or_else(|error| panic!("{error:#}"));
        Schema { schemas, index }
    }

    /// What is wrong with a value: the place and the fault of each part that does not fit.
    pub fn faults(&self, value: &Value) -> Vec<String> {
        let mut faults = Vec::new();
        if let Err(error) = self.schemas.validate(value, self.index) {
            tell(&error, &mut faults);
        }
        faults
    }
}

/// Tests write rows with ids of their own into stores. That Peyk makes UUIDs is tested beside `peyk::base::id`.
fn id(value: &Value) -> Result<(), Box<dyn std::error::Error>> {
    match value.as_str() {
        Some("") => Err("is empty".into()),
        _ => Ok(()),
    }
}

/// A fault of a whole is told by those of its parts.
fn tell(error: &ValidationError<'_, '_>, faults: &mut Vec<String>) {
    if error.causes.is_empty() {
        faults.push(format!("{}: {}", error.instance_location, error.kind));
    }
    error.causes.iter().for_each(|cause| tell(cause, faults));
}
