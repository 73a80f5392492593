//! The codec of SMPP: whatever the pieces of a stream, its PDUs are the same; no octets cause a panic; the parts of any text
//! give the text again.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeMap;

use proptest::prelude::*;
use smpp::alphabet::{Alphabet, DefaultAlphabet};
use smpp::encode::{DefaultCoding, LongMessages, Part, parts, sender, validity};
use smpp::frame::{BadLength, Frames, MAX_PDU_BYTES};
use smpp::inbound::{self, Concatenation};
use smpp::pdu::{self, Address, Bind, Deliver, Submit, Tlv, command};
use smpp::{receipt::Receipt, session::Session};
use sms::text::{Encoding, normalise, segment};

/// The PDUs of a stream that comes in these pieces: their commands, sequences and bodies.
fn cut<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Result<Vec<(u32, u32, Vec<u8>)>, BadLength> {
    let mut frames = Frames::default();
    let mut pdus = Vec::new();
    for piece in pieces {
        frames.push(piece);
        while let Some(frame) = frames.take()? {
            pdus.push((frame.header.command, frame.header.sequence, frame.body.to_vec()));
        }
    }
    Ok(pdus)
}

fn pdus() -> impl Strategy<Value = Vec<(u32, Vec<u8>)>> {
    prop::collection::vec((any::<u32>(), prop::collection::vec(any::<u8>(), 0..60)), 0..12)
}

fn stream(pdus: &[(u32, Vec<u8>)]) -> Vec<u8> {
    let mut stream = Vec::new();
    for (sequence, body) in pdus {
        stream.extend((16 + body.len() as u32).to_be_bytes());
        stream.extend(command::DELIVER_SM.to_be_bytes());
        stream.extend([0; 4]);
        stream.extend(sequence.to_be_bytes());
        stream.extend(body);
    }
    stream
}

#[test]
fn a_stream_cut_at_every_octet_gives_the_same_pdus() {
    let stream = stream(&[(1, b"abc".to_vec()), (2, Vec::new()), (3, vec![0; 300])]);
    let whole = cut(std::iter::once(stream.as_slice())).unwrap();
    assert_eq!(whole.len(), 3);
    for at in 0..=stream.len() {
        let (one, two) = stream.split_at(at);
        assert_eq!(cut([one, two].into_iter()).unwrap(), whole, "{at}");
    }
    assert_eq!(cut(stream.chunks(1)).unwrap(), whole);
}

#[test]
fn a_length_is_refused_as_soon_as_it_is_there() {
    for length in [0, 1, 15, MAX_PDU_BYTES as u32 + 1, u32::MAX, 0x4745_5420] {
        assert_eq!(cut(std::iter::once(&length.to_be_bytes()[..])), Err(BadLength(length)));
    }
    let longest = (MAX_PDU_BYTES as u32).to_be_bytes();
    assert_eq!(cut(std::iter::once(&longest[..])), Ok(Vec::new()));
}

#[test]
fn a_bind_is_the_one_of_the_protocol() {
    let mut octets = Vec::new();
    let bind = Bind {
        system_id: "SMPP3TEST".to_owned(),
        password: "secret08".to_owned(),
        system_type: "SUBMIT1".to_owned(),
    };
    pdu::write_bind(&mut octets, 1, &bind);
    let expected = b"\0\0\0\x2F\0\0\0\x09\0\0\0\0\0\0\0\x01SMPP3TEST\0secret08\0SUBMIT1\0\x34\0\0\0";
    assert_eq!(octets, expected);
}

#[test]
fn a_submit_is_the_one_of_the_protocol() {
    let mut octets = Vec::new();
    let source = sender("10001", None, None);
    let tlv = Tlv {
        tag: 0x020E,
        value: vec![2],
    };
    let submit = Submit {
        source: &source,
        destination: "989121234567",
        esm_class: 0x40,
        validity: &validity(Some(90_061)),
        data_coding: 8,
        short_message: b"\x06\x33",
        tlvs: std::slice::from_ref(&tlv),
    };
    pdu::write_submit(&mut octets, 7, &submit);
    let body = b"\0\x03\x0110001\0\x01\x01989121234567\0\x40\0\0\x00000001010101000R\0\x01\0\x08\0\x02\x06\x33\x02\x0E\0\x01\x02";
    assert_eq!(octets[..4], (16 + body.len() as u32).to_be_bytes());
    assert_eq!(octets[4..16], *b"\0\0\0\x04\0\0\0\0\0\0\0\x07");
    assert_eq!(octets[16..], *body);
}

