//! What must be true when a random world is at rest.

use std::collections::{BTreeMap, BTreeSet};

use peyk::account::record::message::simulation::ending;
use peyk::account::record::message::status::RecipientStatus;
use serde_json::json;

use super::super::statuses_told;
use super::{Run, number_of};

/// The price of a part.
const PRICE: i64 = 1_000;

/// What carriers know of recipients, by their numbers. No number gets two messages.
#[derive(Debug, Default)]
struct Seen {
    /// The parts that each carrier took, and the ending that it reports.
    taken: BTreeMap<u64, (&'static str, i64, RecipientStatus)>,
}

impl Run {
    fn seen(&self) -> Seen {
        let (mut seen, parts) = (Seen::default(), self.parts.borrow());
        let mut take = |number: u64, carrier, parts| {
            let status = match ending(number) {
                RecipientStatus::Rejected => RecipientStatus::Delivered,
                status => status,
            };
            let taken = seen.taken.entry(number).or_insert((carrier, 0, status));
            assert_eq!(taken.0, carrier, "two carriers have {number}");
            taken.1 += parts;
        };
        for (_, got) in self.smsc.taken() {
            take(number_of(&got.deliver.destination.number), "mci", 1);
        }
        for (number, _) in self.all.borrow().iter() {
            take(*number, "gate", parts[number]);
        }
        for number in self.sandboxs() {
            take(number, "sandbox", parts[&number]);
        }
        seen
    }

    /// The recipients as the object has them: uid, number, status, carrier.
    fn recipients(&self) -> Vec<(String, u64, RecipientStatus, Option<String>)> {
        let query = "SELECT m.uid || '.' || r.idx, r.msisdn, r.status, r.carrier FROM recipient r \
             JOIN message m ON m.id = r.message";
        let rows = self.world.rows(&self.shop, query);
        let read = |row: &peyk::base::ports::Row| {
            let status = RecipientStatus::from_code(row.int(2).unwrap()).unwrap();
            let number = u64::try_from(row.int(1).unwrap()).unwrap();
            (row.text(0).unwrap(), number, status, row.opt_text(3).unwrap())
        };
        rows.iter().map(read).collect()
    }

    /// Compares what the service says with what the carriers saw.
    pub fn check(&self) {
        let (seen, recipients, told) = (self.seen(), self.recipients(), statuses_told(&self.told));
        let parts = self.parts.borrow();
        assert_eq!(recipients.len(), parts.len());
        self.check_nobody_had_it_twice();
        self.check_customers(&recipients);
        self.check_money(&recipients);
        let mut sums: BTreeMap<&str, BTreeMap<&str, i64>> = BTreeMap::new();
        for (uid, number, status, carrier) in &recipients {
            let told = told.get(uid).map_or(&[][..], Vec::as_slice);
            let told: Vec<&str> = told
                .iter()
                .map(String::as_str)
                .filter(|told| *told != "UNKNOWN")
                .collect();
            // Of a recipient whose answer was lost with the process, only the carrier knows: it has no id to report under.
            let taken = seen.taken.get(number).filter(|_| *status != RecipientStatus::Unknown);
            let sums = sums.entry(taken.map_or("", |(carrier, ..)| carrier)).or_default();
            let parts = parts[number];
            for (name, amount) in [("recipients", 1), ("parts", parts), ("cost", parts * PRICE)] {
                *sums.entry(name).or_default() += amount;
            }
            match taken {
                Some((name, taken_parts, ended)) => {
                    assert_eq!(carrier.as_deref(), Some(*name), "{uid}");
                    assert!(*taken_parts <= parts, "{uid}");
                    // The link or the process may end between two parts of a message: then it is not delivered.
                    let is_cut = *taken_parts < parts && *status == RecipientStatus::Undelivered;
                    assert!(is_cut || status == ended, "{uid} {status:?} {ended:?}");
                    assert!(*taken_parts == parts || *status != RecipientStatus::Delivered, "{uid}");
                    assert_eq!(told, ["SUBMITTED", status.as_str()], "{uid}");
                }
                None => {
                    assert!(
                        matches!(status, RecipientStatus::Rejected | RecipientStatus::Unknown),
                        "{uid} {status:?}"
                    );
                    let ended = (*status == RecipientStatus::Rejected).then_some("REJECTED");
                    assert_eq!(told, Vec::from_iter(ended), "{uid}");
                }
            }
        }
        self.check_sums(&sums, &recipients);
    }

