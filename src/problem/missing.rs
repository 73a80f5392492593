//! What a route has looked for that answers a 404.

use super::cases::{Problem, Thing};

/// What the routes under a path name, the longest path first.
const THINGS: [(&str, Thing); 23] = [
    (
        "/phonebook/number/{phonebookId}/",
        Thing("phonebook, or number in it,", "دفترچه‌ای، یا شماره‌ای در آن،"),
    ),
    ("/sms/pattern", Thing("pattern", "پترنی")),
    ("/sms/", Thing("phonebook", "دفترچه‌ای")),
    ("/phonebook", Thing("phonebook", "دفترچه‌ای")),
    ("/messages", Thing("message", "پیامکی")),
    ("/verify", Thing("verification", "درخواست تأییدی")),
    (
        "/pattern/{slug}/versions/",
        Thing("pattern, or version of it,", "پترنی، یا نسخه‌ای از آن،"),
    ),
    ("/pattern", Thing("pattern", "پترنی")),
    (
        "/webhook/{id}/deliveries/",
        Thing("endpoint, or delivery to it,", "وب‌هوکی، یا تحویلی به آن،"),
    ),
    ("/webhook", Thing("endpoint", "وب‌هوکی")),
    ("/keys", Thing("key", "کلیدی")),
    ("/members", Thing("member", "عضوی")),
    (
        "/console/session/switch",
        Thing("account of this member", "حسابی از این عضو"),
    ),
    ("/erasures", Thing("order to erase a number", "درخواست حذف شماره‌ای")),
    (
        "/admin/accounts/{id}/",
        Thing(
            "account, or what the path names in it,",
            "حسابی، یا موردی از آن که در مسیر آمده،",
        ),
    ),
    ("/admin/accounts", Thing("account", "حسابی")),
    ("/admin/keys", Thing("key", "کلیدی")),
    ("/admin/members", Thing("member", "عضوی")),
    ("/admin/lines", Thing("line", "سرشماره‌ای")),
    ("/admin/carriers", Thing("carrier", "اپراتور مخابراتی‌ای")),
    ("/admin/plans", Thing("plan", "پلنی")),
    ("/admin/credits", Thing("credit", "اعتباری")),
    (
        "/admin/erasures",
        Thing("order to erase a number", "درخواست حذف شماره‌ای"),
    ),
];

/// The same problem, and if it is that the route of this path has found nothing, what it has looked for.
pub fn named(problem: Problem, route: &str) -> Problem {
    let thing = THINGS.iter().find(|(path, _)| route.starts_with(path));
    match (problem, thing) {
        (Problem::NotFound, Some((_, thing))) => Problem::Missing {
            thing: *thing,
            for_operators: route.starts_with("/admin/"),
        },
        (problem, _) => problem,
    }
}
