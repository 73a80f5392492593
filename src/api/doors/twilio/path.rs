//! The paths of the protocol: those of `api.twilio.com`, of Messaging v1, of Verify v2 and of Lookup v2, and what else lies under the
//! provider's hosts.

use sms::msisdn::digit;

use crate::api::doors::params::decoded_segment;
use crate::api::router;
use crate::webhook::callbacks::twilio::{API_VERSION, is_sid};

/// Where services of messages are told (Messaging v1).
pub const SERVICES: &str = "/v1/Services";

/// A path of the protocol.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Path<'a> {
    /// The SID of the account, as the program writes it. Only paths of `api.twilio.com` have one.
    pub account: Option<&'a str>,
    pub resource: Resource<'a>,
}

/// What a path names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Resource<'a> {
    Accounts,
    Account,
    Balance,
    Lines,
    LinesOf(Kind),
    Line(&'a str),
    Messages,
    Message(&'a str),
    Media(&'a str),
    Services,
    Service(&'a str),
    /// A service of Verify, and what is asked of it.
    Verify(&'a str, OfVerify<'a>),
    Lookup(&'a str),
    /// The service has no such thing.
    #[default]
    Other,
}

impl Resource<'_> {
    /// The methods that it has, as `Allow` lists them.
    pub fn methods(self) -> &'static str {
        match self {
            Resource::Messages | Resource::Verify(_, OfVerify::Verification(_)) => "GET, POST",
            Resource::Message(_) => "GET, POST, DELETE",
            Resource::Verify(_, OfVerify::Verifications | OfVerify::Check) => "POST",
            _ => "GET",
        }
    }
}

/// A kind of lines, of which the provider has a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Local,
    Mobile,
    TollFree,
}

/// What is asked of a service of Verify.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OfVerify<'a> {
    Service,
    Verifications,
    /// The SID of a verification, or its number, as it stands in the path.
    Verification(&'a str),
    Check,
}

impl<'a> Path<'a> {
    /// Reads a path. `None`: it is of another protocol.
    pub fn of(path: &'a str) -> Option<Self> {
        if let Some(rest) = path.strip_prefix('/')?.strip_prefix(API_VERSION).and_then(below) {
            return Some(Self::of_accounts(rest));
        }
        let resource = match path.strip_prefix(SERVICES).and_then(below) {
            Some("") => Resource::Services,
            Some(rest) => match rest.split_once('/') {
                Some(("", sid)) if is_sid("MG", sid) => Resource::Service(sid),
                _ => Resource::Other,
            },
            None => of_other_hosts(path)?,
        };
        Some(Path {
            account: None,
            resource,
        })
    }

    fn of_accounts(rest: &'a str) -> Self {
        let rest = rest.strip_suffix(".json").unwrap_or(rest);
        let steps: Vec<&str> = rest.split('/').skip(1).collect();
        let (account, resource) = match *steps.as_slice() {
            ["Accounts"] => {
                return Path {
                    account: None,
                    resource: Resource::Accounts,
                };
            }
            ["Accounts", account] => (account, Resource::Account),
            ["Accounts", account, "Balance"] => (account, Resource::Balance),
            ["Accounts", account, "IncomingPhoneNumbers"] => (account, Resource::Lines),
            ["Accounts", account, "IncomingPhoneNumbers", "Local"] => (account, Resource::LinesOf(Kind::Local)),
            ["Accounts", account, "IncomingPhoneNumbers", "Mobile"] => (account, Resource::LinesOf(Kind::Mobile)),
            ["Accounts", account, "IncomingPhoneNumbers", "TollFree"] => (account, Resource::LinesOf(Kind::TollFree)),
            ["Accounts", account, "IncomingPhoneNumbers", sid] => (account, Resource::Line(sid)),
            ["Accounts", account, "Messages"] => (account, Resource::Messages),
            ["Accounts", account, "Messages", sid] => (account, Resource::Message(sid)),
            ["Accounts", account, "Messages", sid, "Media"] => (account, Resource::Media(sid)),
            _ => ("", Resource::Other),
        };
        if is_sid("AC", account) {
            Path {
                account: Some(account),
                resource,
            }
        } else {
            Path::default()
        }
    }
}

/// What a path of another host than `api.twilio.com` names. `None`: it is of another protocol.
fn of_other_hosts(path: &str) -> Option<Resource<'_>> {
    let behind = |version: &str| path.strip_prefix(version).and_then(below);
    if let Some(rest) = behind("/v2") {
        return Some(of_v2(rest));
    }
    let is_ours = behind("/v3").is_some() || resource_of_v1(path).is_some_and(is_resource);
    is_ours.then_some(Resource::Other)
}

/// The member behind `/v1`.
fn resource_of_v1(path: &str) -> Option<&str> {
    path.strip_prefix("/v1/")?.split('/').next()
}

/// Whether paths of `/v1` with this next member lie under one of the provider's hosts: it writes all of them but one with a capital, and none
/// of our own is written so. What our own API has in small letters is a mistake of a program of ours.
pub fn is_resource(member: &str) -> bool {
    let is_written_so = member.starts_with(|first: char| first.is_ascii_uppercase()) || member == "a2p";
    is_written_so && !router::is_first_member(member)
}

/// What stands behind the name of a version, without a slash at the end. `None`: the name goes on.
fn below(rest: &str) -> Option<&str> {
    let is_end = rest.is_empty() || rest.starts_with('/');
    is_end.then(|| rest.strip_suffix('/').unwrap_or(rest))
}

