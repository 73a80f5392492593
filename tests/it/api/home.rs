//! Where the service sends people: a browser to the documentation, and who meets an error to the page that explains it.

use peyk::base::config::Config;

use crate::support::{DOCS, World};

const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

#[test]
fn a_browser_is_sent_to_the_documentation_in_its_language() {
    let (world, _) = World::with_account(0);
    for (language, docs) in [
        ("en-US,en;q=0.9", "/docs"),
        ("fa-IR,fa;q=0.9,en;q=0.5", "/docs/fa"),
        ("de", "/docs"),
    ] {
        for path in ["/", "/v1/"] {
            let answer = world
                .request("GET", path)
                .accept(BROWSER)
                .language(language)
                .send()
                .expect(302);
            assert_eq!(answer.header("Location"), Some(docs), "{language}");
            assert_eq!(answer.header("Vary"), Some("Accept, Accept-Language"));
        }
    }
}

#[test]
fn a_program_finds_nothing_at_the_home_page() {
    let (world, _) = World::with_account(0);
    for accept in ["*/*", "application/json", "text/html;q=0, application/json"] {
        let answer = world.request("GET", "/").accept(accept).send().expect(404);
        assert_eq!(answer.header("Location"), None);
        assert_eq!(answer.int("/code"), 404);
    }
    world.request("GET", "/").send().expect(404);
}

#[test]
fn an_error_names_the_page_of_the_service_that_the_client_called_or_that_the_setting_names() {
    let (mut world, _) = World::with_account(0);
    let page = |world: &World| world.request("GET", "/nothing").send().expect(404).text("/type");
    assert_eq!(page(&world), format!("{DOCS}/docs/problems/not-found"));
    let public = |name: &str| (name == "PUBLIC_URL").then(|| format!("{DOCS}/"));
    world.app.config = Config::read(public).unwrap();
    assert_eq!(page(&world), format!("{DOCS}/docs/problems/not-found"));
}
