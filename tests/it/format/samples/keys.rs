//! Keys of accounts and operators.

use peyk::account::keys::cascade::{RevokeCascade, Revoked};
use peyk::account::keys::console_sessions::{EndSession, GetOwnKey, OpenSession};
use peyk::account::keys::invitations::{Invitation, InviteMember, Invited};
use peyk::account::keys::links::{CheckLooker, GetLink, MakeLink, MakeMemberLink, UseLink};
use peyk::account::keys::makers::CheckSecond;
use peyk::account::keys::members::{AddMember, Added, ChangeMember, Changed, GetMember, ListMembers, RemoveMember};
use peyk::account::keys::passkeys::check::CheckPasskey;
use peyk::account::keys::passkeys::rule::{GetMemberRule, SetMemberRule};
use peyk::account::keys::passkeys::{AddPasskey, Answered, ListPasskeys, Passkey, RemovePasskey, RenamePasskey};
use peyk::account::keys::requests::{FindKey, IssueKey, ListKeys, NewImprints, RevokeKey, RotateKey, Rotated};
use peyk::account::keys::{KeyView, Member, adoption::AdoptKey, authority::Authority, caps::Caps};
use peyk::auth::{Mode, Scope, console_session::SignedInBy, imprint::Imprint, role::Role};
use peyk::base::named::Named;
use peyk::base::network::Network;

use super::messages::new_message;
use super::{Format, request};

pub fn key() -> KeyView {
    KeyView {
        id: "key-1".to_owned(),
        title: "web shop".to_owned(),
        digest: "cd".repeat(32),
        hint: Some("peyk_live_0123…1b2c".to_owned()),
        scopes: vec![Scope::SmsSend, Scope::AccountRead],
        mode: Mode::Live,
        lines: Some(vec!["10001".to_owned()]),
        created_ms: 1_767_268_800_000,
        expires_ms: Some(1_767_272_400_000),
        revoked_ms: Some(1_767_272_300_000),
        successor: Some("key-2".to_owned()),
        term_ms: Some(1_767_272_400_000),
        used_ms: Some(1_767_268_800_000),
        address: Some("192.0.2.7".to_owned()),
        created_by: Some("key-0".to_owned()),
        caps: caps(),
        session_of: Some("key-0".to_owned()),
        member: Some(person()),
        is_link: true,
        signed_in_by: Some(SignedInBy::Passkey.into()),
        looks: true,
        ways: vec!["key-1".to_owned()],
    }
}

fn person() -> Member {
    Member {
        phone: 989_121_234_567,
        role: Some(Named::Known(Role::Sender)),
        joined_ms: Some(1_767_268_700_000),
    }
}

fn caps() -> Caps {
    Caps {
        ips: Some(vec![Network::parse("192.0.2.0/24").unwrap()]),
        rate_per_minute: Some(60),
        daily_spend: Some(50_000),
    }
}

fn imprints() -> NewImprints {
    let imprint = |digits: &str, hint: &str| Imprint {
        digest: digits.repeat(32),
        hint: hint.to_owned(),
    };
    NewImprints {
        live: imprint("ef", "peyk_live_0123…1b2c"),
        test: imprint("01", "peyk_test_0123…1b2c"),
    }
}

fn issue() -> IssueKey {
    IssueKey {
        by: Authority::Operator,
        id: "key-2".to_owned(),
        imprints: imprints(),
        title: "web shop".to_owned(),
        scopes: Some(vec![Scope::SmsSend]),
        mode: Some(Mode::Test),
        lines: Some(vec!["10001".to_owned()]),
        expires_ms: Some(1_767_272_400_000),
        caps: caps(),
    }
}

fn least_issue() -> IssueKey {
    IssueKey {
        by: Authority::AccountKey("key-1".to_owned()),
        scopes: None,
        mode: None,
        lines: None,
        expires_ms: None,
        caps: Caps::default(),
        ..issue()
    }
}

