//! What must be true after each step of a run, and when its storm is over.

use std::collections::{HashMap, HashSet};

use peyk::account::message::retention::TEST_KEPT_MS;
use peyk::account::record::account_row::Account as Row;
use peyk::account::record::message::simulation::ending;
use peyk::account::record::message::status::RecipientStatus;
use peyk::base::ports::Sql;
use serde_json::json;

use super::{CARRIERS, Run, Seen};
use crate::support::{time::DAY_MS, whole};

impl Run {
    pub fn check(&mut self) {
        let sql = self.world.sql(&self.account.id);
        let account = self.world.stored(&self.account);
        let wallet = account.wallet;
        assert!(
            [wallet.available, wallet.locked, wallet.spent]
                .iter()
                .all(|part| *part >= 0),
            "{wallet:?}"
        );
        assert_eq!(wallet.available + wallet.locked + wallet.spent, wallet.credited);
        let one = |query: &str| sql.number(query);
        let wanted = one("SELECT coalesce(sum(cost), 0) FROM recipient WHERE money = 0");
        assert_eq!(wallet.locked, wanted, "unresolved");
        self.check_usage(&account);
        self.note_taken();
        self.check_held();
        self.check_skipped();
        self.check_ledger(&account);
        self.check_recipients();
        for (column, statuses) in [("queued", "0, 1"), ("active", "0, 1, 3"), ("open", "0, 1, 2, 3")] {
            let off = format!(
                "SELECT count(*) FROM chunk c WHERE c.state NOT IN (4, 6) AND c.{column} <> (SELECT count(*) FROM recipient r \
                 WHERE r.message = c.message AND r.chunk = c.number AND r.status IN ({statuses}))"
            );
            assert_eq!(one(&off), 0, "a chunk's count of {column} recipients is off");
        }
        let told = "SELECT count(*) FROM message m JOIN message_status s ON s.message = m.id WHERE s.status IS NOT \
             (SELECT CASE WHEN sum(status IN (0, 1, 3)) = 0 THEN iif(min(status) = 8, 'CANCELED', 'DONE') \
                          WHEN sum(status NOT IN (0, 1, 9)) > 0 THEN 'SENDING' \
                          WHEN sum(status = 1) > 0 OR m.send_at_ms IS NULL THEN 'QUEUED' ELSE 'SCHEDULED' END \
              FROM recipient r WHERE r.message = m.id)";
        assert_eq!(one(told), 0, "a message's status is not what its recipients say");
        let told = "SELECT count(*) FROM message_progress p WHERE json_array(p.progress ->> 1, p.progress ->> 2) IS NOT \
             (SELECT json_array(sum(status = 4), sum(status IN (5, 6, 7))) FROM recipient r WHERE r.message = p.message)";
        assert_eq!(one(told), 0, "a message's endings are not what its recipients say");
        let lost = "SELECT count(*) FROM recipient r WHERE r.status IN (0, 1, 3) AND NOT EXISTS \
             (SELECT 1 FROM chunk c WHERE c.message = r.message AND c.number = r.chunk AND c.state NOT IN (4, 6) \
                AND r.idx BETWEEN c.first AND c.last)";
        assert_eq!(one(lost), 0, "an open recipient that nobody will look after");
    }

    /// A status only moves forward, and only what is old is forgotten.
    fn check_recipients(&mut self) {
        let query = "SELECT r.message, r.idx, r.status, coalesce(m.send_at_ms, m.created_ms) FROM recipient r \
             JOIN message m ON m.id = r.message";
        let mut there = HashSet::new();
        for row in self.world.sql(&self.account.id).run(query) {
            let (place, now) = ((row.int(0).unwrap(), row.int(1).unwrap()), row.int(2).unwrap());
            there.insert(place);
            if let Some((before, _)) = self.seen.insert(place, (now, row.int(3).unwrap()))
                && before != now
            {
                assert!(reachable(before, now), "{place:?} moved from {before} to {now}");
            }
        }
        let latest_ms = self.world.now_ms.get() - self.kept_ms.min(TEST_KEPT_MS);
        self.seen.retain(|place, (_, sent_ms)| {
            let is_there = there.contains(place);
            assert!(is_there || *sent_ms <= latest_ms, "{place:?} was forgotten early");
            is_there
        });
    }

