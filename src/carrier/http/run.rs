//! The sending of one submission.

use std::collections::{BTreeSet, VecDeque};
use std::future::poll_fn;
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

use futures_util::future::{Either, select};
use futures_util::stream::{FuturesUnordered, Stream, StreamExt};
use serde_json::json;

use super::gateway::{self, Message, Verdict};
use super::sender::{HttpSender, Running, Slot, TICK_MS};
use super::settings::Means;
use crate::account::record::chunk::handover::{Answer, ChunkRef, Handover, Outcomes};
use crate::base::ports::{OutgoingRequest, Platform, PortError, Sql};
use crate::base::{log, time};
use crate::carrier::submit_counts::SubmitAnswer;
use crate::carrier::{gateway_url::RecipientRef, journal, learned_rate::Sent, request::Submission};

/// Recipients that are noted together before they leave: so many become `UNKNOWN` by a crash at most.
const NOTED_TOGETHER: usize = 12;
/// How long a chunk waits when the probe was throttled, ms.
const THROTTLED_MS: i64 = 1_000;
/// How long a run that waits for the pace waits at least, ms: others may be before it.
const SHORTEST_PAUSE_MS: i64 = 5;
/// How long a chunk waits when the probe failed and the circuit is still closed, ms.
const UNREACHED_MS: i64 = 5_000;
/// A run waits itself for a gateway that wants no longer rest than this, ms.
const SHORT_REST_MS: i64 = 5_000;

/// What became of a recipient's request.
type Answered = (Task, Sent, Verdict);

/// A recipient on its way.
#[derive(Debug, Clone, Copy)]
struct Task {
    /// The chunk's position in the run.
    chunk: usize,
    index: u32,
    msisdn: u64,
}

/// A chunk while it is sent.
struct Chunk {
    handover: Handover,
    outcomes: Outcomes,
    /// The recipients that the note in the journal tells as gone.
    leaving: BTreeSet<u32>,
    is_noted: bool,
}

impl Chunk {
    /// The outcomes as they would be if everything ended here: those that are leaving got no answer, the others wait.
    fn if_it_ended(&self) -> Outcomes {
        let mut outcomes = self.outcomes.clone();
        let spared = self.leaving.iter().chain(&self.outcomes.not_now).copied();
        let known: BTreeSet<u32> = journal::had(&self.outcomes).chain(spared).collect();
        outcomes.no_answer.extend(&self.leaving);
        let recipients = self.handover.recipients.iter().map(|(index, _)| *index);
        outcomes.waiting = recipients.filter(|index| !known.contains(index)).collect();
        outcomes
    }
}

pub struct Run {
    valid_until_ms: i64,
    chunks: Vec<Chunk>,
    /// Recipients that no note tells as gone yet.
    queue: VecDeque<Task>,
    /// Recipients that are noted and have not left.
    noted: VecDeque<Task>,
    /// What chunks are answered of which nothing has left. Once it is set, nothing leaves any more.
    stop: Option<Answer>,
    /// What others see of the run.
    pub running: Rc<Running>,
}

impl Run {
    /// A run that has not begun. `to_send` has the recipients to send to, and the outcomes that others of their chunks had.
    pub fn new(submission: &Submission, to_send: Vec<(Handover, Outcomes)>, now_ms: i64) -> Run {
        let tasks = to_send.iter().enumerate().flat_map(|(chunk, (handover, _))| {
            let recipients = handover.recipients.iter();
            recipients.map(move |(index, msisdn)| Task {
                chunk,
                index: *index,
                msisdn: *msisdn,
            })
        });
        let queue: VecDeque<Task> = tasks.collect();
        let place = |(handover, _): &(Handover, _)| (handover.chunk.id(), handover.line.clone());
        let places = to_send.iter().map(place).collect();
        let running = Running::new(now_ms, &submission.account, submission.priority, places, queue.len());
        let chunks = to_send.into_iter().map(|(handover, outcomes)| Chunk {
            handover,
            outcomes,
            leaving: BTreeSet::new(),
            is_noted: false,
        });
        Run {
            valid_until_ms: submission.valid_until_ms,
            chunks: chunks.collect(),
            queue,
            noted: VecDeque::new(),
            stop: None,
            running,
        }
    }

