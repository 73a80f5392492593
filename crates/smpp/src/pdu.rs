//! PDUs of SMPP 3.4: those that a client of an SMSC sends, and those that it understands.
//!
//! Reading is tolerant: texts may have any octets (they are read as Latin-1) and any length, and what is missing at the end
//! of a response is empty.

use serde::{Deserialize, Serialize};

/// Octets of the header of a PDU.
pub const HEADER_BYTES: usize = 16;
/// The bit that tells a response from a request.
pub const RESPONSE: u32 = 0x8000_0000;
/// The interface version 3.4.
pub const VERSION_3_4: u8 = 0x34;

/// The ids of commands.
pub mod command {
    /// What a peer answers to what it does not understand.
    pub const GENERIC_NACK: u32 = 0x8000_0000;
    /// A message to be sent.
    pub const SUBMIT_SM: u32 = 0x0000_0004;
    /// Its response.
    pub const SUBMIT_SM_RESP: u32 = 0x8000_0004;
    /// A message or a receipt for us.
    pub const DELIVER_SM: u32 = 0x0000_0005;
    /// Its response.
    pub const DELIVER_SM_RESP: u32 = 0x8000_0005;
    /// A message or a receipt for us, whose text stands in a TLV.
    pub const DATA_SM: u32 = 0x0000_0103;
    /// Its response.
    pub const DATA_SM_RESP: u32 = 0x8000_0103;
    /// The end of a session.
    pub const UNBIND: u32 = 0x0000_0006;
    /// Its response.
    pub const UNBIND_RESP: u32 = 0x8000_0006;
    /// The begin of a session that sends and receives.
    pub const BIND_TRANSCEIVER: u32 = 0x0000_0009;
    /// Its response.
    pub const BIND_TRANSCEIVER_RESP: u32 = 0x8000_0009;
    /// An SMSC asks us to bind. It wants no response.
    pub const OUTBIND: u32 = 0x0000_000B;
    /// Asks whether the peer is alive.
    pub const ENQUIRE_LINK: u32 = 0x0000_0015;
    /// Its response.
    pub const ENQUIRE_LINK_RESP: u32 = 0x8000_0015;
    /// A subscriber can be reached again. It wants no response.
    pub const ALERT_NOTIFICATION: u32 = 0x0000_0102;
}

/// The tags of optional parameters (TLVs).
pub mod tag {
    /// The carrier's id of the message that a receipt is about.
    pub const RECEIPTED_MESSAGE_ID: u16 = 0x001E;
    /// The number of a long message that its parts share.
    pub const SAR_MSG_REF_NUM: u16 = 0x020C;
    /// How many parts the long message has.
    pub const SAR_TOTAL_SEGMENTS: u16 = 0x020E;
    /// Which part this is, from 1.
    pub const SAR_SEGMENT_SEQNUM: u16 = 0x020F;
    /// The error of the network.
    pub const NETWORK_ERROR_CODE: u16 = 0x0423;
    /// The text, in place of `short_message`.
    pub const MESSAGE_PAYLOAD: u16 = 0x0424;
    /// What became of the message that a receipt is about.
    pub const MESSAGE_STATE: u16 = 0x0427;
}

/// The header of a PDU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// What kind of PDU it is.
    pub command: u32,
    /// In a response: 0, or why the request failed.
    pub status: u32,
    /// Its number; a response has that of its request.
    pub sequence: u32,
}

/// Reads the header of a whole PDU, and gives the rest.
pub fn read_header(bytes: &[u8]) -> Option<(Header, &[u8])> {
    let (_, rest) = bytes.split_first_chunk::<4>()?;
    let (command, rest) = rest.split_first_chunk()?;
    let (status, rest) = rest.split_first_chunk()?;
    let (sequence, body) = rest.split_first_chunk()?;
    let header = Header {
        command: u32::from_be_bytes(*command),
        status: u32::from_be_bytes(*status),
        sequence: u32::from_be_bytes(*sequence),
    };
    Some((header, body))
}

/// An address: of a sender or of a recipient.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Address {
    /// The type of number.
    pub ton: u8,
    /// The numbering plan.
    pub npi: u8,
    /// Its digits, or its letters.
    pub number: String,
}

/// An optional parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tlv {
    /// What it tells.
    pub tag: u16,
    /// Its value.
    pub value: Vec<u8>,
}

