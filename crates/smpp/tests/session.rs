//! A bind against a scripted peer: what the protocol promises, and each fault of a peer.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::cell::Cell;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::future::join;
use smpp::pdu::{self, Address, Bind, Deliver, Header, Submit, command};
use smpp::session::{
    BIND_TIMEOUT_MS, ENQUIRE_AFTER_MS, ENQUIRE_TIMEOUT_MS, Event, RESPONSE_TIMEOUT_MS, Reason, Session,
    UNBIND_TIMEOUT_MS,
};
use smpp::{encode::sender, frame::Frames, status, wire::Wire};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// A session whose other side is the test.
struct Line {
    session: Session,
    now_ms: i64,
    source: Address,
}

impl Line {
    fn opened() -> Line {
        let bind = Bind {
            system_id: "shop".to_owned(),
            password: "secret".to_owned(),
            system_type: String::new(),
        };
        Line {
            session: Session::begin(1_000, &bind),
            now_ms: 1_000,
            source: sender("10001", None, None),
        }
    }

    fn bound() -> Line {
        let mut line = Line::opened();
        assert_eq!(line.sent(), [(command::BIND_TRANSCEIVER, 0, 1)]);
        let wanted = [Event::Bound];
        assert_eq!(line.reply(command::BIND_TRANSCEIVER_RESP, 0, 1, Some("smsc")), wanted);
        assert!(line.session.is_bound());
        line
    }

    /// What the session has sent: commands, statuses and sequences.
    fn sent(&mut self) -> Vec<(u32, u32, u32)> {
        let mut frames = Frames::default();
        frames.push(&self.session.take_output(usize::MAX));
        let mut sent = Vec::new();
        while let Some(frame) = frames.take().unwrap() {
            let Header {
                command,
                status,
                sequence,
            } = frame.header;
            sent.push((command, status, sequence));
        }
        sent
    }

    fn receive(&mut self, octets: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        self.session.receive(self.now_ms, octets, &mut events);
        events
    }

    fn reply(&mut self, command: u32, status: u32, sequence: u32, id: Option<&str>) -> Vec<Event> {
        let mut octets = Vec::new();
        pdu::write_plain(&mut octets, command, status, sequence, id);
        self.receive(&octets)
    }

    fn submit(&mut self) -> u32 {
        let submit = Submit {
            source: &self.source,
            destination: "989121234567",
            esm_class: 0,
            validity: "",
            data_coding: 0,
            short_message: b"hello",
            tlvs: &[],
        };
        self.session.submit(self.now_ms, &submit)
    }

    fn advance(&mut self, ms: i64) -> Vec<Event> {
        let mut events = Vec::new();
        self.now_ms += ms;
        self.session.tick(self.now_ms, &mut events);
        events
    }
}

fn taken(sequence: u32, id: &str) -> Event {
    Event::Answered {
        sequence,
        status: 0,
        id: id.to_owned(),
        is_late: false,
    }
}

#[test]
fn a_refused_bind_ends_the_session_with_its_status() {
    for refusal in [0x0D, 0x0E, 0x0F, 0x05] {
        let mut line = Line::opened();
        let events = line.reply(command::BIND_TRANSCEIVER_RESP, refusal, 1, None);
        assert_eq!(events, [Event::Closed(Reason::Refused(refusal))]);
        assert!(line.session.is_closed());
    }
    assert!(status::is_wrong_login(0x0E) && status::is_wrong_login(0x0F) && !status::is_wrong_login(0x0D));
}

#[test]
fn a_peer_that_does_not_understand_a_bind_refuses_it() {
    let mut line = Line::opened();
    let wanted = [Event::Closed(Reason::Refused(3))];
    assert_eq!(line.reply(command::GENERIC_NACK, 3, 1, None), wanted);
}

#[test]
fn a_bind_without_an_answer_ends_in_time() {
    let mut line = Line::opened();
    assert_eq!(line.advance(BIND_TIMEOUT_MS - 1), []);
    assert_eq!(line.session.due_ms(), line.now_ms + 1);
    assert_eq!(line.advance(1), [Event::Closed(Reason::NoBind)]);
}

