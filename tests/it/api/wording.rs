//! The words of errors, in both languages: many clients show nothing but `detail`, and some look for words in it.

use std::path::{Path, PathBuf};

use peyk::auth::Scope;
use peyk::base::language::Language;
use peyk::problem::field_error::{FieldError, FieldErrorKind, Step};
use peyk::problem::{BadRequest, Conflict, Problem, cases::Thing, kind};
use serde_json::{Value, json};

use crate::support::openapi::problems::{instance, problem as of_document};
use crate::support::{Account, World};

const LANGUAGES: [Language; 2] = [Language::En, Language::Fa];
/// A `detail` has at most this many characters, whatever the request holds.
const MAX_DETAIL: usize = 1_000;

fn variable(name: &str, kind: FieldErrorKind) -> FieldError {
    FieldError::at(vec![Step::Name("variables".into()), Step::Name(name.into())], kind)
}

/// An example of each error that is a client's to mend, and of those that are not.
fn examples() -> Vec<Problem> {
    let not_on_line = FieldErrorKind::NotOnLine {
        number: "10001".into(),
        lines: "10002, 10003".into(),
    };
    vec![
        Problem::BadRequest(BadRequest::Malformed { line: 1, column: 2 }),
        Problem::BadRequest(BadRequest::NotUtf8),
        Problem::BadRequest(BadRequest::NotAnObject),
        Problem::BadRequest(BadRequest::TooDeep),
        Problem::BadRequest(BadRequest::Unreadable),
        Problem::BadRequest(BadRequest::Empty),
        Problem::Unauthorized { key_sent: false },
        Problem::Unauthorized { key_sent: true },
        Problem::Forbidden(Scope::SmsSend),
        Problem::NotEncrypted,
        Problem::NotFromConsole,
        Problem::WiderKey,
        Problem::TestKey,
        Problem::SameOperator,
        Problem::AddressNotAllowed {
            address: Some("192.0.2.7".to_owned()),
        },
        Problem::AddressNotAllowed { address: None },
        Problem::AddressRefused { is_expired: false },
        Problem::AddressRefused { is_expired: true },
        Problem::NotFound,
        Problem::Missing {
            thing: Thing("message", "پیامکی"),
            for_operators: false,
        },
        Problem::Missing {
            thing: Thing("line", "سرشماره‌ای"),
            for_operators: true,
        },
        Problem::NoSuchPath { meant: None },
        Problem::NoSuchPath {
            meant: Some("/sms/send".to_owned()),
        },
        Problem::MethodNotAllowed {
            allow: "GET, POST".into(),
        },
        Problem::PayloadTooLarge { limit_bytes: 262_144 },
        Problem::UnsupportedMediaType {
            wanted: "application/json",
        },
        Problem::Validation(vec![FieldError::of("message", FieldErrorKind::Required)]),
        Problem::Validation(vec![FieldError::of("encoding", FieldErrorKind::AsItIs("10001".into()))]),
        Problem::Validation(vec![
            FieldError::of("key", FieldErrorKind::OnlyByOperators),
            FieldError::of("mode", FieldErrorKind::BeyondOwnKey),
        ]),
        Problem::TooManyRequests { retry_after_s: 5 },
        Problem::TooManyFailures { retry_after_s: 5 },
        Problem::TooManyChanges { retry_after_s: 5 },
        Problem::Internal("d1: secret".into()),
        Problem::UserInactive,
        Problem::Barred {
            reason: "invoice 17 is not paid".into(),
            is_inactive: true,
        },
        Problem::Barred {
            reason: "invoice 17 is not paid".into(),
            is_inactive: false,
        },
        Problem::InsufficientBalance {
            cost: 2_000,
            available: 5,
            unit: "IRR".to_owned(),
        },
        Problem::SendNotAllowed { for_all: true },
        Problem::SendNotAllowed { for_all: false },
        Problem::HeadNumberNotFound {
            number: Some("10001".into()),
        },
        Problem::HeadNumberNotFound { number: None },
        Problem::ServiceLine("10001".into()),
        Problem::PatternNoActiveVersion(vec![FieldError::of(
            "pattern",
            FieldErrorKind::VersionRefused {
                slug: "login".into(),
                reason: "no name of a shop".into(),
            },
        )]),
        Problem::PatternNoActiveVersion(vec![FieldError::of(
            "pattern",
            FieldErrorKind::NoPattern("login".into()),
        )]),
        Problem::PatternHeadNumberNotAcceptable(vec![FieldError::of("sourceNumber", not_on_line)]),
        Problem::PatternVariableHasNoValue(vec![
            variable("OTP", FieldErrorKind::NoValue(None)),
            variable("CODE", FieldErrorKind::NoValue(Some("code".into()))),
        ]),
        Problem::PatternVariableNotValid(vec![
            variable("A", FieldErrorKind::NotANumeral),
            variable("B", FieldErrorKind::NotALink),
            variable("C", FieldErrorKind::NotAChoice("red, blue".into())),
        ]),
        Problem::PatternVariableNotValid(vec![variable("D", FieldErrorKind::TooLong { max: 5 })]),
        Problem::DestinationNotAllowed(vec![
            FieldError::of("recipients", FieldErrorKind::NotADestination("+971501234567".into())),
            FieldError::of("recipients", FieldErrorKind::NoPrice("+447911123456".into())),
        ]),
        Problem::RecipientBlacklisted(vec![FieldError::of(
            "recipients",
            FieldErrorKind::Blacklisted("+98912".into()),
        )]),
        Problem::VerifyNotPending(vec![FieldError::of("id", FieldErrorKind::NotPending(None))]),
        Problem::Validation(vec![FieldError::of("code", FieldErrorKind::WrongCode)]),
        Problem::VerifyNotPending(vec![FieldError::of(
            "id",
            FieldErrorKind::NotPending(Some("EXPIRED".to_owned())),
        )]),
        Problem::RecipientLimit {
            faults: vec![FieldError::of(
                "recipient",
                FieldErrorKind::RecipientLimit("+98912".into()),
            )],
            retry_after_s: 240,
        },
        Problem::DailyLimitReached {
            limit: 100_000,
            spent: 99_000,
            cost: 2_500,
            of_key: true,
            retry_after_s: 3_600,
        },
        Problem::DailyLimitReached {
            limit: 100_000,
            spent: 99_000,
            cost: 2_500,
            of_key: false,
            retry_after_s: 3_600,
        },
        Problem::ImportStopped {
            cause: Box::new(Problem::PayloadTooLarge { limit_bytes: 5 }),
            last_line: 7,
            added: 5,
            updated: 1,
        },
    ]
    .into_iter()
    .chain(conflicts().into_iter().map(Problem::Conflict))
    .collect()
}