    /// The operator's sums by carrier, and those that must not know of carriers.
    fn check_sums(
        &self,
        sums: &BTreeMap<&str, BTreeMap<&str, i64>>,
        recipients: &[(String, u64, RecipientStatus, Option<String>)],
    ) {
        let page = self.world.look("/admin/usage?by=carrier");
        let mut left: BTreeSet<&str> = sums.keys().copied().collect();
        for item in page.items() {
            let carrier = item["key"].as_str().unwrap();
            let wanted = sums.get(carrier).cloned().unwrap_or_default();
            left.remove(carrier);
            for name in ["recipients", "parts", "cost"] {
                assert_eq!(
                    item[name],
                    json!(wanted.get(name).copied().unwrap_or(0)),
                    "{name} of {carrier:?}"
                );
            }
            for (name, status) in [
                ("delivered", RecipientStatus::Delivered),
                ("undelivered", RecipientStatus::Undelivered),
                ("expired", RecipientStatus::Expired),
                ("rejected", RecipientStatus::Rejected),
                ("unknown", RecipientStatus::Unknown),
            ] {
                let is_its = |(_, _, its, by): &&(String, u64, RecipientStatus, Option<String>)| {
                    *its == status && by.as_deref().unwrap_or_default() == carrier
                };
                assert_eq!(
                    item[name],
                    json!(recipients.iter().filter(is_its).count()),
                    "{name} of {carrier:?}"
                );
            }
        }
        assert!(left.is_empty(), "no sums of {left:?}");
        let all = |name: &str| sums.values().filter_map(|sums| sums.get(name)).sum::<i64>();
        for by in ["day", "account", "line"] {
            let page = self.world.look(&format!("/admin/usage?by={by}"));
            for name in ["recipients", "parts", "cost"] {
                assert_eq!(page.items()[0][name], json!(all(name)), "{name} by {by}");
            }
        }
        let own = self.world.read(&self.shop.key, "/account/usage");
        assert_eq!(own.items()[0]["live"]["recipients"], json!(all("recipients")));
        let checked = self
            .world
            .look(&format!("/admin/reconciliation?account={}", self.shop.id));
        assert_eq!(checked.items()[0]["now"]["differences"], json!([]), "{}", checked.body);
    }

    /// At most one carrier has had a recipient, whatever it said, and each part of the text at most once.
    fn check_nobody_had_it_twice(&self) {
        let twice: Vec<_> = self.smsc.counts().into_iter().filter(|(_, count)| *count > 1).collect();
        assert!(twice.is_empty(), "the SMSC had twice: {twice:?}");
        let mut had: BTreeMap<u64, &str> = BTreeMap::new();
        for (number, _) in self.smsc.counts().into_keys() {
            had.insert(number_of(&number), "mci");
        }
        for (number, _) in self.all.borrow().iter() {
            assert_eq!(had.insert(*number, "gate"), None, "{number}");
        }
        for number in self.sandboxs() {
            assert_eq!(had.insert(number, "sandbox"), None, "{number}");
        }
    }

    /// Each send made one message, and its customer reads what the object has.
    fn check_customers(&self, recipients: &[(String, u64, RecipientStatus, Option<String>)]) {
        let mut read: BTreeMap<String, String> = BTreeMap::new();
        for send in self.sends.borrow().iter() {
            let uid = send
                .uid
                .as_ref()
                .unwrap_or_else(|| panic!("a send that was never accepted"));
            let list = self
                .world
                .all(&self.shop.key, &format!("/messages/{uid}/recipients?limit=100"));
            read.extend(list.iter().map(|item| {
                let text = |name: &str| item[name].as_str().unwrap().to_owned();
                (text("uid"), text("status"))
            }));
        }
        let stored = recipients
            .iter()
            .map(|(uid, _, status, _)| (uid.clone(), status.as_str().to_owned()));
        assert_eq!(read, stored.collect());
    }

    /// The customer has paid for what carriers took, and money is held only for those of whom nobody knows.
    fn check_money(&self, recipients: &[(String, u64, RecipientStatus, Option<String>)]) {
        let (wallet, parts) = (self.world.stored(&self.shop).wallet, self.parts.borrow());
        let cost = |of: fn(RecipientStatus) -> bool| -> i64 {
            let all = recipients.iter().filter(|(_, _, status, _)| of(*status));
            all.map(|(_, number, ..)| parts[number] * PRICE).sum()
        };
        assert_eq!(wallet.spent, cost(RecipientStatus::is_taken), "spent");
        assert_eq!(
            wallet.locked,
            cost(|status| status == RecipientStatus::Unknown),
            "locked"
        );
        let told = self.world.balance(&self.shop.key);
        assert_eq!(told, (wallet.credited - wallet.spent - wallet.locked, wallet.locked));
    }

    /// The numbers that the sandbox took.
    fn sandboxs(&self) -> Vec<u64> {
        let sandbox = self.world.sandbox_sql(&self.shop.id);
        if sandbox.count("sqlite_schema WHERE name = 'handed'") == 0 {
            return Vec::new();
        }
        let rows = sandbox.run("SELECT msisdn FROM handed WHERE taken > 0");
        rows.iter()
            .map(|row| u64::try_from(row.int(0).unwrap()).unwrap())
            .collect()
    }
}
