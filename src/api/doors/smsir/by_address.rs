//! The oldest way to send by sms.ir: `SendMessage.ashx` of its host `ip.sms.ir`, with all in the address, and an answer that is a word. The
//! password is a key of Peyk, and the user may be any. A SOAP service stands beside it there, which is told to be none here.
//!
//! An answer has no place for what is wrong with one number, so one that is none stops the others: nobody is left out without a word.

use super::errors::{self, Fault, judged, known};
use super::fields::named_line;
use super::older::refusal::Refusal;
use super::send::{body_of, must_say, not_too_many, one_text};
use crate::api::doors::own::Own;
use crate::api::doors::params::{Params, Unread};
use crate::api::doors::send::is_number;
use crate::api::http::{Body, Head, Response, app::App};
use crate::api::shared::export::Answer;
use crate::base::ports::Platform;

/// The paths, of which case does not count.
const SEND: &str = "/SendMessage.ashx";
const SOAP: &str = "/ws/SendReceive.asmx";
/// The methods of a send, as `Allow` lists them.
const METHODS: &str = "GET, POST";
/// What programs compare the answer with.
const DONE: &str = "ok";
const NO_SOAP: &str = "سرویس SOAP اینجا نیست. به جای آن SendMessage.ashx یا وب‌سرویس v1 را با کلید پیک صدا بزنید.";

/// What a path asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    Send,
    Soap,
}

impl Call {
    /// Reads a path. `None`: it is of another protocol.
    pub fn of(path: &str) -> Option<Call> {
        let path = path.trim_end_matches('/');
        let calls = [(SEND, Call::Send), (SOAP, Call::Soap)];
        calls
            .into_iter()
            .find_map(|(known, call)| known.eq_ignore_ascii_case(path).then_some(call))
    }

    /// Whether one of the paths begins with this member.
    pub fn has_first_member(member: &str) -> bool {
        let mut firsts = [SEND, SOAP].into_iter().filter_map(|path| path.split('/').nth(1));
        firsts.any(|first| first.eq_ignore_ascii_case(member))
    }
}

/// Answers a request. The words are Persian: the protocol has no others.
pub async fn answer<P: Platform>(platform: &P, app: &App, head: &Head, body: &mut impl Body, call: Call) -> Answer {
    if call == Call::Soap {
        // It says nothing of an account, so nobody has to show a key for it.
        return words(
            Own::of(platform, app, head, ""),
            Fault::of(errors::NOT_SUPPORTED).http,
            NO_SOAP,
        )
        .into();
    }
    let head = &Head {
        accept_language: Some("fa".to_owned()),
        ..head.clone()
    };
    let params = Params::read(head, body).await;
    let key = params.as_ref().ok().and_then(|params| params.written("pass"));
    let own = Own::of(platform, app, head, key.unwrap_or_default());
    let refusal = match sent(&own, head, params.as_ref()).await {
        Ok(()) => match known(&own, head).await {
            Ok(()) => return words(own, 200, DONE).into(),
            Err(fault) => fault,
        },
        Err(fault) => judged(&own, head, fault).await,
    };
    let refusal = Refusal::from(refusal);
    let mut response = words(own, refusal.fault.http, refusal.message());
    let allow = refusal.fault.allow.map(|methods| ("Allow", methods.to_owned()));
    response.headers.extend(allow);
    response.into()
}

fn words<P: Platform>(own: Own<'_, P>, status: u16, words: &str) -> Response {
    Response {
        content_type: "text/plain; charset=utf-8",
        ..own.respond(status, words.to_owned())
    }
}

/// Sends one text to some numbers.
async fn sent<P: Platform>(own: &Own<'_, P>, head: &Head, params: Result<&Params, &Unread>) -> Result<(), Fault> {
    let params = params.map_err(|unread| Fault::from(*unread))?;
    if !METHODS.split(", ").any(|method| method == head.method) {
        return Err(Fault::not_allowed(METHODS));
    }
    let line = named_line(params.get("lineno").unwrap_or_default())?;
    let text = must_say(params.written("text").unwrap_or_default().to_owned())?;
    let mobiles = not_too_many(params.items("to").into_iter().map(str::to_owned).collect())?;
    if !mobiles.iter().all(|mobile| is_number(mobile)) {
        return Err(Fault::of(errors::BAD_MOBILE));
    }
    own.send(&body_of(&line, None, one_text(&text, &mobiles)), None, None)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_no_case() {
        for (path, call) in [
            ("/SendMessage.ashx", Some(Call::Send)),
            ("/sendmessage.ashx/", Some(Call::Send)),
            ("/ws/SendReceive.asmx", Some(Call::Soap)),
            ("/WS/sendreceive.asmx", Some(Call::Soap)),
            ("/ws", None),
            ("/SendMessage", None),
            ("/v1/SendMessage.ashx", None),
            ("", None),
        ] {
            assert_eq!(Call::of(path), call, "{path}");
        }
    }
}