fn of_v2(rest: &str) -> Resource<'_> {
    let steps: Vec<&str> = rest.split('/').skip(1).collect();
    match *steps.as_slice() {
        ["PhoneNumbers", number] => Resource::Lookup(number),
        ["Services", service, ref of @ ..] if is_sid("VA", service) => match *of {
            [] => Resource::Verify(service, OfVerify::Service),
            ["Verifications"] => Resource::Verify(service, OfVerify::Verifications),
            ["Verifications", name] => Resource::Verify(service, OfVerify::Verification(name)),
            ["VerificationCheck"] => Resource::Verify(service, OfVerify::Check),
            _ => Resource::Other,
        },
        _ => Resource::Other,
    }
}

/// The member before a number that is looked up.
const LOOKUP: &str = "PhoneNumbers";
/// Digits that are no phone number have fewer.
const PHONE_DIGITS: usize = 8;

/// Whether a path may have a phone number where this protocol has one, also if the rest is written wrong.
pub fn may_have_number(path: &str) -> bool {
    let is_sid = |member: &str| is_sid(member.get(..2).unwrap_or_default(), member);
    let has_number = |member: &str| {
        let digits = decoded_segment(member);
        digits.chars().filter(|char| digit(*char).is_some()).count() >= PHONE_DIGITS && !is_sid(member)
    };
    // Below `/v1` are our own paths, too, whose ids have as many digits.
    let is_there = |member: &str| is_resource(member) || member.eq_ignore_ascii_case(LOOKUP);
    let of_v1 = || {
        path.strip_prefix("/v1")
            .filter(|_| resource_of_v1(path).is_some_and(is_there))
    };
    let rest = ["/v2", "/v3"]
        .iter()
        .find_map(|version| path.strip_prefix(version).and_then(below));
    rest.or_else(of_v1).is_some_and(|rest| rest.split('/').any(has_number))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEX: &str = "0123456789abcdef0123456789ABCDEF";

    #[test]
    fn paths_of_the_protocol_are_known() {
        let of = |path: &str| {
            let path = path.replace("{}", HEX);
            Path::of(&path).map(|path| format!("{:?}", path.resource).replace(HEX, "{}"))
        };
        for (path, resource) in [
            ("/2010-04-01/Accounts.json", "Accounts"),
            ("/2010-04-01/Accounts/AC{}.json", "Account"),
            ("/2010-04-01/Accounts/AC{}/Balance.json", "Balance"),
            ("/2010-04-01/Accounts/AC{}/IncomingPhoneNumbers.json", "Lines"),
            ("/2010-04-01/Accounts/AC{}/IncomingPhoneNumbers/PN1", "Line(\"PN1\")"),
            ("/2010-04-01/Accounts/AC{}/Messages.json", "Messages"),
            ("/2010-04-01/Accounts/AC{}/Messages", "Messages"),
            ("/2010-04-01/Accounts/AC{}/Messages/SM1.json", "Message(\"SM1\")"),
            ("/2010-04-01/Accounts/AC{}/Messages/SM1/Media.json", "Media(\"SM1\")"),
            ("/2010-04-01/Accounts/AC{}/Messages.xml", "Other"),
            ("/2010-04-01/Accounts/AC{}/Calls.json", "Other"),
            ("/2010-04-01/Accounts/AC1/Messages.json", "Other"),
            ("/2010-04-01", "Other"),
            ("/2010-04-01//", "Other"),
            ("/v1/Services", "Services"),
            ("/v1/Services/", "Services"),
            ("/v1/Services/MG{}", "Service(\"MG{}\")"),
            ("/v1/Services/MG1", "Other"),
            ("/v1/Services/MG{}/PhoneNumbers", "Other"),
            ("/v2/Services/VA{}", "Verify(\"VA{}\", Service)"),
            ("/v2/Services/VA{}/Verifications", "Verify(\"VA{}\", Verifications)"),
            (
                "/v2/Services/VA{}/Verifications/VE1",
                "Verify(\"VA{}\", Verification(\"VE1\"))",
            ),
            ("/v2/Services/VA{}/VerificationCheck", "Verify(\"VA{}\", Check)"),
            ("/v2/Services/VA{}/Entities", "Other"),
            ("/v2/Services/VA1/Verifications", "Other"),
            ("/v2/Services", "Other"),
            ("/v2/PhoneNumbers/+98", "Lookup(\"+98\")"),
            ("/v2", "Other"),
            ("/v3/Services/IS1", "Other"),
            ("/v1/ServicesX", "Other"),
            ("/v1/PhoneNumbers/+98", "Other"),
            ("/v1/Sinks", "Other"),
            ("/v1/a2p/BrandRegistrations", "Other"),
            (
                "/2010-04-01/Accounts/AC{}/IncomingPhoneNumbers/Local.json",
                "LinesOf(Local)",
            ),
            (
                "/2010-04-01/Accounts/AC{}/IncomingPhoneNumbers/Mobile",
                "LinesOf(Mobile)",
            ),
            (
                "/2010-04-01/Accounts/AC{}/IncomingPhoneNumbers/TollFree.json",
                "LinesOf(TollFree)",
            ),
        ] {
            assert_eq!(of(path).as_deref(), Some(resource), "{path}");
        }
        for other in [
            "/2010-04-011/Accounts",
            "/v1/2010-04-01/Accounts",
            "2010-04-01",
            "/messages",
            "/v1/services",
            "/v1/Messages",
            "/v1/Verify/x",
            "/v1/",
            "/v1",
            "/v2x",
            "/v3x",
            "/v4/Services",
            "",
        ] {
            assert_eq!(Path::of(other), None, "{other}");
        }
    }
}
