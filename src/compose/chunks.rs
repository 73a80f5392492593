//! Puts a message's recipients into chunks: those of one chunk go by the same route of the line.

use std::collections::BTreeMap;

use sms::routing::Routes;

use super::draft::PricedRecipient;
use crate::account::record::chunk::CHUNK_SIZE;
use crate::account::record::message::NewChunk;

/// The chunks of a message.
pub struct Chunks {
    /// The chunks, by their numbers.
    pub chunks: Vec<NewChunk>,
    /// The number of each recipient's chunk.
    pub numbers: Vec<u32>,
}

impl Chunks {
    /// Puts recipients into chunks, in their order.
    pub fn of(routes: &Routes, recipients: &[PricedRecipient]) -> Chunks {
        let has_prefixes = routes.has_prefixes();
        let mut chunks = Chunks {
            chunks: Vec::new(),
            numbers: Vec::with_capacity(recipients.len()),
        };
        let mut open: BTreeMap<String, u32> = BTreeMap::new();
        for (recipient, index) in recipients.iter().zip(0u32..) {
            let digits = if has_prefixes {
                recipient.number.get().to_string()
            } else {
                String::new()
            };
            chunks.add(index, routes.prefix_of(&digits), &mut open);
        }
        chunks
    }

    /// Adds a recipient to the chunk of its prefix that has room, or to a new one.
    fn add(&mut self, index: u32, prefix: &str, open: &mut BTreeMap<String, u32>) {
        let known = open.get(prefix).copied();
        let room = known.and_then(|number| {
            let chunk = self.chunks.get_mut(usize::try_from(number).ok()?)?;
            (chunk.count < CHUNK_SIZE).then_some((number, chunk))
        });
        if let Some((number, chunk)) = room {
            chunk.last = index;
            chunk.count += 1;
            return self.numbers.push(number);
        }
        let number = u32::try_from(self.chunks.len()).unwrap_or(u32::MAX);
        self.chunks.push(NewChunk {
            avoid: Vec::new(),
            prefix: prefix.to_owned(),
            first: index,
            last: index,
            count: 1,
        });
        open.insert(prefix.to_owned(), number);
        self.numbers.push(number);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::compose::request::NamedAt;
    use sms::{msisdn::Msisdn, routing::Route};

    fn recipient(number: u64) -> PricedRecipient {
        PricedRecipient {
            number: Msisdn::parse(&format!("+{number}")).unwrap(),
            named_at: NamedAt::Recipient,
            cost: 1,
            parts: 1,
            text: None,
        }
    }

    proptest! {
        #[test]
        fn every_recipient_is_in_one_chunk_of_its_prefix(numbers in proptest::collection::vec(989_100_000_000u64..989_399_999_999, 1..1_300)) {
            let of = |prefixes: &[&str]| Route {
                prefixes: prefixes.iter().map(|prefix| (*prefix).to_owned()).collect(),
                ..Routes::to("a").0.remove(0)
            };
            let routes = Routes(vec![of(&["9891", "98935"]), of(&[]), of(&["9893"])]);
            let recipients: Vec<PricedRecipient> = numbers.iter().map(|number| recipient(*number)).collect();
            let Chunks { chunks, numbers: of_chunk } = Chunks::of(&routes, &recipients);
            let mut counts = vec![0; chunks.len()];
            prop_assert_eq!(of_chunk.len(), numbers.len());
            for ((number, index), chunk) in numbers.iter().zip(0u32..).zip(&of_chunk) {
                let place = usize::try_from(*chunk).unwrap();
                counts[place] += 1;
                let chunk = &chunks[place];
                prop_assert_eq!(routes.prefix_of(&number.to_string()), &chunk.prefix);
                prop_assert!((chunk.first..=chunk.last).contains(&index));
            }
            for (chunk, count) in chunks.iter().zip(counts) {
                prop_assert_eq!(chunk.count, count);
                prop_assert!((1..=CHUNK_SIZE).contains(&count));
            }
        }
    }
}