pub fn least_key() -> KeyView {
    KeyView {
        hint: None,
        lines: None,
        expires_ms: None,
        revoked_ms: None,
        successor: None,
        term_ms: None,
        used_ms: None,
        address: None,
        created_by: None,
        session_of: None,
        caps: Caps::default(),
        member: None,
        is_link: false,
        signed_in_by: None,
        looks: false,
        ways: Vec::new(),
        ..key()
    }
}

/// The requests, each with its answers.
pub fn requests() -> Vec<Vec<Format>> {
    let list_keys = |after| ListKeys { limit: 51, after };
    let rotate = RotateKey {
        by: Authority::AccountKey("key-1".to_owned()),
        id: "key-1".to_owned(),
        new_id: "key-2".to_owned(),
        new_imprints: imprints(),
        old_expires_ms: 1_767_272_400_000,
    };
    let rotated = Rotated {
        old: key(),
        new: least_key(),
    };
    let revoke = RevokeKey {
        by: Authority::OperatorKey("key-2".to_owned()),
        id: "key-1".to_owned(),
    };
    let cascade = RevokeCascade {
        by: Authority::Operator,
        id: "key-1".to_owned(),
        is_member: false,
    };
    let of_member = RevokeCascade {
        by: Authority::Operator,
        id: "key-1".to_owned(),
        is_member: true,
    };
    let revoked = Revoked {
        id: "key-1".to_owned(),
        title: "web shop".to_owned(),
        digest: "cd".repeat(32),
        revoked_ms: 1_767_272_300_000,
        phone: Some(989_121_234_567),
    };
    vec![
        request(&[issue(), least_issue()], vec![key(), least_key()]),
        request(
            &[list_keys(Some("key-1".to_owned())), list_keys(None)],
            vec![vec![key(), least_key()]],
        ),
        request(
            &[FindKey {
                digest: "cd".repeat(32),
            }],
            vec![Some(key()), Some(least_key()), None],
        ),
        request(&[revoke], vec![key()]),
        request(
            &[Some(1_767_272_400_000), None].map(|ends_ms| OpenSession {
                key: "key-0".to_owned(),
                id: "key-1".to_owned(),
                imprint: imprints().live,
                ends_ms,
                by: ends_ms.map(|_| SignedInBy::Passkey.into()),
                credential: ends_ms.map(|_| "AQIDBA".to_owned()),
            }),
            vec![key()],
        ),
        request(&[GetOwnKey { id: "key-1".to_owned() }], vec![key(), least_key()]),
        request(
            &[true, false].map(|everywhere| EndSession {
                id: "key-1".to_owned(),
                everywhere,
            }),
            vec![vec![key()], vec![]],
        ),
        request(&[cascade, of_member], vec![vec![revoked]]),
        request(&[rotate], vec![rotated]),
        request(
            &[CheckSecond {
                first: "key-1".to_owned(),
                second: "key-2".to_owned(),
                session: "session-2".to_owned(),
            }],
            vec![()],
        ),
        request(&[AdoptKey(key()), AdoptKey(least_key())], vec![()]),
    ]
    .into_iter()
    .chain(of_people())
    .chain(of_passkeys())
    .collect()
}

pub fn passkey() -> Passkey {
    Passkey {
        id: "passkey-1".to_owned(),
        member: "key-1".to_owned(),
        title: "Sara's phone".to_owned(),
        credential: "AQIDBA".to_owned(),
        public_key: "BAAB".to_owned(),
        counter: 7,
        created_ms: 1_767_268_800_000,
        used_ms: Some(1_767_268_900_000),
    }
}

pub fn answered() -> Answered {
    Answered {
        challenge: "AAAA".to_owned(),
        ends_ms: 1_767_269_100_000,
    }
}

