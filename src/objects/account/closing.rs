//! How an account's object goes on with its closing: keys first, then the directory, the webhook object, and its own storage.

use super::{AccountObject, GOES};
use crate::account::closing::{self, Closing, Step};
use crate::account::keys::ended;
use crate::account::record::account_row::Account;
use crate::base::ports::{Platform, PortError, Sql};
use crate::directory::closing as directory;
use crate::durable::ask_in_time;
use crate::webhook::closing::ForgetAll;

impl AccountObject {
    /// Goes on with the closing, for some goes. What is left is due at once again.
    pub(super) async fn go_on_with_closing<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        for _ in 0..GOES {
            let (Some(closing), Some(account)) = (closing::next(sql, platform.now_ms())?, Account::stored(sql)?) else {
                break;
            };
            if !self.close_more(platform, sql, &account.id, &closing).await? {
                closing::pass(sql, &closing, platform.now_ms())?;
            }
        }
        Ok(())
    }

    /// One go of a step; `true` when it has more to do.
    async fn close_more<P: Platform, S: Sql>(
        &self,
        platform: &P,
        sql: &S,
        account: &str,
        closing: &Closing,
    ) -> Result<bool, PortError> {
        match closing.step {
            Step::Keys => {
                let keys = ended::revoked(sql)?;
                self.forget_keys(platform, sql, &keys).await?;
                Ok(!keys.is_empty())
            }
            Step::Directory => {
                let cleared = directory::clear(platform.db(), account, closing.closed_ms).await?;
                closing::note_removals(sql, &cleared.phonebooks, platform.now_ms())?;
                Ok(cleared.has_more)
            }
            Step::Webhooks => {
                let refused = |refusal| PortError::unavailable("webhook", format!("refused a closing: {refusal:?}"));
                ask_in_time(platform, account, &ForgetAll).await?.map_err(refused)
            }
            Step::Own => closing::forget_own(sql),
        }
    }
}
