//! JSON Schemas, as `openapi.json` has them. They are made on the host only: nothing in the WebAssembly calls this, so it
//! weighs nothing there.

use serde_json::{Map, Value, json};

use crate::base::ports::MAX_INTEGER;

/// A name and its schema, for the components of the document.
pub type Named = (&'static str, Schema);

/// What [`answer!`](crate::answer), [`body!`](crate::body) or [`either!`](crate::either) declares.
pub trait Described {
    /// Its name in the document.
    const NAME: &'static str;

    /// Its schema.
    fn schema() -> Schema;
}

/// The member of a reference that has the schema which is referred to. The document moves it to its components.
pub const CARRIED: &str = "x-carried";

/// A JSON Schema.
#[derive(Debug, Clone)]
pub struct Schema(pub Value);

impl Schema {
    /// The same with another member.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        if let Some(own) = self.0.as_object_mut() {
            own.insert(name.to_owned(), value.into());
        }
        self
    }

    /// The same with a description.
    pub fn about(self, text: &str) -> Self {
        self.with("description", text)
    }

    /// The same with a description, in the lines of a comment.
    pub fn about_lines(self, lines: &[&str]) -> Self {
        let lines: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
        self.about(&lines.join(" "))
    }

    /// The same with an example.
    pub fn like(self, example: impl Into<Value>) -> Self {
        self.with("examples", json!([example.into()]))
    }

    /// Its own example, or `null`.
    pub fn example(&self) -> Value {
        self.0.pointer("/examples/0").cloned().unwrap_or_default()
    }

    /// The same, or `null`.
    pub fn or_null(mut self) -> Self {
        match self.0.get("type") {
            Some(Value::Array(_)) => return self,
            Some(kind) if kind == "null" => return self,
            Some(kind) => {
                let either = json!([kind, "null"]);
                if let Some(Value::Array(values)) = self.0.get_mut("enum") {
                    values.push(Value::Null);
                }
                return self.with("type", either);
            }
            None => {}
        }
        let is_null = |either: &Value| either.get("type").is_some_and(|kind| kind == "null");
        let either = self.0.get("anyOf").and_then(Value::as_array);
        if either.is_some_and(|all| all.iter().any(is_null)) {
            return self;
        }
        let description = self.0.as_object_mut().and_then(|own| own.remove("description"));
        let either = Schema(json!({"anyOf": [self.0, {"type": "null"}]}));
        match description {
            Some(text) => either.with("description", text),
            None => either,
        }
    }
}

/// A member of an object.
#[derive(Debug, Clone)]
pub struct Member {
    name: &'static str,
    schema: Schema,
    presence: Presence,
}

/// Whether a member is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Presence {
    /// Always.
    Must,
    /// It may be left out.
    May,
    /// It may be left out, and `null` means the same.
    Can,
}

