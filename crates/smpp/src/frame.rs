//! Cuts a stream of octets into PDUs, wherever the pieces of the stream begin and end.
//!
//! The length that a PDU says it has is checked as soon as its four octets are there. So no peer can make its reader keep
//! more than one PDU of the allowed length.

use super::pdu::{HEADER_BYTES, Header, read_header};

/// Octets of a PDU at most.
pub const MAX_PDU_BYTES: usize = 64 * 1024;

/// A PDU says that it is shorter than its header, or longer than allowed. Nothing behind it can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadLength(pub u32);

/// A PDU as it was received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Its header.
    pub header: Header,
    /// What follows the header.
    pub body: &'a [u8],
}

/// Octets that were received and not read yet.
#[derive(Debug, Default)]
pub struct Frames {
    buffer: Vec<u8>,
    /// How many octets of the buffer are read.
    read: usize,
}

impl Frames {
    /// Adds octets.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.read > 0 {
            self.buffer.drain(..self.read);
            self.read = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next PDU, if all of it is there.
    ///
    /// # Errors
    /// The PDU can't have the length that it names.
    pub fn take(&mut self) -> Result<Option<Frame<'_>>, BadLength> {
        let rest = self.buffer.get(self.read..).unwrap_or_default();
        let Some(length) = rest.first_chunk().map(|octets| u32::from_be_bytes(*octets)) else {
            return Ok(None);
        };
        let bytes = usize::try_from(length).unwrap_or(usize::MAX);
        if !(HEADER_BYTES..=MAX_PDU_BYTES).contains(&bytes) {
            return Err(BadLength(length));
        }
        let Some((header, body)) = rest.get(..bytes).and_then(read_header) else {
            return Ok(None);
        };
        self.read += bytes;
        Ok(Some(Frame { header, body }))
    }
}
