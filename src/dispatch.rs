//! The dispatch queue's consumer: claim → carrier → report.
//!
//! What a crash costs at each step: before the claim, nothing (the queue, or the object's own clock, brings the chunk
//! again); after it, the claim's lease runs out and the chunk comes back *in doubt*. Then the carrier is asked which
//! recipients it has had; one that can't tell is handed none of them again, and they become `UNKNOWN`.

use crate::account::command::{Answer, Call, ChunkReport, Command, Job};
use crate::account::outbox::{WORK_VERSION, Work};
use crate::carrier::Carrier;
use crate::ports::{Platform, PortError};

/// What is to become of a queue message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It did its work.
    Ack,
    /// It is to come again, after so many seconds.
    Retry {
        /// Delay before the next try, s.
        delay_s: u32,
    },
}

/// Handles one queue message that was sent at `sent_ms`, ms since the Unix epoch.
pub async fn consume(platform: &impl Platform, body: &str, sent_ms: i64) -> Verdict {
    match work_off(platform, body).await {
        Ok(()) => Verdict::Ack,
        Err(error) => {
            let line = serde_json::json!({"level": "error", "event": "dispatch", "cause": error.to_string()});
            platform.log(&line.to_string());
            Verdict::Retry {
                delay_s: retry_delay_s(platform.now_ms().saturating_sub(sent_ms)),
            }
        }
    }
}

/// How long a message of this age waits for its next delivery: as long as it has waited already, so the delays double,
/// from 5 s to 10 minutes.
pub fn retry_delay_s(age_ms: i64) -> u32 {
    u32::try_from((age_ms / 1_000).clamp(5, 600)).unwrap_or(600)
}

/// Notes a queue message that the queue gave up on. Nothing is lost with it: its chunks stay due in their account's
/// object, which puts them into the queue again until a carrier was tried often enough.
pub fn bury(platform: &impl Platform, body: &str) {
    let line = serde_json::json!({"level": "error", "event": "dead-letter", "queue": "dispatch", "body": body});
    platform.log(&line.to_string());
}

async fn work_off(platform: &impl Platform, body: &str) -> Result<(), PortError> {
    let work: Work = serde_json::from_str(body).map_err(|error| PortError::failed("queue", error))?;
    if work.v != WORK_VERSION {
        return Err(PortError::failed("queue", format!("work of version {}", work.v)));
    }
    let jobs = claim(platform, &work).await?;
    if jobs.is_empty() {
        return Ok(());
    }
    let mut reports = Vec::with_capacity(jobs.len());
    for (carrier, jobs) in by_carrier(jobs) {
        match Carrier::named(&carrier) {
            Some(carrier) => hand_over(platform, carrier, &work.account, jobs, &mut reports).await?,
            None => refuse_for_the_moment(platform, &carrier, jobs, &mut reports),
        }
    }
    ask(platform, &work.account, Command::Report(reports)).await.map(drop)
}

async fn ask(platform: &impl Platform, account: &str, command: Command) -> Result<Answer, PortError> {
    let call = Call {
        account: account.to_owned(),
        key: None,
        command,
    };
    let reply = platform.account(&call).await?;
    reply
        .outcome
        .map_err(|refusal| PortError::failed("account", format!("{refusal:?}")))
}

async fn claim(platform: &impl Platform, work: &Work) -> Result<Vec<Job>, PortError> {
    match ask(platform, &work.account, Command::Claim(work.chunks.clone())).await? {
        Answer::Claimed(jobs) => Ok(jobs),
        other => Err(PortError::failed(
            "account",
            format!("unexpected answer to a claim: {other:?}"),
        )),
    }
}

fn by_carrier(jobs: Vec<Job>) -> Vec<(String, Vec<Job>)> {
    let mut groups: Vec<(String, Vec<Job>)> = Vec::new();
    for job in jobs {
        match groups.iter_mut().find(|(carrier, _)| *carrier == job.carrier) {
            Some((_, group)) => group.push(job),
            None => groups.push((job.carrier.clone(), vec![job])),
        }
    }
    groups
}

/// A line whose carrier does not exist (any more) waits as behind a carrier that is down.
fn refuse_for_the_moment(platform: &impl Platform, carrier: &str, jobs: Vec<Job>, reports: &mut Vec<ChunkReport>) {
    let line =
        serde_json::json!({"level": "error", "event": "dispatch", "cause": "no such carrier", "carrier": carrier});
    platform.log(&line.to_string());
    reports.extend(jobs.iter().map(empty_report));
}

fn empty_report(job: &Job) -> ChunkReport {
    ChunkReport {
        chunk: job.chunk,
        submitted: Vec::new(),
        rejected: Vec::new(),
        unknown: Vec::new(),
    }
}

async fn hand_over(
    platform: &impl Platform,
    carrier: Carrier,
    account: &str,
    jobs: Vec<Job>,
    reports: &mut Vec<ChunkReport>,
) -> Result<(), PortError> {
    let (doubtful, mut sure): (Vec<Job>, Vec<Job>) = jobs.into_iter().partition(|job| job.in_doubt);
    let mut known = Vec::new();
    if !doubtful.is_empty() {
        match carrier.look_up(platform, account, doubtful.clone()).await? {
            None => reports.extend(doubtful.iter().map(all_unknown)),
            Some(answers) => {
                sure.extend(doubtful.into_iter().map(|job| without_known(job, &answers)));
                known = answers;
            }
        }
    }
    let answers = match sure.is_empty() {
        true => Vec::new(),
        false => carrier.submit(platform, account, sure).await?,
    };
    reports.extend(answers.into_iter().map(|answer| merge(answer, &known)));
    Ok(())
}

fn all_unknown(job: &Job) -> ChunkReport {
    ChunkReport {
        unknown: job.recipients.iter().map(|(index, _)| *index).collect(),
        ..empty_report(job)
    }
}

fn answer_for<'a>(job: &Job, answers: &'a [ChunkReport]) -> Option<&'a ChunkReport> {
    answers.iter().find(|answer| answer.chunk == job.chunk)
}

fn without_known(mut job: Job, answers: &[ChunkReport]) -> Job {
    if let Some(answer) = answer_for(&job, answers) {
        job.recipients.retain(|(index, _)| {
            !answer.submitted.contains(index) && !answer.rejected.contains(index) && !answer.unknown.contains(index)
        });
    }
    job
}

/// What the carrier said now, with what it had said before of the same chunk.
fn merge(mut answer: ChunkReport, known: &[ChunkReport]) -> ChunkReport {
    if let Some(before) = known.iter().find(|report| report.chunk == answer.chunk) {
        answer.submitted.extend(&before.submitted);
        answer.rejected.extend(&before.rejected);
        answer.unknown.extend(&before.unknown);
    }
    answer
}