    /// Lets the recipients of messages that have expired stay, as far as they have not left.
    fn drop_expired(&mut self, now_ms: i64) {
        let chunks = self.chunks.iter().enumerate();
        let expired = chunks.filter(|(_, chunk)| chunk.handover.has_expired(now_ms));
        let expired: BTreeSet<usize> = expired.map(|(position, _)| position).collect();
        if expired.is_empty() {
            return;
        }
        self.queue.retain(|task| !expired.contains(&task.chunk));
        for task in self.noted.iter().filter(|task| expired.contains(&task.chunk)) {
            if let Some(chunk) = self.chunks.get_mut(task.chunk) {
                chunk.leaving.remove(&task.index);
            }
        }
        self.noted.retain(|task| !expired.contains(&task.chunk));
    }

    /// The next recipient that may leave: the journal has noted it.
    fn next(&mut self, sql: &impl Sql, now_ms: i64) -> Result<Option<Task>, PortError> {
        self.drop_expired(now_ms);
        if self.noted.is_empty() {
            self.note_some(sql, now_ms)?;
        }
        let next = self.noted.pop_front();
        let left = self.noted.len().saturating_add(self.queue.len());
        self.running.queued.set(u32::try_from(left).unwrap_or(u32::MAX));
        Ok(next)
    }

    /// Notes some recipients as gone, before they leave.
    fn note_some(&mut self, sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
        let some: Vec<Task> = self.queue.iter().take(NOTED_TOGETHER).copied().collect();
        let mut touched = BTreeSet::new();
        for task in &some {
            if let Some(chunk) = self.chunks.get_mut(task.chunk) {
                chunk.leaving.insert(task.index);
                chunk.is_noted = true;
                touched.insert(task.chunk);
            }
        }
        self.note(sql, now_ms, &touched)?;
        self.queue.drain(..some.len());
        self.noted.extend(some);
        Ok(())
    }

    fn note(&self, sql: &impl Sql, now_ms: i64, chunks: &BTreeSet<usize>) -> Result<(), PortError> {
        let chunks = chunks.iter().filter_map(|chunk| self.chunks.get(*chunk));
        let outcomes: Vec<(ChunkRef, Outcomes)> = chunks
            .map(|chunk| (chunk.handover.chunk, chunk.if_it_ended()))
            .collect();
        let claims: Vec<(ChunkRef, Option<&Outcomes>)> = outcomes
            .iter()
            .map(|(chunk, outcomes)| (*chunk, Some(outcomes)))
            .collect();
        journal::note(sql, now_ms, &self.running.account, &claims)
    }

    /// Notes the outcomes, and makes the answers. Recipients that were noted and have not left wait, like those behind them.
    pub fn finish(mut self, sql: &impl Sql, now_ms: i64) -> Result<Vec<(ChunkRef, Answer)>, PortError> {
        for task in std::mem::take(&mut self.noted) {
            if let Some(chunk) = self.chunks.get_mut(task.chunk) {
                chunk.leaving.remove(&task.index);
            }
        }
        // Of a chunk in doubt, the account's object has to learn what the carrier has.
        for chunk in &mut self.chunks {
            chunk.is_noted |= chunk.handover.doubt_ms.is_some();
        }
        let noted = self.chunks.iter().enumerate().filter(|(_, chunk)| chunk.is_noted);
        let noted: BTreeSet<usize> = noted.map(|(position, _)| position).collect();
        self.note(sql, now_ms, &noted)?;
        let answers = self.chunks.iter().map(|chunk| {
            let answer = match (&self.stop, chunk.is_noted) {
                (Some(stop), false) => stop.clone(),
                _ => Answer::Outcomes(chunk.if_it_ended()),
            };
            (chunk.handover.chunk, answer)
        });
        Ok(answers.collect())
    }

    /// Whether it has recipients that may still leave.
    fn has_to_wait(&self) -> bool {
        self.stop.is_none() && !(self.queue.is_empty() && self.noted.is_empty())
    }

    fn stop(&mut self, answer: Answer) {
        self.stop.get_or_insert(answer);
    }

    /// Sorts a recipient by what became of it.
    fn sort(&mut self, task: Task, verdict: Verdict) {
        let Some(chunk) = self.chunks.get_mut(task.chunk) else {
            return;
        };
        chunk.leaving.remove(&task.index);
        let outcomes = &mut chunk.outcomes;
        match verdict {
            Verdict::Taken(id) => {
                let own = || format!("{:x}.{:x}", chunk.handover.chunk.message, task.index);
                outcomes.taken.push((task.index, id.unwrap_or_else(own)));
            }
            Verdict::Refused(cause) => outcomes.refused.push((task.index, cause)),
            Verdict::NotNow => outcomes.not_now.push(task.index),
            Verdict::Unclear => outcomes.no_answer.push(task.index),
            // The gateway does not have it, and that is no fault of the recipient: it goes again, or waits.
            Verdict::Throttled(_) | Verdict::Misconfigured(_) => {
                chunk.leaving.insert(task.index);
                self.noted.push_front(task);
            }
        }
    }
}

