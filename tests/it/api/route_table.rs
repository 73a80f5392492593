//! The docs have the tables that the code has: of routes, of the numbers that rehearse errors, and of the characters that stand for
//! others in the cheapest form of a text.

use peyk::compose::rehearsal::{REHEARSED, last_digits};
use peyk::problem::Kind;
use sms::alternatives::tables::{TABLES, Table};
use tools::routes;

fn rehearsals() -> String {
    let row = |kind: &Kind| {
        format!(
            "| `{}` | {}/{} {} |\n",
            last_digits(*kind),
            kind.status,
            kind.code,
            kind.name
        )
    };
    let rows: String = REHEARSED.iter().map(row).collect();
    format!("| the number ends in | error |\n|---|---|\n{rows}")
}

fn look_alikes() -> String {
    let shown = |character: char| {
        let code = u32::from(character);
        match character {
            '|' | '`' => format!("U+{code:04X}"),
            seen if seen.is_alphanumeric() && seen != '\u{0640}' => format!("{seen} (U+{code:04X})"),
            seen if seen.is_ascii_punctuation() => format!("`{seen}`"),
            _ => format!("U+{code:04X}"),
        }
    };
    let stand_in = |text: &str| match text {
        "" => "nothing".to_owned(),
        ascii
            if ascii
                .chars()
                .all(|char| char.is_ascii_punctuation() || char.is_ascii_digit()) =>
        {
            format!("`{ascii}`")
        }
        other => other.chars().map(shown).collect::<Vec<_>>().join(" "),
    };
    let rows = |table: &&Table| {
        // The characters of one stand-in share a row.
        let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
        for (character, own) in table.pairs {
            match groups.iter_mut().find(|(known, _)| known == own) {
                Some((_, characters)) => characters.push(shown(*character)),
                None => groups.push((own, vec![shown(*character)])),
            }
        }
        let row = |(own, characters): &(&str, Vec<String>)| {
            let change = table.change.as_str();
            format!("| `{change}` | {} | {} |\n", characters.join(", "), stand_in(own))
        };
        groups.iter().map(row).collect::<String>()
    };
    let source = |table: &&Table| format!("- `{}`: {}.\n", table.change.as_str(), table.source);
    let rows: String = TABLES.iter().map(rows).collect();
    let sources: String = TABLES.iter().map(source).collect();
    format!("| `changes` | in place of | stands |\n|---|---|---|\n{rows}\nSources:\n\n{sources}")
}

/// The page with this table between the marks of this name.
fn with_table(page: &str, name: &str, table: &str) -> String {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let (before, rest) = page.split_once(&begin).unwrap();
    let (_, after) = rest.split_once(&end).unwrap();
    [before, &begin, table, &end, after].concat()
}

#[test]
fn the_tables_of_the_pages_are_what_the_code_makes() {
    let tables = [
        ("docs/endpoints.md", "routes", routes::markdown()),
        ("docs/api.md", "rehearsals", rehearsals()),
        ("docs/cheapest.md", "look-alikes", look_alikes()),
    ];
    for (file, name, table) in tables {
        let path = format!("{}/{file}", env!("PEYK_ROOT"));
        let page = std::fs::read_to_string(&path).unwrap();
        let made = with_table(&page, name, &table);
        if std::env::var("ROUTES").is_ok_and(|wish| wish == "write") {
            std::fs::write(path, made).unwrap();
            continue;
        }
        assert!(
            page == made,
            "{file} has another table. Write it anew: ROUTES=write cargo test --test it what_the_code_makes"
        );
    }
}