    /// The usage adds up to the ledger, and to the recipients that are there.
    fn check_usage(&self, account: &Row) {
        let sql = self.world.sql(&self.account.id);
        let one = |query: &str| sql.number(&whole(query));
        let paid = one("SELECT coalesce(sum(iif(carrier = '', cost, 0) - returned), 0) FROM all_usage");
        assert_eq!(paid, account.wallet.locked + account.wallet.spent, "usage and wallet");
        assert_eq!(
            one("SELECT coalesce(sum(messages), 0) FROM all_usage"),
            account.message_seq
        );
        let open = one(
            "SELECT coalesce(sum(iif(carrier = '', recipients, 0) - delivered - undelivered - expired - rejected - unknown - canceled), 0) \
             FROM all_usage",
        );
        assert_eq!(open, one("SELECT count(*) FROM recipient WHERE status IN (0, 1, 3)"));
        // All of it was sent by keys.
        let sums = "json_group_array(json_array(day, test, messages, recipients, parts, cost, returned))";
        let of_keys = "SELECT day, test, sum(messages) messages, sum(recipients) recipients, sum(parts) parts, sum(cost) cost, \
             sum(returned) returned FROM all_key_usage GROUP BY 1, 2 ORDER BY 1, 2";
        let of_all = "SELECT day, test, sum(messages) messages, sum(iif(carrier = '', recipients, 0)) recipients, \
             sum(iif(carrier = '', parts, 0)) parts, sum(iif(carrier = '', cost, 0)) cost, sum(returned) returned \
             FROM all_usage GROUP BY 1, 2 ORDER BY 1, 2";
        let [of_keys, of_all] = [of_keys, of_all].map(|rows| {
            sql.run(&whole(&format!("SELECT {sums} FROM ({rows})")))[0]
                .text(0)
                .unwrap()
        });
        assert_eq!(of_keys, of_all, "usage by key");
        if one("SELECT count(*) FROM message") < account.message_seq {
            return;
        }
        let wanted = one("SELECT coalesce(sum(cost), 0) FROM recipient WHERE money = 1");
        assert_eq!(account.wallet.spent, wanted, "spent");
        let counted = "SELECT json_group_array(json_array(day, test, recipients, delivered, undelivered, expired, rejected, unknown, canceled)) \
             FROM (SELECT day, test, sum(iif(carrier = '', recipients, 0)) recipients, sum(delivered) delivered, sum(undelivered) undelivered, \
               sum(expired) expired, sum(rejected) rejected, sum(unknown) unknown, sum(canceled) canceled FROM all_usage GROUP BY 1, 2 ORDER BY 1, 2)";
        let there = "SELECT json_group_array(json_array(day, test, recipients, delivered, undelivered, expired, rejected, unknown, canceled)) \
             FROM (SELECT m.created_ms / 86400000 day, m.test test, count(*) recipients, sum(r.status = 4) delivered, \
               sum(r.status = 5) undelivered, sum(r.status = 6) expired, sum(r.status = 7) rejected, sum(r.status = 2) unknown, \
               sum(r.status = 8) canceled FROM recipient r JOIN message m ON m.id = r.message WHERE r.status <> 9 GROUP BY 1, 2 ORDER BY 1, 2)";
        let text = |query: &str| sql.run(query)[0].text(0).unwrap();
        assert_eq!(text(&whole(counted)), text(there), "usage by day");
        // And so do its rows by carrier. What a carrier took is what moved on from it, whoever said so first.
        let counted = "SELECT json_group_array(json_array(day, test, carrier, recipients, parts, cost, returned, delivered, undelivered, \
             expired, rejected, unknown, canceled)) FROM (SELECT * FROM all_usage WHERE recipients + delivered + undelivered + expired \
             + rejected + unknown + canceled + returned > 0 ORDER BY day, test, carrier)";
        let there = "WITH each AS (SELECT m.created_ms / 86400000 day, m.test, coalesce(r.carrier, '') carrier, r.* \
               FROM recipient r JOIN message m ON m.id = r.message WHERE r.status <> 9), \
             rows AS (SELECT day, test, '' carrier, 1 recipients, parts, cost, 0 returned, 0 status FROM each \
               UNION ALL SELECT day, test, carrier, 1, parts, cost, 0, 0 FROM each WHERE carrier <> '' AND status IN (3, 4, 5, 6) \
               UNION ALL SELECT day, test, carrier, 0, 0, 0, iif(money IN (2, 3), cost, 0), status FROM each \
                 WHERE status NOT IN (0, 1, 3)) \
             SELECT json_group_array(json_array(day, test, carrier, recipients, parts, cost, returned, d, u, e, j, k, c)) FROM ( \
               SELECT day, test, carrier, sum(recipients) recipients, sum(parts) parts, sum(cost) cost, sum(returned) returned, \
                 sum(status = 4) d, sum(status = 5) u, sum(status = 6) e, sum(status = 7) j, sum(status = 2) k, sum(status = 8) c \
               FROM rows GROUP BY 1, 2, 3 ORDER BY 1, 2, 3)";
        assert_eq!(text(&whole(counted)), text(there), "usage by carrier");
    }

