//! What the runtime throws: tells a part of the platform that does not answer from a fault of ours.
//!
//! The lists follow Cloudflare's pages "Error handling" and "Troubleshooting" of Durable Objects and "Debug D1".

use crate::base::ports::PortError;

/// A thrown JavaScript error.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Thrown {
    /// Its `name`, such as `TypeError`.
    pub name: String,
    /// Its `message`.
    pub words: String,
    /// Whether the runtime says that the call may be made again.
    pub retryable: bool,
    /// Whether the runtime says that the object has too much to do.
    pub overloaded: bool,
    /// Whether the code of the called object threw it.
    pub remote: bool,
}

/// With these words, an object of ours begins a failure that it throws. The runtime passes only words between objects.
const FAILED: &str = "peyk.failed: ";
const UNAVAILABLE: &str = "peyk.unavailable: ";

/// Errors that JavaScript throws when code is wrong.
const ERRORS_OF_CODE: [&str; 8] = [
    "TypeError",
    "RangeError",
    "ReferenceError",
    "SyntaxError",
    "DataCloneError",
    "RuntimeError",
    "CompileError",
    "LinkError",
];

/// Words of the runtime when an object or a store is overloaded, was reset, can't be reached, or has no room. What is old is
/// forgotten, and operators make room, so asking again later is worth it then too.
const OUTAGES: [&str; 12] = [
    "exceeded maximum db size",
    "overloaded",
    "network connection lost",
    "object to be reset",
    "was reset",
    "reset because",
    "transient issue",
    "disconnected",
    "exceeded timeout",
    "timed out",
    "internal error",
    "too many requests",
];

/// Results of SQLite that pass by themselves, or when the store has room again.
const PASSING_RESULTS: [&str; 7] = ["BUSY", "LOCKED", "IOERR", "NOMEM", "INTERRUPT", "CANTOPEN", "FULL"];

/// Words of D1 and SQLite when a statement or its values are wrong, or a constraint refuses them.
const FAULTS_OF_STATEMENTS: [&str; 9] = [
    "d1_type_error",
    "d1_exec_error",
    "d1_column_notfound",
    "constraint failed",
    "syntax error",
    "no such ",
    "malformed json",
    "datatype mismatch",
    "too big",
];

/// What an object of ours throws for a failure.
pub fn marked(error: &PortError) -> String {
    match error {
        PortError::Unavailable { .. } => format!("{UNAVAILABLE}{error}"),
        _ => format!("{FAILED}{error}"),
    }
}

fn contains_any(words: &str, known: &[&str]) -> bool {
    let words = words.to_ascii_lowercase();
    known.iter().any(|known| words.contains(known))
}

fn is_of_code(thrown: &Thrown) -> bool {
    ERRORS_OF_CODE.contains(&thrown.name.as_str())
}

/// Why a call of an object of this class failed. What the object's own code throws is a fault of ours. All else comes from
/// the runtime: the object is overloaded, was reset, or can't be reached.
pub fn by_call(class: &'static str, thrown: &Thrown) -> PortError {
    if let Some((_, cause)) = thrown.words.split_once(UNAVAILABLE) {
        return PortError::unavailable(class, cause);
    }
    if let Some((_, cause)) = thrown.words.split_once(FAILED) {
        return PortError::failed(class, cause);
    }
    let is_outage = thrown.overloaded || thrown.retryable || contains_any(&thrown.words, &OUTAGES);
    if !is_outage && (is_of_code(thrown) || thrown.remote) {
        PortError::failed(class, &thrown.words)
    } else {
        PortError::unavailable(class, &thrown.words)
    }
}

/// Why D1 failed. What is no fault of a statement comes from the network or from the database's own object.
pub fn by_directory(thrown: &Thrown) -> PortError {
    if is_fault_of_statement(thrown) {
        PortError::failed("d1", &thrown.words)
    } else {
        PortError::unavailable("d1", &thrown.words)
    }
}

/// Why an object's own storage failed. `port` says which part of it.
pub fn by_storage(port: &'static str, thrown: &Thrown) -> PortError {
    if !is_fault_of_statement(thrown) && (is_passing(thrown) || contains_any(&thrown.words, &OUTAGES)) {
        PortError::unavailable(port, &thrown.words)
    } else {
        PortError::failed(port, &thrown.words)
    }
}

/// Why KV failed. It names an HTTP status: one that blames the request is a fault of ours.
pub fn by_kv(thrown: &Thrown) -> PortError {
    let status = thrown.words.split_once("failed: ").and_then(|(_, rest)| rest.get(..3));
    let is_refused = status.is_some_and(|status| status.starts_with('4') && status != "429");
    if is_refused || is_of_code(thrown) {
        PortError::failed("kv", &thrown.words)
    } else {
        PortError::unavailable("kv", &thrown.words)
    }
}

fn is_fault_of_statement(thrown: &Thrown) -> bool {
    let has_result = thrown.words.contains("SQLITE_");
    is_of_code(thrown)
        || (has_result && !is_passing(thrown))
        || (!has_result && contains_any(&thrown.words, &FAULTS_OF_STATEMENTS))
}

