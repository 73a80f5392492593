//! Which routes the audit log has, and what it says of who asks for what.
//!
//! [`of`] has a decision for every route, or it does not compile. `tests/audit.rs` holds each to it.

use super::context::Context;
use crate::account::OPERATOR;
use crate::api::problem::Problem;
use crate::api::routes::Operation;
use crate::base::id;
use crate::base::ports::Platform;
use crate::directory::audit::{Audited, Entry};
use crate::durable::audit::{Note, Thing};

/// What becomes of a route in the audit log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audit {
    /// The route changes nothing.
    Reads,
    /// The route changes a thing of this kind. Each change has an entry.
    Logged(Thing),
    /// The route changes something that is not for the log, for this reason.
    Unlogged(&'static str),
}

const IS_A_SEND: &str = "The message is the record of itself, and a line of the ledger beside it.";
const IS_A_QUESTION: &str = "It asks only, with a body.";
const IS_CONTENT: &str = "The numbers of a phonebook are data about people, which must go when their owner deletes them. The \
    log keeps what it has.";
const IS_AN_EVENT: &str = "It sends an event and changes no setting. The log of deliveries has it.";
const IS_A_REPORT: &str = "A carrier's gateway calls it, without a key.";

/// What becomes of a route in the audit log.
pub fn of(operation: Operation) -> Audit {
    use Operation as Op;
    match operation {
        Op::GetHome
        | Op::GetHealth
        | Op::ListMessages
        | Op::GetMessage
        | Op::ListRecipients
        | Op::ListInbound
        | Op::ListPhonebooks
        | Op::GetPhonebook
        | Op::ExportNumbers
        | Op::ListNumbers
        | Op::ListPatterns
        | Op::GetPattern
        | Op::ListBlacklist
        | Op::GetAccountInfo
        | Op::ListTransactions
        | Op::ListUsage
        | Op::GetLowBalance
        | Op::AdminGetLowBalance
        | Op::ListKeys
        | Op::GetTariff
        | Op::ListLines
        | Op::ListWebhooks
        | Op::GetWebhook
        | Op::ListDeliveries
        | Op::AdminListAccounts
        | Op::AdminGetAccount
        | Op::AdminListKeys
        | Op::AdminListOperatorKeys
        | Op::AdminListSandbox
        | Op::AdminListRecipients
        | Op::AdminListPendingPatterns
        | Op::AdminListCarriers
        | Op::AdminGetCarrier
        | Op::AdminListLines
        | Op::AdminGetLine
        | Op::AdminGetLineInbound
        | Op::AdminListUnclaimed
        | Op::AdminListPlans
        | Op::AdminListDeadLetters
        | Op::AdminGetSending
        | Op::AdminGetUsage
        | Op::AdminGetHealth
        | Op::AdminReconcile
        | Op::AdminListAudit => Audit::Reads,
        Op::GetDeliveryReport | Op::PostDeliveryReport | Op::GetInboundMessage | Op::PostInboundMessage => {
            Audit::Unlogged(IS_A_REPORT)
        }
        Op::SendSms | Op::SendPattern | Op::SendToPhonebook | Op::SendBulk => Audit::Unlogged(IS_A_SEND),
        Op::EstimateSend => Audit::Unlogged(IS_A_QUESTION),
        Op::ImportNumbers | Op::AddNumbers | Op::ChangeNumber | Op::DeleteNumber => Audit::Unlogged(IS_CONTENT),
        Op::TestWebhook | Op::RedeliverEvent => Audit::Unlogged(IS_AN_EVENT),
        Op::CancelMessage => Audit::Logged(Thing::Message),
        Op::CreatePhonebook
        | Op::ChangePhonebookInBody
        | Op::DeletePhonebookInQuery
        | Op::ChangePhonebook
        | Op::DeletePhonebook => Audit::Logged(Thing::Phonebook),
        Op::CreatePattern
        | Op::ChangePattern
        | Op::DeletePattern
        | Op::CreatePatternVersion
        | Op::ActivatePatternVersion
        | Op::DeactivatePattern
        | Op::AdminApprovePattern => Audit::Logged(Thing::Pattern),
        Op::AddToBlacklist | Op::RemoveFromBlacklist => Audit::Logged(Thing::Blacklist),
        Op::CreateWebhook | Op::ChangeWebhook | Op::DeleteWebhook | Op::RotateWebhookSecret => {
            Audit::Logged(Thing::Webhook)
        }
        Op::AdminCreateAccount
        | Op::AdminChangeAccount
        | Op::AdminAddCredit
        | Op::SetLowBalance
        | Op::AdminSetLowBalance => Audit::Logged(Thing::Account),
        Op::IssueKey
        | Op::RevokeKey
        | Op::RotateKey
        | Op::AdminIssueKey
        | Op::AdminRevokeKey
        | Op::AdminRotateKey
        | Op::AdminIssueOperatorKey
        | Op::AdminRevokeOperatorKey
        | Op::AdminRotateOperatorKey => Audit::Logged(Thing::Key),
        Op::AdminCreateCarrier | Op::AdminChangeCarrier | Op::AdminDeleteCarrier => Audit::Logged(Thing::Carrier),
        Op::AdminCreateLine | Op::AdminChangeLine | Op::AdminDeleteLine => Audit::Logged(Thing::Line),
        Op::AdminSetLineInbound => Audit::Logged(Thing::LineInbound),
        Op::AdminCreatePlan | Op::AdminChangePlan => Audit::Logged(Thing::Plan),
        Op::AdminSwitchSending => Audit::Logged(Thing::Sending),
        Op::AdminRestoreAccount => Audit::Logged(Thing::Restore),
        Op::AdminRetryDeadLetter => Audit::Logged(Thing::DeadLetter),
    }
}

/// The parameters of paths that name an account, and not the thing.
const OF_ACCOUNTS: &str = "/admin/accounts/";

impl<P: Platform> Context<'_, P> {
    /// What the audit log is to say of a change that this request makes, to a thing of the account. `None`: the log has no
    /// such requests.
    pub fn audit_note(&self, account: Option<&str>) -> Result<Option<(Thing, Note)>, Problem> {
        let Some(Audit::Logged(thing)) = self.request.operation.map(of) else {
            return Ok(None);
        };
        let (Some(operation), caller) = (self.request.operation, self.caller()?) else {
            return Ok(None);
        };
        let id = self.record.entry_id(|| id::new(self.platform))?;
        let note = Note {
            at_ms: id::made_ms(&id).unwrap_or(self.request.now_ms),
            id,
            actor: caller.account().to_owned(),
            key: caller.key_id().to_owned(),
            account: account.filter(|account| *account != OPERATOR).map(str::to_owned),
            operation: operation.name().to_owned(),
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
        let account = match self.record.route {
            _ if caller != OPERATOR => Some(caller),
            Some(path) if path.starts_with(OF_ACCOUNTS) => Some(self.request.params.get("id")),
            _ => None,
        };
        let noted = self.audit_note(account)?;
        let entry = noted.map(|(thing, note)| Entry {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::routes::{Access, ROUTES};

    #[test]
    fn each_route_that_does_not_read_says_what_the_log_has_of_it() {
        for route in ROUTES {
            let reads = of(route.operation) == Audit::Reads;
            let may_only_read =
                route.method == "GET" && route.access != Access::Public || ["/", "/health"].contains(&route.path);
            assert_eq!(reads, may_only_read, "{} {}", route.method, route.path);
        }
    }
}
