//! One attempt to reach a receiver: whether its address may be fetched, what its answer means, and how long the next attempt waits.

use serde_json::json;

use crate::base::ports::{IncomingResponse, OutgoingRequest, Platform, PortError};
use crate::base::url_guard::{self, Loopback};
use crate::base::{config::Config, log, time};

/// How long an attempt may take, ms.
pub const TIMEOUT_MS: u32 = 15_000;

/// Characters of an answer that are kept at most.
pub const MAX_ANSWER: usize = 1_000;
/// Bytes of an answer that are read at most: so many characters have no more.
pub const MAX_ANSWER_BYTES: usize = 4 * MAX_ANSWER;

const SECOND_MS: i64 = 1_000;
/// The longest pause that a receiver may ask for, ms.
const LONGEST_PAUSE_MS: i64 = 24 * 60 * 60 * SECOND_MS;
/// A wait is longer by a random part of this fraction, so that deliveries that failed together do not come back together.
const JITTER_PARTS: i64 = 10;

/// An attempt, and what the receiver has answered to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    pub attempted: Attempted,
    /// The beginning of the answer's body, as plain text. `None` if there was no answer.
    pub answer: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempted {
    /// The receiver has the event.
    Done { status: u16 },
    /// The receiver does not have it, or nobody knows.
    Failed(Failure),
    /// The receiver wants nothing any more.
    Gone,
}