/// Whether SQLite's result says that the statement may succeed later.
fn is_passing(thrown: &Thrown) -> bool {
    let mut results = thrown.words.split("SQLITE_").skip(1);
    results.any(|rest| PASSING_RESULTS.iter().any(|result| rest.starts_with(result)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(words: &str) -> Thrown {
        Thrown {
            name: "Error".to_owned(),
            words: words.to_owned(),
            ..Thrown::default()
        }
    }

    fn is_unavailable(error: &PortError) -> bool {
        matches!(error, PortError::Unavailable { .. })
    }

    #[test]
    fn an_object_that_is_overloaded_reset_or_out_of_reach_is_unavailable() {
        for words in [
            "Durable Object is overloaded. Too many requests queued.",
            "Durable Object storage operation exceeded timeout which caused object to be reset.",
            "Durable Object reset because its code was updated.",
            "Durable Object's isolate exceeded its memory limit and was reset.",
            "Cannot resolve Durable Object due to transient issue on remote node.",
            "Network connection lost.",
            "internal error; reference = 0123456789abcdef",
            "something that the runtime says in the future",
        ] {
            assert!(is_unavailable(&by_call("ACCOUNT", &error(words))), "{words}");
        }
        let remote = Thrown {
            remote: true,
            ..error("Durable Object exceeded its CPU time limit and was reset.")
        };
        assert!(is_unavailable(&by_call("ACCOUNT", &remote)));
        for (retryable, overloaded) in [(true, false), (false, true)] {
            let flagged = Thrown {
                retryable,
                overloaded,
                remote: true,
                ..error("any")
            };
            assert!(is_unavailable(&by_call("ACCOUNT", &flagged)));
        }
    }

    #[test]
    fn what_an_objects_code_throws_is_a_fault_of_ours() {
        let remote = Thrown {
            remote: true,
            ..error("unreachable")
        };
        let of_code = Thrown {
            name: "TypeError".to_owned(),
            ..error("The RPC receiver does not implement the method \"ask\".")
        };
        for thrown in [remote, of_code, error("peyk.failed: unreachable")] {
            assert!(!is_unavailable(&by_call("ACCOUNT", &thrown)), "{thrown:?}");
        }
    }

    #[test]
    fn a_failure_keeps_its_kind_on_the_way_from_an_object() {
        let failed = PortError::failed("sql", "no such table: x: SQLITE_ERROR");
        let unavailable = PortError::unavailable("sql", "Network connection lost.");
        for (kind, wanted) in [(&failed, false), (&unavailable, true)] {
            // The runtime may put its own words in front.
            let thrown = error(&format!("Error: {}", marked(kind)));
            let arrived = by_call("ACCOUNT", &thrown);
            assert_eq!(is_unavailable(&arrived), wanted);
            assert!(arrived.to_string().contains("sql: "), "{arrived}");
        }
    }

    #[test]
    fn d1_that_is_overloaded_reset_or_out_of_reach_is_unavailable() {
        for words in [
            "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
            "D1_ERROR: D1 DB reset because its code was updated.",
            "D1_ERROR: Internal error in D1 DB storage caused object to be reset.",
            "D1_ERROR: Network connection lost.",
            "D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.",
            "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
            "D1_ERROR: database is locked: SQLITE_BUSY",
            "fetch failed",
        ] {
            assert!(is_unavailable(&by_directory(&error(words))), "{words}");
        }
    }

    #[test]
    fn a_statement_that_d1_or_sqlite_refuses_is_a_fault_of_ours() {
        let of_code = Thrown {
            name: "TypeError".to_owned(),
            ..error("Incorrect type for the bindings")
        };
        let refused = [
            "D1_ERROR: UNIQUE constraint failed: account.username: SQLITE_CONSTRAINT",
            "D1_ERROR: no such table: x: SQLITE_ERROR",
            "D1_ERROR: near \"SELEC\": syntax error at offset 0",
            "D1_TYPE_ERROR: Type 'object' not supported for value 'x'",
            "D1_ERROR: string or blob too big: SQLITE_TOOBIG",
        ]
        .map(error);
        for thrown in refused.iter().chain([&of_code]) {
            assert!(!is_unavailable(&by_directory(thrown)), "{thrown:?}");
            assert!(!is_unavailable(&by_storage("sql", thrown)), "{thrown:?}");
        }
        assert!(!is_unavailable(&by_storage("sql", &error("unknown words"))));
        let reset = error("Internal error in Durable Object storage caused object to be reset.");
        assert!(is_unavailable(&by_storage("sql", &reset)));
    }

    #[test]
    fn a_store_without_room_is_unavailable() {
        for words in [
            "D1_ERROR: Exceeded maximum DB size",
            "database or disk is full: SQLITE_FULL",
        ] {
            assert!(is_unavailable(&by_directory(&error(words))), "{words}");
            assert!(is_unavailable(&by_storage("sql", &error(words))), "{words}");
        }
    }

    #[test]
    fn kv_is_unavailable_unless_it_blames_the_request() {
        for words in [
            "KV GET failed: 500 Internal Server Error",
            "KV PUT failed: 429 Too Many Requests",
            "Network connection lost.",
        ] {
            assert!(is_unavailable(&by_kv(&error(words))), "{words}");
        }
        for words in [
            "KV PUT failed: 413 Value length of 30000000 exceeds limit",
            "KV GET failed: 400 Bad Request",
        ] {
            assert!(!is_unavailable(&by_kv(&error(words))), "{words}");
        }
    }
}
