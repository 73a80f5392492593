//! The mirror of the accounts' usage by day.

use crate::ports::{Db, PortError, Statement};

/// Writes rows of an account's usage: a JSON list of lists of `account::usage::COLUMNS`. A row that the mirror has in this
/// version or a newer one stays, so that a late write cannot replace a newer row.
pub async fn mirror(db: &impl Db, account: &str, rows: &str) -> Result<(), PortError> {
    db.query(Statement::new(
        "INSERT INTO usage (account, day, line, carrier, test, messages, recipients, parts, cost, returned, delivered, \
                            undelivered, expired, rejected, unknown, canceled, version) \
         SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, \
                value ->> 7, value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, value ->> 13, \
                value ->> 14, value ->> 15 FROM json_each(?2) WHERE 1 \
         ON CONFLICT (account, day, line, carrier, test) DO UPDATE SET messages = excluded.messages, \
           recipients = excluded.recipients, parts = excluded.parts, cost = excluded.cost, returned = excluded.returned, \
           delivered = excluded.delivered, undelivered = excluded.undelivered, expired = excluded.expired, \
           rejected = excluded.rejected, unknown = excluded.unknown, canceled = excluded.canceled, \
           version = excluded.version WHERE excluded.version > usage.version",
        [account.into(), rows.into()],
    ))
    .await
    .map(drop)
}