impl Attempted {
    /// Its name in the metrics.
    pub fn as_str(&self) -> &'static str {
        match self {
            Attempted::Done { .. } => "TAKEN",
            Attempted::Gone => "GONE",
            Attempted::Failed(Failure { status: Some(_), .. }) => "REFUSED",
            Attempted::Failed(Failure { status: None, .. }) => "NONE",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The HTTP status, if the receiver answered.
    pub status: Option<u16>,
    /// What was wrong.
    pub error: &'static str,
    /// How long the receiver asks to be left alone, ms.
    pub pause_ms: Option<i64>,
}

/// The address as it may be fetched. `None`: it may not.
pub fn address(config: &Config, url: &str) -> Option<String> {
    let loopback = Loopback::from(config.webhook_allow_loopback);
    url_guard::check(url, loopback, config.public_host.as_slice()).ok()
}

/// Makes a request, which has no address if that may not be fetched. A request that can't be made is a failed attempt too, so that
/// it holds back no other.
pub async fn fetch(platform: &impl Platform, outgoing: Result<Option<OutgoingRequest>, PortError>) -> Attempt {
    let failed = |error| Attempt {
        attempted: Attempted::Failed(Failure {
            status: None,
            error,
            pause_ms: None,
        }),
        answer: None,
    };
    let request = match outgoing {
        Ok(Some(request)) => request,
        Ok(None) => return failed("ADDRESS_REFUSED"),
        Err(error) => {
            log::error(
                platform,
                "webhook",
                json!({"what": "no request was made", "cause": error.to_string()}),
            );
            return failed("INTERNAL");
        }
    };
    match platform.fetch(&request).await {
        Ok(response) => Attempt {
            attempted: judge(&response, platform.now_ms()),
            answer: Some(plain(&response.body)),
        },
        Err(_) => failed("NO_ANSWER"),
    }
}

pub fn judge(response: &IncomingResponse, now_ms: i64) -> Attempted {
    let status = response.status;
    let error = match status {
        200..=299 => return Attempted::Done { status },
        410 => return Attempted::Gone,
        300..=399 => "REDIRECT",
        _ => "STATUS",
    };
    let asked = response.retry_after.as_deref();
    Attempted::Failed(Failure {
        status: Some(status),
        error,
        pause_ms: asked.and_then(|value| pause_ms(value, now_ms)),
    })
}

/// The beginning of an answer without what would do something where it is shown: control characters other than line feeds and tabs, and
/// marks that change the direction of what is behind them.
fn plain(body: &str) -> String {
    let is_shown = |char: &char| match char {
        '\n' | '\t' => true,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => false,
        char => !char.is_control(),
    };
    body.chars().filter(is_shown).take(MAX_ANSWER).collect()
}

/// Reads `Retry-After`: seconds, or a time as HTTP writes it.
fn pause_ms(value: &str, now_ms: i64) -> Option<i64> {
    let value = value.trim();
    let pause_ms = match value.parse::<u32>() {
        Ok(seconds) => i64::from(seconds).saturating_mul(SECOND_MS),
        Err(_) => time::from_http(value)?.saturating_sub(now_ms),
    };
    (pause_ms > 0).then_some(pause_ms.min(LONGEST_PAUSE_MS))
}

/// How long a delivery waits after so many failures, ms; `None`: it has failed for good. `waits_s` are the waits of the
/// settings. `random` decides about the jitter.
pub fn wait_ms(waits_s: &[u32], failures: u32, random: u16) -> Option<i64> {
    let wait_s = usize::try_from(failures.checked_sub(1)?)
        .ok()
        .and_then(|at| waits_s.get(at))?;
    let wait_ms = i64::from(*wait_s).saturating_mul(SECOND_MS);
    let jitter_ms = wait_ms / JITTER_PARTS * i64::from(random) / i64::from(u16::MAX);
    Some(wait_ms.saturating_add(jitter_ms))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(status: u16, retry_after: Option<&str>) -> IncomingResponse {
        IncomingResponse {
            status,
            retry_after: retry_after.map(str::to_owned),
            body: String::new(),
        }
    }

    #[test]
    fn waits_are_those_of_the_list_with_a_tenth_of_jitter_at_most() {
        let waits_s = [5, 300, 86_400];
        for (failures, wait) in [(1, 5_000), (2, 300_000), (3, 86_400_000)] {
            assert_eq!(wait_ms(&waits_s, failures, 0), Some(wait));
            assert_eq!(wait_ms(&waits_s, failures, u16::MAX), Some(wait + wait / 10));
        }
        for failures in [0, 4, u32::MAX] {
            assert_eq!(wait_ms(&waits_s, failures, 0), None);
        }
    }

    #[test]
    fn an_answer_is_plain_text_of_a_thousand_characters_at_most() {
        for (body, wanted) in [
            ("", ""),
            ("{\"a\":\t1}\r\n", "{\"a\":\t1}\n"),
            ("\0\u{1b}[31mred\u{7f}\u{85}", "[31mred"),
            ("\u{202e}abc\u{2066}", "abc"),
            ("می\u{200c}شود \u{fffd}", "می\u{200c}شود \u{fffd}"),
            ("<script>", "<script>"),
        ] {
            assert_eq!(plain(body), wanted, "{body:?}");
        }
        let long = "\0🙂".repeat(MAX_ANSWER + 1);
        assert_eq!(plain(&long), "🙂".repeat(MAX_ANSWER));
        assert_eq!(plain(&long).len(), MAX_ANSWER_BYTES);
    }

    #[test]
    fn only_success_is_success() {
        for status in [200, 201, 202, 204, 299] {
            assert_eq!(judge(&response(status, None), 0), Attempted::Done { status });
        }
        assert_eq!(judge(&response(410, None), 0), Attempted::Gone);
        for (status, what) in [
            (301, "REDIRECT"),
            (307, "REDIRECT"),
            (304, "REDIRECT"),
            (404, "STATUS"),
            (500, "STATUS"),
            (199, "STATUS"),
        ] {
            let failed = Attempted::Failed(Failure {
                status: Some(status),
                error: what,
                pause_ms: None,
            });
            assert_eq!(judge(&response(status, None), 0), failed);
        }
    }

    #[test]
    fn a_pause_is_seconds_or_a_time_and_is_bounded() {
        let now_ms = 1_445_412_460_000;
        for (value, pause) in [
            ("120", Some(120_000)),
            (" 7 ", Some(7_000)),
            ("Wed, 21 Oct 2015 07:28:00 GMT", Some(20_000)),
            ("Wed, 21 Oct 2015 07:27:00 GMT", None),
            ("0", None),
            ("-1", None),
            ("soon", None),
            ("", None),
            ("1e3", None),
            ("4294967295", Some(LONGEST_PAUSE_MS)),
            ("99999999999999999999", None),
            ("Wed, 21 Oct 2099 07:28:00 GMT", Some(LONGEST_PAUSE_MS)),
        ] {
            assert_eq!(pause_ms(value, now_ms), pause, "{value:?}");
        }
    }
}
