//! The macro that declares the objects of answers. A member is one line; from it come its value and its schema.

/// Declares objects of answers: each member in one place, from which come its value and its schema. The comments are the
/// descriptions in the document.
///
/// ```text
/// answer! {
///     /// A plan.
///     pub struct PlanData(plan: &Plan) as "Plan" {
///         /// The name of the plan.
///         "slug": plan.slug, text(64) => "default";
///         "createdAt": time::to_rfc3339(plan.created_ms), time();
///         may "note": plan.note.as_ref(), any_text();
///     }
///
///     /// A plan with its accounts.
///     pub struct PlanDetail(plan: &Plan, accounts: u32) as "PlanDetail" with PlanData(plan) {
///         "accounts": accounts, count();
///     }
/// }
/// ```
///
/// A line has the name of the member, its value, its schema by the words of [`json_schema`](crate::api::http::json_schema),
/// and an example. `may`: the value is an `Option`, and `None` leaves the member out. `as`: the document describes the object
/// under this name. `with`: it has all members of these objects, too, before its own. `PlanData::of(plan)` is the object, a
/// [`Value`](serde_json::Value). Only the document reads a schema, so schemas weigh nothing in the WebAssembly.
///
/// An object with a lifetime, as `pub struct PlanData<'a>(plan: &'a Plan)`, keeps what it is made of, which is all `Copy`, and
/// is written straight into the response: for lists of messages and recipients, which are long and asked for most.
#[macro_export]
macro_rules! answer {
    ($(
        $(#[doc = $about:literal])*
        $vis:vis struct $answer:ident $(<$life:lifetime>)? ($($param:ident: $type:ty),* $(,)?)
            $(as $schema_name:literal)? $(with $($base:ident($($arg:expr),*)),+)?
        {
            $(
                $(#[doc = $text:literal])*
                $($may:ident)? $name:literal: $value:expr, $schema:expr $(=> $example:tt)?;
            )*
        }
    )+) => {
        $($crate::answer! {
            @object [$($life)?]
            $(#[doc = $about])*
            $vis struct $answer($($param: $type),*) [$($($base($($arg),*))+)?] {$([$($may)?] $name: $value;)*}
        }

        impl$(<$life>)? $answer$(<$life>)? {
            /// The members as the document describes them.
            #[allow(unused_mut, clippy::vec_init_then_push, reason = "each member adds what it has")]
            $vis fn members() -> Vec<$crate::api::http::json_schema::Member> {
                #[allow(clippy::wildcard_imports, unused_imports, reason = "they are the words of schemas")]
                use $crate::api::http::json_schema::*;
                let mut members = Vec::new();
                $($(members.extend($base::members());)+)?
                $(members.push($crate::answer!(@presence $($may)?)(
                    $name,
                    $crate::answer!(@text $schema, [$($text),*] [$($example)?]),
                ));)*
                members
            }
        }

        impl$(<$life>)? $crate::api::http::json_schema::Described for $answer$(<$life>)? {
            const NAME: &'static str = $crate::answer!(@name $answer $($schema_name)?);

            fn schema() -> $crate::api::http::json_schema::Schema {
                let schema = $crate::api::http::json_schema::object(Self::members());
                $crate::answer!(@text schema, [$($about),*] [])
            }
        })+
    };
    (
        @object []
        $(#[doc = $about:literal])*
        $vis:vis struct $answer:ident($($param:ident: $type:ty),*) [$($base:ident($($arg:expr),*))*] {
            $([$($may:ident)?] $name:literal: $value:expr;)*
        }
    ) => {
        $(#[doc = $about])*
        #[allow(missing_docs, reason = "what a name says needs no text in the document either")]
        $vis struct $answer;

        impl $answer {
            /// The object.
            #[allow(dead_code, reason = "of some, only others have the members")]
            $vis fn of($($param: $type),*) -> serde_json::Value {
                let mut members = serde_json::Map::new();
                Self::put(&mut members, $($param),*);
                serde_json::Value::Object(members)
            }

            /// Adds its members to those of an object.
            $vis fn put(members: &mut serde_json::Map<String, serde_json::Value>, $($param: $type),*) {
                $($base::put(members, $($arg),*);)*
                $($crate::answer!(@put members [$($may)?] $name, $value);)*
            }
        }
    };
    (
        @object [$life:lifetime]
        $(#[doc = $about:literal])*
        $vis:vis struct $answer:ident($($param:ident: $type:ty),*) [$($base:ident($($arg:expr),*))*] {
            $([$($may:ident)?] $name:literal: $value:expr;)*
        }
    ) => {
        $(#[doc = $about])*
        #[allow(missing_docs, reason = "what a name says needs no text in the document either")]
        $vis struct $answer<$life> {
            $(pub $param: $type,)*
        }

        impl<$life> $answer<$life> {
            /// The object.
            #[allow(clippy::too_many_arguments, reason = "with many, the fields are named")]
            $vis fn of($($param: $type),*) -> Self {
                $answer { $($param),* }
            }

            /// Writes its members among those of an object.
            $vis fn write<M: serde::ser::SerializeMap>(&self, members: &mut M) -> Result<(), M::Error> {
                let $answer { $($param),* } = *self;
                $($base::of($($arg),*).write(members)?;)*
                $($crate::answer!(@write members [$($may)?] $name, $value);)*
                Ok(())
            }
        }

        impl serde::Serialize for $answer<'_> {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut members = serializer.serialize_map(None)?;
                self.write(&mut members)?;
                serde::ser::SerializeMap::end(members)
            }
        }
    };
    (@put $members:ident [] $name:literal, $value:expr) => {
        $members.insert($name.to_owned(), serde_json::json!($value));
    };
    (@put $members:ident [may] $name:literal, $value:expr) => {
        if let Some(value) = $value {
            $members.insert($name.to_owned(), serde_json::json!(value));
        }
    };
    (@write $members:ident [] $name:literal, $value:expr) => {
        $members.serialize_entry($name, &$value)?;
    };
    (@write $members:ident [may] $name:literal, $value:expr) => {
        if let Some(value) = &$value {
            $members.serialize_entry($name, value)?;
        }
    };
    (@name $answer:ident) => { stringify!($answer) };
    (@name $answer:ident $name:literal) => { $name };
    (@presence) => { $crate::api::http::json_schema::must };
    (@presence may) => { $crate::api::http::json_schema::may };
    (@text $schema:expr, [] []) => { $schema };
    (@text $schema:expr, [] [$example:tt]) => { $schema.like(serde_json::json!($example)) };
    (@text $schema:expr, [$($text:literal),+] []) => { $schema.about_lines(&[$($text),+]) };
    (@text $schema:expr, [$($text:literal),+] [$example:tt]) => {
        $schema.about_lines(&[$($text),+]).like(serde_json::json!($example))
    };
}

/// The members of an object that no handler writes, for the document: lines of [`answer!`](crate::answer) without a value.
#[macro_export]
macro_rules! members {
    ($(
        $(#[doc = $text:literal])*
        $($may:ident)? $name:literal: $schema:expr $(=> $example:tt)?;
    )*) => {{
        #[allow(clippy::wildcard_imports, unused_imports, reason = "they are the words of schemas")]
        use $crate::api::http::json_schema::*;
        vec![$($crate::answer!(@presence $($may)?)(
            $name,
            $crate::answer!(@text $schema, [$($text),*] [$($example)?]),
        )),*]
    }};
}
