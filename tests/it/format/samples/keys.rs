//! Keys of accounts and operators.

use peyk::account::keys::operator::{AdoptKey, RevokeOperatorKey};
use peyk::account::keys::own::{IssueOwnKey, RevokeOwnKey, RotateOwnKey};
use peyk::account::keys::{IssueKey, KeyView, ListKeys, NewDigests, RevokeKey, RotateKey, Rotated};
use peyk::auth::{Mode, Scope};

use super::{Format, request};

pub fn key() -> KeyView {
    KeyView {
        id: "key-1".to_owned(),
        title: "web shop".to_owned(),
        digest: "cd".repeat(32),
        scopes: vec![Scope::SmsSend, Scope::AccountRead],
        mode: Mode::Live,
        lines: Some(vec!["10001".to_owned()]),
        created_ms: 1_767_268_800_000,
        expires_ms: Some(1_767_272_400_000),
        revoked_ms: Some(1_767_272_300_000),
        successor: Some("key-2".to_owned()),
        term_ms: Some(1_767_272_400_000),
        used_day: Some(20_454),
    }
}

pub fn digests() -> NewDigests {
    NewDigests {
        live: "ef".repeat(32),
        test: "01".repeat(32),
    }
}

pub fn own_key() -> IssueOwnKey {
    IssueOwnKey {
        by: "key-1".to_owned(),
        id: "key-2".to_owned(),
        digests: digests(),
        title: "web shop".to_owned(),
        scopes: Some(vec![Scope::SmsSend]),
        mode: Some(Mode::Test),
        lines: Some(vec!["10001".to_owned()]),
        expires_ms: Some(1_767_272_400_000),
    }
}

pub fn least_own_key() -> IssueOwnKey {
    IssueOwnKey {
        scopes: None,
        mode: None,
        lines: None,
        expires_ms: None,
        ..own_key()
    }
}

pub fn least_key() -> KeyView {
    KeyView {
        lines: None,
        expires_ms: None,
        revoked_ms: None,
        successor: None,
        term_ms: None,
        used_day: None,
        ..key()
    }
}

/// The requests, each with its answers.
pub fn requests() -> Vec<Vec<Format>> {
    let list_keys = |after| ListKeys { limit: 51, after };
    let rotate = || RotateKey {
        id: "key-1".to_owned(),
        new_id: "key-2".to_owned(),
        new_digests: digests(),
        old_expires_ms: 1_767_272_400_000,
    };
    let rotate_own = RotateOwnKey {
        by: "key-1".to_owned(),
        rotation: rotate(),
    };
    let revoke_own = RevokeOwnKey {
        by: "key-1".to_owned(),
        id: "key-2".to_owned(),
    };
    let rotated = || Rotated {
        old: key(),
        new: least_key(),
    };
    let revoke = RevokeOperatorKey {
        id: "key-1".to_owned(),
        by: "key-2".to_owned(),
    };
    vec![
        request(&[IssueKey(key()), IssueKey(least_key())], vec![()]),
        request(
            &[list_keys(Some("key-1".to_owned())), list_keys(None)],
            vec![vec![key(), least_key()]],
        ),
        request(&[RevokeKey("key-1".to_owned())], vec![key()]),
        request(&[rotate()], vec![rotated()]),
        request(&[own_key(), least_own_key()], vec![key(), least_key()]),
        request(&[revoke_own], vec![key()]),
        request(&[rotate_own], vec![rotated()]),
        request(&[AdoptKey(key()), AdoptKey(least_key())], vec![()]),
        request(&[revoke], vec![key()]),
    ]
}
