//! Roles: what members of an account may do. A member signs in to the console by phone, and has no key.

use super::Scope;
use crate::base::named::named;

named! {
    /// What a member of an account may do.
    pub enum Role {
        /// Everything that the account may do, members and keys included.
        Owner => "OWNER",
        /// Send, and manage what is sent: patterns, phonebooks, the blacklist.
        Sender => "SENDER",
        /// See the money.
        Finance => "FINANCE",
        /// See messages and the money, and change nothing.
        Viewer => "VIEWER",
    }
}

impl Role {
    /// The scopes of the role.
    pub fn scopes(self) -> Vec<Scope> {
        match self {
            Role::Owner => Scope::all_of(false),
            Role::Sender => vec![
                Scope::SmsSend,
                Scope::SmsRead,
                Scope::Phonebook,
                Scope::Pattern,
                Scope::Verify,
                Scope::Blacklist,
                Scope::AccountRead,
            ],
            Role::Finance => vec![Scope::AccountRead],
            Role::Viewer => vec![Scope::SmsRead, Scope::AccountRead],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_role_is_for_operators_and_only_owners_admit_others() {
        for role in Role::ALL {
            let scopes = role.scopes();
            assert!(scopes.iter().all(|scope| !scope.is_for_operators()), "{role:?}");
            assert_eq!(scopes.contains(&Scope::Keys), role == Role::Owner, "{role:?}");
        }
    }
}