fn conflicts() -> Vec<Conflict> {
    vec![
        Conflict::UsernameTaken,
        Conflict::LineExists,
        Conflict::AccountClosed,
        Conflict::AccountNotEmpty {
            available: 12_000,
            locked: 3_000,
            unit: "IRR".into(),
            recipients: 3,
        },
        Conflict::PlanExists,
        Conflict::TooManyKeys,
        Conflict::KeyExists,
        Conflict::OwnKey,
        Conflict::LastKey,
        Conflict::OwnMember,
        Conflict::MemberExists,
        Conflict::NoSignIn,
        Conflict::WalletFull,
        Conflict::LineInUse(vec!["shop".into(), "bazaar".into()]),
        Conflict::TitleTaken,
        Conflict::TooManyCampaigns,
        Conflict::CampaignState("RUNNING".into()),
        Conflict::ResentOnce,
        Conflict::FixedResend,
        Conflict::TooManyPhonebooks,
        Conflict::PhonebookFull,
        Conflict::Scheduled(vec!["019b".into()]),
        Conflict::NumberExists,
        Conflict::TooManyColumns { max: 50 },
        Conflict::PatternBytes { quota: 100, used: 90 },
        Conflict::NoRoom,
        Conflict::PhonebookBytes {
            quota: 200_000_000,
            used: 199_999_999,
        },
        Conflict::PatternExists,
        Conflict::TooManyPatterns,
        Conflict::TooManyVersions,
        Conflict::VersionActive,
        Conflict::NoVersionActive,
        Conflict::VersionPending,
        Conflict::VersionRefused("no name of a shop".into()),
        Conflict::PatternActive,
        Conflict::HasLeft,
        Conflict::OfCampaign("019b".into()),
        Conflict::InCampaigns(vec!["019b".into(), "019c".into()]),
        Conflict::CampaignBegun,
        Conflict::HasCode,
        Conflict::NotStuck,
        Conflict::NoTransfer,
        Conflict::OtherTransfer,
        Conflict::ServiceNotEmpty,
        Conflict::ObjectNotEmpty("mci/0".into()),
        Conflict::ObjectNotFrozen("mci/0".into()),
        Conflict::NoPage,
        Conflict::RowsNotOfTable("plan".into()),
        Conflict::NotRestored("The storage has no history.".into()),
        Conflict::BeforeMove("2026-01-01T12:00:00.000Z".into()),
        Conflict::BlacklistFull,
        Conflict::TooManyErasures,
        Conflict::CarrierExists,
        Conflict::TooManyCarriers,
        Conflict::CarrierInUse(vec!["10001".into(), "10002".into()]),
        Conflict::ReportsMissing(200),
        Conflict::CarrierJustUsed,
        Conflict::CarrierStays,
        Conflict::NoPublicUrl,
        Conflict::NoSecretKey,
        Conflict::BadSecretKey("SECRET_KEY_OLD"),
        Conflict::TooManyEndpoints,
        Conflict::EndpointInactive,
        Conflict::EndpointBacklogFull,
        Conflict::NoCallback,
    ]
}