#[test]
fn a_sender_has_the_type_that_it_is_of_unless_the_settings_name_one() {
    let kinds = [
        ("Peyk", 5, 0),
        ("10001", 3, 1),
        ("98200012345", 1, 1),
        ("+98200012345", 1, 1),
        ("30005088", 3, 1),
    ];
    for (line, ton, npi) in kinds {
        let address = sender(line, None, None);
        assert_eq!((address.ton, address.npi), (ton, npi), "{line}");
        assert_eq!(address.number, line.trim_start_matches('+'));
    }
    let set = sender("10001", Some(0), Some(9));
    assert_eq!((set.ton, set.npi), (0, 9));
}

#[test]
fn a_validity_is_written_relative() {
    assert_eq!(validity(None), "");
    assert_eq!(validity(Some(0)), "");
    assert_eq!(validity(Some(59)), "000000000059000R");
    assert_eq!(validity(Some(3 * 86_400)), "000003000000000R");
    for seconds in [1, 59, 60, 86_399, 86_400, u32::MAX] {
        assert_eq!(validity(Some(seconds)).len(), 16);
    }
}

/// What a phone makes of parts that arrive in any order.
fn reassembled(parts: &[Part], default: DefaultAlphabet) -> String {
    let mut pieces: BTreeMap<u8, Vec<u8>> = BTreeMap::new();
    let mut references = Vec::new();
    for part in parts.iter().rev() {
        let deliver = Deliver {
            esm_class: part.esm_class,
            data_coding: part.data_coding,
            short_message: part.short_message.clone(),
            tlvs: part.tlvs.clone(),
            ..Deliver::default()
        };
        // Through the codec, as on the way.
        let mut octets = Vec::new();
        deliver.write(&mut octets, 1);
        let deliver = Deliver::read(&octets[16..]).unwrap();
        let piece = inbound::piece(&deliver);
        let place = piece.place.unwrap_or(Concatenation {
            reference: 0,
            total: 1,
            number: 1,
        });
        assert_eq!(usize::from(place.total), parts.len());
        references.push(place.reference);
        assert_eq!(pieces.insert(place.number, piece.octets.to_vec()), None);
    }
    references.dedup();
    assert_eq!(references.len(), 1);
    let octets: Vec<u8> = pieces.into_values().flatten().collect();
    Alphabet::of(parts[0].data_coding, default).text(&octets)
}

fn texts() -> impl Strategy<Value = String> {
    let classes = [
        "[a-zA-Z0-9 @£_\n€\\[\\]{}|^~\\\\]",
        "[آ-ی\u{200C} ۰-۹]",
        "[😀-🙏سa€\r\n]",
        "\\PC",
    ];
    let patterns: Vec<String> = classes.iter().map(|class| format!("{class}{{0,700}}")).collect();
    prop::sample::select(patterns).prop_flat_map(|pattern| proptest::string::string_regex(&pattern).unwrap())
}

