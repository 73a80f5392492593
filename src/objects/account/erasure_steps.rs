//! How an account's object goes on with an order to erase a number: step by step, its own storage first, then the directory and
//! the objects that keep what it has told them.

use sms::mask::Mask;

use super::erasure_everywhere::{self, number};
use crate::account::erasure::{self, Running, SETTLES_MS, WithCarriers, mentions, messages, others};
use crate::account::keys::invitations;
use crate::account::record::account_row::{Account, OPERATOR};
use crate::account::sign_in;
use crate::account::unit_of_work::{self, UnitOfWork};
use crate::auth::secret::MasterKey;
use crate::base::ports::{Platform, PortError, Sql};
use crate::carrier::{
    control,
    sandbox::{self, Sandbox},
    sender::Sender as _,
};
use crate::directory::{carriers, phonebook};
use crate::durable::ask_in_time;
use crate::webhook::erasure::EraseFromEvents;

/// How long an order waits at least before it begins anew, ms.
const WAIT_MS: i64 = 60_000;

/// The steps, in their order. The walks through texts begin with the third.
const MESSAGES: i64 = 0;
const OTHERS: i64 = 1;
const WALKS: i64 = 2;
const PHONEBOOKS: i64 = WALKS + mentions::COUNT;
const EVENTS: i64 = PHONEBOOKS + 1;
const SANDBOXES: i64 = EVENTS + 1;
const END: i64 = SANDBOXES + 1;

/// A go of an order.
struct Go<'a, P: Platform, S: Sql> {
    platform: &'a P,
    sql: &'a S,
    account: &'a str,
    msisdn: u64,
    mask: Mask,
}

/// Goes on with the order that is due first; `false`: none is due.
pub async fn go(platform: &impl Platform, sql: &impl Sql) -> Result<bool, PortError> {
    let (Some(mut order), Some(account)) = (erasure::next(sql, platform.now_ms())?, Account::stored(sql)?) else {
        return Ok(false);
    };
    let done = match account.id.as_str() {
        OPERATOR => erasure_everywhere::go_on(platform, sql, &mut order).await,
        id => go_on(platform, sql, id, &mut order).await,
    };
    if done.is_err() {
        // Let other orders go on first.
        erasure::put_off(sql, &order.erasure.id, platform.now_ms().saturating_add(WAIT_MS))?;
    }
    done.map(|()| true)
}

async fn go_on<P: Platform, S: Sql>(
    platform: &P,
    sql: &S,
    account: &str,
    order: &mut Running,
) -> Result<(), PortError> {
    let msisdn = number(platform, order)?;
    let go = Go {
        platform,
        sql,
        account,
        msisdn,
        mask: Mask::of(msisdn),
    };
    match order.step {
        PHONEBOOKS => go.erase_from_phonebooks(order).await?,
        EVENTS => go.erase_from_events(order).await?,
        SANDBOXES => go.erase_from_sandboxes().await?,
        _ => return go.erase_own(order).await,
    }
    if order.position.is_empty() {
        order.step += 1;
    }
    erasure::save(sql, order, platform.now_ms())
}

impl<P: Platform, S: Sql> Go<'_, P, S> {
    /// A step in the object's own storage, in one transaction with the note of it. Then carriers are asked for what they have.
    async fn erase_own(&self, order: &mut Running) -> Result<(), PortError> {
        let mut with_carriers = WithCarriers {
            at_ms: self.platform.now_ms(),
            ..WithCarriers::default()
        };
        unit_of_work::run(self.sql, with_carriers.at_ms, |work| {
            work.master_key = MasterKey::of(self.platform);
            let due_ms = self.step(work, order, &mut with_carriers)?;
            erasure::save(self.sql, order, due_ms)
        })?;
        control::take_back(self.platform, self.account, &with_carriers).await;
        Ok(())
    }

    /// Does a step, and gives the time at which the order goes on.
    fn step(
        &self,
        work: &mut UnitOfWork,
        order: &mut Running,
        with_carriers: &mut WithCarriers,
    ) -> Result<i64, PortError> {
        let (sql, now_ms, found) = (self.sql, work.now_ms, &mut order.erasure.found);
        let position = order.position.parse().unwrap_or(0);
        let next = match order.step {
            MESSAGES => messages::erase(sql, work, self.msisdn, position, found, with_carriers)?,
            OTHERS => others::erase(
                sql,
                work,
                (self.msisdn, &self.mask, order.erasure.created_ms),
                position,
                found,
            )?,
            END => {
                order.step = MESSAGES;
                // What comes after the order has no part in it: else each day's invitation would put its end off.
                let ordered_ms = order.erasure.created_ms;
                let signs_in_ms = sign_in::erasable_ms(sql, self.msisdn, ordered_ms)?;
                let counted_ms = signs_in_ms.max(invitations::erasable_ms(sql, self.msisdn, ordered_ms)?);
                let is_left = messages::is_left(sql, self.msisdn)?
                    || others::is_left(sql, self.msisdn)?
                    || counted_ms.is_some_and(|erasable_ms| erasable_ms <= now_ms);
                let settled_ms = order.erasure.created_ms.saturating_add(SETTLES_MS);
                if !is_left && counted_ms.is_none() && now_ms >= settled_ms {
                    order.erasure.done_ms = Some(now_ms);
                }
                return Ok(if is_left {
                    now_ms.saturating_add(WAIT_MS)
                } else {
                    settled_ms.max(counted_ms.unwrap_or(0)).max(now_ms)
                });
            }
            step => {
                let walk = step - WALKS;
                mentions::walk(sql, walk, &self.mask, (position, mentions::last(sql, walk)?), found)?
            }
        };
        match next {
            Some(position) => order.position = position.to_string(),
            None => {
                order.position.clear();
                order.step += 1;
            }
        }
        Ok(now_ms)
    }

    async fn erase_from_phonebooks(&self, order: &mut Running) -> Result<(), PortError> {
        let erased = phonebook::erasure::erase(self.platform.db(), self.account, self.msisdn).await?;
        order.erasure.found.phonebook_numbers += erased;
        order.position = if erased > 0 { "more".to_owned() } else { String::new() };
        Ok(())
    }

    async fn erase_from_events(&self, order: &mut Running) -> Result<(), PortError> {
        let request = EraseFromEvents {
            msisdn: self.msisdn,
            after: order.position.clone(),
        };
        let refused = |refusal| PortError::unavailable("webhook", format!("refused an erasure: {refusal:?}"));
        let erased = ask_in_time(self.platform, self.account, &request)
            .await?
            .map_err(refused)?;
        order.erasure.found.events += erased.events;
        order.position = erased.next.unwrap_or_default();
        Ok(())
    }

    async fn erase_from_sandboxes(&self) -> Result<(), PortError> {
        for carrier in carriers::of_kind(self.platform.db(), "sandbox").await? {
            let object = Sandbox::object_name(&carrier, self.account, 0);
            sandbox::erasure::erase_number(self.platform, &object, self.msisdn).await?;
        }
        Ok(())
    }
}
