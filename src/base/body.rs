//! The bodies of requests, read piece by piece; and the beginning of a body that another side sends, however long it goes on.

use futures_util::{Stream, StreamExt};

/// Why the service could not read a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyError {
    /// The body is over the limit.
    TooLarge,
    /// The connection ended, or the stream failed.
    Unreadable,
    /// Other bodies take all the memory that there is for them.
    NoRoom,
}

/// A body that the service has not read yet.
#[allow(
    async_fn_in_trait,
    reason = "the runtime is single-threaded: its futures are not Send"
)]
pub trait Body {
    /// The length in bytes that the request declares, if it declares one.
    fn declared_bytes(&self) -> Option<usize>;

    /// Reads the next piece. Returns `None` at the end.
    async fn next(&mut self) -> Result<Option<Vec<u8>>, BodyError>;

    /// Reads the whole body. Fails as soon as it has more than `limit_bytes`.
    async fn read(&mut self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        if self.declared_bytes().is_some_and(|declared| declared > limit_bytes) {
            return Err(BodyError::TooLarge);
        }
        read_pieces(self, limit_bytes).await
    }

    /// Reads the whole body of a file as [`read`](Self::read) does. A file is read through as it is: nothing that is larger is made of it.
    async fn read_file(&mut self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        self.read(limit_bytes).await
    }
}

/// Reads a body piece by piece. Fails as soon as it has more than `limit_bytes`.
pub async fn read_pieces(body: &mut (impl Body + ?Sized), limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
    let mut bytes = Vec::new();
    while let Some(piece) = body.next().await? {
        bytes.extend(piece);
        if bytes.len() > limit_bytes {
            return Err(BodyError::TooLarge);
        }
    }
    Ok(bytes)
}

/// A body of either kind. All requests have this one, so that the code of the API stands once in the program.
#[derive(Debug)]
pub enum AnyBody<B> {
    /// It comes from outside.
    Incoming(B),
    /// It is there already.
    Ready(Vec<u8>),
}

impl<B: Body> Body for AnyBody<B> {
    fn declared_bytes(&self) -> Option<usize> {
        match self {
            AnyBody::Incoming(body) => body.declared_bytes(),
            AnyBody::Ready(bytes) => Some(bytes.len()),
        }
    }

    async fn next(&mut self) -> Result<Option<Vec<u8>>, BodyError> {
        match self {
            AnyBody::Incoming(body) => body.next().await,
            AnyBody::Ready(bytes) => Ok(Some(std::mem::take(bytes)).filter(|bytes| !bytes.is_empty())),
        }
    }

    async fn read(&mut self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        match self {
            AnyBody::Incoming(body) => body.read(limit_bytes).await,
            AnyBody::Ready(bytes) if bytes.len() > limit_bytes => Err(BodyError::TooLarge),
            AnyBody::Ready(bytes) => Ok(std::mem::take(bytes)),
        }
    }

    async fn read_file(&mut self, limit_bytes: usize) -> Result<Vec<u8>, BodyError> {
        match self {
            AnyBody::Incoming(body) => body.read_file(limit_bytes).await,
            AnyBody::Ready(_) => self.read(limit_bytes).await,
        }
    }
}

/// Reads at most so many bytes of a body, with wrong UTF-8 replaced. What is behind them is never asked for.
pub async fn beginning<E>(
    pieces: impl Stream<Item = Result<Vec<u8>, E>> + Unpin,
    max_bytes: usize,
) -> Result<String, E> {
    let (mut pieces, mut bytes) = (pieces, Vec::new());
    while bytes.len() < max_bytes
        && let Some(piece) = pieces.next().await
    {
        let room = max_bytes.saturating_sub(bytes.len());
        bytes.extend(piece?.into_iter().take(room));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::convert::Infallible;

    use futures_util::{FutureExt, stream};

    use super::*;

    fn read(pieces: &[&[u8]], max_bytes: usize) -> String {
        let pieces = pieces.iter().map(|piece| Ok::<_, Infallible>(piece.to_vec()));
        let Ok(text) = beginning(stream::iter(pieces), max_bytes).now_or_never().unwrap();
        text
    }

    #[test]
    fn a_body_is_read_to_its_end_or_to_the_limit() {
        assert_eq!(read(&[], 4), "");
        assert_eq!(read(&[b"ab", b"", b"c"], 4), "abc");
        assert_eq!(read(&[b"ab", b"cdef"], 4), "abcd");
        assert_eq!(read(&[b"ab"], 0), "");
    }

    #[test]
    fn what_is_no_utf_8_is_replaced_and_a_character_may_come_in_two_pieces() {
        assert_eq!(read(&[b"\xff\x00a\xc3"], 9), "\u{fffd}\0a\u{fffd}");
        assert_eq!(read(&[b"\xd8", b"\xb3"], 9), "س");
        assert_eq!(read(&["سلام".as_bytes()], 3), "س\u{fffd}", "cut within a character");
    }

    #[test]
    fn a_body_without_end_is_read_no_further_than_the_limit() {
        let asked = Cell::new(0);
        let endless = stream::iter(std::iter::repeat_with(|| {
            asked.set(asked.get() + 1);
            Ok::<_, Infallible>(vec![b'x'; 10])
        }));
        let text = beginning(endless, 25).now_or_never().unwrap();
        assert_eq!((text, asked.get()), (Ok("x".repeat(25)), 3));
    }

    #[test]
    fn a_body_that_stops_has_no_beginning_and_one_that_breaks_fails() {
        let first = || stream::iter([Ok::<_, &str>(b"ab".to_vec())]);
        assert_eq!(beginning(first().chain(stream::pending()), 9).now_or_never(), None);
        assert_eq!(
            beginning(first().chain(stream::pending()), 2).now_or_never(),
            Some(Ok("ab".to_owned())),
            "it has all that is wanted"
        );
        let broken = first().chain(stream::iter([Err("lost")]));
        assert_eq!(beginning(broken, 9).now_or_never(), Some(Err("lost")));
    }
}
