//! The bodies of requests, read piece by piece.

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
