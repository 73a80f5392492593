//! What a route is: who may call it, when a request to it pays, what body it takes, what the audit log has of it, and the parameters
//! of its path.
//!
//! The table of all routes stands above the handlers (`api/routes.rs`), because it names them. What a handler and the steps
//! below it have to know of the route stands here, so that nothing below the table names the table.

use crate::auth::Scope;
use crate::durable::audit::Thing;

/// Who may call a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Everybody, without a key.
    Public,
    /// Every caller with a key, whatever its scopes.
    AnyKey,
    /// A caller with this scope.
    Scope(Scope),
    /// A caller with this scope and a live key: the route reads numbers, or changes what live keys go by.
    Live(Scope),
}

impl Access {
    /// The scope that a caller needs. `None`: a caller needs none.
    pub fn scope(self) -> Option<Scope> {
        match self {
            Access::Public | Access::AnyKey => None,
            Access::Scope(scope) | Access::Live(scope) => Some(scope),
        }
    }

    /// Whether only operators may call the route.
    pub fn is_for_operators(self) -> bool {
        self.scope().is_some_and(Scope::is_for_operators)
    }
}

/// When a request to a route pays its tokens of the rate limit. The service charges; no handler does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payment {
    /// The request costs nothing.
    Free,
    /// The request pays before its body is read and before the handler runs.
    First,
    /// As `First`. It protects somebody, so each key has a reserve of tokens for it: others may have used up the caller's.
    FirstOfReserve,
    /// The handler's first call of the caller's account object pays, so that the request takes one call. If the handler
    /// ends without such a call, the request pays then.
    WithCall,
}

/// What body a route takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyKind {
    /// The route takes no body and ignores one.
    None,
    /// The service reads a JSON object before the handler runs.
    Json,
    /// As `Json`, of up to 8 MiB.
    LargeJson,
    /// The handler reads a JSON object if it needs one.
    OptionalJson,
    /// The handler reads CSV piece by piece.
    Csv,
    /// The service reads the bytes of a form before the handler runs. There may be none.
    Form,
}

/// What becomes of a route in the audit log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audit {
    /// The route changes nothing.
    Reads,
    /// The route shows operators numbers or texts of customers, of things of this kind. Who was shown what has an entry.
    Shows(Thing),
    /// The route changes a thing of this kind. Each change has an entry.
    Logged(Thing),
    /// The route changes something that is not for the log, for this reason.
    Unlogged(&'static str),
}

/// A route, as the code below the table knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RouteInfo {
    /// Its name, which the audit log has.
    pub name: &'static str,
    /// The method.
    pub method: &'static str,
    /// The path. `{name}` stands for one segment.
    pub path: &'static str,
    /// Who may call the route.
    pub access: Access,
    /// A second scope that a caller needs. `None`: none.
    pub also: Option<Scope>,
    /// When a request pays.
    pub payment: Payment,
    /// What body the route takes.
    pub body: BodyKind,
    /// What the audit log has of it.
    pub audit: Audit,
    /// The path parameters that the handler gets.
    pub params: &'static [&'static str],
}

impl RouteInfo {
    /// The scopes that a caller needs, all of them.
    pub fn scopes(&self) -> impl Iterator<Item = Scope> {
        [self.access.scope(), self.also].into_iter().flatten()
    }
}

/// The values of a path's parameters by their names, without percent-encoding.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PathParams(Vec<(&'static str, String)>);

impl PathParams {
    /// Adds a parameter.
    pub fn push(&mut self, name: &'static str, value: String) {
        self.0.push((name, value));
    }

    /// The value of the last parameter: mostly the id of the thing that the route is about.
    pub fn last(&self) -> Option<&str> {
        self.0.last().map(|(_, value)| value.as_str())
    }

    /// The value of a parameter. A test holds that a route's handler asks for parameters of the route's path only.
    pub fn get(&self, name: &str) -> &str {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map_or("", |(_, value)| value.as_str())
    }
}