#[test]
fn responses_may_come_in_any_order() {
    let mut line = Line::bound();
    let sequences = [line.submit(), line.submit(), line.submit()];
    assert_eq!(line.sent().len(), 3);
    for (left, sequence) in [(2, sequences[2]), (1, sequences[0]), (0, sequences[1])] {
        let wanted = [taken(sequence, "id")];
        assert_eq!(line.reply(command::SUBMIT_SM_RESP, 0, sequence, Some("id")), wanted);
        assert_eq!(line.session.outstanding(), left);
    }
}

#[test]
fn what_nobody_took_out_has_not_left_and_never_does() {
    let mut line = Line::bound();
    let left = line.submit();
    assert_eq!(line.sent(), [(command::SUBMIT_SM, 0, left)]);
    let stays = line.submit();
    line.session.confirm(7, 0);
    let later = [line.advance(RESPONSE_TIMEOUT_MS - 1), line.advance(1)].concat();
    assert_eq!(
        later,
        [Event::Unanswered { sequence: left }, Event::Stayed { sequence: stays }]
    );
    assert_eq!(line.sent(), [(command::DELIVER_SM_RESP, 0, 7)]);
    let (left, cut) = (line.submit(), [line.submit(), line.submit()]);
    assert!(!line.session.take_output(1).is_empty());
    assert_eq!(line.session.take_back(), cut.into());
    assert_eq!((line.sent(), line.session.outstanding()), (vec![], 1));
    assert!(left < cut[0]);
}

#[test]
fn a_lost_response_is_given_up_in_time_and_one_that_is_late_is_told_as_such() {
    let mut line = Line::bound();
    let sequence = line.submit();
    line.sent();
    assert_eq!(line.advance(RESPONSE_TIMEOUT_MS - 1), []);
    let other = line.submit();
    line.sent();
    assert_eq!(line.advance(1), [Event::Unanswered { sequence }]);
    assert_eq!(line.session.outstanding(), 1);
    let late = Event::Answered {
        sequence,
        status: 0,
        id: "7".to_owned(),
        is_late: true,
    };
    assert_eq!(line.reply(command::SUBMIT_SM_RESP, 0, sequence, Some("7")), [late]);
    let wanted = [taken(other, "8")];
    assert_eq!(line.reply(command::SUBMIT_SM_RESP, 0, other, Some("8")), wanted);
}

#[test]
fn a_refusal_without_a_body_and_a_nack_are_answers() {
    let mut line = Line::bound();
    let (one, two) = (line.submit(), line.submit());
    let answered = |sequence, status| Event::Answered {
        sequence,
        status,
        id: String::new(),
        is_late: false,
    };
    let throttled = status::THROTTLED;
    let wanted = [answered(one, throttled)];
    assert_eq!(line.reply(command::SUBMIT_SM_RESP, throttled, one, None), wanted);
    assert_eq!(line.reply(command::GENERIC_NACK, 2, two, None), [answered(two, 2)]);
}

#[test]
fn an_unknown_command_is_refused_and_the_session_goes_on() {
    let mut line = Line::bound();
    assert_eq!(line.reply(0x0000_0021, 0, 77, Some("x")), []);
    assert_eq!(line.sent(), [(command::GENERIC_NACK, status::UNKNOWN_COMMAND, 77)]);
    assert_eq!(line.reply(0x8000_0021, 0, 78, None), []);
    assert_eq!(line.sent(), []);
    let sequence = line.submit();
    let wanted = [taken(sequence, "1")];
    assert_eq!(line.reply(command::SUBMIT_SM_RESP, 0, sequence, Some("1")), wanted);
}

#[test]
fn a_data_sm_that_can_t_be_read_is_refused_in_its_own_form() {
    let mut line = Line::bound();
    assert_eq!(line.reply(command::DATA_SM, 0, 77, Some("x")), [Event::Garbled]);
    assert_eq!(line.sent(), [(command::DATA_SM_RESP, status::BAD_LENGTH, 77)]);
}

#[test]
fn garbage_ends_the_session() {
    for garbage in [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0; 16], &[0xFF; 4], &[0, 1, 0, 1]] {
        let mut line = Line::bound();
        line.submit();
        line.sent();
        assert_eq!(line.receive(garbage), [Event::Closed(Reason::Garbage)]);
        assert_eq!(line.sent(), [(command::GENERIC_NACK, status::BAD_LENGTH, 0)]);
        let found = line.reply(command::SUBMIT_SM_RESP, 0, 2, Some("1"));
        assert_eq!(found, [], "nothing behind it counts");
    }
}

