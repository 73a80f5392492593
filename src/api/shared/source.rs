//! The names of what a message is made of. A scheduled message keeps its sources from being deleted.

/// The name of a pattern as a source.
pub fn pattern_source(slug: &str) -> String {
    format!("pattern:{slug}")
}

/// The name of a phonebook as a source.
pub fn phonebook_source(id: &str) -> String {
    format!("phonebook:{id}")
}
