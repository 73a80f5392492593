//! What a carrier delivers in a session: receipts, which become reports, and messages from phones. Each is safe before it is
//! answered.

use std::rc::Rc;

use futures_util::FutureExt;
use smpp::pdu::Deliver;
use smpp::{receipt::Receipt, session::Session, status};

use super::inbox;
use super::message_ids::{self, Meaning, Told};
use super::open_messages::Key;
use super::orphan_receipts::{self, Owner};
use super::receipts::{Asked, Place, ask_others, take_home};
use super::session_loop::{Terms, Work};
use crate::base::ports::{Platform, PortError, Sql};
use crate::carrier::doubted::Doubted;
use crate::carrier::{log_failure, reports};
use crate::directory::carriers::Carrier;

impl<'a> Work<'a> {
    /// Takes what the carrier delivers, and answers what is safe.
    pub(super) fn take_deliveries<P: Platform, S: Sql>(
        &mut self,
        terms: &Terms<'a, P, S>,
        now_ms: i64,
        session: &mut Session,
        delivered: Vec<(u32, Box<Deliver>)>,
        has_taken: bool,
    ) -> Result<(), PortError> {
        // Perhaps those that wait are about messages that are known by now.
        let mut receipts = if has_taken {
            self.receipts.all_stored()
        } else {
            Vec::new()
        };
        for (sequence, deliver) in delivered {
            match terms.read(&deliver)? {
                Delivery::Receipt(told) => receipts.push((Place::Session(sequence), told)),
                Delivery::Nothing => {
                    terms.log("a receipt names no message", "it is not used");
                    session.confirm(sequence, status::OK);
                }
                Delivery::Message
                    if inbox::store(
                        terms.sql,
                        now_ms,
                        &deliver,
                        terms.settings.default_alphabet,
                        &mut terms.sender.seen.borrow_mut(),
                    )? =>
                {
                    session.confirm(sequence, status::OK);
                    self.chores_ms = 0;
                }
                Delivery::Message => session.confirm(sequence, status::QUEUE_FULL),
            }
        }
        for (place, told) in self.without_known(terms, now_ms, session, receipts)? {
            if let Place::Session(sequence) = place
                && !self.receipts.keep_unasked(sequence, told)
            {
                session.confirm(sequence, status::NOT_NOW);
            }
        }
        self.ask_for_receipts(terms, now_ms, session)?;
        self.tell_accounts(terms, now_ms, session)
    }

    /// Takes the receipts whose messages are known here, and gives the others back.
    fn without_known<P: Platform, S: Sql>(
        &mut self,
        terms: &Terms<'a, P, S>,
        now_ms: i64,
        session: &mut Session,
        receipts: Vec<(Place, Told)>,
    ) -> Result<Vec<(Place, Told)>, PortError> {
        if receipts.is_empty() {
            return Ok(receipts);
        }
        let (places, told): (Vec<Place>, Vec<Told>) = receipts.into_iter().unzip();
        let meanings = message_ids::read(
            terms.sql,
            now_ms,
            terms.settings.report_ids,
            &mut terms.sender.open.borrow_mut(),
            &told,
        )?;
        let (mut known, mut others) = (Vec::new(), Vec::new());
        for ((place, told), meaning) in places.into_iter().zip(told).zip(meanings) {
            match meaning {
                Meaning::Unknown => others.push((place, told)),
                Meaning::Several(among) if !among.is_empty() => others.push((place, Told { among, ..told })),
                meaning => known.push((place, meaning)),
            }
        }
        self.take_known(terms, now_ms, session, known)?;
        Ok(others)
    }

    /// Sends the reports of receipts on. Those that are stored here give their place to their reports.
    fn take_known<P: Platform, S: Sql>(
        &mut self,
        terms: &Terms<'a, P, S>,
        now_ms: i64,
        session: &mut Session,
        known: Vec<(Place, Meaning)>,
    ) -> Result<(), PortError> {
        let mut stored = Vec::new();
        for (place, meaning) in known {
            match meaning {
                Meaning::Several(_) => terms.give_up(SEVERAL, NOT_USED),
                Meaning::Late | Meaning::LateReport(..) => {
                    terms.log(
                        "a part has failed after its message was delivered",
                        "it stays delivered",
                    );
                    terms.sender.observed.count_late_failure();
                }
                Meaning::Unknown | Meaning::Nothing | Meaning::Report(..) => {}
            }
            match (place, meaning) {
                (Place::Session(sequence), Meaning::Report(account, report) | Meaning::LateReport(account, report)) => {
                    self.pass_through.add(now_ms, account, (sequence, report));
                }
                (Place::Session(sequence), _) => session.confirm(sequence, status::OK),
                (Place::Row(row), meaning) => stored.push((row, meaning)),
            }
        }
        self.replace(terms, now_ms, &stored)
    }