/// What a person reads of a problem: title, detail, and each fault.
fn words(problem: &Problem, language: Language) -> Vec<String> {
    let document = problem.document(language, "https://sms.example", "/sms/send", "id");
    let mut words = vec![document.title.to_owned(), document.detail];
    words.extend(document.extra);
    words
}

fn names_a_pattern(text: &str) -> bool {
    let text = text.to_lowercase();
    ["pattern", "پترن", "الگو"].iter().any(|word| text.contains(word))
}

fn is_persian(text: &str) -> bool {
    text.chars().any(|char| ('\u{600}'..='\u{6ff}').contains(&char))
}

#[test]
fn every_error_has_an_example_and_tells_people_in_both_languages_what_to_mend() {
    let examples = examples();
    for kind in kind::ALL.iter().filter(|kind| kind.status < 500) {
        assert!(examples.iter().any(|problem| problem.kind() == *kind), "{}", kind.name);
    }
    for problem in &examples {
        let [english, persian] = LANGUAGES.map(|language| words(problem, language));
        assert!(english.iter().all(|text| !is_persian(text)), "{english:?}");
        assert!(persian.iter().all(|text| is_persian(text)), "{persian:?}");
        for detail in [&english[1], &persian[1]] {
            assert!(detail.ends_with(['.', '?', '؟']) && !detail.ends_with(".."), "{detail}");
            assert!((20..=MAX_DETAIL).contains(&detail.chars().count()), "{detail}");
        }
        for old in ["الگو", "خط ", "نویسه", "سرآیند", "پرونده", "فهرست سیاه", "پیوند"]
        {
            assert!(persian.iter().all(|text| !text.contains(old)), "{old}: {persian:?}");
        }
    }
}

/// The files of the code.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let entries = entries.map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] })
        .collect()
}

#[test]
fn persian_texts_have_one_word_for_a_character_and_one_way_to_write_the_ezafe() {
    let root = Path::new(env!("PEYK_ROOT"));
    let all = [sources(&root.join("src")), sources(&root.join("crates"))].concat();
    assert!(all.len() > 100, "{}", all.len());
    for path in all {
        let text = std::fs::read_to_string(&path).unwrap();
        for (old, new) in [("نویسه", "کاراکتر"), ("ه\u{654}", "ه\u{200c}ی")] {
            assert!(!text.contains(old), "{}: write {new} for {old}", path.display());
        }
    }
}

/// What the site's pages of problems are made of.
const PROBLEMS: &str = concat!(env!("PEYK_ROOT"), "/site/problems.json");
/// An address that stands for that of the service. The site's pages show their own in its place.
const SERVICE: &str = "https://sms.example.com";

/// The table of errors with the document's example of each and all that its `detail` may say.
fn table_of_problems() -> String {
    let mut problems = examples();
    problems.push(Problem::Unavailable(String::new()));
    problems.push(Problem::NeedsOperator(vec!["CARRIER_DOWN (mci)".to_owned()]));
    let row = |kind: &kind::Kind| {
        let own = || problems.iter().filter(|problem| problem.kind() == *kind);
        let own = || own().filter(|problem| !matches!(problem, Problem::ImportStopped { .. }));
        let example = |language| {
            let id = "019b796d-a000-7000-8000-000000000000";
            json!(of_document(*kind).document(language, SERVICE, instance(*kind), id))
        };
        let details = own().map(|problem| LANGUAGES.map(|language| problem.detail(language)));
        json!({
            "slug": kind.slug,
            "status": kind.status,
            "code": kind.code,
            "name": kind.name,
            "title": {"en": kind.title_en, "fa": kind.title_fa},
            "example": {"en": example(Language::En), "fa": example(Language::Fa)},
            "details": details.map(|[en, fa]| json!({"en": en, "fa": fa})).collect::<Vec<_>>(),
        })
    };
    let rows: Vec<Value> = kind::ALL.iter().map(row).collect();
    format!("{:#}\n", json!(rows))
}

