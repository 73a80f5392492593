//! What the audit log says of who asks for what, and of which thing. Whether it has a route's changes at all, the route's row
//! says (`api/routes.rs`).

use super::context::Context;
use super::route::Audit;
use crate::account::OPERATOR;
use crate::api::problem::Problem;
use crate::base::{id, ports::Platform};
use crate::directory::audit::{AuditEntry, Audited};
use crate::durable::audit::{Note, Thing};

/// The parameters of paths that name an account, and not the thing.
const OF_ACCOUNTS: &str = "/admin/accounts/";

impl<P: Platform> Context<'_, P> {
    /// What the audit log is to say of a change that this request makes, to a thing of the account. `None`: the log has no
    /// such requests.
    pub fn audit_note(&self, account: Option<&str>) -> Result<Option<(Thing, Note)>, Problem> {
        let Some(route) = self.request.route else {
            return Ok(None);
        };
        let Audit::Logged(thing) = route.audit else {
            return Ok(None);
        };
        let caller = self.caller()?;
        let id = self.record.entry_id(|| id::new(self.platform))?;
        let note = Note {
            at_ms: id::made_ms(&id).unwrap_or(self.request.now_ms),
            id,
            actor: caller.account().to_owned(),
            key: caller.key_id().to_owned(),
            account: account.filter(|account| *account != OPERATOR).map(str::to_owned),
            operation: route.name.to_owned(),
            thing: thing.as_str().to_owned(),
            name: self.request.params.last().map(str::to_owned),
            request: self.request.id.clone(),
        };
        Ok(Some((thing, note)))
    }

    /// The directory, to change the thing with this id: the change and its entry in the audit log are one transaction.
    pub fn audited_db(&self, name: &str) -> Result<Audited<'_, P::Db>, Problem> {
        self.audited_db_with(name, None)
    }

    /// As [`Context::audited_db`], with members of a JSON object that the entry is to have too.
    pub fn audited_db_with(&self, name: &str, remark: Option<String>) -> Result<Audited<'_, P::Db>, Problem> {
        let caller = self.caller()?.account();
        let account = match self.request.route {
            _ if caller != OPERATOR => Some(caller),
            Some(route) if route.path.starts_with(OF_ACCOUNTS) => Some(self.request.params.get("id")),
            _ => None,
        };
        let noted = self.audit_note(account)?;
        let entry = noted.map(|(thing, note)| AuditEntry {
            note: Note {
                account: note
                    .account
                    .or_else(|| (thing == Thing::Account).then(|| name.to_owned())),
                name: Some(name.to_owned()),
                ..note
            },
            thing,
            remark,
        });
        Ok(Audited::new(self.platform.db(), entry))
    }
}
