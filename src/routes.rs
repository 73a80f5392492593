//! The one table of all routes: method, path, who may come in, and what answers. The whole API on one screen; 404, 405 and
//! `Allow` come from it too.

use form_urlencoded::parse;

use crate::auth::Scope;
use crate::problem::Problem;

/// Who may come in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Everybody.
    Public,
    /// A key with this scope.
    Key(Scope),
}

/// What answers a route: one handler each, under `api/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of the table below")]
pub enum Endpoint {
    Health,
    SmsSend,
    SmsPattern,
    SmsPhonebook,
    SmsBulk,
    SmsEstimate,
    ListMessages,
    GetMessage,
    CancelMessage,
    ListRecipients,
    CreatePhonebook,
    ListPhonebooks,
    GetPhonebook,
    ChangePhonebook,
    ChangePhonebookInBody,
    DeletePhonebook,
    DeletePhonebookInQuery,
    AddNumbers,
    ListNumbers,
    ChangeNumber,
    DeleteNumber,
    ImportNumbers,
    ExportNumbers,
    CreatePattern,
    ListPatterns,
    GetPattern,
    ChangePattern,
    DeletePattern,
    CreatePatternVersion,
    ActivatePatternVersion,
    DeactivatePattern,
    ListBlacklist,
    AddToBlacklist,
    RemoveFromBlacklist,
    AccountInfo,
    Tariff,
    Transactions,
    ListLines,
    AdminCreateAccount,
    AdminListAccounts,
    AdminGetAccount,
    AdminChangeAccount,
    AdminCredit,
    AdminIssueKey,
    AdminListKeys,
    AdminRevokeKey,
    AdminRotateKey,
    AdminSandboxInbox,
    AdminPendingPatterns,
    AdminApprovePattern,
    AdminCreateLine,
    AdminListLines,
    AdminGetLine,
    AdminChangeLine,
    AdminDeleteLine,
    AdminCreatePlan,
    AdminListPlans,
    AdminChangePlan,
    AdminSwitchSending,
    AdminDeadLetters,
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Route {
    /// The method.
    pub method: &'static str,
    /// The path; `{…}` stands for one segment.
    pub path: &'static str,
    /// Who may come in.
    pub access: Access,
    /// What answers.
    pub endpoint: Endpoint,
}

const fn route(method: &'static str, path: &'static str, access: Access, endpoint: Endpoint) -> Route {
    Route {
        method,
        path,
        access,
        endpoint,
    }
}

const SEND: Access = Access::Key(Scope::SmsSend);
const READ: Access = Access::Key(Scope::SmsRead);
const ACCOUNT: Access = Access::Key(Scope::AccountRead);
const PHONEBOOK: Access = Access::Key(Scope::Phonebook);
const PATTERN: Access = Access::Key(Scope::Pattern);
const BLACKLIST: Access = Access::Key(Scope::Blacklist);
const ADMIN: Access = Access::Key(Scope::Admin);

/// All routes. Each answers under `/v1` too.
pub const ROUTES: &[Route] = &[
    route("GET", "/health", Access::Public, Endpoint::Health),
    route("POST", "/sms/send", SEND, Endpoint::SmsSend),
    route("POST", "/sms/pattern", SEND, Endpoint::SmsPattern),
    route("POST", "/sms/phonebook/send", SEND, Endpoint::SmsPhonebook),
    route("POST", "/sms/bulk", SEND, Endpoint::SmsBulk),
    route("POST", "/sms/estimate", SEND, Endpoint::SmsEstimate),
    route("GET", "/messages", READ, Endpoint::ListMessages),
    route("GET", "/messages/{uid}", READ, Endpoint::GetMessage),
    route("DELETE", "/messages/{uid}", SEND, Endpoint::CancelMessage),
    route("GET", "/messages/{uid}/recipients", READ, Endpoint::ListRecipients),
    route("POST", "/phonebook", PHONEBOOK, Endpoint::CreatePhonebook),
    route("GET", "/phonebook", PHONEBOOK, Endpoint::ListPhonebooks),
    route("PUT", "/phonebook", PHONEBOOK, Endpoint::ChangePhonebookInBody),
    route("DELETE", "/phonebook", PHONEBOOK, Endpoint::DeletePhonebookInQuery),
    route("GET", "/phonebook/{id}", PHONEBOOK, Endpoint::GetPhonebook),
    route("PUT", "/phonebook/{id}", PHONEBOOK, Endpoint::ChangePhonebook),
    route("DELETE", "/phonebook/{id}", PHONEBOOK, Endpoint::DeletePhonebook),
    route("POST", "/phonebook/{id}/import", PHONEBOOK, Endpoint::ImportNumbers),
    route("GET", "/phonebook/{id}/export", PHONEBOOK, Endpoint::ExportNumbers),
    route(
        "POST",
        "/phonebook/number/{phonebookId}",
        PHONEBOOK,
        Endpoint::AddNumbers,
    ),
    route(
        "GET",
        "/phonebook/number/{phonebookId}",
        PHONEBOOK,
        Endpoint::ListNumbers,
    ),
    route(
        "PUT",
        "/phonebook/number/{phonebookId}/{numberId}",
        PHONEBOOK,
        Endpoint::ChangeNumber,
    ),
    route(
        "DELETE",
        "/phonebook/number/{phonebookId}/{numberId}",
        PHONEBOOK,
        Endpoint::DeleteNumber,
    ),
    route("POST", "/pattern", PATTERN, Endpoint::CreatePattern),
    route("GET", "/pattern", PATTERN, Endpoint::ListPatterns),
    route("GET", "/pattern/{slug}", PATTERN, Endpoint::GetPattern),
    route("PUT", "/pattern/{slug}", PATTERN, Endpoint::ChangePattern),
    route("DELETE", "/pattern/{slug}", PATTERN, Endpoint::DeletePattern),
    route(
        "POST",
        "/pattern/{slug}/versions",
        PATTERN,
        Endpoint::CreatePatternVersion,
    ),
    route(
        "POST",
        "/pattern/{slug}/versions/{n}/activate",
        PATTERN,
        Endpoint::ActivatePatternVersion,
    ),
    route(
        "POST",
        "/pattern/{slug}/deactivate",
        PATTERN,
        Endpoint::DeactivatePattern,
    ),
    route("GET", "/blacklist", BLACKLIST, Endpoint::ListBlacklist),
    route("POST", "/blacklist", BLACKLIST, Endpoint::AddToBlacklist),
    route("DELETE", "/blacklist", BLACKLIST, Endpoint::RemoveFromBlacklist),
    route("GET", "/account/info", ACCOUNT, Endpoint::AccountInfo),
    route("GET", "/account/transactions", ACCOUNT, Endpoint::Transactions),
    route("GET", "/plan/tariff", ACCOUNT, Endpoint::Tariff),
    route("GET", "/lines", ACCOUNT, Endpoint::ListLines),
    route("POST", "/admin/accounts", ADMIN, Endpoint::AdminCreateAccount),
    route("GET", "/admin/accounts", ADMIN, Endpoint::AdminListAccounts),
    route("GET", "/admin/accounts/{id}", ADMIN, Endpoint::AdminGetAccount),
    route("PATCH", "/admin/accounts/{id}", ADMIN, Endpoint::AdminChangeAccount),
    route("POST", "/admin/accounts/{id}/credit", ADMIN, Endpoint::AdminCredit),
    route("POST", "/admin/accounts/{id}/keys", ADMIN, Endpoint::AdminIssueKey),
    route("GET", "/admin/accounts/{id}/keys", ADMIN, Endpoint::AdminListKeys),
    route(
        "DELETE",
        "/admin/accounts/{id}/keys/{key}",
        ADMIN,
        Endpoint::AdminRevokeKey,
    ),
    route(
        "POST",
        "/admin/accounts/{id}/keys/{key}/rotate",
        ADMIN,
        Endpoint::AdminRotateKey,
    ),
    route(
        "GET",
        "/admin/accounts/{id}/sandbox",
        ADMIN,
        Endpoint::AdminSandboxInbox,
    ),
    route("GET", "/admin/patterns", ADMIN, Endpoint::AdminPendingPatterns),
    route(
        "POST",
        "/admin/accounts/{id}/patterns/{slug}/versions/{n}/activate",
        ADMIN,
        Endpoint::AdminApprovePattern,
    ),
    route("POST", "/admin/lines", ADMIN, Endpoint::AdminCreateLine),
    route("GET", "/admin/lines", ADMIN, Endpoint::AdminListLines),
    route("GET", "/admin/lines/{number}", ADMIN, Endpoint::AdminGetLine),
    route("PATCH", "/admin/lines/{number}", ADMIN, Endpoint::AdminChangeLine),
    route("DELETE", "/admin/lines/{number}", ADMIN, Endpoint::AdminDeleteLine),
    route("POST", "/admin/plans", ADMIN, Endpoint::AdminCreatePlan),
    route("GET", "/admin/plans", ADMIN, Endpoint::AdminListPlans),
    route("PATCH", "/admin/plans/{slug}", ADMIN, Endpoint::AdminChangePlan),
    route("PUT", "/admin/sending", ADMIN, Endpoint::AdminSwitchSending),
    route("GET", "/admin/dead-letters", ADMIN, Endpoint::AdminDeadLetters),
];

/// The values of a path's `{…}` segments, percent-decoded, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PathParams(Vec<String>);

impl PathParams {
    /// The value at `position`. A route that has it always gives it.
    pub fn at(&self, position: usize) -> &str {
        self.0.get(position).map_or("", String::as_str)
    }
}

/// The route of a method and path.
pub fn find(method: &str, path: &str) -> Result<(&'static Route, PathParams), Problem> {
    let path = path
        .strip_prefix("/v1")
        .filter(|rest| rest.starts_with('/'))
        .unwrap_or(path);
    let mut allowed: Vec<&str> = Vec::new();
    for route in ROUTES {
        if let Some(params) = matches(route.path, path) {
            if route.method == method {
                return Ok((route, params));
            }
            allowed.push(route.method);
        }
    }
    match allowed.is_empty() {
        true => Err(Problem::NotFound),
        false => Err(Problem::MethodNotAllowed {
            allow: allowed.join(", "),
        }),
    }
}

fn matches(pattern: &str, path: &str) -> Option<PathParams> {
    let (mut patterns, mut segments) = (pattern.split('/'), path.split('/'));
    let mut params = Vec::new();
    loop {
        match (patterns.next(), segments.next()) {
            (None, None) => return Some(PathParams(params)),
            (Some(name), Some(segment)) if name.starts_with('{') && !segment.is_empty() => {
                params.push(percent_decoded(segment));
            }
            (Some(name), Some(segment)) if name == segment => {}
            _ => return None,
        }
    }
}

/// A segment without its percent-encoding; in paths a `+` is a plus.
fn percent_decoded(segment: &str) -> String {
    if !segment.contains('%') {
        return segment.to_owned();
    }
    let as_query = segment.replace('+', "%2B").replace('&', "%26").replace('=', "%3D");
    parse(as_query.as_bytes())
        .next()
        .map_or(String::new(), |(name, _)| name.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_with_and_without_their_version() {
        for path in ["/messages/0198/recipients", "/v1/messages/0198/recipients"] {
            let (route, params) = find("GET", path).unwrap();
            assert_eq!(route.endpoint, Endpoint::ListRecipients);
            assert_eq!(params.at(0), "0198");
        }
        for path in [
            "",
            "/",
            "/v1",
            "/v1/",
            "/nothing",
            "/messages/",
            "/messages//recipients",
            "/v1/v1/messages",
            "/v1messages",
        ] {
            assert_eq!(find("GET", path).unwrap_err(), Problem::NotFound, "{path}");
        }
    }

    #[test]
    fn a_known_path_with_another_method_tells_which_it_has() {
        let allow = |method, path| match find(method, path) {
            Err(Problem::MethodNotAllowed { allow }) => allow,
            other => panic!("{other:?}"),
        };
        assert_eq!(allow("GET", "/sms/send"), "POST");
        assert_eq!(allow("PUT", "/admin/lines/10001"), "GET, PATCH, DELETE");
    }

    #[test]
    fn segments_are_percent_decoded() {
        let (_, params) = find("GET", "/admin/lines/%2B98%20+1%26=").unwrap();
        assert_eq!(params.at(0), "+98 +1&=");
    }

    #[test]
    fn no_two_routes_are_the_same() {
        for (position, route) in ROUTES.iter().enumerate() {
            for other in &ROUTES[position + 1..] {
                assert!(
                    (route.method, route.path) != (other.method, other.path),
                    "{} {}",
                    route.method,
                    route.path
                );
            }
        }
    }

    #[test]
    fn every_admin_path_needs_the_admin_scope_and_no_other_does() {
        for route in ROUTES {
            let is_admin = route.access == Access::Key(Scope::Admin);
            assert_eq!(route.path.starts_with("/admin/"), is_admin, "{}", route.path);
        }
    }
}
