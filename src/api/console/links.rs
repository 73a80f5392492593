//! Links to the console. A program that has a key makes one for a person, an operator makes one to look at an account, and the page
//! opens a session with its code.

use crate::account::keys::links::{GetLink, MakeLink, UseLink};
use crate::api::console::sign_in::{admit, entered, note_failure};
use crate::api::http::caller::{Caller, read_record};
use crate::api::http::forms::{Look, formed};
use crate::api::http::tickets::Tried;
use crate::api::http::{Response, body::JsonBody, context::Context};
use crate::api::shared::account::must_be_open;
use crate::api::shared::keys;
use crate::api::shared::links::{NewLink, TTL_S, answer};
use crate::auth::imprint::Imprint;
use crate::auth::{self, console_session};
use crate::base::id;
use crate::base::ports::Platform;
use crate::body;
use crate::directory::members;
use crate::problem::Problem;
use crate::problem::field_error::{FieldError, FieldErrorKind};

/// What the account sees of an operator who looks at it.
const LOOKER: &str = "operator (looks only)";

static CODE: Look = Look {
    min: 48,
    max: 48,
    pattern: "^peyk_link_[0-9A-Za-z]{38}$",
    fault: FieldErrorKind::BadForm("peyk_link_ and 38 letters and digits", "peyk_link_ و 38 حرف و رقم"),
    is_met: |code| console_session::is_link(code) && auth::checksum_ok(code),
};

body! {
    /// The code of a link.
    pub struct LinkCode {
        code: String = must "code" formed(&CODE) => "peyk_link_0123456789abcdefghijABCDEFGHIJKL0a1b2c";
    }
}

/// The request for a link, and its code.
fn new<P: Platform>(context: &Context<'_, P>, title: Option<&str>, ttl_s: i64) -> Result<(MakeLink, String), Problem> {
    let code = keys::secret(context, |random| console_session::mint_link(random))?;
    let request = MakeLink {
        by: context.caller()?.lasting_key().to_owned(),
        title: title.map(str::to_owned),
        id: id::new(context.platform)?,
        imprint: Imprint::of(&code),
        ttl_s,
    };
    Ok((request, code))
}

/// `POST /console/link`
pub async fn make<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let NewLink { ttl_s } = context.read(body)?;
    let caller = context.caller()?;
    if caller.is_session() {
        return Err(Problem::Unauthorized { key_sent: false });
    }
    let (request, code) = new(context, None, ttl_s)?;
    let link = context.call(&request).await?;
    answer(context, caller.account(), &link, &code).await
}

/// `POST /admin/accounts/{id}/console-link`. It shows no more than its maker may read, so that one needs `admin:read`, too.
pub async fn look_at<P: Platform>(context: &Context<'_, P>, account: &str) -> Result<Response, Problem> {
    must_be_open(context, account).await?;
    let (request, code) = new(context, Some(LOOKER), TTL_S)?;
    let link = context.call_other(account, &request).await?;
    answer(context, account, &link, &code).await
}

/// `POST /console/sign-in/link`
pub async fn enter<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let LinkCode { code } = context.read(body)?;
    admit(context)?;
    let digest = auth::digest(&code);
    let opened = match context.platform.key(&digest).await? {
        Some(text) => open(context, &digest, &text).await,
        None => Err(Problem::Unauthorized { key_sent: true }),
    };
    let Err(Problem::Unauthorized { .. }) = &opened else {
        return opened;
    };
    note_failure(context, Tried::Secret(&digest)).await;
    Err(Problem::Validation(vec![FieldError::of(
        "code",
        FieldErrorKind::UsedLink,
    )]))
}

async fn open<P: Platform>(context: &Context<'_, P>, digest: &str, text: &str) -> Result<Response, Problem> {
    let link = read_record(digest, text)?;
    let account = link.account.clone();
    let secret = keys::secret(context, |random| console_session::mint(random))?;
    let request = UseLink {
        link: link.key.clone(),
        id: id::new(context.platform)?,
        imprint: Imprint::of(&secret),
    };
    let caller = Caller::Key(std::rc::Rc::new(link));
    context.check_looker(&caller).await?;
    let acting = context.acting(caller);
    note_member(&acting, &account, &request.link).await?;
    let opened = acting.call(&request).await?;
    keys::publish(context, &account, &opened).await?;
    context.platform.delete_key(digest).await?;
    entered(context, &secret)
}

/// Lets the directory know who is about to join by an invitation, so that codes go to the phone. It comes first: a link is used once,
/// and what the directory knows of a person who has not joined after all lets nobody in.
async fn note_member<P: Platform>(acting: &Context<'_, P>, account: &str, link: &str) -> Result<(), Problem> {
    let link = acting.call(&GetLink { link: link.to_owned() }).await?;
    match &link.member {
        Some(person) if link.is_by_code() => {
            let db = acting.platform.db();
            Ok(members::put(db, person.phone, account, link.lasting_id()).await?)
        }
        _ => Ok(()),
    }
}