#[test]
fn a_peer_that_understood_nothing_ends_the_session() {
    let mut line = Line::bound();
    line.submit();
    let wanted = [Event::Closed(Reason::Garbage)];
    assert_eq!(line.reply(command::GENERIC_NACK, 2, 0, None), wanted);
}

#[test]
fn a_silent_peer_is_asked_and_then_given_up() {
    let mut line = Line::bound();
    assert_eq!(line.advance(ENQUIRE_AFTER_MS - 1), []);
    assert_eq!(line.sent(), []);
    assert_eq!(line.advance(1), []);
    let (command, _, sequence) = line.sent()[0];
    assert_eq!(command, command::ENQUIRE_LINK);
    assert_eq!(line.advance(ENQUIRE_TIMEOUT_MS - 1), []);
    assert_eq!(line.reply(command::ENQUIRE_LINK_RESP, 0, sequence, None), []);
    assert_eq!(line.advance(ENQUIRE_AFTER_MS), []);
    assert_eq!(line.sent().len(), 1, "and again after the next silence");
    assert_eq!(line.advance(ENQUIRE_TIMEOUT_MS), [Event::Closed(Reason::Silent)]);
}

#[test]
fn an_enquiry_of_the_peer_is_answered() {
    let mut line = Line::bound();
    assert_eq!(line.reply(command::ENQUIRE_LINK, 0, 42, None), []);
    assert_eq!(line.sent(), [(command::ENQUIRE_LINK_RESP, 0, 42)]);
}

#[test]
fn we_unbind_when_all_is_answered() {
    let mut line = Line::bound();
    let sequence = line.submit();
    line.sent();
    line.session.unbind(line.now_ms);
    assert_eq!(line.advance(10), []);
    assert_eq!(line.sent(), [], "one message waits for its response");
    let wanted = [taken(sequence, "1")];
    assert_eq!(line.reply(command::SUBMIT_SM_RESP, 0, sequence, Some("1")), wanted);
    assert!(line.session.due_ms() <= line.now_ms);
    assert_eq!(line.advance(0), []);
    let (command, _, unbind) = line.sent()[0];
    assert_eq!(command, command::UNBIND);
    let wanted = [Event::Closed(Reason::Unbound)];
    assert_eq!(line.reply(command::UNBIND_RESP, 0, unbind, None), wanted);
}

#[test]
fn we_end_without_an_answer_to_unbind_in_time() {
    let mut line = Line::bound();
    line.session.unbind(line.now_ms);
    assert_eq!(line.advance(0), []);
    assert_eq!(line.advance(UNBIND_TIMEOUT_MS), [Event::Closed(Reason::Unbound)]);
}

#[test]
fn a_peer_that_unbinds_may_answer_first_and_is_answered() {
    let mut line = Line::bound();
    let sequence = line.submit();
    line.sent();
    assert_eq!(line.reply(command::UNBIND, 0, 9, None), []);
    assert!(!line.session.is_bound(), "nothing more is sent to it");
    assert_eq!(line.advance(100), []);
    let found = line.reply(command::SUBMIT_SM_RESP, 0, sequence, Some("1"));
    assert_eq!(found, [taken(sequence, "1")]);
    assert_eq!(line.advance(0), [Event::Closed(Reason::PeerUnbound)]);
    assert_eq!(line.sent(), [(command::UNBIND_RESP, 0, 9)]);
}

#[test]
fn a_peer_that_unbinds_does_not_wait_for_ever() {
    let mut line = Line::bound();
    line.submit();
    line.reply(command::UNBIND, 0, 9, None);
    assert_eq!(line.advance(2_000), [Event::Closed(Reason::PeerUnbound)]);
}

#[test]
fn a_delivery_is_answered_only_when_its_owner_says_so() {
    let mut line = Line::bound();
    let deliver = Deliver {
        esm_class: 4,
        short_message: b"id:1 stat:DELIVRD".to_vec(),
        ..Deliver::default()
    };
    let mut octets = Vec::new();
    deliver.write(&mut octets, 5);
    let events = line.receive(&octets);
    let wanted = [Event::Delivered {
        sequence: 5,
        deliver: Box::new(deliver),
    }];
    assert_eq!(events, wanted);
    assert_eq!(line.sent(), []);
    line.session.confirm(5, 0);
    assert_eq!(line.sent(), [(command::DELIVER_SM_RESP, 0, 5)]);
}