impl Member {
    fn new(name: &'static str, schema: Schema, presence: Presence) -> Self {
        Member { name, schema, presence }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Its name and its schema.
    pub fn named(self) -> Named {
        (self.name, self.schema)
    }

    fn put(self, properties: &mut Map<String, Value>) {
        let schema = match self.presence {
            Presence::Must | Presence::May => self.schema,
            Presence::Can => self.schema.or_null(),
        };
        properties.insert(self.name.to_owned(), schema.0);
    }
}

/// A member that is always there.
pub fn must(name: &'static str, schema: Schema) -> Member {
    Member::new(name, schema, Presence::Must)
}

/// A member that may be left out.
pub fn may(name: &'static str, schema: Schema) -> Member {
    Member::new(name, schema, Presence::May)
}

/// A member of a request that may be left out. `null` means the same.
pub fn can(name: &'static str, schema: Schema) -> Member {
    Member::new(name, schema, Presence::Can)
}

/// A member of a request that must not be there. Where it may be `null`, `is_null_good`.
pub fn absent(name: &'static str, is_null_good: bool) -> Member {
    let schema = if is_null_good {
        json!({"type": "null"})
    } else {
        json!({"not": {}})
    };
    may(name, Schema(schema))
}

/// An object with these members.
pub fn object(members: impl IntoIterator<Item = Member>) -> Schema {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for member in members {
        if member.presence == Presence::Must {
            required.push(member.name);
        }
        member.put(&mut properties);
    }
    let object = Schema(json!({"type": "object", "properties": properties}));
    if required.is_empty() {
        object
    } else {
        object.with("required", required)
    }
}

/// The members of one of the forms that a body may have: of members that exclude each other, it has those that are `there`
/// and not those that are `gone`.
pub fn variant(members: Vec<Member>, there: &[&str], gone: &[&str]) -> Schema {
    object(members.into_iter().map(|member| {
        if there.contains(&member.name) {
            must(member.name, member.schema)
        } else if gone.contains(&member.name) {
            absent(member.name, member.presence == Presence::Can)
        } else {
            member
        }
    }))
}

/// What the document says of a parameter of a query.
pub fn parameter(name: &str, is_needed: bool, schema: Schema, lines: &[&str]) -> Value {
    let parameter = Schema(json!({"name": name, "in": "query", "schema": schema.0})).about_lines(lines);
    match is_needed {
        true => parameter.with("required", true).0,
        false => parameter.0,
    }
}

/// One of these schemas describes the value, and no other does.
pub fn exactly_one(variants: impl IntoIterator<Item = Schema>) -> Schema {
    let variants: Vec<Value> = variants.into_iter().map(|variant| variant.0).collect();
    Schema(json!({"oneOf": variants}))
}

/// One of these schemas describes the value, or several do.
pub fn any_of(variants: impl IntoIterator<Item = Schema>) -> Schema {
    let variants: Vec<Value> = variants.into_iter().map(|variant| variant.0).collect();
    Schema(json!({"anyOf": variants}))
}

/// The schema that `T` declares, by its name. The reference carries it, so the document has what some route names.
pub fn declared<T: Described>() -> Schema {
    carrying(T::NAME, T::schema())
}

/// The schema by this name, which the reference carries.
pub fn carrying(name: &str, schema: Schema) -> Schema {
    named(name).with(CARRIED, schema.0)
}

/// The schema with this name among the components.
pub fn named(name: &str) -> Schema {
    Schema(json!({"$ref": format!("#/components/schemas/{name}")}))
}

/// Any text.
pub fn any_text() -> Schema {
    Schema(json!({"type": "string"}))
}

/// A text of 1 to `max` characters.
pub fn text(max: usize) -> Schema {
    Schema(json!({"type": "string", "minLength": 1, "maxLength": max}))
}

/// A text of 1 to `max` characters that this regular expression describes.
pub fn formed(max: usize, pattern: &str) -> Schema {
    text(max).with("pattern", pattern)
}

/// A truth value.
pub fn flag() -> Schema {
    Schema(json!({"type": "boolean"}))
}

/// A whole number in this range.
pub fn integer(min: i64, max: i64) -> Schema {
    Schema(json!({"type": "integer", "minimum": min, "maximum": max}))
}

/// One of these texts.
pub fn one_of(names: &[&str]) -> Schema {
    Schema(json!({"type": "string", "enum": names}))
}

/// A list of `min` to `max` items.
pub fn list(items: Schema, min: usize, max: usize) -> Schema {
    let list = Schema(json!({"type": "array", "items": items.0, "maxItems": max}));
    if min == 0 { list } else { list.with("minItems", min) }
}

/// A list of any number of items.
pub fn any_list(items: Schema) -> Schema {
    Schema(json!({"type": "array", "items": items.0}))
}

/// How many there are.
pub fn count() -> Schema {
    integer(0, MAX_INTEGER).like(3)
}

/// An amount of money that is not below zero.
pub fn money() -> Schema {
    Schema(json!({"type": "integer", "format": "int64", "minimum": 0, "maximum": MAX_INTEGER}))
}

/// An amount of money that may be below zero.
pub fn signed_money() -> Schema {
    money().with("minimum", -MAX_INTEGER)
}

/// A time.
pub fn time() -> Schema {
    named("Time")
}

/// A day of UTC.
pub fn day() -> Schema {
    Schema(json!({"type": "string", "format": "date"})).like("2026-01-01")
}

/// A phone number as Peyk answers it.
pub fn number() -> Schema {
    named("PhoneNumber")
}

/// A phone number in E.164, or the word in the place of one that is erased.
pub fn number_or_erased() -> Schema {
    formed(16, r"^(\+[1-9][0-9]{7,14}|erased)$").like("+989121234567")
}

/// An id that Peyk makes.
pub fn id() -> Schema {
    Schema(json!({"type": "string", "format": "uuid"})).like("019b796d-a000-7000-8000-000000000000")
}

/// The number of a line as answers show it.
pub fn line() -> Schema {
    Schema(json!({"type": "string", "minLength": 3, "maxLength": 16})).like("3000505")
}

/// The currency that amounts are in.
pub fn unit() -> Schema {
    any_text().about("The currency of the amounts.").like("IRR")
}

/// The name of an encoding.
pub fn encoding() -> Schema {
    one_of(&["GSM7", "UCS2"]).about("How the text is encoded on the air.")
}

/// How many parts a text has.
pub fn parts() -> Schema {
    integer(1, 255).about("How many parts the text has.").like(1)
}

/// What says of a live message, or of one of its recipients, that nobody gets it.
pub fn simulated() -> Schema {
    Schema(json!({"const": true}))
        .about("There if the sandbox has taken it in place of a carrier that sends: it reached nobody.")
}

/// The member `textTruncated`, which is there if a text is cut.
pub fn cut() -> Schema {
    Schema(json!({"const": true}))
        .about("There if a text of the item is cut in this list. Asked for alone, it is whole.")
}