impl HttpSender {
    /// Sends until everything has left, the time is over, or the carrier can't take more. What is under way then is awaited.
    pub(super) async fn send_all<P: Platform, S: Sql>(
        &self,
        platform: &P,
        sql: &S,
        means: &Means<'_>,
        run: &mut Run,
    ) -> Result<(), PortError> {
        let mut requests = FuturesUnordered::new();
        loop {
            run.drop_expired(platform.now_ms());
            while run.stop.is_none() && self.may_leave(platform.now_ms(), run) {
                if self.needs_probe(platform.now_ms()) {
                    if !requests.is_empty() {
                        break;
                    }
                    self.probe(platform, means, run).await;
                    continue;
                }
                let Some(task) = run.next(sql, platform.now_ms())? else {
                    break;
                };
                let now_ms = platform.now_ms();
                let place = self.take_place(now_ms, &run.running);
                let sent = self.pace.borrow_mut().spend(now_ms);
                let request = self.request(now_ms, means, run, task);
                requests.push(exchange(platform, request, task, sent, place));
            }
            let answer = if run.has_to_wait() {
                let answer = self.answer_or_turn(platform, run, &mut requests).await;
                let Some(answer) = answer else { continue };
                answer
            } else {
                self.stop_waiting(platform.now_ms(), &run.running);
                let Some(answer) = requests.next().await else {
                    return Ok(());
                };
                answer
            };
            let (task, sent, verdict) = answer;
            let ms = platform.now_ms().saturating_sub(sent.at_ms());
            self.observed.count_answer(answer_of(&verdict), ms);
            self.take_in(platform, means, run, sent, &verdict);
            run.sort(task, verdict);
        }
    }

    /// Waits for the next answer, or until it may be the run's turn.
    async fn answer_or_turn<P: Platform>(
        &self,
        platform: &P,
        run: &Run,
        requests: &mut (impl Stream<Item = Answered> + Unpin),
    ) -> Option<Answered> {
        let now_ms = platform.now_ms();
        run.running.wait_for_turn(now_ms);
        let turn = run.running.notify.heard_or(platform.sleep(self.pause_ms(now_ms, run)));
        let answer = poll_fn(|context| match requests.poll_next_unpin(context) {
            Poll::Ready(None) => Poll::Pending,
            answer => answer,
        });
        match select(answer, pin!(turn)).await {
            Either::Left((answer, _)) => answer,
            Either::Right(_) => None,
        }
    }

    /// How long a run that waits for its turn does so at most before it looks again, ms. The first waits for the pace.
    fn pause_ms(&self, now_ms: i64, run: &Run) -> i64 {
        let pace = self.pace.borrow();
        if !pace.is_paced() || !self.is_next(now_ms, &run.running) {
            return TICK_MS;
        }
        let rests_until_ms = self.observed.throttled_until(now_ms).unwrap_or(0);
        let due_ms = pace.due_ms().max(rests_until_ms);
        due_ms.saturating_sub(now_ms).clamp(SHORTEST_PAUSE_MS, TICK_MS)
    }

    /// Whether one more recipient may leave. Otherwise the run may have to stop.
    fn may_leave(&self, now_ms: i64, run: &mut Run) -> bool {
        if run.running.is_held_back.get() {
            run.stop(Answer::Busy(now_ms));
        } else if let Some(until_ms) = self.observed.circuit.open_until(now_ms) {
            run.stop(Answer::Down(until_ms));
        } else if let Some(answer) = self.stopped(now_ms) {
            run.stop(answer);
        } else if let Some(until_ms) = self.throttled_until(now_ms) {
            if until_ms <= now_ms.saturating_add(SHORT_REST_MS) && until_ms < run.valid_until_ms {
                return false;
            }
            run.stop(Answer::Busy(until_ms));
        } else if now_ms >= run.valid_until_ms {
            run.stop(Answer::Busy(now_ms));
        }
        run.stop.is_none() && self.may_begin(now_ms, &run.running) && self.pace.borrow_mut().allows(now_ms) > 0
    }