    /// Stores reports in place of the receipts that say so.
    fn replace<P: Platform, S: Sql>(
        &mut self,
        terms: &Terms<'a, P, S>,
        now_ms: i64,
        receipts: &[(i64, Meaning)],
    ) -> Result<(), PortError> {
        if receipts.is_empty() {
            return Ok(());
        }
        terms.sql.transaction(|| {
            let reports = receipts.iter().filter_map(|(_, meaning)| match meaning {
                Meaning::Report(account, report) | Meaning::LateReport(account, report) => {
                    Some((account.as_str(), report))
                }
                _ => None,
            });
            reports::add_all(terms.sql, now_ms, reports)?;
            let rows: Vec<i64> = receipts.iter().map(|(row, _)| *row).collect();
            self.receipts.forget(terms.sql, &rows)
        })?;
        self.chores_ms = 0;
        Ok(())
    }

    /// Answers the receipts whose reports are safe, and tells accounts of others.
    fn tell_accounts<P: Platform, S: Sql>(
        &mut self,
        terms: &Terms<'a, P, S>,
        now_ms: i64,
        session: &mut Session,
    ) -> Result<(), PortError> {
        let safe = self.pass_through.safe(terms.sql, now_ms)?;
        for sequence in safe.receipts {
            session.confirm(sequence, status::OK);
        }
        if safe.has_stored {
            self.chores_ms = 0;
        }
        self.pass_through.begin(terms.platform, &terms.carrier.name);
        Ok(())
    }

    /// Hears what other objects have said to receipts, and asks them for more.
    fn ask_for_receipts<P: Platform, S: Sql>(
        &mut self,
        terms: &Terms<'a, P, S>,
        now_ms: i64,
        session: &mut Session,
    ) -> Result<(), PortError> {
        if let Some(asked) = self.answered.take() {
            self.hear(terms, now_ms, session, asked)?;
        }
        if self.asking.is_none() {
            let to_ask = self.receipts.to_ask(now_ms);
            if !to_ask.is_empty() {
                let stored = to_ask.iter().filter(|(place, _)| place.row().is_some());
                let digits = orphan_receipts::digits(stored.map(|(_, told)| told));
                let own = terms.sender.doubted(terms.sql, &digits)?;
                let (carrier, others) = (Rc::clone(&terms.carrier), terms.others.clone());
                self.asking = Some(ask(terms.platform, carrier, own, others, to_ask).boxed_local());
            }
        }
        Ok(())
    }

    /// Takes the receipts that other objects know, stores those that nobody knows yet, and gives those up that have
    /// waited long enough.
    fn hear<P: Platform, S: Sql>(
        &mut self,
        terms: &Terms<'a, P, S>,
        now_ms: i64,
        session: &mut Session,
        mut asked: Asked,
    ) -> Result<(), PortError> {
        if let Some(error) = &asked.error {
            terms.log("the other sessions were not asked", &error.to_string());
        }
        let (mut over, mut found, mut to_store) = (Vec::new(), Vec::new(), Vec::new());
        self.take_known(terms, now_ms, session, std::mem::take(&mut asked.known))?;
        // Their messages may have become known here while the others were asked.
        let unknown = std::mem::take(&mut asked.unknown);
        for (place, told) in self.without_known(terms, now_ms, session, unknown)? {
            match place {
                Place::Session(sequence) if asked.error.is_some() => session.confirm(sequence, status::NOT_NOW),
                Place::Session(sequence) => to_store.push((sequence, told)),
                Place::Row(row) if let Some((owner, parts)) = asked.owner(row) => found.push((row, told, owner, parts)),
                Place::Row(row) if asked.may_wait(row) && self.receipts.may_wait(now_ms, row) => {}
                Place::Row(row) => {
                    match told.among.is_empty() {
                        true => terms.give_up(NOBODY, &unknown_id(&told.id)),
                        false => terms.give_up(SEVERAL, NOT_USED),
                    }
                    over.push(row);
                }
            }
        }
        self.receipts.forget(terms.sql, &over)?;
        for (row, told, owner, parts) in found {
            self.settle(terms, now_ms, session, (row, told), (owner, parts))?;
        }
        self.store_receipts(terms, now_ms, session, to_store)
    }

    /// Takes a stored receipt whose owner was found. `parts` are those of a text of which an answer is lost.
    fn settle<P: Platform, S: Sql>(
        &mut self,
        terms: &Terms<'a, P, S>,
        now_ms: i64,
        session: &mut Session,
        (row, told): (i64, Told),
        (owner, parts): (Key, Option<u32>),
    ) -> Result<(), PortError> {
        if let Some(parts) = parts {
            let parts = terms.settings.messages_of(parts);
            let ids = terms.settings.report_ids;
            message_ids::keep_lost(terms.sql, now_ms, ids, &told, (&owner, parts))?;
        }
        self.receipts.narrow(row, &owner);
        let among = vec![owner];
        let receipt = (Place::Row(row), Told { among, ..told });
        self.without_known(terms, now_ms, session, vec![receipt]).map(drop)
    }