/// The requests about passkeys.
fn of_passkeys() -> Vec<Vec<Format>> {
    let (session, id) = (|| "session-1".to_owned(), || "passkey-1".to_owned());
    let unused = Passkey {
        used_ms: None,
        ..passkey()
    };
    vec![
        request(
            &[passkey(), unused.clone()].map(|passkey| AddPasskey {
                session: session(),
                passkey,
                answered: answered(),
            }),
            vec![passkey()],
        ),
        request(
            &[ListPasskeys { session: session() }],
            vec![vec![passkey(), unused], vec![]],
        ),
        request(
            &[RenamePasskey {
                session: session(),
                id: id(),
                title: "Old phone".to_owned(),
            }],
            vec![passkey()],
        ),
        request(
            &[RemovePasskey {
                session: session(),
                id: id(),
            }],
            vec![()],
        ),
        request(
            &[CheckPasskey {
                credential: "AQIDBA".to_owned(),
                member: "key-1".to_owned(),
                digest: [7; 32],
                signature: vec![48, 6],
                counter: 8,
                answered: answered(),
            }],
            vec![989_121_234_567],
        ),
        request(&[GetMemberRule], vec![true, false]),
        request(
            &[true, false].map(|only_passkeys| SetMemberRule {
                by: Authority::AccountKey("key-1".to_owned()),
                only_passkeys,
            }),
            vec![vec![key()], vec![]],
        ),
        request(
            &[GetLink {
                link: "key-2".to_owned(),
            }],
            vec![key()],
        ),
        request(
            &[MakeMemberLink {
                by: Authority::Operator,
                member: "key-1".to_owned(),
                id: "key-2".to_owned(),
                imprint: imprints().live,
                ttl_s: 600,
            }],
            vec![key()],
        ),
    ]
}

fn invitation() -> Invitation {
    Invitation {
        id: "key-3".to_owned(),
        code: "peyk_link_0123456789abcdefghijABCDEFGHIJKL0a1b2c".to_owned(),
        message: new_message(),
        pieces: vec!["A Shop invites you: https://sms.example/#".to_owned(), String::new()],
        nonce: [7; 12],
    }
}

/// The requests about members and links.
fn of_people() -> Vec<Vec<Format>> {
    let by = || Authority::AccountKey("key-1".to_owned());
    let add = |role, scopes| AddMember {
        by: by(),
        id: "key-2".to_owned(),
        name: "Sara".to_owned(),
        phone: 989_121_234_567,
        role,
        scopes,
        invitation: None,
    };
    let operator = Member {
        role: None,
        joined_ms: None,
        ..person()
    };
    let operator = KeyView {
        member: Some(operator),
        ..least_key()
    };
    let change = |name: Option<&str>, role| ChangeMember {
        by: by(),
        id: "key-2".to_owned(),
        name: name.map(str::to_owned),
        role,
    };
    let viewer = || (Some(Role::Viewer), vec![Scope::SmsRead]);
    vec![
        request(
            &[
                add(Some(Role::Owner), vec![Scope::SmsSend]),
                AddMember {
                    invitation: Some(invitation()),
                    ..add(None, vec![Scope::AdminRead])
                },
            ],
            [true, false]
                .map(|is_new| Added {
                    member: operator.clone(),
                    is_new,
                    link: is_new.then(key),
                })
                .into(),
        ),
        request(
            &[GetMember {
                by: by(),
                id: "key-2".to_owned(),
            }],
            vec![key()],
        ),
        request(
            &[InviteMember {
                by: by(),
                member: "key-2".to_owned(),
                invitation: invitation(),
            }],
            vec![Invited {
                member: key(),
                link: key(),
            }],
        ),
        request(
            &[Some("key-1".to_owned()), None].map(|after| ListMembers { limit: 51, after }),
            vec![vec![key(), operator.clone()]],
        ),
        request(
            &[change(Some("Mina"), Some(viewer())), change(None, None)],
            vec![Changed {
                member: key(),
                ended: vec![least_key()],
            }],
        ),
        request(
            &[RemoveMember {
                by: by(),
                id: "key-2".to_owned(),
            }],
            vec![key()],
        ),
        request(
            &[Some("operator".to_owned()), None].map(|title| MakeLink {
                by: "key-1".to_owned(),
                title,
                id: "key-2".to_owned(),
                imprint: imprints().live,
                ttl_s: 600,
            }),
            vec![key()],
        ),
        request(
            &[UseLink {
                link: "key-1".to_owned(),
                id: "key-2".to_owned(),
                imprint: imprints().live,
            }],
            vec![key()],
        ),
        request(
            &[CheckLooker {
                key: "key-1".to_owned(),
            }],
            vec![()],
        ),
    ]
}
