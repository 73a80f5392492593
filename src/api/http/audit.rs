//! What the audit log says of who asks for what, and of which thing. Whether it has a route's changes at all, the route's row
//! says (`api/routes.rs`).

use serde_json::json;

use super::context::Context;
use super::route::{Audit, RouteInfo};
use crate::account::OPERATOR;
use crate::auth::secret::{Keys, Purpose};
use crate::auth::{self, Mode};
use crate::base::id;
use crate::base::ports::{Platform, PortError};
use crate::directory::audit::{self, AuditEntry, Audited, Shown};
use crate::durable::audit::{LONG_TEXT, Note, Thing};
use crate::problem::Problem;

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
        // What a test key changes is its own, and would take room in the log from what counts.
        if caller.mode() == Mode::Test {
            return Ok(None);
        }
        let id = self.record.entry_id(|| id::new(self.platform))?;
        let note = Note {
            at_ms: id::made_ms(&id).unwrap_or(self.request.now_ms),
            id,
            actor: caller.account().to_owned(),
            key: caller.lasting_key().to_owned(),
            account: account.filter(|account| *account != OPERATOR).map(str::to_owned),
            operation: route.name.to_owned(),
            thing: thing.as_str().to_owned(),
            name: self.request.params.last().map(str::to_owned),
            request: self.request.logged_id(),
            address: self.request.head.address.clone(),
            digest: self.record.digest(),
            bytes_a_day: (caller.account() != OPERATOR).then_some(self.app.config.audit_bytes_a_day),
        };
        Ok(Some((thing, note)))
    }

    /// Notes that the operator who asks is about to be shown numbers or texts of customers: of these accounts, of each all or one
    /// thing. It comes before the answer: without the entry, nothing is shown.
    pub async fn note_shown(&self, shown: &[(&str, Option<&str>)]) -> Result<(), Problem> {
        let Some((
            RouteInfo {
                name,
                audit: Audit::Shows(thing),
                ..
            },
            false,
        )) = self.request.route.map(|route| (*route, shown.is_empty()))
        else {
            return Ok(());
        };
        let caller = self.caller()?;
        let entry = |(account, name): &(&str, Option<&str>)| -> Result<Shown, PortError> {
            Ok(Shown {
                id: id::new(self.platform)?,
                account: (*account).to_owned(),
                name: name.map(str::to_owned),
            })
        };
        let entries: Vec<Shown> = shown.iter().map(entry).collect::<Result<_, _>>()?;
        let more = id::new(self.platform)?;
        let note = Note {
            at_ms: id::made_ms(&more).unwrap_or(self.request.now_ms),
            id: more.clone(),
            actor: caller.account().to_owned(),
            key: caller.lasting_key().to_owned(),
            account: None,
            operation: name.to_owned(),
            thing: thing.as_str().to_owned(),
            name: None,
            request: self.request.logged_id(),
            address: self.request.head.address.clone(),
            digest: None,
            bytes_a_day: None,
        };
        Ok(audit::note_shown(self.platform.db(), &note, &entries, &more).await?)
    }

    /// Notes a digest of what the request brings and its entry leaves out, for the entry. Only who has the secret can make it, so
    /// nobody can try out which number or text it was; the same content of an account has the same digest. Without a usable
    /// secret there is none.
    pub fn note_digest(&self, content: &str) {
        if let (Ok(caller), Ok(keys)) = (self.caller(), Keys::of(self.platform, Purpose::AuditDigest)) {
            let tag = keys.tag(&[caller.account().as_bytes(), b"\n", content.as_bytes()]);
            self.record.note_digest(auth::hex(&tag));
        }
    }

    /// As [`Context::note_digest`], of those texts that are too long for an entry. Without any there is no digest.
    pub fn note_digest_of_long(&self, texts: &[Option<&str>]) {
        let is_long = |text: &&str| text.chars().count() > LONG_TEXT;
        let long: Vec<&str> = texts.iter().flatten().copied().filter(is_long).collect();
        if !long.is_empty() {
            self.note_digest(&long.join("\n"));
        }
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
        Ok(self.audited(noted, name, remark))
    }

    /// The directory, to change the credit with this id, of this account.
    pub fn audited_credit(&self, account: &str, id: &str) -> Result<Audited<'_, P::Db>, Problem> {
        let noted = self.audit_note(Some(account))?.map(|(_, note)| {
            let thing = Thing::Credit;
            let named = thing.as_str().to_owned();
            (thing, Note { thing: named, ..note })
        });
        Ok(self.audited(noted, id, None))
    }

    fn audited(&self, noted: Option<(Thing, Note)>, name: &str, remark: Option<String>) -> Audited<'_, P::Db> {
        let entry = noted.map(|(thing, note)| AuditEntry {
            remark: remark.or_else(|| note.digest.as_ref().map(|digest| json!({"digest": digest}).to_string())),
            note: Note {
                account: note
                    .account
                    .or_else(|| (thing == Thing::Account).then(|| name.to_owned())),
                name: Some(name.to_owned()),
                ..note
            },
            thing,
        });
        Audited::new(self.platform.db(), entry, &self.record.audited_bytes)
    }
}