/// What `bind_transceiver` says about us.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bind {
    /// Who we are.
    pub system_id: String,
    /// How we prove it.
    pub password: String,
    /// What kind of system we are; most carriers want it empty.
    pub system_type: String,
}

/// What `submit_sm` says about one part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submit<'a> {
    /// The sender.
    pub source: &'a Address,
    /// The recipient: an international number, its digits only.
    pub destination: &'a str,
    /// What `short_message` holds: 0x40 says that it begins with a header.
    pub esm_class: u8,
    /// How long the message is worth sending; empty: as the carrier decides.
    pub validity: &'a str,
    /// How the text is encoded.
    pub data_coding: u8,
    /// The text. It stands in a TLV if it is empty here.
    pub short_message: &'a [u8],
    /// What else is said.
    pub tlvs: &'a [Tlv],
}

/// A `deliver_sm` or a `data_sm`: a receipt or a message for us.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Deliver {
    /// Who sent the message. For a receipt: whom our message was to.
    pub source: Address,
    /// Whom it is to.
    pub destination: Address,
    /// What the PDU is.
    pub esm_class: u8,
    /// How the text is encoded.
    pub data_coding: u8,
    /// The text.
    pub short_message: Vec<u8>,
    /// What else is said.
    pub tlvs: Vec<Tlv>,
}

impl Deliver {
    /// The value of an optional parameter.
    pub fn tlv(&self, tag: u16) -> Option<&[u8]> {
        let found = self.tlvs.iter().find(|tlv| tlv.tag == tag);
        found.map(|tlv| tlv.value.as_slice())
    }

    /// The text, wherever it stands.
    pub fn payload(&self) -> &[u8] {
        if self.short_message.is_empty() {
            self.tlv(tag::MESSAGE_PAYLOAD).unwrap_or_default()
        } else {
            &self.short_message
        }
    }

    /// Reads the body of a `deliver_sm`. `None`: it ends before its text does.
    pub fn read(body: &[u8]) -> Option<Deliver> {
        let mut reader = Reader(body);
        let _service_type = reader.text();
        let source = reader.address()?;
        let destination = reader.address()?;
        let esm_class = reader.octet()?;
        let (_protocol, _priority) = (reader.octet()?, reader.octet()?);
        let (_schedule, _validity) = (reader.text(), reader.text());
        let (_registered, _replace) = (reader.octet()?, reader.octet()?);
        let data_coding = reader.octet()?;
        let _default_message = reader.octet()?;
        let length = reader.octet()?;
        let short_message = reader.take(length.into())?.to_vec();
        Some(Deliver {
            source,
            destination,
            esm_class,
            data_coding,
            short_message,
            tlvs: reader.tlvs(),
        })
    }

    /// Reads the body of a `data_sm`. `None`: it ends before its optional parameters begin.
    pub fn read_data(body: &[u8]) -> Option<Deliver> {
        let mut reader = Reader(body);
        let _service_type = reader.text();
        let (source, destination) = (reader.address()?, reader.address()?);
        let (esm_class, _registered) = (reader.octet()?, reader.octet()?);
        Some(Deliver {
            source,
            destination,
            esm_class,
            data_coding: reader.octet()?,
            short_message: Vec::new(),
            tlvs: reader.tlvs(),
        })
    }

    /// Writes a `deliver_sm`, as an SMSC does.
    pub fn write(&self, out: &mut Vec<u8>, sequence: u32) {
        write(out, command::DELIVER_SM, 0, sequence, |out| {
            text(out, "");
            address(out, &self.source);
            address(out, &self.destination);
            out.extend([self.esm_class, 0, 0]);
            text(out, "");
            text(out, "");
            out.extend([0, 0, self.data_coding, 0]);
            message(out, &self.short_message);
            tlvs(out, &self.tlvs);
        });
    }
}

/// Writes a `data_sm`, as an SMSC does. Only [`Deliver::tlvs`] may have a text.
pub fn write_data(out: &mut Vec<u8>, sequence: u32, deliver: &Deliver) {
    write(out, command::DATA_SM, 0, sequence, |out| {
        text(out, "");
        address(out, &deliver.source);
        address(out, &deliver.destination);
        out.extend([deliver.esm_class, 0, deliver.data_coding]);
        tlvs(out, &deliver.tlvs);
    });
}

