//! What a handler is given: the request, the caller, and the way to everything else.

use std::rc::Rc;

use super::app::App;
use super::body::JsonBody;
use super::caller::Caller;
use super::json_fields::{Body, Fields, Setting};
use super::record::RequestRecord;
use super::route::{PathParams, RouteInfo};
use crate::api::http::{Head, usable_request_id};
use crate::auth::Mode;
use crate::base::{id, language::Language, ports::Platform, redact};
use crate::compose::composer::Composer;
use crate::directory::profile::{self, Profile};
use crate::problem::Problem;

/// A request without its body.
#[derive(Debug)]
pub struct RequestInfo<'a> {
    /// The head of the request.
    pub head: &'a Head,
    /// The id of the request that the client gets: the client's own or ours.
    pub id: String,
    /// The id that we give to it.
    pub own_id: String,
    /// When the request came, ms since the Unix epoch.
    pub now_ms: i64,
    /// The language that the client prefers.
    pub language: Language,
    /// The parameters of the path.
    pub params: PathParams,
    /// The route, if there is one.
    pub route: Option<&'static RouteInfo>,
}

impl RequestInfo<'_> {
    /// The id that the client gets, as logs have it: a client may have written anything into it.
    pub fn logged_id(&self) -> String {
        redact::of_id(&self.id)
    }
}

/// One request, while the service answers it.
pub struct Context<'a, P: Platform> {
    /// The runtime.
    pub platform: &'a P,
    /// The settings and the caches.
    pub app: &'a App,
    /// The request.
    pub request: RequestInfo<'a>,
    /// The names of all routes.
    pub operations: &'static [&'static str],
    /// What the service notes about the request.
    pub record: RequestRecord,
    caller: Option<Caller>,
}

impl<'a, P: Platform> Context<'a, P> {
    /// Begins to answer a request. Nobody has authenticated the caller yet.
    pub fn new(platform: &'a P, app: &'a App, head: &'a Head) -> Self {
        let own_id = id::new(platform).unwrap_or_default();
        platform.begin_trace(&own_id);
        let id = usable_request_id(head.request_id.as_deref())
            .unwrap_or(&own_id)
            .to_owned();
        Context {
            platform,
            app,
            request: RequestInfo {
                head,
                id,
                own_id,
                now_ms: platform.now_ms(),
                language: Language::preferred(head.accept_language.as_deref(), app.config.default_language),
                params: PathParams::default(),
                route: None,
            },
            operations: &[],
            record: RequestRecord::default(),
            caller: None,
        }
    }

    /// The same request, as if this caller had sent it: who is about to be signed in, or the service.
    pub fn acting(&self, caller: Caller) -> Context<'a, P> {
        let RequestInfo {
            head,
            id,
            own_id,
            now_ms,
            language,
            route,
            ..
        } = &self.request;
        Context {
            platform: self.platform,
            app: self.app,
            request: RequestInfo {
                head,
                id: id.clone(),
                own_id: own_id.clone(),
                now_ms: *now_ms,
                language: *language,
                params: PathParams::default(),
                route: *route,
            },
            operations: self.operations,
            record: RequestRecord::default(),
            caller: Some(caller),
        }
    }

    /// Authenticates the caller. Fails with 401 if the request has no usable key.
    pub async fn authenticate(&mut self) -> Result<(), Problem> {
        let request = &self.request;
        let caller = Caller::authenticate(self.platform, self.app, request.head, request.now_ms).await?;
        self.check_looker(&caller).await?;
        self.caller = Some(caller);
        Ok(())
    }

    /// The caller, if the route has authenticated one.
    pub fn known_caller(&self) -> Option<&Caller> {
        self.caller.as_ref()
    }

    /// The caller. Only the handlers of public routes have none.
    pub fn caller(&self) -> Result<&Caller, Problem> {
        self.known_caller()
            .ok_or_else(|| Problem::Internal("the handler of a public route asked for its caller".to_owned()))
    }

    /// Whether the caller has a test key.
    pub fn is_test(&self) -> bool {
        self.known_caller().is_some_and(|caller| caller.mode() == Mode::Test)
    }

    /// What values of the request are judged by, besides themselves.
    pub fn setting(&self) -> Setting<'_> {
        Setting {
            config: &self.app.config,
            now_ms: self.request.now_ms,
            origin: &self.request.head.origin,
            ignored: &self.record.ignored,
            operations: self.operations,
        }
    }

    /// The members of a body.
    pub fn fields<'f>(&'f self, body: &'f JsonBody) -> Fields<'f> {
        Fields::new(&body.object, self.setting())
    }

    /// Reads a body of which nothing else is to be checked than what its declaration says.
    pub fn read<B: Body>(&self, body: &JsonBody) -> Result<B, Problem> {
        let mut fields = self.fields(body);
        let read = B::read(&mut fields);
        fields.finish()?;
        Ok(read)
    }

    /// What the directory says of the caller's account.
    pub async fn profile(&self) -> Result<Rc<Profile>, Problem> {
        let account = self.caller()?.account();
        let (cache, now_ms) = (&self.app.profiles, self.request.now_ms);
        if let Some(profile) = cache.get(account, now_ms) {
            return Ok(profile);
        }
        let found = profile::profile(self.platform.db(), account, &self.app.shared_lines).await?;
        let profile = found.ok_or_else(|| {
            Problem::Internal(format!("a key of account {account}, which the directory does not have"))
        })?;
        Ok(cache.put(account, now_ms, profile))
    }

    /// What composes messages of the caller's account.
    pub fn composer<'c>(&'c self, profile: &'c Profile) -> Result<Composer<'c, P>, Problem> {
        let caller = self.caller()?;
        Ok(Composer {
            platform: self.platform,
            config: &self.app.config,
            patterns: &self.app.patterns,
            warnings: &self.record.warnings,
            account: caller.account(),
            profile,
            mode: caller.mode(),
            lines: caller.lines(),
            language: self.request.language,
            now_ms: self.request.now_ms,
        })
    }
}
