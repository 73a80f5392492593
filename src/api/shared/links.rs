//! Links that open one session of the console each: what it takes to make one, and how one is answered.

use crate::account::keys::KeyView;
use crate::account::keys::links::MakeMemberLink;
use crate::api::http::forms::integer;
use crate::api::http::{Response, body::JsonBody, context::Context, respond::Success};
use crate::api::shared::keys::{self, Owner};
use crate::auth::console_session;
use crate::auth::imprint::Imprint;
use crate::base::ports::Platform;
use crate::base::{id, time};
use crate::problem::Problem;
use crate::{answer, body};

/// How long a link can be used if nobody says it, s.
pub const TTL_S: i64 = 600;
const MAX_TTL_S: i64 = 86_400;

body! {
    /// A link to make.
    pub struct NewLink => {"ttlSeconds": 600} {
        /// How long it can be used.
        ttl_s: i64 = can "ttlSeconds" integer(60, MAX_TTL_S), or TTL_S;
    }
}

answer! {
    /// A link. It opens one session.
    pub struct LinkData(link: &KeyView, code: &str, origin: &str) as "ConsoleLink" {
        /// The code. It is answered this one time.
        "code": code, any_text() => "peyk_link_0123456789abcdefghijABCDEFGHIJKL0a1b2c";
        /// The address of the console with the code, for a person to open.
        "url": format!("{origin}/console#/sign-in?code={code}"), any_text() => "https://sms.example.com/console#/sign-in?code=peyk_link_0123456789abcdefghijABCDEFGHIJKL0a1b2c";
        "expiresAt": link.expires_ms.map(time::to_rfc3339), time().or_null();
    }
}

/// Publishes a link. In KV it may do nothing: it is no key.
pub async fn publish<P: Platform>(context: &Context<'_, P>, account: &str, link: &KeyView) -> Result<(), Problem> {
    let powerless = KeyView {
        scopes: Vec::new(),
        ..link.clone()
    };
    keys::publish(context, account, &powerless).await
}

/// Publishes a link and answers it, this one time.
pub async fn answer<P: Platform>(
    context: &Context<'_, P>,
    account: &str,
    link: &KeyView,
    code: &str,
) -> Result<Response, Problem> {
    publish(context, account, link).await?;
    let origin = &context.request.head.origin;
    Success::created(LinkData::of(link, code, origin)).response(context)
}

/// Makes a link for a member.
pub async fn for_member<P: Platform>(
    context: &Context<'_, P>,
    owner: Owner<'_>,
    member: &str,
    body: &JsonBody,
) -> Result<Response, Problem> {
    let NewLink { ttl_s } = context.read(body)?;
    let code = keys::secret(context, |random| console_session::mint_link(random))?;
    let request = MakeMemberLink {
        by: owner.authority(context)?,
        member: member.to_owned(),
        id: id::new(context.platform)?,
        imprint: Imprint::of(&code),
        ttl_s,
    };
    let link = owner.ask(context, &request).await?;
    answer(context, owner.id(), &link, &code).await
}