/// Reads the id of a `submit_sm_resp`, or the name of a `bind_transceiver_resp`: the text that the body begins with.
pub fn read_id(body: &[u8]) -> String {
    Reader(body).text()
}

/// Writes a PDU whose body is at most one text: most responses are, and `enquire_link` and `unbind`.
pub fn write_plain(out: &mut Vec<u8>, command: u32, status: u32, sequence: u32, id: Option<&str>) {
    write(out, command, status, sequence, |out| {
        if let Some(id) = id {
            text(out, id);
        }
    });
}

/// Writes a `bind_transceiver`.
pub fn write_bind(out: &mut Vec<u8>, sequence: u32, bind: &Bind) {
    write(out, command::BIND_TRANSCEIVER, 0, sequence, |out| {
        text(out, &bind.system_id);
        text(out, &bind.password);
        text(out, &bind.system_type);
        out.extend([VERSION_3_4, 0, 0]);
        text(out, "");
    });
}

/// Writes a `submit_sm` that asks for a receipt of each ending.
pub fn write_submit(out: &mut Vec<u8>, sequence: u32, submit: &Submit<'_>) {
    write(out, command::SUBMIT_SM, 0, sequence, |out| {
        text(out, "");
        address(out, submit.source);
        out.extend([1, 1]);
        text(out, submit.destination);
        out.extend([submit.esm_class, 0, 0]);
        text(out, "");
        text(out, submit.validity);
        out.extend([1, 0, submit.data_coding, 0]);
        message(out, submit.short_message);
        tlvs(out, submit.tlvs);
    });
}

fn write(out: &mut Vec<u8>, command: u32, status: u32, sequence: u32, body: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    for number in [command, status, sequence] {
        out.extend_from_slice(&number.to_be_bytes());
    }
    body(out);
    let length = u32::try_from(out.len() - start).unwrap_or(u32::MAX);
    if let Some(octets) = out.get_mut(start..).and_then(<[u8]>::first_chunk_mut) {
        *octets = length.to_be_bytes();
    }
}

/// A text ends with a zero; what is no Latin-1 or would end it early is left out.
fn text(out: &mut Vec<u8>, text: &str) {
    let octets = text.chars().filter_map(|character| u8::try_from(character).ok());
    out.extend(octets.filter(|octet| *octet != 0));
    out.push(0);
}

fn address(out: &mut Vec<u8>, address: &Address) {
    out.extend([address.ton, address.npi]);
    text(out, &address.number);
}

/// A `short_message` has at most 255 octets; the parts that [`crate::encode`] makes have at most 160.
fn message(out: &mut Vec<u8>, octets: &[u8]) {
    let octets = octets.get(..255).unwrap_or(octets);
    out.push(u8::try_from(octets.len()).unwrap_or(u8::MAX));
    out.extend_from_slice(octets);
}

fn tlvs(out: &mut Vec<u8>, tlvs: &[Tlv]) {
    for tlv in tlvs {
        let Ok(length) = u16::try_from(tlv.value.len()) else {
            continue;
        };
        out.extend_from_slice(&tlv.tag.to_be_bytes());
        out.extend_from_slice(&length.to_be_bytes());
        out.extend_from_slice(&tlv.value);
    }
}

/// Reads the members of a body one after another.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn octet(&mut self) -> Option<u8> {
        let (octet, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*octet)
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u16> {
        let (octets, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u16::from_be_bytes(*octets))
    }

    /// A text up to its zero, or up to the end.
    fn text(&mut self) -> String {
        let mut halves = self.0.splitn(2, |octet| *octet == 0);
        let text = halves.next().unwrap_or_default();
        self.0 = halves.next().unwrap_or_default();
        text.iter().map(|octet| char::from(*octet)).collect()
    }

    fn address(&mut self) -> Option<Address> {
        Some(Address {
            ton: self.octet()?,
            npi: self.octet()?,
            number: self.text(),
        })
    }

    /// The optional parameters. One that is longer than the PDU is taken as far as it goes.
    fn tlvs(&mut self) -> Vec<Tlv> {
        let mut tlvs = Vec::new();
        while let Some((tag, length)) = self.number().zip(self.number()) {
            let rest = self.0;
            let value = self.take(length.into()).unwrap_or(rest).to_vec();
            let is_cut = value.len() < usize::from(length);
            tlvs.push(Tlv { tag, value });
            if is_cut {
                break;
            }
        }
        tlvs
    }
}