    /// The ledger replays to the balances.
    fn check_ledger(&self, account: &Row) {
        let sql = self.world.sql(&self.account.id);
        let mut wallet = peyk::account::record::ledger::Wallet::default();
        let rows = sql.run(&whole(
            "SELECT kind, amount, available, locked FROM all_ledger ORDER BY seq",
        ));
        for row in &rows {
            let kind = peyk::account::record::ledger::EntryKind::parse(&row.text(0).unwrap()).unwrap();
            wallet = wallet.after(kind, row.int(1).unwrap()).unwrap();
            let wanted = (row.int(2).unwrap(), row.int(3).unwrap());
            assert_eq!((wallet.available, wallet.locked), wanted);
        }
        assert_eq!(wallet, account.wallet);
        assert_eq!(i64::try_from(rows.len()).unwrap(), account.ledger_seq);
    }

    /// The storm is over: everything ends, once, and the mirror tells so.
    pub fn end(&mut self) {
        self.world.chaos.set(0);
        self.world.carriers_are_down.set(false);
        self.world.db.is_down.set(false);
        self.world.db.is_full.set(false);
        self.world.db.unheard.set(0);
        self.world.steps_left.set(None);
        for instance in self.world.objects.borrow().values() {
            instance.sql.room.set(None);
        }
        self.world
            .db
            .run("UPDATE carrier SET active = 1, paused = 0, version = version + 1");
        self.world.db.run("UPDATE line SET paused = 0");
        self.held = None;
        self.world.change(&self.account.path(""), json!({"hold": false}));
        self.world.sql(&self.account.id).fail("", 0);
        self.resume_all();
        // A carrier's object forgets after two days. Then a recipient may have to wait until nobody expects a report any more.
        let was_long = self.world.now_ms.get() - self.began_ms >= 2 * DAY_MS;
        self.world.settle(if was_long { 80 } else { 3 } * 60 * 60 * 1_000);
        self.check();
        let sql = self.world.sql(&self.account.id);
        let one = |query: &str| sql.number(query);
        let found = one("SELECT count(*) FROM message_status WHERE status NOT IN ('DONE', 'CANCELED')");
        assert_eq!(found, 0, "a message never ended");
        let found = one("SELECT coalesce(sum(cost), 0) FROM recipient WHERE status = 2 AND money = 0");
        assert_eq!(found, self.locked(), "held for UNKNOWN");
        self.check_taken();
        self.check_carriers(was_long);
        self.check_delivered(was_long);
        self.world.settle(80 * 60 * 60 * 1_000);
        self.check();
        assert_eq!(self.locked(), 0, "money is held for ever");
        let found = one("SELECT count(*) FROM chunk WHERE state NOT IN (4, 6)");
        assert_eq!(found, 0, "work is left over");
        let own = "SELECT count(*) FROM recipient r JOIN message m ON m.id = r.message WHERE r.status <> 9 AND (m.kind = 'BULK') <> \
             EXISTS (SELECT 1 FROM recipient_text o WHERE o.message = r.message AND o.idx = r.idx)";
        assert_eq!(one(own), 0, "a recipient's own text is lost, or one too many");
        self.world.assert_mirrored(&self.account);
        self.world.set("RETENTION_DAYS", Some("9"));
        self.world.settle(11 * DAY_MS);
        self.check();
        for table in "message recipient recipient_text chunk source number".split(' ') {
            assert_eq!(sql.count(table), 0, "{table} is not empty");
        }
        self.world.assert_mirrored(&self.account);
    }