#[test]
fn a_delivery_that_ends_too_early_is_refused() {
    let mut line = Line::bound();
    assert_eq!(line.reply(command::DELIVER_SM, 0, 6, Some("x")), [Event::Garbled]);
    assert_eq!(line.sent(), [(command::DELIVER_SM_RESP, status::BAD_LENGTH, 6)]);
}

#[test]
fn after_its_end_a_session_says_nothing() {
    let mut line = Line::bound();
    let mut events = Vec::new();
    line.session.lose(&mut events);
    line.session.lose(&mut events);
    assert_eq!(events, [Event::Closed(Reason::Lost)]);
    line.session.confirm(1, 0);
    assert_eq!(line.advance(ENQUIRE_AFTER_MS * 2), []);
    assert_eq!(line.sent(), []);
}

/// Whether somebody has woken the work since it was last looked at.
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs something to its end. Panics if it waits for what never comes, so that no test hangs.
fn to_end<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    let woken = Arc::new(Woken(AtomicBool::new(true)));
    let waker = Waker::from(Arc::clone(&woken));
    while woken.0.swap(false, Ordering::Relaxed) {
        if let Poll::Ready(done) = work.as_mut().poll(&mut Context::from_waker(&waker)) {
            return done;
        }
    }
    panic!("it waits for what never comes")
}

/// A peer that takes a bind and then so many messages, over a pipe of this many octets.
fn exchange(octets: usize, count: u32, closes_after: Option<u32>) -> Vec<Event> {
    let (ours, mut theirs) = tokio::io::duplex(octets);
    let mut line = Line::opened();
    let now_ms = Cell::new(line.now_ms);
    let us = async {
        let mut wire = Wire::over(ours);
        let mut all = Vec::new();
        while !line.session.is_closed() {
            let events = wire
                .turn(&mut line.session, || now_ms.get(), std::future::pending())
                .await;
            for event in events {
                if event == Event::Bound {
                    for _ in 0..count {
                        line.submit();
                    }
                }
                all.push(event);
            }
            if all
                .iter()
                .filter(|event| matches!(event, Event::Answered { .. }))
                .count()
                == count as usize
            {
                line.session.unbind(now_ms.get());
                line.session.tick(now_ms.get(), &mut all);
            }
        }
        wire.close(&mut line.session, std::future::pending()).await;
        all
    };
    let peer = async move {
        let mut frames = Frames::default();
        let mut submits = 0;
        let mut buffer = [0; 64];
        loop {
            let Ok(read @ 1..) = theirs.read(&mut buffer).await else {
                return;
            };
            frames.push(&buffer[..read]);
            let mut out = Vec::new();
            while let Some(frame) = frames.take().unwrap() {
                let sequence = frame.header.sequence;
                match frame.header.command {
                    command::SUBMIT_SM if closes_after == Some(submits) => return,
                    command::SUBMIT_SM => {
                        submits += 1;
                        pdu::write_plain(&mut out, command::SUBMIT_SM_RESP, 0, sequence, Some("id"));
                    }
                    other => pdu::write_plain(&mut out, other | 0x8000_0000, 0, sequence, Some("smsc")),
                }
            }
            theirs.write_all(&out).await.unwrap();
        }
    };
    to_end(join(us, peer)).0
}

#[test]
fn a_session_runs_over_a_pipe_that_takes_one_octet_at_a_time() {
    for octets in [1, 2, 7, 16, 1_000, 100_000] {
        let events = exchange(octets, 50, None);
        assert_eq!(events.len(), 52, "{octets}");
        assert_eq!(events[0], Event::Bound);
        assert_eq!(events[51], Event::Closed(Reason::Unbound));
    }
}

#[test]
fn a_peer_that_closes_in_the_middle_of_a_window_leaves_the_rest_unanswered() {
    let events = exchange(10_000, 50, Some(20));
    let answered = events.iter();
    let answered = answered.filter(|event| matches!(event, Event::Answered { .. })).count();
    assert_eq!(answered, 20);
    assert_eq!(events.last(), Some(&Event::Closed(Reason::Lost)));
}