    /// Finds out whether the gateway is there. If it is not, the run stops before anything leaves.
    async fn probe<P: Platform>(&self, platform: &P, means: &Means<'_>, run: &mut Run) {
        let _place = self.take_place(platform.now_ms(), &run.running);
        let sent = self.pace.borrow_mut().spend(platform.now_ms());
        let answer = platform.fetch(&gateway::probe(&means.access)).await;
        let now_ms = platform.now_ms();
        let verdict = match answer.as_ref().map(gateway::probe_verdict) {
            Ok(Ok(())) => return self.note_answer(now_ms),
            Ok(Err(verdict)) => verdict,
            Err(_) => Verdict::Unclear,
        };
        self.take_in(platform, means, run, sent, &verdict);
        // Whatever it answered, the next message waits for a better answer.
        self.note_silence();
        run.stop(match (self.throttled_until(now_ms), &verdict) {
            (Some(until_ms), _) => Answer::Busy(until_ms),
            (None, Verdict::Throttled(_)) => Answer::Busy(now_ms.saturating_add(THROTTLED_MS)),
            (None, _) => Answer::Down(now_ms.saturating_add(UNREACHED_MS)),
        });
    }

    fn request(&self, now_ms: i64, means: &Means<'_>, run: &Run, task: Task) -> Option<OutgoingRequest> {
        let handover = &run.chunks.get(task.chunk)?.handover;
        let recipient = RecipientRef {
            account: run.running.account.clone(),
            message: handover.chunk.message,
            index: task.index,
        };
        let token = means.tokens.issue(now_ms, means.version, &recipient);
        let message = Message {
            from: &handover.line,
            msisdn: task.msisdn,
            text: &handover.text_for(task.index),
            report_url: &means.tokens.report_url(&means.public_url, &token),
            minutes: handover.seconds_left(now_ms).map(|seconds| seconds.div_ceil(60)),
        };
        Some(gateway::request(&means.access, &message))
    }

    /// Learns from an answer how the gateway does. The log tells when it is to be left alone.
    fn take_in(&self, platform: &impl Platform, means: &Means<'_>, run: &mut Run, sent: Sent, verdict: &Verdict) {
        let now_ms = platform.now_ms();
        let was_open = self.observed.circuit.open_until(now_ms).is_some();
        match verdict {
            Verdict::Taken(_) => {
                self.note_success(now_ms);
                self.observed.count_taken(now_ms, 1);
            }
            Verdict::Refused(_) => self.note_success(now_ms),
            Verdict::NotNow => {
                self.note_answer(now_ms);
                self.observed.note_error(now_ms, "the gateway refuses messages for now");
                self.observed.circuit.fail(now_ms);
            }
            Verdict::Throttled(wait_ms) => {
                self.note_answer(now_ms);
                self.observed.note_error(now_ms, "the gateway wants fewer messages");
                self.throttle(now_ms, sent, *wait_ms);
            }
            Verdict::Misconfigured(why) => {
                self.observed.note_error(now_ms, why);
                self.observed.circuit.open(now_ms);
            }
            Verdict::Unclear => {
                self.note_silence();
                self.observed.note_error(now_ms, "the gateway gave no clear answer");
                self.observed.circuit.fail(now_ms);
            }
        }
        if let Some(until_ms) = self.observed.circuit.open_until(now_ms) {
            run.stop(Answer::Down(until_ms));
            if !was_open {
                let line = json!({
                    "carrier": means.tokens.carrier,
                    "what": "the gateway is left alone for a while",
                    "until": time::to_rfc3339(until_ms),
                    "cause": self.observed.last_error(),
                });
                log::error(platform, "carrier", line);
            }
        }
    }
}

/// An answer as it is counted.
fn answer_of(verdict: &Verdict) -> SubmitAnswer {
    match verdict {
        Verdict::Taken(_) => SubmitAnswer::Taken,
        Verdict::Refused(_) => SubmitAnswer::Refused,
        Verdict::NotNow | Verdict::Throttled(_) | Verdict::Misconfigured(_) => SubmitAnswer::NotNow,
        Verdict::Unclear => SubmitAnswer::None,
    }
}

/// Makes one request. A request that failed may have arrived.
async fn exchange<P: Platform>(
    platform: &P,
    request: Option<OutgoingRequest>,
    task: Task,
    sent: Sent,
    _place: Slot<'_>,
) -> Answered {
    let verdict = match request {
        Some(request) => match platform.fetch(&request).await {
            Ok(answer) => gateway::verdict(&answer),
            Err(_) => Verdict::Unclear,
        },
        None => Verdict::NotNow,
    };
    (task, sent, verdict)
}