proptest! {
    #[test]
    fn any_pieces_of_a_stream_give_the_same_pdus(pdus in pdus(), at in prop::collection::vec(any::<prop::sample::Index>(), 0..20)) {
        let stream = stream(&pdus);
        let mut cuts: Vec<usize> = at.iter().map(|index| index.index(stream.len() + 1)).collect();
        cuts.extend([0, stream.len()]);
        cuts.sort_unstable();
        let pieces = cuts.windows(2).map(|ends| &stream[ends[0]..ends[1]]);
        let expected: Vec<_> = pdus.iter().map(|(sequence, body)| (command::DELIVER_SM, *sequence, body.clone())).collect();
        prop_assert_eq!(cut(pieces).unwrap(), expected);
    }

    #[test]
    fn no_octets_cause_a_panic(
        garbage in prop::collection::vec(any::<u8>(), 0..400),
        id in prop::sample::select(vec![
            command::SUBMIT_SM_RESP, command::DELIVER_SM, command::GENERIC_NACK, command::BIND_TRANSCEIVER_RESP,
            command::UNBIND, command::ENQUIRE_LINK, 0x103, 0x8000_0103,
        ]),
    ) {
        let mut session = Session::begin(0, &Bind::default());
        session.receive(1, &garbage, &mut Vec::new());
        let mut session = Session::begin(0, &Bind::default());
        let mut pdu = (16 + garbage.len() as u32).to_be_bytes().to_vec();
        pdu.extend(id.to_be_bytes());
        pdu.extend([0, 0, 0, 0, 0, 0, 0, 1]);
        pdu.extend(&garbage);
        let mut events = Vec::new();
        session.receive(1, &pdu, &mut events);
        session.tick(2, &mut events);
        if let Some(deliver) = Deliver::read(&garbage) {
            let _ = Receipt::read(&deliver);
            let piece = inbound::piece(&deliver);
            let _ = Alphabet::of(deliver.data_coding, DefaultAlphabet::Gsm7).text(piece.octets);
        }
    }

    #[test]
    fn what_is_written_is_read(
        number in "[0-9A-Za-zé]{0,30}", classes in any::<[u8; 4]>(),
        short_message in prop::collection::vec(any::<u8>(), 0..=255),
        tlvs in prop::collection::vec((any::<u16>(), prop::collection::vec(any::<u8>(), 0..300)), 0..5),
    ) {
        let address = Address { ton: classes[0], npi: classes[1], number };
        let deliver = Deliver {
            source: address.clone(),
            destination: address,
            esm_class: classes[2],
            data_coding: classes[3],
            short_message,
            tlvs: tlvs.into_iter().map(|(tag, value)| Tlv { tag, value }).collect(),
        };
        let mut octets = Vec::new();
        deliver.write(&mut octets, 9);
        prop_assert_eq!(Deliver::read(&octets[16..]).unwrap(), deliver);
    }

    #[test]
    fn the_parts_of_any_text_give_the_text_and_are_those_that_were_priced(
        text in texts(), reference in any::<u8>(),
        long in prop::sample::select(vec![LongMessages::Udh, LongMessages::Sar, LongMessages::Payload]),
        alphabet in prop::sample::select(vec![DefaultAlphabet::Gsm7, DefaultAlphabet::Latin1, DefaultAlphabet::Ia5]),
    ) {
        let parts = parts(&text, long, reference, DefaultCoding { alphabet, data_coding: 0 });
        prop_assert_eq!(reassembled(&parts, alphabet), normalise(&text));
        let priced = segment(&text);
        let is_as_priced = priced.encoding == Encoding::Ucs2 || alphabet.has(&normalise(&text));
        if is_as_priced {
            let expected = if long == LongMessages::Payload { 1 } else { priced.parts };
            prop_assert_eq!(parts.len() as u32, expected);
        }
        let has_several = if is_as_priced { priced.parts > 1 } else { parts.len() > 1 };
        for part in &parts {
            // 140 octets on the air: 160 septets, or 153 behind a header that takes the room of seven.
            let header = if part.esm_class & 0x40 == 0 { 0 } else { 6 };
            let limit = match (part.data_coding, header, has_several) {
                (0, _, false) => 160,
                (0, header, _) => 153 + header,
                (_, _, false) => 140,
                (_, header, _) => 134 + header,
            };
            prop_assert!(part.short_message.len() <= limit);
        }
    }
}

