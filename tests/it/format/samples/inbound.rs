//! Messages from phones.

use peyk::account::inbound::list::{InboundFilter, InboundView, ListInbound};
use peyk::account::inbound::{Choice, Receive, Received, take::TakeInbound};
use peyk::account::record::message::Page;
use peyk::account::refusal::Refusal;

use super::messages::least_message;
use super::{Format, first_page, page, request};

pub fn receive() -> Receive {
    Receive {
        uid: "019b796d-a000-7000-8000-000000000000".to_owned(),
        carrier: "sandbox".to_owned(),
        carrier_id: Some("id 7".to_owned()),
        line: "10001".to_owned(),
        sender: "+989121234567".to_owned(),
        text: "لغو".to_owned(),
        is_cut: true,
        choice: Some(Choice::OptOut),
        confirmation: Some(Box::new(least_message())),
        received_ms: 1_767_268_800_000,
    }
}

pub fn least_receive() -> Receive {
    Receive {
        carrier_id: None,
        is_cut: false,
        choice: None,
        confirmation: None,
        ..receive()
    }
}

pub fn inbound_filter() -> InboundFilter {
    InboundFilter {
        line: Some("10001".to_owned()),
        sender: Some("+989121234567".to_owned()),
        since_ms: Some(1_767_268_800_000),
        until_ms: Some(1_767_268_860_000),
        taken: Some(true),
    }
}

pub fn list_inbound(filter: InboundFilter, page: Page, whole_texts: bool) -> ListInbound {
    ListInbound {
        filter,
        page,
        whole_texts,
    }
}

pub fn inbound_view() -> InboundView {
    InboundView {
        id: 7,
        uid: "019b796d-a000-7000-8000-000000000000".to_owned(),
        line: "10001".to_owned(),
        sender: "+989121234567".to_owned(),
        text: "hello".to_owned(),
        is_cut: false,
        opt_out: true,
        received_ms: 1_767_268_800_000,
        taken: true,
    }
}

/// The requests, each with its answers.
pub fn requests() -> Vec<Vec<Format>> {
    vec![
        request(
            &[receive(), least_receive()],
            vec![
                Received {
                    is_repeat: true,
                    blacklist_is_full: true,
                    unconfirmed: Some(Refusal::SendingOff(true)),
                },
                Received::default(),
            ],
        ),
        request(
            &[
                list_inbound(inbound_filter(), page(), true),
                list_inbound(InboundFilter::default(), first_page(), false),
            ],
            vec![vec![inbound_view()]],
        ),
        request(
            &[
                TakeInbound {
                    line: Some("10001".to_owned()),
                    limit: 100,
                    by: "key-1".to_owned(),
                },
                TakeInbound {
                    line: None,
                    limit: 1,
                    by: "key-1".to_owned(),
                },
            ],
            vec![vec![inbound_view()]],
        ),
    ]
}