#[test]
fn the_pages_of_problems_are_what_the_code_makes() {
    let made = table_of_problems();
    if std::env::var("PROBLEMS").is_ok_and(|wish| wish == "write") {
        std::fs::write(PROBLEMS, &made).unwrap();
    }
    assert!(
        std::fs::read_to_string(PROBLEMS).unwrap() == made,
        "site/problems.json is not what the code makes. Write it anew: PROBLEMS=write cargo test --test it what_the_code_makes"
    );
}

#[test]
fn only_a_missing_pattern_is_called_a_pattern() {
    // Who sends an own text has named no pattern that could be missing.
    let others = |problem: &Problem| !matches!(problem, Problem::ServiceLine(_));
    for problem in examples().into_iter().filter(others) {
        let code = problem.kind().code;
        for language in LANGUAGES {
            let words = words(&problem, language);
            match code {
                3002 => assert!(words.iter().all(|text| names_a_pattern(text)), "{words:?}"),
                409 => {}
                _ => assert!(!words.iter().any(|text| names_a_pattern(text)), "{code}: {words:?}"),
            }
        }
        let document = problem.document(Language::En, "https://sms.example", "/", "id");
        assert!(document.name.contains("Pattern") == [3002, 3013, 3014, 3015].contains(&code));
    }
}

#[test]
fn a_detail_names_the_first_faults_and_counts_the_others() {
    let fault = |index: usize| {
        FieldError::at(
            vec![Step::Name("recipients".into()), Step::Index(index)],
            FieldErrorKind::NotAPhoneNumber,
        )
    };
    let detail = |count: usize, language| Problem::Validation((0..count).map(fault).collect()).detail(language);
    assert_eq!(detail(1, Language::En), "recipients[0]: is not a valid phone number.");
    let wanted = "recipients[0]: is not a valid phone number; recipients[1]: is not a valid phone number; \
         recipients[2]: is not a valid phone number.";
    assert_eq!(detail(3, Language::En), wanted);
    assert!(detail(4, Language::En).ends_with("recipients[2]: is not a valid phone number; and 1 more."));
    assert_eq!(detail(1, Language::Fa), "recipients[0]: شماره‌ی تلفن معتبری نیست.");
    let many = detail(1_000, Language::Fa);
    assert!(many.ends_with("؛ و 997 مورد دیگر."), "{many}");
}

#[test]
fn a_detail_is_short_whatever_the_request_holds() {
    let long = "é".repeat(2_000);
    let fault = || FieldError::of(&long, FieldErrorKind::NoActiveVersion(long.clone()));
    let faults = || (0..1_000).map(|_| fault()).collect::<Vec<_>>();
    for problem in [
        Problem::Validation(faults()),
        Problem::PatternNoActiveVersion(faults()),
        Problem::PatternHeadNumberNotAcceptable(faults()),
        Problem::PatternVariableHasNoValue(faults()),
        Problem::PatternVariableNotValid(faults()),
        Problem::RecipientBlacklisted(faults()),
    ] {
        for language in LANGUAGES {
            let detail = problem.detail(language);
            assert!(detail.chars().count() <= MAX_DETAIL, "{detail}");
            assert!(detail.contains('…') && detail.contains("997"), "{detail}");
        }
    }
}

fn post(world: &World, shop: &Account, language: Language, path: &str, body: Value) -> crate::support::Answer {
    let request = world.ask("POST", &shop.key, path).language(language.tag());
    request.json(body).send()
}

/// Two lines and patterns whose slugs, as people like them, have the word in them.
fn with_patterns() -> (World, Account) {
    let (world, shop) = World::with_account(100_000);
    world.share_line("10002", "sandbox", &["PATTERN"]);
    world.advance(31_000);
    let choices: Vec<String> = (0..50).map(|number| format!("{number:0100}")).collect();
    let pattern = json!({"slug": "pattern-one", "title": "x", "text": "%A% %B%",
        "variables": [{"name": "A", "type": "NUMBER"}, {"name": "B", "type": "ENUM", "values": choices}]});
    world.active_pattern(&shop.key, pattern);
    let tied = json!({"slug": "pattern-two", "title": "x", "text": "y", "lines": ["10002"]});
    world.active_pattern(&shop.key, tied);
    (world, shop)
}