#[test]
fn what_an_smsc_takes_for_its_default_alphabet_is_sent_and_read_in_it() {
    let sent = |alphabet, text: &str| {
        let parts = parts(
            text,
            LongMessages::Udh,
            1,
            DefaultCoding {
                alphabet,
                data_coding: 0,
            },
        );
        (parts[0].data_coding, parts[0].short_message.clone())
    };
    let utf_16 = |text: &str| (8, text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>());
    let (gsm7, latin1, ia5) = (DefaultAlphabet::Gsm7, DefaultAlphabet::Latin1, DefaultAlphabet::Ia5);
    assert_eq!(sent(gsm7, "a@_[é"), (0, vec![0x61, 0x00, 0x11, 0x1B, 0x3C, 0x05]));
    assert_eq!(sent(latin1, "a@_[é"), (0, vec![0x61, 0x40, 0x5F, 0x5B, 0xE9]));
    assert_eq!(sent(ia5, "a@_["), (0, vec![0x61, 0x40, 0x5F, 0x5B]));
    // A character that the alphabet lacks arrives all the same.
    assert_eq!(sent(ia5, "a@é"), utf_16("a@é"));
    assert_eq!(sent(latin1, "5 €"), utf_16("5 €"));
    assert_eq!(sent(latin1, "Δ"), utf_16("Δ"));
    assert_eq!(sent(latin1, "سلام"), utf_16("سلام"));
    let long = "€".repeat(140);
    let parts = parts(
        &long,
        LongMessages::Udh,
        1,
        DefaultCoding {
            alphabet: latin1,
            data_coding: 0,
        },
    );
    assert_eq!(parts.len(), 3);
    // Only what names no alphabet is in the default one.
    for (coding, default, octets, text) in [
        (0, gsm7, &[0x00, 0x11, 0x05][..], "@_é"),
        (0, latin1, &[0x40, 0x5F, 0xE9], "@_é"),
        (0xF0, latin1, &[0x40], "@"),
        (0, ia5, &[0x40, 0x5F, 0x7B], "@_{"),
        (1, gsm7, &[0x40, 0x5F], "@_"),
        (3, gsm7, &[0xE9], "é"),
        (8, latin1, &[0x06, 0x33], "س"),
        (0x18, ia5, &[0x06, 0x33], "س"),
    ] {
        assert_eq!(Alphabet::of(coding, default).text(octets), text, "{coding} {default:?}");
    }
}

/// The place and the octets of a `deliver_sm`.
fn placed(esm_class: u8, octets: &[u8], tlvs: &[(u16, &[u8])]) -> (Option<(u16, u8, u8)>, Vec<u8>) {
    let tlv = |(tag, value): &(u16, &[u8])| Tlv {
        tag: *tag,
        value: value.to_vec(),
    };
    let deliver = Deliver {
        esm_class,
        short_message: octets.to_vec(),
        tlvs: tlvs.iter().map(tlv).collect(),
        ..Deliver::default()
    };
    let piece = inbound::piece(&deliver);
    let place = piece.place.map(|place| (place.reference, place.total, place.number));
    (place, piece.octets.to_vec())
}

#[test]
fn a_place_is_read_however_a_carrier_says_it() {
    let second = |reference| Some((reference, 2, 2));
    for esm_class in [0x40, 0] {
        assert_eq!(
            placed(esm_class, b"\x05\0\x03\x07\x02\x02hi", &[]),
            (second(7), b"hi".to_vec())
        );
        assert_eq!(
            placed(esm_class, b"\x06\x08\x04\x01\x07\x02\x02hi", &[]),
            (second(263), b"hi".to_vec())
        );
        let with_ports = b"\x0B\x05\x04\0\x01\0\x02\0\x03\x07\x02\x02hi";
        assert_eq!(placed(esm_class, with_ports, &[]), (second(7), b"hi".to_vec()));
        assert_eq!(
            placed(esm_class, b"\x05\0\x03\x07\x01\x01hi", &[]),
            (None, b"hi".to_vec())
        );
    }
    let sar = |reference: &'static [u8], total: &'static [u8], number: &'static [u8]| {
        placed(0, b"hi", &[(0x020C, reference), (0x020E, total), (0x020F, number)]).0
    };
    assert_eq!(sar(&[1, 7], &[2], &[2]), second(263));
    assert_eq!(sar(&[7], &[2], &[2]), second(7));
    assert_eq!(sar(&[7], &[0, 2], &[0, 2]), second(7));
    for (reference, total, number) in [
        (&[][..], &[2][..], &[2][..]),
        (&[1, 2, 3], &[2], &[2]),
        (&[7], &[1, 2], &[2]),
        (&[7], &[2], &[3]),
    ] {
        assert_eq!(sar(reference, total, number), None);
    }
    // A text that only looks like a header.
    for text in [
        &b"\x05\0\x03\x07\x02\x03hi"[..],
        b"\x05\0\x03\x07\x02\0hi",
        b"\x05\0\x03\x07\x02\x02",
        b"\x06\0\x03\x07\x02\x02hi",
        b"\x05\x01\x03\x07\x02\x02hi",
        b"\x05",
        b"",
        b"\x06\x33\x06\x44\x06\x27\x06\x45",
    ] {
        assert_eq!(placed(0, text, &[]), (None, text.to_vec()), "{text:?}");
    }
}
