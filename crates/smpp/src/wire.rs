//! Runs a [`Session`] over a stream.
//!
//! Reading and writing go on at the same time, so that two peers that both have much to say never wait for each other. What is
//! to be sent leaves in few writes. What the stream was offered once may have left, whatever became of the write: so it is
//! offered a little at a time, and the rest stays with the session, which knows that it has not left.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::session::{Event, Session};

/// Octets that are read in one go.
const READ_BYTES: usize = 32 * 1024;
/// How often a turn reads.
const READS_A_TURN: u32 = 16;
/// Octets of one write, or one PDU more. What comes meanwhile leaves with the next one.
const WRITE_BYTES: usize = 4 * 1024;

/// A stream and what is on its way through it.
#[derive(Debug)]
pub struct Wire<S> {
    stream: S,
    input: Box<[u8]>,
    /// What is being sent, and how much of it has left.
    sending: Vec<u8>,
    sent: usize,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Wire<S> {
    /// A wire over a stream.
    pub fn over(stream: S) -> Self {
        Wire {
            stream,
            input: vec![0; READ_BYTES].into_boxed_slice(),
            sending: Vec::new(),
            sent: 0,
        }
    }

    /// Sends and receives until there are events, or `until` is over. `now_ms` is asked when something was received.
    pub async fn turn(
        &mut self,
        session: &mut Session,
        now_ms: impl Fn() -> i64,
        until: impl Future<Output = ()>,
    ) -> Vec<Event> {
        let mut events = Vec::new();
        let mut until = pin!(until);
        poll_fn(|context| {
            // What is known to be lost is sent nothing more, and what was received may have to be answered.
            let received = self.receive(context, session, &now_ms, &mut events);
            if received.is_err() || (!session.is_closed() && self.send(context, session).is_err()) {
                session.lose(&mut events);
            }
            let over = until.as_mut().poll(context);
            if !events.is_empty() || session.is_closed() {
                return Poll::Ready(());
            }
            over
        })
        .await;
        events
    }

    /// Sends what a session has left to say after its end, as far as it goes before `until`, and closes the stream.
    pub async fn close(mut self, session: &mut Session, until: impl Future<Output = ()>) {
        let mut until = pin!(until);
        poll_fn(|context| {
            let sent = self.send(context, session);
            let is_sent = sent.is_err() || (self.sending.is_empty() && !session.has_output());
            let is_shut = is_sent && Pin::new(&mut self.stream).poll_shutdown(context).is_ready();
            if is_shut {
                return Poll::Ready(());
            }
            until.as_mut().poll(context)
        })
        .await;
    }

    fn send(&mut self, context: &mut Context<'_>, session: &mut Session) -> std::io::Result<()> {
        loop {
            if self.sent >= self.sending.len() {
                self.sending = session.take_output(WRITE_BYTES);
                self.sent = 0;
                if self.sending.is_empty() {
                    return match Pin::new(&mut self.stream).poll_flush(context) {
                        Poll::Ready(flushed) => flushed,
                        Poll::Pending => Ok(()),
                    };
                }
            }
            let piece = self.sending.get(self.sent..).unwrap_or_default();
            match Pin::new(&mut self.stream).poll_write(context, piece) {
                Poll::Ready(Ok(0)) => return Err(std::io::ErrorKind::WriteZero.into()),
                Poll::Ready(Ok(count)) => self.sent += count,
                Poll::Ready(Err(error)) => return Err(error),
                Poll::Pending => return Ok(()),
            }
        }
    }

    fn receive(
        &mut self,
        context: &mut Context<'_>,
        session: &mut Session,
        now_ms: &impl Fn() -> i64,
        events: &mut Vec<Event>,
    ) -> std::io::Result<()> {
        for _ in 0..READS_A_TURN {
            if session.is_closed() {
                return Ok(());
            }
            let mut buffer = ReadBuf::new(&mut self.input);
            match Pin::new(&mut self.stream).poll_read(context, &mut buffer) {
                Poll::Ready(Ok(())) if buffer.filled().is_empty() => {
                    return Err(std::io::ErrorKind::UnexpectedEof.into());
                }
                Poll::Ready(Ok(())) => session.receive(now_ms(), buffer.filled(), events),
                Poll::Ready(Err(error)) => return Err(error),
                Poll::Pending => return Ok(()),
            }
        }
        // There may be more: a peer that never stops must not keep the turn from its end.
        context.waker().wake_by_ref();
        Ok(())
    }
}