#[test]
fn sends_of_patterns_are_refused_in_words_that_programs_understand() {
    let (world, shop) = with_patterns();
    let one =
        |slug: &str, variables: Value| json!({"pattern": slug, "variables": variables, "recipient": "09121234567"});
    let from = |body: Value| {
        let mut body = body;
        body["sourceNumber"] = json!("10001");
        body
    };
    let (missing, tied) = (one("nothing", json!({})), one("pattern-two", json!({})));
    let variables = json!({"A": "x", "B": "y"});
    let (empty, bad) = (one("pattern-one", json!({})), one("pattern-one", variables));
    for (code, status, bodies) in [
        (3002, 422, vec![missing.clone(), from(missing)]),
        (3013, 406, vec![tied.clone(), from(tied)]),
        (3014, 406, vec![empty.clone(), from(empty)]),
        (3015, 406, vec![bad.clone(), from(bad)]),
    ] {
        for body in bodies {
            let source_number = body["sourceNumber"].clone();
            let bulk = json!({"messages": [body], "sourceNumber": source_number});
            for (path, body) in [("/sms/pattern", &body), ("/sms/bulk", &bulk)] {
                for language in LANGUAGES {
                    let answer = post(&world, &shop, language, path, body.clone()).problem(status, code);
                    let mut words = answer.extra();
                    words.push(answer.text("/detail"));
                    words.push(answer.text("/title"));
                    let expected = code == 3002;
                    assert!(
                        words.iter().all(|text| names_a_pattern(text) == expected),
                        "{path} {words:?}"
                    );
                    let pointers = answer.json["errors"].to_string();
                    assert!(expected || !pointers.contains("pattern"), "{pointers}");
                }
            }
            // The estimate has the pattern under a member of that name, which its faults have to name.
            let estimate = json!({"pattern": body});
            let answer = post(&world, &shop, Language::En, "/sms/estimate", estimate).problem(status, code);
            let found = names_a_pattern(&answer.text("/detail"));
            assert_eq!(found, code == 3002, "{}", answer.body);
        }
    }
    world.assert_untouched(&shop, 100_000);
}

#[test]
fn values_that_make_a_text_too_long_are_told_from_a_pattern_that_is_missing() {
    let (world, shop) = World::with_account(100_000);
    let variable = json!({"name": "A", "maxLength": 1_000});
    let pattern = json!({"slug": "long", "title": "x", "text": "%A%%A%", "variables": [variable]});
    world.active_pattern(&shop.key, pattern);
    let body = json!({"pattern": "long", "variables": {"A": "x".repeat(766)}, "recipient": "09121234567"});
    for (language, detail) in [
        (Language::En, "variables: takes 11 parts, at most 10 are allowed."),
        (Language::Fa, "variables: 11 پارت می‌شود، حداکثر 10 پارت مجاز است."),
    ] {
        let refused = post(&world, &shop, language, "/sms/pattern", body.clone()).refused(422);
        assert_eq!(refused.text("/detail"), detail);
    }
}

#[test]
fn a_line_that_a_pattern_is_not_tied_to_is_named_where_it_matters() {
    let (world, shop) = with_patterns();
    let tied = json!({"pattern": "pattern-two", "recipient": "09121234567"});
    let refused = post(&world, &shop, Language::En, "/sms/pattern", tied.clone()).problem(406, 3013);
    let wanted = ["sourceNumber: this text can't be sent from 10001, only from 10002"];
    assert_eq!(refused.extra(), wanted);
    assert_eq!(refused.text("/errors/0/pointer"), "/sourceNumber");
    let free = json!({"recipient": "09351234567", "pattern": "pattern-one", "variables": {"A": "1", "B": "y"}});
    for source_number in [json!(null), json!("10001")] {
        let bulk = json!({"messages": [free, tied], "sourceNumber": source_number});
        let refused = post(&world, &shop, Language::En, "/sms/bulk", bulk).problem(406, 3013);
        let wanted = ["messages[1]: this text can't be sent from 10001, only from 10002"];
        assert_eq!(refused.extra(), wanted);
        assert_eq!(refused.text("/errors/0/pointer"), "/messages/1");
    }
}

#[test]
fn a_fault_lists_no_more_choices_than_people_read() {
    let (world, shop) = with_patterns();
    let body = json!({"pattern": "pattern-one", "variables": {"A": "1", "B": "y"}, "recipient": "09121234567"});
    let refused = post(&world, &shop, Language::En, "/sms/pattern", body).problem(406, 3015);
    let told = &refused.extra()[0];
    assert!(
        told.starts_with("variables.B: must be one of 000") && told.ends_with('…'),
        "{told}"
    );
    assert!(told.chars().count() < 300, "{told}");
}