    /// Stores receipts for messages that nobody knows yet, and answers them.
    fn store_receipts<P: Platform, S: Sql>(
        &mut self,
        terms: &Terms<'a, P, S>,
        now_ms: i64,
        session: &mut Session,
        receipts: Vec<(u32, Told)>,
    ) -> Result<(), PortError> {
        if receipts.is_empty() {
            return Ok(());
        }
        let (sequences, told): (Vec<u32>, Vec<Told>) = receipts.into_iter().unzip();
        let is_stored = self.receipts.store(terms.sql, now_ms, told)?;
        let status = if is_stored { status::OK } else { status::NOT_NOW };
        sequences
            .into_iter()
            .for_each(|sequence| session.confirm(sequence, status));
        Ok(())
    }
}

/// Asks the other objects of the carrier for receipts, and the accounts in doubt for those that have waited and that none knows.
async fn ask(
    platform: &impl Platform,
    carrier: Rc<Carrier>,
    own: Doubted,
    others: Vec<String>,
    receipts: Vec<(Place, Told)>,
) -> Asked {
    let mut asked = ask_others(platform, &others, receipts).await;
    let unknown = asked.unknown.iter();
    let stored: Vec<(i64, &Told)> = unknown.filter_map(|(place, told)| Some((place.row()?, told))).collect();
    match orphan_receipts::find(platform, &carrier.name, own, &others, &stored).await {
        Ok(owners) => asked.owners = owners,
        Err(error) => {
            log_failure(platform, &carrier.name, "a receipt was not matched", &error.to_string());
            asked.owners = stored.iter().map(|(row, _)| (*row, Owner::NotYet)).collect();
        }
    }
    if let Err(error) = take_home(platform, &mut asked).await {
        log_failure(
            platform,
            &carrier.name,
            "a receipt was not passed on",
            &error.to_string(),
        );
    }
    asked
}

/// What a `deliver_sm` is.
enum Delivery {
    Receipt(Told),
    Message,
    /// A receipt that names no message.
    Nothing,
}

/// Why receipts settle nobody.
const NOBODY: &str = "a receipt is for no message that is known";
const SEVERAL: &str = "a receipt fits several messages";
const NOT_USED: &str = "it is not used";
/// The bits of `esm_class` that say what a `deliver_sm` is, and the one that only a receipt has.
const KIND: u8 = 0x3C;
const RECEIPT: u8 = 0x04;

/// What the log says of an id that no answer has had: its form, by which an operator finds the setting that is wrong. The log
/// has no ids, because some have phone numbers in them.
fn unknown_id(id: &str) -> String {
    let digits = match id {
        _ if id.bytes().all(|byte| byte.is_ascii_digit()) => "decimal digits",
        _ if id.bytes().all(|byte| byte.is_ascii_hexdigit()) => "hexadecimal digits",
        _ => "characters",
    };
    let length = id.chars().count();
    format!("no answer has had its id of {length} {digits}; if many come, reportIds or reportNumbers is wrong")
}

impl<P: Platform, S: Sql> Terms<'_, P, S> {
    /// Logs and counts a receipt that settles nobody.
    fn give_up(&self, what: &str, why: &str) {
        self.log(what, why);
        self.sender.observed.count_unknown_report();
    }

    fn read(&self, deliver: &Deliver) -> Result<Delivery, PortError> {
        let Some(receipt) = Receipt::read(deliver) else {
            let is_receipt = deliver.esm_class & KIND == RECEIPT;
            return Ok(if is_receipt {
                Delivery::Nothing
            } else {
                Delivery::Message
            });
        };
        self.sender.observed.note_report(self.platform.now_ms());
        let told = Told {
            id: receipt.id,
            other_id: receipt.other_id,
            ending: receipt.ending,
            code: receipt.code,
            msisdn: None,
            other_msisdn: None,
            taken_ms: receipt.taken_ms,
            text: receipt.text,
            among: Vec::new(),
        };
        let numbers = self.settings.report_numbers;
        let told = told.with_numbers(numbers, &deliver.source.number, &deliver.destination.number);
        if receipt.is_doubtful && !message_ids::is_known(self.sql, self.settings.report_ids, &told)? {
            return Ok(Delivery::Message);
        }
        if receipt.is_contradictory {
            self.log("a receipt contradicts itself", &told.code);
        }
        if !receipt.has_known_state {
            self.log("a receipt has a state that nobody knows", &told.code);
            self.sender.observed.count_unknown_report();
        }
        Ok(Delivery::Receipt(told))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_tells_the_form_of_an_unknown_id_and_not_the_id() {
        for (id, form) in [
            ("0000012345", "10 decimal digits;"),
            ("3039abCD", "8 hexadecimal digits;"),
            ("smsc-1/7", "8 characters;"),
        ] {
            let words = unknown_id(id);
            assert!(words.contains(form) && !words.contains(id), "{words}");
        }
    }
}