    /// How many recipients carriers have taken, of messages up to this one.
    pub fn taken_of(&self, through: i64) -> i64 {
        let of = self.taken.iter().filter(|((_, message, _), _)| *message <= through);
        of.map(|(_, (total, _))| total).sum()
    }

    /// Nothing leaves of an account on hold, and nothing that was canceled.
    fn check_held(&self) {
        let taken = self.taken_of(i64::MAX);
        assert!(self.held.is_none_or(|before| before == taken), "it left during a hold");
        let (through, before) = self.canceled;
        assert_eq!(self.taken_of(through), before, "it left and was canceled before");
        for (message, before) in self.stopped.iter().chain(&self.paused) {
            assert_eq!(
                self.taken_of_message(*message),
                *before,
                "{message} left and its sender had stopped it"
            );
        }
    }

    /// How many recipients of a message carriers have taken.
    pub fn taken_of_message(&self, message: i64) -> i64 {
        let of = self.taken.iter().filter(|((_, of, _), _)| *of == message);
        of.map(|(_, (total, _))| total).sum()
    }

    /// Who is on the blacklist costs nothing, stands behind the others and is sent nothing.
    fn check_skipped(&self) {
        let sql = self.world.sql(&self.account.id);
        let off = "SELECT count(*) FROM recipient r JOIN message m ON m.id = r.message WHERE (r.status = 9) <> (r.idx >= m.total) \
             OR r.status = 9 AND (r.cost > 0 OR r.carrier IS NOT NULL OR r.error IS NOT 'BLACKLISTED')";
        assert_eq!(sql.number(off), 0, "a skipped recipient");
        let off = "SELECT count(*) FROM message m WHERE coalesce(m.skipped, 0) <> \
             (SELECT count(*) FROM recipient r WHERE r.message = m.id AND r.status = 9)";
        assert_eq!(sql.number(off), 0, "a message's count of skipped recipients");
        for row in sql.run("SELECT message, idx FROM recipient WHERE status = 9") {
            let place = (row.int(0).unwrap(), row.int(1).unwrap());
            let mut taken = self.taken.keys().map(|(_, message, index)| (*message, *index));
            assert!(!taken.any(|taken| taken == place), "{place:?} was skipped and sent");
        }
    }

    /// Counts what the carriers have taken, before they forget it.
    pub fn note_taken(&mut self) {
        for (_, seen) in self.taken.values_mut() {
            seen.is_there = false;
        }
        let mut newly = Vec::new();
        for carrier in CARRIERS {
            let sql = self.world.carrier_sql(carrier, &self.account.id);
            // A sandbox has no tables before its first submission.
            let rows = sql
                .exec("SELECT message, idx, taken, at_ms FROM handed", &[])
                .unwrap_or_default();
            for row in rows {
                let key = (carrier, row.int(0).unwrap(), row.int(1).unwrap());
                let (total, seen) = self.taken.entry(key).or_default();
                let now = row.int(2).unwrap();
                let more = (now - seen.taken).max(0);
                *total += more;
                if more > 0 {
                    newly.push((row.int(0).unwrap(), row.int(1).unwrap(), row.int(3).unwrap()));
                }
                *seen = Seen {
                    taken: now,
                    is_there: true,
                };
            }
        }
        for (_, seen) in self.taken.values_mut().filter(|(_, seen)| !seen.is_there) {
            seen.taken = 0;
        }
        self.check_ends(&newly);
    }

    /// Nothing leaves after the end of its message. What carriers have taken newly, they took since the last look at the earliest, and
    /// not before they were handed it first.
    fn check_ends(&self, newly: &[(i64, i64, i64)]) {
        let since_ms = self.looked_ms.replace(self.world.now_ms.get());
        let sql = self.world.sql(&self.account.id);
        for (message, index, at_ms) in newly {
            let query = "SELECT 1 FROM message WHERE id = ?1 AND expires_ms <= ?2";
            let ended = sql
                .exec(query, &[(*message).into(), since_ms.max(*at_ms).into()])
                .unwrap();
            assert!(ended.is_empty(), "{message}.{index} left after its end");
        }
    }

    /// At most one carrier has a recipient, and at most once.
    fn check_taken(&self) {
        let mut taken: HashMap<(i64, i64), i64> = HashMap::new();
        for ((_, message, index), (total, _)) in &self.taken {
            *taken.entry((*message, *index)).or_default() += total;
        }
        for (recipient, times) in taken {
            assert!(times <= 1, "{recipient:?} was sent {times} times");
        }
    }

    /// Each recipient that a carrier has taken, as it knows itself, shows this carrier and counts as taken by it. Of those that a
    /// sandbox took without an answer, and of what it has forgotten, nobody knows.
    fn check_carriers(&self, may_be_forgotten: bool) {
        let sql = self.world.sql(&self.account.id);
        let shown = |(message, index): (i64, i64)| {
            let query = "SELECT coalesce(carrier, ''), status FROM recipient WHERE message = ?1 AND idx = ?2";
            let rows = sql.exec(query, &[message.into(), index.into()]).unwrap();
            let status = |row: &peyk::base::ports::Row| RecipientStatus::from_code(row.int(1).unwrap()).unwrap();
            rows.first().map(|row| (row.text(0).unwrap(), status(row)))
        };
        for ((carrier, message, index), (total, _)) in &self.taken {
            let Some((name, status)) = shown((*message, *index)).filter(|_| *total > 0) else {
                continue;
            };
            let is_open = status == RecipientStatus::Unknown || (may_be_forgotten && name.is_empty());
            assert!(
                name == *carrier || is_open,
                "{message}.{index} shows {name:?}, and {carrier} took it"
            );
            assert!(
                status.is_taken() || is_open,
                "{message}.{index} is {status:?}, and {carrier} took it"
            );
        }
    }

    /// The sandbox can tell what it has had, so no crash leaves a message undelivered: each ends as its number says. Of what it
    /// has forgotten, nobody knows.
    fn check_delivered(&self, may_be_forgotten: bool) {
        let sql = self.world.sql(&self.account.id);
        let letters = "SELECT coalesce(json_group_array(uid), '[]') FROM dead_letter";
        let letters = self.world.db.run(letters)[0].text(0).unwrap();
        let query = format!(
            "SELECT r.msisdn, r.status, m.uid IN (SELECT value FROM json_each('{letters}')) FROM recipient r \
             JOIN message m ON m.id = r.message"
        );
        for row in sql.run(&query) {
            let ending = ending(u64::try_from(row.int(0).unwrap()).unwrap());
            let status = RecipientStatus::from_code(row.int(1).unwrap()).unwrap();
            if status == RecipientStatus::Skipped {
                continue;
            }
            // Reports of the storm may have ended a taken message otherwise.
            let by_report = matches!(
                status,
                RecipientStatus::Delivered | RecipientStatus::Undelivered | RecipientStatus::Expired
            );
            // Only carriers that were down for long make the object give up, and then a dead letter says so.
            let given_up =
                row.bool(2).unwrap() && matches!(status, RecipientStatus::Unknown | RecipientStatus::Rejected);
            let forgotten = may_be_forgotten && status == RecipientStatus::Unknown;
            assert!(
                forgotten || status == ending || by_report || given_up || status == RecipientStatus::Canceled,
                "{} ended {status:?}",
                row.int(0).unwrap()
            );
        }
    }

    fn locked(&self) -> i64 {
        self.world.stored(&self.account).wallet.locked
    }
}

/// Whether a status leads to another in one or more steps.
fn reachable(from: i64, to: i64) -> bool {
    let [from, to] = [from, to].map(|code| RecipientStatus::from_code(code).unwrap());
    let mut sources = to.sources().iter();
    sources.any(|source| *source == from || reachable(from.code(), source.code()))
}
